"""Sources on the network: feeds, lists of them, station lists, catalogues; a real publisher's server."""
import json

import pytest
from support import dav
from support.client import RPCError
from support.publisher import episode, feed
from support.sounds import mp3
from support.subscribing import add, refresh, settled


@pytest.fixture
def shared_folder(tmp_path):
    server = dav.Nginx(tmp_path / "dav", "ge heim")
    server.start()
    yield server
    server.stop()


def items(client, **query):
    return {i["title"]: i for i in client.call("store.list", **query)["items"]}


def told(client, source):
    return next(s for s in client.call("store.sources")["sources"] if s["id"] == source)


def test_a_feed_becomes_episodes(daemon, publisher):
    extra = "<itunes:author>The Ohms</itunes:author><podcast:location geo='geo:52.5,13.4'>Berlin</podcast:location>"
    url = publisher.put("a/feed.xml", feed([episode(1, extra=extra), episode(2)]))
    client = daemon.client()
    source = add(client, url)
    assert told(client, source)["kind"] == "podcast" and told(client, source)["title"] == "Tea Time"
    found = items(client, source=source)
    assert list(found) == ["Episode 1", "Episode 2"]
    first = client.call("store.show", id=found["Episode 1"]["id"])
    assert first["kind"] == "episode" and first["url"] == publisher.url("/a/media/1.mp3")
    assert first["date"] == "2014-05-02T00:01:00Z" and "Tee & Gebäck" in first["summary"] and first["size"] in (1, None)
    assert not first["available"] and not first["heard"]
    place = first["locations"][0]
    assert (place["address"], place["state"], place["geo"]) == ("Berlin", "resolved", "geo:52.5,13.4")
    assert list(items(client, query="gebaeck")) == [] and len(items(client, query="geback NUMBER 2")) == 1


def test_a_feed_is_asked_for_only_if_it_changed(daemon, publisher):
    url = publisher.put("feed.xml", feed([episode(1)]))
    client = daemon.client()
    source = add(client, url)
    revision = client.get("store.revision")
    assert refresh(client, source) == "ready"
    assert publisher.statuses("feed.xml", 2) == [200, 304]
    assert publisher.requests()[1]["ifNoneMatch"]
    publisher.put("feed.xml", feed([episode(2), episode(1)]))
    assert refresh(client, source) == "ready"
    assert publisher.statuses("feed.xml", 3) == [200, 304, 200]
    assert list(items(client)) == ["Episode 1", "Episode 2"] and client.wait(lambda v: v["store.revision"] > revision)


def test_what_was_heard_stays_with_an_episode_that_changes(daemon, publisher):
    url = publisher.put("feed.xml", feed([episode(1, url="m/1.mp3?t=1"), episode(2)]))
    client = daemon.client()
    source = add(client, url)
    ids = {title: item["id"] for title, item in items(client).items()}
    client.call("store.mark", id=ids["Episode 1"], heard=True, position=17)
    publisher.put("feed.xml", feed([episode(1, guid="NEW", url="m/1.mp3?t=2"), episode(3)]))
    refresh(client, source)
    found = items(client)
    assert found["Episode 1"]["id"] == ids["Episode 1"] and found["Episode 1"]["heard"]
    assert found["Episode 1"]["position"] == 17 and found["Episode 1"]["url"].endswith("?t=2")
    assert not found["Episode 2"]["listed"] and found["Episode 3"]["listed"]
    assert list(items(client, unheard=True)) == ["Episode 2", "Episode 3"]


def test_while_the_network_is_away_what_was_kept_is_served(daemon, publisher):
    url = publisher.put("feed.xml", feed([episode(1)]))
    client = daemon.client()
    source = add(client, url)
    assert client.get("store.offline") is False
    publisher.stop()
    assert refresh(client, source) == "failed"
    assert client.values[f"sources.{source}.error"]["code"] == "unreachable"
    assert client.get("store.offline") is True and list(items(client)) == ["Episode 1"]
    assert told(client, source)["nextRefresh"] > told(client, source)["lastSuccess"]
    publisher.start()
    assert refresh(client, source) == "ready"
    assert client.get("store.offline") is False


def test_what_is_no_source_says_so(daemon, publisher):
    client = daemon.client()
    for name, content, code in [("a.html", "<html><body>Hello</body></html>", "unsupported_format"),
                                ("b.xml", "<rss><channel><item>", "unsupported_format"), ("c.json", "{", "unsupported_format"),
                                ("d", "", "empty")]:
        source = add(client, publisher.put(name, content))
        assert client.values[f"sources.{source}.error"]["code"] == code, name
    source = add(client, publisher.url("/nowhere.xml"))
    assert client.values[f"sources.{source}.error"]["code"] == "not_found"
    assert client.get("store.status") == "failed"


def test_a_list_of_feeds_adds_them(daemon, publisher):
    one = publisher.put("one.xml", feed([episode(1)], title="One"))
    publisher.put("two.xml", feed([episode(2)], title="Two"))
    opml = publisher.put("all.opml", "<opml version='2.0'><body><outline text='Tea'>"
                         f"<outline type='rss' text='First' xmlUrl='{one}'/><outline type='rss' xmlUrl='two.xml'/>"
                         "</outline></body></opml>")
    client = daemon.client()
    source = add(client, opml)
    client.wait(lambda v: settled(v, source + 1) and settled(v, source + 2))
    sources = client.call("store.sources")["sources"]
    assert [s["kind"] for s in sources] == ["opml", "podcast", "podcast"]
    assert [s["title"] for s in sources[1:]] == ["One", "Two"] and {s["parent"] for s in sources[1:]} == {source}
    assert list(items(client, source=source)) == ["Episode 1", "Episode 2"]
    client.call("store.removeSource", id=source)
    assert client.call("store.sources")["sources"] == [] and items(client) == {}


def test_a_feed_that_has_moved_is_read_at_its_new_place_and_keeps_its_items(daemon, publisher):
    moved = f"<itunes:new-feed-url>{publisher.url('/new.xml')}</itunes:new-feed-url>"
    url = publisher.put("old.xml", feed([episode(1), episode(2)], extra=moved))
    publisher.put("new.xml", feed([episode(1), episode(2), episode(3)], extra=moved))
    client = daemon.client()
    source = add(client, url)
    ids = {title: item["id"] for title, item in items(client).items()}
    client.call("store.mark", id=ids["Episode 1"], position=7)
    # It is looked at before it is followed.
    client.wait(lambda v: told(client, source)["url"] == publisher.url("/new.xml"), what="the new place")
    assert refresh(client, source) == "ready" and publisher.statuses("old.xml", 1) == [200]
    found = items(client)
    assert len(found) == 3 and all(found[title]["id"] == item for title, item in ids.items())
    assert found["Episode 1"]["position"] == 7
    assert len(client.call("store.sources")["sources"]) == 1


@pytest.mark.parametrize("there", [None, "<html><body>Soon here</body></html>", "<rss version='2.0'>"])
def test_a_new_place_without_the_feed_is_not_followed(daemon, publisher, there):
    moved = f"<itunes:new-feed-url>{publisher.url('/new.xml')}</itunes:new-feed-url>"
    url = publisher.put("old.xml", feed([episode(1)], extra=moved))
    if there:
        publisher.put("new.xml", there)
    client = daemon.client()
    source = add(client, url)
    publisher.wait_for_requests(2)
    assert refresh(client, source) == "ready"
    assert told(client, source)["url"] == url and len(items(client)) == 1
    assert publisher.statuses("old.xml", 1)[0] == 200 and publisher.statuses("new.xml", 1)[0] == (200 if there else 404)


@pytest.mark.parametrize("status,moves", [("301 Moved Permanently", True), ("308 Permanent Redirect", True),
                                          ("302 Found", False), ("307 Temporary Redirect", False)])
def test_a_permanent_redirect_is_remembered(daemon, scripted, status, moves):
    document = [("head", "HTTP/1.1 200 OK", {"Content-Length": "{size}"}), ("body", feed([episode(1)]).encode()), ("finish",)]

    def to(path, status):
        return [("head", f"HTTP/1.1 {status}", {"Location": path, "Content-Length": "0"}), ("finish",)]

    server = scripted([{"path": "/old", "do": to("/between", status)},
                       {"path": "/between", "do": to("/new", "302 Found")}, {"path": "/new", "do": document}], {})
    client = daemon.client()
    source = add(client, server.url("/old"))
    # What comes after it was for once only.
    expected = "/between" if moves else "/old"
    assert told(client, source)["url"] == server.url(expected)
    assert refresh(client, source) == "ready" and len(items(client)) == 1
    assert len(server.requests("/old")) == (1 if moves else 2) and len(server.requests("/new")) == 2


def test_a_property_list_is_a_catalogue(daemon, publisher):
    url = publisher.put("shop.plist", """<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC
        "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd"><plist version="1.0"><dict>
        <key>Title</key><string>Shop</string><key>Items</key><array><dict><key>Name</key><string>Issue 1</string>
        <key>Date</key><date>2011-10-12T07:00:00Z</date><key>Content</key><string>issues/1.mp3</string></dict></array>
        </dict></plist>""")
    client = daemon.client()
    source = add(client, url)
    assert (told(client, source)["kind"], told(client, source)["title"]) == ("catalogue", "Shop")
    one = items(client)["Issue 1"]
    assert one["url"] == publisher.url("/issues/1.mp3") and one["date"] == "2011-10-12T07:00:00Z"


def test_a_folder_on_a_server_is_a_source(daemon, shared_folder):
    server = shared_folder
    for name in ("1.mp3", "sub/2.mp3", "sub/deep/3 ü.mp3"):
        (server.root / name).parent.mkdir(parents=True, exist_ok=True)
        (server.root / name).write_bytes(mp3(seconds=1).read_bytes())
    (server.root / "notes.txt").write_text("none")
    client = daemon.client()
    source = add(client, server.url("/").replace("http://", "http://me:ge%20heim@"))
    assert client.values[f"sources.{source}.status"] == "ready", client.values[f"sources.{source}.error"]
    assert told(client, source)["kind"] == "webdav"
    assert sorted(i["url"] for i in items(client).values()) == [
        server.url("/1.mp3"), server.url("/sub/2.mp3"), server.url("/sub/deep/3%20%C3%BC.mp3")]
    (server.root / "sub" / "4.mp3").write_bytes(mp3(seconds=1).read_bytes())
    assert refresh(client, source) == "ready" and len(items(client)) == 4


def test_station_lists_and_catalogues_are_sources(daemon, publisher, tmp_path):
    client = daemon.client()
    stations = publisher.put("stations.m3u", "#EXTM3U\n#EXTINF:-1,Radio One\nhttp://r.example/1\n"
                             "#EXTINF:-1,Radio Two\nhttp://r.example/2\n")
    source = add(client, stations)
    assert told(client, source)["kind"] == "stations"
    assert [(t, i["kind"], i["url"]) for t, i in items(client).items()] == [
        ("Radio One", "station", "http://r.example/1"), ("Radio Two", "station", "http://r.example/2")]
    catalogue = tmp_path / "catalogue.json"
    catalogue.write_text(json.dumps({"title": "Mine", "items": [
        {"id": "x", "kind": "album", "title": "Both Sides", "url": "http://m.example/x.mp3", "date": "2001-02-03"}]}))
    source = add(client, str(catalogue))
    assert told(client, source)["kind"] == "catalogue" and told(client, source)["title"] == "Mine"
    assert items(client, source=source)["Both Sides"]["date"] == "2001-02-03T00:00:00Z"


@pytest.mark.parametrize("count", [10, 1000, 50_000])
def test_a_feed_of_any_size_is_taken_in_while_others_are_answered(daemon, publisher, soak, count):
    count = count if soak else min(count, 5000)
    url = publisher.put("feed.xml", feed([episode(n) for n in range(count)]))
    client = daemon.client()
    other = daemon.client()
    client.observe("store", "sources")
    source = client.call("store.addSource", url=url)["id"]
    counts = []
    while not settled(client.values, source):
        counts.append(other.call("store.list", limit=1, query="episode")["total"])
        client.call("ping")
    assert other.call("store.list", limit=1, query="episode")["total"] == count
    assert counts == sorted(counts)
    refresh(client, source)
    assert other.call("store.list", source=source, sort="-date", limit=1)["total"] == count


def test_an_episode_is_played_as_an_item_of_the_store_and_goes_on_where_it_was_left(start, publisher):
    sound = mp3(seconds=40, tags={"title": "Something else"})
    publisher.put("media/1.mp3", sound.read_bytes())
    url = publisher.put("feed.xml", feed([episode(1)]))
    daemon = start("--output", "null", name="kept")
    client = daemon.client()
    source = add(client, url)
    one = items(client)["Episode 1"]["id"]
    client.call("store.mark", id=one, position=20)
    client.observe("player", "item", "queue")
    entry = client.call("open", url=f"store:{one}")["ids"][0]
    client.wait(lambda v: v["player.state"] == "playing" and v["item.entry"] == entry)
    assert 20 <= client.get("player.position")["seconds"] < 39
    listed = client.call("queue.list")["entries"][0]
    assert listed["storeId"] == one and listed["url"] == publisher.url("/media/1.mp3") and listed["source"] == "Tea Time"
    assert client.get("item.title") == "Episode 1"
    client.call("seek", to=25)
    client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] >= 25)
    client.call("stop")
    client.wait(lambda v: v["player.state"] == "stopped")
    assert client.call("store.show", id=one)["position"] >= 25
    daemon.stop()
    client = start("--output", "null", name="kept").client()
    client.observe("player", "item", "store")
    client.call("play")
    client.wait(lambda v: v["player.state"] == "stopped" and client.call("store.show", id=one)["heard"])
    shown = client.call("store.show", id=one)
    assert (shown["position"], shown["playCount"]) == (0, 1) and shown["lastHeard"]


def test_what_is_not_in_the_store_cannot_be_queued(daemon, publisher):
    client = daemon.client()
    for method, parameters in [("open", {"url": "store:9"}), ("queue.add", {"items": ["store:9"]}),
                               ("announce", {"url": "store:9"}), ("alarm.add", {"time": "07:00", "item": "store:9"})]:
        with pytest.raises(RPCError) as failure:
            client.call(method, parameters)
        assert failure.value.name == "not_found"
    with pytest.raises(RPCError) as failure:
        client.call("open", url="store:x")
    assert failure.value.name == "unsupported"


def test_a_feeds_password_goes_to_its_own_origin_only(daemon, scripted):
    sound = mp3(seconds=3).read_bytes()
    song = [("head", "HTTP/1.1 200 OK", {"Content-Length": str(len(sound))}), ("body", sound, {})]
    document = [("head", "HTTP/1.1 200 OK", {"Content-Type": "text/xml"}), ("body", b"", {})]
    server = scripted([{"path": "/feed.xml", "do": document}, {"path": "/media/1.mp3", "do": song},
                       {"on": "B", "path": "/2.mp3", "do": song}], listen=("A", "B"))
    body = feed([episode(1), episode(2, url=server.url("/2.mp3", on="B"))]).encode()
    document[1] = ("body", body, {})
    client = daemon.client()
    source = add(client, server.url("/feed.xml").replace("http://", "http://me:p%40%3As@"))
    found = items(client)
    client.observe("player", "item")
    for title in ("Episode 1", "Episode 2"):
        entry = client.call("open", url=f"store:{found[title]['id']}")["ids"][0]
        client.wait(lambda v: v["item.entry"] == entry and v["item.cached"])
    sent = {r["path"]: r["headers"].get("authorization") for r in server.requests()}
    assert sent["/feed.xml"] == sent["/media/1.mp3"] == "Basic bWU6cEA6cw==" and sent["/2.mp3"] is None
    for text in (json.dumps(told(client, source)), json.dumps(client.call("queue.list")), daemon.log()):
        assert "p@:s" not in text and "p%40" not in text and "bWU6" not in text


def test_an_address_is_looked_up_when_an_item_is_shown(start, scripted, publisher, tmp_path):
    body = json.dumps([{"lat": "52.5200000", "lon": "13.00001", "display_name": "Berlin"}]).encode()
    service = scripted([
        {"path": "/search", "when": {"query": "format=jsonv2&limit=1&q=Berlin%2C%20Tee"},
         "do": [("head", "HTTP/1.1 200 OK", {}), ("body", body, {})]},
        {"path": "/search", "do": [("head", "HTTP/1.1 200 OK", {}), ("body", b"[]", {})]}])
    configuration = tmp_path / "jukeboxd.conf"
    configuration.write_text(f"[store]\ngeocoder = {service.url('/search')}\n")
    client = start("--output", "null", "--config", configuration).client()
    place = "<podcast:location>{}</podcast:location>"
    url = publisher.put("feed.xml", feed([
        episode(1, extra=place.format("Berlin, Tee")), episode(2, extra=place.format("Berlin, Tee")),
        episode(3, extra=place.format("Nowhere"))]))
    add(client, url)
    client.observe("locations")
    ids = {title: item["id"] for title, item in items(client).items()}
    shown = client.call("store.show", id=ids["Episode 1"])["locations"][0]
    assert shown["state"] == "resolving" and shown["geo"] is None
    client.wait(lambda v: v.get(f"locations.{shown['id']}", {}).get("state") == "resolved")
    assert client.values[f"locations.{shown['id']}"]["geo"] == "geo:52.52,13.00001"
    assert client.call("store.show", id=ids["Episode 2"])["locations"] == [client.values[f"locations.{shown['id']}"]]
    other = client.call("store.show", id=ids["Episode 3"])["locations"][0]
    client.wait(lambda v: v.get(f"locations.{other['id']}", {}).get("state") == "unknown")
    asked = service.requests("/search")
    assert len(asked) == 2 and asked[1]["at"] - asked[0]["at"] > 0.9
    assert all(r["headers"]["user-agent"].startswith("jukeboxd/") for r in asked)
