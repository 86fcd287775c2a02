"""
A client of servers that may speak TLS and ask for a password. The first argument is what it has, as JSON: `address`, and perhaps `ca`, `cert` and
`key` (PEM), `maximum` (the newest TLS it speaks), `user` and `password`. The second is what it does:

once      stores a value and reads it back
serial    the serial number of the server's certificate
steady    stores 1,000 items, then makes 200 operations a second over a connection that is kept, and 5 a second over new ones, until the file
          /tmp/stop is there; /tmp/started says that it is at work

It prints what came of it, as JSON: {"error": ...} for a client that was refused.
"""
import json
import os
import socket
import ssl
import sys
import time

given = json.loads(sys.argv[1])
host, port = given["address"].rsplit(":", 1)


def file(name, text):
    path = "/tmp/%d-%s" % (os.getpid(), name)
    with open(path, "w") as stream:
        stream.write(text)
    return path


def context():
    tls = ssl.create_default_context(cadata=given["ca"])
    if "cert" in given:
        tls.load_cert_chain(file("cert", given["cert"]), file("key", given["key"]))
    if "maximum" in given:
        tls.maximum_version = getattr(ssl.TLSVersion, given["maximum"])
    return tls


class Connection:
    def __init__(self):
        plain = socket.create_connection((host, int(port)), 3)
        plain.settimeout(3)
        self.socket = context().wrap_socket(plain, server_hostname=host) if "ca" in given else plain
        self.stream = self.socket.makefile("rb")
        if "user" in given:
            users = "%s %s" % (given["user"], given["password"])
            self.expect(b"STORED", b"set auth 0 0 %d\r\n%s\r\n" % (len(users), users.encode()))

    def line(self):
        line = self.stream.readline()
        if not line:
            raise EOFError("the server closed the connection")
        return line.rstrip()

    def expect(self, answer, request):
        self.socket.sendall(request)
        line = self.line()
        if line != answer:
            raise ValueError(line.decode(errors="replace"))

    def set(self, key):
        self.expect(b"STORED", b"set %s 0 0 %d\r\n%s\r\n" % (key, len(key), key))

    def get(self, key):
        self.socket.sendall(b"get %s\r\n" % key)
        if self.line() == b"END":
            raise KeyError("the item %s is gone" % key.decode())
        if self.line() != key or self.line() != b"END":
            raise ValueError("another value")


def once():
    connection = Connection()
    connection.set(b"once")
    connection.get(b"once")
    return {"ok": True}


def serial():
    return {"serial": Connection().socket.getpeercert()["serialNumber"].lower()}


def steady():
    kept = Connection()
    keys = [b"item-%d" % number for number in range(1000)]
    for key in keys:
        kept.set(key)
    counted = {"operations": 0, "connections": 0, "failed": []}
    start = time.monotonic()
    open("/tmp/started", "w").close()
    while not os.path.exists("/tmp/stop"):
        key = keys[counted["operations"] % len(keys)]
        try:
            kept.get(key)
            if counted["operations"] % 40 == 0:
                Connection().get(key)
                counted["connections"] += 1
        except Exception as error:
            counted["failed"].append([round(time.monotonic() - start, 1), repr(error)])
        counted["operations"] += 1
        time.sleep(max(0, start + counted["operations"] / 200 - time.monotonic()))
    lost = 0
    for key in keys:
        try:
            kept.get(key)
        except Exception:
            lost += 1
    return {**counted, "seconds": round(time.monotonic() - start, 1), "lost": lost}


try:
    print(json.dumps({"once": once, "serial": serial, "steady": steady}[sys.argv[2]]()))
except Exception as error:
    print(json.dumps({"error": repr(error)}))
