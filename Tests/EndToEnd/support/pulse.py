"""A real PulseAudio with a sink that nobody hears but the tests: killed and started again under the same address."""
import array
import os
import subprocess
import time
from pathlib import Path

RATE = 44100


class Pulse:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        self.socket = self.folder / "native"
        self.process = None
        self.recorders = []

    @property
    def environment(self):
        """What its clients, jukeboxd among them, find it by."""
        return {"PULSE_SERVER": f"unix:{self.socket}", "PULSE_RUNTIME_PATH": str(self.folder / "run"),
                "PULSE_STATE_PATH": str(self.folder / "state"), "HOME": str(self.folder),
                "XDG_RUNTIME_DIR": str(self.folder), "PATH": os.environ["PATH"]}

    def start(self):
        self.process = subprocess.Popen(
            ["pulseaudio", "--daemonize=no", "--system=false", "--exit-idle-time=-1", "--use-pid-file=no",
             "--disable-shm=yes", "-n", "-L", f"module-null-sink sink_name=room format=s32le rate={RATE} channels=2",
             "-L", f"module-native-protocol-unix auth-anonymous=1 socket={self.socket}", "--log-target=stderr"],
            env={k: v for k, v in self.environment.items() if k != "PULSE_SERVER"}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(self.folder / "log", "ab"))
        end = time.monotonic() + 30
        while self.pactl("info").returncode != 0:
            assert self.process.poll() is None and time.monotonic() < end, (self.folder / "log").read_text()
            time.sleep(0.02)
        self.recorders.append(subprocess.Popen(
            ["pacat", "--raw", "--device=room", "--latency-msec=20", "/dev/zero"], env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return self

    def pactl(self, *arguments):
        return subprocess.run(["pactl", *arguments], env=self.environment, capture_output=True, text=True)

    def record(self, name):
        """Records what is heard from now on; returns the file, of 32-bit samples."""
        file = self.folder / f"{name}.raw"
        self.recorders.append(subprocess.Popen(
            ["parec", "--raw", "--device=room.monitor", "--format=s32le", f"--rate={RATE}", "--channels=2",
             "--latency-msec=20"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=open(file, "wb"), stderr=subprocess.DEVNULL))
        return file

    def kill(self):
        """Ends it as a crash does."""
        for process in [self.process, *self.recorders]:
            if process and process.poll() is None:
                process.kill()
                process.wait()
        self.recorders = []

    stop = kill


def heard(file, gain=1.0):
    """What was recorded, on the left, as 16-bit samples that were turned down by `gain`; without silence around it."""
    data = file.read_bytes()
    samples = array.array("i")
    samples.frombytes(data[:len(data) - len(data) % 8])
    left = [s / 65536 / gain for s in samples[::2]]
    sounding = [n for n, s in enumerate(left) if s]
    return left[sounding[0]:sounding[-1] + 1] if sounding else []


def place(piece, expected):
    """The frame of `expected` (16-bit samples, left) at which a piece was played; None where it was not."""
    frames = range(len(expected) - len(piece))
    return next((n for n in frames if abs(expected[n] - piece[0]) <= 1
                 and all(abs(e - p) <= 1 for e, p in zip(expected[n:n + len(piece)], piece))), None)
