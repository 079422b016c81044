#!/usr/bin/env python3
"""Run the whole battery and writes docs/performance.md.

  python3 run_all.py [--players mpd,mpv,mopidy] [--only 1,3,4] [--out FILE] [--keep]

Raw numbers: /tmp/measure-out/mNN.json.  --keep only rebuilds the Markdown from those files.
Order: the short sequential measures first; 6 and 7 (real-time, little CPU) together; 2 alone."""
import argparse, datetime, glob, json, os, platform, subprocess, sys
from common import HERE

M = {1: 'm01_start', 2: 'm02_footprint', 3: 'm03_control', 4: 'm04_fanout', 5: 'm05_first_audio', 6: 'm06_icy',
     7: 'm07_rebuffer', 8: 'm08_seek', 9: 'm09_decode', 10: 'm10_library', 11: 'm11_client', 12: 'm12_silence',
     13: 'm13_queue', 14: 'm14_next', 15: 'm15_hour', 20: 'm20_radio_back', 21: 'm21_loader'}
ORDER = [[1], [3], [4], [5], [8], [9], [6, 7], [2], [10], [11], [12], [13], [14], [15], [20], [21]]
EXTRA = {1: ',mpg123', 2: ',mpg123', 3: ',mpg123', 4: ''}
OUT = '/tmp/measure-out'

def sh(c):
    return subprocess.run(c, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout.strip()

def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--players', default='mpd,mpv,mopidy,jukeboxd')
    ap.add_argument('--only', default=','.join(map(str, M)))
    ap.add_argument('--out', default=f'{HERE}/../docs/performance.md')
    ap.add_argument('--keep', action='store_true')
    a = ap.parse_args()
    only = {int(x) for x in a.only.split(',')}
    os.makedirs(OUT, exist_ok=True)
    cmds = {}
    for group in ORDER:
        ps = []
        for k in group:
            pl = ('floor,' if k in (3, 4) else '') + a.players + (EXTRA.get(k, '') if 'mpv' in a.players else '')
            cmds[k] = f'python3 {M[k]}.py --players {pl}'
            if k in only and not a.keep:
                print('==', cmds[k], flush=True)
                ps.append((k, subprocess.Popen([sys.executable, f'{HERE}/{M[k]}.py', '--players', pl, '--json', f'{OUT}/m{k:02}.json'],
                                               stdout=open(f'{OUT}/m{k:02}.out', 'w'), stderr=subprocess.STDOUT)))
        for k, p in ps:
            print('  ', M[k], 'rc', p.wait(), flush=True)
    mpv = sh('mpv --version').split(' Copyright')[0]
    gst = sh('dpkg -s gstreamer1.0-plugins-good | grep ^Version').split(': ')[-1]
    notes = f'{HERE}/notes.md'
    with open(a.out, 'w') as f:
        f.write('# Performance, side by side\n\n')
        f.write('Written by `make bench`, which runs the players in turn on one machine; ratios within a table can be trusted, '
                'absolute figures less.\n\n')
        f.write(f'{datetime.date.today()}, {sh("uname -sr")}, {os.cpu_count()} cores ({sh("grep -m1 name /proc/cpuinfo").split(":")[-1].strip()}), '
                f'{sh("mpd --version | head -1")}, {mpv}, {sh("mopidy --version")} '
                f'(GStreamer {gst}), {sh("mpg123 --version")}, Python {platform.python_version()}.\n\n')
        f.write('![Each measure relative to the best peer](performance.svg)\n\n')
        if os.path.exists(notes):
            f.write(open(notes).read().rstrip() + '\n\n')
        f.write('## Tables\n\nCell: median [min–max] ×ratio to the best peer (floor and mpg123 are references, not peers). "–": not measured or not offered.\n\n')
        for k in M:
            p = f'{OUT}/m{k:02}.json'
            if not os.path.exists(p) and k not in only:
                continue
            f.write((json.load(open(p))['text'] if os.path.exists(p) else f'### {k}. {M[k]}: no result\n\n```\n' + sh(f'tail -5 {OUT}/m{k:02}.out') + '\n```') + '\n\n')
            f.write(f'command: `{cmds[k]}`\n\n')
    subprocess.run([sys.executable, f'{HERE}/plot.py', os.path.splitext(a.out)[0] + '.svg'], check=True, cwd=HERE)
    print('wrote', a.out)

main()
