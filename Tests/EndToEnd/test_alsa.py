"""Sound through libasound itself: what the card played is what was decoded."""
import os
from pathlib import Path

import pytest
from support.fakecard import FakeCard
from support.sounds import decoded, largest_difference, mp3


@pytest.fixture
def card(tmp_path):
    return FakeCard(tmp_path / "card", format="S16_LE", patient=1)


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
