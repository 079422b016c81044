"""What the documents say is tried: every example of jukectl, every option and key in the manual pages."""
import json
import os
import re
import shutil
import signal
import subprocess

import pytest
from support.daemon import BINARIES, REPOSITORY
from support.sounds import mp3

MANUAL = REPOSITORY / "docs" / "man"


def plain(page):
    """A manual page's text without its macros."""
    text = (MANUAL / page).read_text().replace("\\-", "-")
    return re.sub(r"\\f[BIR]", "", text)


def examples(name):
    """Lines that begin with `jukectl`: indented ones of a Markdown file, those of a manual page's EXAMPLES."""
    if name.endswith(".md"):
        lines = [line[4:] for line in (REPOSITORY / name).read_text().splitlines() if line.startswith("    ")]
    else:
        lines = plain(name).split(".SH EXAMPLES")[1].splitlines()
    return [line.split("#")[0].strip() for line in lines if line.startswith("jukectl ")]


@pytest.fixture
def shell(daemon, tmp_path):
    """Runs a line in bash as a user who has some music."""
    music = tmp_path / "home" / "Music"
    music.mkdir(parents=True)
    for name in ("song.mp3", "another.mp3"):
        shutil.copy(mp3(seconds=60), music / name)
    environment = {**daemon.clean_environment(), "JUKEBOXD_SOCKET": str(daemon.socket), "HOME": str(tmp_path / "home"),
                   "PATH": f"{BINARIES}:{os.environ['PATH']}"}

    def run(line):
        return subprocess.Popen(["bash", "-c", "exec " + line if "&&" not in line else line], env=environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    return run


@pytest.mark.parametrize("name", ["README.md", "jukectl.1"])
def test_every_example_of_jukectl_works(name, daemon, shell):
    lines = examples(name)
    assert len(lines) > 4
    client = daemon.client()
    for line in lines:
        if "player.state=stopped" in line:
            client.call("stop")
        process = shell(line)
        if " watch " in line or "--follow" in line:
            assert process.stdout.readline()
            process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
        assert process.returncode == 0, f"{line}: {out}{errors}"


def test_the_readmes_conversation_is_what_the_daemon_says(daemon):
    text = (REPOSITORY / "README.md").read_text().split("$ socat")[1].split("\n\n")[0]
    song = REPOSITORY / "contrib" / "tune" / "tune.mp3"
    client = daemon.client()
    for line in text.splitlines()[1:]:
        message = json.loads(line.replace("/home/me/Music/song.mp3", str(song)))
        if "jsonrpc" not in message:
            client.methods[message["id"]] = message["method"]
            client.send_raw((json.dumps(message) + "\n").encode())
        elif "id" in message:
            said = client.reply(message["id"])
            assert said.keys() == message["result"].keys()
            assert said.get("values") == message["result"].get("values")
            client.values.update(said.get("values") or {})
        else:
            told = {key: change["new"] for key, change in message["params"]["changes"].items()}
            client.wait(lambda v: told.items() <= (v | seen(client)).items(), what=line)


def seen(client):
    """What was told at any time: several changes may come in one message, or pass before they are looked for."""
    return {key: change["new"] for params in client.changes for key, change in params["changes"].items()}


def test_options_of_the_daemon_and_their_manual_agree():
    text = subprocess.run([str(BINARIES / "jukeboxd"), "--help"], capture_output=True, text=True, timeout=20).stdout
    told = set(re.findall(r"--[a-z][a-z-]+", text))
    assert told == set(re.findall(r"--[a-z][a-z-]+", plain("jukeboxd.1")))


def test_keys_of_the_configuration_and_their_manual_agree(tmp_path):
    shipped = (REPOSITORY / "etc" / "jukeboxd.conf").read_text()
    manual = plain("jukeboxd.conf.5")
    section = None
    for line in shipped.splitlines():
        if re.match(r"#?\[", line):
            section = line.lstrip("#")
            heading = re.sub(r"^\[station .*\]", "[station URL-PREFIX]", section)
            assert f".SH {heading}" in manual
        elif match := re.match(r"#([a-z_]+) = (.*)", line):
            key, value = match.groups()
            assert re.search(rf"^{key} \(", manual, re.M), key
            # As it stands there, without its #, it is right.
            path = tmp_path / "one.conf"
            path.write_text(f"{section}\n{key} = {value}\n")
            checked = subprocess.run([str(BINARIES / "jukeboxd"), "--check", "--config", str(path)],
                                     capture_output=True, text=True, timeout=20)
            assert checked.returncode == 0, checked.stderr
