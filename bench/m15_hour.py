#!/usr/bin/env python3
"""15. continuous play while two loops at nice 19 keep both cores busy: underruns at the sound card, which is the PCM
plugin of Tests/Fixtures/fakecard. All players at once, an hour (SECONDS in the environment for less)."""
from contextlib import ExitStack
from common import *
from m12_silence import card

SECONDS = int(os.environ.get('SECONDS', 3600))

def underruns(folder):
    try:
        return sum(l.startswith('xrun') for l in open(f'{folder}/capture.raw.log'))
    except OSError:
        return 0

def main():
    a = args(__doc__, 'mpd,mpv,jukeboxd', 1)
    a.players = [p for p in a.players if p != 'mopidy']        # GStreamer's ALSA sink is not driven here
    n, data = Noise(), {p: {} for p in a.players}
    url = 'file://' + mp3(128, SECONDS + 60)
    # In memory: what a busy disk does to the card that stands in for a real one is none of the players' doing.
    root = tempfile.mkdtemp(prefix='measure-hour', dir='/dev/shm')
    loops = []
    try:
        with ExitStack() as st:
            ps = {}
            for p in a.players:
                os.environ['ALSA_CONFIG_PATH'] = card(f'{root}/{p}')
                os.symlink('/dev/null', f'{root}/{p}/capture.raw')
                ps[p] = st.enter_context(Player(p, alsa='fake'))
            loops = [subprocess.Popen(['nice', '-n', '19', sys.executable, '-c', 'while True: pass']) for _ in range(os.cpu_count())]
            for pl in ps.values():
                pl.play(url)
            end = MONO() + SECONDS
            while MONO() < end:
                # MPD closes a connection that says nothing for a minute.
                time.sleep(min(30, max(0, end - MONO())))
                for pl in ps.values():
                    pl.status()
            for p, pl in ps.items():
                s = pl.status()
                data[p]['underruns'] = [underruns(f'{root}/{p}')]
                data[p]['heard'] = [s['elapsed'] or 0]
    finally:
        for loop in loops:
            loop.kill()
        shutil.rmtree(root, ignore_errors=True)
    finish(a, f'15. {SECONDS} s of play with both cores busy', [table(a.players, [
        ('underruns', 'underruns', 'low'), ('heard', 'position at the end, s', None)], data)], data, n.end())
if __name__ == '__main__':
    main()
