"""`make play`: a daemon of its own, the state as it changes, an end by itself."""
import os
import signal
import subprocess

from support.daemon import BINARIES, REPOSITORY


def play(*address, folder):
    environment = {**os.environ, "JUKEBOXD_BINARIES": str(BINARIES), "TMPDIR": str(folder)}
    return subprocess.Popen([str(REPOSITORY / "contrib" / "play"), *map(str, address)], env=environment, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True)


def test_the_tune_plays_to_its_end(tmp_path):
    process = play(folder=tmp_path)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    for words in ("item.title Small Hours", "player.state playing", "player.state stopped"):
        assert words in out
    assert out.endswith("The end.\n")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_played_is_told(tmp_path):
    process = play("/nowhere/x.mp3", folder=tmp_path)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and "/nowhere/x.mp3" in errors


def test_control_c_ends_it_and_its_daemon(tmp_path):
    process = play(folder=tmp_path)
    while "player.state playing" not in process.stdout.readline():
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert list(tmp_path.iterdir()) == []
