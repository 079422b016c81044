"""Pictures of items: from tags, folders and servers, as they came and made smaller."""
import base64
import shutil
import subprocess

import pytest
from support.client import RPCError
from support.sounds import mp3

HEAD = "HTTP/1.1 200 OK"


@pytest.fixture(scope="module")
def cover(tmp_path_factory):
    path = tmp_path_factory.mktemp("cover") / "cover.jpg"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1200x800", "-frames:v", "1", str(path)],
                   check=True, stdin=subprocess.DEVNULL)
    return path


def read(client, url):
    client.observe("store", "sources", "artwork")
    source = client.call("store.addSource", url=str(url))["id"]
    client.wait_for(f"sources.{source}.status", "ready")
    return {item["title"]: item["id"] for item in client.call("store.list")["items"]}


def size(path):
    out = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", str(path)],
                         check=True, capture_output=True, text=True).stdout
    return [int(n) for n in out.strip().strip(",").split(",")[:2]]


@pytest.fixture
def music(tmp_path, cover):
    folder = tmp_path / "music"
    for name in ("tagged", "beside", "bare"):
        (folder / name).mkdir(parents=True)
        shutil.copy(mp3(seconds=1, tags={"title": name}), folder / name / "1.mp3")
    shutil.copy(cover, folder / "beside" / "Folder.JPG")
    tagged = folder / "tagged" / "1.mp3"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", str(tagged), "-i", str(cover), "-map", "0", "-map", "1", "-c", "copy",
                    "-id3v2_version", "3", str(tagged.with_name("2.mp3"))], check=True, stdin=subprocess.DEVNULL)
    tagged.with_name("2.mp3").replace(tagged)
    return folder


def test_a_tag_or_a_folder_has_it(daemon, music, cover):
    client = daemon.client()
    items = read(client, music)
    tagged = client.call("store.artwork", id=items["tagged"], size="full")["path"]
    assert open(tagged, "rb").read() == cover.read_bytes()
    assert client.call("store.artwork", id=items["beside"], size="full")["path"] == str(music / "beside" / "Folder.JPG")
    for name in ("tagged", "beside"):
        thumb = client.call("store.artwork", id=items[name], size="thumb")["path"]
        assert size(thumb) == [320, 213]
        assert client.call("store.artwork", id=items[name], size="thumb")["path"] == thumb
        client.wait_for(f"artwork.{items[name]}", "ready")
    with pytest.raises(RPCError) as refused:
        client.call("store.artwork", id=items["bare"], size="full")
    assert refused.value.name == "not_found"
    with pytest.raises(RPCError) as refused:
        client.call("store.artwork", id=items["bare"], size="huge")
    assert refused.value.name == "invalid_params"


def test_its_bytes_can_be_had_from_another_machine(daemon, music, cover):
    client = daemon.client()
    items = read(client, music)
    whole, total = b"", 1
    while len(whole) < total:
        part = client.call("artwork.read", id=items["tagged"], size="full", offset=len(whole))
        assert part["offset"] == len(whole)
        whole, total = whole + base64.b64decode(part["data"]), part["total"]
    assert whole == cover.read_bytes()
    assert client.call("artwork.read", id=items["tagged"], size="full", offset=total + 5)["data"] == ""


def test_a_feeds_pictures_are_fetched_once(daemon, scripted, cover):
    feed = """<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Show</title>
        <itunes:image href="/show.jpg"/>
        <item><guid>1</guid><title>own</title><enclosure url="/1.mp3"/><itunes:image href="/own.jpg"/></item>
        <item><guid>2</guid><title>show's</title><enclosure url="/2.mp3"/></item>
        <item><guid>3</guid><title>a page</title><enclosure url="/3.mp3"/><itunes:image href="/page.jpg"/></item></channel></rss>"""
    picture = [("head", HEAD, {"Content-Type": "image/jpeg", "Content-Length": "{size}"}), ("body", "cover"), ("finish",)]
    server = scripted([
        {"path": "/feed", "do": [("head", HEAD, {"Content-Length": "{size}"}), ("body", feed.encode()), ("finish",)]},
        {"path": "/own.jpg", "do": picture}, {"path": "/show.jpg", "do": picture},
        {"path": "/page.jpg", "do": [("head", HEAD, {"Content-Length": "{size}"}), ("body", b"<html>"), ("finish",)]},
    ], {"cover": cover.read_bytes()})
    client = daemon.client()
    items = read(client, server.url("/feed"))
    for _ in range(2):
        for name in ("own", "show's"):
            path = client.call("store.artwork", id=items[name], size="full")["path"]
            assert open(path, "rb").read() == cover.read_bytes()
    assert len(server.requests("/own.jpg")) == 1 and len(server.requests("/show.jpg")) == 1
    # What is no picture counts for nothing: the show's stands for it.
    assert client.call("store.artwork", id=items["a page"], size="thumb")["path"].endswith(".jpg")


def test_covers_follow_a_refresh_each_announced(daemon, scripted, cover):
    items = "".join(f"""<item><guid>{n}</guid><title>{n}</title><enclosure url="/{n}.mp3"/>
        <pubDate>Fri, 0{n} May 2020 10:00:00 GMT</pubDate>{f'<itunes:image href="/{n}.jpg"/>' if n > 1 else ''}</item>"""
                    for n in range(1, 5))
    feed = f'<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Show</title>{items}</channel></rss>'
    served = [("head", HEAD, {"Content-Type": "image/jpeg", "Content-Length": "{size}"}), ("body", "cover"), ("finish",)]
    server = scripted([
        {"path": "/feed", "do": [("head", HEAD, {"Content-Length": "{size}"}), ("body", feed.encode()), ("finish",)]},
        {"path": "/4.jpg", "do": [("head", HEAD, {"Content-Length": "{size}"}), ("hold", 3), ("body", "cover"), ("finish",)]},
        {"path": "/3.jpg", "do": [("head", "HTTP/1.1 404 Not Found", {"Content-Length": "0"}), ("finish",)]},
        {"path": "/2.jpg", "do": served}], {"cover": cover.read_bytes()})
    client = daemon.client()
    items = read(client, server.url("/feed"))
    # The feed is ready while its first cover is still to come.
    assert "artwork.4" not in client.values
    client.wait(lambda v: v.get(f"artwork.{items['4']}") == v.get(f"artwork.{items['2']}") == "ready", what="covers")
    assert f"artwork.{items['1']}" not in client.values and f"artwork.{items['3']}" not in client.values
    [source] = client.call("store.sources")["sources"]
    assert source["artwork"] == server.url("/4.jpg")
    path = client.call("store.sourceArtwork", id=source["id"])["path"]
    assert open(path, "rb").read() == cover.read_bytes()
    assert size(client.call("store.sourceArtwork", id=source["id"], size="thumb")["path"]) == [320, 213]
    client.call("store.refresh")
    client.wait(lambda v: len(server.requests("/feed")) == 2 and v["store.status"] == "ready")
    assert [len(server.requests(f"/{n}.jpg")) for n in (2, 3, 4)] == [1, 1, 1]


def test_one_that_is_damaged_is_given_as_it_is(daemon, music, cover):
    (music / "bare" / "cover.jpg").write_bytes(cover.read_bytes()[:64])
    client = daemon.client()
    items = read(client, music)
    assert client.call("store.artwork", id=items["bare"], size="thumb")["path"] == str(music / "bare" / "cover.jpg")
