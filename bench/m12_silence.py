#!/usr/bin/env python3
"""12. `pause` sent to silence at the sound card: the card is the PCM plugin of Tests/Fixtures/fakecard, which
notes when the sound ceases. For jukeboxd also the whole way from the exec of `jukectl pause`."""
from contextlib import ExitStack
from common import *
from adapters.jukeboxd import CLIENT

FIXTURE = f'{HERE}/../Tests/Fixtures/fakecard'

def card(folder):
    os.makedirs(folder)
    subprocess.run(['make', '-s', '-C', FIXTURE, f'OUT={folder}'], check=True)
    conf = f'{folder}/asound.conf'
    open(conf, 'w').write(f'''</usr/share/alsa/alsa.conf>
pcm_type.fakecard {{ lib "{folder}/libasound_module_pcm_fakecard.so" }}
pcm.fake {{ type fakecard file "{folder}/capture.raw" log 1 }}
''')
    return conf

def silences(folder):
    try:
        return [int(l.split()[1]) for l in open(f'{folder}/capture.raw.log') if l.startswith('silent')]
    except OSError:
        return []

def measure(pl, folder, pause):
    before = len(silences(folder))
    t = time.monotonic_ns()
    pause(pl)
    wait_for(lambda: len(silences(folder)) > before, 5, 0.01)
    got = silences(folder)
    ms = (got[before] - t) / 1e6 if len(got) > before else None
    time.sleep(0.2)
    pl.resume()
    time.sleep(0.5)
    return ms

def main():
    a = args(__doc__, 'mpd,mpv,jukeboxd', 9)
    a.players = [p for p in a.players if p != 'mopidy']        # GStreamer's ALSA sink is not driven here
    n, data = Noise(), {p: {} for p in a.players}
    url = 'file://' + mp3(128, 600)
    root = tempfile.mkdtemp(prefix='measure-card')
    try:
        with ExitStack() as st:
            ps = {}
            for p in a.players:
                os.environ['ALSA_CONFIG_PATH'] = card(f'{root}/{p}')
                ps[p] = st.enter_context(Player(p, alsa='fake'))
            for pl in ps.values():
                pl.play(url)
            time.sleep(2)
            for r in range(a.runs):
                for p, pl in ps.items():
                    data[p].setdefault('silence', []).append(measure(pl, f'{root}/{p}', lambda pl: pl.pause()))
                if 'jukeboxd' in ps:
                    run = lambda pl: subprocess.run([CLIENT, 'pause'], env={**os.environ, 'JUKEBOXD_SOCKET': pl.sock}, check=True)
                    data['jukeboxd'].setdefault('client', []).append(measure(ps['jukeboxd'], f'{root}/jukeboxd', run))
    finally:
        shutil.rmtree(root, ignore_errors=True)
    finish(a, '12. Pause to silence', [table(a.players, [
        ('silence', 'pause sent on a socket to silence, ms', 'low'), ('client', '`jukectl pause` from its exec to silence, ms', None)], data)], data, n.end())
if __name__ == "__main__":
    main()
