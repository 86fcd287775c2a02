"""KEYS keys hashed over servers by pymemcache's HashClient: `set` stores them, `get` says how many are found, and how many are wrong."""
import json
import sys

from pymemcache.client.hash import HashClient

action, count, servers = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
client = HashClient(servers, connect_timeout=2, timeout=2, retry_attempts=0)
keys = ["key-%d" % number for number in range(count)]
if action == "set":
    print(json.dumps({"stored": sum(client.set(key, "of " + key, noreply=False) is True for key in keys)}))
else:
    values = {key: client.get(key) for key in keys}
    hits = {key: value for key, value in values.items() if value is not None}
    wrong = sum(value.decode() != "of " + key for key, value in hits.items())
    print(json.dumps({"hits": len(hits), "wrong": wrong}))
