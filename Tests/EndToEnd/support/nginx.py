"""A real nginx on loopback that serves a folder, and its log of requests."""
import json
import time
from pathlib import Path

from .server import Server

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


class Nginx(Server):
    program = "nginx"

    def __init__(self, folder, root):
        super().__init__(folder)
        self.root = Path(root)

    def prepare(self):
        (self.folder / "nginx.conf").write_text(
            CONFIGURATION.format(folder=self.folder, root=self.root, port=self.port))

    def command(self):
        return [self.binary(), "-c", str(self.folder / "nginx.conf"), "-e", str(self.folder / "error.log")]

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
