"""A real station: icecast2 with ffmpeg as its source."""
from support.sounds import mp3


def test_station_plays_and_its_titles_follow_the_sound(daemon, icecast):
    icecast.source("/radio.mp3", mp3(seconds=30), name="Radio Ohm", genre="Drone")
    icecast.title("/radio.mp3", "The Ohms - Resistance - Live")
    client = daemon.client()
    client.observe("*")
    client.call("open", url=icecast.url("/radio.mp3"))
    values = client.wait_for("player.state", "playing")
    assert values["item.live"] is True and values["item.duration"] is None
    assert values["item.channel"] == "Radio Ohm"
    assert values["item.genre"] == "Drone"
    client.wait_for("item.title", "Resistance - Live")
    assert client.values["item.artist"] == "The Ohms"
    icecast.title("/radio.mp3", "Jingle")
    client.wait_for("item.title", "Jingle")
    assert client.values["item.artist"] is None
    told = client.values["item.timedMetadata"]
    assert told["source"] == "icy" and told["fields"]["StreamTitle"] == "Jingle"
    client.call("stop")
    client.wait_for("player.state", "stopped")


def test_latin_1_title_is_read(daemon, scripted):
    data = mp3(seconds=20).read_bytes()
    block = "StreamTitle='Björk - Jóga';".encode("latin-1")
    block += b"\0" * (-len(block) % 16)
    interval = 8192
    body = b""
    for index in range(0, len(data) - interval, interval):
        body += data[index:index + interval] + (bytes([len(block) // 16]) + block if index == 0 else b"\0")
    server = scripted([{"path": "/live", "do": [
        ("head", "ICY 200 OK", {"icy-metaint": str(interval), "icy-name": "Latin", "content-type": "audio/mpeg"}),
        ("body", body, {"rate": 32000, "burst": 65536})]}])
    client = daemon.client()
    client.observe("*")
    client.call("open", url=server.url("/live"))
    client.wait_for("item.title", "Jóga")
    assert client.values["item.artist"] == "Björk" and client.values["item.channel"] == "Latin"


def test_a_stalled_stream_is_never_called_playing(daemon, scripted):
    data = mp3(seconds=30, bitrate="128k").read_bytes()
    server = scripted([{"path": "/live", "do": [
        ("head", "HTTP/1.0 200 OK", {"Content-Type": "audio/mpeg", "icy-name": "Stall"}),
        ("body", data, {"to": 65536}), ("hold", 8), ("body", data, {"from": 65536, "rate": 64000})]}])
    client = daemon.client()
    client.observe("*")
    client.call("open", url=server.url("/live"))
    client.wait_for("player.state", "playing")
    client.wait(lambda v: v["player.state"] == "buffering" and v["player.waitingReason"] == "stalled")
    assert client.values["player.position"]["rate"] == 0
    client.wait_for("player.state", "playing")
    client.call("pause")
    client.wait_for("player.state", "paused")


def test_a_change_of_rate_within_a_stream_is_told_and_no_gap(daemon, scripted):
    """What its encoder or an announcement brings: another rate, another number of channels, in one connection."""
    formats = ((44100, 2), (48000, 2), (22050, 1))
    sound = b"".join(mp3(seconds=2, rate=rate, channels=channels, bitrate="64k").read_bytes() for rate, channels in formats)
    head = ("head", "HTTP/1.0 200 OK", {"Content-Type": "audio/mpeg", "icy-name": "Rates"})
    server = scripted([{"path": "/live", "do": [head, ("body", sound), ("hold", 60)]}])
    client = daemon.client()
    client.observe("player", "item")
    client.call("open", url=server.url("/live"))
    client.wait_for("player.state", "playing")
    seen = len(client.changes)
    for rate, channels in formats:
        client.wait(lambda v: (v["item.sampleRate"], v["item.channels"]) == (rate, channels), what=f"{rate} Hz")
    told = [change["changes"].get("player.state") for change in client.changes[seen:]]
    assert [state for state in told if state] == []
