"""Many clients, bad clients, and a client library that nobody here wrote."""
import json
import os
import re
import resource
import socket
import time

from jsonrpcclient import Error, Ok, parse, request
from support.client import Client
from support.daemon import REPOSITORY
from support.sounds import mp3


def test_a_foreign_client_library_works(daemon):
    client = Client(daemon.socket)
    for method, params, kind in (("ping", None, Ok), ("version", None, Ok), ("get", {"keys": ["player"]}, Ok),
                                 ("queue.remove", {"ids": [999]}, Error), ("no.such", None, Error)):
        client.send_raw(json.dumps(request(method, params)).encode() + b"\n")
        assert isinstance(parse(json.loads(client.read_line())), kind)


def test_five_hundred_observers_one_of_which_never_reads(daemon):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    observers = [Client(daemon.socket) for _ in range(500)]
    for observer in observers:
        observer.observe("player")
    deaf, commander = observers[0], daemon.client()
    before = daemon.memory()
    for number in range(2000):
        commander.call("set", values={"player.volume": number % 100})
    commander.call("set", values={"player.volume": 73})
    for observer in observers[1:]:
        observer.wait_for("player.volume", 73)
    assert daemon.memory() - before < 32 << 20
    deaf.wait_for("player.volume", 73)
    for observer in observers:
        observer.close()


def test_two_hundred_requests_in_one_write_are_answered_in_order(daemon):
    client = Client(daemon.socket)
    client.send_raw(b"".join(b'{"id":%d,"method":"ping"}\n' % n for n in range(200)))
    assert [json.loads(client.read_line())["id"] for _ in range(200)] == list(range(200))


def test_an_endless_line_costs_one_error_and_no_memory(daemon):
    client = Client(daemon.socket)
    before = daemon.memory()
    client.send_raw(b"A" * (4 << 20) + b"\n" + b'{"id":1,"method":"ping"}\n')
    error = json.loads(client.read_line())
    assert error["error"]["code"] == -32600 and error["error"]["data"]["code"] == "limit"
    assert json.loads(client.read_line())["id"] == 1
    assert daemon.memory() - before < 8 << 20


def test_clients_beyond_the_last_descriptor_fill_no_log(daemon):
    client = daemon.client()
    client.observe("player")
    client.call("open", url=str(mp3(seconds=2)))
    client.wait_for("player.state", "playing")
    pid = daemon.process.pid
    most = len(os.listdir(f"/proc/{pid}/fd")) + 3
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, resource.prlimit(pid, resource.RLIMIT_NOFILE)[1]))
    crowd = [Client(daemon.socket) for _ in range(8)]
    client.wait_for("player.state", "stopped")
    # Twice where the device was closed meanwhile, whose descriptor one more got.
    assert 1 <= daemon.log().count("no client can be let in") <= 2
    for one in crowd:
        one.close()
    resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
    Client(daemon.socket).call("ping")


def test_clients_that_hang_up_in_mid_reply_end_alone(daemon):
    for _ in range(50):
        client = Client(daemon.socket)
        client.send_raw(b'{"id":1,"method":"rpc.discover"}\n' * 50)
        client.socket.close()
    assert daemon.client().call("ping") is not None


def test_bad_bytes_are_an_error_for_that_line_only(daemon):
    client = Client(daemon.socket)
    for line in (b'{"id":1,"method":"pi\xff\xfeng"}', b'{"id":1,"method":"ping","params":{"x":"\\ud800"}}',
                 b'{"id":1,"method":"ping"', b"[]", b"{}", b"null", b'{"id":1.5,"method":"ping"}', b'{"id":1,"me\x00thod":1}'):
        client.send_raw(line + b"\n")
        assert "error" in json.loads(client.read_line()), line
    client.send_raw(b"\n\r\n \n" if False else b"\n\r\n")
    client.send_raw(b'{"id":"a","method":"ping"}\r\n')
    assert json.loads(client.read_line())["id"] == "a"


def test_a_nul_in_a_path_is_refused(daemon):
    client = Client(daemon.socket)
    client.send_raw(b'{"id":1,"method":"open","params":{"url":"/tmp/x\\u0000.mp3"}}\n')
    assert "error" in json.loads(client.read_line())


def test_a_browser_is_shown_the_door(daemon):
    client = Client(daemon.socket)
    client.send_raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try:
        assert client.socket.recv(100) == b""
    except ConnectionResetError:
        pass


def test_a_slow_writer_holds_nobody_up(daemon):
    slow, quick = Client(daemon.socket), Client(daemon.socket)
    slow.send_raw(b'{"id":1,"method":"pi')
    assert quick.call("ping") is not None
    slow.send_raw(b'ng"}\n')
    assert json.loads(slow.read_line())["id"] == 1


def test_commands_answer_while_a_server_is_silent(daemon, scripted):
    server = scripted([{"path": "/x.mp3", "do": [("hold", 30)]}])
    client = daemon.client()
    client.observe("*")
    client.call("open", url=server.url("/x.mp3"))
    client.wait(lambda v: v["player.state"] == "buffering" and v["player.waitingReason"] == "connecting")
    for command in ("pause", "play", "toggle", "stop"):
        client.call(command)
    client.call("open", url=str(mp3(seconds=3)))
    client.wait_for("player.state", "playing")


def test_the_contract_is_served(daemon):
    served = Client(daemon.socket).call("rpc.discover")
    assert served == json.loads((REPOSITORY / "protocol" / "openrpc.json").read_text())
