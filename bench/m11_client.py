#!/usr/bin/env python3
"""11. a whole client process: `jukectl toggle` beside `mpc toggle`, exec to exit, while a file plays."""
from contextlib import ExitStack
from common import *
from adapters.jukeboxd import CLIENT

def main():
    a = args(__doc__, 'mpd,jukeboxd', 7)
    a.players = [p for p in a.players if p in ('mpd', 'jukeboxd')]
    n, data = Noise(), {p: {} for p in a.players}
    url = 'file://' + mp3(128, 600)
    with ExitStack() as st:
        ps = {p: st.enter_context(Player(p)) for p in a.players}
        for pl in ps.values():
            pl.play(url)
        time.sleep(1)
        cmd = {'mpd': lambda pl: (['mpc', '-q', 'toggle'], {'MPD_HOST': pl.sock}),
               'jukeboxd': lambda pl: ([CLIENT, 'toggle'], {'JUKEBOXD_SOCKET': pl.sock})}
        for r in range(a.runs):
            for p, pl in ps.items():
                argv, env = cmd[p](pl)
                xs = []
                for _ in range(20):
                    t = time.perf_counter()
                    subprocess.run(argv, env={**os.environ, **env}, check=True, stdout=subprocess.DEVNULL)
                    xs.append((time.perf_counter() - t) * 1e3)
                    time.sleep(0.01)
                data[p].setdefault('wall', []).append(med(xs))
    finish(a, '11. Client process', [table(a.players, [('wall', 'toggle, exec to exit, median of 20, ms', 'low')], data)], data, n.end())
main()
