"""
Stores and reads through HOST:PORT until the file /tmp/stop is there, and says what came of it as JSON; the file /tmp/started
says that it is at work. `fresh` is an application that connects anew for each operation; `kept` keeps its connection until
that ends. Both try the addresses of the name in turn; `first` connects anew as well, but takes the first address and no other, as
pymemcache does by itself. `lost` has the operations that were not served, as [second, errors], and `passed` how many errors
of single connections an operation got over, by kind.
"""
import collections
import json
import os
import socket
import sys
import threading
import time

from pymemcache.client.base import Client

host, port = sys.argv[1].rsplit(":", 1)
start = time.monotonic()


def addresses():
    return [info[4] for info in socket.getaddrinfo(host, int(port), socket.AF_INET, socket.SOCK_STREAM)]


def use(client):
    key = "steady-%d" % threading.get_ident()
    client.set(key, key, noreply=False)
    if client.get(key) != key.encode():
        raise ValueError("the value stored was not found")


def operate(result, client, tries):
    """Gives the client that served."""
    errors = []
    if client:
        try:
            use(client)
            return client
        except Exception as error:
            errors.append(type(error).__name__)
            client.close()
    try:
        for address in addresses()[:tries]:
            client = Client(address, connect_timeout=0.5, timeout=1)
            try:
                use(client)
                result["passed"] += collections.Counter(errors)
                return client
            except Exception as error:
                errors.append(type(error).__name__)
                client.close()
    except socket.gaierror as error:
        errors.append(repr(error))
    result["lost"].append([round(time.monotonic() - start, 1), errors])
    return None


def repeat(keep, tries, result):
    client = None
    while not os.path.exists("/tmp/stop"):
        client = operate(result, client, tries)
        if client and not keep:
            client.close()
            client = None
        result["operations"] += 1
        if result["operations"] == 10 and keep:
            open("/tmp/started", "w").close()
        # Sixty operations a second at most show every gap, and leave the machine to the servers.
        time.sleep(0.015)


results = {name: {"operations": 0, "lost": [], "passed": collections.Counter()} for name in ("fresh", "kept", "first")}
threads = [
    threading.Thread(target=repeat, args=(name == "kept", 1 if name == "first" else None, result))
    for name, result in results.items()
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps(results))
