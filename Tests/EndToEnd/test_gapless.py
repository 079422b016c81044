"""Sound without seams: an album cut from one recording is heard as that recording, bit for bit."""
import array
import subprocess

import pytest

from support.album import FRAME, album, recording
from support.nginx import Nginx
from support.sounds import decoded, samples


@pytest.fixture(scope="module")
def whole():
    """What the daemon should write: the decode of the whole recording to floats, rounded to 16 bits."""
    command = ["mpg123", "-q", "-e", "f32", "-s", str(recording())]
    floats = array.array("f", subprocess.run(command, check=True, capture_output=True).stdout)
    return array.array("h", (max(-32768, min(32767, round(value * 32768))) for value in floats))


def heard(start, out, urls, *options):
    daemon = start("--output", f"wav-untimed:{out}", *options)
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[str(url) for url in urls], play=True)
    client.wait_for("player.state", "stopped", timeout=120)
    assert client.get("player.error") is None
    daemon.stop()
    return samples(out)


@pytest.mark.parametrize("kind", ["lame", "itunes"])
def test_an_album_of_files_is_the_recording_bit_for_bit(start, tmp_path, whole, kind):
    assert heard(start, tmp_path / "out.wav", album(tmp_path, kind)) == whole


def test_without_gapless_data_every_frame_is_heard_and_nothing_between(start, tmp_path):
    files = album(tmp_path, "plain")
    sound = heard(start, tmp_path / "out.wav", files)
    expected = [sample for path in files for sample in decoded(path)]
    assert len(sound) == len(expected) and len(sound) % FRAME == 0
    assert max(abs(a - b) for a, b in zip(sound, expected)) <= 1


@pytest.mark.parametrize("kind", ["lame", "itunes"])
def test_remote_and_cached_it_is_the_same(start, tmp_path, whole, kind):
    (tmp_path / "www").mkdir()
    album(tmp_path / "www", kind)
    server = Nginx(tmp_path / "nginx", tmp_path / "www").start()
    urls = [server.url(f"/fresh/{kind}-{index:02}.mp3") for index in range(1, 13)]
    remote = heard(start, tmp_path / "remote.wav", urls, "--cache-dir", tmp_path / "media")
    server.stop()
    assert remote == whole
    assert heard(start, tmp_path / "cached.wav", urls, "--cache-dir", tmp_path / "media") == whole
