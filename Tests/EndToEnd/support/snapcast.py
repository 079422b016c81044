"""A real snapserver on ports of its own, with one stream that jukeboxd feeds, and real snapclients that hear it."""
import json
import socket
import subprocess
import time
from pathlib import Path

from .paths import REPOSITORY
from .server import free_port

SCRIPT = REPOSITORY / "contrib" / "snapcast" / "jukeboxd-snapcast"


class Snapserver:
    """`source` is what comes before the stream's name, such as `pipe:///FIFO?mode=create&`."""

    def __init__(self, folder, source, control=False, environment=None):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.stream_port, self.rpc_port, self.http_port = free_port(), free_port(), free_port()
        self.source = f"{source}name=Jukebox&sampleformat=48000:16:2" + (f"&controlscript={SCRIPT}" if control else "")
        self.environment = environment
        self.process = None
        self.clients = []

    def start(self):
        configuration = self.folder / "snapserver.conf"
        configuration.write_text(
            f"[server]\ndatadir = {self.folder}\n"
            f"[http]\nbind_to_address = 127.0.0.1\nport = {self.http_port}\n"
            f"[tcp]\nbind_to_address = 127.0.0.1\nport = {self.rpc_port}\n"
            f"[stream]\nbind_to_address = 127.0.0.1\nport = {self.stream_port}\ncodec = pcm\nbuffer = 400\n"
            f"source = {self.source}\n")
        self.process = subprocess.Popen(
            ["snapserver", "--config", str(configuration)], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=open(self.folder / "log", "ab"), stderr=subprocess.STDOUT)
        self.status()
        return self

    def hear(self, name="room"):
        """A client that plays to a file; returns the file."""
        heard = self.folder / f"{name}.raw"
        self.clients.append(subprocess.Popen(
            ["snapclient", "--host", "127.0.0.1", "--port", str(self.stream_port), "--hostID", name,
             "--player", f"file:filename={heard}", "--logsink", f"file:{self.folder / name}.log"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return heard

    def call(self, method, timeout=30, **params):
        """One request of Snapcast's own protocol; asked again until the server listens."""
        end = time.monotonic() + timeout
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.rpc_port), timeout=timeout) as connection:
                    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
                    connection.sendall(json.dumps(request).encode() + b"\r\n")
                    for line in connection.makefile():
                        reply = json.loads(line)
                        if reply.get("id") == 1:
                            return reply
            except OSError:
                assert self.process.poll() is None and time.monotonic() < end, self.log()
                time.sleep(0.05)

    def status(self):
        return self.call("Server.GetStatus")["result"]["server"]["streams"][0]

    def wait(self, condition, timeout=30):
        """The stream's status once `condition(status)` holds."""
        end = time.monotonic() + timeout
        while not condition(status := self.status()):
            assert time.monotonic() < end, (status, self.log()[-2000:])
            time.sleep(0.05)
        return status

    def control(self, command, **params):
        return self.call("Stream.Control", id="Jukebox", command=command, params=params)

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def stop(self):
        for process in [*self.clients, self.process]:
            if process and process.poll() is None:
                process.kill()
                process.wait()
        self.clients = []
