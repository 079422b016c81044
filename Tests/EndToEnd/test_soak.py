"""A random walk over commands with a server that misbehaves: the daemon stays, stays small, and tells the truth."""
import os
import random
import time

from support.client import RPCError
from support.sounds import mp3
from support.scripted import ok


def descriptors(daemon):
    return len(os.listdir(f"/proc/{daemon.process.pid}/fd"))


def check(values):
    state, reason, position = values["player.state"], values["player.waitingReason"], values["player.position"]
    assert (reason is not None) == (state == "buffering"), (state, reason)
    assert (position["rate"] == 1) == (state == "playing"), (state, position)
    index, length = values["queue.index"], values["queue.length"]
    assert (index is None) == (length == 0) and (index is None or 0 <= index < length)
    if state == "stopped":
        assert position["rate"] == 0
    else:
        assert values["item.url"] is not None
    assert 0 <= values["player.volume"] <= 100


def test_a_random_walk_leaves_everything_true(start, scripted, soak, tmp_path):
    seed = random.SystemRandom().randrange(1 << 30) if soak else 7
    print(f"seed {seed}")
    choose = random.Random(seed)
    data = mp3(seconds=3).read_bytes()
    head = ("head", "HTTP/1.1 200 OK", {"Content-Length": "{size}", "Content-Type": "audio/mpeg", "Accept-Ranges": "none"})
    server = scripted([
        {"path": "/good.mp3", "do": ok(data, Content_Type="audio/mpeg")},
        {"path": "/cut.mp3", "do": [head, ("body", data, {"to": len(data) // 3}), ("reset",)]},
        {"path": "/slow.mp3", "do": [head, ("body", data, {"rate": 9000})]},
        {"path": "/silent.mp3", "do": [("hold", 20)]},
        {"path": "/live", "do": [("head", "ICY 200 OK", {"icy-name": "Walk", "content-type": "audio/mpeg"}),
                                 ("body", data * 4, {"rate": 30000, "burst": 65536})]}])
    text = tmp_path / "text.mp3"
    text.write_text("no sound here " * 100)
    urls = [str(mp3(seconds=2)), str(mp3(seconds=1, rate=22050, channels=1)), str(text), "/nowhere.mp3",
            *(server.url(p) for p in ("/good.mp3", "/cut.mp3", "/slow.mp3", "/silent.mp3", "/live", "/missing.mp3"))]
    daemon = start("--output", "null", "--output", f"file=wav:{tmp_path / 'out.wav'}")
    client = daemon.client()
    client.observe("*")

    def command():
        some = [choose.choice(urls) for _ in range(choose.randrange(1, 4))]
        entries = [e["id"] for e in client.call("queue.list")["entries"]]
        return choose.choice([
            lambda: client.call("open", url=some[0]), lambda: client.call("queue.add", items=some, play=choose.random() < 0.5),
            lambda: client.call("queue.insertNext", items=some), lambda: client.call("queue.replaceCurrent", item=some[0]),
            lambda: client.call("queue.clear"), lambda: client.call("queue.remove", ids=entries[:choose.randrange(1, 3)]),
            lambda: client.call("queue.move", ids=entries[-1:], to=choose.randrange(4)),
            lambda: client.call("play"), lambda: client.call("play", index=choose.randrange(4)), lambda: client.call("pause"),
            lambda: client.call("toggle"), lambda: client.call("stop"), lambda: client.call("next"), lambda: client.call("previous"),
            lambda: client.call("seek", to=choose.uniform(-1, 4)), lambda: client.call("seek", by=choose.uniform(-2, 2)),
            lambda: client.call("set", values={"outputs.file.enabled": choose.random() < 0.5}),
            lambda: client.call("adjust", key="player.volume", by=choose.randrange(-20, 20)),
            lambda: client.call("remote", event=choose.choice(["PlayPause", "XF86AudioNext", "nextTrack"])),
            lambda: client.call("set", values={"player.repeat": choose.choice(["off", "all", "one"])}),
            lambda: client.call("set", values={"player.shuffle": choose.random() < 0.5,
                                               "player.consume": choose.random() < 0.3}),
            lambda: client.call("queue.shuffle"), lambda: client.call("seek", to="live"),
            lambda: client.call("set", values={"player.sleepAt": choose.choice([None, time.time() + choose.uniform(0, 60)])}),
            lambda: client.call("announce", url=some[0]) if choose.random() < 0.3 else client.call("ping"),
            lambda: client.call("invert", key="player.muted"),
        ])

    for step in range(100_000 if soak else 400):
        try:
            command()()
        except RPCError as error:
            assert error.code in (-32001, -32002, -32003, -32602), error
        check(client.call("get", keys=["*"])["values"])
        if step % 50 == 49:
            # Time for sound, stalls and ends to come; whatever they bring must be as true.
            quiet = client.revision
            try:
                while client.revision < quiet + 20:
                    client.read_message(0.2)
            except TimeoutError:
                pass
    client.call("queue.clear")
    client.wait_for("player.state", "stopped")
    client.wait(lambda v: not v["outputs.null.open"] and not v["outputs.file.open"])
    assert daemon.memory() < 80 << 20
    assert descriptors(daemon) < 60
