/** A command as npm start is one, with a shell in Pulumi's place: `interruptedRun.ts OWNER SCRIPT`. */
import { tryRun } from "../../../cluster/run";
import { main } from "../../../cluster/cli/main";
import { interruptible } from "../../../scripts/stack/interruption";
import { endOwn, markOf } from "../../../scripts/stack/marks";

const [owner = "", script = ""] = process.argv.slice(2);

main(async () => {
  await interruptible({
    name: "the shell",
    run: (ownGroup) =>
      tryRun("sh", ["-c", script], {
        env: { ...process.env, ...markOf(owner) },
        onOutput: (text) => void process.stdout.write(text),
        ownGroup,
      }),
    end: () => endOwn(owner),
  });
});
