"""What contrib/ offers, each run for real: scripts, the asyncio client, the home automation example, keys, units."""
import http.server
import json
import os
import shutil
import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.daemon import BINARIES, REPOSITORY
from support.scripted import ok
from support.sounds import mp3

CONTRIB = REPOSITORY / "contrib"
TAGS = {"title": "Don't \"quote\" me", "artist": "The Ohms"}


def surroundings(daemon):
    return {**daemon.clean_environment(), "JUKEBOXD_SOCKET": str(daemon.socket),
            "PATH": f"{BINARIES}:{CONTRIB / 'keys'}:{os.environ['PATH']}", "PYTHONUNBUFFERED": "1"}


class Lines:
    """A program whose lines are waited for; ended by its pid."""

    def __init__(self, daemon, *command):
        self.process = subprocess.Popen(list(map(str, command)), env=surroundings(daemon), text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)

    def until(self, condition, timeout=30):
        timer = threading.Timer(timeout, self.stop)
        timer.start()
        try:
            for line in self.process.stdout:
                if condition(line.rstrip("\n")):
                    return line.rstrip("\n")
            raise AssertionError("the program ended before the line came")
        finally:
            timer.cancel()

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, 15)
            self.process.wait(10)


@pytest.fixture
def lines(daemon):
    programs = []

    def begin(*command):
        programs.append(Lines(daemon, *command))
        return programs[-1]

    yield begin
    for program in programs:
        program.stop()


def test_socat_alone_follows_the_title(daemon, lines):
    watch = lines(CONTRIB / "scripts" / "socat-watch", daemon.socket)
    watch.until(lambda l: l.startswith("stopped:"))
    daemon.client().call("open", url=str(mp3(seconds=20, tags={"title": "Sine", "artist": "The Ohms"})))
    watch.until(lambda l: l == "playing: The Ohms - Sine")


def test_the_waybar_module_prints_json_for_every_change(daemon, lines):
    module = lines(sys.executable, CONTRIB / "scripts" / "waybar-jukeboxd")
    module.until(lambda l: json.loads(l)["class"] == "stopped")
    client = daemon.client()
    client.call("open", url=str(mp3(seconds=20, tags=TAGS)))
    line = module.until(lambda l: json.loads(l)["class"] == "playing")
    assert json.loads(line)["text"] == "▶ The Ohms – Don't \"quote\" me"
    client.call("pause")
    module.until(lambda l: json.loads(l)["class"] == "paused")


def test_the_asyncio_client_mirrors_and_commands(daemon, lines):
    program = CONTRIB / "homeassistant" / "jukeboxd_client.py"
    follow = lines(sys.executable, program, "follow")
    follow.until(lambda l: json.loads(l)["player.state"] == "stopped")
    call = subprocess.run([sys.executable, program, "call", "open", json.dumps({"url": str(mp3(seconds=20, tags=TAGS))})],
                          env=surroundings(daemon), capture_output=True, text=True, timeout=30)
    assert call.returncode == 0 and json.loads(call.stdout)["ids"]
    state = json.loads(follow.until(lambda l: json.loads(l)["player.state"] == "playing"))
    assert state["item.title"] == TAGS["title"]
    refused = subprocess.run([sys.executable, program, "call", "no.such"], env=surroundings(daemon), capture_output=True,
                             text=True, timeout=30)
    assert refused.returncode == 1 and "no.such" in refused.stderr


def test_home_assistant_is_pushed_to_and_survives_a_restart_of_the_daemon(daemon, lines):
    told = []
    arrived = threading.Condition()

    class Hook(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with arrived:
                told.append(body)
                arrived.notify_all()
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def wait(condition):
            with arrived:
                assert arrived.wait_for(lambda: any(map(condition, told)), 30), told

        lines(sys.executable, CONTRIB / "homeassistant" / "push.py",
              f"http://127.0.0.1:{server.server_port}/api/webhook/jukeboxd", daemon.socket)
        wait(lambda b: b["state"] == "stopped")
        daemon.client().call("open", url=str(mp3(seconds=20, tags=TAGS)))
        wait(lambda b: b["state"] == "playing" and b["title"] == TAGS["title"])
        daemon.stop()
        told.clear()
        daemon.start()
        daemon.client().call("set", values={"player.volume": 41})
        wait(lambda b: b["volume"] == 41 and b["state"] == "paused")
        server.shutdown()


@pytest.fixture
def display(tmp_path):
    reader, writer = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "320x200x24", "-nolisten", "tcp"],
                              pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as file:
        yield ":" + file.readline().strip()
    server.terminate()
    server.wait(10)


def test_real_keys_on_x11_work_the_jukebox(daemon, display, tmp_path):
    environment = {**surroundings(daemon), "DISPLAY": display, "HOME": str(tmp_path)}
    client = daemon.client()
    client.observe("player", "queue")
    client.call("queue.add", items=[str(mp3(seconds=30)), str(mp3(seconds=30, frequency=660))], play=True)
    client.wait_for("player.state", "playing")

    def press(key):
        subprocess.run(["xdotool", "key", key], env=environment, check=True, timeout=20)

    # xdotool makes room for keys that the keyboard lacks; done first, so that what xbindkeys grabs stays.
    for key in ("XF86AudioPlay", "XF86AudioNext", "XF86AudioLowerVolume"):
        subprocess.run(["xdotool", "key", key], env=environment, check=True, timeout=20)
    binder = subprocess.Popen(["stdbuf", "-oL", "xbindkeys", "--nodaemon", "--verbose", "-f", str(CONTRIB / "keys" / "xbindkeysrc")], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for line in binder.stdout:
            if "starting loop" in line.lower():
                break
        press("XF86AudioPlay")
        client.wait_for("player.state", "paused")
        press("XF86AudioPlay")
        client.wait_for("player.state", "playing")
        press("XF86AudioNext")
        client.wait_for("queue.index", 1)
        before = client.get("player.volume")
        press("XF86AudioLowerVolume")
        client.wait(lambda v: v["player.volume"] < before)
    finally:
        binder.terminate()
        binder.wait(10)


@pytest.mark.parametrize("name,sent", [("KEY_PLAYPAUSE", "paused"), ("KEY_STOPCD", "stopped")])
def test_the_kernels_names_of_keys(daemon, name, sent):
    client = daemon.client()
    client.observe("player.state")
    client.call("open", url=str(mp3(seconds=30)))
    client.wait_for("player.state", "playing")
    subprocess.run([CONTRIB / "keys" / "jukebox-key", name], env=surroundings(daemon), check=True, timeout=30)
    client.wait_for("player.state", sent)


# From linux/input-event-codes.h.
CODES = {"KEY_PLAYPAUSE": 164, "KEY_NEXTSONG": 163, "KEY_PREVIOUSSONG": 165, "KEY_STOPCD": 166, "KEY_VOLUMEDOWN": 114}


@pytest.fixture
def input_device(daemon, tmp_path):
    """triggerhappy with the project's triggers, at a FIFO that looks like an input device. Gives what presses keys.

    What it cannot show: that the kernel's devices may be opened by the unit's user.
    """
    subprocess.run(["make", "-s", "-C", REPOSITORY / "Tests" / "Fixtures" / "inputdevice", f"OUT={tmp_path}"], check=True)
    triggers = tmp_path / "triggers"
    text = (CONTRIB / "keys" / "triggerhappy.conf").read_text()
    triggers.write_text(text.replace("/usr/local/bin/jukebox-key", str(CONTRIB / "keys" / "jukebox-key")))
    fifo = tmp_path / "event0"
    os.mkfifo(fifo)
    # Open at both ends, so that nobody waits for the other.
    end = os.open(fifo, os.O_RDWR)
    program = subprocess.Popen(["/usr/sbin/thd", "--triggers", triggers, fifo], stdin=subprocess.DEVNULL,
                               env={**surroundings(daemon), "LD_PRELOAD": str(tmp_path / "inputdevice.so")})

    def press(key, *values):
        for value in values or (1, 0):
            # struct input_event: the time, then EV_KEY or EV_SYN, the code, the value.
            os.write(end, struct.pack("llHHi", 0, 0, 1, CODES[key], value) + struct.pack("llHHi", 0, 0, 0, 0, 0))

    yield press
    program.terminate()
    program.wait(10)
    os.close(end)


@pytest.mark.skipif(not os.path.exists("/usr/sbin/thd"), reason="thd comes with triggerhappy")
def test_keys_of_an_input_device_reach_the_daemon(daemon, input_device):
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[str(mp3(seconds=30)), str(mp3(seconds=31))], play=True)
    client.wait_for("player.state", "playing")
    input_device("KEY_PLAYPAUSE")
    client.wait_for("player.state", "paused")
    input_device("KEY_PLAYPAUSE")
    client.wait_for("player.state", "playing")
    input_device("KEY_NEXTSONG")
    client.wait_for("queue.index", 1)
    before = client.get("player.volume")
    step = before - 5
    # Pressed, then held twice: each counts.
    input_device("KEY_VOLUMEDOWN", 1, 2, 2, 0)
    client.wait(lambda v: v["player.volume"] < step)
    input_device("KEY_STOPCD")
    client.wait_for("player.state", "stopped")


def test_every_bound_key_is_one_that_remote_knows(daemon):
    import re
    client = daemon.client()
    names = set()
    for file in (CONTRIB / "keys").iterdir():
        names.update(re.findall(r"jukebox-key (XF86\w+|[A-Z]\w+Pause)", file.read_text()))
    assert "XF86AudioPlay" in names
    client.call("open", url=str(mp3(seconds=30)))
    for name in names:
        client.call("remote", event=name)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze comes with systemd")
def test_units_are_right_and_little_exposed(tmp_path):
    units = []
    for unit in [*(CONTRIB / "systemd" / "system").iterdir(), CONTRIB / "keys" / "jukebox-keys.service"]:
        text = unit.read_text().replace("/usr/local/bin/jukeboxd", str(BINARIES / "jukeboxd"))
        text = "\n".join(l for l in text.split("\n") if not l.startswith("Documentation="))
        units.append(tmp_path / unit.name)
        units[-1].write_text(text.replace("/usr/sbin/thd", "/bin/true"))
    result = subprocess.run(["systemd-analyze", "verify", *map(str, units)], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0 and "jukebox" not in result.stderr, result.stderr
    # This systemd-analyze's threshold is in tenths: 2.0.
    result = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=20", str(tmp_path / "jukeboxd.service")],
                            capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stdout[-500:]


def filtered_calls(unit):
    """The system calls that a unit's filter leaves, by systemd's own lists of its groups."""
    listing = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager"], capture_output=True, text=True, check=True).stdout
    groups, name = {}, None
    for line in listing.splitlines():
        if line.startswith("@"):
            name = line.strip()
            groups[name] = set()
        elif line.startswith("    ") and not line.strip().startswith("#") and name:
            groups[name].add(line.strip())

    def calls(group):
        found = set()
        for entry in groups[group]:
            found |= calls(entry) if entry.startswith("@") else {entry}
        return found

    allowed = set()
    for line in unit.read_text().splitlines():
        if line.startswith("SystemCallFilter="):
            words = line.split("=", 1)[1]
            named = set().union(*(calls(g) if g.startswith("@") else {g} for g in words.lstrip("~").split()))
            allowed = allowed - named if words.startswith("~") else allowed | named
    return allowed


def play_file_and_radio(daemon, server):
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(mp3(seconds=2)))
    client.wait_for("player.state", "playing")
    client.wait_for("player.state", "stopped")
    client.call("open", url=server.url("/a.mp3"))
    client.wait_for("player.state", "playing")
    client.call("pause")
    client.wait_for("player.state", "paused")
    client.call("stop")
    return client


def test_no_system_call_is_made_that_the_unit_forbids(start, scripted, tmp_path):
    """What it cannot show: calls on ways not walked here, and that systemd applies the filter."""
    server = scripted([{"path": "/a.mp3", "do": ok(mp3(seconds=5).read_bytes(), Content_Type="audio/mpeg")}])
    daemon = start("--output", "null", wrapper=["strace", "-f", "-qq", "-e", "trace=all", "-o", str(tmp_path / "trace")])
    # Ended by a client: a signal would meet the tracer.
    play_file_and_radio(daemon, server).call("shutdown")
    assert daemon.process.wait(30) == 0
    import re
    made = set(re.findall(r"^\d+ +(?:<\.\.\. )?(\w+)[( ]", (tmp_path / "trace").read_text(errors="replace"), re.M))
    made -= {"resumed"}
    # As root only SQLite gives a new file its folder's owner; where it may not it goes on.
    made -= {"fchown"}
    assert {"epoll_wait", "sendto"} <= made
    assert made - filtered_calls(CONTRIB / "systemd" / "system" / "jukeboxd.service") <= {"exit_group", "execve"}


@pytest.mark.skipif(os.getuid() != 0, reason="only root can take rights away like this")
def test_it_plays_with_nothing_to_write_no_rights_and_another_user(start, scripted, tmp_path):
    """What it cannot show: the device policy, the denial of writable code, and the address families."""
    server = scripted([{"path": "/a.mp3", "do": ok(mp3(seconds=5).read_bytes(), Content_Type="audio/mpeg")}])
    folder = tmp_path / "confined"
    folder.mkdir()
    (folder / "log").touch()
    (folder / "out").touch()
    os.chown(folder, 65534, 65534)
    for parent in folder.parents:
        if parent.stat().st_mode & 0o001 == 0:
            parent.chmod(parent.stat().st_mode | 0o011)
    confine = (f"mount --bind {folder} {folder} && mount -o remount,bind,ro / && exec setpriv --reuid=65534 --regid=65534 "
               "--clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \"$@\"")
    daemon = start("--output", "null", name="confined",
                   wrapper=["unshare", "--mount", "--propagation", "private", "sh", "-c", confine, "sh"])
    client = play_file_and_radio(daemon, server)
    status = Path(f"/proc/{daemon.process.pid}/status").read_text()
    assert "NoNewPrivs:\t1" in status and "CapBnd:\t0000000000000000" in status
    assert client.get("player.error") is None
