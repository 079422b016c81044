"""Sounds that the tests make for themselves, kept below .build so that they are made once."""
import array
import fcntl
import hashlib
import os
import subprocess
import wave
from pathlib import Path

from .daemon import REPOSITORY

CACHE = REPOSITORY / ".build" / "test-sounds"


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)], check=True)


def made_once(path, make):
    """A file or folder below .build, by `make(path)` where it is not here yet; who wants it meanwhile waits."""
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_name(path.name + ".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            part = path.with_name(f"{os.getpid()}-{path.name}")
            make(part)
            part.rename(path)
    return path


def mp3(seconds=5, frequency=440, rate=44100, channels=2, bitrate="128k", tags=None, noise=True, level=None):
    """An MP3 by LAME with its gapless header; pink noise over a tone, so that no two places are alike."""
    recipe = repr(("mp3", seconds, frequency, rate, channels, bitrate, tags, noise, *([] if level is None else [level])))
    path = CACHE / (hashlib.sha256(recipe.encode()).hexdigest()[:16] + ".mp3")
    tone = f"sine=frequency={frequency}:sample_rate={rate}:duration={seconds}"
    arguments = ["-f", "lavfi", "-i", tone]
    if noise:
        arguments += ["-f", "lavfi", "-i", f"anoisesrc=color=pink:sample_rate={rate}:amplitude=0.2:seed=7:duration={seconds}",
                      "-filter_complex", "[0][1]amix=inputs=2:duration=first"]
    if level is not None:
        # The tone of ffmpeg is at -21.1 dB.
        arguments += ["-af", f"volume={level + 21.1}dB"]
    for name, value in (tags or {}).items():
        arguments += ["-metadata", f"{name}={value}"]
    arguments += ["-ac", channels, "-ar", rate, "-c:a", "libmp3lame", "-b:a", bitrate]
    return made_once(path, lambda part: ffmpeg(*arguments, part))


def decoded(path):
    """What libmpg123 makes of a file: 16 bit samples by the mpg123 program, gapless."""
    wav = CACHE / (hashlib.sha256(str(path).encode() + Path(path).read_bytes()).hexdigest()[:16] + ".ref.wav")
    command = ["mpg123", "-q", "-e", "s16", "-w"]
    return samples(made_once(wav, lambda part: subprocess.run([*command, str(part), str(path)], check=True)))


def samples(path):
    """The 16 bit samples of a WAV file, interleaved."""
    with wave.open(str(path), "rb") as file:
        assert file.getsampwidth() == 2
        return array.array("h", file.readframes(file.getnframes()))


def largest_difference(a, b):
    return max((abs(x - y) for x, y in zip(a, b)), default=0)
