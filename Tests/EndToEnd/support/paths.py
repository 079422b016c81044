"""Where things are."""
import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
BINARIES = Path(os.environ.get("JUKEBOXD_BINARIES", REPOSITORY / ".build" / "debug"))
