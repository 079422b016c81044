"""What is not MPEG audio: each format over each way that bytes come, against what ffmpeg decodes."""
import json
import os
import signal
import time

import pytest

from support import formats
from support.client import RPCError
from support.daemon import jukectl
from support.sounds import ffmpeg, largest_difference, mp3, samples

# One rate and number of channels, so that one recording holds them all.
NAMES = sorted(name for name, told in formats.told().items() if (told["rate"], told["channels"]) == (44100, 2))


def served(name, manner):
    """A route that gives a file in that manner."""
    data = (formats.folder() / name).read_bytes()
    path = f"/{manner}/{name}"
    whole = {"Content-Length": "{size}"}
    if manner == "ranges":
        ranged = ("head", "HTTP/1.1 206 Partial Content",
                  {"Content-Range": "bytes {start}-{end}/{size}", "Content-Length": "{length}", "Accept-Ranges": "bytes"})
        return [{"path": path, "when": {"range": True}, "do": [ranged, ("body", data, {"range": True})]},
                {"path": path, "do": [("head", "HTTP/1.1 200 OK", {**whole, "Accept-Ranges": "bytes"}), ("body", data, {})]}]
    head = {"no-ranges": whole, "chunked": {"Transfer-Encoding": "chunked"}, "unknown-length": {"Connection": "close"}}[manner]
    options = {"chunks": [len(data) // 3 + 1] * 3} if manner == "chunked" else {}
    return [{"path": path, "do": [("head", "HTTP/1.1 200 OK", head), ("body", data, options), ("finish",)]}]


def urls(manner, scripted):
    if manner == "local":
        return [str(formats.folder() / name) for name in NAMES]
    server = scripted([route for name in NAMES for route in served(name, manner)])
    return [server.url(f"/{manner}/{name}") for name in NAMES]


@pytest.mark.parametrize("manner", ["local", "ranges", "no-ranges", "chunked", "unknown-length"])
def test_every_format_is_heard_as_ffmpeg_decodes_it(start, scripted, tmp_path, manner):
    out = tmp_path / "out.wav"
    daemon = start("--output", f"wav-untimed:{out}")
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=urls(manner, scripted), play=True)
    client.wait_for("player.state", "stopped", timeout=60)
    assert client.values["player.error"] is None
    daemon.stop()
    heard = samples(out)
    first = 0
    for name in NAMES:
        expected = formats.reference(name)
        part = heard[first:first + len(expected)]
        assert len(part) == len(expected), name
        assert largest_difference(part, expected) <= 1, name
        first += len(expected)
    assert first == len(heard)


def test_state_tells_the_item(daemon):
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(formats.folder() / "flac-24-192k.flac"))
    values = client.wait(lambda v: v["item.sampleRate"] is not None)
    assert values["item.sampleRate"] == 192000 and values["item.channels"] == 2
    assert values["item.codec"] == "FLAC" and abs(values["item.duration"] - 1.5) < 1e-6
    assert values["item.title"] == "Tïtle" and values["item.album"] == "An Album"


# -- the process that decodes

def decoders(daemon):
    """The processes that decode for a daemon, by their pids."""
    children = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
                name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        if name == "jukebox-decoder" and int(rest.split()[1]) == daemon.process.pid and rest.split()[0] != "Z":
            children.append(int(pid))
    return children


def none_is_left(daemon):
    end = time.monotonic() + 20
    while decoders(daemon):
        assert time.monotonic() < end, "a decoder is left"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def long_flac(tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "long.flac"
    ffmpeg("-f", "lavfi", "-i", "sine=440:duration=60", "-c:a", "flac", path)
    return path


def test_a_decoder_that_dies_fails_its_item_and_the_next_plays(daemon, long_flac):
    client = daemon.client()
    client.observe("*")
    assert decoders(daemon) == []
    client.call("queue.add", items=[str(long_flac), str(mp3(seconds=20))], play=True)
    client.wait_for("player.state", "playing")
    # It decodes a second ahead; the next item may have begun to be prepared by nobody.
    for pid in decoders(daemon):
        os.kill(pid, signal.SIGKILL)
    client.wait(lambda v: v["queue.index"] == 1 and v["player.state"] == "playing")
    told = [c["changes"]["player.error"]["new"] for c in client.changes if "player.error" in c["changes"]]
    error = [one for one in told if one][-1]
    assert error["code"] == "corrupt" and "broke down" in error["message"]
    client.call("stop")
    none_is_left(daemon)


def test_a_station_goes_on_whose_decoder_dies(daemon, station, tmp_path):
    aac = tmp_path / "x.aac"
    ffmpeg("-f", "lavfi", "-i", "sine=440:duration=40", "-c:a", "aac", "-b:a", "128k", aac)
    radio = station(burst=40000, data=aac.read_bytes(), interval=8000, titles={8000: "A - B"})
    client = daemon.client()
    client.observe("*")
    client.call("open", url=radio.url)
    client.wait_for("player.state", "playing")
    client.wait_for("item.title", "B")
    first = decoders(daemon)
    assert len(first) == 1
    os.kill(first[0], signal.SIGKILL)
    end = time.monotonic() + 30
    while not decoders(daemon) or decoders(daemon) == first:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert client.get("player.state") in ("playing", "buffering")
    client.wait_for("player.state", "playing")
    assert client.values["player.error"] is None
    client.call("stop")
    none_is_left(daemon)


def test_nothing_is_left_of_a_daemon_that_is_killed(start, long_flac):
    daemon = start("--output", "null")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(long_flac))
    client.wait_for("player.state", "playing")
    pids = decoders(daemon)
    assert len(pids) == 1
    # Even one that would not notice that its socket is closed.
    os.kill(pids[0], signal.SIGSTOP)
    os.kill(daemon.process.pid, signal.SIGKILL)
    daemon.process.wait()
    end = time.monotonic() + 20
    while os.path.exists(f"/proc/{pids[0]}") and "jukebox-decoder" in open(f"/proc/{pids[0]}/stat").read():
        if open(f"/proc/{pids[0]}/stat").read().split(")")[1].split()[0] == "Z":
            break
        assert time.monotonic() < end
        time.sleep(0.05)


# -- what an item is

def test_probe_tells_what_an_item_is(daemon):
    client = daemon.client()
    told = client.call("probe", url=str(formats.folder() / "alac-24.m4a"))
    assert (told["container"], told["codec"], told["sampleRate"], told["channels"]) == ("MP4", "ALAC", 96000, 2)
    assert told["bitsPerSample"] == 24 and told["gapless"] and told["seekable"] and not told["estimated"]
    assert abs(told["duration"] - 1.5) < 1e-9
    assert {"name": "title", "value": "Tïtle"} in told["tags"]
    assert client.call("probe", url=str(mp3(seconds=3)))["codec"] == "MP3"
    assert client.get("player.state") == "stopped" and client.get("queue.length") == 0
    none_is_left(daemon)


@pytest.mark.parametrize("content,code", [(b"%PDF-1.7 ...", "unsupported"), (b"<html></html>", "unsupported"),
                                          (b"OggS" + bytes(5000), "unsupported"), (None, "not_found")])
def test_probe_says_why_something_is_no_sound(daemon, tmp_path, content, code):
    path = tmp_path / "x.ogg"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RPCError) as caught:
        daemon.client().call("probe", url=str(path))
    assert caught.value.name == code and "x.ogg" in caught.value.message


def test_probe_shows_people_what_an_item_is(daemon):
    out = jukectl(daemon, "probe", formats.folder() / "opus.opus").stdout
    assert "Opus, in Ogg" in out and "48000 Hz, stereo" in out and "0:01, gapless" in out
    assert json.loads(jukectl(daemon, "--json", "probe", formats.folder() / "opus.opus").stdout)["codec"] == "Opus"
