#!/usr/bin/env python3
"""21. what loading costs.  CPU: a 200 MB MP3 through TLS from nginx on this machine, by `curl -o` and by the player while it
plays (user and system time of all its threads, less that of as long a play without loading; and of jukeboxd's loader and
cache alone).  Memory: a 2 GB MP3 at full speed against a 2 MB one, both playing; the most that it took."""
import http.server
from common import *

MB = 200


class Nginx:
    """Serves the fixtures over TLS, with a certificate of its own."""
    def __enter__(self):
        self.dir = tempfile.mkdtemp(prefix='ms-nginx-', dir='/tmp')
        self.ca = f'{self.dir}/ca.pem'
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', f'{self.dir}/key.pem', '-out', self.ca, '-days', '2', '-subj', '/CN=127.0.0.1',
                        '-addext', 'subjectAltName=IP:127.0.0.1'], check=True, stderr=subprocess.DEVNULL)
        s = http.server.socket.socket()
        s.bind(('127.0.0.1', 0))
        self.port = s.getsockname()[1]
        s.close()
        open(f'{self.dir}/conf', 'w').write(f'''daemon off; master_process off; pid {self.dir}/pid; events {{ }}
http {{ access_log off; types {{ audio/mpeg mp3; }} sendfile on; client_body_temp_path {self.dir}/1; proxy_temp_path {self.dir}/2; fastcgi_temp_path {self.dir}/3;
uwsgi_temp_path {self.dir}/4; scgi_temp_path {self.dir}/5; ssl_protocols TLSv1.3;
server {{ listen 127.0.0.1:{self.port} ssl; ssl_certificate {self.ca}; ssl_certificate_key {self.dir}/key.pem; root {FIX}; expires 1h; }} }}''')
        self.p = subprocess.Popen([shutil.which('nginx') or '/usr/sbin/nginx', '-c', f'{self.dir}/conf', '-e', f'{self.dir}/error'])
        wait_for(self.answers, 5, 0.02)
        return self

    def answers(self):
        return subprocess.run(['curl', '-s', '--cacert', self.ca, '-o', '/dev/null', '-r', '0-0', self.url('cbr128_3.mp3')]).returncode == 0

    def url(self, path):
        return f'https://127.0.0.1:{self.port}/{path}'

    def __exit__(self, *e):
        self.p.terminate()
        self.p.wait()
        shutil.rmtree(self.dir, ignore_errors=True)


def threads(pid):
    """CPU seconds of each thread, by name."""
    out = {}
    for t in os.listdir(f'/proc/{pid}/task'):
        try:
            name = open(f'/proc/{pid}/task/{t}/comm').read().strip()
            out[name] = out.get(name, 0) + int(open(f'/proc/{pid}/task/{t}/schedstat').read().split()[0]) / 1e9
        except OSError:
            pass
    return out


def curl(web, path):
    before = os.times()
    subprocess.run(['curl', '-s', '--cacert', web.ca, '-o', f'{web.dir}/out.mp3', web.url(path)], check=True)
    after = os.times()
    return (after.children_user + after.children_system - before.children_user - before.children_system) / MB * 1e3


def player(web, path, size):
    """CPU ms/MB of the whole, and of the threads that load."""
    with Player('jukeboxd', ca=web.ca) as pl:
        pl.play(web.url('cbr128_3.mp3'))
        wait_for(lambda: (pl.status()['elapsed'] or 0) > 0.5, 10, 0.02)
        cpu, before = cpu_clock(pl.proc.pid), threads(pl.proc.pid)
        pl.play(web.url(path))
        if not wait_for(lambda: pl.call('get', keys=['item.cached'])['values']['item.cached'], 120, 0.02):
            raise RuntimeError('not loaded within 120 s')
        after = threads(pl.proc.pid)
        busy = {k: after[k] - before.get(k, 0) for k in after}
        load = sum(busy.get(k, 0) for k in ('jb-loader', 'jb-cache', 'jb-sync'))
        return (cpu_clock(pl.proc.pid) - cpu) / MB * 1e3, load / MB * 1e3


def most(name, web, url, until):
    """kB: the most that a player took while it played that."""
    with Player(name) as pl:
        try:
            pl.play(url)
        except Exception:
            return None
        peak, end = 0, MONO() + 60
        while MONO() < end:
            peak = max(peak, usage(pl.proc.pid)['pss'])
            if until(MONO() - end + 60):
                break
            time.sleep(0.1)
        return peak


def main():
    a = args(__doc__, default='mpd,mpv,jukeboxd', runs=3)
    n, data = Noise(), {p: {} for p in a.players + ['curl']}
    path = os.path.basename(mp3(320, MB * 1000000 // 40000))
    mp3(128, 3); mp3(128, 125); mp3(320, 500)
    with Nginx() as web:
        for _ in range(a.runs):
            data['curl'].setdefault('cpu', []).append(curl(web, path))
            if 'jukeboxd' in a.players:
                cpu, load = player(web, path, MB)
                data['jukeboxd'].setdefault('cpu', []).append(cpu)
                data['jukeboxd'].setdefault('load', []).append(load)
    web = Web()
    for r in range(a.runs):
        for p in a.players:
            small = most(p, web, web.url('cbr128_125.mp3', key=f's{p}{r}'), lambda t: t > 8)
            key = f'l{p}{r}'
            large = most(p, web, web.url('cbr320_500.mp3', key=key, repeat=100),
                         lambda t: t > 8 and (t > 40 or sum(x['sent'] for x in web.ctl('log', key=key)) >= 2000000000))
            if small and large:
                for k, v in (('small', small / 1024), ('large', large / 1024), ('more', (large - small) / 1024)):
                    data[p].setdefault(k, []).append(v)
    web.stop()
    blocks = [f'**CPU for {MB} MB through TLS, ms a MB**\n\n' + table([p for p in ('curl', 'jukeboxd') if p in data], [
        ('cpu', 'whole process, beside playing', None), ('load', 'the threads that load and keep', None)], data),
        '**memory (PSS), MiB, the most while it plays**\n\n' + table(a.players, [
            ('small', '2 MB file', None), ('large', '2 GB file at full speed', None), ('more', 'more for the large one', None)], data)]
    finish(a, '21. What loading costs', blocks, data, n.end())


main()
