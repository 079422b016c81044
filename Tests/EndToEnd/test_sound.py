"""How items become sound: gains, crossfades, and what is remembered of how loud things are."""
import array
import math

import pytest

from support.client import RPCError
from support.daemon import jukectl
from support.sounds import decoded, largest_difference, mp3, samples


def loudness(sound):
    """Root mean square in dB of full scale."""
    return 10 * math.log10(sum(x * x for x in sound) / len(sound) / 32768 ** 2)


def tone(level, seconds=6, **options):
    """A tone at a level in dB of full scale."""
    return mp3(seconds=seconds, noise=False, level=level, **options)


def play(start, out, urls, settings, *options, name=None):
    daemon = start("--output", f"wav-untimed:{out}", *options, name=name)
    client = daemon.client()
    client.observe("*")
    client.call("set", values=settings)
    client.call("queue.clear")
    client.call("queue.add", items=[str(url) for url in urls], play=True)
    client.wait_for("player.state", "stopped", timeout=60)
    daemon.stop()
    return samples(out)


@pytest.mark.parametrize("mode, tags, gain", [
    ("off", {"REPLAYGAIN_TRACK_GAIN": "-6 dB"}, 0),
    ("track", {"REPLAYGAIN_TRACK_GAIN": "0.00 dB"}, 0),
    ("track", {"REPLAYGAIN_TRACK_GAIN": "-6.02 dB", "REPLAYGAIN_ALBUM_GAIN": "-12 dB"}, -6.02),
    ("album", {"REPLAYGAIN_TRACK_GAIN": "-6 dB", "REPLAYGAIN_ALBUM_GAIN": "-12.04 dB"}, -12.04),
    ("auto", {"REPLAYGAIN_TRACK_GAIN": "-6.02 dB", "REPLAYGAIN_ALBUM_GAIN": "-12 dB"}, -6.02)])
def test_tags_tell_the_gain(start, tmp_path, mode, tags, gain):
    path = mp3(seconds=2, tags=tags)
    heard = play(start, tmp_path / "out.wav", [path], {"player.replayGain": mode})
    expected = array.array("h", (round(x * 10 ** (gain / 20)) for x in decoded(path)))
    assert len(heard) == len(expected)
    assert largest_difference(heard, expected) <= 1


def test_what_has_no_tags_is_equally_loud_the_next_time_also_after_a_restart(start, tmp_path):
    paths = [tone(-8), tone(-24)]
    first = play(start, tmp_path / "1.wav", paths, {"player.replayGain": "track"}, name="same")
    second = play(start, tmp_path / "2.wav", paths, {"player.replayGain": "track"}, name="same")
    half = len(first) // 2
    assert abs(loudness(first[:half]) - loudness(first[half:])) > 15
    assert abs(loudness(second[10000:half - 10000]) - loudness(second[half + 10000:-10000])) < 0.5


def test_a_change_of_gain_does_not_click(start, tmp_path):
    path, out = tone(-6, seconds=8, tags={"REPLAYGAIN_TRACK_GAIN": "-12 dB"}), tmp_path / "out.wav"
    daemon = start("--output", f"wav:{out}")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=str(path))
    client.wait_for("player.state", "playing")
    client.call("set", values={"player.replayGain": "track"})
    client.wait_for("player.state", "stopped")
    underruns = client.get("outputs.wav.underruns")
    daemon.stop()
    heard = samples(out)[::2]
    assert loudness(heard[-20000:]) < loudness(heard[:10000]) - 10
    slope = 2 * math.pi * 440 / 44100 * max(map(abs, heard))
    # A machine that is too slow to feed the output breaks the sound by itself.
    assert underruns or max(abs(b - a) for a, b in zip(heard, heard[1:])) < 1.2 * slope


def test_a_station_has_the_gain_of_the_configuration(start, scripted, tmp_path):
    path = mp3(seconds=2)
    server = scripted([{"path": "/a.mp3", "do": [
        ("head", "200 OK", {"Content-Type": "audio/mpeg", "Content-Length": "{length}"}), ("body", "a", {})]}],
        {"a": path.read_bytes()})
    (tmp_path / "c.conf").write_text(f"[station {server.url('/')}]\ngain = -6.02\n")
    heard = play(start, tmp_path / "out.wav", [server.url("/a.mp3")], {}, "--config", tmp_path / "c.conf")
    assert largest_difference(heard, array.array("h", (round(x / 2) for x in decoded(path)))) <= 1


def test_items_fade_into_one_another(start, tmp_path):
    paths = [mp3(seconds=8, frequency=440), mp3(seconds=8, frequency=660)]
    heard = play(start, tmp_path / "out.wav", paths, {"player.crossfade": 2})
    first, second = map(decoded, paths)
    fade = 2 * 44100 * 2
    assert len(heard) == len(first) + len(second) - fade
    assert largest_difference(heard[:len(first) - fade], first) <= 1
    assert largest_difference(heard[len(first):], second[fade:]) <= 1


def test_in_the_middle_of_a_fade_state_goes_over_to_the_next(daemon):
    client = daemon.client()
    client.observe("player", "queue", "item")
    client.call("set", values={"player.crossfade": 2})
    client.call("queue.add", items=[str(mp3(seconds=8, frequency=f)) for f in (440, 660)], play=True)
    client.wait_for("player.state", "playing")
    client.call("seek", to=4)
    client.wait_for("queue.index", 1)
    assert abs(client.values["player.position"]["seconds"] - 1) < 0.3
    assert client.values["player.state"] == "playing" and client.values["item.entry"] == 2


def test_next_begins_a_prepared_item_with_its_first_sample(start, tmp_path):
    paths, out = [mp3(seconds=9), mp3(seconds=2, frequency=660)], tmp_path / "out.wav"
    daemon = start("--output", f"wav:{out}")
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[str(p) for p in paths], play=True)
    client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] >= 0)
    client.call("next")
    client.wait_for("player.state", "stopped")
    underruns = client.get("outputs.wav.underruns")
    daemon.stop()
    heard, second = samples(out), decoded(paths[1])
    # A machine that is too slow to feed the output breaks the sound by itself.
    assert underruns or largest_difference(heard[-len(second):], second) <= 1
    assert underruns or max(abs(b - a) for a, b in zip(heard[::2], heard[2::2])) < 12000


def test_a_scan_is_heard_until_its_key_is_let_go(daemon):
    client, other = daemon.client(), daemon.client()
    client.observe("player")
    client.call("open", url=str(mp3(seconds=60)))
    client.wait_for("player.state", "playing")

    def seconds(values):
        return values["player.position"]["seconds"]

    client.call("seek.begin", direction="forward")
    client.wait(lambda v: seconds(v) > 6)
    client.call("seek.end")
    client.wait_for("player.state", "playing")
    assert 6 <= seconds(client.values) < 60
    # A client that goes lets the key go.
    other.call("remote", event="beginSeekingBackward")
    before = seconds(client.values)
    client.wait(lambda v: seconds(v) < before - 1.5)
    other.close()
    client.wait_for("player.state", "playing")
    client.call("pause")
    client.call("seek", to=30)
    client.call("seek.begin", params={"direction": "forward"})
    client.wait(lambda v: v["player.state"] == "playing" and seconds(v) > 31)
    client.call("seek.end")
    client.wait_for("player.state", "paused")
    with pytest.raises(RPCError) as error:
        client.call("seek.begin", direction="up")
    assert error.value.code == -32602


def test_the_settings_are_kept_and_the_client_sets_them(start):
    daemon = start("--output", "null", name="same")
    assert jukectl(daemon, "replaygain", "auto").stdout == "replaygain auto\n"
    assert jukectl(daemon, "crossfade", "2.5").stdout == "crossfade 2.5 s\n"
    assert jukectl(daemon, "replaygain", "loud").returncode == 2
    assert jukectl(daemon, "crossfade", "99").returncode == 1
    daemon.stop()
    client = start("--output", "null", name="same").client()
    assert client.get("player.replayGain", "player.crossfade") == {"player.replayGain": "auto", "player.crossfade": 2.5}


def test_the_sleep_timer_survives_a_restart(start, tmp_path):
    import time
    daemon = start("--output", "null", name="same")
    at = time.time() + 3600
    daemon.client().call("set", values={"player.sleepAt": at})
    daemon.stop(9)
    assert abs(start("--output", "null", name="same").client().get("player.sleepAt") - at) < 1
