"""Live radio that is paused and gone back in."""
import os
import time
from pathlib import Path

import pytest
from support.sounds import mp3
from support.station import Station

INTERVAL = 8000


@pytest.fixture
def radio():
    """A station whose first 40 s come at once: half a second of sound for each 8000 bytes; a title every 10 s."""
    data = mp3(seconds=120, bitrate="128k").read_bytes()
    titles = {INTERVAL * 20 * n + INTERVAL: f"Song {n}" for n in range(100)}
    stations = []

    def begin(**options):
        stations.append(Station(data, **{"burst": 640_000, "interval": INTERVAL, "titles": titles, **options}).start())
        return stations[-1]

    yield begin
    for one in stations:
        one.stop()


def configured(start, tmp_path, **keys):
    path = tmp_path / "shift.conf"
    path.write_text("[loader]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items()))
    return start("--output", "null", "--config", str(path))


def playing(client, url):
    client.observe("*")
    client.call("open", url=url)
    client.wait_for("player.state", "playing")


def seconds(client):
    return client.get("player.position")["seconds"]


def test_what_is_kept_can_be_gone_back_in(daemon, radio):
    client = daemon.client()
    playing(client, radio().url)
    assert client.values["item.live"] is True and client.values["item.seekable"] is True
    client.wait(lambda v: v["item.seekableRanges"] and v["item.seekableRanges"][0][1] > 35)
    assert client.values["item.seekableRanges"][0][0] == 0
    client.call("seek", to=30)
    client.wait(lambda v: v["player.state"] == "playing" and v["item.title"] == "Song 2")
    assert 29.9 < seconds(client) < 40
    client.call("seek", by=-18)
    client.wait(lambda v: v["player.state"] == "playing" and v["item.title"] == "Song 1")
    assert 11 < seconds(client) < 25
    client.call("seek", to=0)
    client.wait(lambda v: v["player.state"] == "playing" and v["item.title"] is None)
    client.call("seek", to="live")
    client.wait(lambda v: v["player.state"] == "playing" and v["item.title"] in ("Song 3", "Song 4"))
    assert seconds(client) > 35


def test_a_pause_goes_on_where_it_was(daemon, radio):
    client = daemon.client()
    playing(client, radio(burst=65536).url)
    client.wait(lambda v: v["item.title"] == "Song 0")
    client.call("pause")
    client.wait_for("player.state", "paused")
    before = seconds(client)
    edge = client.values["item.seekableRanges"]
    client.wait(lambda v: v["item.seekableRanges"] != edge, timeout=60)
    assert seconds(client) == before
    client.call("play")
    client.wait_for("player.state", "playing")
    assert abs(seconds(client) - before) < 1
    client.call("seek", to="live")
    client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] > before + 3)


def test_paused_longer_than_kept_it_goes_on_at_its_oldest(start, radio, tmp_path):
    client = configured(start, tmp_path, time_shift=5, time_shift_disk="never").client()
    # A little more than real time: faster ones are held back.
    playing(client, radio(rate=20_000, burst=65_536).url)
    client.call("pause")
    client.wait_for("player.state", "paused")
    before = seconds(client)
    client.wait(lambda v: v["item.seekableRanges"] and v["item.seekableRanges"][0][0] > before + 3, timeout=90)
    client.call("play")
    client.wait(lambda v: v["player.state"] == "playing" and v["player.position"]["seconds"] > before + 2)


def test_heard_late_it_lies_in_a_file_without_a_name_that_goes_with_stop(start, radio, tmp_path):
    daemon = configured(start, tmp_path, time_shift_disk="always")
    client = daemon.client()
    playing(client, radio(burst=1_500_000).url)

    def spilled():
        folder = Path(f"/proc/{daemon.process.pid}/fd")
        return [t for t in (os.readlink(f) for f in folder.iterdir() if f.is_symlink()) if "(deleted)" in t]

    end = time.monotonic() + 30
    while not spilled():
        assert time.monotonic() < end
        time.sleep(0.05)
    client.wait(lambda v: v["item.seekableRanges"] and v["item.seekableRanges"][0][1] > 62, timeout=90)
    client.call("seek", to=60)
    client.wait(lambda v: v["player.state"] == "playing" and v["item.title"] == "Song 5")
    client.call("stop")
    end = time.monotonic() + 30
    while spilled():
        assert time.monotonic() < end, spilled()
        time.sleep(0.05)


def test_switched_off_a_station_cannot_seek(start, radio, tmp_path):
    from support.client import RPCError
    client = configured(start, tmp_path, time_shift=0).client()
    playing(client, radio(burst=65536).url)
    assert client.values["item.seekable"] is False and client.values["item.seekableRanges"] == []
    with pytest.raises(RPCError) as refusal:
        client.call("seek", to=1)
    assert refusal.value.name == "unsupported"


@pytest.mark.parametrize("state", ["paused", "playing"])
def test_an_announcement_leaves_what_is_kept(daemon, radio, state):
    station = radio()
    client = daemon.client()
    playing(client, station.url)
    client.wait(lambda v: v["item.seekableRanges"] and v["item.seekableRanges"][0][1] > 35)
    client.call("seek", to=12)
    client.wait(lambda v: v["player.state"] == "playing" and v["item.title"] == "Song 1")
    if state == "paused":
        client.call("pause")
        client.wait_for("player.state", "paused")
    before = seconds(client)
    client.call("announce", url=str(mp3(seconds=1)))
    client.wait_for("player.announcing", True)
    client.wait_for("player.announcing", False)
    client.wait(lambda v: v["player.state"] == state and v["item.live"] is True)
    if state == "paused":
        assert abs(seconds(client) - before) < 0.2
        client.call("play")
    client.wait(lambda v: v["player.state"] == "playing" and v["item.title"] == "Song 1")
    assert before - 0.2 < seconds(client) < before + 8
    # What was kept is there still, and by the connection of before.
    client.call("seek", to=28)
    client.wait(lambda v: v["player.state"] == "playing" and v["item.title"] == "Song 2")
    assert station.requests == 1
