"""What is not MPEG audio: each format over each way that bytes come, against what ffmpeg decodes."""
import pytest

from support import formats
from support.sounds import largest_difference, samples

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
