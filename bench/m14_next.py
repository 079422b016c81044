#!/usr/bin/env python3
"""14. `next` to sound, in a queue of local files. `clock zero` = when the position of the next one was 0, extrapolated
from positions between 0.05 and 0.3 s: the stand-in for "sound starts" without a sound card."""
import shutil
from contextlib import ExitStack
from common import *

SONGS = 12

def songs():
    """Copies of one file: twelve names."""
    source, found = mp3(128, 60), []
    for i in range(SONGS):
        path = f'{FIX}/next{i:02}.mp3'
        if not os.path.exists(path):
            shutil.copy(source, path)
        found.append('file://' + path)
    return found

def once(pl, index):
    t0 = MONO()
    pl.next()
    tr, told, zero = MONO(), None, []
    while MONO() < t0 + 10:
        s, here = pl.status(), pl.index()
        t = MONO()
        e = s['elapsed'] or 0
        if here != index or e > 5:
            continue
        if told is None and s['state'] == 'play' and e > 0:
            told = t
        if e >= 0.05:
            zero.append(t - e)
        if e >= 0.3:
            break
        time.sleep(0.001)
    ms = lambda x: None if x is None else (x - t0) * 1e3
    return dict(reply=ms(tr), told=ms(told), zero=ms(med(zero)) if zero else None)

def main():
    a = args(__doc__, 'mpd,mpv,jukeboxd', 9)
    a.players = [p for p in a.players if p != 'mopidy']
    n, data, urls = Noise(), {p: {} for p in a.players}, songs()
    with ExitStack() as st:
        ps = {p: st.enter_context(Player(p)) for p in a.players}
        for pl in ps.values():
            pl.play(urls[0])
            pl.append_all([urls[1:]])
        time.sleep(2)
        for r in range(min(a.runs, SONGS - 2)):
            for p, pl in ps.items():
                for k, v in once(pl, r + 1).items():
                    data[p].setdefault(k, []).append(v)
            time.sleep(0.5)
    finish(a, '14. `next` to sound', [table(a.players, [
        ('reply', '`next` answered, ms', None), ('told', 'position of the next one moves, ms', 'low'), ('zero', 'clock zero, ms', 'low')], data)], data, n.end())
main()
