"""HLS: streams in pieces from a real nginx, against what ffmpeg decodes of them."""
import threading
import time

import pytest

from support import hls
from support.publisher import Publisher
from support.sounds import largest_difference, samples


TITLES = [["Alpha"], ["Beta", "Beta Mid"], ["Gamma"]]
LISTS = """#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360
missing/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
broken/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
gone/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=96000,CODECS="mp4a.40.2"
vod/index.m3u8
"""


def listed(*pieces, first=0, more="", end=True):
    """A playlist of pieces of a second."""
    head = f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:{first}\n{more}"
    lines = [piece if piece.startswith("#") else f"#EXTINF:1.0,\n{piece}" for piece in pieces]
    return head + "\n".join(lines) + ("\n#EXT-X-ENDLIST\n" if end else "\n")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """An nginx with the streams of these tests."""
    folder = tmp_path_factory.mktemp("hls")
    server = Publisher(folder / "nginx", folder / "www")
    server.root.mkdir()
    root = server.root
    hls.stream(root / "vod")
    hls.stream(root / "fmp4", kind="mp4")
    hls.stream(root / "fast", source=hls.sound(2, 48000, 880))
    (root / "keys").mkdir()
    (root / "keys" / "key").write_bytes(bytes(range(16)))
    (root / "keys" / "told").write_text(f"key\n{root / 'keys' / 'key'}\n")
    hls.stream(root / "keys", "-hls_key_info_file", root / "keys" / "told")
    hls.packed(root / "packed", TITLES)
    (root / "all.m3u8").write_text(LISTS)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def play(start, tmp_path):
    """Plays URLs to their end; returns the samples and the client."""
    def run(*urls, timeout=60):
        out = tmp_path / "out.wav"
        daemon = start("--output", f"wav-untimed:{out}")
        client = daemon.client()
        client.observe("*")
        client.call("queue.add", items=list(urls), play=True)
        client.wait_for("player.state", "stopped", timeout=timeout)
        daemon.stop()
        return (samples(out) if out.exists() else []), client
    return run


def check(heard, expected):
    assert len(heard) == len(expected)
    assert largest_difference(heard, expected) <= 1


@pytest.mark.parametrize("name", ["vod", "fmp4", "keys"])
def test_a_stream_is_heard_as_ffmpeg_decodes_it(site, play, name):
    heard, client = play(site.url(f"/{name}/index.m3u8"))
    assert client.values["player.error"] is None
    check(heard, hls.reference(site.root / name / "index.m3u8"))


def test_a_local_stream_and_one_without_its_name(site, play):
    site.put("odd", (site.root / "vod" / "index.m3u8").read_text().replace("\n0.ts", "\nvod/0.ts").split("#EXTINF")[0]
             + "#EXTINF:1,\nvod/0.ts\n#EXT-X-ENDLIST\n")
    heard, client = play(str(site.root / "vod" / "index.m3u8"), site.url("/odd"))
    expected = hls.reference(site.root / "vod" / "index.m3u8")
    assert client.values["player.error"] is None
    assert largest_difference(heard[:len(expected)], expected) <= 1 and len(heard) > len(expected) + 60000


def test_the_best_sound_that_is_there_is_heard(site, play):
    heard, client = play(site.url("/all.m3u8"))
    assert client.values["player.error"] is None
    check(heard, hls.reference(site.root / "vod" / "index.m3u8"))
    asked = [r["uri"] for r in site.requests() if r["uri"].split("/")[1] in ("gone", "broken", "missing")]
    assert asked == ["/gone/index.m3u8"]


def test_a_missing_piece_is_left_out(site, play):
    url = site.put("vod/hole.m3u8", listed("0.ts", "1.ts", "nothing.ts", "3.ts", "4.ts"))
    site.put("vod/before.m3u8", listed("0.ts", "1.ts"))
    site.put("vod/after.m3u8", listed("3.ts", "4.ts"))
    heard, client = play(url)
    assert client.values["player.error"] is None
    check(heard, hls.reference(site.root / "vod" / "before.m3u8") + hls.reference(site.root / "vod" / "after.m3u8"))


def titles(daemon, url):
    """All titles of a URL that is heard to its end, in their order."""
    client = daemon.client()
    client.observe("*")
    client.call("open", url=url)
    client.wait_for("player.state", "stopped")
    told = [told["changes"]["item.title"]["new"] for told in client.changes if "item.title" in told["changes"]]
    return [title for title in told if title and "." not in title]


def test_all_titles_are_told_in_order_and_tags_are_no_sound(site, play, daemon):
    url = site.url("/packed/index.m3u8")
    heard, _ = play(url)
    check(heard, hls.reference(site.root / "packed" / "whole.aac"))
    assert titles(daemon, url) == ["Alpha", "Beta", "Beta Mid", "Gamma"]


def test_the_format_may_change_at_a_break_and_any_place_can_be_gone_to(site, daemon):
    url = site.put("mixed.m3u8", listed("vod/0.ts", "vod/1.ts", "#EXT-X-DISCONTINUITY", "fast/0.ts", "fast/1.ts"))
    client = daemon.client()
    client.observe("*")
    client.call("open", url=url)
    values = client.wait(lambda v: v["item.duration"] and v["item.sampleRate"] == 44100)
    assert abs(values["item.duration"] - 4) < 0.1 and values["item.live"] is False and values["item.seekable"] is True
    client.wait_for("item.sampleRate", 48000)
    client.call("seek", to=0.5)
    client.wait_for("item.sampleRate", 44100)
    client.call("seek", to=3)
    client.wait_for("player.state", "stopped")
    assert client.values["player.error"] is None


def test_a_live_stream_is_heard_from_its_end_on_and_goes_on(site, play):
    names = [f"../vod/{n}.ts" for n in range(6)]
    url = site.put("live/index.m3u8", listed(*names[:4], end=False))

    def grow():
        # Once it is begun one edition is missing, and the stream ends in the end.
        while not site.statuses("live/index.m3u8"):
            time.sleep(0.02)
        for count in (5, None, 6):
            time.sleep(1)
            path = site.root / "live" / "index.m3u8"
            if count is None:
                path.rename(path.with_suffix(".away"))
            else:
                site.put("live/index.m3u8", listed(*names[count - 3:count], first=count - 3, end=count == 6))

    writer = threading.Thread(target=grow)
    writer.start()
    heard, client = play(url)
    writer.join()
    lives = [c["changes"]["item.live"]["new"] for c in client.changes if "item.live" in c["changes"]]
    assert True in lives and client.values["player.error"] is None
    site.put("vod/end.m3u8", listed(*[f"{n}.ts" for n in range(1, 6)]))
    check(heard, hls.reference(site.root / "vod" / "end.m3u8"))


@pytest.mark.parametrize("piece, code", [("file:///etc/passwd", "denied"), ("gopher://x/", "unsupported_format")])
def test_what_a_list_of_the_network_may_not_name_is_not_followed(site, daemon, piece, code):
    client = daemon.client()
    client.observe("*")
    client.call("open", url=site.put("evil.m3u8", listed(piece)))
    assert client.wait(lambda v: v["player.error"])["player.error"]["code"] == code


def test_titles_of_a_transport_stream_are_told_in_order(site, play, daemon):
    names = ["One", "Two", "Three", "Four"]
    for number, told in enumerate([names[:2], names[2:]]):
        site.put(f"tagged/{number}.ts", hls.with_tags((site.root / "vod" / f"{number}.ts").read_bytes(), told))
    url = site.put("tagged/index.m3u8", listed("0.ts", "1.ts"))
    site.put("vod/start.m3u8", listed("0.ts", "1.ts"))
    heard, _ = play(url)
    check(heard, hls.reference(site.root / "vod" / "start.m3u8"))
    assert titles(daemon, url) == names
