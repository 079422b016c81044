"""Credentials: what is sent to whom, and that nothing else ever holds any of it."""
import base64
import contextlib
import json
import os
import stat
import subprocess
import threading
import time
from pathlib import Path

import pytest
from support.daemon import BINARIES, REPOSITORY
from support.dav import Lighttpd, Nginx
from support.scripted import ok
from support.sounds import mp3

SCRIPTS = REPOSITORY / "contrib" / "scripts"


def configure(tmp_path, text, mode=0o600):
    """A configuration folder with credentials; returns the daemon's arguments."""
    folder = tmp_path / "etc"
    folder.mkdir(exist_ok=True)
    (folder / "jukeboxd.conf").write_text("[log]\nlevel = debug\n")
    path = folder / "credentials.conf"
    path.touch()
    path.chmod(mode)
    path.write_text(text)
    return "--config", folder / "jukeboxd.conf"


def program(tmp_path, name, script):
    path = tmp_path / name
    path.write_text("#!/bin/sh\n" + script + "\n")
    path.chmod(0o700)
    return path


def heard(client, url, **more):
    """Opens a URL and waits until it plays."""
    client.call("open", url=url, **more)
    shown = url.split("?")[0].replace("me:pw-in-url@", "")
    client.wait(lambda v: v["player.state"] == "playing" and (v["item.url"] or "").startswith(shown), what=shown)
    client.call("stop")
    client.wait_for("player.state", "stopped")


def song(seconds=20):
    return ok(mp3(seconds=seconds).read_bytes(), Content_Type="audio/mpeg")


def unauthorized(challenge=None):
    headers = {"Content-Length": "0", **({"WWW-Authenticate": challenge} if challenge else {})}
    return [("head", "HTTP/1.1 401 Unauthorized", headers)]


# -- the file

@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_file_that_others_can_read_is_refused(tmp_path, mode):
    arguments = configure(tmp_path, "[https://h]\nbearer = geheim\n", mode)
    for more in (["--check"], ["--output", "null", "--socket", str(tmp_path / "s")]):
        result = subprocess.run([BINARIES / "jukeboxd", *map(str, arguments), *more], capture_output=True, text=True,
                                timeout=30)
        assert result.returncode == 1
        assert "credentials.conf" in result.stderr and "chmod 600" in result.stderr and "geheim" not in result.stderr


def test_check_names_the_line_and_no_value(tmp_path):
    arguments = configure(tmp_path, "[https://h]\nuser = me\npasword = geheim\n")
    result = subprocess.run([BINARIES / "jukeboxd", "--check", *map(str, arguments)], capture_output=True, text=True,
                            timeout=30)
    assert result.returncode == 1
    assert "credentials.conf:3" in result.stderr and "pasword" in result.stderr and "geheim" not in result.stderr


def test_check_complains_of_an_authority_that_is_not_there(tmp_path):
    path = tmp_path / "jukeboxd.conf"
    path.write_text("[loader]\nca_file = /no/such/ca.pem\n")
    result = subprocess.run([BINARIES / "jukeboxd", "--check", "--config", str(path)], capture_output=True, text=True,
                            timeout=30)
    assert result.returncode == 1 and "jukeboxd.conf:2" in result.stderr and "ca_file" in result.stderr


def test_the_example_is_right_line_by_line(tmp_path):
    """Each section as it stands there, without its #, after its programs and files are put in place."""
    shipped = (REPOSITORY / "etc" / "credentials.conf").read_text()
    manual = (REPOSITORY / "docs" / "man" / "credentials.conf.5").read_text().replace("\\-", "-")
    there = tmp_path / "there"
    there.write_text("#!/bin/sh\n")
    there.chmod(0o700)
    sections = []
    for line in shipped.splitlines():
        line = line.removeprefix("#")
        if line.startswith("["):
            sections.append([line])
        elif sections and " = " in line and not line.startswith(" "):
            key, value = line.split(" = ", 1)
            assert f"fB{key}\\fR" in manual, key
            if value.startswith("/"):
                value = " ".join([str(there), *value.split(" ")[1:]])
            sections[-1].append(f"{key} = {value}")
    assert len(sections) > 6
    for section in sections:
        arguments = configure(tmp_path, "\n".join(section) + "\n")
        result = subprocess.run([BINARIES / "jukeboxd", "--check", *map(str, arguments)], capture_output=True,
                                text=True, timeout=30)
        assert result.returncode == 0, result.stderr


def test_reload_reads_the_credentials_again(start, scripted, tmp_path):
    server = scripted([{"path": "/a.mp3", "do": song()}])
    arguments = configure(tmp_path, "")
    client = start("--output", "null", *arguments).client()
    client.observe("*")
    heard(client, server.url("/a.mp3"))
    configure(tmp_path, f"[http://{server.addresses['A']}]\nbearer = first\n")
    client.call("reload")
    # A name of its own, so that nothing that was fetched before is taken.
    heard(client, server.url("/a.mp3?n=1"))
    (tmp_path / "etc" / "credentials.conf").chmod(0o644)
    with pytest.raises(Exception, match="chmod 600"):
        client.call("reload")
    heard(client, server.url("/a.mp3?n=2"))
    sent = [request["headers"].get("authorization") for request in server.requests("/a.mp3")]
    assert sent[0] is None and set(sent[1:]) == {"Bearer first"}


# -- real servers

def fill(server):
    for name in ("10 Ten & more.mp3", "2 Zwei ü.mp3", "1 one#1.mp3", "100%25.mp3"):
        (server.root / "music").mkdir(exist_ok=True)
        (server.root / "music" / name).write_bytes(mp3(seconds=20).read_bytes())
    (server.root / "music" / "cover.jpg").write_bytes(b"\xff\xd8\xff")
    (server.root / "music" / "Side B").mkdir()
    for parent in [server.root, *server.root.parents]:
        # What does not run as root must get in.
        if parent != Path("/") and parent.owner() == server.root.owner() and not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)


@contextlib.contextmanager
def music(server):
    """Runs a server that has a folder of songs."""
    fill(server)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.mark.parametrize("kind", [Nginx, Lighttpd])
def test_a_folder_of_a_webdav_server_becomes_its_songs(kind, start, tmp_path):
    with music(kind(tmp_path / "dav", "ge;heim")) as server:
        client = start("--output", "null", *configure(
            tmp_path, f"[{server.origin}]\nuser = me\npassword = ge;heim\n")).client()
        client.observe("*")
        client.call("open", url=server.url("/music"))
        client.wait(lambda v: v["player.state"] == "playing" and v["queue.length"] == 4, timeout=60)
        entries = client.call("queue.list")["entries"]
        assert [e["title"] for e in entries] == ["1 one#1.mp3", "2 Zwei ü.mp3", "10 Ten & more.mp3", "100%25.mp3"]
        for index in range(1, 4):
            client.call("play", index=index)
            client.wait(lambda v, index=index: v["queue.index"] == index and v["player.state"] == "playing", timeout=60)
        assert client.get("player.error") is None
        client.call("stop")
    refused = [line for line in server.log() if line[2] == 401]
    if kind is Nginx:
        # With credentials at once, and not first without.
        assert not refused, server.log()
    else:
        # The password is refused as such, then the challenge is asked for: once each in all.
        assert len(refused) <= 2, server.log()


@pytest.mark.parametrize("kind", [Nginx, Lighttpd])
def test_the_folders_in_a_folder_come_in_its_place(kind, start, tmp_path):
    with music(kind(tmp_path / "dav", "geheim")) as server:
        folder = server.root / "music"
        for name in ("Side B/2 two.mp3", "Side B/10 ten.mp3", "Side B/Bonus ü/x.mp3", "0 Intro/a.mp3"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(mp3(seconds=2).read_bytes())
        (folder / "empty").mkdir()
        client = start("--output", "null", *configure(
            tmp_path, f"[{server.origin}]\nuser = me\npassword = geheim\n")).client()
        client.observe("*")
        client.call("open", url=server.url("/music/"))
        client.wait(lambda v: v["player.state"] == "playing" and v["queue.length"] == 8, timeout=60)
        titles = [e["title"] for e in client.call("queue.list")["entries"]]
        assert titles == ["a.mp3", "1 one#1.mp3", "2 Zwei ü.mp3", "10 Ten & more.mp3", "100%25.mp3", "2 two.mp3",
                          "10 ten.mp3", "x.mp3"]
        assert all(e["error"] is None for e in client.call("queue.list")["entries"])
        client.call("play", index=7)
        client.wait(lambda v: v["queue.index"] == 7 and v["player.state"] == "playing", timeout=60)
        client.call("stop")
    asked = [path for method, path, status in server.log() if method == "PROPFIND" and status == 207]
    assert len(asked) == 5


def test_a_folder_without_credentials_is_unauthorized(start, tmp_path):
    with music(Nginx(tmp_path / "dav", "geheim")) as server:
        client = start("--output", "null").client()
        client.observe("*")
        client.call("open", url=server.url("/music/"))
        client.wait(lambda v: v["player.error"] is not None)
        assert client.values["player.error"]["code"] == "unauthorized"


# -- a cloud that gives links for a while

def test_yandex_disk_gives_links_that_are_asked_for(start, scripted, tmp_path):
    answer = [("head", "HTTP/1.1 200 OK", {"Content-Type": "application/json"}),
              ("body", b"")]
    link = {"path": "/disk/file", "do": song()}
    server = scripted([
        link, {"path": "/v1/disk/resources/download", "do": answer},
        {"path": "/v1/disk/public/resources/download", "do": answer}])
    answer[1] = ("body", json.dumps({"href": server.url("/disk/file?hash=1"), "method": "GET"}).encode())
    secret = tmp_path / "token"
    secret.write_text("y0_geheim\n")
    secret.chmod(0o600)
    # As the real one would be named, but on this machine: what leads to it must lie here too.
    origin = "http://localhost:9"
    command = f"{SCRIPTS / 'yandex-disk'} --api http://{server.addresses['A']} --token-file {secret}"
    client = start("--output", "null", *configure(tmp_path, f"[{origin}]\nresolver_command = {command}\n")).client()
    client.observe("*")
    heard(client, origin + "/client/disk/Music/S%C3%BC%C3%9F%20%26%20mehr.mp3")
    heard(client, origin + "/d/KEY/a%20b.mp3")
    heard(client, origin + "/i/KEY2")
    own, = server.requests("/v1/disk/resources/download")
    assert own["headers"]["authorization"] == "OAuth y0_geheim"
    assert own["query"] == "path=disk%3A%2FMusic%2FS%C3%BC%C3%9F+%26+mehr.mp3"
    public = server.requests("/v1/disk/public/resources/download")
    assert [r["query"] for r in public] == [
        "public_key=http%3A%2F%2Flocalhost%3A9%2Fd%2FKEY&path=%2Fa+b.mp3", "public_key=http%3A%2F%2Flocalhost%3A9%2Fi%2FKEY2"]
    assert all("authorization" not in r["headers"] for r in [*public, *server.requests("/disk/file")])


def test_a_link_that_is_not_given_is_told_of(start, scripted, tmp_path):
    server = scripted([])
    origin = "http://localhost:9"
    command = f"{SCRIPTS / 'yandex-disk'} --api http://{server.addresses['A']}"
    client = start("--output", "null", *configure(tmp_path, f"[{origin}]\nresolver_command = {command}\n")).client()
    client.observe("*")
    client.call("open", url=origin + "/d/KEY/a.mp3")
    client.wait(lambda v: v["player.error"] is not None)
    assert "resolver_command" in client.values["player.error"]["message"]
    assert "ended with status 1" in client.values["player.error"]["message"]


# -- secrets

class Arguments:
    """Looks at the arguments and variables of all processes for as long as it is open."""

    def __init__(self, *pids):
        self.seen = set()
        self.isOver = False
        self.thread = threading.Thread(target=self.look, daemon=True)

    def look(self):
        own = os.getpid()
        while not self.isOver:
            for entry in os.listdir("/proc"):
                if entry.isdigit() and int(entry) != own:
                    try:
                        self.seen.add(Path(f"/proc/{entry}/cmdline").read_bytes())
                    except OSError:
                        pass
            time.sleep(0.002)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.isOver = True
        self.thread.join(20)


class Recorder:
    """All bytes that a client reads."""

    def __init__(self, client):
        self.client = client
        self.lines = []
        read = client.read_line

        def line(timeout=None):
            text = read(timeout)
            self.lines.append(text)
            return text

        client.read_line = line


def test_secrets_show_nowhere(start, scripted, tmp_path):
    secrets = ["pw-in-file", "bearer-in-file", "oauth-in-header", "tok-from-command", "pw-in-url", "item-header",
               "query-secret", "digest-pw", "link-secret"]
    hidden = secrets + [base64.b64encode(f"me:{s}".encode()).decode().rstrip("=") for s in secrets]
    found = {"Location": "http://{B}/elsewhere.mp3?sig=query-secret"}
    away = [("head", "HTTP/1.1 302 Found", {**found, "Content-Length": "0"})]
    server = scripted([
        {"path": "/basic.mp3", "do": song()}, {"path": "/away.mp3", "do": away},
        {"path": "/elsewhere.mp3", "on": "B", "do": song()},
        {"path": "/gone.mp3", "do": [("head", "HTTP/1.1 410 Gone", {"Content-Length": "0"})]},
        {"path": "/refused.mp3", "do": unauthorized('Digest realm="r", nonce="n", qop="auth"')},
        {"path": "/broken.mp3", "do": [("head", "HTTP/1.1 200 OK", {"Content-Length": "100000", "Accept-Ranges": "none"}),
                                       ("body", b"x" * 100), ("reset",)]},
        {"path": "/loop.mp3", "do": [("head", "HTTP/1.1 302 Found", {"Location": "/loop.mp3?token=query-secret"})]},
    ], listen=("A", "B"))
    others = {name: scripted([{"path": "*", "do": song()}]) for name in ("bearer", "header", "token", "link")}
    origin = {name: f"http://{one.addresses['A']}" for name, one in others.items()}
    token = program(tmp_path, "token", "echo tok-from-command; echo expires_in=60")
    resolver = program(tmp_path, "resolve", f"cat > {tmp_path}/asked; echo {server.url('/basic.mp3')}?token=link-secret")
    arguments = configure(tmp_path, f"""
[http://{server.addresses['A']}]
user = me
password = pw-in-file
[{origin['bearer']}]
bearer = bearer-in-file
[{origin['header']}]
header = Authorization: OAuth oauth-in-header
[{origin['token']}]
token_command = {token}
[{origin['link']}]
resolver_command = {resolver}
""")
    daemon = start("--output", "null", *arguments, environment={"HOME": str(tmp_path)})
    client = daemon.client()
    recorder = Recorder(client)
    client.observe("*", old=True)
    with Arguments() as processes:
        for name, one in others.items():
            heard(client, one.url(f"/{name}.mp3") + "?token=query-secret")
        heard(client, server.url("/basic.mp3"), headers={"X-Key": "item-header"})
        client.call("open", url=server.url("/away.mp3"), headers={"Authorization": "Bearer item-header"})
        client.wait_for("player.state", "playing")
        heard(client, server.url("/basic.mp3").replace("://", "://me:pw-in-url@"))
        for path in ("/gone.mp3", "/refused.mp3", "/broken.mp3", "/loop.mp3", "/nothing.mp3"):
            url = server.url(path).replace("://", "://me:digest-pw@") + "?password=query-secret"
            client.call("queue.clear")
            client.call("open", url=url)
            client.wait(lambda v, path=path: path in ((v["player.error"] or {}).get("url") or ""), what=path)
        client.call("queue.list")
        for method in ("cache.list", "history.list", "explain"):
            try:
                client.call(method)
            except Exception:  # noqa: BLE001 - what there is not yet shows nothing either
                pass
        client.call("get", keys=["*"])
    daemon.stop()
    assert b"pw-in-file" not in b"".join(processes.seen)
    # They were sent where they belong, or nothing was tried here.
    sent = json.dumps([r["headers"] for s in [server, *others.values()] for r in s.requests()])
    for secret in ("bearer-in-file", "oauth-in-header", "tok-from-command", "item-header"):
        assert secret in sent
    assert base64.b64encode(b"me:pw-in-file").decode() in sent
    # And nowhere else: not even to where they led.
    for request in server.requests("/elsewhere.mp3"):
        assert "authorization" not in request["headers"] and "x-key" not in request["headers"]
    assert (tmp_path / "asked").read_text().strip().endswith("/link.mp3?token=query-secret")
    places = {"replies and changes": b"\n".join(recorder.lines), "the log": daemon.log().encode(),
              "arguments": b"\n".join(processes.seen)}
    for folder in ("cache", "data"):
        for path in (daemon.folder / folder).rglob("*"):
            places[str(path)] = str(path).encode() + (path.read_bytes() if path.is_file() else b"")
    for place, content in places.items():
        for secret in hidden:
            assert secret.encode() not in content, f"{secret} in {place}"
    for path in (daemon.folder / "state").rglob("*"):
        # The queue's headers are kept, for the daemon's own eyes.
        if path.is_file() and any(s.encode() in path.read_bytes() for s in hidden):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
