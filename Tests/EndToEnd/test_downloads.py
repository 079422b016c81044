"""Downloads: items of the store that are fetched in the background, to be played without a network."""
import signal
import time

import pytest
from support.client import RPCError
from support.sounds import mp3

ITEM = '<item><guid>{n}</guid><title>Episode {n}</title><enclosure url="{url}" type="audio/mpeg"/></item>'
WHOLE = ("head", "HTTP/1.1 200 OK", {"Content-Type": "audio/mpeg", "Content-Length": "{size}", "ETag": '"1"',
                                     "Accept-Ranges": "bytes"})
PART = ("head", "HTTP/1.1 206 Partial Content", {
    "Content-Type": "audio/mpeg", "Content-Length": "{length}", "ETag": '"1"', "Content-Range": "bytes {start}-{end}/{size}"})


def sound(path, **how):
    """Routes of a file that is served with ranges."""
    return [{"path": path, "when": {"from": 1}, "do": [PART, ("body", "song", {"range": True, **how}), ("finish",)]},
            {"path": path, "do": [WHOLE, ("body", "song", how), ("finish",)]}]


def feed(*urls):
    items = "".join(ITEM.format(n=n, url=url) for n, url in enumerate(urls, 1))
    return f'<rss version="2.0"><channel><title>Show</title>{items}</channel></rss>'


@pytest.fixture
def publish(scripted):
    """Serves a feed of these paths, and what more routes say."""
    def serve(*paths, routes):
        server = scripted([{"path": "/feed", "do": [
            ("head", "HTTP/1.1 200 OK", {"Content-Type": "application/rss+xml", "Content-Length": "{size}"}),
            ("body", feed(*paths).encode()), ("finish",)]}, *routes], {"song": mp3(seconds=30).read_bytes()})
        return server

    return serve


def subscribe(client, server):
    """Adds the feed and returns the ids of its items, in order."""
    client.observe("store", "sources", "downloads", "player", "item")
    source = client.call("store.addSource", url=server.url("/feed"))["id"]
    client.wait_for(f"sources.{source}.status", "ready")
    items = client.call("store.list", sort="title")["items"]
    return [item["id"] for item in items]


def state(client, item, *states):
    client.wait(lambda v: v.get(f"downloads.{item}.state") in states, what=" or ".join(states))
    return client.values[f"downloads.{item}.state"]


def test_an_item_is_here_whole_and_is_played_without_its_server(start, publish):
    server = publish("/1.mp3", routes=sound("/1.mp3"))
    daemon = start("--output", "null")
    client = daemon.client()
    [item] = subscribe(client, server)
    assert not client.call("store.show", id=item)["available"]
    assert client.call("store.download", ids=[item]) == {"ids": [item]}
    state(client, item, "finished")
    size = mp3(seconds=30).stat().st_size
    assert client.values[f"downloads.{item}.received"] == client.values[f"downloads.{item}.expected"] == size
    assert client.values[f"downloads.{item}.fraction"] == 1
    client.wait(lambda v: client.call("store.show", id=item)["available"], what="available")
    [entry] = client.call("cache.list")["entries"]
    assert entry["complete"] and entry["pinned"]
    assert len(server.requests("/1.mp3")) == 1
    # What is pinned is not cleared with the rest.
    client.call("cache.clear")
    server.close()
    daemon.stop()
    daemon.start()
    client = daemon.client()
    client.observe("player", "item", "downloads")
    state(client, item, "finished")
    client.call("open", url=server.url("/1.mp3"))
    client.wait(lambda v: v["player.state"] == "playing" and v["item.cached"] is True, what="playing what is here")
    assert len(server.requests("/1.mp3")) == 1


def test_what_was_heard_is_not_fetched_again(daemon, publish):
    server = publish("/1.mp3", routes=sound("/1.mp3"))
    client = daemon.client()
    [item] = subscribe(client, server)
    client.call("open", url=server.url("/1.mp3"))
    client.wait(lambda v: v["item.cached"] is True, what="all of it here")
    client.call("store.download", ids=[item])
    state(client, item, "finished")
    assert len([r for r in server.requests("/1.mp3") if not r["headers"].get("if-none-match")]) == 1


def test_what_was_heard_whole_is_available_until_it_is_evicted(daemon, publish):
    server = publish("/1.mp3", "/2.mp3", routes=[*sound("/1.mp3"), *sound("/2.mp3")])
    client = daemon.client()
    first, second = subscribe(client, server)

    def available():
        return [client.call("store.show", id=item)["available"] for item in (first, second)]

    def wait(expected):
        before = client.values["store.revision"]
        client.wait(lambda v: v["store.revision"] >= before and available() == expected, what=f"{expected}")

    assert available() == [False, False]
    client.call("open", url=f"store:{first}")
    wait([True, False])
    client.call("queue.clear")
    client.call("open", url=f"store:{second}")
    wait([True, True])
    assert {i["id"] for i in client.call("store.list", available=True)["items"]} == {first, second}
    client.call("queue.clear")
    client.call("cache.clear", url=server.url("/1.mp3"))
    wait([False, True])
    client.call("set", values={"cache.limit": 0})
    wait([False, False])


def test_it_goes_on_after_a_kill_where_it_was(daemon, publish):
    size = mp3(seconds=30).stat().st_size
    server = publish("/1.mp3", routes=[
        {"path": "/1.mp3", "times": 1, "do": [WHOLE, ("body", "song", {"to": size // 2}), ("hold", 60)]}, *sound("/1.mp3")])
    client = daemon.client()
    [item] = subscribe(client, server)
    client.call("store.download", ids=[item])
    client.observe("cache")
    client.wait(lambda v: v["cache.used"] >= size // 2 - 65_536 - 4096, what="half of it on disk")
    client.wait(lambda v: (v.get(f"downloads.{item}.fraction") or 0) > 0.4, what="half")
    assert client.values[f"downloads.{item}.state"] == "running"
    daemon.stop()
    daemon.start()
    client = daemon.client()
    client.observe("downloads")
    state(client, item, "finished")
    later = server.requests("/1.mp3")[1:]
    assert later and all(r["range"] and r["range"][0] > size // 4 for r in later)


def test_several_wait_their_turn_and_a_cancelled_one_goes(daemon, publish):
    paths = [f"/{n}.mp3" for n in range(1, 5)]
    held = [{"path": path, "do": [WHOLE, ("body", "song", {"to": 5000}), ("hold", 60)]} for path in paths]
    server = publish(*paths, routes=held)
    client = daemon.client()
    items = subscribe(client, server)
    client.call("store.download", ids=items)
    client.wait(lambda v: [v.get(f"downloads.{i}.state") for i in items] == ["running"] * 2 + ["queued"] * 2)
    client.call("store.cancelDownload", ids=items[:1])
    client.wait(lambda v: v.get(f"downloads.{items[0]}.state") is None and v[f"downloads.{items[2]}.state"] == "running")
    with pytest.raises(RPCError) as refused:
        client.call("store.cancelDownload", ids=[items[0], items[1]])
    assert refused.value.name == "not_found"
    assert client.values[f"downloads.{items[1]}.state"] == "running"


def test_a_deleted_one_is_gone_with_its_bytes(daemon, publish):
    server = publish("/1.mp3", routes=sound("/1.mp3"))
    client = daemon.client()
    [item] = subscribe(client, server)
    client.call("store.download", ids=[item])
    state(client, item, "finished")
    client.call("store.deleteDownload", ids=[item])
    client.wait(lambda v: f"downloads.{item}.state" not in v or v[f"downloads.{item}.state"] is None)
    client.wait(lambda v: client.call("cache.list")["entries"] == [], what="space")
    client.wait(lambda v: not client.call("store.show", id=item)["available"], what="not available")


@pytest.mark.parametrize("type,body", [
    ("text/html", b"<html><title>Sign in</title></html>"), ("audio/mpeg", b"\n <!DOCTYPE html><html></html>"),
    ("application/json", b'{"error": ""}'), ("audio/mpeg", b'{"error": "expired"}')])
def test_a_page_is_no_episode(daemon, publish, type, body):
    server = publish("/1.mp3", routes=[{"path": "/1.mp3", "do": [
        ("head", "HTTP/1.1 200 OK", {"Content-Type": type, "Content-Length": "{size}"}), ("body", body), ("finish",)]}])
    client = daemon.client()
    [item] = subscribe(client, server)
    client.call("store.download", ids=[item])
    state(client, item, "failed")
    assert client.values[f"downloads.{item}.error"]["code"] == "unsupported_format"
    client.wait(lambda v: client.call("cache.list")["entries"] == [], what="nothing left")
    assert not client.call("store.show", id=item)["available"]


@pytest.mark.parametrize("status,code", [("401 Unauthorized", "unauthorized"), ("404 Not Found", "not_found")])
def test_a_refusal_is_told(daemon, publish, status, code):
    server = publish("/1.mp3", routes=[{"path": "/1.mp3", "do": [
        ("head", f"HTTP/1.1 {status}", {"Content-Length": "0"}), ("finish",)]}])
    client = daemon.client()
    [item] = subscribe(client, server)
    client.call("store.download", ids=[item])
    state(client, item, "failed")
    assert client.values[f"downloads.{item}.error"]["code"] == code


def test_what_has_no_end_or_is_not_there_is_refused(daemon, publish, tmp_path):
    (tmp_path / "radio.m3u").write_text("#EXTM3U\n#EXTINF:-1,Radio\nhttp://127.0.0.1:9/live\n")
    client = daemon.client()
    client.observe("store", "sources")
    source = client.call("store.addSource", url=str(tmp_path / "radio.m3u"))["id"]
    client.wait(lambda v: v.get(f"sources.{source}.status") in ("ready", "failed"))
    [station] = client.call("store.list")["items"]
    with pytest.raises(RPCError) as refused:
        client.call("store.download", ids=[station["id"]])
    assert refused.value.name == "unsupported" and "no end" in str(refused.value)
    with pytest.raises(RPCError) as refused:
        client.call("store.download", ids=[999])
    assert refused.value.name == "not_found"


def test_a_removed_source_takes_its_downloads_along(daemon, publish):
    server = publish("/1.mp3", routes=sound("/1.mp3"))
    client = daemon.client()
    [item] = subscribe(client, server)
    client.call("store.download", ids=[item])
    state(client, item, "finished")
    [source] = client.call("store.sources")["sources"]
    client.call("store.removeSource", id=source["id"])
    client.wait(lambda v: v.get(f"downloads.{item}.state") is None and client.call("cache.list")["entries"] == [])


def test_the_password_of_a_feed_goes_to_its_own_host_only(daemon, scripted):
    allowed = {"Content-Type": "application/rss+xml", "Content-Length": "{size}"}
    routes = [{"path": "/feed", "do": [("head", "HTTP/1.1 200 OK", allowed), ("body", "feed"), ("finish",)]},
              *sound("/1.mp3"), *[{**route, "on": "B"} for route in sound("/2.mp3")]]
    server = scripted(routes, {"song": mp3(seconds=2).read_bytes()}, listen=("A", "B"))
    server.files["feed"] = feed(server.url("/1.mp3"), server.url("/2.mp3", on="B")).encode()
    client = daemon.client()
    client.observe("store", "sources", "downloads")
    url = server.url("/feed").replace("http://", "http://user:p%40%3As@")
    source = client.call("store.addSource", url=url)["id"]
    client.wait_for(f"sources.{source}.status", "ready")
    items = [i["id"] for i in client.call("store.list", sort="title")["items"]]
    client.call("store.download", ids=items)
    for item in items:
        state(client, item, "finished")
    assert all(r["headers"].get("authorization") == "Basic dXNlcjpwQDpz" for r in server.requests("/feed"))
    assert all(r["headers"].get("authorization") == "Basic dXNlcjpwQDpz" for r in server.requests("/1.mp3"))
    assert server.requests("/2.mp3") and all("authorization" not in r["headers"] for r in server.requests("/2.mp3"))


def test_downloads_keep_to_their_rate_and_what_is_heard_does_not(start, publish):
    server = publish("/1.mp3", "/2.mp3", routes=[*sound("/1.mp3"), *sound("/2.mp3")])
    daemon = start("--output", "null")
    client = daemon.client()
    assert client.call("get", keys=["store.downloadRate"])["values"] == {"store.downloadRate": 0}
    items = subscribe(client, server)
    rate = 48_000
    client.call("set", values={"store.downloadRate": rate})
    begun = time.monotonic()
    client.call("store.download", ids=items)
    received = 0
    while received < 200_000:
        client.wait(lambda v: sum(v.get(f"downloads.{i}.received") or 0 for i in items) > received, what="more")
        received = sum(client.values.get(f"downloads.{i}.received") or 0 for i in items)
        # Each has a buffer in hand that it may be ahead by.
        assert received <= rate * (time.monotonic() - begun) + 4 * 65_536
    # Whoever hears one of them does not wait for it; nor do the rest, once they may.
    client.call("open", url=server.url("/1.mp3"))
    client.wait(lambda v: v["item.cached"] is True, what="what is heard comes at once")
    assert client.values[f"downloads.{items[1]}.state"] == "running"
    client.call("set", values={"store.downloadRate": 0})
    for item in items:
        state(client, item, "finished")
    client.call("set", values={"store.downloadRate": 5_000_000})
    daemon.stop()
    daemon.start()
    assert daemon.client().call("get", keys=["store.downloadRate"])["values"] == {"store.downloadRate": 5_000_000}


@pytest.mark.parametrize("round", range(3))
def test_a_kill_at_any_moment_loses_and_doubles_nothing(daemon, publish, round):
    paths = [f"/{n}.mp3" for n in range(1, 4)]
    server = publish(*paths, routes=[route for path in paths for route in sound(path, rate=400_000)])
    client = daemon.client()
    items = subscribe(client, server)
    client.call("store.download", ids=items)
    wanted = 1 + round * 150_000
    client.wait(lambda v: sum(v.get(f"downloads.{i}.received") or 0 for i in items) >= wanted, what="some bytes")
    daemon.stop(signal.SIGKILL)
    daemon.start()
    client = daemon.client()
    client.observe("downloads", "sources", "store")
    for item in items:
        state(client, item, "finished")
    assert sorted(i["id"] for i in client.call("store.list")["items"]) == items
    entries = client.call("cache.list")["entries"]
    assert len(entries) == 3 and all(entry["complete"] for entry in entries)
