"""Saved queues, and the history of what was heard."""
import json
import subprocess

import pytest
from support.client import RPCError
from support.daemon import jukectl
from support.sounds import mp3


def shown(client):
    return [(e["url"], e["title"], e["artist"], e["album"], e["duration"]) for e in client.call("queue.list")["entries"]]


def test_a_queue_that_was_saved_comes_back(daemon):
    client = daemon.client()
    tagged = mp3(seconds=8, tags={"title": "Ein, Lied", "artist": "Ä & B", "album": "L'Album"})
    client.call("queue.add", items=[str(tagged), {"url": "http://r.example/live", "title": "Radio, Eins"},
                                    {"url": "https://p.example/a?b=1&c=2", "headers": {"X-Token": "geheim"}}])
    client.observe("player", "item")
    client.call("play")
    client.wait(lambda v: v["item.title"] == "Ein, Lied" and v["player.state"] == "playing")
    client.call("stop")
    before = shown(client)
    assert client.call("queue.save", name="Abend ♫ 1")["withoutHeaders"] == 1
    path = daemon.folder / "state" / "playlists" / "Abend ♫ 1.m3u8"
    assert "geheim" not in path.read_text() and path.read_text().startswith("#EXTM3U\n")
    client.call("queue.clear")
    assert client.call("queue.load", name="Abend ♫ 1")["withoutHeaders"] == 1
    assert shown(client) == before
    assert client.get("player.state") == "stopped" and client.get("queue.index") == 0
    assert client.call("queue.saved")["names"] == ["Abend ♫ 1"]


def test_another_player_reads_what_was_saved(daemon):
    client = daemon.client()
    songs = [str(mp3(seconds=1, frequency=f)) for f in (440, 550)]
    client.call("queue.add", items=songs)
    client.call("queue.save", name="two")
    path = daemon.folder / "state" / "playlists" / "two.m3u8"
    played = subprocess.run(["mpg123", "-t", "-@", str(path)], capture_output=True, text=True, timeout=60)
    assert all(song.rsplit("/")[-1] in played.stderr for song in songs), played.stderr


def test_what_others_wrote_is_loaded(daemon):
    client = daemon.client()
    # Answered once the state folder is there.
    client.call("ping")
    folder = daemon.folder / "state" / "playlists"
    folder.mkdir()
    (folder / "mine.xspf").write_text(
        '<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>http://a.example/1</location>'
        "<title>One</title><creator>Some</creator></track></trackList></playlist>")
    client.call("queue.load", name="mine")
    assert shown(client) == [("http://a.example/1", "One", "Some", None, None)]


@pytest.mark.parametrize("name", ["", "a/b", ".hidden", "..", "x" * 65, "a\x00b", "line\nbreak"])
def test_a_name_that_is_none_is_refused(daemon, name):
    client = daemon.client()
    for method in ("queue.save", "queue.load"):
        with pytest.raises(RPCError) as refused:
            client.call(method, name=name)
        assert refused.value.code == -32602


def test_what_was_never_saved_is_not_found(daemon):
    with pytest.raises(RPCError) as refused:
        daemon.client().call("queue.load", name="nothing")
    assert refused.value.name == "not_found"


def test_an_empty_queue_can_be_saved(daemon):
    client = daemon.client()
    client.call("queue.save", name="empty")
    client.call("queue.add", items=["/a.mp3"])
    client.call("queue.load", name="empty")
    assert client.get("queue.length") == 0


def test_jukectl_saves_and_loads(daemon):
    song = mp3(seconds=20)
    jukectl(daemon, "add", song)
    assert jukectl(daemon, "save", "mine").returncode == 0
    assert jukectl(daemon, "load").stdout == "mine\n"
    jukectl(daemon, "clear")
    assert jukectl(daemon, "load", "--play", "mine").returncode == 0
    assert song.name in jukectl(daemon, "queue").stdout
    assert jukectl(daemon, "load", "other").returncode == 1
    assert "mine" in jukectl(daemon, "__complete", "load", "").stdout


# -- history

def test_what_was_heard_is_noted_and_survives(start):
    daemon = start("--output", "null", name="same")
    client = daemon.client()
    client.observe("player", "item")
    client.call("queue.add", items=[str(mp3(seconds=1, tags={"title": "First", "artist": "A"})),
                                    str(mp3(seconds=30, tags={"title": "Second", "artist": "B"}))])
    with pytest.raises(RPCError) as refused:
        client.call("history.mark")
    assert refused.value.name == "invalid_state"
    client.call("play")
    client.wait(lambda v: v["item.title"] == "Second" and v["player.state"] == "playing")
    client.call("pause")
    client.call("play")
    client.wait_for("player.state", "playing")
    client.call("history.mark")
    result = client.call("history.list")
    assert [(i["title"], i["artist"], i["marked"]) for i in result["items"]] == [("Second", "B", True), ("First", "A", False)]
    assert result["total"] == 2 and result["items"][0]["at"] >= result["items"][1]["at"]
    daemon.stop(9)
    client = start("--output", "null", name="same").client()
    assert client.call("history.list") == result
    assert client.call("history.list", marked=True)["total"] == 1
    client.call("history.mark", id=result["items"][0]["id"], marked=False)
    assert client.call("history.list", marked=True)["items"] == []
    with pytest.raises(RPCError) as refused:
        client.call("history.mark", id=99)
    assert refused.value.name == "not_found"


def test_each_title_of_a_station_is_noted_once(daemon, scripted):
    data = mp3(seconds=30).read_bytes()
    titles = {1: "A - One", 3: "", 4: "A - One", 5: "B - Two"}
    body = b""
    for index in range(len(data) // 8000):
        block = f"StreamTitle='{titles[index]}';".encode() if index in titles else b""
        block += b"\0" * (-len(block) % 16)
        body += data[index * 8000:(index + 1) * 8000] + bytes([len(block) // 16]) + block
    server = scripted([{"path": "/live", "do": [
        ("head", "ICY 200 OK", {"icy-metaint": "8000", "icy-name": "Some", "content-type": "audio/mpeg"}),
        ("body", body, {"rate": 32000, "burst": 65536})]}])
    client = daemon.client()
    client.observe("player", "item")
    client.call("open", url=server.url("/live"))
    client.wait(lambda v: v["item.title"] == "Two")
    jukectl(daemon, "mark")
    rows = client.call("history.list")["items"]
    assert [(r["artist"], r["title"], r["live"], r["marked"]) for r in rows] == [("B", "Two", True, True), ("A", "One", True, False)]
    lines = jukectl(daemon, "history").stdout.splitlines()
    assert len(lines) == 2 and "A – One" in lines[0] and lines[1].startswith("★") and "B – Two" in lines[1]
    assert json.loads(jukectl(daemon, "history", "--json", "--marked").stdout)["total"] == 1
    assert jukectl(daemon, "mark", "--remove", rows[0]["id"]).returncode == 0
    assert jukectl(daemon, "history", "--marked").stdout == "Nothing was heard yet.\n"


@pytest.mark.parametrize("kind", ["song", "station"])
def test_what_goes_on_after_a_restart_was_heard_once(start, scripted, kind):
    data = mp3(seconds=60).read_bytes()
    head = {"icy-name": "Radio", "Content-Type": "audio/mpeg"}
    if kind == "song":
        head = {"Content-Length": "{size}", "Accept-Ranges": "bytes", "Content-Type": "audio/mpeg"}
    server = scripted([{"path": "/a.mp3", "do": [("head", "HTTP/1.0 200 OK", head), ("body", data), ("hold", 60)]}])
    daemon = start("--output", "null")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=server.url("/a.mp3"))
    client.wait_for("player.state", "playing")
    if kind == "song":
        client.call("seek", to=20)
        client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] >= 20)
    daemon.stop()
    daemon.start()
    client = daemon.client()
    client.observe("*")
    client.call("play")
    client.wait_for("player.state", "playing")
    client.call("ping")
    assert client.call("history.list")["total"] == 1
