"""A sound card without a card: the PCM plugin of Tests/Fixtures/fakecard, which records what was played."""
import array
import os
import subprocess
from pathlib import Path

from .paths import REPOSITORY


class FakeCard:
    def __init__(self, folder, **options):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.capture = self.folder / "capture.raw"
        subprocess.run(["make", "-s", "-C", str(REPOSITORY / "Tests" / "Fixtures" / "fakecard"), f"OUT={self.folder}"], check=True)
        lines = "".join(f"    {name} {value}\n" for name, value in {"speed": 1.0, **options}.items())
        self.configuration = self.folder / "asound.conf"
        self.configuration.write_text(
            "</usr/share/alsa/alsa.conf>\n"
            f'pcm_type.fakecard {{ lib "{self.folder}/libasound_module_pcm_fakecard.so" }}\n'
            f'ctl_type.fakecard {{ lib "{self.folder}/libasound_module_ctl_fakecard.so" }}\n'
            f'ctl.fakemixer {{\n    type fakecard\n    file "{self.capture}"\n}}\n'
            f'pcm.fake {{\n    type fakecard\n    file "{self.capture}"\n{lines}'
            '    hint { show on description "A card for tests" }\n}\n')

    @property
    def environment(self):
        return {"ALSA_CONFIG_PATH": str(self.configuration)}

    def flag(self, name, present):
        path = Path(f"{self.capture}.{name}")
        path.touch() if present else path.unlink(missing_ok=True)

    def amixer(self, *arguments):
        """Another program at the card's mixer; returns what it says of the control, such as "[40%] [-30.00dB] [on]"."""
        command = ["amixer", "-D", "fakemixer", *map(str, arguments)]
        said = subprocess.run(command, env={**os.environ, **self.environment}, check=True, capture_output=True, text=True)
        return said.stdout.splitlines()[-1].split(" ", 5)[-1]

    def samples(self, kind="h"):
        """What was played; `kind` is array's code of the format that the card was told to take."""
        data = self.capture.read_bytes()
        result = array.array(kind)
        result.frombytes(data[:len(data) - len(data) % result.itemsize])
        return result
