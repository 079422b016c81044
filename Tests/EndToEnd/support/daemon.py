"""The real daemon as a process of its own: started in a fresh folder, ended by its pid."""
import os
import signal
import subprocess
import time
from pathlib import Path

from .client import Client
from .contract import Contract
from .paths import BINARIES, REPOSITORY  # noqa: F401 - tests take them from here


class Daemon:
    """Runs jukeboxd with folders and a socket below `folder`."""

    def __init__(self, folder, *arguments, environment=None, wrapper=()):
        self.folder = Path(folder)
        self.arguments = [str(a) for a in arguments]
        self.environment = environment or {}
        self.wrapper = list(wrapper)
        self.socket = self.folder / "control.sock"
        self.log_path = self.folder / "log"
        self.process = None
        self.clients = []

    def command(self):
        return [
            str(BINARIES / "jukeboxd"), "--socket", str(self.socket), "--cache-dir", str(self.folder / "cache"),
            "--state-dir", str(self.folder / "state"), "--data-dir", str(self.folder / "data"),
            "--log-level", "debug", *self.arguments,
        ]

    def clean_environment(self):
        kept = {k: os.environ[k] for k in ("PATH", "HOME", "LANG", "TSAN_OPTIONS", "ASAN_OPTIONS") if k in os.environ}
        return {**kept, "SWIFT_BACKTRACE": "enable=no", "XDG_CONFIG_HOME": str(self.folder / "config"),
                "XDG_RUNTIME_DIR": str(self.folder), **self.environment}

    def start(self, wait=True):
        self.process = subprocess.Popen(
            [*self.wrapper, *self.command()], env=self.clean_environment(), stdin=subprocess.DEVNULL,
            stdout=open(self.folder / "out", "ab"), stderr=open(self.log_path, "ab"))
        if wait:
            self.wait_until_ready()
        return self

    def wait_until_ready(self, timeout=30):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            try:
                Client(self.socket).close()
                return
            except OSError:
                assert self.process.poll() is None, f"ended with {self.process.returncode}: {self.log()}"
                time.sleep(0.01)
        raise AssertionError("no socket: " + self.log())

    def client(self, contract=True):
        client = Client(self.socket, Contract.shared() if contract else None)
        self.clients.append(client)
        return client

    def log(self):
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def is_alive(self):
        return self.process is not None and self.process.poll() is None

    def stop(self, number=signal.SIGTERM, timeout=20):
        """Ends the daemon and returns its exit status."""
        for client in self.clients:
            client.close()
        self.clients = []
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise AssertionError("did not end: " + self.log()[-2000:])
        return self.process.returncode

    def memory(self, name="VmRSS"):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
        return None


def jukectl(daemon, *arguments, timeout=30, **options):
    """Runs jukectl against a daemon; returns the finished process with text output."""
    environment = {**daemon.clean_environment(), "JUKEBOXD_SOCKET": str(daemon.socket)}
    return subprocess.run(
        [str(BINARIES / "jukectl"), *map(str, arguments)], env=environment, text=True, capture_output=True,
        timeout=timeout, stdin=subprocess.DEVNULL, **options)
