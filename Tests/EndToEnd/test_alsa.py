"""Sound through libasound itself: what the card played is what was decoded."""
import os
import subprocess
import time
from pathlib import Path

import pytest
from support.daemon import jukectl
from support.fakecard import FakeCard
from support.sounds import decoded, largest_difference, mp3


@pytest.fixture
def card(tmp_path):
    return FakeCard(tmp_path / "card", format="S16_LE", patient=1)


def until(condition, timeout=30):
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def names(daemon):
    """The threads of a daemon."""
    return [(task / "comm").read_text().strip() for task in Path(f"/proc/{daemon.process.pid}/task").iterdir()]


def test_the_card_plays_exactly_what_was_decoded_and_is_freed(start, card):
    path = mp3(seconds=3)
    client = start("--output", "room=alsa:fake", environment=card.environment).client()
    client.observe("*")
    client.call("open", url=str(path))
    client.wait_for("player.state", "playing")
    assert client.values["outputs.room.open"] is True
    client.wait_for("player.state", "stopped")
    client.wait_for("outputs.room.open", False)
    heard, expected = card.samples(), decoded(path)
    assert len(heard) >= len(expected)
    # A card plays whole periods: what follows the last frame is silence.
    assert largest_difference(heard[:len(expected)], expected) <= 1
    assert not any(heard[len(expected):])


def may_be_realtime():
    """Whether a process that is started here may ask for a real-time thread."""
    child = os.fork()
    if child == 0:
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def test_the_thread_that_feeds_the_card_goes_before_all_others_and_only_that(start, card):
    daemon = start("--output", "room=alsa:fake", "--output", "file=null", environment=card.environment)
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(mp3(seconds=30)))
    client.wait_for("player.state", "playing")
    tasks = list(Path(f"/proc/{daemon.process.pid}/task").iterdir())
    kinds = {(task / "comm").read_text().strip(): os.sched_getscheduler(int(task.name)) for task in tasks}
    wanted = os.SCHED_FIFO if may_be_realtime() else os.SCHED_OTHER
    assert kinds.pop("jb-out-room") & ~os.SCHED_RESET_ON_FORK == wanted
    assert set(kinds.values()) == {os.SCHED_OTHER}


def test_nothing_is_lost_or_doubled_over_pauses(start, card):
    path = mp3(seconds=4)
    client = start("--output", "alsa:fake", environment=card.environment).client()
    client.observe("*")
    client.call("open", url=str(path))
    for _ in range(4):
        client.wait_for("player.state", "playing")
        place = client.values["player.position"]["seconds"]
        client.call("pause")
        client.wait_for("player.state", "paused")
        assert client.values["player.position"]["seconds"] >= place
        client.call("play")
    client.wait_for("player.state", "stopped")
    heard, expected = card.samples(), decoded(path)
    # After a break sound fades in within 15 ms: frames are quieter there, but none is missing or doubled.
    faded = [n for n, (h, e) in enumerate(zip(heard, expected)) if abs(h - e) > 1]
    assert len(heard) >= len(expected) and len(faded) <= 4 * 0.02 * 44100 * 2
    assert all(abs(heard[n]) <= abs(expected[n]) + 1 for n in faded)


def test_a_card_that_goes_is_waited_for_and_played_on(start, card):
    client = start("--output", "room=alsa:fake", environment=card.environment).client()
    client.observe("*")
    client.call("open", url=str(mp3(seconds=30)))
    client.wait_for("player.state", "playing")
    card.flag("gone", True)
    values = client.wait(lambda v: v["player.state"] == "buffering" and v["player.waitingReason"] == "device")
    assert values["outputs.room.error"]
    card.flag("gone", False)
    values = client.wait_for("player.state", "playing")
    assert values["outputs.room.error"] is None and values["player.error"] is None


def test_a_busy_card_is_told_and_asked_again(start, card):
    card.flag("busy", True)
    client = start("--output", "room=alsa:fake", environment=card.environment).client()
    client.observe("*")
    client.call("open", url=str(mp3(seconds=5)))
    client.wait(lambda v: v["player.waitingReason"] == "device" and v["outputs.room.error"])
    card.flag("busy", False)
    client.wait_for("player.state", "playing")


def test_volume_stays_through_items_of_other_rates(start, tmp_path):
    card = FakeCard(tmp_path / "card", format="S16_LE", patient=1)
    client = start("--output", "alsa:fake", environment=card.environment).client()
    client.observe("*")
    client.call("set", values={"player.volume": 20})
    client.call("queue.add", items=[str(mp3(seconds=1, rate=r, noise=False)) for r in (44100, 48000)], play=True)
    client.wait_for("player.state", "playing")
    client.wait_for("player.state", "stopped")
    loudest = max(map(abs, decoded(mp3(seconds=1, noise=False))))
    assert 0 < max(map(abs, card.samples())) < loudest / 4


def test_two_outputs_and_one_switched_in_mid_play(start, card, tmp_path):
    out = tmp_path / "second.wav"
    client = start("--output", "room=alsa:fake", "--output", f"file=wav:{out}", environment=card.environment).client()
    client.observe("*")
    client.call("set", values={"outputs.file.enabled": False})
    client.call("open", url=str(mp3(seconds=5)))
    client.wait_for("player.state", "playing")
    client.call("set", values={"outputs.file.enabled": True})
    client.wait_for("outputs.file.open", True)
    client.wait_for("player.state", "stopped")
    client.wait_for("outputs.file.open", False)
    assert out.stat().st_size > 100_000


def test_the_cards_own_volume_is_set_and_followed(start, card):
    daemon = start("--output", "room=alsa:fake?volume=hardware&mixer=fakemixer", environment=card.environment)
    client = daemon.client()
    client.observe("*")
    card.amixer("sset", "Master", "80%")
    client.call("open", url=str(mp3(seconds=30)))
    client.wait_for("player.state", "playing")
    # What it was at counts at first: -10 dB are 68 %.
    client.wait_for("player.volume", 68)
    client.call("set", values={"player.volume": 50})
    until(lambda: card.amixer("sget", "Master") == "[64%] [-18.00dB] [on]")
    card.amixer("sset", "Master", "40%", "mute")
    client.wait(lambda v: v["player.muted"] and v["player.volume"] == 32)
    client.call("set", values={"player.muted": False})
    until(lambda: card.amixer("sget", "Master") == "[40%] [-30.00dB] [on]")
    client.call("pause")
    client.wait_for("player.state", "paused")
    card.amixer("sset", "Master", "100%")
    client.wait_for("player.volume", 100)


def test_the_largest_volume_holds_for_the_card_too(start, card, tmp_path):
    (tmp_path / "conf").write_text("[player]\nmax_volume = 50\nstart_volume = 20\n"
                                   "[outputs]\nroom = alsa:fake?volume=hardware&mixer=fakemixer\n")
    client = start("--config", tmp_path / "conf", environment=card.environment).client()
    client.observe("*")
    client.call("open", url=str(mp3(seconds=30)))
    client.wait_for("player.state", "playing")
    until(lambda: card.amixer("sget", "Master").startswith("[16%]"))
    card.amixer("sset", "Master", "100%")
    client.wait_for("player.volume", 50)
    until(lambda: card.amixer("sget", "Master").startswith("[64%]"))


def test_devices_are_listed_when_asked_for_and_alsa_is_not_touched_before(start, card):
    daemon = start("--output", "null", environment=card.environment)
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(mp3(seconds=30)))
    client.wait_for("player.state", "playing")
    assert "jb-devices" not in names(daemon)
    devices = client.call("outputs.devices")["devices"]
    assert {"name": "fake", "description": "A card for tests"} in devices
    assert "jb-devices" in names(daemon)
    listed = jukectl(daemon, "outputs", "devices")
    assert listed.returncode == 0 and "A card for tests" in listed.stdout


def test_outputs_are_switched_by_the_client_for_people(start, card):
    daemon = start("--output", "room=alsa:fake", "--output", "file=null", environment=card.environment)
    assert jukectl(daemon, "outputs", "off", "file").returncode == 0
    shown = [line.split() for line in jukectl(daemon, "outputs").stdout.splitlines()]
    assert shown == [["file", "null", "off"], ["room", "alsa", "idle"]]
    assert jukectl(daemon, "outputs", "on", "file").returncode == 0
    assert jukectl(daemon, "outputs", "on", "nosuch").returncode == 1
    assert jukectl(daemon, "outputs", "loud").returncode == 2


def test_outputs_of_all_kinds_come_and_go_while_the_others_play_on(start, card, tmp_path):
    fifo, out = tmp_path / "fifo", tmp_path / "heard.wav"
    os.mkfifo(fifo)
    # Keeps it from ending for the reader when the daemon leaves it.
    kept = os.open(fifo, os.O_RDWR)
    taken = tmp_path / "taken.raw"
    reader = subprocess.Popen(["cat", str(fifo)], stdout=open(taken, "wb"))
    daemon = start("--output", "room=alsa:fake", "--output", f"rooms=fifo:{fifo}", "--output", f"file=wav:{out}",
                   "--output", "null", environment=card.environment)
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(mp3(seconds=90)))
    client.wait_for("player.state", "playing")

    def grow(*files):
        before = [file.stat().st_size for file in files]
        until(lambda: all(file.stat().st_size > size + 20_000 for file, size in zip(files, before)))
        assert client.get("player.state") == "playing"

    grow(card.capture, taken, out)
    # The first is the clock that the others follow; without it they go by the next.
    for names, playing in ((["room"], [taken, out]), (["rooms"], [out]), (["room", "rooms"], [card.capture, out])):
        for name in names:
            client.call("set", values={f"outputs.{name}.enabled": not client.values[f"outputs.{name}.enabled"]})
        grow(*playing)
    client.wait(lambda v: all(v[f"outputs.{name}.open"] for name in ("room", "rooms", "file", "null")))
    # One whose reader goes tells it, and nothing else happens.
    reader.kill()
    reader.wait()
    os.close(kept)
    client.wait(lambda v: v["outputs.rooms.error"])
    grow(card.capture, out)
