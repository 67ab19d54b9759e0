# SPDX-License-Identifier: MIT
"""Tests a live view from the client's side, with well-behaved and hostile clients.

    view.py KOSHU
"""
import atexit
import base64
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import time

KOSHU = sys.argv[1]
RUN = """
initial: {model: plummer, n: 4096}
solver: {method: tree, softening: 1/64}
integrator: {dt: 1/1024, end: 1000}
output: {directory: out}
"""


def start(*options):
    with open("run.yaml", "w") as file:
        file.write(RUN)
    run = subprocess.Popen([KOSHU, "run", "run.yaml", "--force", "-t", "1",
                            *options], stdout=subprocess.PIPE, text=True)
    atexit.register(run.kill)
    for line in run.stdout:
        if found := re.match(r"view .*:(\d+)/\?token=(\w{32})", line):
            return run, int(found[1]), found[2]
    raise SystemExit("no address is printed")


def connect(port):
    link = socket.create_connection(("127.0.0.1", port), timeout=20)
    return link


def get(port, path):
    """Requests a path; returns status (None without an answer) and body."""
    with connect(port) as link:
        link.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n"
                     f"Connection: close\r\n\r\n".encode())
        answer = b""
        while part := link.recv(65536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]) if head else None, body


class Watcher:
    """A minimal WebSocket client."""

    def __init__(self, port, token):
        self.link = connect(port)
        key = base64.b64encode(os.urandom(16)).decode()
        self.link.sendall(
            f"GET /?token={token} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: koshu-view\r\n\r\n".encode())
        self.answer = b""
        while b"\r\n\r\n" not in self.answer:
            if not (part := self.link.recv(1)):
                break
            self.answer += part
        self.open = b" 101 " in self.answer

    def exactly(self, n):
        data = b""
        while len(data) < n:
            if not (part := self.link.recv(n - len(data))):
                raise EOFError
            data += part
        return data

    def message(self):
        """Returns kind and content of the next message."""
        kind, n = self.exactly(2)
        if n == 126:
            n, = struct.unpack(">H", self.exactly(2))
        elif n == 127:
            n, = struct.unpack(">Q", self.exactly(8))
        return kind & 15, self.exactly(n)

    def frame(self):
        kind, data = self.message()
        assert kind == 2, kind
        magic, n, total, step, now = struct.unpack_from("<IIddd", data)
        flags, = struct.unpack_from("<I", data, 72)
        assert magic == 0x3156534B and len(data) == 80 + 16 * n
        return {"n": n, "total": total, "step": step, "time": now,
                "flags": flags}

    def send(self, word, kind=1):
        text = word.encode()
        self.link.sendall(bytes([0x80 | kind, 0x80 | len(text), 0, 0, 0, 0])
                          + text)

    def until(self, wanted):
        """Receives frames until one meets the condition."""
        for _ in range(500):
            if wanted(frame := self.frame()):
                return frame
        raise AssertionError("no such frame")


def page_is_for_those_with_the_token(port, token):
    status, page = get(port, f"/?token={token}")
    assert status == 200 and b"<!doctype html>" in page
    assert b"http://" not in page.replace(b"http://www.w3.org", b"")
    status, log = 404, b""
    while status == 404 or not log:  # the run has not created it yet
        status, log = get(port, f"/log?token={token}&from=5")
    assert status == 200 and log.startswith(b"time,"), log[:20]
    for path in ("/", "/log", "/?token=", f"/?token={token[:-1]}",
                 f"/?token={token}0", "/?token=" + "0" * 5000):
        assert get(port, path)[0] in (403, None), path
    assert get(port, f"/etc/passwd?token={token}")[0] == 404
    assert not Watcher(port, "0" * 32).open


def read_only_changes_nothing(port, token):
    watcher = Watcher(port, token)
    first = watcher.frame()
    assert first["n"] == first["total"] == 4096 and not first["flags"] & 3
    watcher.send("pause")
    watcher.send("stop")
    watcher.until(lambda f: f["step"] > first["step"] + 5)


def pause_step_continue(port, token):
    watcher = Watcher(port, token)
    watcher.send("pause")
    at = watcher.until(lambda f: f["flags"] & 1)["step"]
    time.sleep(0.3)
    at = watcher.frame()["step"]
    for _ in range(2):
        assert watcher.frame()["step"] == at
    watcher.send("step")
    watcher.until(lambda f: f["step"] == at + 1)
    assert watcher.frame()["step"] == at + 1
    watcher.send("continue")
    watcher.until(lambda f: f["step"] > at + 5)
    watcher.send("pause")
    at = watcher.until(lambda f: f["flags"] & 1)["step"]
    watcher.link.close()  # a pause must not outlast the connection
    Watcher(port, token).until(lambda f: f["step"] > at + 5)


def garbage_harms_nothing(port, token):
    """Sends mutated requests and messages; the run must go on unchanged."""
    rng = random.Random(1)
    good = (f"GET /?token={token} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA"
            f"==\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: koshu-view\r\n\r\n").encode()
    for k in range(200):
        text = bytearray(good)
        for _ in range(rng.randrange(8)):
            at = rng.randrange(len(text))
            text[at:at + rng.randrange(3)] = rng.randbytes(rng.randrange(4))
        if k % 4 == 0:
            text = text[:rng.randrange(len(text))]
        if k % 4 == 1:
            text += rng.randbytes(rng.randrange(300))
        with connect(port) as link:
            link.settimeout(0.1)
            try:
                link.sendall(text)
                if k % 8 == 2:
                    link.recv(100)
            except OSError:
                pass
    watcher = Watcher(port, token)
    for word in ("", "stop\0", "x" * 120, "PAUSE"):
        watcher.send(word)
        watcher.send(word, kind=2)
    at = watcher.frame()["step"]
    watcher.until(lambda f: f["step"] > at + 5)


def slow_and_many(port, token):
    """Clients that read nothing, and too many clients: others still see the
    run."""
    idle = [connect(port) for _ in range(10)]
    slow = [Watcher(port, token) for _ in range(12)]
    more = [Watcher(port, token) for _ in range(8)]
    assert all(w.open for w in slow) and not all(w.open for w in more)
    del more
    seen = [slow[0].frame()["step"] for _ in range(5)]
    assert seen == sorted(seen) and seen[-1] > seen[0]
    for link in idle:
        link.close()


def stop(run, port, token):
    watcher = Watcher(port, token)
    watcher.frame()
    watcher.send("stop")
    kind = 2
    while kind == 2:
        kind, data = watcher.message()
    assert kind == 8 and data[:2] == struct.pack(">H", 1000)
    assert "stop was requested" in run.stdout.read()
    assert run.wait() == 0 and os.path.exists("out/checkpoint.hdf5")


def by_socket():
    with open("there", "w") as file:
        file.write("precious")
    done = subprocess.run([KOSHU, "run", "run.yaml", "--force",
                           "--view=./there"], capture_output=True, text=True)
    assert done.returncode == 2 and "is there already" in done.stderr
    with open("there") as file:
        assert file.read() == "precious"
    run, _, token = start("--view=./sock")
    with socket.socket(socket.AF_UNIX) as link:
        link.connect("sock")
        link.sendall(f"GET /?token={token} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert b"200 OK" in link.recv(1000)
    assert os.stat("sock").st_mode & 0o77 == 0
    run.send_signal(signal.SIGINT)
    run.communicate()
    assert run.returncode == 0 and not os.path.exists("sock")


def main():
    run, port, token = start("--view")
    page_is_for_those_with_the_token(port, token)
    read_only_changes_nothing(port, token)
    garbage_harms_nothing(port, token)
    slow_and_many(port, token)
    taken = subprocess.run([KOSHU, "run", "run.yaml", f"--view={port}", "--set",
                            "output.directory=other"], capture_output=True,
                           text=True)
    assert taken.returncode == 2 and str(port) in taken.stderr, taken.stderr
    run.send_signal(signal.SIGINT)
    run.communicate()
    assert run.returncode == 0
    run, port, token = start("--view", "--view-control")
    pause_step_continue(port, token)
    stop(run, port, token)
    by_socket()


main()
