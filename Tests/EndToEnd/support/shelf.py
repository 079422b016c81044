"""What the store is filled with: a folder of music, and what a publisher serves."""
import shutil

from .sounds import mp3
from .subscribing import add

SONGS = [("Alpha", "The Ohms"), ("Bravo", "The Ohms"), ("Charlie", "Volta"), ("Delta", "Volta"), ("Echo", "Ångström")]

FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>Talks</title>
<item><title>The old one</title><guid>1</guid><pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate>
<enclosure url="{base}/old.mp3" type="audio/mpeg" length="1"/><description>Long ago.</description></item>
<item><title>The new one</title><guid>2</guid><pubDate>Tue, 02 Jan 2024 10:00:00 GMT</pubDate>
<enclosure url="{base}/new.mp3" type="audio/mpeg" length="1"/></item></channel></rss>
"""

STATIONS = "#EXTM3U\n#EXTINF:-1,Radio One\n{base}/one\n#EXTINF:-1,Radio \x1b[2JTwo\n{base}/two\n"


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
    source = add(client, folder)
    assert client.values[f"sources.{source}.status"] == "ready"
    return client


def item(client, title):
    """The ID of an item by its title."""
    return next(i["id"] for i in client.call("store.list", limit=1000)["items"] if i["title"] == title)


def publish(publisher):
    """Gives a publisher a feed with two episodes and a list of stations."""
    publisher.put("feed.xml", FEED.format(base=publisher.origin))
    publisher.put("list.m3u", STATIONS.format(base=publisher.origin))
    for name in ("old", "new"):
        publisher.put(f"{name}.mp3", mp3(seconds=20).read_bytes())
