#!/usr/bin/env python3
"""Posts the jukebox's state to a webhook whenever it changes: push.py URL [SOCKET]."""
import asyncio
import json
import sys
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from jukeboxd_client import Jukebox  # noqa: E402

TOLD = {"state": "player.state", "title": "item.title", "artist": "item.artist", "channel": "item.channel",
        "volume": "player.volume"}


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=10).close()


async def push(url, path=None):
    jukebox = Jukebox(path, keys=TOLD.values(), reconnect=True)
    await jukebox.connect()
    changes = jukebox.changes()
    while True:
        body = {name: jukebox.state.get(key) for name, key in TOLD.items()}
        try:
            await asyncio.to_thread(post, url, body)
        except OSError as error:
            print(f"push: {url}: {error}", file=sys.stderr)
        await anext(changes)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: push.py URL [SOCKET]")
    try:
        asyncio.run(push(*sys.argv[1:]))
    except KeyboardInterrupt:
        pass
    except OSError as failure:
        sys.exit(f"push: {failure}")
