"""What publishers and disks do to podcast programs, and what becomes of it here."""
import os
import subprocess

import pytest
from support.client import RPCError
from support.publisher import episode, feed
from support.sounds import mp3
from support.subscribing import add, refresh, settled

TITLE = "<item><title>{}</title><guid>{}</guid><enclosure url='media/{}.mp3?a=1&amp;b=2' type='audio/mpeg'/></item>"


def items(client):
    return client.call("store.list", sort="added", limit=1000)["items"]


def state(client, item, *states):
    client.wait(lambda v: v.get(f"downloads.{item}.state") in states, what=" or ".join(states))


@pytest.mark.parametrize("guid", ["", "<guid/>", "<guid> </guid>"])
def test_without_a_guid_each_is_one_by_its_sound(daemon, publisher, guid):
    url = publisher.put("feed.xml", feed([episode(n, guid="", extra=guid) for n in range(5)]))
    client = daemon.client()
    source = add(client, url)
    before = {i["url"]: i["id"] for i in items(client)}
    assert len(before) == 5
    renamed = [episode(5, guid="", extra=guid), episode(0, guid="", title="Renamed", extra=guid)]
    publisher.put("feed.xml", feed(renamed + [episode(n, guid="", extra=guid) for n in range(1, 5)]))
    assert refresh(client, source) == "ready"
    after = {i["url"]: i["id"] for i in items(client)}
    assert len(after) == 6 and all(after[url] == item for url, item in before.items())
    assert items(client)[0]["title"] == "Renamed"


def test_files_of_the_same_name_are_files_of_their_own(daemon, publisher):
    sounds = {f"{folder}/media.mp3": mp3(seconds=n, frequency=300 + n).read_bytes() for n, folder in enumerate("xyz", 1)}
    for name, sound in sounds.items():
        publisher.put(name, sound)
    urls = [*sounds, "x/media.mp3?id=1", "x/media.mp3?id=2"]
    client = daemon.client()
    add(client, publisher.put("feed.xml", feed([episode(n, url=url) for n, url in enumerate(urls)])))
    ids = [i["id"] for i in items(client)]
    assert len(ids) == 5
    client.call("store.download", ids=ids)
    for item in ids:
        state(client, item, "finished")
    entries = client.call("cache.list")["entries"]
    assert len(entries) == 5 and all(e["complete"] for e in entries)
    assert [client.values[f"downloads.{i}.received"] for i in ids[:3]] == [len(s) for s in sounds.values()]


DATES = {
    "Fri, 2 May 2014 10:10 GMT": "2014-05-02T10:10:00Z", "Thu, 8 Oct 2014 09:00:00 GMT": "2014-10-08T09:00:00Z",
    "Wed, 27 May 2020 34:50:00 -0400": None, "Tue, 23 Nov 2021 15:38:00 PST": "2021-11-23T23:38:00Z",
    "Sat May 16 2020 09:00:57 GMT+0000 (Coordinated Universal Time)": "2020-05-16T09:00:57Z",
    "Thu, 15 Feb 2018 11:24:50": "2018-02-15T11:24:50Z", "2022-03-11T10:00:00Z": "2022-03-11T10:00:00Z",
    "2 Jan 06 15:04:05 +0100": "2006-01-02T14:04:05Z", "": None, "07 Oct 2025": "2025-10-07T00:00:00Z",
    "Mon, 1 Sept 2014 8:5:3 EDT": "2014-09-01T12:05:03Z", "today": None,
}


def test_odd_dates_are_exact_where_they_are_clear_and_else_none_each_time(daemon, publisher):
    dated = [f"<item><title>{n}</title><guid>{n}</guid><pubDate>{date}</pubDate><enclosure url='{n}.mp3'/></item>"
             for n, date in enumerate(DATES)]
    url = publisher.put("feed.xml", feed(dated))
    client = daemon.client()
    source = add(client, url)
    before = items(client)
    assert [i["date"] for i in before] == list(DATES.values())
    publisher.put("feed.xml", feed([*dated, episode(99)]))
    assert refresh(client, source) == "ready"
    assert items(client)[:-1] == before


@pytest.mark.parametrize("head", ["\ufeff", "\ufeff\n\n", "\n \n", "DECLARATION"])
def test_what_stands_before_the_document_is_passed_over(daemon, publisher, head):
    document = feed([episode(1)])
    text = document.replace("version='1.0' ", "version='1.0'\n ") if head == "DECLARATION" else head + document
    client = daemon.client()
    add(client, publisher.put("feed.xml", text))
    assert [i["title"] for i in items(client)] == ["Episode 1"]


def test_titles_that_were_encoded_twice_are_text_and_urls_are_as_they_are(daemon, publisher):
    told = {"It&amp;#039;s Never &amp;#8220;Over&amp;#8221;": "It's Never “Over”", "Rock &amp; Roll": "Rock & Roll",
            "<![CDATA[A & B <live>]]>": "A & B <live>", "Q&amp;amp;A": "Q&A"}
    client = daemon.client()
    add(client, publisher.put("feed.xml", feed([TITLE.format(title, n, n) for n, title in enumerate(told)])))
    assert [i["title"] for i in items(client)] == list(told.values())
    assert {i["url"].partition("?")[2] for i in items(client)} == {"a=1&b=2"}


def test_folders_in_a_list_of_feeds_are_no_feeds(daemon, publisher):
    for n, name in enumerate("abc"):
        publisher.put(f"{name}.xml", feed([episode(n)], title=name))
    lists = publisher.put("all.opml", """<?xml version="1.0"?><opml version="1.0"><head><title>x</title></head><body>
        <outline text="flat" type="rss" xmlUrl="a.xml"/>
        <outline text="F1"><outline text="F2"><outline title="only title" xmlUrl="b.xml"/></outline><outline/></outline>
        <outline type="rss" title="tech"><outline type="rss" text="c" xmlurl="c.xml"/></outline>
        <outline text="dup" xmlUrl="a.xml"/></body></opml>""")
    client = daemon.client()
    source = add(client, lists)
    client.wait(lambda v: all(settled(v, source + n) for n in range(1, 4)))
    assert [s["title"] for s in client.call("store.sources")["sources"]][1:] == ["a", "b", "c"]


@pytest.mark.parametrize("length", ["0", "", "-1", "12:34", "99999999999999999999", "31,104"])
def test_the_length_a_feed_tells_is_a_hint(daemon, publisher, length):
    sound = mp3(seconds=2).read_bytes()
    publisher.put("media/1.mp3", sound)
    text = feed([episode(1)]).replace("length='1'", f"length='{length}'")
    client = daemon.client()
    add(client, publisher.put("feed.xml", text))
    [item] = items(client)
    client.call("store.download", ids=[item["id"]])
    state(client, item["id"], "finished")
    assert client.values[f"downloads.{item['id']}.received"] == len(sound)


def test_a_feed_of_5000_is_taken_in_with_bounded_memory(daemon, publisher):
    client = daemon.client()
    client.observe("store", "sources")
    url = publisher.put("feed.xml", feed([episode(n, extra=f"<itunes:summary>{'word ' * 100}</itunes:summary>")
                                          for n in range(5000)]))
    before = daemon.memory()
    source = add(client, url)
    assert client.call("store.list", limit=0)["total"] == 5000
    assert daemon.memory() - before <= 100 << 20
    assert refresh(client, source) == "ready"
    assert daemon.memory() - before <= 100 << 20


def peak(daemon):
    """The most memory that it ever had, in bytes."""
    status = open(f"/proc/{daemon.process.pid}/status").read()
    return int(status.split("VmHWM:")[1].split()[0]) << 10


@pytest.mark.skipif(os.environ.get("SOAK") != "1", reason="a long run")
def test_a_gigabyte_of_one_element_is_left(daemon, publisher):
    path = publisher.root / "feed.xml"
    path.write_text("<rss version='2.0'><channel><title>")
    with open(path, "r+b") as file:
        file.truncate(1 << 30)
    client = daemon.client()
    source = add(client, publisher.url("/feed.xml"))
    assert client.values[f"sources.{source}.status"] == "failed"
    assert "128 MiB" in client.values[f"sources.{source}.error"]["message"]
    assert peak(daemon) < 450 << 20
    # Nothing of it stays.
    client.wait(lambda v: daemon.memory() < 100 << 20, what="memory given back")


def test_an_element_of_many_megabytes_is_cut(daemon, publisher):
    text = "<p>" + "word " * 600_000
    url = publisher.put("feed.xml", feed([episode(1, extra=f"<itunes:summary>{text}</itunes:summary>"), episode(2)]))
    client = daemon.client()
    source = add(client, url)
    assert client.values[f"sources.{source}.status"] == "ready"
    found = client.call("store.list")["items"]
    assert len(found) == 2 and all(len(item["summary"] or "") < 100_000 for item in found)
    assert peak(daemon) < 450 << 20


def can_mount():
    return subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


@pytest.mark.skipif(not can_mount(), reason="needs a mount namespace")
def test_a_full_disk_stops_downloads_and_harms_nothing(start, publisher, tmp_path):
    sound = mp3(seconds=200)
    assert sound.stat().st_size > 3_000_000
    for n in (1, 2):
        publisher.put(f"media/{n}.mp3", sound.read_bytes() if n == 1 else mp3(seconds=2).read_bytes())
    cache = tmp_path / "small"
    cache.mkdir()
    script = f"mount -t tmpfs -o size=2M tmpfs {cache} && exec \"$@\""
    daemon = start("--output", "null", "--cache-dir", cache, wrapper=["unshare", "-m", "sh", "-c", script, "sh"])
    client = daemon.client()
    add(client, publisher.put("feed.xml", feed([episode(1), episode(2)])))
    client.observe("player", "item", "cache")
    large, small = [i["id"] for i in items(client)]
    client.call("open", url=str(mp3(seconds=60)))
    client.wait_for("player.state", "playing")
    client.call("store.download", ids=[large])
    client.wait(lambda v: v.get(f"downloads.{large}.error"), what="why it stands still")
    error = client.values[f"downloads.{large}.error"]
    assert error["code"] == "disk" and error["message"].endswith("is full; nothing more is kept.")
    assert client.values[f"downloads.{large}.state"] == "queued" and client.values["player.state"] == "playing"
    client.call("store.deleteDownload", ids=[large])
    client.wait(lambda v: client.call("cache.list")["entries"] == [], what="room again")
    client.call("store.download", ids=[small])
    state(client, small, "finished")
    assert len(items(client)) == 2 and client.values["player.state"] == "playing"
    with pytest.raises(RPCError):
        client.call("store.deleteDownload", ids=[large])
