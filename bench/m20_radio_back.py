#!/usr/bin/env python3
"""20. a radio station (128k, 1x + 64 KB burst) closes and listens no more; after 0.3 to 6 s it is back.
back: wall time from the moment that it listens again until the position moves (no sound card, so the position is
the witness); heard: how many of the returns were heard within 20 s; late: how many took over 1 s."""
import random
import socket
import threading
from contextlib import ExitStack
from pathlib import Path

from common import *

RETURNS = 100


class Station:
    """Sends an MP3 round and round; can be switched off and on."""

    def __init__(self, path):
        self.data = Path(path).read_bytes()
        self.port, self.listener, self.connections = 0, None, []

    def on(self):
        self.listener = socket.create_server(('127.0.0.1', self.port))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def off(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for c in self.connections:
            try:
                c.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.connections = []

    def accept(self, listener):
        while True:
            try:
                c, _ = listener.accept()
            except OSError:
                return
            self.connections.append(c)
            threading.Thread(target=self.serve, args=(c,), daemon=True).start()

    def serve(self, c):
        try:
            c.recv(65536)
            c.sendall(b'HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: Bench\r\nicy-br: 128\r\n\r\n')
            begun, sent = MONO(), 0
            while True:
                at = sent % len(self.data)
                part = self.data[at:at + (16384 if sent < 65536 else 800)]
                c.sendall(part)
                sent += len(part)
                time.sleep(max(0, (sent - 65536) / 16000 - (MONO() - begun)))
        except OSError:
            c.close()


def moving(pl):
    """The position, once it moves; None when it does not within 20 s."""
    end, last = MONO() + 20, None
    while MONO() < end:
        st = pl.status()
        now = st['elapsed'] if st['state'] == 'play' else None
        if now is not None and last is not None and abs(now - last) > 0.02:
            return MONO()
        last = now
        time.sleep(0.03)
    return None


def silent(pl, seconds=12):
    """Waits until what was in hand is heard."""
    end, last, since = MONO() + seconds, None, MONO()
    while MONO() < end:
        now = pl.status()['elapsed']
        if now != last:
            last, since = now, MONO()
        if MONO() - since > 0.4:
            return
        time.sleep(0.05)


def one(pl, path, out, dice):
    st = Station(path)
    st.on()
    out.update(back=[], heard=0, late=0, tried=0)
    try:
        pl.play(f'http://127.0.0.1:{st.port}/live.mp3')
        moving(pl)
        for _ in range(out['returns']):
            # One that has given up is not asked a hundred times.
            if out['tried'] >= 3 and not out['heard']:
                break
            out['tried'] += 1
            st.off()
            silent(pl)
            time.sleep(dice.uniform(0.3, 6))
            st.on()
            t0 = MONO()
            t = moving(pl)
            if t:
                out['heard'] += 1
                out['back'].append(t - t0)
            out['late'] += not t or t - t0 > 1
    except Exception as e:
        out['error'] = f'{type(e).__name__}: {e}'[:200]
    st.off()


def main():
    a = args(__doc__)
    n, path = Noise(), mp3(128, 60)
    returns = RETURNS if a.runs > 1 else 10
    data = {p: {'returns': returns} for p in a.players}
    with ExitStack() as stack:
        ps = {p: stack.enter_context(Player(p)) for p in a.players}
        th = [threading.Thread(target=one, args=(pl, path, data[p], random.Random(20))) for p, pl in ps.items()]
        [t.start() for t in th]; [t.join() for t in th]
    for d in data.values():
        tried = d.pop('tried')
        d['of'] = f"{d.pop('heard')} of {tried}"
        d['late_n'] = f"{d.pop('late')} of {tried}"
        d.pop('returns')
        d['error'] = [d['error']] if 'error' in d else []
    block = table(a.players, [('back', 'sound after it is back, s', None), ('of', 'returns heard', None),
                              ('late_n', 'later than 1 s', None), ('error', 'errors', None)], data)
    finish(a, '20. A station that comes back', [block], data, n.end())


main()
