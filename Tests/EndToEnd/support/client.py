"""A client of the protocol that checks every message against the contract."""
import json
import socket
import time


class RPCError(Exception):
    def __init__(self, error):
        super().__init__(f"{error.get('code')}: {error.get('message')}")
        self.code = error.get("code")
        self.name = (error.get("data") or {}).get("code")
        self.message = error.get("message")


class Client:
    """One connection: calls, and a mirror of what it observes."""

    def __init__(self, path, contract=None, timeout=20):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.contract = contract
        self.buffer = b""
        self.last_id = 0
        self.methods = {}
        self.changes = []
        self.values = {}
        self.revision = 0

    def close(self):
        self.socket.close()

    # -- lines

    def send_raw(self, data):
        self.socket.sendall(data)

    def read_line(self, timeout=None):
        if timeout is not None:
            self.socket.settimeout(max(0.001, timeout))
        while b"\n" not in self.buffer:
            data = self.socket.recv(262144)
            if not data:
                raise ConnectionError("closed by the daemon")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line

    def read_message(self, timeout=20):
        message = json.loads(self.read_line(timeout))
        if isinstance(message, dict):
            self.take(message)
        return message

    def take(self, message):
        if message.get("method") == "changed":
            if self.contract:
                self.contract.check_change(message)
            self.changes.append(message["params"])
            self.revision = max(self.revision, message["params"]["revision"])
            for key, change in message["params"]["changes"].items():
                if change.get("removed"):
                    self.values.pop(key, None)
                else:
                    self.values[key] = change["new"]
        elif self.contract and "id" in message:
            self.contract.check_reply(self.methods.pop(message["id"], None), message)

    # -- calls

    def send(self, method, params=None, **named):
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method}
        if params is not None or named:
            request["params"] = named if params is None else params
        self.methods[self.last_id] = method
        self.send_raw(json.dumps(request).encode() + b"\n")
        return self.last_id

    def reply(self, identity, timeout=20):
        end = time.monotonic() + timeout
        while True:
            message = self.read_message(end - time.monotonic())
            if isinstance(message, dict) and message.get("id") == identity and "method" not in message:
                if "error" in message:
                    raise RPCError(message["error"])
                return message["result"]

    def call(self, method, params=None, **named):
        return self.reply(self.send(method, params, **named))

    def get(self, *keys):
        values = self.call("get", keys=list(keys))["values"]
        return values[keys[0]] if len(keys) == 1 and keys[0] in values else values

    # -- observing

    def observe(self, *keys, **options):
        result = self.call("observe", keys=list(keys) or ["*"], **options)
        self.values.update(result.get("values") or {})
        self.revision = max(self.revision, result["revision"])
        return result

    def wait(self, condition, timeout=30, what=""):
        """Reads changes until `condition(values)` holds; the deadline only ends a hung test."""
        end = time.monotonic() + timeout
        while not condition(self.values):
            left = end - time.monotonic()
            if left <= 0:
                raise AssertionError(f"did not come: {what}; {self.interesting()}")
            try:
                self.read_message(left)
            except TimeoutError:
                pass
        return self.values

    def wait_for(self, key, value, timeout=30):
        return self.wait(lambda v: v.get(key) == value, timeout, f"{key} = {value!r}")

    def interesting(self):
        return {k: v for k, v in self.values.items() if k.startswith(("player.", "item.title", "item.url", "queue."))}
