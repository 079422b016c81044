"""A server of one file, of which there are several versions, and whose answers break in every way."""
import socket
import struct
import threading
import time


class FaultyServer:
    """Breaks most of its answers: drops them, resets them, falls silent, is busy, or has another version by then."""

    KINDS = ("drop", "reset", "stall", "busy", "swap")

    def __init__(self, versions, choose):
        self.versions = [bytes(v) for v in versions]
        self.choose = choose
        self.current = 0
        self.faults = {kind: 0 for kind in self.KINDS}
        self.lock = threading.Lock()
        self.was_busy = False
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def url(self):
        return "http://127.0.0.1:%d/a.mp3" % self.listener.getsockname()[1]

    @property
    def count(self):
        return sum(self.faults.values())

    def swap(self):
        with self.lock:
            self.current = (self.current + 1) % len(self.versions)

    def close(self):
        self.listener.close()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def fault(self):
        """What goes wrong with the next answer; None for nothing. Never busy twice, which would be the end."""
        with self.lock:
            kind = self.choose.choice((*self.KINDS, *("drop", "reset", "stall") * 3, None))
            if kind == "busy" and self.was_busy:
                kind = "drop"
            self.was_busy = kind == "busy"
            if kind:
                self.faults[kind] += 1
            return kind, self.choose.randrange(1000, 120_000)

    def answer(self, connection):
        try:
            with connection:
                connection.settimeout(60)
                headers = self.read(connection)
                if headers is not None:
                    self.send(connection, headers)
        except OSError:
            pass

    @staticmethod
    def read(connection):
        data = b""
        while b"\r\n\r\n" not in data:
            part = connection.recv(4096)
            if not part:
                return None
            data += part
        lines = data.decode("latin-1").split("\r\n")[1:]
        return {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines if line)}

    def send(self, connection, headers):
        with self.lock:
            version, data = self.current, self.versions[self.current]
        tag = f'"v{version}"'
        common = f"ETag: {tag}\r\nCache-Control: max-age=0\r\nContent-Type: audio/mpeg\r\nConnection: close\r\n"
        if headers.get("if-none-match") == tag:
            connection.sendall(f"HTTP/1.1 304 Not Modified\r\n{common}\r\n".encode())
            return
        kind, limit = self.fault()
        if kind == "busy":
            connection.sendall(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        begin, end, status = 0, len(data), "200 OK"
        span = headers.get("range", "")
        # RFC 9110, section 13.1.5: of another version there is no part.
        if span.startswith("bytes=") and headers.get("if-range", tag) == tag:
            first, _, last = span[6:].partition("-")
            begin, end, status = int(first), int(last) + 1 if last else len(data), "206 Partial Content"
            common += f"Content-Range: bytes {begin}-{end - 1}/{len(data)}\r\n"
        connection.sendall(f"HTTP/1.1 {status}\r\n{common}Content-Length: {end - begin}\r\n\r\n".encode())
        connection.sendall(data[begin:end] if kind is None else data[begin:min(end, begin + limit)])
        self.end(connection, kind)

    def end(self, connection, kind):
        if kind == "swap":
            self.swap()
        elif kind == "stall":
            # Until the other side has had enough.
            while connection.recv(100):
                pass
        elif kind == "reset":
            time.sleep(0.01)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
