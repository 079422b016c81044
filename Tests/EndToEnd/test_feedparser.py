"""The same feeds read by Python's feedparser and by the store, entry by entry; `OURS` says where they differ, and why."""
import calendar
import time

import feedparser
import pytest
from support.daemon import Daemon
from support.publisher import Publisher
from support.subscribing import add

ITUNES = "xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"


def rss(items, head="<?xml version='1.0' encoding='UTF-8'?>", root="<rss version='2.0'>", end="</rss>"):
    return f"{head}{root}<channel><title>Show</title>{items}</channel>{end}"


def item(number, title=None, date="Fri, 02 May 2014 10:00:00 GMT", guid=True, url=None):
    return (f"<item><title>{title or f'Episode {number}'}</title>{f'<guid>g{number}</guid>' if guid else ''}"
            f"<pubDate>{date}</pubDate><enclosure url='{url or f'http://p.example/{number}.mp3'}' type='audio/mpeg' "
            "length='9'/></item>")


DATES = ["Fri, 02 May 2014 10:00:00 GMT", "Fri, 2 May 2014 10:00 +0200", "Mon, 02 May 2014 10:00:00 EST",
         "2 May 14 10:00:00 PDT", "2014-05-02T10:00:00.25+01:00", "2014-05-02", "2014-05-02T10:00:00Z",
         "Fri, 02 May 2014 10:00:00 -0330", "soon", ""]
ATOM = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://cdn.example/a/"><title>Show</title>
<entry xml:base="b/"><id>urn:1</id><title type="html">Tea &amp;amp; cake</title><updated>2015-02-03T04:05:06Z</updated>
<published>2014-05-02T10:00:00+02:00</published><link href="page.html"/>
<link rel="enclosure" type="audio/mpeg" length="9" href="1.mp3"/><link rel="enclosure" type="audio/ogg" href="../1.ogg"/></entry>
<entry><id>urn:2</id><title type="text">A &lt; B</title><updated>2015-02-03T04:05:06Z</updated>
<link rel="enclosure" type="audio/mpeg" href="/2.mp3"/></entry></feed>"""
RDF = """<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#"><channel rdf:about="http://p.example/"><title>Show</title></channel>
<item rdf:about="http://p.example/1"><title>One</title><link>http://p.example/1.mp3</link>
<dc:date>2014-05-02T10:00:00+02:00</dc:date></item></rdf:RDF>"""
WINDOWS = rss(item(1, "Чай и торт"), "<?xml version='1.0' encoding='windows-1251'?>")

FEEDS = {
    "rss": rss(item(1) + item(2)),
    "atom": ATOM,
    "dates": rss("".join(item(n, date=date) for n, date in enumerate(DATES))),
    "entities": rss(item(1, "Tea &amp; cake &#233; &#x1F375; &eacute;") + item(2, "A&#160;B &quot;C&quot;")),
    "cdata": rss(item(1, "<![CDATA[Tea & cake]]>") + item(2, "<![CDATA[1 < 2]]> and <![CDATA[3 > 2]]>")),
    "windows-1251": WINDOWS.encode("windows-1251"),
    "latin-1": rss(item(1, "Grüße"), "<?xml version='1.0' encoding='ISO-8859-1'?>").encode("latin-1"),
    "bom": b"\xef\xbb\xbf" + rss(item(1, "Grüße")).encode(),
    "utf-16": rss(item(1, "Grüße"), "<?xml version='1.0' encoding='UTF-16'?>").encode("utf-16"),
    "no guid": rss(item(1, guid=False) + item(2, guid=False) + item(3)),
    "relative": rss(item(1, url="a/1.mp3") + item(2, url="/2.mp3?x=1&amp;y=2"),
                    root="<rss version='2.0' xml:base='http://cdn.example/deep/'>"),
    "blank in url": rss(item(1, url=" http://p.example/1.mp3\n")),
    "itunes": rss("<item><itunes:title>Short</itunes:title><title>Long</title><guid>1</guid>"
                  "<pubDate>Fri, 02 May 2014 10:00:00 GMT</pubDate><enclosure url='http://p.example/1.mp3'/></item>",
                  root=f"<rss version='2.0' {ITUNES}>"),
    "dublin core": rss("<item><title>One</title><dc:date>2014-05-02T10:00:00Z</dc:date>"
                       "<enclosure url='http://p.example/1.mp3'/></item>",
                       root="<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'>"),
    "ill-formed": rss(item(1, "Tea & cake")),
    "cut": rss(item(1) + item(2))[:-30],
}


# What the store reads in another way, on purpose.
OURS = {
    # A title is text for people: what is marked as HTML, or encoded twice, is decoded.
    "atom": ("title", ["Tea & cake", "A < B"]),
    # xml:base counts in RSS too, whose enclosures feedparser gives as they stand.
    "relative": ("urls", [["http://cdn.example/deep/a/1.mp3"], ["http://cdn.example/2.mp3?x=1&y=2"]]),
    # Blanks around a URL are none of it.
    "blank in url": ("urls", [["http://p.example/1.mp3"]]),
    # The item at which a transfer was cut has what came of it, with an enclosure that lacks its end.
    "cut": ("urls", [["http://p.example/1.mp3"], ["http://p.example/2.mp3"]]),
}


def moment(entry):
    told = entry.get("published_parsed") or entry.get("updated_parsed")
    return calendar.timegm(told) if told else None


def theirs(content):
    """What feedparser reads; a link that is a sound stands for an enclosure."""
    found = feedparser.parse(content, response_headers={"content-type": "application/xml"}).entries
    return {"title": [e.get("title") for e in found], "date": [moment(e) for e in found],
            "urls": [[c["href"] for c in e.get("enclosures", [])] or [e.get("link")] for e in found]}


def seconds(date):
    return date and calendar.timegm(time.strptime(date[:19], "%Y-%m-%dT%H:%M:%S"))


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """Reads feeds with the store, all with one daemon."""
    folder = tmp_path_factory.mktemp("feedparser")
    server = Publisher(folder / "nginx", folder / "www")
    server.start()
    (folder / "daemon").mkdir(mode=0o700)
    daemon = Daemon(folder / "daemon", "--output", "null").start()
    client = daemon.client()

    def read(name, content):
        source = add(client, server.put(f"{name.replace(' ', '-')}.xml", content))
        ids = [i["id"] for i in client.call("store.list", source=source, sort="added")["items"]]
        found = [client.call("store.show", id=i) for i in ids]
        return {"title": [i["title"] for i in found], "date": [seconds(i["date"]) for i in found],
                "urls": [[c["url"] for c in i["contents"]] for i in found]}

    yield read
    daemon.stop()
    server.stop()


@pytest.mark.parametrize("name", FEEDS)
def test_entries_are_as_feedparser_reads_them(ours, name):
    expected = theirs(FEEDS[name])
    if name in OURS:
        field, values = OURS[name]
        assert expected[field] != values
        expected[field] = values
    assert ours(name, FEEDS[name]) == expected
