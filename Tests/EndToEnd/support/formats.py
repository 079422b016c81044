"""Short sound in every format that ffmpeg encodes, and what ffmpeg decodes it to: made once, by the script of fixtures."""
import array
import hashlib
import json
import subprocess
import sys

from .daemon import REPOSITORY
from .sounds import made_once

SCRIPT = REPOSITORY / "Tests" / "Fixtures" / "make_formats.py"


def folder():
    name = hashlib.sha256(SCRIPT.read_bytes()).hexdigest()[:16]
    return made_once(
        REPOSITORY / ".build" / "fixtures" / f"formats-e2e-{name}",
        lambda part: subprocess.run([sys.executable, str(SCRIPT), str(part)], check=True))


def told():
    """What is known of each file, by its name."""
    return json.loads((folder() / "formats.json").read_text())


def reference(name):
    """What ffmpeg decodes a file to, as 16 bit samples, interleaved."""
    floats = array.array("f", (folder() / (name + ".f32")).read_bytes())
    format = told()[name]
    if format["exact"]:
        floats = floats[:format["frames"] * format["channels"]]
    return [max(-32768, min(32767, round(x * 32768))) for x in floats]
