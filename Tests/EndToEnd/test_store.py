"""The store: what its sources offer, listed, searched and marked."""
import os
import shutil

import pytest
from support.client import RPCError
from support.sounds import mp3
from support.subscribing import add, refresh


def song(folder, name, **tags):
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(mp3(seconds=1, tags=tags), folder / name)
    return folder / name


def titles(client, **query):
    return [item["title"] for item in client.call("store.list", **query)["items"]]


@pytest.fixture
def music(tmp_path):
    folder = tmp_path / "music"
    song(folder / "a", "1.mp3", title="Éclair", artist="Ångström", album="Straße", date="2003-05-01", track="1/9")
    song(folder / "a", "2.mp3", title="Thunder", artist="Ångström", album="Straße", date="2004", track="2/9")
    song(folder / "b", "3.MP3", title="Lightning rod", artist="Franklin", genre="Jazz")
    song(folder, ".hidden.mp3", title="Hidden")
    (folder / "notes.txt").write_text("no music")
    (folder / "b" / "odd.flac").write_bytes(b"no sound")
    (folder / "b" / "back").symlink_to(folder)
    return folder


def test_a_folder_becomes_items_by_tags(daemon, music):
    client = daemon.client()
    source = add(client, music)
    assert client.values["store.status"] == "ready"
    listed = client.call("store.list")
    assert listed["total"] == 4
    assert [i["title"] for i in listed["items"]] == ["Éclair", "Lightning rod", "odd.flac", "Thunder"]
    first = listed["items"][0]
    assert first["creators"] == ["Ångström"] and first["album"] == "Straße" and first["number"] == 1
    assert first["date"] == "2003-05-01T00:00:00Z" and first["kind"] == "track" and first["source"] == source
    assert abs(first["duration"] - 1) < 0.01 and first["available"] and first["url"] == str(music / "a" / "1.mp3")
    told = client.call("store.sources")["sources"]
    assert told[0]["kind"] == "folder" and told[0]["items"] == 4 and told[0]["unheard"] == 4


FOUND = {
    "eclair": ["Éclair"], "ANGSTROM strasse": ["Éclair", "Thunder"], "under": ["Thunder"], "ning ro": ["Lightning rod"],
    '"ning rod"': ["Lightning rod"], '"rod ning"': [], "zzz": [], "r f": ["Lightning rod"], "jazz": ["Lightning rod"],
    "": ["Éclair", "Lightning rod", "odd.flac", "Thunder"], "ström": ["Éclair", "Thunder"], "tonx": [], "%": [], "_": [],
    '" OR "': [], "9": [],
}


def test_search_finds_parts_of_words_whatever_their_case_and_accents(daemon, music):
    client = daemon.client()
    add(client, music)
    assert {query: titles(client, query=query) for query in FOUND} == FOUND


def test_items_are_ordered_paged_and_filtered(daemon, music):
    client = daemon.client()
    source = add(client, music)
    assert titles(client, sort="-date") == ["Thunder", "Éclair", "Lightning rod", "odd.flac"]
    assert titles(client, sort="-title", offset=1, limit=2) == ["odd.flac", "Lightning rod"]
    assert titles(client, limit=0) == [] and client.call("store.list", limit=0)["total"] == 4
    first = client.call("store.list", query="éclair")["items"][0]["id"]
    client.call("store.mark", id=first, heard=True, rating=5, position=0.5)
    assert "Éclair" not in titles(client, unheard=True) and titles(client, unheard=False) == ["Éclair"]
    shown = client.call("store.show", id=first)
    assert shown["heard"] and shown["rating"] == 5 and shown["position"] == 0.5
    client.call("store.mark", id=first, rating=0)
    assert client.call("store.show", id=first)["rating"] is None
    assert titles(client, source=source + 1) == [] and titles(client, kind="episode") == []
    assert titles(client, sort="rating")[0] is not None
    for wrong in ({"sort": "size"}, {"kind": "song"}, {"offset": -1}):
        with pytest.raises(RPCError) as failure:
            client.call("store.list", **wrong)
        assert failure.value.name == "invalid_params"


def test_what_people_noted_survives_changed_tags_moves_and_absence(daemon, music):
    client = daemon.client()
    source = add(client, music)
    ids = {i["title"]: i["id"] for i in client.call("store.list")["items"]}
    client.call("store.mark", id=ids["Thunder"], rating=4)
    song(music / "a", "2.mp3", title="Thunder, remastered")
    (music / "a" / "1.mp3").rename(music / "moved.mp3")
    os.rename(music / "b" / "3.MP3", music / "b" / ".3.MP3")
    assert refresh(client, source) == "ready"
    items = {i["title"]: i for i in client.call("store.list")["items"]}
    assert set(items) == {"Éclair", "odd.flac", "Thunder, remastered"}
    assert items["Thunder, remastered"]["id"] == ids["Thunder"] and items["Thunder, remastered"]["rating"] == 4
    assert items["Éclair"]["id"] == ids["Éclair"] and items["Éclair"]["url"] == str(music / "moved.mp3")
    os.rename(music / "b" / ".3.MP3", music / "b" / "3.MP3")
    assert refresh(client, source) == "ready"
    assert client.call("store.list", query="lightning")["items"][0]["id"] == ids["Lightning rod"]


def test_a_folder_is_watched(daemon, music):
    client = daemon.client()
    add(client, music)

    def comes(expected):
        client.wait(lambda v: sorted(titles(client)) == sorted(expected))

    song(music / "new" / "deep", "9.mp3", title="New")
    comes(["Éclair", "Lightning rod", "New", "Thunder", "odd.flac"])
    (music / "a").rename(music / "moved")
    (music / "b" / "odd.flac").unlink()
    comes(["Éclair", "Lightning rod", "New", "Thunder"])
    assert client.call("store.list", query="thunder")["items"][0]["url"] == str(music / "moved" / "2.mp3")


def test_a_list_of_this_machine_is_watched(daemon, music, tmp_path):
    path = tmp_path / "lists" / "radio.m3u"
    path.parent.mkdir()
    path.write_text("#EXTM3U\n#EXTINF:-1,One\nhttp://radio.test/1\n")
    client = daemon.client()
    add(client, path)
    add(client, path.parent)
    assert titles(client) == ["One"]
    path.write_text("#EXTM3U\n#EXTINF:-1,One\nhttp://radio.test/1\n#EXTINF:-1,Two\nhttp://radio.test/2\n")
    client.wait(lambda v: titles(client) == ["One", "Two"], what="what was written")
    new = path.with_name("new")
    new.write_text("#EXTM3U\n#EXTINF:-1,Three\nhttp://radio.test/3\n")
    new.rename(path)
    client.wait(lambda v: "Three" in titles(client), what="what took its place")
    # The folder is watched for its own sake, too.
    song(path.parent, "9.mp3", title="Song")
    client.wait(lambda v: "Song" in titles(client), what="a song beside it")


def test_a_name_that_is_no_text_is_listed_and_plays(daemon, tmp_path):
    folder = os.fsencode(tmp_path / "music")
    os.mkdir(folder)
    shutil.copy(mp3(seconds=3, tags={"title": "Latin"}), folder + b"/caf\xe9 \xff.mp3")
    client = daemon.client()
    add(client, tmp_path / "music")
    [item] = client.call("store.list")["items"]
    assert item["title"] == "Latin" and item["url"].endswith("/caf%E9%20%FF.mp3")
    client.observe("player", "item")
    client.call("open", url=f"store:{item['id']}")
    client.wait(lambda v: v["player.state"] == "playing" and v["item.title"] == "Latin", what="sound")
    client.call("open", url=item["url"])
    client.wait(lambda v: v["player.state"] == "playing" and v["item.url"] == item["url"], what="sound by its URL")


def test_a_second_daemon_leaves_the_catalogue_alone(start, music, tmp_path):
    first = start("--output", "null", name="first")
    client = first.client()
    source = add(client, music)
    second = start("--output", "null", "--state-dir", str(first.folder / "state"), name="second")
    other = second.client()
    with pytest.raises(RPCError) as refused:
        other.call("store.list")
    assert refused.value.name == "invalid_state" and "another daemon" in str(refused.value)
    with pytest.raises(RPCError):
        other.call("store.addSource", url=str(tmp_path))
    assert "another daemon" in second.log()
    assert refresh(client, source) == "ready" and len(titles(client)) == 4


def test_the_catalogue_survives_a_restart_and_a_kill(start, music):
    daemon = start("--output", "null", name="kept")
    client = daemon.client()
    add(client, music)
    before = client.call("store.list")
    daemon.process.kill()
    daemon.process.wait()
    client = start("--output", "null", name="kept").client()
    client.observe("store", "sources")
    client.wait_for("sources.1.status", "ready")
    assert client.call("store.list") == before
    assert client.call("store.addSource", url=f"{music}/") == {"id": 1, "new": False}


def test_a_source_that_goes_takes_its_items_along(daemon, music):
    client = daemon.client()
    source = add(client, music)
    client.call("store.removeSource", id=source)
    assert client.call("store.list")["total"] == 0 and client.call("store.sources")["sources"] == []
    assert client.call("store.list", query="eclair")["total"] == 0
    client.wait(lambda v: f"sources.{source}.status" not in v)
    assert add(client, music) == source + 1
    for method in ("store.removeSource", "store.show", "store.mark"):
        with pytest.raises(RPCError) as failure:
            client.call(method, id=999)
        assert failure.value.name == "not_found"


def test_a_folder_that_cannot_be_read_says_so(daemon, tmp_path):
    client = daemon.client()
    source = add(client, tmp_path / "nowhere")
    assert client.values[f"sources.{source}.error"]["code"] == "file_not_found"
    assert client.values["store.status"] == "failed"


def test_names_that_are_not_utf_8_are_listed(daemon, music):
    shutil.copy(mp3(seconds=1, tags={"title": "Odd name"}), os.fsencode(str(music)) + b"/caf\xe9.mp3")
    client = daemon.client()
    add(client, music)
    assert client.call("store.list", query="odd name")["items"][0]["url"].endswith("/caf%E9.mp3")
