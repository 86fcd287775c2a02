"""Stores and reads through each server given as HOST:PORT: {server: {"addresses": [...], "value": ...}}."""
import json
import socket
import sys

from pymemcache.client.base import Client

found = {}
for server in sys.argv[1:]:
    host, port = server.rsplit(":", 1)
    addresses = sorted({info[4][0] for info in socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)})
    client = Client((host, int(port)), connect_timeout=2, timeout=2)
    client.set("server", server, noreply=False)
    found[server] = {"addresses": addresses, "value": client.get("server").decode()}
    client.close()
print(json.dumps(found))
