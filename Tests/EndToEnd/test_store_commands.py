"""The store by commands: what a person and a script see of it."""
import json
import re
import subprocess

import pytest
from support.daemon import BINARIES, jukectl
from support.shelf import SONGS, fill, item

DONE, REFUSED, USAGE, NO_DAEMON, TIMED_OUT = range(5)

def test_sources_are_added_listed_read_anew_and_removed(daemon, tmp_path):
    assert jukectl(daemon, "sources").stdout.startswith("There are no sources")
    fill(daemon, tmp_path / "music")
    listed = jukectl(daemon, "sources").stdout
    assert re.match(r"1  ready  .*folder  5  5 new", listed) and "\x1b" not in listed
    assert jukectl(daemon, "sources", "add", "music", cwd=tmp_path).stdout == "Is there already: source 1\n"
    assert json.loads(jukectl(daemon, "--json", "sources").stdout)["sources"][0]["items"] == 5
    assert jukectl(daemon, "sources", "refresh").returncode == DONE
    assert jukectl(daemon, "sources", "refresh", 1).returncode == DONE
    assert jukectl(daemon, "sources", "refresh", 9).returncode == REFUSED
    missing = jukectl(daemon, "sources", "add", "--title", "Nothing", tmp_path / "missing")
    assert missing.returncode == REFUSED and missing.stderr.startswith("jukectl: ")
    assert re.search(r"2  failed  Nothing", jukectl(daemon, "sources").stdout)
    assert jukectl(daemon, "sources", "remove", 1, 2).returncode == DONE
    assert jukectl(daemon, "sources").stdout.startswith("There are no sources")


def test_items_are_searched_and_shown(daemon, tmp_path):
    client = fill(daemon, tmp_path / "music")
    table = jukectl(daemon, "search").stdout.splitlines()
    assert [line.split()[2] for line in table] == [title for title, _ in SONGS]
    assert re.fullmatch(r"\d+  •↓  Alpha    The Ohms +0:20", table[0]), table[0]
    assert jukectl(daemon, "search", "ångs").stdout.count("\n") == 1
    assert jukectl(daemon, "search", "nothing", "at", "all").stdout == ""
    assert [line.split()[2] for line in jukectl(daemon, "search", "--sort", "-title", "--limit", 2).stdout.splitlines()] \
        == ["Echo", "Delta"]
    bravo = item(client, "Bravo")
    client.call("store.mark", id=bravo, heard=True)
    assert "Bravo" not in jukectl(daemon, "search", "--unheard").stdout
    assert json.loads(jukectl(daemon, "search", "--json", "bravo").stdout)["items"][0]["id"] == bravo
    shown = jukectl(daemon, "show", bravo).stdout
    assert shown.startswith("Bravo\nby:       The Ohms\nalbum:    Units\n") and "state:    here, heard\n" in shown
    assert json.loads(jukectl(daemon, "show", f"store:{bravo}", "--json").stdout)["title"] == "Bravo"
    assert jukectl(daemon, "show", 999999).returncode == REFUSED
    nowhere = jukectl(daemon, "show", "--map", bravo)
    assert nowhere.returncode == REFUSED and "not known where" in nowhere.stderr


@pytest.mark.parametrize("words", [["show", "x"], ["search", "--sort", "size"], ["episodes", "--limit", "few"],
                                   ["sources", "add"], ["sources", "remove", "x"], ["downloads", "stop", "1"],
                                   ["download", "song.mp3"], ["browse"]])
def test_wrong_usage_is_said(daemon, words):
    result = jukectl(daemon, *words)
    assert result.returncode == USAGE and result.stderr.startswith("jukectl: ")


def test_episodes_and_stations_of_publishers(daemon, published):
    added = jukectl(daemon, "sources", "add", f"{published}/feed.xml")
    assert (added.returncode, added.stdout) == (DONE, "Added as source 1\n")
    assert jukectl(daemon, "sources", "add", f"{published}/list.m3u").returncode == DONE
    episodes = jukectl(daemon, "episodes").stdout.splitlines()
    assert [line.split("  ")[2].strip() for line in episodes] == ["The new one", "The old one"]
    assert "2024-01-02" in episodes[0]
    stations = jukectl(daemon, "stations").stdout
    assert "Radio One" in stations and "Two" in stations and "\x1b" not in stations
    assert jukectl(daemon, "episodes", "--source", 2).stdout == ""
    refused = jukectl(daemon, "sources", "add", f"{published}/nothing.xml")
    assert refused.returncode == REFUSED and "404" in refused.stderr


def test_tables_fit_the_terminal_and_colour_is_for_terminals(daemon, terminal, tmp_path):
    fill(daemon, tmp_path / "music")
    narrow = terminal(daemon, columns=30, rows=12)
    narrow.run("clear; jukectl search; echo $SHOWN'ing'")
    seen = narrow.wait("ending").splitlines()
    assert [re.match(r" *\d+  .. +(\w+)", line)[1] for line in seen[:5]] == [title for title, _ in SONGS], seen
    assert "\x1b[1m" in narrow.screen(escapes=True)
    plain = terminal(daemon, NO_COLOR="1")
    plain.run("clear; jukectl search; echo $SHOWN'ing'")
    assert "The Ohms" in plain.wait("ending") and "\x1b[1m" not in plain.screen(escapes=True)


def test_an_item_of_the_store_is_played(daemon, tmp_path):
    client = fill(daemon, tmp_path / "music")
    result = jukectl(daemon, "open", f"store:{item(client, 'Charlie')}")
    assert (result.returncode, result.stdout) == (DONE, "Playing Volta – Charlie\n")


def test_downloads(daemon, published):
    jukectl(daemon, "sources", "add", f"{published}/feed.xml")
    old, new = (item(daemon.client(), title) for title in ("The old one", "The new one"))
    assert jukectl(daemon, "downloads").stdout.startswith("Nothing is downloaded")
    result = jukectl(daemon, "download", old, new, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (DONE, "", "")
    assert jukectl(daemon, "episodes", "--available").stdout.count("\n") == 2
    assert jukectl(daemon, "downloads", "delete", old).returncode == DONE
    assert jukectl(daemon, "wait", f"downloads.{new}.state=finished").returncode == DONE
    assert "The old one" not in jukectl(daemon, "episodes", "--available").stdout
    assert jukectl(daemon, "download", 999999).returncode == REFUSED


def test_a_reader_that_goes_away_ends_it(daemon, tmp_path):
    fill(daemon, tmp_path / "music")
    environment = {**daemon.clean_environment(), "JUKEBOXD_SOCKET": str(daemon.socket)}
    line = f"{BINARIES}/jukectl search | head -n 1"
    result = subprocess.run(["bash", "-c", line], env=environment, text=True, capture_output=True, timeout=30)
    assert "Alpha" in result.stdout and result.stderr == ""
