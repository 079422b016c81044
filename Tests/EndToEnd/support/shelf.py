"""What the store is filled with: a folder of music, and what a publisher serves."""
import shutil

from .sounds import mp3

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
    client.observe("store", "sources")
    source = client.call("store.addSource", url=str(folder))["id"]
    client.wait_for(f"sources.{source}.status", "ready")
    return client


def item(client, title):
    """The ID of an item by its title."""
    return next(i["id"] for i in client.call("store.list", limit=1000)["items"] if i["title"] == title)


def publish(root, base):
    """Puts a feed with two episodes and a list of stations where a server finds them."""
    root.mkdir()
    (root / "feed.xml").write_text(FEED.format(base=base))
    (root / "list.m3u").write_text(STATIONS.format(base=base))
    for name in ("old", "new"):
        shutil.copy(mp3(seconds=20), root / f"{name}.mp3")
