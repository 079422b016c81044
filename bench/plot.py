#!/usr/bin/env python3
"""Draws docs/performance.svg from the raw numbers of the last run: each measure relative to the best peer (1 = as
good; to the left is better), on a logarithmic axis. plot.py OUT.svg"""
import json
import math
import os
import sys
from html import escape

from common import med

OUT = '/tmp/measure-out'
# measure, key of its numbers, label
MEASURES = [
    (1, 'start', 'exec to first control reply'),
    (2, 'idle_rss', 'memory, stopped'), (2, 'file128_rss', 'memory, playing a file'), (2, 'radio128_rss', 'memory, playing radio'),
    (2, 'file128_wake', 'wake-ups, playing a file'), (2, 'radio128_wake', 'wake-ups, playing radio'),
    (2, 'file128_cpu', 'CPU, playing a file'), (2, 'radio128_cpu', 'CPU, playing radio'),
    (3, 'minimal_1c_p50', 'round trip: ping'), (3, 'full_1c_p50', 'round trip: full status'),
    (4, '500_last', 'pause told to 500 observers'),
    (5, 'file_zero', 'play to sound, HTTP file'), (5, 'radio_zero', 'play to sound, radio with burst'),
    (9, 'cpu', 'CPU to decode an hour'), (11, 'wall', 'client process: toggle'), (12, 'silence', 'pause to silence at the card'),
    (13, 'add', 'queue of 100,000: added'), (13, 'rss', 'queue of 100,000: memory'), (14, 'zero', '`next` to sound'),
]
PLAYERS = {'mpd': '#8d8d8d', 'mpv': '#b39ddb', 'mopidy': '#90caf9', 'jukeboxd': '#d84315'}
LEFT, WIDTH, ROW, TOP = 250, 620, 30, 60
LOW, HIGH = math.log10(0.05), math.log10(50)


def values(number, key):
    path = f'{OUT}/m{number:02}.json'
    if not os.path.exists(path):
        return {}
    found = {}
    for name, numbers in json.load(open(path))['raw'].items():
        player = name.split(' (')[0]
        value = numbers.get(key)
        value = med(value) if isinstance(value, list) and not any(isinstance(x, str) for x in value) else None
        if player in PLAYERS and value:
            found[player] = value
    return found


def x(ratio):
    return LEFT + WIDTH * (min(max(math.log10(ratio), LOW), HIGH) - LOW) / (HIGH - LOW)


def main():
    rows = []
    for number, key, label in MEASURES:
        found = values(number, key)
        peers = [v for p, v in found.items() if p != 'jukeboxd']
        if peers and 'jukeboxd' in found:
            rows.append((label, {p: v / min(peers) for p, v in found.items()}))
    height = TOP + ROW * len(rows) + 40
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 40}" height="{height}" font-family="sans-serif" font-size="13">',
           f'<rect width="100%" height="100%" fill="white"/>',
           f'<text x="16" y="24" font-size="16">Relative to the best peer: further left is better</text>']
    for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20):
        dash = '' if tick == 1 else ' stroke-dasharray="2 4"'
        svg.append(f'<line x1="{x(tick):.0f}" x2="{x(tick):.0f}" y1="{TOP - 12}" y2="{height - 36}" stroke="#bbb"{dash}/>')
        svg.append(f'<text x="{x(tick):.0f}" y="{height - 20}" text-anchor="middle" fill="#555">×{tick:g}</text>')
    for index, (label, ratios) in enumerate(rows):
        y = TOP + ROW * index + 6
        svg.append(f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(label)}</text>')
        for player in PLAYERS:
            if player in ratios:
                size = 8 if player == 'jukeboxd' else 5
                svg.append(f'<circle cx="{x(ratios[player]):.1f}" cy="{y}" r="{size}" fill="{PLAYERS[player]}"><title>{escape(player)}: ×{ratios[player]:.2f}</title></circle>')
    for index, (player, colour) in enumerate(PLAYERS.items()):
        svg.append(f'<circle cx="{LEFT + 170 + 110 * index}" cy="20" r="6" fill="{colour}"/><text x="{LEFT + 182 + 110 * index}" y="24">{player}</text>')
    svg.append('</svg>')
    open(sys.argv[1], 'w').write('\n'.join(svg) + '\n')


main()
