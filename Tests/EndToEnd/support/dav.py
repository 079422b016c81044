"""Real WebDAV servers on loopback: nginx with Basic, lighttpd with Digest; each wants the user me with a password."""
import hashlib
import os
import subprocess
from pathlib import Path

from .server import Server

NGINX = """{modules}
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log; {owner}
events {{}}
http {{
  log_format short '$request_method $uri $status'; access_log {folder}/access.log short;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  types {{ audio/mpeg mp3; }}
  server {{
    listen 127.0.0.1:{port}; root {root};
    auth_basic music; auth_basic_user_file {folder}/users; dav_ext_methods PROPFIND OPTIONS;
  }}
}}
"""
LIGHTTPD = """server.document-root = "{root}"
server.port = {port}
server.bind = "127.0.0.1"
server.modules = ("mod_accesslog", "mod_auth", "mod_authn_file", "mod_webdav")
webdav.activate = "enable"
webdav.is-readonly = "enable"
accesslog.filename = "{folder}/access.log"
accesslog.format = "%m %U %s"
auth.backend = "htdigest"
auth.backend.htdigest.userfile = "{folder}/users"
auth.require = ("" => ("method" => "digest", "realm" => "music", "require" => "valid-user"))
mimetype.assign = (".mp3" => "audio/mpeg")
"""


class DavServer(Server):
    """Serves `folder/root`."""

    def __init__(self, folder, password):
        super().__init__(folder)
        self.root = self.folder / "root"
        self.root.mkdir()
        self.password = password

    def prepare(self):
        (self.folder / "users").write_text(self.users(self.password))
        (self.folder / "conf").write_text(self.configuration())

    def log(self):
        """All requests so far: (method, path, status)."""
        path = self.folder / "access.log"
        lines = path.read_text().splitlines() if path.exists() else []
        return [tuple(line.rsplit(" ", 1)[0].split(" ", 1)) + (int(line.rsplit(" ", 1)[1]),) for line in lines]


class Nginx(DavServer):
    program = "nginx"
    modules = Path("/usr/lib/nginx/modules")

    def configuration(self):
        # Where it is no part of the program it is a module of its own.
        module = self.modules / "ngx_http_dav_ext_module.so"
        return NGINX.format(modules=f"load_module {module};" if module.exists() else "", folder=self.folder,
                            root=self.root, port=self.port, owner="user root;" if os.getuid() == 0 else "")

    def users(self, password):
        crypted = subprocess.run(["openssl", "passwd", "-apr1", "-stdin"], input=password, text=True,
                                 capture_output=True, check=True).stdout.strip()
        return f"me:{crypted}\n"

    def command(self):
        return [self.binary(), "-e", str(self.folder / "error.log"), "-c", str(self.folder / "conf")]


class Lighttpd(DavServer):
    program = "lighttpd"

    def configuration(self):
        return LIGHTTPD.format(folder=self.folder, root=self.root, port=self.port)

    def users(self, password):
        return "me:music:" + hashlib.md5(f"me:music:{password}".encode()).hexdigest() + "\n"

    def command(self):
        return [self.binary(), "-D", "-f", str(self.folder / "conf")]
