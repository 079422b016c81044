"""The cache on disk, against a real nginx: what was fetched is not fetched again."""
import json
import os
import random
import shutil
import signal
import time

import pytest
from support.client import RPCError
from support.daemon import jukectl
from support.nginx import Nginx
from support.sounds import decoded, largest_difference, mp3, samples


@pytest.fixture
def nginx(tmp_path):
    root = tmp_path / "www"
    root.mkdir()
    shutil.copy(mp3(seconds=20), root / "a.mp3")
    # Long ago, so that the date can tell versions apart.
    os.utime(root / "a.mp3", (1_600_000_000, 1_600_000_000))
    server = Nginx(tmp_path / "nginx", root).start()
    yield server
    server.stop()


def wait_until_cached(client):
    client.wait(lambda v: v["item.cached"] is True, what="all of it here")


def test_a_second_play_asks_nobody_also_after_a_restart(start, nginx):
    url = nginx.url("/fresh/a.mp3")
    daemon = start("--output", "null", name="one")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=url)
    wait_until_cached(client)
    client.wait(lambda v: v["item.loadedRanges"] and v["item.loadedRanges"][0][0] == 0)
    assert len(nginx.wait_for_requests(1)) == 1
    assert nginx.requests()[0]["range"] == "bytes=0-"
    client.call("stop")
    daemon.stop()

    daemon.start()
    client = daemon.client()
    client.observe("*")
    client.call("open", url=url)
    client.wait_for("player.state", "playing")
    client.wait(lambda v: v["item.cached"] is True and v["item.seekable"] is True)
    client.call("seek", to=15)
    client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] >= 15)
    client.call("seek", to=1)
    client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] < 14)
    assert client.get("network.received") == 0
    assert len(nginx.requests()) == 1


def test_what_is_stale_costs_one_conditional_request(start, nginx):
    url = nginx.url("/stale/a.mp3")
    daemon = start("--output", "null", name="one")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=url)
    wait_until_cached(client)
    client.call("stop")
    client.call("open", url=url)
    client.wait_for("player.state", "playing")
    requests = nginx.wait_for_requests(2)
    assert [r["status"] for r in requests] == [206, 304], requests
    assert requests[1]["sent"] == 0 and requests[1]["ifNoneMatch"]


def test_a_replaced_file_is_heard_in_its_new_version(start, nginx, tmp_path):
    url = nginx.url("/stale/a.mp3")
    out = tmp_path / "heard.wav"
    daemon = start("--output", f"wav-untimed:{out}", name="one")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=url)
    client.wait(lambda v: v["player.state"] == "stopped" and v["queue.length"] == 1 and v["cache.used"] > 0, what="end")
    daemon.stop()
    new = mp3(seconds=8, frequency=880)
    shutil.copy(new, nginx.root / "a.mp3")
    daemon.start()
    client = daemon.client()
    client.observe("*")
    client.call("open", url=url)
    client.wait(lambda v: v["item.duration"] is not None and abs(v["item.duration"] - 8) < 0.1)
    client.wait_for("player.state", "stopped")
    daemon.stop()
    expected = decoded(new)
    heard = samples(out)
    assert len(heard) == len(expected) and largest_difference(heard, expected) <= 1


def test_the_client_shows_and_empties_it(start, nginx):
    url = nginx.url("/fresh/a.mp3")
    daemon = start("--output", "null")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=url)
    wait_until_cached(client)
    client.call("stop")
    client.wait(lambda v: v["cache.used"] > 300_000, what="bytes on disk")
    [entry] = client.call("cache.list")["entries"]
    assert entry["url"] == url and entry["complete"] and entry["bytes"] == entry["length"]
    assert url in jukectl(daemon, "cache", "list").stdout
    assert "1 entries" in jukectl(daemon, "cache").stdout
    assert json.loads(jukectl(daemon, "cache", "--json").stdout)["entries"] == 1
    assert jukectl(daemon, "cache", "limit", "500M").returncode == 0
    client.wait_for("cache.limit", 500 << 20)
    assert jukectl(daemon, "cache", "clear", "http://elsewhere/").stdout == "freed 0 B\n"
    assert client.call("cache.list")["entries"] != []
    assert "freed" in jukectl(daemon, "cache", "clear", url).stdout
    assert client.call("cache.list")["entries"] == []
    client.wait_for("cache.used", 0)


def test_two_daemons_on_one_folder(start, nginx):
    first = start("--output", "null", name="first")
    first.client().call("cache.status")
    second = start("--output", "null", "--cache-dir", first.folder / "cache", name="second")
    client = second.client()
    client.observe("*")
    client.wait(lambda v: "Another daemon" in (v["cache.error"] or ""), what="the reason")
    client.call("open", url=nginx.url("/a.mp3"))
    client.wait_for("player.state", "playing")
    first.stop()


def test_offline_plays_only_what_is_here(start, nginx):
    daemon = start("--output", "null", name="one")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=nginx.url("/stale/a.mp3"))
    wait_until_cached(client)
    daemon.stop()
    count = len(nginx.requests())
    daemon.arguments.append("--offline")
    daemon.start()
    client = daemon.client()
    client.observe("*")
    client.call("open", url=nginx.url("/stale/a.mp3"))
    client.wait_for("player.state", "playing")
    client.call("open", url=nginx.url("/b.mp3"))
    client.wait(lambda v: v["player.error"] is not None)
    assert client.get("player.error")["code"] == "offline"
    assert len(nginx.requests()) == count


def test_a_folder_that_cannot_be_written_costs_only_the_cache(start, nginx, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    daemon = start("--output", "null", "--cache-dir", blocked / "cache")
    client = daemon.client()
    client.observe("*")
    client.wait(lambda v: v["cache.error"] is not None)
    client.call("open", url=nginx.url("/a.mp3"))
    client.wait_for("player.state", "playing")


def test_a_folder_that_vanishes_is_made_again(start, nginx):
    daemon = start("--output", "null")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=nginx.url("/fresh/a.mp3"))
    wait_until_cached(client)
    client.call("stop")
    shutil.rmtree(daemon.folder / "cache")
    client.call("open", url=nginx.url("/fresh/a.mp3"))
    client.wait_for("player.state", "playing")
    wait_until_cached(client)
    client.call("stop")
    client.wait(lambda v: v["cache.error"] is None)
    # What was fetched is here before it is safely on disk.
    end = time.monotonic() + 30
    while not [entry for entry in client.call("cache.list")["entries"] if entry["complete"]]:
        assert time.monotonic() < end, client.call("cache.list")
        time.sleep(0.05)


def test_killed_at_any_moment_nothing_wrong_is_ever_heard(start, nginx, tmp_path, soak):
    """Kills the daemon in the middle of writing, again and again; all it then plays must be right."""
    generator = random.Random(7)
    data = (nginx.root / "a.mp3").read_bytes()
    expected = decoded(nginx.root / "a.mp3")
    out = tmp_path / "heard.wav"
    for round in range(200 if soak else 6):
        daemon = start("--output", "null", name="killed")
        client = daemon.client()
        client.call("open", url=nginx.url("/slow/a.mp3"))
        time.sleep(generator.uniform(0, 0.6))
        daemon.stop(signal.SIGKILL)
        if round % 5 == 0:
            (daemon.folder / "cache").exists() and os.sync()
        player = start("--output", f"wav-untimed:{out}", "--cache-dir", daemon.folder / "cache", name="heard")
        client = player.client()
        client.observe("*")
        client.call("open", url=nginx.url("/slow/a.mp3"))
        client.wait(lambda v: v["player.state"] == "stopped" and v["item.duration"] is not None, timeout=90)
        assert client.get("player.error") is None
        player.stop()
        heard = samples(out)
        assert len(heard) == len(expected) and largest_difference(heard, expected) <= 1, f"round {round}"
        if round % 3 == 2:
            shutil.rmtree(daemon.folder / "cache")
    assert len(data) > 300_000


def test_a_limit_that_was_set_is_kept_until_the_configuration_names_another(start, tmp_path):
    path = tmp_path / "jukeboxd.conf"
    path.write_text("[loader]\ncache_limit = 1G\n")
    daemon = start("--output", "null", "--config", path)
    assert daemon.client().get("cache.limit") == 1 << 30
    daemon.client().call("set", values={"cache.limit": 300 << 20})
    daemon.stop(signal.SIGKILL)
    daemon.start()
    assert daemon.client().get("cache.limit") == 300 << 20
    assert daemon.client().call("cache.status")["limit"] == 300 << 20
    daemon.stop()
    path.write_text("[loader]\ncache_limit = 2G\n")
    daemon.start()
    assert daemon.client().get("cache.limit") == 2 << 30


def test_a_disk_that_hangs_holds_up_nobody(start, nginx):
    """A pipe in the place of a file lets whoever opens it wait until somebody writes: a disk that hangs."""
    daemon = start("--output", "null", name="one")
    daemon.stop()
    salt = daemon.folder / "cache" / "media" / "salt"
    content = salt.read_bytes()
    salt.unlink()
    os.mkfifo(salt)
    daemon.start()
    client = daemon.client()
    client.observe("*")
    for _ in range(2):
        client.call("open", url=nginx.url("/a.mp3"))
        client.wait_for("player.state", "playing")
        client.call("seek", to=10)
        client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] >= 10)
    client.wait(lambda v: "does not answer" in (v["cache.error"] or ""), what="the reason")
    begun = time.monotonic()
    for _ in range(20):
        assert "does not answer" in client.call("cache.status")["error"]
        for method in ("cache.list", "cache.clear"):
            with pytest.raises(RPCError) as error:
                client.call(method)
            assert error.value.name == "invalid_state"
    # Answered at once: sixty that are waited for would take a minute.
    assert time.monotonic() - begun < 20
    assert jukectl(daemon, "cache", "list").returncode != 0
    with open(salt, "wb") as pipe:
        pipe.write(content)
    client.wait(lambda v: v["cache.error"] is None, what="the disk to be back")
    assert client.call("cache.list")["entries"] is not None


def test_what_follows_is_fetched_as_soon_as_the_current_one_is_here(start, nginx):
    shutil.copy(mp3(seconds=20, frequency=550), nginx.root / "b.mp3")
    daemon = start("--output", "null")
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[nginx.url("/fresh/a.mp3"), nginx.url("/fresh/b.mp3")], play=True)
    requests = nginx.wait_for_requests(2)
    assert [r["uri"] for r in requests] == ["/fresh/a.mp3", "/fresh/b.mp3"]
    assert client.get("queue.index") == 0
    client.call("next")
    client.wait(lambda v: v["queue.index"] == 1 and v["player.state"] == "playing")
    wait_until_cached(client)
    assert len(nginx.requests()) == 2


def test_nothing_is_fetched_ahead_where_bytes_cost_something(start, nginx, tmp_path):
    shutil.copy(mp3(seconds=20, frequency=550), nginx.root / "b.mp3")
    path = tmp_path / "jukeboxd.conf"
    path.write_text("[loader]\nmetered = true\n")
    daemon = start("--output", "null", "--config", path)
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[nginx.url("/fresh/a.mp3"), nginx.url("/fresh/b.mp3")], play=True)
    client.wait_for("player.state", "playing")
    client.call("seek", to=6)
    client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] >= 6)
    assert [r["uri"] for r in nginx.requests()] == ["/fresh/a.mp3"]
