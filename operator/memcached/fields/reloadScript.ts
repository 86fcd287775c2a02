/**
 * The helper's program. The kubelet changes all files of the volume at once, by another target of the link `..data`. Before the server
 * gets them, another memcached tries to start with the new files: the server itself would take a certificate without its key, and then
 * refuse every client. $0 is the folder, the arguments are those of the trial.
 */
export const reloadScript = `
seen=$(readlink "$0/..data")
while sleep 5; do
  now=$(readlink "$0/..data")
  [ "$now" = "$seen" ] && continue
  seen=$now
  if command -v memcached >/dev/null; then
    memcached "$@" & trial=$!
    sleep 1
    if ! kill "$trial"; then
      echo "reload: memcached does not start with the changed files; the server keeps those it has" >&2
      continue
    fi
    wait "$trial"
  fi
  for process in /proc/[0-9]*; do
    read -r name <"$process/comm" 2>/dev/null || continue
    [ "$name" = memcached ] && kill -HUP "\${process#/proc/}" && echo "reload: the server has been told of the changed files"
  done
done
`.trim();
