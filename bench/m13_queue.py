#!/usr/bin/env python3
"""13. a queue of 100,000 URLs: the time to add it in parts of 5,000, what it costs in memory, and what a status, a page
of 100 from its middle and clearing it take then. mpv reads it from one M3U file, as it has no command for many."""
from common import *

COUNT, PART = 100_000, 5_000

def timed(body):
    t = MONO()
    body()
    return (MONO() - t) * 1e3

def once(p, urls, data):
    with Player(p) as pl:
        before = usage(pl.proc.pid)['rss'] / 1024
        parts = [urls[k:k + PART] for k in range(0, COUNT, PART)]
        put = lambda k, v: data.setdefault(k, []).append(v)
        put('add', timed(lambda: pl.append_all(parts)))
        put('rss', usage(pl.proc.pid)['rss'] / 1024)
        put('more', data['rss'][-1] - before)
        put('status', med([timed(pl.status) for _ in range(50)]))
        if hasattr(pl, 'page'):
            put('page', med([timed(lambda: pl.page(COUNT // 2, 100)) for _ in range(20)]))
        put('clear', timed(pl.clear))

def main():
    a = args(__doc__, 'mpd,mpv,jukeboxd', 3)
    a.players = [p for p in a.players if p != 'mopidy']        # takes 10,000 entries at most
    n, data = Noise(), {p: {} for p in a.players}
    urls = [f'http://127.0.0.1:9/music/artist-{i // 100:04}/album-{i // 10:05}/track-{i:06}.mp3' for i in range(COUNT)]
    for r in range(a.runs):
        for p in a.players:
            once(p, urls, data[p])
    finish(a, '13. A queue of 100,000', [table(a.players, [
        ('add', 'added, ms', 'low'), ('rss', 'VmRSS with it, MiB', 'low'), ('more', 'more than without it, MiB', 'low'),
        ('status', 'status, ms', 'low'), ('page', 'a page of 100, ms', 'low'), ('clear', 'cleared, ms', 'low')], data)], data, n.end())
main()
