"""A real server program on a free port of 127.0.0.1, ended by its pid."""
import os
import random
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path


def free_port():
    """A port that nobody listens on: below those that the kernel gives to whoever connects, of this worker's own."""
    first = 10_000 + 2_000 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    while True:
        port = first + random.randrange(2_000)
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Server:
    """Its files lie in `folder`. A kind names its program, says its command, and prepares what that reads."""

    program = None

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.process = None

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def url(self, path):
        return self.origin + path

    def binary(self):
        path = shutil.which(self.program, path="/usr/sbin:/usr/bin:/sbin:/bin")
        assert path, f"{self.program} is not here: contrib/setup test installs it"
        return path

    def prepare(self):
        """Writes the configuration."""

    def command(self):
        raise NotImplementedError

    def start(self):
        self.prepare()
        self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                                        stdout=open(self.folder / "out", "ab"))
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                assert self.process.poll() is None and time.monotonic() < end, (self.folder / "out").read_text()
                time.sleep(0.02)

    def stop(self):
        end_process(self.process)


def end_process(process):
    if process and process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
