"""`jukectl browse` as a person sees it in a terminal."""
import re

import pytest
from support.shelf import SONGS, fill, item, song


def titles(screen):
    """What the list shows, in order."""
    return [title for title, _ in SONGS + [("Foxtrot", "")] if re.search(rf"^[> ].. {title}\b", screen, re.MULTILINE)]


def lines(screen, title):
    return [line for line in screen.splitlines() if re.match(rf"[> ].. {title}\b", line)]


def test_list_filter_detail_and_what_changes(daemon, terminal, tmp_path):
    client = fill(daemon, tmp_path / "music")
    screen = terminal(daemon)
    screen.run("jukectl browse")
    seen = screen.wait("1 of 5")
    assert titles(seen) == [title for title, _ in SONGS]
    assert seen.splitlines()[1].startswith(">") and "album    Units" in seen and "The Ohms" in seen
    # The selection goes down, and the detail with it.
    screen.type("Down", "j")
    screen.wait("3 of 5")
    screen.wait("by       Volta")
    # It narrows as one types, accents or not, and widens again.
    screen.type("/")
    screen.enter("angs")
    assert titles(screen.wait("1 of 1")) == ["Echo"]
    screen.type("Enter", "Escape")
    screen.wait("1 of 5")
    # Another client's mark, a new file: both are seen without a key.
    client.call("store.mark", id=item(client, "Bravo"), heard=True)
    screen.wait(lambda s: lines(s, "Bravo")[0][1:2] == "✓")
    song(tmp_path / "music", "Foxtrot", "Volta")
    client.call("store.refresh")
    assert titles(screen.wait("1 of 6"))[-1] == "Foxtrot"
    screen.type("u")
    assert titles(screen.wait("1 of 5")) == ["Alpha", "Charlie", "Delta", "Echo", "Foxtrot"]
    screen.type("u", "s", "?")
    screen.wait("add to the queue")
    screen.type("x")
    screen.wait("by date")


def test_any_size(daemon, terminal, tmp_path):
    fill(daemon, tmp_path / "music")
    screen = terminal(daemon)
    screen.run("jukectl browse")
    screen.wait("album    Units")
    screen.resize(50, 10)
    seen = screen.wait(lambda s: "Units" not in s and "1 of 5" in s)
    assert titles(seen) == [title for title, _ in SONGS]
    screen.type("Right")
    screen.wait(lambda s: "album    Units" in s and "Bravo" not in s)
    screen.type("Left")
    screen.resize(20, 5)
    screen.wait(lambda s: titles(s) == ["Alpha", "Bravo"])
    screen.type("Down", "Down")
    screen.wait(lambda s: titles(s) == ["Bravo", "Charlie"])
    screen.resize(120, 40)
    seen = screen.wait("album    Units")
    assert titles(seen) == [title for title, _ in SONGS] and lines(seen, "Charlie")[0].startswith(">")


def test_keys_play_and_queue(daemon, terminal, tmp_path):
    client = fill(daemon, tmp_path / "music")
    client.observe("player", "item", "queue")
    screen = terminal(daemon)
    screen.run("jukectl browse")
    screen.wait("1 of 5")
    screen.type("Enter")
    client.wait_for("item.title", "Alpha")
    screen.wait(lambda s: re.search(r"playing  The Ohms – Alpha  0:0\d / 0:20  vol 100", s))
    screen.type("Down", "a")
    client.wait_for("queue.length", 2)
    screen.wait("Bravo: added to the queue")
    screen.type("Space", "-")
    client.wait_for("player.state", "paused")
    client.wait_for("player.volume", 95)
    screen.wait("paused")
    screen.type("m")
    screen.wait(lambda s: lines(s, "Bravo")[0][1:2] == "✓")


def test_a_key_downloads(daemon, terminal, published):
    client = daemon.client()
    client.observe("sources", "downloads")
    client.call("store.addSource", url=f"{published}/feed.xml")
    client.wait_for("sources.1.status", "ready")
    screen = terminal(daemon)
    screen.run("jukectl browse")
    screen.wait(lambda s: "The new one" in s and "not here, not heard" in s)
    screen.type("d")
    screen.wait(lambda s: "here, not heard" in s and "not here" not in s)
    new = item(client, "The new one")
    client.wait_for(f"downloads.{new}.state", "finished")
    screen.type("D")
    screen.wait("not here, not heard")
    assert f"downloads.{new}.state" not in client.get("downloads")


@pytest.mark.parametrize("more", [{"NO_COLOR": "1"}, {"term": "vt100"}, {"term": "dumb"}])
def test_without_colour(daemon, terminal, tmp_path, more):
    fill(daemon, tmp_path / "music")
    screen = terminal(daemon, **more)
    screen.run("jukectl browse")
    if more.get("term") == "dumb":
        screen.wait("jukebox-browse: this terminal cannot show it (TERM=dumb)")
        return
    screen.wait("1 of 5")
    assert not re.search(r"\x1b\[[0-9;]*\b(3[0-7]|9[0-7]|38)[;m]", screen.screen(escapes=True))
    screen.type("j")
    assert lines(screen.wait("2 of 5"), "Bravo")[0].startswith(">")


@pytest.mark.parametrize("key", ["q", "C-c"])
def test_leaving_restores_the_terminal(daemon, terminal, tmp_path, key):
    fill(daemon, tmp_path / "music")
    screen = terminal(daemon)
    screen.run("stty -g > before; jukectl browse; echo $? > status; stty -g > after; cmp before after && echo $SHOWN'less'")
    screen.wait("1 of 5")
    screen.type(key)
    seen = screen.wait("endless")
    assert "1 of 5" not in seen


def test_a_daemon_that_goes_and_comes_back(start, terminal, tmp_path):
    daemon = start("--output", "null")
    fill(daemon, tmp_path / "music")
    screen = terminal(daemon)
    screen.run("jukectl browse")
    screen.wait("1 of 5")
    screen.type("Down")
    screen.wait("2 of 5")
    daemon.stop()
    screen.wait(lambda s: "the daemon went" in s or "no daemon answers" in s)
    screen.type("d")
    screen.wait("there is no daemon")
    daemon.start()
    assert lines(screen.wait("2 of 5"), "Bravo")[0].startswith(">")


def test_a_daemon_that_is_not_there_yet(start, terminal, tmp_path):
    daemon = start("--output", "null")
    daemon.stop()
    screen = terminal(daemon)
    screen.run("jukectl browse")
    screen.wait("no daemon answers")
    daemon.start()
    screen.wait("The store is empty.")
