"""Local files: what is heard is what libmpg123 decodes, and state says what happens."""
from support.sounds import decoded, largest_difference, mp3, samples


def play_to_end(client, *paths):
    client.observe("*")
    client.call("queue.add", items=[str(p) for p in paths], play=True)
    # The reply comes after the change to `buffering`; on an untimed output `playing` may be over at once.
    return client.wait_for("player.state", "stopped", timeout=60)


def test_wav_holds_exactly_what_libmpg123_decodes(start, tmp_path):
    path, out = mp3(seconds=3), tmp_path / "out.wav"
    daemon = start("--output", f"wav:{out}")
    play_to_end(daemon.client(), path)
    daemon.stop()
    heard, expected = samples(out), decoded(path)
    assert len(heard) == len(expected)
    assert largest_difference(heard, expected) <= 1


def test_two_files_of_one_format_follow_each_other_without_a_seam(start, tmp_path):
    first, second, out = mp3(seconds=2), mp3(seconds=2, frequency=660), tmp_path / "out.wav"
    daemon = start("--output", f"wav-untimed:{out}")
    play_to_end(daemon.client(), first, second)
    daemon.stop()
    expected = decoded(first) + decoded(second)
    heard = samples(out)
    assert len(heard) == len(expected)
    assert largest_difference(heard, expected) <= 1


def test_many_short_files_follow_each_other_as_fast_as_can_be(start, tmp_path):
    """The next item is often not open yet when the one before it was heard to its end."""
    sounds = [mp3(seconds=0.3 + 0.1 * (index % 5), frequency=300 + 40 * (index % 7)) for index in range(40)]
    out = tmp_path / "out.wav"
    daemon = start("--output", f"wav-untimed:{out}")
    play_to_end(daemon.client(), *sounds)
    daemon.stop()
    expected = [sample for path in sounds for sample in decoded(path)]
    heard = samples(out)
    assert len(heard) == len(expected)
    assert largest_difference(heard, expected) <= 1


def test_state_tells_the_item(daemon):
    path = mp3(seconds=4, tags={"title": "Sine; part 1", "artist": "The Ohms", "album": "Resistance", "track": "3"})
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(path))
    values = client.wait_for("player.state", "playing")
    assert values["item.title"] == "Sine; part 1"
    assert values["item.artist"] == "The Ohms"
    assert values["item.album"] == "Resistance"
    assert values["item.status"] == "readyToPlay"
    assert abs(values["item.duration"] - 4) < 0.001
    assert values["item.seekable"] is True and values["item.live"] is False
    assert values["item.sampleRate"] == 44100 and values["item.channels"] == 2
    assert values["buffer.likelyToKeepUp"] is True
    assert values["queue.index"] == 0 and values["queue.length"] == 1


def test_pause_keeps_position_and_play_goes_on(daemon):
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(mp3(seconds=20)))
    client.wait_for("player.state", "playing")
    client.call("seek", to=10)
    client.wait(lambda v: v["player.position"]["seconds"] >= 10 and v["player.state"] == "playing")
    client.call("pause")
    client.wait_for("player.state", "paused")
    held = client.get("player.position")
    assert held["rate"] == 0 and 9.9 < held["seconds"] < 14
    client.call("pause")
    assert client.get("player.position") == held
    client.call("play")
    client.wait_for("player.state", "playing")
    assert client.get("player.position")["seconds"] >= held["seconds"] - 0.01
    client.call("stop")
    values = client.wait_for("player.state", "stopped")
    assert values["player.position"]["seconds"] == 0
    assert values["queue.length"] == 1


def test_seek_at_the_end_ends_the_item(daemon):
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[str(mp3(seconds=5)), str(mp3(seconds=5, frequency=660))], play=True)
    client.wait_for("player.state", "playing")
    client.call("seek", to=3600)
    client.wait(lambda v: v["queue.index"] == 1 and v["player.state"] == "playing")


def test_positions_are_not_pushed_while_a_song_just_plays(daemon):
    client = daemon.client()
    client.observe("player.position")
    client.call("open", url=str(mp3(seconds=6)))
    client.wait(lambda v: v["player.position"]["rate"] == 1)
    client.wait(lambda v: v["player.position"]["rate"] == 0, timeout=60)
    assert len(client.changes) < 30


def test_volume_and_mute(daemon):
    client = daemon.client()
    client.observe("player")
    client.call("set", values={"player.volume": 40})
    assert client.call("adjust", key="player.volume", by=75)["value"] == 100
    assert client.call("invert", key="player.muted")["value"] is True
    assert client.get("player.muted") is True
    assert client.values["player.volume"] == 100


def test_sample_rate_change_keeps_the_pitch(start, tmp_path):
    paths = [mp3(seconds=2, rate=rate, noise=False) for rate in (44100, 48000, 22050)]
    out = tmp_path / "out.wav"
    daemon = start("--output", f"wav-untimed:{out}")
    play_to_end(daemon.client(), *paths)
    daemon.stop()
    left = samples(out)[::2]
    crossings = sum(1 for a, b in zip(left, left[1:]) if a < 0 <= b)
    seconds = len(left) / 44100
    assert abs(seconds - 6) < 0.05
    assert abs(crossings / seconds - 440) < 3
