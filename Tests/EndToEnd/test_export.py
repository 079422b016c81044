"""Downloads as files of their own: readable names, with tags, and nothing written over."""
import json
import subprocess

import pytest
from support.client import RPCError
from support.daemon import jukectl
from support.publisher import feed
from support.sounds import mp3
from support.subscribing import add


def untagged():
    """A sound without any tag."""
    sound = mp3(seconds=2).read_bytes()
    size = sum(byte << shift for byte, shift in zip(sound[6:10], (21, 14, 7, 0)))
    return sound[10 + size:] if sound[:3] == b"ID3" else sound


def tags(path):
    out = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format_tags:stream=codec_type,codec_name", "-of", "json",
                          str(path)], check=True, capture_output=True, text=True).stdout
    told = json.loads(out)
    return {k.lower(): v for k, v in told["format"].get("tags", {}).items()}, [s["codec_type"] for s in told["streams"]]


@pytest.fixture
def downloaded(daemon, publisher, tmp_path):
    """A client, and the IDs of three downloads: without tags, with some, and of another kind."""
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64", "-frames:v", "1",
                    str(publisher.root / "cover.jpg")], check=True, stdin=subprocess.DEVNULL)
    publisher.put("bare.mp3", untagged())
    publisher.put("tagged.mp3", mp3(seconds=2, tags={"title": "Own title", "artist": "Own artist"}).read_bytes())
    publisher.put("other.ogg", b"OggS" + bytes(range(256)) * 20)
    items = [f"<item><guid>{n}</guid><title>{title}</title><pubDate>Fri, 02 May 2014 00:00:00 GMT</pubDate>"
             f"<itunes:author>Someone</itunes:author><enclosure url='{file}' type='audio/mpeg'/></item>"
             for n, (title, file) in enumerate([("Bare: 1/2", "bare.mp3"), ("Tagged", "tagged.mp3"), ("Other", "other.ogg")])]
    client = daemon.client()
    add(client, publisher.put("feed.xml", feed(items, title="Tea Time", extra="<itunes:image href='cover.jpg'/>")))
    ids = {i["title"]: i["id"] for i in client.call("store.list")["items"]}
    client.call("store.download", ids=list(ids.values()))
    for item in ids.values():
        client.wait_for(f"downloads.{item}.state", "finished")
    return client, ids


def test_files_have_readable_names_and_tags(daemon, publisher, downloaded, tmp_path):
    client, ids = downloaded
    out = tmp_path / "out"
    out.mkdir()
    files = client.call("store.export", ids=list(ids.values()), folder=str(out))["files"]
    paths = {f["id"]: f["path"] for f in files}
    bare, tagged, other = (paths[ids[t]] for t in ("Bare: 1/2", "Tagged", "Other"))
    assert bare == str(out / "Tea Time - 2014-05-02 - Bare_ 1_2.mp3")
    told, streams = tags(bare)
    assert (told["title"], told["artist"], told["album"], told["date"]) == ("Bare: 1/2", "Someone", "Tea Time", "2014-05-02")
    assert sorted(streams) == ["audio", "video"]
    assert open(bare, "rb").read().endswith(untagged())
    # What has tags of its own keeps them, byte by byte.
    assert open(tagged, "rb").read() == (publisher.root / "tagged.mp3").read_bytes()
    assert other.endswith("Other.ogg") and open(other, "rb").read() == (publisher.root / "other.ogg").read_bytes()
    # Nothing is written over.
    [again] = client.call("store.export", ids=[ids["Tagged"]], folder=str(out))["files"]
    assert again["path"] == str(out / "Tea Time - 2014-05-02 - Tagged (2).mp3")
    assert len(list(out.iterdir())) == 4
    printed = jukectl(daemon, "downloads", "export", ids["Other"], cwd=out)
    assert printed.stdout == f"{out}/Tea Time - 2014-05-02 - Other (2).ogg\n"


def test_what_cannot_be_exported_is_said(daemon, downloaded, tmp_path):
    client, ids = downloaded
    for parameters, name in [({"ids": [999], "folder": str(tmp_path)}, "not_found"),
                             ({"ids": list(ids.values()), "folder": "out"}, "invalid_params"),
                             ({"ids": list(ids.values()), "folder": str(tmp_path / "missing")}, "invalid_state")]:
        with pytest.raises(RPCError) as refused:
            client.call("store.export", **parameters)
        assert refused.value.name == name
    assert "No such file" in str(refused.value)
