"""The shells complete jukectl's words, its options, and what the running daemon has."""
import os
import pty
import select
import shutil
import subprocess
import time

import pytest
from support.daemon import BINARIES, REPOSITORY
from support.sounds import mp3

FOLDER = REPOSITORY / "contrib" / "completions"


@pytest.fixture
def environment(daemon):
    return {**daemon.clean_environment(), "JUKEBOXD_SOCKET": str(daemon.socket), "TERM": "dumb",
            "PATH": f"{BINARIES}:{os.environ['PATH']}"}


def bash(environment, *words):
    script = f'source {FOLDER}/jukectl.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _jukectl; printf "%s\\n" "${{COMPREPLY[@]}}"'
    result = subprocess.run(["bash", "-c", script, "bash", "jukectl", *words], env=environment, text=True,
                            capture_output=True, timeout=20, check=True)
    return result.stdout.split()


def fish(environment, *words):
    script = f'source {FOLDER}/jukectl.fish; complete -C "{" ".join(("jukectl",) + words)}"'
    result = subprocess.run(["fish", "--no-config", "-c", script], env=environment, text=True, capture_output=True,
                            timeout=20, check=True)
    return [line.split("\t")[0] for line in result.stdout.splitlines()]


@pytest.mark.parametrize("shell", [bash, fish])
def test_words_options_entries_and_keys(shell, daemon, environment):
    if not shutil.which(shell.__name__):
        pytest.skip(f"no {shell.__name__}")
    ids = daemon.client().call("queue.add", items=[str(mp3(seconds=2))])["ids"]
    assert shell(environment, "prev") == ["previous"]
    assert sorted(shell(environment, "mute", "o")) == ["off", "on"]
    assert shell(environment, "add", "--n") == ["--next"]
    assert shell(environment, "play", "") == [str(i) for i in ids]
    assert shell(environment, "watch", "player.mu") == ["player.muted"]
    assert shell(environment, "wait", "player.mu") == ["player.muted="]
    assert "queue.list" in shell(environment, "call", "queue.")
    assert shell(environment, "search", "--un") == ["--unheard"]
    assert sorted(shell(environment, "sources", "re")) == ["refresh", "remove"]


def test_zsh(daemon, environment, tmp_path):
    if not shutil.which("zsh"):
        pytest.skip("no zsh")
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**environment, "HOME": str(tmp_path)})

    def type_and_see(text, sight):
        os.write(terminal, text.encode())
        seen, end = b"", time.monotonic() + 20
        while sight.encode() not in seen:
            assert time.monotonic() < end, seen
            if select.select([terminal], [], [], 0.2)[0]:
                seen += os.read(terminal, 4096)

    try:
        type_and_see(f"fpath=({FOLDER} $fpath); autoload -Uz compinit; compinit -u -D; print rea''dy\n", "\r\nready")
        type_and_see("jukectl prev\t", "ious ")
        type_and_see("\x15jukectl add --n\t", "ext ")
        type_and_see("\x15jukectl watch player.mu\t", "ted ")
    finally:
        os.write(terminal, b"\x15exit\n")
        os.close(terminal)
        os.waitpid(process, 0)
