"""A folder of music for the store, and a daemon that has read it."""
import shutil

import pytest

from .sounds import mp3

SONGS = [("Alpha", "The Ohms"), ("Bravo", "The Ohms"), ("Charlie", "Volta"), ("Delta", "Volta"), ("Echo", "Ångström")]


def song(folder, title, artist):
    """Puts a song into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{title}.mp3"
    shutil.copy(mp3(seconds=20, tags={"title": title, "artist": artist, "album": "Units"}), path)
    return path


def fill(daemon, folder):
    """Makes the songs a source of the daemon's store; returns a client once they are read."""
    for title, artist in SONGS:
        song(folder, title, artist)
    client = daemon.client()
    client.observe("store", "sources")
    source = client.call("store.addSource", url=str(folder))["id"]
    client.wait_for(f"sources.{source}.status", "ready")
    return client


def item(client, title):
    """The ID of an item by its title."""
    return next(i["id"] for i in client.call("store.list", limit=1000)["items"] if i["title"] == title)


def needs_downloads(client):
    """Skips the test where the daemon has no downloads."""
    if all(method["name"] != "store.download" for method in client.call("rpc.discover")["methods"]):
        pytest.skip("the daemon does not download")
