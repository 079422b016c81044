"""A kill at any moment of a refresh: nothing that the catalogue had is lost, and nothing is there twice."""
import random
import signal
import time

from support.publisher import episode, feed
from support.sounds import mp3
from support.subscribing import add, refresh


def edition(round):
    """The newest first; every third title changes with each edition, and now and then all guids do. Each is of another
    size, since a server tells editions of one second apart by that."""
    return feed([episode(n, title=f"Episode {n}" + (f", edition {round}" if n % 3 == 0 else ""),
                         guid=f"{round // 5}-{n}") for n in reversed(range(600 + 20 * min(round, 50)))],
                extra=f"<description>{'x' * (round % 100)}</description>")


def listed(client):
    found, total = [], 1
    while len(found) < total:
        page = client.call("store.list", sort="added", limit=1000, offset=len(found))
        found, total = found + page["items"], page["total"]
    return {item["url"]: item for item in found}, total


def test_a_kill_at_any_moment_of_a_refresh_loses_and_doubles_nothing(start, publisher, soak):
    seed = random.SystemRandom().randrange(1 << 30) if soak else 7
    print(f"seed {seed}")
    choose = random.Random(seed)
    daemon = start("--output", "null", name="kept")
    known, marks, source = {}, {}, None
    for round in range(200 if soak else 3):
        url = publisher.put("feed.xml", edition(round))
        client = daemon.client(contract=False)
        client.observe("store", "sources")
        if source is None:
            source = client.call("store.addSource", url=url)["id"]
        else:
            client.call("store.refresh", source=source)
        # No wait for anything: the moment is meant to be any.
        time.sleep(choose.uniform(0, 0.6))
        daemon.stop(signal.SIGKILL)
        daemon.start()
        client = daemon.client(contract=False)
        client.observe("store", "sources")
        client.wait(lambda v: v.get(f"sources.{source}.status") in ("ready", "failed", "uninitialized"))
        between, _ = listed(client)
        assert all(between[u]["id"] == item for u, item in known.items())
        assert refresh(client, source) == "ready"
        found, total = listed(client)
        assert total == len(found) == 600 + 20 * min(round, 50)
        assert {i["title"] for i in found.values() if "edition" in i["title"]} == {
            f"Episode {n}, edition {round}" for n in range(0, total, 3)}
        assert all(found[u]["id"] == item for u, item in known.items())
        assert all(found[u]["position"] == position for u, position in marks.items())
        known = {u: item["id"] for u, item in found.items()}
        chosen = choose.choice(list(found))
        marks[chosen] = round + 1
        client.call("store.mark", id=found[chosen]["id"], position=round + 1)


def test_a_kill_at_any_moment_of_downloads_loses_and_doubles_nothing(start, publisher, soak, tmp_path):
    seed = random.SystemRandom().randrange(1 << 30) if soak else 11
    print(f"seed {seed}")
    choose = random.Random(seed)
    sounds = {n: mp3(seconds=2, frequency=300 + n, tags={"title": f"Episode {n}"}).read_bytes() for n in range(6)}
    for n, sound in sounds.items():
        publisher.put(f"media/{n}.mp3", sound)
    daemon = start("--output", "null", name="kept")
    client = daemon.client(contract=False)
    source = add(client, publisher.put("feed.xml", feed([episode(n) for n in sounds])))
    items = {int(i["title"].split()[1]): i["id"] for i in client.call("store.list")["items"]}
    for _ in range(100 if soak else 3):
        client.call("store.download", ids=list(items.values()))
        # No wait for anything: the moment is meant to be any.
        time.sleep(choose.uniform(0, 0.5))
        daemon.stop(signal.SIGKILL)
        daemon.start()
        client = daemon.client(contract=False)
        client.observe("store", "sources", "downloads")
        client.wait_for(f"sources.{source}.status", "ready")
        # What was accepted goes on by itself.
        client.wait(lambda v: all(v.get(f"downloads.{i}.state") == "finished" for i in items.values()), what="all of it")
        entries = client.call("cache.list")["entries"]
        assert len(entries) == len(items) and all(entry["complete"] and entry["pinned"] for entry in entries)
        chosen = choose.choice(list(items))
        [file] = client.call("store.export", ids=[items[chosen]], folder=str(tmp_path))["files"]
        assert open(file["path"], "rb").read() == sounds[chosen]
        client.call("store.deleteDownload", ids=list(items.values()))
