"""Stations that go away and come back; networks that are not there yet."""
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.sounds import ffmpeg, mp3


def playing(client, url):
    client.observe("*")
    client.call("open", url=url)
    client.wait_for("player.state", "playing")


def position(client):
    value = client.get("player.position")
    return value["seconds"] + (time.time() - value["at"]) * value["rate"]


def test_a_station_that_closes_is_heard_again_each_time(daemon, station, soak):
    radio = station(burst=24000)
    client = daemon.client()
    playing(client, radio.url)
    entry = client.values["item.entry"]
    before = 0
    for number in range(100 if soak else 20):
        requests = radio.requests
        radio.stop()
        client.wait(lambda v: v["player.retry"] is not None, what=f"a retry, {number}")
        assert client.values["player.retry"]["attempt"] >= 1
        radio.start()
        client.wait(lambda v: v["player.retry"] is None and v["player.state"] == "playing", what=f"sound, {number}")
        assert radio.requests > requests
        now = position(client)
        assert now >= before - 0.1
        before = now
    assert client.values["item.entry"] == entry and client.values["player.error"] is None


@pytest.mark.parametrize("reset", [True, False])
def test_a_station_that_resets_or_closes_in_between_goes_on(daemon, station, reset):
    radio = station(burst=40000)
    client = daemon.client()
    playing(client, radio.url)
    for _ in range(3):
        requests = radio.requests
        radio.drop(reset=reset)
        end = time.monotonic() + 30
        while radio.requests == requests:
            assert time.monotonic() < end
            client.get("player.state")
            time.sleep(0.02)
        client.wait(lambda v: v["player.state"] == "playing" and v["player.retry"] is None)
    assert client.values["queue.index"] == 0 and client.values["player.error"] is None


def test_a_station_that_falls_silent_is_connected_anew_and_commands_are_answered(start, station, tmp_path):
    configuration = tmp_path / "j.conf"
    configuration.write_text("[loader]\nstall_timeout = 2\n")
    radio = station(burst=32000)
    client = start("--output", "null", "--config", str(configuration)).client()
    playing(client, radio.url)
    radio.is_silent.set()
    client.wait(lambda v: v["player.state"] == "buffering" and v["player.waitingReason"] in ("stalled", "reconnecting"))
    assert client.values["player.position"]["rate"] == 0
    begun = time.monotonic()
    client.call("ping")
    assert time.monotonic() - begun < 5
    client.wait(lambda v: v["player.retry"] is not None)
    radio.is_silent.clear()
    client.wait(lambda v: v["player.state"] == "playing" and v["player.retry"] is None)


def test_a_station_may_come_back_in_another_codec(daemon, station, tmp_path):
    aac = tmp_path / "x.aac"
    ffmpeg("-f", "lavfi", "-i", "sine=440:duration=20:sample_rate=48000", "-c:a", "aac", "-f", "adts", aac)
    radio = station(burst=40000)
    client = daemon.client()
    playing(client, radio.url)
    radio.stop()
    radio.data = aac.read_bytes()
    radio.start()
    client.wait(lambda v: v["item.sampleRate"] == 48000, timeout=60)
    client.wait_for("player.state", "playing")
    assert client.values["player.error"] is None


def test_a_station_that_drops_while_it_is_paused_goes_on_where_it_was(daemon, station):
    radio = station(burst=65536)
    client = daemon.client()
    playing(client, radio.url)
    client.call("pause")
    client.wait_for("player.state", "paused")
    paused = client.get("player.position")["seconds"]
    requests = radio.requests
    radio.stop()
    radio.start()
    end = time.monotonic() + 30
    while radio.requests == requests:
        assert time.monotonic() < end
        time.sleep(0.02)
    client.call("play")
    client.wait_for("player.state", "playing")
    assert abs(client.get("player.position")["seconds"] - paused) < 2
    assert client.values["queue.index"] == 0


def test_a_typo_shows_soon_and_a_refused_one_after_three_attempts(daemon):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        client = daemon.client()
        client.observe("*")
        client.call("open", url=f"http://127.0.0.1:{port}/x.mp3")
        client.wait(lambda v: v["player.error"] is not None)
    assert client.values["player.error"]["code"] == "unreachable"
    attempts = [c["changes"]["player.retry"]["new"] for c in client.changes if "player.retry" in c["changes"]]
    assert [a["attempt"] for a in attempts if a] == [1, 2]


# -- networks, in a namespace of their own

isolated = pytest.mark.skipif(
    os.getuid() != 0 or subprocess.run(["unshare", "--net", "--mount", "true"], capture_output=True).returncode != 0
    or not shutil.which("ip"), reason="needs the right to make a network of its own")


def inside(daemon, *command, **options):
    pid = subprocess.run(["pgrep", "-P", str(daemon.process.pid)], capture_output=True, text=True).stdout.split()
    target = pid[0] if pid else str(daemon.process.pid)
    return subprocess.Popen(["nsenter", "--target", target, "--net", *command], **options)


def station_inside(daemon, port):
    script = Path(__file__).parent / "support" / "station.py"
    process = inside(daemon, sys.executable, str(script), str(mp3(seconds=30)), str(port), stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    return process


@isolated
def test_a_network_that_comes_later_is_waited_for(start):
    daemon = start("--output", "null", wrapper=["unshare", "--net"])
    client = daemon.client()
    client.observe("*")
    client.call("open", url="http://127.0.0.1:8000/live")
    client.wait(lambda v: (v["player.retry"] or {}).get("attempt", 0) >= 4)
    assert client.values["player.state"] == "buffering" and client.values["player.waitingReason"] == "reconnecting"
    assert client.values["player.error"] is None
    assert inside(daemon, "ip", "link", "set", "lo", "up").wait() == 0
    server = station_inside(daemon, 8000)
    try:
        client.wait_for("player.state", "playing")
        # And away again: what is heard is what was here, then it is waited for.
        inside(daemon, "ip", "link", "set", "lo", "down").wait()
        server.kill()
        server.wait()
        inside(daemon, "ip", "link", "set", "lo", "up").wait()
        server = station_inside(daemon, 8000)
        client.wait(lambda v: v["player.state"] == "playing" and v["player.retry"] is None, timeout=60)
    finally:
        server.kill()
        server.wait()


RESOLVER = """
import socket, struct, sys, time
begun = time.monotonic()
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 53))
print("ready", flush=True)
while True:
    query, peer = s.recvfrom(512)
    end = query.index(b"\\0", 12) + 5
    kind = struct.unpack(">H", query[end - 4:end - 2])[0]
    if time.monotonic() - begun < float(sys.argv[1]):
        s.sendto(query[:2] + b"\\x81\\x82" + query[4:6] + bytes(6) + query[12:end], peer)
    else:
        answer = b"\\xc0\\x0c" + struct.pack(">HHIH", 1, 1, 60, 4) + bytes([127, 0, 0, 1]) if kind == 1 else b""
        s.sendto(query[:2] + b"\\x81\\x80" + query[4:6] + struct.pack(">HHH", 1 if answer else 0, 0, 0)
                 + query[12:end] + answer, peer)
"""


@isolated
def test_a_name_server_that_comes_later_is_waited_for(start, tmp_path):
    for name, text in (("resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"),
                       ("nsswitch.conf", "hosts: files dns\n")):
        (tmp_path / name).write_text(text)
    prepare = (f"ip link set lo up && mount --bind {tmp_path}/resolv.conf /etc/resolv.conf && "
               f"mount --bind {tmp_path}/nsswitch.conf /etc/nsswitch.conf && exec \"$@\"")
    daemon = start("--output", "null", wrapper=["unshare", "--net", "--mount", "--propagation", "private", "sh", "-c",
                                                prepare, "sh"])
    resolver = inside(daemon, sys.executable, "-c", RESOLVER, "8", stdout=subprocess.PIPE)
    assert resolver.stdout.readline() == b"ready\n"
    server = station_inside(daemon, 8000)
    try:
        client = daemon.client()
        client.observe("*")
        client.call("open", url="http://radio.test:8000/live")
        client.wait(lambda v: v["player.retry"] is not None)
        assert client.values["player.waitingReason"] == "reconnecting"
        client.wait_for("player.state", "playing", timeout=90)
        assert client.values["player.error"] is None
    finally:
        for process in (resolver, server):
            process.kill()
            process.wait()
