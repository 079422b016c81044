"""A real icecast2 on loopback with a real source client (ffmpeg)."""
import base64
import http.client
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse
from pathlib import Path

CONFIGURATION = """<icecast>
  <limits><clients>50</clients><sources>5</sources><burst-size>65535</burst-size></limits>
  <authentication><source-password>hackme</source-password><relay-password>hackme</relay-password>
    <admin-user>admin</admin-user><admin-password>hackme</admin-password></authentication>
  <hostname>127.0.0.1</hostname>
  <listen-socket><port>{port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <paths><basedir>{share}</basedir><logdir>{folder}</logdir><webroot>{share}/web</webroot>
    <adminroot>{share}/admin</adminroot></paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>3</loglevel></logging>
  <security><chroot>0</chroot>{owner}</security>
</icecast>
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Icecast:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o777)
        self.port = free_port()
        self.server = None
        self.sources = []

    def start(self):
        import os
        owner = "<changeowner><user>nobody</user><group>nogroup</group></changeowner>" if os.getuid() == 0 else ""
        configuration = self.folder / "icecast.xml"
        configuration.write_text(CONFIGURATION.format(
            port=self.port, folder=self.folder, share="/usr/share/icecast2", owner=owner))
        for parent in self.folder.parents:
            # icecast gives up root's rights; its folder lies below one that only its owner may enter.
            if parent.owner() == self.folder.owner() and parent != Path("/") and parent.stat().st_mode & 0o001 == 0:
                parent.chmod(parent.stat().st_mode | 0o011)
        binary = shutil.which("icecast2", path="/usr/bin:/usr/sbin:/bin")
        self.server = subprocess.Popen([binary, "-c", str(configuration)], stdin=subprocess.DEVNULL,
                                       stdout=open(self.folder / "out", "ab"), stderr=subprocess.STDOUT)
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                assert self.server.poll() is None and time.monotonic() < end, (self.folder / "out").read_text()
                time.sleep(0.02)

    def url(self, mount):
        return f"http://127.0.0.1:{self.port}{mount}"

    def source(self, mount, path, name="Test Radio", genre="Testing"):
        """Plays a file round and round, in real time, as MP3."""
        process = subprocess.Popen(
            ["ffmpeg", "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", str(path), "-map", "0:a", "-c", "copy",
             "-f", "mp3", "-content_type", "audio/mpeg", "-ice_name", name, "-ice_genre", genre,
             f"icecast://source:hackme@127.0.0.1:{self.port}{mount}"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(self.folder / "source.log", "ab"))
        self.sources.append(process)
        end = time.monotonic() + 20
        while mount not in self.admin("/admin/listmounts"):
            assert process.poll() is None and time.monotonic() < end, "the source did not come up"
            time.sleep(0.05)
        return process

    def admin(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        token = base64.b64encode(b"admin:hackme").decode()
        connection.request("GET", path, headers={"Authorization": "Basic " + token})
        body = connection.getresponse().read().decode()
        connection.close()
        return body

    def title(self, mount, title):
        query = urllib.parse.urlencode({"mount": mount, "mode": "updinfo", "song": title, "charset": "UTF-8"})
        assert "successful" in self.admin("/admin/metadata?" + query)

    def stop(self):
        for process in [*self.sources, self.server]:
            if process and process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
