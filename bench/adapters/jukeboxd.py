import json, shutil, tempfile, threading
from .base import *

BIN = os.environ.get('JUKEBOXD_BINARIES') or os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), '.build', 'release')

CLIENT = os.environ.get('JUKECTL') or os.path.join(os.path.dirname(os.path.dirname(BIN)), '.build', 'client', 'release', 'jukectl')


class Adapter(Adapter):
    name = 'jukeboxd'
    STATE = {'playing': 'play', 'paused': 'pause', 'stopped': 'stop', 'buffering': 'wait'}
    GET = b'{"id":1,"method":"ping"}\n'
    FULL = b'{"id":1,"method":"get","params":{"keys":["player","queue"]}}\n'

    def start(self, tmpdir, untimed=False, alsa=None, ca=None, **opts):
        self.sock, self.log, self.conn, self.rid = f'{tmpdir}/jukeboxd.sock', f'{tmpdir}/jukeboxd.log', None, 0
        self.lock = threading.Lock()
        os.chmod(tmpdir, 0o700)
        open(f'{tmpdir}/conf', 'w').write(f'[loader]\nca_file = {ca}\n' if ca else '')
        return self.spawn([f'{BIN}/jukeboxd', '--config', f'{tmpdir}/conf', '--socket', self.sock, '--output', f'alsa:{alsa}' if alsa else 'null-untimed' if untimed else 'null', '--cache-dir',
                           f'{tmpdir}/cache', '--state-dir', f'{tmpdir}/state', '--data-dir', f'{tmpdir}/data'])

    def try_ready(self):
        s = unix(self.sock)
        s.sendall(self.GET)
        ok = b'"result"' in Lines(s).line()
        s.close()
        return ok

    def call(self, method, **params):
        with self.lock:
            if self.conn is None:
                s = unix(self.sock)
                self.conn = (s, Lines(s))
            self.rid += 1
            s, l = self.conn
            s.sendall(json.dumps({'id': self.rid, 'method': method, 'params': params}).encode() + b'\n')
            r = json.loads(l.line())
        if 'error' in r:
            raise RuntimeError(r['error']['message'])
        return r['result']

    def status(self):
        v = self.call('get', keys=['player.state', 'player.position', 'player.error', 'item.duration'])['values']
        p = v['player.position']
        at = p['seconds'] + (time.clock_gettime(time.CLOCK_BOOTTIME) - p['monotonic']) * p['rate']
        return dict(state=self.STATE[v['player.state']], elapsed=at, duration=v['item.duration'],
                    error=(v['player.error'] or {}).get('message'))

    def play(self, url): self.call('open', url=url)
    def pause(self): self.call('pause')
    def resume(self): self.call('play')
    def stop_playback(self): self.call('stop')
    def seek(self, s): self.call('seek', to=s)
    def clear(self): self.call('queue.clear')
    def next(self): self.call('next')
    def index(self): return self.call('get', keys=['queue.index'])['values']['queue.index']
    def page(self, offset, count): return self.call('queue.list', offset=offset, limit=count)

    def library_run(self, tree, queries, d, median_ms, pings):
        """Measure 10, in a daemon of its own, which plays meanwhile."""
        from common import MONO, cpu_clock, mp3, usage, wait_for

        def ready():
            return self.call('get', keys=[f'sources.{source}.status'])['values'][f'sources.{source}.status'] == 'ready'

        def put(name, value):
            d.setdefault(name, []).append(value)

        folder = tempfile.mkdtemp(prefix='ms-jukeboxd-', dir='/tmp')
        try:
            self.start(folder)
            self.wait_ready()
            self.call('open', url=mp3(128, 3600))
            c, t = cpu_clock(self.proc.pid), MONO()
            with pings(unix(self.sock), self.GET, b'\n') as answers:
                source = self.call('store.addSource', url=tree)['id']
                if not wait_for(ready, 600, 0.05):
                    raise RuntimeError(f'the folder is not read: {self.tail()}')
                put('scan', MONO() - t)
            put('answer', answers.p99)
            put('scan_cpu', cpu_clock(self.proc.pid) - c)
            put('songs', self.call('store.list', limit=0)['total'])
            put('rss', usage(self.proc.pid)['rss'] / 1024)
            t = MONO()
            self.call('store.refresh', source=source)
            wait_for(ready, 600, 0.005)
            put('rescan', MONO() - t)
            s = unix(self.sock)
            for label, query in queries:
                for name, limit in ('p', 100), ('q', 5000):
                    ask = {'id': 1, 'method': 'store.list', 'params': {'query': f'"{query}"', 'limit': limit}}
                    line = json.dumps(ask).encode() + b'\n'
                    put(f'{name}_{label}', median_ms(lambda: exchange(s, line, b'\n'))[0])
                d[f'n_{label}'] = [self.call('store.list', query=f'"{query}"', limit=0)['total']]
            # Played all the while, through scans and searches.
            put('underruns', self.call('get', keys=['outputs.null.underruns'])['values']['outputs.null.underruns'])
            state = self.call('get', keys=['player.state'])['values']['player.state']
            if state != 'playing':
                raise RuntimeError(f'what was to play is {state}')
        finally:
            self.stop()
            shutil.rmtree(folder, ignore_errors=True)

    def append_all(self, parts):
        for part in parts:
            self.call('queue.add', items=part)

    def bench(self):
        s = unix(self.sock)

        def one_of(text):
            def one():
                s.sendall(text)
                b = s.recv(65536)
                while not b.endswith(b'\n'):
                    b += s.recv(65536)
            return one

        def many_of(text):
            def many(n, window):
                sent = got = 0
                while got < n:
                    k = min(window - (sent - got), n - sent)
                    if k > 0:
                        s.sendall(text * k)
                        sent += k
                    got += s.recv(262144).count(b'\n')
            return many

        def batches(n, window):
            done, text = 0, b'[' + b','.join([self.FULL.strip()] * 64) + b']\n'
            while done < n:
                s.sendall(text)
                b = s.recv(262144)
                while not b.endswith(b'\n'):
                    b += s.recv(262144)
                done += 64
        return {'minimal': ('ping', one_of(self.GET), many_of(self.GET)),
                'full': ('get of player and queue', one_of(self.FULL), many_of(self.FULL)),
                'list': ('a batch of get', None, batches)}

    def probe(self):
        observe = '{"method":"observe","params":{"keys":["player.state"]}}\n'
        return dict(addr=self.sock, hello='', rtt={'minimal': (self.GET.decode(), 1, '\n'), 'full': (self.FULL.decode(), 1, '\n')},
                    fan=('fan', observe, '"paused"'))

    def watch_titles(self, cb, stop):
        s = unix(self.sock)
        l = Lines(s)
        s.sendall(b'{"id":1,"method":"observe","params":{"keys":["item.title","item.artist"]}}\n')
        now = {}
        while not stop.is_set():
            try:
                r = json.loads(l.line(0.5))
            except TimeoutError:
                continue
            if r.get('method') != 'changed':
                continue
            t = MONO()
            for key, change in r['params']['changes'].items():
                now[key] = change.get('new')
            cb(t, ' - '.join(x for x in (now.get('item.artist'), now.get('item.title')) if x))
