"""A real icecast2 on loopback with a real source client (ffmpeg)."""
import base64
import http.client
import os
import subprocess
import time
import urllib.parse
from pathlib import Path

from .server import Server, end_process

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


class Icecast(Server):
    program = "icecast2"

    def __init__(self, folder):
        super().__init__(folder)
        self.folder.chmod(0o777)
        self.sources = []

    def prepare(self):
        owner = "<changeowner><user>nobody</user><group>nogroup</group></changeowner>" if os.getuid() == 0 else ""
        (self.folder / "icecast.xml").write_text(CONFIGURATION.format(
            port=self.port, folder=self.folder, share="/usr/share/icecast2", owner=owner))
        for parent in self.folder.parents:
            # icecast gives up root's rights; its folder lies below one that only its owner may enter.
            if parent.owner() == self.folder.owner() and parent != Path("/") and parent.stat().st_mode & 0o001 == 0:
                parent.chmod(parent.stat().st_mode | 0o011)

    def command(self):
        return [self.binary(), "-c", str(self.folder / "icecast.xml")]

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
        for source in self.sources:
            end_process(source)
        super().stop()
