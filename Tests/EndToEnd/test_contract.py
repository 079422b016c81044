"""protocol/openrpc.json against the daemon: its examples, its transcripts, its own schemas."""
import json
import shutil

import jsonschema
import pytest
from support.client import Client
from support.contract import Contract
from support.daemon import REPOSITORY
from support.sounds import mp3

DOCUMENT = json.loads((REPOSITORY / "protocol" / "openrpc.json").read_text())
TRANSCRIPTS = sorted((REPOSITORY / "protocol" / "transcripts").glob("*.jsonl"))
EXAMPLES = [(method, example) for method in DOCUMENT["methods"] for example in method["examples"]]


def validator(schema):
    return Contract.shared().validator(schema)


def arguments(example):
    return {p["name"]: p["value"] for p in example["params"]}


def references(part):
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        for value in part.values():
            yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def test_every_schema_is_one_and_every_reference_leads_somewhere():
    schemas = DOCUMENT["components"]["schemas"]
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    used = {reference.removeprefix("#/components/schemas/") for reference in references(DOCUMENT)}
    assert used == set(schemas)


def test_only_a_method_with_one_required_parameter_takes_it_by_position():
    for method in DOCUMENT["methods"]:
        required = [p for p in method["params"] if p["required"]]
        assert (method["paramStructure"] == "either") == (len(required) == 1), method["name"]


@pytest.fixture
def music(tmp_path):
    """What the examples call /srv/music."""
    folder = tmp_path / "music"
    folder.mkdir()
    tags = {"title": "Tone", "artist": "Someone", "album": "Tones", "track": "3", "date": "2003", "genre": "Jazz"}
    shutil.copy(mp3(seconds=1, tags=tags), folder / "tone.mp3")
    # No more than the mark that a JPEG begins with.
    (folder / "cover.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    return folder


def prepare(client, example, music):
    """Takes an example's steps; returns its parameters as they are to be sent."""
    def here(value):
        return json.loads(json.dumps(value).replace("/srv/music", str(music)))

    for step in example.get("x-before", []):
        if "wait" in step:
            client.observe(*step["wait"])
            client.wait(lambda values: step["wait"].items() <= values.items())
        else:
            client.call(step["method"], here(step["params"]))
    return here(arguments(example))


@pytest.mark.parametrize("method,example", EXAMPLES, ids=[e["name"].replace(" ", "-") for _, e in EXAMPLES])
def test_an_example_is_of_its_schema_and_so_is_the_daemons_reply(daemon, method, example, music):
    parameters = {p["name"]: p for p in method["params"]}
    for name, value in arguments(example).items():
        validator(parameters[name]["schema"]).validate(value)
    validator(method["result"]["schema"]).validate(example["result"]["value"])
    client = daemon.client()
    result = client.call(method["name"], prepare(client, example, music))
    if example.get("x-machine"):
        # How many there are is the machine's.
        result = {name: value[:1] for name, value in result.items()}
    assert kinds(result) == kinds(example["result"]["value"])


def kinds(value):
    """A value without what differs from run to run."""
    if isinstance(value, dict):
        return {name: kinds(member) for name, member in value.items()}
    if isinstance(value, list):
        return [kinds(member) for member in value]
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


@pytest.mark.parametrize("method", [m["name"] for m in DOCUMENT["methods"] if m["paramStructure"] == "either"])
def test_what_can_come_by_position_does(daemon, method, music):
    entry = next(m for m in DOCUMENT["methods"] if m["name"] == method)
    example = entry["examples"][0]
    name = next(p["name"] for p in entry["params"] if p["required"])
    client = daemon.client()
    client.call(method, [prepare(client, example, music)[name]])


# A place shows when a service was asked for it, a download or a picture when it was asked for: see their own tests.
ON_DEMAND = ("locations.", "downloads.", "artwork.")


def test_every_property_of_the_daemon_is_in_the_contract_and_the_other_way_round(daemon, music):
    client = daemon.client()
    client.call("store.addSource", url=str(music))
    values = client.call("get", keys=["*"])["values"]
    contract = Contract.shared()
    for key, value in values.items():
        contract.check_property(key, value)
    for key, (pattern, _) in zip(DOCUMENT["x-properties"], contract.properties):
        assert key.startswith(ON_DEMAND) or any(pattern.match(k) for k in values), key


@pytest.mark.parametrize("key", [k for k, p in DOCUMENT["x-properties"].items() if not p["settable"]])
def test_what_the_contract_calls_read_only_is(daemon, music, key):
    key = key.replace("{name}", "null").replace("{id}", "1")
    if key.startswith(ON_DEMAND):
        pytest.skip("it shows when it was asked for")
    daemon.client().call("store.addSource", url=str(music))
    client = Client(daemon.socket)
    client.send_raw(json.dumps({"id": 1, "method": "set", "params": {"values": {key: 1}}}).encode() + b"\n")
    assert json.loads(client.read_line())["error"]["data"]["code"] == "read_only"


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=[p.stem for p in TRANSCRIPTS])
def test_the_daemon_says_what_the_transcript_says(daemon, path):
    clients = {}
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        who = line[:1] if line[0].isdigit() else ""
        direction, text = line[len(who)], line[len(who) + 2:]
        client = clients.setdefault(who, None) or Client(daemon.socket)
        clients[who] = client
        if direction == ">":
            client.send_raw(text.encode() + b"\n")
        else:
            given, expected = json.loads(client.read_line()), json.loads(text)
            assert matches(given, expected), f"{line}\ncame as {given}"


def matches(given, expected):
    if expected == "…":
        return True
    if isinstance(expected, dict) and isinstance(given, dict):
        return given.keys() == expected.keys() and all(matches(given[k], v) for k, v in expected.items())
    if isinstance(expected, list) and isinstance(given, list):
        return len(given) == len(expected) and all(map(matches, given, expected))
    return type(given) is type(expected) and given == expected
