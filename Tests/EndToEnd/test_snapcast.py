"""Many rooms by Snapcast: its real server takes the sound by FIFO and by TCP, its real client hears it, its control
protocol shows and steers the player through contrib/snapcast."""
import array
import time
import urllib.request

import pytest
from support.daemon import BINARIES  # noqa: F401 - the daemon must be built
from support.server import free_port
from support.snapcast import Snapserver
from support.sounds import decoded, mp3

TAGS = {"title": "Fünf Räume", "artist": "The Ohms", "album": "Networks", "track": "3"}


@pytest.fixture
def snapserver(tmp_path):
    servers = []

    def begin(source, **options):
        servers.append(Snapserver(tmp_path / f"snapserver{len(servers)}", source, **options))
        return servers[-1].start()

    yield begin
    for server in servers:
        server.stop()


def until(condition, timeout=30):
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def share_heard(file, path):
    """How much of a sound is in what a client played, by pieces of 20 ms; it leaves out a frame now and then."""
    heard = file.read_bytes() if file.exists() else b""
    expected = decoded(path).tobytes()
    pieces = [expected[n:n + 3840] for n in range(38400, len(expected) - 38400, 38400)]
    return sum(piece in heard for piece in pieces) / len(pieces)


def exact(seconds):
    """What passes through FIFO and rooms unchanged."""
    return mp3(seconds=seconds, rate=48000)


@pytest.mark.parametrize("way", ["fifo", "tcp"])
def test_a_room_hears_what_is_played(start, snapserver, tmp_path, way):
    fifo, port = tmp_path / "fifo", free_port()
    server = snapserver(f"pipe://{fifo}?mode=create&" if way == "fifo" else f"tcp://127.0.0.1:{port}?")
    heard = server.hear()
    output = f"fifo:{fifo}" if way == "fifo" else f"tcp:localhost:{port}"
    client = start("--output", f"rooms={output}").client()
    client.observe("*")
    path = exact(seconds=4)
    client.call("open", url=str(path))
    client.wait_for("player.state", "playing")
    client.wait_for("outputs.rooms.error", None)
    assert client.values["outputs.rooms.kind"] == way
    server.wait(lambda s: s["status"] == "playing")
    client.wait_for("player.state", "stopped")
    until(lambda: share_heard(heard, path) > 0.5)


def test_a_server_that_goes_and_comes_holds_up_nobody(start, snapserver, tmp_path):
    fifo = tmp_path / "fifo"
    first = snapserver(f"pipe://{fifo}?mode=create&")
    client = start("--output", f"rooms=fifo:{fifo}").client()
    client.observe("*")
    client.call("open", url=str(exact(seconds=60)))
    client.wait_for("player.state", "playing")
    first.wait(lambda s: s["status"] == "playing")
    first.stop()
    client.wait(lambda v: v["outputs.rooms.error"])
    assert client.values["player.state"] == "playing"
    second = snapserver(f"pipe://{fifo}?mode=create&")
    client.wait_for("outputs.rooms.error", None)
    second.wait(lambda s: s["status"] == "playing")
    assert client.values["player.state"] == "playing"


@pytest.fixture
def steered(start, snapserver, tmp_path):
    """A daemon, its client, and a Snapcast stream that the control script joins to it."""
    fifo = tmp_path / "fifo"
    daemon = start("--output", f"rooms=fifo:{fifo}")
    server = snapserver(f"pipe://{fifo}?mode=create&", control=True,
                        environment={**daemon.clean_environment(), "JUKEBOXD_SOCKET": str(daemon.socket)})
    client = daemon.client()
    client.observe("*")
    return daemon, client, server


def test_clients_see_what_plays_and_steer_it(steered, tmp_path):
    _, client, server = steered
    cover = tmp_path / "album" / "cover.jpg"
    cover.parent.mkdir()
    cover.write_bytes(b"\xff\xd8\xff\xe0" + bytes(range(256)))
    songs = []
    for name, tags in (("a.mp3", TAGS), ("b.mp3", {"title": "Second"})):
        song = cover.parent / name
        song.write_bytes(mp3(seconds=60, rate=48000, tags=tags).read_bytes())
        songs.append(str(song))
    client.call("queue.add", items=songs, play=True)
    client.wait_for("player.state", "playing")

    shown = server.wait(lambda s: s["properties"].get("metadata", {}).get("title") == TAGS["title"]
                        and s["properties"]["metadata"].get("artUrl"))["properties"]
    metadata = shown["metadata"]
    assert (metadata["artist"], metadata["album"], metadata["trackNumber"]) == ([TAGS["artist"]], TAGS["album"], 3)
    assert 59 < metadata["duration"] < 61 and 0 <= shown["position"] < 60
    assert shown["playbackStatus"] == "playing" and shown["canControl"] and shown["canSeek"] and shown["canGoNext"]
    # By Snapserver's own web server, which the script gave the bytes to.
    place = f"http://127.0.0.1:{server.http_port}/" + metadata["artUrl"].split("/", 3)[3]
    assert urllib.request.urlopen(place, timeout=20).read() == cover.read_bytes()

    assert server.control("pause")["result"] == "ok"
    client.wait_for("player.state", "paused")
    server.wait(lambda s: s["properties"]["playbackStatus"] == "paused")
    assert server.control("setPosition", position=30)["result"] == "ok"
    server.wait(lambda s: 29.5 < s["properties"]["position"] < 30.5)
    server.control("seek", offset=-10)
    server.wait(lambda s: 19.5 < s["properties"]["position"] < 20.5)
    server.control("playPause")
    client.wait_for("player.state", "playing")
    server.control("next")
    server.wait(lambda s: s["properties"]["metadata"]["title"] == "Second" and not s["properties"]["canGoNext"])
    server.control("previous")
    server.wait(lambda s: s["properties"]["metadata"]["title"] == TAGS["title"])
    for name, value, key, there in (("volume", 30, "player.volume", 30), ("shuffle", True, "player.shuffle", True),
                                    ("loopStatus", "track", "player.repeat", "one")):
        assert server.call("Stream.SetProperty", id="Jukebox", property=name, value=value)["result"] == "ok"
        client.wait_for(key, there)
        server.wait(lambda s: s["properties"][name] == value)
    server.control("stop")
    server.wait(lambda s: s["properties"]["playbackStatus"] == "stopped")


def test_without_a_daemon_nothing_can_be_controlled_until_it_is_back(steered):
    daemon, client, server = steered
    server.wait(lambda s: s["properties"].get("canControl"))
    daemon.stop()
    server.wait(lambda s: not s["properties"]["canControl"])
    assert "error" in server.control("play")
    daemon.start()
    server.wait(lambda s: s["properties"]["canControl"])
