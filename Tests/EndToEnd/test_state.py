"""What survives a restart, a crash, a full disk and a damaged database."""
import os
import random
import signal
import sqlite3
import stat
import subprocess
from pathlib import Path

import pytest
from support.client import RPCError
from support.sounds import mp3

KEPT = ["queue.length", "queue.index", "player.volume", "player.muted", "player.repeat", "player.shuffle", "player.consume",
        "item.entry", "item.title"]


def entries(client):
    found = []
    while True:
        page = client.call("queue.list", offset=len(found), limit=5000)
        found += page["entries"]
        if len(found) >= page["total"] or not page["entries"]:
            return found


def snapshot(client):
    return entries(client), client.get(*KEPT)


def configured(tmp_path, text):
    path = tmp_path / "some.conf"
    path.write_text(text)
    return ["--config", path]


@pytest.fixture
def again(start):
    """Starts a daemon in the folder of the one before."""
    def begin(*arguments):
        return start("--output", "null", *arguments, name="same")
    return begin


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_everything_is_as_it_was(again, number):
    daemon = again()
    client = daemon.client()
    songs = [str(mp3(seconds=30, frequency=f)) for f in (440, 550, 660)]
    client.call("queue.add", items=[*songs, {"url": "http://h.example/a", "title": "Mine", "headers": {"X-Token": "geheim"}}])
    client.call("queue.move", ids=[4], to=0)
    client.call("queue.remove", ids=[2])
    client.call("set", values={"player.volume": 37.5, "player.muted": True, "player.repeat": "all", "player.shuffle": True})
    client.call("play", id=3)
    client.observe("player", "item")
    client.wait_for("player.state", "playing")
    client.call("seek", to=12)
    client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] >= 11)
    client.call("pause")
    before, position = snapshot(client), client.get("player.position")["seconds"]
    daemon.stop(number)
    client = again().client()
    assert snapshot(client) == before
    assert client.get("player.state") == "paused"
    assert abs(client.get("player.position")["seconds"] - position) < 1
    assert client.call("queue.add", items=["/new.mp3"])["ids"] == [5]
    client.observe("player")
    client.call("play")
    client.wait_for("player.state", "playing")
    assert 11 < client.values["player.position"]["seconds"] < 14


@pytest.mark.parametrize("resume,expected", [("playing", "playing"), ("paused", "paused"), ("stopped", "stopped")])
def test_whether_it_played_is_kept_by_configuration(again, tmp_path, resume, expected):
    arguments = configured(tmp_path, f"[player]\nresume = {resume}\n")
    daemon = again(*arguments)
    client = daemon.client()
    client.call("open", url=str(mp3(seconds=30)))
    client.observe("player")
    client.wait_for("player.state", "playing")
    client.call("seek", to=10)
    client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] >= 9.9)
    daemon.stop(signal.SIGKILL)
    client = again(*arguments).client()
    client.observe("player")
    client.wait_for("player.state", expected)
    position = client.values["player.position"]["seconds"]
    assert position == 0 if expected == "stopped" else 9.5 < position < 15


@pytest.mark.parametrize("text,before,after", [
    ("start_volume = 20\n", 90, 20), ("max_volume = 50\n", 100, 50), ("start_volume = 80\nmax_volume = 30\n", 100, 30), ("", 90, 90)])
def test_the_volume_at_the_start_is_safe(again, tmp_path, text, before, after):
    daemon = again()
    daemon.client().call("set", values={"player.volume": before})
    daemon.stop()
    client = again(*configured(tmp_path, "[player]\n" + text)).client()
    assert client.get("player.volume") == after
    if "max" in text:
        with pytest.raises(RPCError):
            client.call("set", values={"player.volume": 99})
        client.call("adjust", key="player.volume", by=90)
        assert client.get("player.volume") == (50 if "50" in text else 30)


def test_what_was_stopped_stays_stopped_where_it_was(again, tmp_path):
    arguments = configured(tmp_path, "[player]\nresume = playing\n")
    daemon = again(*arguments)
    client = daemon.client()
    client.call("queue.add", items=[str(mp3(seconds=9)), "/b.mp3"])
    client.call("seek", to=4)
    daemon.stop()
    client = again(*arguments).client()
    assert client.get("player.state") == "stopped" and client.get("player.position")["seconds"] == 4


def test_ids_never_come_back(again):
    daemon = again()
    client = daemon.client()
    assert client.call("queue.add", items=["/a", "/b", "/c"])["ids"] == [1, 2, 3]
    client.call("queue.clear")
    daemon.stop(signal.SIGKILL)
    assert again().client().call("queue.add", items=["/d"])["ids"] == [4]


def test_secrets_lie_in_files_of_the_owner_only(again):
    daemon = again()
    daemon.client().call("queue.add", items=[{"url": "http://h.example/a", "headers": {"X-Token": "geheim"}}])
    state = daemon.folder / "state"
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    for path in state.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert any(b"geheim" in path.read_bytes() for path in state.glob("state.db*"))
    assert "geheim" not in daemon.log()


@pytest.mark.parametrize("kind", ["damaged", "future", "truncated"])
def test_a_database_that_cannot_be_used_is_set_aside(again, kind):
    daemon = again()
    daemon.client().call("queue.add", items=[f"/{n}.mp3" for n in range(500)])
    daemon.stop()
    path = daemon.folder / "state" / "state.db"
    if kind == "future":
        with sqlite3.connect(path) as database:
            database.execute("PRAGMA user_version = 1000")
        database.close()
    elif kind == "damaged":
        path.write_bytes(b"\xa5" * path.stat().st_size)
    else:
        path.write_bytes(path.read_bytes()[:9000])
    daemon = again()
    client = daemon.client()
    suffix = "future" if kind == "future" else "damaged"
    assert client.get("queue.length") == 0 and client.get("server.storageError") is None
    assert list(path.parent.glob(f"state.db.{suffix}-*")) and "set aside" in daemon.log()
    client.call("queue.add", items=["/a"])
    daemon.stop()
    assert again().client().get("queue.length") == 1


def test_a_state_folder_that_cannot_be_written_is_told(start, tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("no folder")
    daemon = start("--output", "null", "--state-dir", blocker / "state")
    client = daemon.client()
    assert "cannot be saved" in client.get("server.storageError")
    assert client.call("queue.add", items=[str(mp3(seconds=30))])["ids"] == [1]
    client.observe("player")
    client.call("play")
    client.wait_for("player.state", "playing")
    assert daemon.log().count("cannot be saved") == 1


def can_mount():
    return subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


@pytest.mark.skipif(not can_mount(), reason="needs a mount namespace")
def test_a_full_disk_is_told_and_the_daemon_goes_on(start, tmp_path):
    state = tmp_path / "small"
    state.mkdir()
    script = f"mount -t tmpfs -o size=256k tmpfs {state} && exec \"$@\""
    daemon = start("--output", "null", "--state-dir", state, wrapper=["unshare", "-m", "sh", "-c", script, "sh"])
    client = daemon.client()
    client.observe("server", "queue")
    for part in range(20):
        client.call("queue.add", items=[f"/{'x' * 200}{part}-{n}.mp3" for n in range(100)])
    client.wait(lambda v: v["server.storageError"] is not None)
    assert client.get("queue.length") == 2000
    assert len(entries(client)) == 2000


def test_a_second_daemon_leaves_the_state_alone(again, start):
    daemon = again()
    daemon.client().call("queue.add", items=["/a"])
    other = start("--output", "null", "--state-dir", daemon.folder / "state")
    assert other.client().get("queue.length") == 0
    assert "locked" in other.client().get("server.storageError")
    other.client().call("queue.add", items=["/b", "/c"])
    other.stop()
    daemon.stop(signal.SIGKILL)
    assert [e["url"] for e in entries(again().client())] == ["/a"]


def test_many_rounds_of_start_and_kill_lose_nothing(again, soak):
    """Each reply is a promise: what it answered is there after a kill at any later moment."""
    seed = random.SystemRandom().randrange(1 << 30) if soak else 5
    print(f"seed {seed}")
    choose = random.Random(seed)
    known, values = [], {}
    for _ in range(1000 if soak else 12):
        daemon = again()
        client = daemon.client(contract=False)
        assert [(e["id"], e["url"]) for e in entries(client)] == known
        for key, value in values.items():
            assert client.get(key) == value
        for _ in range(choose.randrange(12)):
            ids = [i for i, _ in known]
            kind = choose.randrange(6)
            if kind < 3:
                new = [f"/{choose.randrange(1 << 40)}.mp3" for _ in range(choose.randrange(1, 40))]
                at = choose.randrange(len(known) + 1)
                got = client.call("queue.add", items=new, at=at)["ids"]
                assert not set(got) & set(ids)
                known[at:at] = zip(got, new)
            elif kind == 3 and ids:
                gone = choose.sample(ids, min(len(ids), choose.randrange(1, 9)))
                client.call("queue.remove", ids=gone)
                known = [k for k in known if k[0] not in gone]
            elif kind == 4 and ids:
                moved, to = choose.choice(known), choose.randrange(len(known))
                client.call("queue.move", ids=[moved[0]], to=to)
                known.remove(moved)
                known.insert(to, moved)
            else:
                values = {"player.volume": choose.randrange(101), "player.repeat": choose.choice(["off", "all", "one"])}
                client.call("set", values=values)
        if len(known) > 400:
            client.call("queue.clear")
            known = []
        daemon.stop(signal.SIGKILL)


def test_a_hundred_thousand_entries(again):
    daemon = again()
    client = daemon.client(contract=False)
    for part in range(20):
        client.call("queue.add", items=[f"/srv/music/some artist/some album/{part:02}/{n:05} a title.mp3" for n in range(5000)])
    assert client.get("queue.length") == 100_000
    with pytest.raises(RPCError) as refused:
        client.call("queue.add", items=["/one too many.mp3"])
    assert refused.value.name == "limit"
    assert daemon.memory() < 90 << 20
    client.call("queue.move", ids=[100_000], to=0)
    client.call("queue.shuffle")
    before = [e["id"] for e in entries(client)]
    daemon.stop(signal.SIGKILL)
    client = again().client(contract=False)
    assert [e["id"] for e in entries(client)] == before
