"""A kill at any moment of a refresh: nothing that the catalogue had is lost, and nothing is there twice."""
import random
import signal
import time

from support.publisher import episode, feed
from support.subscribing import refresh


def edition(round):
    """The newest first; every third title changes with each edition, and now and then all guids do."""
    return feed([episode(n, title=f"Episode {n}" + (f", edition {round}" if n % 3 == 0 else ""),
                         guid=f"{round // 5}-{n}") for n in reversed(range(600 + 20 * min(round, 50)))])


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
