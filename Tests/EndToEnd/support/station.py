"""A radio station on loopback that goes away and comes back when it is told to: python3 station.py FILE PORT."""
import socket
import struct
import sys
import threading
import time


class Station:
    """Sends a sound round and round in real time to each listener, after a burst."""

    def __init__(self, data, port=0, rate=16000, burst=65536, interval=None, titles=None, headers=None):
        self.data = data
        self.rate = rate
        self.burst = burst
        self.interval = interval
        self.titles = titles or {}
        self.headers = headers or {"icy-name": "Station", "Content-Type": "audio/mpeg"}
        self.port = port
        self.requests = 0
        self.listener = None
        self.connections = []
        self.lock = threading.Lock()
        self.is_silent = threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/live"

    def start(self):
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=16)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()
        return self

    def stop(self):
        """Listens no more and closes what there is."""
        if self.listener:
            self.listener.shutdown(socket.SHUT_RDWR)
            self.listener.close()
            self.listener = None
        self.drop()

    def drop(self, reset=False):
        with self.lock:
            connections, self.connections = self.connections, []
        for connection in connections:
            try:
                if reset:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    connection.close()
                else:
                    connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with self.lock:
                self.connections.append(connection)
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            request = b""
            while b"\r\n\r\n" not in request:
                part = connection.recv(4096)
                if not part:
                    return
                request += part
            self.requests += 1
            headers = dict(self.headers)
            if self.interval:
                headers["icy-metaint"] = str(self.interval)
            lines = ["ICY 200 OK", *(f"{k}: {v}" for k, v in headers.items())]
            connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            self.send(connection)
        except OSError:
            pass
        finally:
            connection.close()

    def send(self, connection):
        begun, sent = time.monotonic(), 0
        piece = max(256, self.rate // 20)
        until_block = self.interval
        while True:
            while self.is_silent.is_set():
                time.sleep(0.02)
            size = min(piece if sent >= self.burst else 16384, until_block or 1 << 30)
            start = sent % len(self.data)
            part = self.data[start:start + size]
            connection.sendall(part)
            sent += len(part)
            if self.interval:
                until_block -= len(part)
                if until_block == 0:
                    connection.sendall(self.block(sent))
                    until_block = self.interval
            time.sleep(max(0, (sent - self.burst) / self.rate - (time.monotonic() - begun)))

    def block(self, sent):
        title = self.titles.get(sent)
        if title is None:
            return b"\0"
        text = f"StreamTitle='{title}';".encode()
        text += b"\0" * (-len(text) % 16)
        return bytes([len(text) // 16]) + text


if __name__ == "__main__":
    Station(open(sys.argv[1], "rb").read(), port=int(sys.argv[2])).start()
    print("ready", flush=True)
    threading.Event().wait()
