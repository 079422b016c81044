#!/usr/bin/env python3
"""A client of jukeboxd for asyncio: mirrors the daemon's state and sends commands. Standard library only.

As a library:

    async with Jukebox() as jukebox:
        await jukebox.call("open", url="https://radio.example/stream.mp3")
        async for changes in jukebox.changes():
            print(changes, jukebox.state["player.state"])

As a program: `jukeboxd_client.py state` prints the whole state as JSON once, `jukeboxd_client.py follow` prints it
again after every change, `jukeboxd_client.py call METHOD [JSON]` sends one command. Nothing here ever polls.
"""
import asyncio
import json
import os
import sys

LINE_LIMIT = 16 << 20


class JukeboxError(Exception):
    """The daemon said no; `name` is the stable name of the reason."""

    def __init__(self, error):
        super().__init__(error.get("message", "unknown error"))
        self.code = error.get("code")
        self.name = (error.get("data") or {}).get("code")


def socket_paths():
    """Where a daemon may listen, in the order in which clients look."""
    named = os.environ.get("JUKEBOXD_SOCKET")
    if named:
        return [named]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    paths = [f"{runtime}/jukeboxd/control.sock"] if runtime else []
    return paths + ["/run/jukeboxd/control.sock", f"/tmp/jukeboxd-{os.getuid()}/control.sock"]


class Jukebox:
    """One connection. With `reconnect`, it comes back by itself when the daemon does, and state is whole again.

    `lost`, if set, is called when the connection has ended.
    """

    def __init__(self, path=None, keys=("*",), reconnect=False):
        self.path = path
        self.keys = list(keys)
        self.reconnect = reconnect
        self.state = {}
        self.connected = False
        self.lost = None
        self._replies = {}
        self._listeners = set()
        self._last_id = 0
        self._writer = None
        self._task = None

    async def __aenter__(self):
        await self.connect()
        return self

    async def __aexit__(self, *_):
        await self.close()

    async def connect(self):
        """Connects, observes, and returns once the state is known."""
        reader = await self._open()
        ready = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._run(reader, ready))
        await ready

    async def close(self):
        """Ends the connection; listeners end too."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._writer:
            self._writer.close()
        self._tell(None)

    async def call(self, method, **params):
        """Sends a command and returns its result; raises JukeboxError when the daemon refuses."""
        self._last_id += 1
        identity = self._last_id
        reply = self._replies[identity] = asyncio.get_running_loop().create_future()
        try:
            if self._writer is None:
                raise ConnectionError("not connected to jukeboxd")
            request = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
            self._writer.write(json.dumps(request).encode() + b"\n")
            await self._writer.drain()
            return await reply
        finally:
            self._replies.pop(identity, None)

    async def changes(self):
        """Yields what changed, as {key: new value} with None for a key that went away, until the connection ends."""
        queue = asyncio.Queue()
        self._listeners.add(queue)
        try:
            while (change := await queue.get()) is not None:
                yield change
        finally:
            self._listeners.discard(queue)

    async def _open(self):
        errors = []
        for path in [self.path] if self.path else socket_paths():
            try:
                reader, self._writer = await asyncio.open_unix_connection(path, limit=LINE_LIMIT)
                return reader
            except OSError as error:
                errors.append(f"{path}: {error.strerror or error}")
        raise ConnectionError("no jukeboxd listens: " + "; ".join(errors))

    async def _run(self, reader, ready):
        delay = 0.5
        while True:
            try:
                await self._observe(reader, ready)
                delay = 0.5
                async for line in reader:
                    self._take(json.loads(line))
            except (OSError, ValueError) as error:
                if not ready.done():
                    ready.set_exception(error)
            self._disconnected()
            if not self.reconnect:
                self._tell(None)
                return
            while True:
                await asyncio.sleep(delay)
                delay = min(delay * 2, 10)
                try:
                    reader = await self._open()
                    break
                except OSError:
                    continue

    async def _observe(self, reader, ready):
        request = {"jsonrpc": "2.0", "id": "observe", "method": "observe", "params": {"keys": self.keys}}
        self._writer.write(json.dumps(request).encode() + b"\n")
        while True:
            line = await reader.readline()
            if not line:
                raise ConnectionError("closed by jukeboxd")
            message = json.loads(line)
            if message.get("id") == "observe":
                break
            self._take(message)
        if "error" in message:
            raise JukeboxError(message["error"])
        before, self.state = self.state, dict(message["result"]["values"])
        self.connected = True
        if not ready.done():
            ready.set_result(None)
        else:
            gone = {key: None for key in before if key not in self.state}
            self._tell({**gone, **{k: v for k, v in self.state.items() if before.get(k) != v}})

    def _take(self, message):
        if message.get("method") == "changed":
            told = {}
            for key, change in message["params"]["changes"].items():
                if change.get("removed"):
                    self.state.pop(key, None)
                else:
                    self.state[key] = change["new"]
                told[key] = change.get("new")
            self._tell(told)
        elif (reply := self._replies.get(message.get("id"))) and not reply.done():
            if "error" in message:
                reply.set_exception(JukeboxError(message["error"]))
            else:
                reply.set_result(message["result"])

    def _disconnected(self):
        self.connected = False
        self._writer = None
        for reply in self._replies.values():
            if not reply.done():
                reply.set_exception(ConnectionError("closed by jukeboxd"))
        if self.lost:
            self.lost()

    def _tell(self, change):
        for queue in self._listeners:
            queue.put_nowait(change)


async def main(arguments):
    if not arguments or arguments[0] not in ("state", "follow", "call"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    async with Jukebox() as jukebox:
        if arguments[0] == "call":
            params = json.loads(arguments[2]) if len(arguments) > 2 else {}
            print(json.dumps(await jukebox.call(arguments[1], **params)))
            return 0
        print(json.dumps(jukebox.state, ensure_ascii=False), flush=True)
        if arguments[0] == "follow":
            async for _ in jukebox.changes():
                print(json.dumps(jukebox.state, ensure_ascii=False), flush=True)
            return 3
    return 0


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main(sys.argv[1:])))
    except (ConnectionError, JukeboxError, ValueError, IndexError) as failure:
        print(f"jukeboxd_client: {failure}", file=sys.stderr)
        sys.exit(3 if isinstance(failure, ConnectionError) else 1)
    except KeyboardInterrupt:
        sys.exit(0)
