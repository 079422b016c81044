"""Fixtures of the end-to-end tests: the real daemon, real servers, real sounds."""
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from support.daemon import BINARIES, Daemon  # noqa: E402
from support.icecast import Icecast  # noqa: E402
from support.publisher import Publisher  # noqa: E402
from support.scripted import ScriptedServer  # noqa: E402
from support.shelf import publish  # noqa: E402
from support.sounds import mp3  # noqa: E402
from support.station import Station  # noqa: E402
from support.terminal import Terminal  # noqa: E402


def pytest_collection_modifyitems(items):
    """The long runs take their time."""
    if os.environ.get("SOAK") == "1":
        for item in items:
            item.add_marker(pytest.mark.timeout(3 * 3600))


@pytest.fixture
def soak():
    """True when the long runs are asked for in full."""
    return os.environ.get("SOAK") == "1"


@pytest.fixture
def start(tmp_path):
    """Starts daemons; each is ended, and must end cleanly, when the test is over."""
    daemons = []

    def begin(*arguments, name=None, wait=True, **options):
        folder = tmp_path / (name or f"daemon{len(daemons)}")
        folder.mkdir(exist_ok=True)
        folder.chmod(0o700)
        daemon = Daemon(folder, *arguments, **options)
        daemons.append(daemon)
        return daemon.start(wait=wait)

    yield begin
    for daemon in daemons:
        status = daemon.stop()
        assert status in (0, -9, 1), f"ended with {status}: {daemon.log()[-3000:]}"


@pytest.fixture
def daemon(start):
    """A daemon with a paced null output."""
    return start("--output", "null")


@pytest.fixture
def icecast(tmp_path_factory):
    server = Icecast(tmp_path_factory.mktemp("icecast")).start()
    yield server
    server.stop()


@pytest.fixture
def station():
    """Starts stations that go away and come back when they are told to."""
    stations = []

    def begin(**options):
        data = options.pop("data", None) or mp3(seconds=30).read_bytes()
        stations.append(Station(data, **options).start())
        return stations[-1]

    yield begin
    for one in stations:
        one.stop()


@pytest.fixture
def scripted():
    """Makes servers that play a script of answers; see `ScriptedServer`."""
    servers = []

    def serve(routes, files=None, **more):
        server = ScriptedServer(routes, files or {}, **more)
        servers.append(server)
        return server

    yield serve
    for server in servers:
        server.close()


@pytest.fixture
def terminal(tmp_path):
    """Opens terminals in which `jukectl` can be called."""
    terminals = []

    def begin(daemon, **more):
        options = {name: more.pop(name) for name in ("columns", "rows", "term") if name in more}
        environment = {**daemon.clean_environment(), "JUKEBOXD_SOCKET": str(daemon.socket), "SHOWN": "end", **more}
        environment["PATH"] = f"{BINARIES}:{environment['PATH']}"
        folder = tmp_path / f"terminal{len(terminals)}"
        folder.mkdir()
        terminals.append(Terminal(folder, environment, **options))
        return terminals[-1]

    yield begin
    for one in terminals:
        one.close()


@pytest.fixture
def publisher(tmp_path):
    """An nginx that serves what is put into its folder; see `Publisher`."""
    server = Publisher(tmp_path / "nginx", tmp_path / "www").start()
    yield server
    server.stop()


@pytest.fixture
def published(publisher):
    """The address of a publisher that has a feed, `feed.xml`, and a list of stations, `list.m3u`."""
    publish(publisher)
    return publisher.origin
