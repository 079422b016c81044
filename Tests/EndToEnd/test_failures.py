"""What cannot be played: a code, a sentence that names it, and the queue goes on."""
import socket

import pytest
from support.scripted import ok
from support.sounds import mp3


@pytest.fixture
def refused():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{s.getsockname()[1]}/x.mp3"


def fail(client, url, code, name=None):
    """Opens what must fail, then a good entry: the failure is told and the good one plays."""
    client.observe("*")
    client.call("queue.add", items=[str(url)], play=True)
    values = client.wait(lambda v: v["player.error"] is not None, what="an error")
    error = values["player.error"]
    assert error["code"] == code, error
    assert (name or str(url)) in error["message"]
    client.wait_for("player.state", "stopped")
    entry = client.call("queue.list")["entries"][0]
    assert entry["error"]["code"] == code
    client.call("queue.clear")
    client.call("queue.add", items=[str(url), str(mp3(seconds=5))], play=True)
    client.wait(lambda v: v["player.state"] == "playing" and v["queue.index"] == 1)
    error = client.get("player.error")
    assert error is None or error["code"] == code


def heard_to_its_end(daemon, url):
    """Opens it and waits until it is over; the client that saw it."""
    client = daemon.client()
    client.observe("*")
    client.call("open", url=url)
    client.wait_for("item.status", "readyToPlay")
    client.wait_for("player.state", "stopped")
    return client


def test_missing_file(daemon, tmp_path):
    fail(daemon.client(), tmp_path / "not here.mp3", "file_not_found")


def test_text_named_mp3(daemon, tmp_path):
    path = tmp_path / "page.mp3"
    path.write_text("<!DOCTYPE html><html><body>Login</body></html>\n" * 50)
    fail(daemon.client(), path, "unsupported_format", name="page.mp3")


def test_empty_file(daemon, tmp_path):
    path = tmp_path / "empty.mp3"
    path.touch()
    fail(daemon.client(), path, "empty")


def test_folder(daemon, tmp_path):
    fail(daemon.client(), tmp_path, "unsupported_format")


@pytest.mark.parametrize("status,code", [
    ("404 Not Found", "not_found"), ("401 Unauthorized", "unauthorized"), ("403 Forbidden", "forbidden"),
    ("410 Gone", "gone"), ("500 Internal Server Error", "http_error"),
])
def test_http_status(daemon, scripted, status, code):
    server = scripted([{"path": "/x.mp3", "do": [("head", f"HTTP/1.1 {status}", {"Content-Length": "0"})]}])
    fail(daemon.client(), server.url("/x.mp3"), code)


def test_refused_connection(daemon, refused):
    fail(daemon.client(), refused, "unreachable")


def test_name_that_does_not_resolve(daemon):
    fail(daemon.client(), "http://no-such-host.invalid/x.mp3", "no_such_host")


def test_body_that_breaks_off_is_played_to_where_it_goes(daemon, scripted):
    data = mp3(seconds=8).read_bytes()
    head = ("head", "HTTP/1.1 200 OK", {"Content-Length": "{size}", "Accept-Ranges": "none", "Content-Type": "audio/mpeg"})
    server = scripted([{"path": "/x.mp3", "do": [head, ("body", data, {"to": len(data) // 4})]}])
    client = daemon.client()
    client.observe("*")
    client.call("open", url=server.url("/x.mp3"))
    client.wait_for("player.state", "playing")
    values = client.wait(lambda v: v["player.error"] is not None, timeout=90)
    assert values["player.error"]["code"] == "incomplete"


def test_what_came_too_slowly_to_begin_is_played_once_the_loader_has_given_up(daemon, scripted):
    data = mp3(seconds=8).read_bytes()
    second = len(data) // 8
    head = ("head", "HTTP/1.1 200 OK", {"Content-Length": "{size}", "Accept-Ranges": "none", "Content-Type": "audio/mpeg"})
    # More than the ring holds and less than is enough to begin with; then it is gone for good.
    body = ("body", data, {"to": second * 17 // 10, "rate": second})
    server = scripted([{"path": "/x.mp3", "times": 1, "do": [head, body]},
                       {"path": "/x.mp3", "do": [("head", "HTTP/1.1 410 Gone", {"Content-Length": "0"})]}])
    client = daemon.client()
    client.observe("*")
    client.call("open", url=server.url("/x.mp3"))
    client.wait_for("player.state", "playing")
    values = client.wait(lambda v: v["player.error"] is not None and v["player.state"] == "stopped")
    assert values["player.error"]["code"] in ("incomplete", "gone")


def test_a_queue_of_nothing_but_failures_stops(daemon, tmp_path):
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[str(tmp_path / f"{n}.mp3") for n in range(20)], play=True)
    client.wait(lambda v: v["player.error"] is not None and v["player.state"] == "stopped")
    entries = client.call("queue.list")["entries"]
    assert all(e["error"]["code"] == "file_not_found" for e in entries)
    assert client.get("queue.index") == 0


def test_a_next_item_that_is_late_is_waited_for_and_asked_for_once(start, scripted, tmp_path):
    from support.sounds import decoded, largest_difference, samples
    first, second, out = mp3(seconds=1), mp3(seconds=2, frequency=660), tmp_path / "out.wav"
    late = [("hold", 2.5), *ok(second.read_bytes(), Content_Type="audio/mpeg")]
    server = scripted([{"path": "/b.mp3", "do": late}])
    daemon = start("--output", f"wav-untimed:{out}")
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[str(first), server.url("/b.mp3")], play=True)
    values = client.wait(lambda v: v["queue.index"] == 1 and v["player.state"] == "buffering")
    assert values["player.waitingReason"] == "connecting" and values["player.position"]["seconds"] == 0
    client.wait_for("player.state", "stopped")
    daemon.stop()
    expected, heard = decoded(first) + decoded(second), samples(out)
    assert len(server.requests("/b.mp3")) == 1
    assert len(heard) == len(expected) and largest_difference(heard, expected) <= 1


def test_a_next_item_that_fails_late_is_skipped(start, scripted, tmp_path):
    first, third, out = mp3(seconds=1), mp3(seconds=2, frequency=660), tmp_path / "out.wav"
    gone = [("hold", 2.5), ("head", "HTTP/1.1 410 Gone", {"Content-Length": "0"})]
    server = scripted([{"path": "/b.mp3", "do": gone}])
    daemon = start("--output", f"wav-untimed:{out}")
    client = daemon.client()
    client.observe("*")
    client.call("queue.add", items=[str(first), server.url("/b.mp3"), str(third)], play=True)
    client.wait_for("queue.index", 2)
    client.wait_for("player.state", "stopped")
    errors = [entry["error"] for entry in client.call("queue.list")["entries"]]
    assert errors[0] is None and errors[1]["code"] == "gone" and errors[2] is None


def test_a_file_over_http_is_heard_whole(start, scripted, tmp_path):
    from support.sounds import decoded, largest_difference, samples
    path, out = mp3(seconds=4), tmp_path / "out.wav"
    server = scripted([{"path": "/a.mp3", "do": ok(path.read_bytes(), Content_Type="audio/mpeg")}])
    daemon = start("--output", f"wav-untimed:{out}")
    client = heard_to_its_end(daemon, server.url("/a.mp3"))
    client.wait(lambda v: v["network.received"] >= path.stat().st_size)
    daemon.stop()
    heard, expected = samples(out), decoded(path)
    assert len(heard) == len(expected) and largest_difference(heard, expected) <= 1


@pytest.mark.parametrize("is_honest", [True, False])
def test_a_file_that_is_replaced_while_it_is_heard_goes_on_as_the_new_one(start, scripted, tmp_path, is_honest):
    from support.sounds import samples
    old, new, out = mp3(seconds=6).read_bytes(), mp3(seconds=6, frequency=660).read_bytes(), tmp_path / "out.wav"
    first = ("head", "HTTP/1.1 206 P", {"ETag": '"1"', "Content-Range": "bytes 0-{end}/{size}", "Content-Type": "audio/mpeg"})
    other = {"ETag": '"2"', "Content-Type": "audio/mpeg"}
    part = {**other, "Content-Range": "bytes {start}-{end}/{size}", "Content-Length": "{length}"}
    rest = [("head", "HTTP/1.1 200 OK", {**other, "Content-Length": "{size}"}), ("body", new)]
    if not is_honest:
        # One that knows nothing of If-Range.
        rest = [("head", "HTTP/1.1 206 P", part), ("body", new, {"range": True})]
    server = scripted([{"path": "/a.mp3", "times": 1, "do": [first, ("body", old, {"to": 40_000}), ("reset",)]},
                       {"path": "/a.mp3", "do": rest}])
    daemon = start("--output", f"wav-untimed:{out}")
    client = heard_to_its_end(daemon, server.url("/a.mp3"))
    assert client.get("player.error") is None and client.call("queue.list")["entries"][0]["error"] is None
    daemon.stop()
    # What was heard of the old one, and from there on the new one: not longer and not shorter than either.
    assert abs(len(samples(out)) / 2 / 44_100 - 6) < 0.3


def test_a_file_whose_next_version_is_shorter_goes_on_where_it_was_heard(start, scripted, tmp_path):
    """The second version ends before that place, and is replaced by a third before its end is here."""
    from support.sounds import samples
    versions = {str(n): mp3(seconds=seconds, frequency=330 * n).read_bytes() for n, seconds in ((1, 8), (2, 4), (3, 8))}

    def part(number):
        return ("head", "HTTP/1.1 206 P", {"ETag": f'"{number}"', "Content-Range": "bytes {start}-{end}/{size}",
                                           "Content-Length": "{length}", "Content-Type": "audio/mpeg"})

    def whole(number):
        return ("head", "HTTP/1.1 200 OK", {"ETag": f'"{number}"', "Content-Length": "{size}", "Content-Type": "audio/mpeg"})

    def body(number, **options):
        return ("body", versions[number], {"range": True, **options})

    answers = [[part("1"), body("1", to=100_000), ("reset",)], [whole("2"), body("2")],
               [part("2"), body("2", to=20_000), ("reset",)], [whole("3"), body("3")]]
    server = scripted([*({"path": "/a.mp3", "times": 1, "do": answer} for answer in answers),
                       {"path": "/a.mp3", "do": [part("3"), body("3")]}])
    out = tmp_path / "out.wav"
    daemon = start("--output", f"wav-untimed:{out}")
    client = heard_to_its_end(daemon, server.url("/a.mp3"))
    assert client.get("player.error") is None
    daemon.stop()
    assert abs(len(samples(out)) / 2 / 44_100 - 8) < 0.3
