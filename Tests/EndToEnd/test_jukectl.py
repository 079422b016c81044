"""jukectl as a person and a script use it: what it prints, and what it ends with."""
import json
import os
import signal
import subprocess

import pytest
from support.daemon import BINARIES, jukectl
from support.sounds import mp3

DONE, REFUSED, USAGE, NO_DAEMON, TIMED_OUT = range(5)


def lines_of(process, count):
    return [process.stdout.readline().rstrip("\n") for _ in range(count)]


def begin(daemon, *arguments):
    environment = {**daemon.clean_environment(), "JUKEBOXD_SOCKET": str(daemon.socket)}
    return subprocess.Popen([str(BINARIES / "jukectl"), *arguments], env=environment, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_open_waits_until_it_plays(daemon):
    path = mp3(seconds=20, tags={"title": "Sine", "artist": "The Ohms"})
    result = jukectl(daemon, "open", path)
    assert (result.returncode, result.stdout) == (DONE, "Playing The Ohms – Sine\n")
    status = jukectl(daemon, "status").stdout
    assert status.startswith("playing\n") and "title:    Sine\n" in status and "/ 0:20\n" in status
    assert "\x1b" not in status
    values = json.loads(jukectl(daemon, "status", "--json").stdout)
    assert values["player.state"] == "playing" and values["item.title"] == "Sine"


def test_a_path_is_taken_from_the_folder_of_the_caller(daemon):
    path = mp3(seconds=20)
    result = jukectl(daemon, "open", path.name, cwd=path.parent)
    assert result.returncode == DONE
    assert daemon.client().get("item.url") == str(path)


def test_open_of_what_fails_says_why(daemon, tmp_path):
    result = jukectl(daemon, "open", tmp_path / "missing.mp3")
    assert result.returncode == REFUSED and "missing.mp3" in result.stderr
    again = jukectl(daemon, "--json", "open", tmp_path / "missing.mp3")
    assert again.returncode == REFUSED
    assert json.loads(again.stderr)["error"]["code"] == "file_not_found"
    assert jukectl(daemon, "open", "--no-wait", tmp_path / "missing.mp3").returncode == DONE


def test_transport(daemon):
    jukectl(daemon, "open", mp3(seconds=30))
    for command, state in [("pause", "paused"), ("play", "playing"), ("toggle", "paused"), ("toggle", "playing"),
                           ("stop", "stopped")]:
        result = jukectl(daemon, command)
        assert (result.returncode, result.stdout, result.stderr) == (DONE, "", "")
        assert jukectl(daemon, "wait", f"player.state={state}", "--timeout", 20).returncode == DONE


def test_seek_and_volume(daemon):
    client = daemon.client()
    jukectl(daemon, "open", mp3(seconds=90))
    jukectl(daemon, "pause")
    assert jukectl(daemon, "seek", "1:00").returncode == DONE
    assert jukectl(daemon, "seek", "-10").returncode == DONE
    client.observe("player")
    client.wait(lambda v: v["player.state"] == "paused" and abs(v["player.position"]["seconds"] - 50) < 0.5)
    for words, value in [(["40"], 40), (["+5"], 45), (["-50"], 0), ([], 0)]:
        result = jukectl(daemon, "volume", *words)
        assert (result.returncode, result.stdout) == (DONE, f"volume {value}\n")
    assert jukectl(daemon, "mute").stdout == "muted\n"
    assert jukectl(daemon, "mute", "off").stdout == "not muted\n"


def test_modes(daemon):
    client = daemon.client()
    assert jukectl(daemon, "repeat").stdout == "repeat off\n"
    assert jukectl(daemon, "repeat", "one").stdout == "repeat one\n"
    assert jukectl(daemon, "shuffle").stdout == "shuffle on\n"
    assert jukectl(daemon, "shuffle", "off").stdout == "shuffle off\n"
    assert jukectl(daemon, "--json", "consume", "on").stdout == "true\n"
    assert client.get("player.repeat") == "one" and client.get("player.consume") is True
    assert jukectl(daemon, "repeat", "two").returncode == 2
    ids = json.loads(jukectl(daemon, "--json", "add", *[f"/{n}.mp3" for n in range(50)]).stdout)["ids"]
    assert jukectl(daemon, "shuffle", "queue").returncode == DONE
    shuffled = [e["id"] for e in client.call("queue.list")["entries"]]
    assert shuffled != ids and sorted(shuffled) == ids and shuffled[0] == ids[0]


def test_queue_as_a_table(daemon):
    first, second, third = (mp3(seconds=20, frequency=f) for f in (440, 550, 660))
    assert jukectl(daemon, "queue").stdout.startswith("The queue is empty")
    ids = json.loads(jukectl(daemon, "--json", "add", first, second).stdout)["ids"]
    ids += json.loads(jukectl(daemon, "--json", "add", "--at", 1, third).stdout)["ids"]
    table = jukectl(daemon, "queue").stdout.splitlines()
    assert len(table) == 3 and all(p.name in line for p, line in zip((third, first, second), table))
    assert jukectl(daemon, "move", ids[2], 3).returncode == DONE
    assert [e["id"] for e in json.loads(jukectl(daemon, "queue", "--json").stdout)["entries"]] == ids
    assert jukectl(daemon, "play", ids[1]).returncode == DONE
    assert daemon.client().get("item.entry") == ids[1]
    assert jukectl(daemon, "remove", ids[0], ids[2]).returncode == DONE
    assert jukectl(daemon, "remove", ids[0]).returncode == REFUSED
    assert jukectl(daemon, "clear").returncode == DONE
    assert daemon.client().get("queue.length") == 0


def test_watch_prints_what_is_and_then_what_changes(daemon):
    watch = begin(daemon, "watch", "player.volume", "player.muted")
    assert lines_of(watch, 2) == ["player.muted false", "player.volume 100"]
    jukectl(daemon, "volume", 30)
    assert lines_of(watch, 1) == ["player.volume 30"]
    watch.send_signal(signal.SIGINT)
    assert watch.wait(20) == DONE
    watch = begin(daemon, "--json", "watch", "player.muted")
    assert json.loads(lines_of(watch, 1)[0]) == {"key": "player.muted", "value": False}
    daemon.stop()
    assert watch.wait(20) == NO_DAEMON


def test_wait_returns_at_once_or_when_it_comes_or_times_out(daemon):
    assert jukectl(daemon, "wait", "player.state=stopped").returncode == DONE
    assert jukectl(daemon, "wait", "player.volume=7", "--timeout", "0.05").returncode == TIMED_OUT
    waiting = begin(daemon, "wait", "player.volume=7")
    jukectl(daemon, "volume", 7)
    assert waiting.wait(20) == DONE


def test_any_method_can_be_called(daemon):
    result = jukectl(daemon, "call", "get", '{"keys": ["player.state"]}')
    assert json.loads(result.stdout)["values"] == {"player.state": "stopped"}
    assert jukectl(daemon, "call", "nosuch").returncode == REFUSED
    assert jukectl(daemon, "call", "get", "{").returncode == USAGE
    assert jukectl(daemon, "remote", "XF86AudioRaiseVolume").returncode == DONE
    assert jukectl(daemon, "ping").returncode == DONE
    assert "jukeboxd 0." in jukectl(daemon, "version").stdout
    assert jukectl(daemon, "reload").returncode == DONE
    assert jukectl(daemon, "shutdown").returncode == DONE
    assert daemon.process.wait(20) == 0


def test_no_daemon_names_the_remedy(tmp_path):
    for extra in ([], ["--json"]):
        result = subprocess.run([str(BINARIES / "jukectl"), *extra, "pause"], text=True, capture_output=True, timeout=20,
                                env={"PATH": os.environ["PATH"], "JUKEBOXD_SOCKET": str(tmp_path / "none.sock")})
        assert result.returncode == NO_DAEMON
        assert "none.sock" in result.stderr and "jukeboxd" in result.stderr


@pytest.mark.parametrize("words", [["opne"], ["seek", "soon"], ["volume", "loud"], ["add"], ["play", "x"], ["wait", "x"],
                                   ["pause", "--loud"], ["mute", "maybe"], ["wait", "a=b", "--timeout", "soon"]])
def test_wrong_usage_is_told_without_a_daemon(words):
    result = subprocess.run([str(BINARIES / "jukectl"), *words], text=True, capture_output=True, timeout=20,
                            env={"PATH": os.environ["PATH"], "JUKEBOXD_SOCKET": "/nowhere/none.sock"})
    assert result.returncode == USAGE and result.stderr.startswith("jukectl: ")


def test_help_and_version_need_no_daemon():
    for words in (["help"], ["--help"], ["help", "seek"], ["seek", "--help"], ["--version"], []):
        result = subprocess.run([str(BINARIES / "jukectl"), *words], text=True, capture_output=True, timeout=20)
        assert result.returncode == DONE and "jukectl" in result.stdout
