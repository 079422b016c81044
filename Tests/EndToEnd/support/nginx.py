"""A real nginx on loopback that serves a folder, and its log of requests."""
import json
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from .icecast import free_port

CONFIGURATION = """daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  types {{ audio/mpeg mp3; }}
  log_format requests escape=json '{{"uri":"$request_uri","status":$status,"sent":$body_bytes_sent,"range":"$http_range",'
    '"ifNoneMatch":"$http_if_none_match","ifRange":"$http_if_range"}}';
  access_log {folder}/access.log requests;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{
    listen 127.0.0.1:{port};
    root {root};
    location / {{ }}
    location /fresh/ {{ alias {root}/; expires 1h; }}
    location /stale/ {{ alias {root}/; expires -1; add_header Cache-Control max-age=0; }}
    location /slow/ {{ alias {root}/; expires 1h; limit_rate_after 64k; limit_rate 1m; }}
  }}
}}
"""


class Nginx:
    def __init__(self, folder, root):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.root = Path(root)
        self.port = free_port()
        self.process = None

    def start(self):
        configuration = self.folder / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(folder=self.folder, root=self.root, port=self.port))
        binary = shutil.which("nginx", path="/usr/sbin:/usr/bin:/sbin")
        self.process = subprocess.Popen(
            [binary, "-c", str(configuration), "-e", str(self.folder / "error.log")], stdin=subprocess.DEVNULL,
            stdout=open(self.folder / "out", "ab"), stderr=subprocess.STDOUT)
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                assert self.process.poll() is None and time.monotonic() < end, (self.folder / "out").read_text()
                time.sleep(0.02)

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def requests(self):
        """Those that are over, in their order."""
        log = self.folder / "access.log"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def wait_for_requests(self, count):
        end = time.monotonic() + 30
        while len(self.requests()) < count:
            assert time.monotonic() < end, self.requests()
            time.sleep(0.02)
        return self.requests()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None
