"""Playlists in the queue: read by the daemon, replaced by their members, whatever they look like."""
import json
import time
import urllib.request

import pytest
from support.scripted import ok
from support.sounds import mp3


def listed(path="/list.m3u", body=b"", kind="audio/x-mpegurl"):
    return {"path": path, "do": ok(body, Content_Type=kind)}


def song(path="/song.mp3", kind="audio/mpeg", seconds=3):
    return {"path": path, "do": ok(mp3(seconds=seconds).read_bytes(), Content_Type=kind)}


def entries(client):
    return client.call("queue.list")["entries"]


def plays(client, url, **more):
    """Opens a URL; returns the one that is heard."""
    client.observe("*")
    client.call("open", url=str(url), **more)
    values = client.wait(lambda v: v["player.state"] == "playing" or v["player.error"], what="sound")
    assert values["player.error"] is None, values["player.error"]
    return values["item.url"]


# What is opened to be played

def test_nested_lists_lead_to_their_song_with_one_request_each(daemon, scripted):
    server = scripted([
        listed("/outer.m3u", b"#EXTM3U\n#EXTINF:-1,Outer\ninner.pls?sid=1\n"),
        listed("/inner.pls", b"[playlist]\nNumberOfEntries=1\nFile1=third.m3u\n", "audio/x-scpls"),
        listed("/third.m3u", b"song.mp3\n", "application/octet-stream"), song()])
    client = daemon.client()
    assert plays(client, server.url("/outer.m3u")) == server.url("/song.mp3")
    assert [len(server.requests(p)) for p in ("/outer.m3u", "/inner.pls", "/third.m3u")] == [1, 1, 1]
    assert [e["title"] for e in entries(client)] == ["song.mp3"]


@pytest.mark.parametrize("path,body,kind,member", [
    ("/m3u/url/85582", b"#EXTM3U\nsong.mp3\n", "application/octet-stream", "/m3u/url/song.mp3"),
    ("/pls/url/85582", b"[playlist]\nFile1=song.mp3\nNumberOfEntries=1\n", "text/html; charset=utf-8", "/pls/url/song.mp3"),
    ("/x", b"<ASX><Entry><REF HREF='song.mp3?a=1&b=2'/></ENTRY></asx>", "text/plain", "/song.mp3?a=1&b=2"),
    ("/x.mp3", b"<?xml version='1.0'?><playlist xmlns='http://xspf.org/ns/0/'><trackList><track>"
     b"<location>song.mp3</location></track></trackList></playlist>", "audio/mpeg", "/song.mp3"),
    ("/x.m3u8", "#EXTM3U\n#EXTINF:-1,Plain ünicode list\nsong.mp3\n".encode(), "application/vnd.apple.mpegurl", "/song.mp3"),
])
def test_the_bytes_decide_whatever_name_and_type_say(daemon, scripted, path, body, kind, member):
    server = scripted([listed(path, body, kind), song(member.partition("?")[0], "text/plain")])
    assert plays(daemon.client(), server.url(path)) == server.url(member)


def test_relative_members_belong_to_the_url_after_the_redirect(daemon, scripted):
    server = scripted([
        {"path": "/go", "do": [("head", "HTTP/1.1 302 Found", {"Location": "http://{B}/deep/er/list.m3u", "Content-Length": "0"})]},
        {"on": "B", "when": {"query": ""}, **listed("/deep/er/list.m3u", b"#EXTM3U\nsongs/one.mp3\n../up.mp3\n/root.mp3\n?q=2\n")},
        {"on": "B", **song("*")}], listen=("A", "B"))
    client = daemon.client()
    plays(client, server.url("/go"))
    expected = ["/deep/er/songs/one.mp3", "/deep/up.mp3", "/root.mp3", "/deep/er/list.m3u?q=2"]
    assert [e["url"] for e in entries(client)] == [server.url(p, "B") for p in expected]


def test_a_list_that_is_given_once_is_asked_for_once(daemon, scripted):
    gone = [("head", "HTTP/1.1 403 Forbidden", {"Content-Length": "0"})]
    server = scripted([{**listed("/s.m3u", b"song.mp3\n"), "times": 1}, {"path": "/s.m3u", "do": gone}, song()])
    assert plays(daemon.client(), server.url("/s.m3u")) == server.url("/song.mp3")
    assert len(server.requests("/s.m3u")) == 1


def test_sound_that_is_named_like_a_list_plays(daemon, scripted):
    head = ("head", "HTTP/1.0 200 OK", {"Content-Type": "audio/x-scpls", "icy-name": "Odd"})
    server = scripted([{"path": "/listen.pls", "do": [head, ("body", mp3(seconds=8).read_bytes(), {"rate": 64000})]}])
    assert plays(daemon.client(), server.url("/listen.pls")) == server.url("/listen.pls")


@pytest.mark.parametrize("path", ["/a.m3u", "/self.m3u"])
def test_lists_that_name_each_other_end_with_an_error(daemon, scripted, path):
    server = scripted([
        listed("/a.m3u", b"b.pls\n"), listed("/b.pls", b"[playlist]\nFile1=a.m3u\nNumberOfEntries=1\n"),
        listed("/self.m3u", b"self.m3u\nself.m3u\n")])
    client = daemon.client()
    client.observe("*")
    client.call("open", url=server.url(path))
    error = client.wait(lambda v: v["player.error"] and v["player.state"] == "stopped")["player.error"]
    assert error["code"] == "too_many_redirects"
    assert len(server.requests()) <= 4


def test_lists_that_double_at_each_depth_stay_bounded(daemon, scripted):
    names = [f"/{n}.m3u" for n in range(12)]
    server = scripted([listed(a, f"{b[1:]}?1\n{b[1:]}?2\n".encode()) for a, b in zip(names, names[1:])])
    client = daemon.client()
    client.observe("*")
    client.call("open", url=server.url("/0.m3u"))
    client.wait(lambda v: v["player.error"] and v["player.state"] == "stopped", timeout=60)
    assert len(server.requests()) <= 100


def test_hls_is_one_item_whose_pieces_are_no_entries(daemon, scripted):
    server = scripted([listed("/x.m3u8", b"#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\na.ts\n#EXT-X-ENDLIST\n")])
    client = daemon.client()
    client.observe("*")
    client.call("open", url=server.url("/x.m3u8"))
    error = client.wait(lambda v: v["player.error"])["player.error"]
    assert error["code"] == "not_found" and client.values["queue.length"] == 1


def test_a_paused_list_is_replaced_and_stays_paused(daemon, scripted):
    server = scripted([{"path": "/list.m3u", "do": [("hold", 1), *ok(b"song.mp3\n")]}, song()])
    client = daemon.client()
    client.observe("*")
    client.call("open", url=server.url("/list.m3u"))
    client.call("pause")
    client.wait_for("item.url", server.url("/song.mp3"))
    assert client.get("player.state") == "paused"
    client.call("play")
    client.wait_for("player.state", "playing")


# What is read ahead

def test_a_list_gives_way_to_its_members_at_its_place_without_being_played(daemon, scripted):
    server = scripted([listed(body=b"#EXTM3U\n#EXTINF:61,One\na.mp3\nb.mp3\n")])
    client = daemon.client()
    client.observe("queue")
    before = client.call("queue.add", items=["/x/1.mp3", {"url": server.url("/list.m3u"), "title": "L"}, "/x/2.mp3"])
    client.wait_for("queue.length", 4)
    found = entries(client)
    assert [e["url"].rsplit("/", 1)[1] for e in found] == ["1.mp3", "a.mp3", "b.mp3", "2.mp3"]
    assert [e["title"] for e in found[1:3]] == ["One", "b.mp3"] and found[1]["duration"] == 61
    assert not {e["id"] for e in found[1:3]} & set(before["ids"])
    assert client.get("player.state") == "stopped"


def test_a_list_that_cannot_be_read_keeps_its_error(daemon, scripted):
    client = daemon.client()
    client.observe("queue")
    revision = client.get("queue.revision")
    client.call("queue.add", items=[scripted([]).url("/list.m3u")])
    client.wait(lambda v: v["queue.revision"] > revision + 1)
    assert [e["error"]["code"] for e in entries(client)] == ["not_found"]


def test_a_list_that_is_next_is_followed_without_a_second_request(daemon, scripted):
    server = scripted([{"path": "/m3u/1", "do": ok(b"http://{A}/song.mp3\n")}, song()])
    server.routes[0]["do"][1] = ("body", f"{server.url('/song.mp3')}\n".encode())
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[str(mp3(seconds=2)), server.url("/m3u/1")], play=True)
    client.wait(lambda v: v["item.url"] == server.url("/song.mp3") and v["player.state"] == "playing")
    assert len(server.requests("/m3u/1")) == 1


def test_a_station_with_mirrors_is_one_entry(daemon, scripted):
    body = ("[playlist]\nNumberOfEntries=2\nFile1=a.mp3\nTitle1=(#1 - 12/500) Jazz FM\nLength1=-1\n"
            "File2=b.mp3\nTitle2=(#2 - 3/100) Jazz FM\nLength2=-1\n").encode()
    server = scripted([listed("/jazz.pls", body)])
    client = daemon.client()
    client.observe("queue")
    client.call("queue.add", items=[server.url("/jazz.pls")])
    client.wait(lambda v: entries(client)[0]["title"] == "Jazz FM")
    assert [e["url"] for e in entries(client)] == [server.url("/a.mp3")]


def test_local_lists_name_files_by_odd_names(daemon, tmp_path):
    sound = mp3(seconds=1).read_bytes()
    names = ["with space #1.mp3", "100%25 real.mp3", "what?.mp3", "Xyü.mp3", "Grønn bølge.mp3"]
    for name in names:
        (tmp_path / name).write_bytes(sound)
    text = "with%20space%20%231.mp3\r\n100%25 real.mp3\r\nwhat?.mp3\r\nXy%C3%BC.mp3\r\n"
    (tmp_path / "odd.m3u").write_bytes(b"\xef\xbb\xbf" + text.encode() + "Grønn bølge.mp3".encode("latin-1"))
    client = daemon.client()
    plays(client, tmp_path / "odd.m3u")
    assert [e["url"] for e in entries(client)] == [str(tmp_path / n) for n in names]


def test_the_network_does_not_name_local_files(daemon, scripted, tmp_path):
    server = scripted([listed(body=b"#EXTM3U\nfile:///etc/passwd\nsong.mp3\nrtsp://a.test/\n"), song()])
    client = daemon.client()
    plays(client, server.url("/list.m3u"))
    assert [e["url"] for e in entries(client)] == [server.url("/song.mp3")]


def test_headers_go_to_members_of_the_same_place_only(daemon, scripted):
    server = scripted([listed(body=b"song.mp3\nhttp://{B}/song.mp3\n"), song(), {"on": "B", **song()}], listen=("A", "B"))
    server.routes[0]["do"][1] = ("body", f"song.mp3\n{server.url('/song.mp3', 'B')}\n".encode())
    client = daemon.client()
    plays(client, server.url("/list.m3u"), headers={"X-Key": "geheim"})
    client.call("next")
    client.wait(lambda v: v["item.url"] == server.url("/song.mp3", "B") and v["player.state"] == "playing")
    keys = {r["on"]: r["headers"].get("x-key") for r in server.requests("/song.mp3")}
    assert keys == {"A": "geheim", "B": None}


def test_a_list_of_a_hundred_thousand_leaves_commands_answered(daemon, tmp_path):
    path = tmp_path / "huge.m3u"
    path.write_text("#EXTM3U\n" + "".join(f"#EXTINF:1,T {n}\nhttp://s.test/{n}.mp3\n" for n in range(100_000)))
    client, other = daemon.client(), daemon.client(contract=False)
    client.observe("queue")
    client.call("queue.add", items=[str(path)])
    longest, count = 0, 0
    while client.get("queue.length") == 1:
        begun = time.monotonic()
        other.call("ping")
        longest, count = max(longest, time.monotonic() - begun), count + 1
        assert count < 1_000_000
    assert client.get("queue.length") == 100_000
    last = client.call("queue.list", offset=99_999)["entries"][0]
    assert last["title"] == "T 99999" and last["url"] == "http://s.test/99999.mp3"
    print("longest answer", longest, "of", count)
    assert longest < 20


def test_a_list_of_too_many_is_refused_whole(daemon, tmp_path):
    path = tmp_path / "huge.m3u"
    path.write_text("".join(f"http://s.test/{n}.mp3\n" for n in range(100_001)))
    client = daemon.client()
    client.observe("queue")
    client.call("queue.add", items=[str(path)])
    client.wait(lambda v: entries(client)[0]["error"], timeout=60)
    assert client.get("queue.length") == 1 and "100000" in entries(client)[0]["error"]["message"]


def test_a_list_out_of_the_cache_still_belongs_where_it_was_found(daemon, scripted):
    fresh = {"Content-Type": "audio/x-mpegurl", "Content-Length": "{size}", "Cache-Control": "max-age=3600"}
    server = scripted([
        {"path": "/go", "do": [("head", "HTTP/1.1 302 Found", {"Location": "http://{B}/deep/list.m3u", "Content-Length": "0"})]},
        {"on": "B", "path": "/deep/list.m3u", "do": [("head", "HTTP/1.1 200 OK", fresh), ("body", b"song.mp3\n")]},
        {"on": "B", **song("/deep/song.mp3")}], listen=("A", "B"))
    client = daemon.client()
    for _ in range(2):
        assert plays(client, server.url("/go")) == server.url("/deep/song.mp3", "B")
        client.call("queue.clear")


@pytest.mark.parametrize("suffix", [".m3u", ".xspf"])
def test_the_lists_of_a_real_station_server_lead_to_the_station(daemon, icecast, suffix):
    icecast.source("/radio.mp3", mp3(seconds=30), name="Radio Ohm", genre="Drone")
    # The server's lists are made of its statistics, which come a moment after the station.
    end = time.monotonic() + 30
    while b"/radio.mp3" not in urllib.request.urlopen(icecast.url("/radio.mp3" + suffix)).read():
        assert time.monotonic() < end
        time.sleep(0.05)
    client = daemon.client()
    assert plays(client, icecast.url("/radio.mp3" + suffix)) == icecast.url("/radio.mp3")
    client.wait(lambda v: v["item.live"] is True)


# What happened

def test_explain_tells_the_way_of_a_url_without_its_secrets(start, scripted):
    daemon = start("--output", "null")
    server = scripted([
        {"path": "/go", "do": [("head", "HTTP/1.1 302 Found", {"Location": "/list.m3u?token=geheim", "Content-Length": "0"})]},
        listed(body=b"#EXTM3U\nsong.mp3?sig=geheim\nrtsp://a.test/?key=geheim\n"), song()])
    client = daemon.client()
    first = server.url("/go?token=geheim")
    url = plays(client, first, headers={"X-Key": "geheim"})
    stories = [client.call("explain", url=first), client.call("explain", url=server.url("/go?token=***"))]
    assert stories[0] == stories[1] and stories[0]["url"] == server.url("/go?token=***")
    told = [(note["kind"], note["text"]) for note in stories[0]["notes"]]
    assert [kind for kind, _ in told][:5] == ["open", "connect", "response", "redirect", "connect"]
    assert any(kind == "playlist" and "M3U" in text for kind, text in told)
    assert any("rtsp://a.test/?key=***" in text and "not supported" in text for _, text in told)
    assert "X-Key" in told[1][1] and "content-type" in told[-3][1] + told[-4][1] + told[-5][1]
    member = client.call("explain")
    assert member["url"] == url
    kinds = [note["kind"] for note in member["notes"]]
    assert kinds[0] == "open" and "the playlist" in member["notes"][0]["text"] and "decoder" in kinds
    assert "geheim" not in json.dumps([stories, member])


def test_jukectl_why_is_for_people_and_scripts(daemon, tmp_path):
    from support.daemon import jukectl
    assert jukectl(daemon, "why").returncode == 1
    missing = tmp_path / "missing.mp3"
    assert jukectl(daemon, "open", missing).returncode == 1
    told = jukectl(daemon, "why").stdout
    assert told.startswith(str(missing) + "\n") and "  error" in told and "There is no file" in told
    story = json.loads(jukectl(daemon, "--json", "why", missing).stdout)
    assert story["notes"][-1]["kind"] == "error"
    assert jukectl(daemon, "why", tmp_path / "never.mp3").returncode == 1


# Lists that are something else, too

def test_a_list_under_the_head_of_a_station_is_read_once(daemon, scripted):
    heads = [("head", "ICY 200 OK", {"icy-name": "Lists", "icy-metaint": "8192"}),
             ("head", "HTTP/1.0 200 OK", {"icy-br": "128", "Server": "Icecast 2.4", "Content-Type": "audio/mpeg"})]
    client = daemon.client()
    for number, head in enumerate(heads):
        body = ("body", b"[playlist]\nFile1=song.mp3\n")
        server = scripted([{"path": f"/{number}", "do": [head, body]}, song()])
        assert plays(client, server.url(f"/{number}")) == server.url("/song.mp3")
        assert len(server.requests(f"/{number}")) == 1


def test_the_same_list_by_another_name_is_not_read_into_itself(daemon, scripted):
    server = scripted([listed("/l.m3u", b"#EXTM3U\nsong.mp3\nl.m3u?n=2\n"), song()])
    client = daemon.client()
    plays(client, server.url("/l.m3u"))
    client.wait(lambda v: entries(client)[-1]["error"] is not None)
    assert [e["url"] for e in entries(client)] == [server.url("/song.mp3"), server.url("/l.m3u?n=2")]
    assert entries(client)[-1]["error"]["code"] == "too_many_redirects"


def test_a_list_that_is_read_ahead_and_played_at_once_is_asked_for_once(daemon, scripted):
    late = [("hold", 1), *ok(b"song.mp3\n")]
    server = scripted([{"path": "/l.m3u", "do": late}, song()])
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[server.url("/l.m3u")])
    while not server.requests("/l.m3u"):
        client.call("ping")
    client.call("play")
    client.wait(lambda v: v["item.url"] == server.url("/song.mp3") and v["player.state"] == "playing")
    assert len(server.requests("/l.m3u")) == 1
