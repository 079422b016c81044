"""A publisher's site: documents that nginx serves, and what they are made of."""
import time

from .nginx import Nginx


def episode(number, **more):
    """An item of a feed; `guid`, `url`, `title` and `extra` as given."""
    told = {"title": f"Episode {number}", "guid": f"g{number}", "url": f"media/{number}.mp3", "extra": "", **more}
    guid = f"<guid isPermaLink='false'>{told['guid']}</guid>" if told["guid"] else ""
    return (f"<item><title>{told['title']}</title>{guid}"
            f"<pubDate>Fri, 02 May 2014 {number // 60 % 24:02}:{number % 60:02}:00 GMT</pubDate>"
            f"<description>About number {number}, with Tee &amp; Gebäck</description>"
            f"<enclosure url='{told['url']}' length='1' type='audio/mpeg'/>{told['extra']}</item>")


def feed(items, title="Tea Time", extra=""):
    """A feed of such items."""
    spaces = ("xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' "
              "xmlns:podcast='https://podcastindex.org/namespace/1.0'")
    return (f"<?xml version='1.0' encoding='UTF-8'?><rss version='2.0' {spaces}><channel><title>{title}</title>{extra}"
            + "".join(items) + "</channel></rss>")


class Publisher(Nginx):
    """Serves what is put into its folder."""

    def prepare(self):
        self.root.mkdir(exist_ok=True)
        super().prepare()

    def put(self, name, text):
        """Puts a document there; returns its URL."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        part.write_bytes(text if isinstance(text, bytes) else text.encode())
        part.rename(path)
        return self.url("/" + name)

    def statuses(self, name, least=0):
        """The status of each request for it that is over, of so many at least: the log is written after the answer."""
        end = time.monotonic() + 30
        while True:
            found = [r["status"] for r in self.requests() if r["uri"] == "/" + name]
            if len(found) >= least:
                return found
            assert time.monotonic() < end, f"{name} was asked for {len(found)} times"
            time.sleep(0.02)
