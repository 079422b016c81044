"""A real sound server as the device: it is killed and comes back while something plays."""
import time

import pytest
from support.pulse import RATE, Pulse, heard, place
from support.sounds import decoded, mp3

PIECE = 64


@pytest.fixture
def pulse(tmp_path):
    server = Pulse(tmp_path / "pulse")
    yield server
    server.stop()


@pytest.fixture
def player(start, pulse):
    """A client of a daemon that plays to the server."""
    def begin(spec="alsa:pulse"):
        client = start("--output", f"room={spec}", environment=pulse.environment).client()
        client.observe("*")
        return client
    return begin


def grown(file, frames):
    """Waits until so many frames were recorded."""
    end = time.monotonic() + 30
    while file.stat().st_size < 8 * frames:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_server_that_is_killed_is_waited_for_and_played_on_from_where_it_was_heard(pulse, player):
    path = mp3(seconds=30)
    expected = decoded(path)[::2]
    pulse.start()
    client = player()
    client.call("set", values={"player.volume": 50})
    before = pulse.record("before")
    client.call("open", url=str(path))
    client.wait_for("player.state", "playing")
    grown(before, RATE * 2)

    underruns = client.get("outputs.room.underruns")
    pulse.kill()
    values = client.wait(lambda v: v["player.state"] == "buffering" and v["player.waitingReason"] == "device")
    assert values["outputs.room.error"] and values["outputs.room.open"] is False
    stood = values["player.position"]["seconds"]

    pulse.start()
    after = pulse.record("after")
    values = client.wait_for("player.state", "playing")
    assert values["outputs.room.error"] is None and values["outputs.room.open"] is True
    assert values["player.volume"] == 50 and values["outputs.room.underruns"] == underruns
    grown(after, RATE)

    # The same volume: an eighth, sample for sample.
    first, second = heard(before, 1 / 8), heard(after, 1 / 8)
    last = place(first[-PIECE - 1000:][:PIECE], expected)
    again = place(second[1000:][:PIECE], expected)
    assert last is not None and again is not None
    # Nothing old, and little lost: the recorder hears up to a quarter of a second less than the player gave.
    assert -0.1 * RATE < again - last < 0.6 * RATE, (last / RATE, again / RATE, stood)
    assert abs(again / RATE - stood) < 0.3


def test_a_server_that_is_not_there_yet_is_waited_for(pulse, player):
    client = player()
    client.call("open", url=str(mp3(seconds=30)))
    client.wait(lambda v: v["player.waitingReason"] == "device" and v["outputs.room.error"])
    pulse.start()
    client.wait_for("player.state", "playing")
    assert client.values["outputs.room.error"] is None


def test_a_pause_goes_on_where_it_was_heard(pulse, player):
    path = mp3(seconds=30)
    expected = decoded(path)[::2]
    pulse.start()
    client = player()
    file = pulse.record("heard")
    client.call("open", url=str(path))
    client.wait_for("player.state", "playing")
    grown(file, RATE)
    client.call("pause")
    client.wait_for("player.state", "paused")
    size = file.stat().st_size // 8
    grown(file, size + RATE // 2)
    client.call("play")
    client.wait_for("player.state", "playing")
    grown(file, size + RATE * 2)
    samples = heard(file)
    silence = next(n for n in range(len(samples)) if not any(samples[n:n + RATE // 4]))
    sound = next(n for n in range(silence, len(samples)) if samples[n])
    last = place(samples[silence - PIECE - 1000:][:PIECE], expected) + PIECE + 1000
    again = place(samples[sound + 1000:][:PIECE], expected) - 1000
    # A server's own word on what was heard is a few milliseconds off.
    assert abs(again - last) < 0.1 * RATE, (last / RATE, again / RATE)
