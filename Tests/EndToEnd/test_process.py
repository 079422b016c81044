"""The daemon as a process: start, end, socket, locks, configuration, the service manager."""
import os
import signal
import socket
import stat
import subprocess
import time
from pathlib import Path

import pytest
from support.client import Client
from support.daemon import BINARIES
from support.scripted import ok
from support.sounds import mp3

DAEMON = str(BINARIES / "jukeboxd")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_in_order(daemon, number):
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(mp3(seconds=20)))
    client.wait_for("player.state", "playing")
    assert daemon.stop(number) == 0
    assert not daemon.socket.exists()


def test_shutdown_by_a_client(daemon):
    daemon.client().call("shutdown")
    assert daemon.process.wait(20) == 0


def test_a_second_daemon_says_so_and_leaves_the_first_alone(daemon, start):
    second = subprocess.run(daemon.command(), env=daemon.clean_environment(), capture_output=True, text=True, timeout=20)
    assert second.returncode == 1 and str(daemon.socket) in second.stderr
    assert daemon.client().call("ping") is not None


def test_a_stale_socket_is_replaced_after_kill_9(start):
    daemon = start("--output", "null")
    daemon.process.kill()
    daemon.process.wait()
    assert daemon.socket.exists()
    daemon.start()
    assert daemon.client().call("ping") is not None


def test_what_only_the_network_needs_is_loaded_by_the_first_url(daemon, scripted):
    maps = Path(f"/proc/{daemon.process.pid}/maps")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(mp3(seconds=20)))
    client.wait_for("player.state", "playing")
    assert "libcurl" not in maps.read_text()
    url = scripted([{"path": "/a.mp3", "do": ok(mp3(seconds=20).read_bytes())}]).url("/a.mp3")
    client.call("open", url=url)
    client.wait(lambda v: v["item.url"] == url and v["player.state"] == "playing", what="the URL plays")
    assert "libcurl" in maps.read_text()


@pytest.mark.parametrize("mask", [0, 0o777])
def test_the_socket_is_for_its_owner_whatever_the_umask(start, tmp_path, mask):
    before = os.umask(mask)
    try:
        folder = tmp_path / "masked"
        os.umask(0o022)
        folder.mkdir()
        from support.daemon import Daemon
        daemon = Daemon(folder, "--output", "null")
        (folder / "log").touch()
        (folder / "out").touch()
        os.umask(mask)
        daemon.start(wait=False)
    finally:
        os.umask(before)
    try:
        daemon.wait_until_ready()
        assert stat.S_IMODE(os.stat(daemon.socket).st_mode) == 0o600
    finally:
        daemon.stop()


def run(*arguments, **environment):
    return subprocess.run([DAEMON, *map(str, arguments)], capture_output=True, text=True, timeout=20,
                          env={"PATH": os.environ["PATH"], **environment})


def test_version_and_help():
    assert run("--version").stdout.startswith("jukeboxd ")
    assert "--output" in run("--help").stdout


@pytest.mark.parametrize("text,line,words", [
    ("[player]\nstart_volume = 200\n", 2, ["start_volume", "0 to 100"]),
    ("[player]\nstart_volum = 20\n", 2, ["start_volum", "unknown key"]),
    ("[plaeyr]\n\nstart_volume = 20\n", 3, ["plaeyr", "unknown section"]),
    ("[log]\nlevel = loud\n", 2, ["level", "loud", "debug"]),
    ("[outputs]\nroom = oboe\n", 2, ["room", "oboe"]),
    ("hello\n", 1, ["key = value"]),
])
def test_a_bad_configuration_is_told_with_its_place(tmp_path, text, line, words):
    path = tmp_path / "jukeboxd.conf"
    path.write_text(text)
    result = run("--check", "--config", path)
    assert result.returncode == 1
    assert f"{path}:{line}" in result.stderr
    for word in words:
        assert word in result.stderr


def test_check_accepts_the_shipped_configuration():
    from support.daemon import REPOSITORY
    result = run("--check", "--config", REPOSITORY / "etc" / "jukeboxd.conf")
    assert result.returncode == 0, result.stderr


def test_bad_options_are_named(tmp_path):
    for arguments in (["--sokcet", "x"], ["--output"], ["--output", "oboe"], ["--log-level", "loud"]):
        result = run(*arguments)
        assert result.returncode == 2 and arguments[0] in result.stderr


def test_the_service_manager_is_told(start, tmp_path):
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(path)
        notify.settimeout(20)
        daemon = start("--output", "null", environment={"NOTIFY_SOCKET": path})
        assert b"READY=1" in notify.recv(1000)
        daemon.process.send_signal(signal.SIGTERM)
        assert b"STOPPING=1" in notify.recv(1000)


def test_a_socket_from_systemd_is_used_and_left_alone(tmp_path):
    path = tmp_path / "activated.sock"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(10)
    os.set_inheritable(listener.fileno(), True)
    script = f'exec 3<&{listener.fileno()}; export LISTEN_FDS=1 LISTEN_PID=$$; exec "$@"'
    process = subprocess.Popen(
        ["bash", "-c", script, "bash", DAEMON, "--output", "null", "--state-dir", str(tmp_path / "s")],
        pass_fds=[listener.fileno()], env={"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(tmp_path)})
    try:
        assert Client(path).call("ping") is not None
    finally:
        process.terminate()
        assert process.wait(20) == 0
    assert path.exists()
    listener.close()


def test_hang_up_reloads(daemon):
    daemon.process.send_signal(signal.SIGHUP)
    assert daemon.client().call("ping") is not None
    assert daemon.is_alive()
