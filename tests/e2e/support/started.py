"""Waits until steady.py is at work in the same container; fails after 30 s."""
import os
import sys
import time

deadline = time.monotonic() + 30
while not os.path.exists("/tmp/started"):
    if time.monotonic() > deadline:
        sys.exit("steady.py did not start within 30 s")
    time.sleep(0.05)
