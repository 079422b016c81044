"""Announcements, alarms, the sleep timer and pictures."""
import datetime
import json
import math
import statistics
import time
import zoneinfo

import pytest
from support.client import RPCError
from support.daemon import jukectl
from support.sounds import CACHE, ffmpeg, made_once, mp3, samples

ZONE = "Europe/Berlin"


def in_seconds(seconds, zone=ZONE):
    return datetime.datetime.fromtimestamp(time.time() + seconds, zoneinfo.ZoneInfo(zone)).strftime("%H:%M:%S")


@pytest.fixture
def again(start):
    def begin(*arguments):
        return start("--output", "null", *arguments, name="same", environment={"TZ": ZONE})
    return begin


# -- announcements

@pytest.mark.parametrize("state", ["playing", "paused", "stopped"])
def test_after_an_announcement_all_is_as_it_was(daemon, state):
    client = daemon.client()
    client.observe("*")
    song, bell = mp3(seconds=60, tags={"title": "Song"}), mp3(seconds=1, frequency=880, tags={"title": "Bell"})
    client.call("queue.add", items=[str(song)])
    if state != "stopped":
        client.call("play")
        client.wait_for("player.state", "playing")
        client.call("seek", to=20)
        client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] >= 19.9)
        if state == "paused":
            client.call("pause")
            client.wait_for("player.state", "paused")
    position = client.get("player.position")
    for _ in range(2):
        client.call("announce", url=str(bell), volume=30)
    client.wait(lambda v: v["item.title"] == "Bell" and v["player.state"] == "playing")
    assert client.values["item.entry"] is None and client.values["player.announcing"] is True
    assert client.get("player.volume") == 100
    client.wait(lambda v: v["player.announcing"] is False and v["player.state"] == state)
    after = client.get("player.position")["seconds"]
    assert client.values["item.url"].endswith(song.name)
    if state == "playing":
        assert 19.9 <= after < 60
    else:
        assert abs(after - position["seconds"]) < 0.01
    assert [i["title"] for i in client.call("history.list")["items"]] == (["Song"] if state != "stopped" else [])


def strength(samples, frequency, rate=44100):
    """How strong a tone is in the left channel, by Goertzel's filter: 1 at full scale."""
    turn, before, last = 2 * math.cos(2 * math.pi * frequency / rate), 0.0, 0.0
    for sample in samples[::2]:
        before, last = last, sample / 32768 + turn * last - before
    return 2 * math.sqrt(max(0, last * last + before * before - turn * last * before)) / (len(samples) / 2)


@pytest.mark.parametrize("volume", [None, 100])
def test_what_plays_goes_on_beneath_an_announcement(start, tmp_path, volume):
    out = tmp_path / "out.wav"
    daemon = start("--output", f"wav:{out}")
    client = daemon.client()
    client.observe("player", "item")
    song = mp3(seconds=60, noise=False, level=-12, tags={"title": "Song"})
    bell = mp3(seconds=3, frequency=880, noise=False, level=-12)
    if volume is not None:
        client.call("set", values={"player.volume": 50})
    client.call("open", url=str(song))
    client.wait(lambda v: v["player.state"] == "playing")
    client.wait(lambda v: v["item.title"] == "Song")
    seen = len(client.changes)
    for _ in range(2):
        client.call("announce", url=str(bell), duck=True, **({} if volume is None else {"volume": volume}))
    assert client.values["player.announcing"] is True
    client.wait(lambda v: v["player.announcing"] is False)
    client.wait_for("player.state", "playing")
    position = client.get("player.position")
    assert position["seconds"] + position["rate"] * (time.time() - position["at"]) > 6
    # A machine that is too slow to feed the output breaks the sound by itself.
    if client.get("outputs.wav.underruns") == 0:
        for change in client.changes[seen:]:
            assert not {"player.state", "item.title", "item.entry", "item.url"} & set(change["changes"]), change
    assert client.get("player.volume") == (100 if volume is None else 50)
    before = client.get("player.position")["seconds"]
    client.call("pause")
    client.wait_for("player.state", "paused")
    assert client.get("player.position")["seconds"] > before
    client.call("stop")
    client.wait(lambda v: v["player.state"] == "stopped")
    heard = samples(out)
    parts = [heard[at:at + 44100] for at in range(0, len(heard) - 44100, 44100)]
    with_bell = [part for part in parts if strength(part, 880) > 0.1]
    assert 4 <= len(with_bell) <= 13
    song_alone = strength(parts[0], 440)
    beneath = statistics.median(strength(part, 440) for part in with_bell)
    assert 0.1 * song_alone < beneath < 0.35 * song_alone


def test_jukectl_announces(daemon):
    bell = mp3(seconds=1, frequency=880)
    assert jukectl(daemon, "announce", bell, "--volume", 20).returncode == 0
    client = daemon.client()
    client.observe("player")
    client.wait(lambda v: v["player.state"] == "stopped" and v["player.announcing"] is False)
    assert jukectl(daemon, "announce", "gopher://x").returncode == 1
    assert jukectl(daemon, "announce", "--duck", "--interrupt", bell).returncode == 2
    client.call("open", url=str(mp3(seconds=60)))
    client.wait_for("player.state", "playing")
    assert jukectl(daemon, "announce", "--duck", bell).returncode == 0
    client.wait(lambda v: v["player.announcing"] is True)
    client.wait(lambda v: v["player.announcing"] is False)
    assert client.get("item.entry") is not None


# -- sleeping

def test_it_falls_asleep(daemon):
    client = daemon.client()
    client.observe("player")
    client.call("open", url=str(mp3(seconds=60)))
    client.wait_for("player.state", "playing")
    client.call("set", values={"player.sleepAt": time.time() + 1})
    client.wait_for("player.state", "paused")
    assert client.values["player.sleepAt"] is None
    assert jukectl(daemon, "sleep", "30m").stdout.startswith("sleep at 20")
    assert abs(client.get("player.sleepAt") - time.time() - 1800) < 20
    assert jukectl(daemon, "sleep", "off").stdout == "no sleep timer\n"
    assert jukectl(daemon, "sleep", "soon").returncode == 2


# -- alarms

def test_an_alarm_rings_and_becomes_loud(again):
    client = again().client()
    client.observe("player", "item", "queue")
    song = str(mp3(seconds=60))
    client.call("queue.add", items=["/other.mp3"])
    client.call("alarm.add", time=in_seconds(2), item=song, volume=33, fade=1)
    client.wait(lambda v: v["player.state"] == "playing" and v["item.url"] == song)
    assert client.get("player.volume") == 33 and client.get("queue.length") == 2
    assert client.call("alarm.list")["alarms"] == []


def test_an_alarm_survives_a_crash_and_rings_though_it_is_late(again):
    daemon = again()
    client = daemon.client()
    song = str(mp3(seconds=60))
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    added = client.call("alarm.add", time=in_seconds(3), weekdays=days, item={"url": song, "title": "Up"})
    assert added["title"] == "Up" and added["weekdays"] == days
    daemon.stop(9)
    while time.time() < added["next"] + 0.5:
        time.sleep(0.1)
    client = again().client()
    client.observe("player", "item")
    client.wait(lambda v: v["player.state"] == "playing" and v["item.url"] == song)
    kept = client.call("alarm.list")["alarms"][0]
    assert kept["id"] == added["id"] and kept["next"] >= added["next"] + 80_000


def test_a_station_that_cannot_be_reached_is_replaced_by_what_is_local(again):
    client = again().client()
    client.observe("player", "item")
    song = str(mp3(seconds=60))
    client.call("alarm.add", time=in_seconds(2), item="http://127.0.0.1:9/live", fallback=song)
    client.wait(lambda v: v["player.state"] == "playing" and v["item.url"] == song)


@pytest.mark.parametrize("parameters", [
    {"time": "7:00"}, {"time": "24:00"}, {"time": "07:60"}, {"time": "soon"}, {"time": "07:00", "weekdays": ["monday"]},
    {"time": "07:00", "weekdays": "mon"}, {"time": "07:00", "volume": 101}, {"time": "07:00", "fade": -1},
    {"time": "07:00", "fallback": "http://h/a"}, {"time": "07:00", "item": 5}, {"time": "07:00", "item": ""}])
def test_what_is_no_alarm_is_refused(daemon, parameters):
    client = daemon.client()
    with pytest.raises(RPCError) as refused:
        client.call("alarm.add", parameters)
    assert refused.value.code == -32602
    assert client.call("alarm.list")["alarms"] == []


def test_the_next_time_is_local(again):
    client = again().client()
    zone = zoneinfo.ZoneInfo(ZONE)
    for text in ("00:00", "06:30", "12:00", "23:59:59"):
        alarm = client.call("alarm.add", time=text)
        now = datetime.datetime.now(zone)
        parts = [int(p) for p in text.split(":")] + [0]
        at = now.replace(hour=parts[0], minute=parts[1], second=parts[2], microsecond=0)
        if at <= now:
            at = (at + datetime.timedelta(days=1)).replace(hour=parts[0])
        assert abs(alarm["next"] - at.timestamp()) <= 1, text
        client.call("alarm.remove", id=alarm["id"])
    with pytest.raises(RPCError) as refused:
        client.call("alarm.remove", id=1)
    assert refused.value.name == "not_found"


def test_jukectl_sets_alarms(daemon):
    song = mp3(seconds=20)
    line = jukectl(daemon, "alarm", "add", "06:45", song, "--days", "workdays", "--volume", 30, "--fade", 60).stdout
    assert line.startswith("1  06:45  mon,tue,wed,thu,fri  ") and song.name in line
    assert jukectl(daemon, "alarm").stdout == line
    assert json.loads(jukectl(daemon, "--json", "alarm", "list").stdout)["alarms"][0]["fade"] == 60
    assert jukectl(daemon, "alarm", "remove", 1).returncode == 0
    assert jukectl(daemon, "alarm").stdout == "There are no alarms.\n"
    assert jukectl(daemon, "alarm", "add", "06:45", "--days", "someday").returncode == 1
    assert jukectl(daemon, "alarm", "sing").returncode == 2


# -- pictures

def picture(colour, kind="png"):
    return made_once(CACHE / f"{colour}.{kind}", lambda part: ffmpeg(
        "-f", "lavfi", "-i", f"color=c={colour}:s=64x64", "-frames:v", 1, part))


def test_the_picture_of_the_tags_is_a_file_with_its_bytes(daemon, tmp_path):
    cover, song = picture("red"), tmp_path / "tagged.mp3"
    ffmpeg("-i", mp3(seconds=20), "-i", cover, "-map", "0:a", "-map", "1:v", "-c", "copy", "-id3v2_version", 3,
           "-metadata:s:v", "comment=Cover (front)", song)
    (tmp_path / "cover.png").write_bytes(picture("blue").read_bytes())
    client = daemon.client()
    client.observe("item", "player")
    client.call("open", url=str(song))
    client.wait(lambda v: v["item.artwork"])
    path = client.values["item.artwork"]
    assert path.startswith(str(daemon.folder / "cache" / "artwork")) and path.endswith(".png")
    assert open(path, "rb").read() == cover.read_bytes()
    client.call("stop")
    client.wait_for("item.artwork", None)


@pytest.mark.parametrize("name", ["cover.jpg", "Folder.JPG", "front.png"])
def test_the_picture_of_the_folder_is_taken_else(daemon, tmp_path, name):
    album = tmp_path / "an album"
    album.mkdir()
    (album / "song.mp3").write_bytes(mp3(seconds=20).read_bytes())
    (album / name).write_bytes(b"some picture")
    (album / "other.jpg").write_bytes(b"not this one")
    client = daemon.client()
    client.observe("item", "player")
    client.call("open", url=(album / "song.mp3").as_uri())
    client.wait_for("item.artwork", str(album / name))
