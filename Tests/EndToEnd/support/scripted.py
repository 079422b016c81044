"""An HTTP server that plays scripts: each route says, step by step, what goes over the wire.

A route: {"path": "/x", "when": {"range": bool, "from": n}, "times": n, "do": [steps]}; the first route that fits
and is not used up answers. Steps: ("head", status line, {headers}), ("body", bytes or name, {options}),
("hold", seconds), ("reset",), ("finish",). In headers and bodies {A} and {B} stand for the two addresses,
{start} {end} {size} {length} for the range that was asked for. Body options: range=True, to=n, chunks=[n...],
rate=bytes a second, split=[n...].
"""
import re
import socket
import struct
import threading
import time

ADDRESSES = {"A": "127.0.0.1", "B": "127.0.0.2"}


class ScriptedServer:
    def __init__(self, routes, files=None, listen=("A",)):
        self.routes = routes
        self.files = files or {}
        self.used = {}
        self.log = []
        self.lock = threading.Lock()
        self.sockets = []
        self.addresses = {}
        for name in listen:
            listener = socket.create_server((ADDRESSES[name], 0), backlog=64)
            self.sockets.append(listener)
            self.addresses[name] = "%s:%d" % listener.getsockname()[:2]
            threading.Thread(target=self.accept, args=(name, listener), daemon=True).start()

    def url(self, path, on="A"):
        return f"http://{self.addresses[on]}{path}"

    def requests(self, path=None):
        with self.lock:
            return [r for r in self.log if path is None or r["path"] == path]

    def close(self):
        for listener in self.sockets:
            listener.close()

    def accept(self, name, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(name, connection), daemon=True).start()

    def answer(self, name, connection):
        try:
            with connection:
                connection.settimeout(60)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                request = self.read_request(connection)
                if request is None:
                    return
                request["on"] = name
                route = self.pick(name, request)
                with self.lock:
                    self.log.append(request)
                if route is None:
                    connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    return
                for step in route["do"]:
                    if self.play(connection, request, route, *step) is False:
                        return
        except (OSError, ValueError):
            pass

    def read_request(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            part = connection.recv(4096)
            if not part or len(data) > 65536:
                return None
            data += part
        lines = data.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        method, target = lines[0].split(" ")[:2]
        path, _, query = target.partition("?")
        headers = {}
        for line in lines[1:]:
            key, _, value = line.partition(":")
            headers[key.strip().lower()] = value.strip()
        match = re.match(r"bytes=(\d+)-(\d*)$", headers.get("range", ""))
        span = (int(match[1]), int(match[2]) if match[2] else None) if match else None
        return {"method": method, "path": path, "query": query, "headers": headers, "range": span, "at": time.monotonic()}

    def pick(self, name, request):
        for index, route in enumerate(self.routes):
            when = route.get("when", {})
            if route.get("on", "A") != name or route["path"] not in ("*", request["path"]):
                continue
            if "range" in when and (request["range"] is not None) != when["range"]:
                continue
            if "from" in when and not (request["range"] and request["range"][0] >= when["from"]):
                continue
            if "query" in when and when["query"] != request["query"]:
                continue
            with self.lock:
                if self.used.get(index, 0) >= route.get("times", 1 << 30):
                    continue
                self.used[index] = self.used.get(index, 0) + 1
            return route
        return None

    def content(self, route):
        for step in route["do"]:
            if step[0] == "body":
                return self.files.get(step[1], step[1]) if isinstance(step[1], str) else step[1]
        return b""

    def fill(self, text, request, data):
        start, end = request["range"] or (0, None)
        end = len(data) - 1 if end is None else min(end, len(data) - 1)
        values = {"start": start, "end": end, "size": len(data), "length": end - start + 1, **self.addresses}
        for key, value in values.items():
            text = text.replace("{%s}" % key, str(value))
        return text

    def play(self, connection, request, route, step, *arguments):
        data = self.content(route)
        if step == "head":
            status, headers = arguments[0], arguments[1] if len(arguments) > 1 else {}
            lines = [status, *(f"{k}: {v}" for k, v in headers.items())]
            if status.startswith("HTTP/1.1"):
                lines.append("Connection: close")
            connection.sendall(self.fill("\r\n".join(lines) + "\r\n\r\n", request, data).encode("latin-1"))
        elif step == "body":
            if request["method"] != "HEAD":
                self.send(connection, request, data, arguments[1] if len(arguments) > 1 else {})
        elif step == "hold":
            return self.hold(connection, arguments[0])
        elif step == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            time.sleep(0.05)
            return False
        elif step == "finish":
            connection.shutdown(socket.SHUT_WR)
            return False
        return True

    def hold(self, connection, seconds):
        end = time.monotonic() + seconds
        connection.settimeout(0.5)
        while time.monotonic() < end:
            try:
                if not connection.recv(100):
                    return False
            except TimeoutError:
                pass
        return True

    def send(self, connection, request, data, options):
        start, end = 0, len(data)
        if options.get("range") and request["range"]:
            start = request["range"][0]
            end = len(data) if request["range"][1] is None else min(len(data), request["range"][1] + 1)
        start = options.get("from", start)
        end = min(end, options.get("to", end))
        data = data[start:end]
        if "chunks" in options:
            data = self.chunked(data, options["chunks"], options.get("last", True))
        rate = options.get("rate")
        sizes = options.get("split") or [max(1, rate // 20) if rate else 65536]
        position = index = 0
        begun = time.monotonic()
        while position < len(data):
            size = sizes[index % len(sizes)]
            connection.sendall(data[position:position + size])
            position, index = position + size, index + 1
            if rate:
                ahead = options.get("burst", 0)
                time.sleep(max(0, (position - ahead) / rate - (time.monotonic() - begun)))
            elif options.get("split"):
                time.sleep(0.0005)

    @staticmethod
    def chunked(data, sizes, last):
        out, position, index = bytearray(), 0, 0
        while position < len(data):
            part = data[position:position + sizes[index % len(sizes)]]
            out += b"%x\r\n%s\r\n" % (len(part), part)
            position, index = position + len(part), index + 1
        return bytes(out + (b"0\r\n\r\n" if last else b""))


def ok(data, **headers):
    """A route's steps for a plain whole answer with length."""
    named = {k.replace("_", "-"): v for k, v in headers.items()}
    return [("head", "HTTP/1.1 200 OK", {"Content-Length": "{size}", **named}), ("body", data)]


def partial(data, **headers):
    """A route's steps for an answer to the range that was asked for."""
    named = {k.replace("_", "-"): v for k, v in headers.items()}
    return [("head", "HTTP/1.1 206 Partial Content",
             {"Content-Range": "bytes {start}-{end}/{size}", "Content-Length": "{length}", **named}),
            ("body", data, {"range": True})]
