#!/usr/bin/env python3
"""Writes inputs of MPEG audio, sound and odd ones, into a folder: make_mpeg.py FOLDER.

Needs ffmpeg with libmp3lame. Tones are 440 Hz; what must never be heard is 880 Hz.
"""
import json
import os
import random
import struct
import subprocess
import sys

OUT = sys.argv[1]
COMMON = ["-id3v2_version", "0", "-write_id3v1", "0", "-map_metadata", "-1", "-fflags", "+bitexact"]


def save(name, data):
    with open(os.path.join(OUT, name), "wb") as file:
        file.write(data)
    return data


def ffmpeg(name, *arguments):
    path = os.path.join(OUT, name)
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *arguments, path], check=True)
    with open(path, "rb") as file:
        return file.read()


def tone(hz, seconds, rate, channels):
    wave = f"0.3*sin(2*PI*{hz}*t)"
    return ["-f", "lavfi", "-i", f"aevalsrc='{'|'.join([wave] * channels)}':s={rate}:d={seconds}"]


def mp3(name, hz=440, seconds=3, rate=44100, channels=2, kbit=128, header=0):
    return ffmpeg(name, *tone(hz, seconds, rate, channels), "-c:a", "libmp3lame", "-b:a", f"{kbit}k",
                  "-write_xing", str(header), *COMMON)


def quiet_then_loud(name, header):
    graph = ("aevalsrc='0.0001*sin(440*t)':s=44100:d=8[a];anoisesrc=r=44100:d=8:a=0.5:seed=7[b];"
             "[a][b]concat=n=2:v=0:a=1")
    return ffmpeg(name, "-filter_complex", graph, "-c:a", "libmp3lame", "-q:a", "4",
                  "-write_xing", str(header), *COMMON)


def split(data):
    """The frames of a clean stream of layer III."""
    kbits = {3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
             2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]}
    frames, at = [], 0
    while at + 4 <= len(data):
        version, word = data[at + 1] >> 3 & 3, data[at + 2]
        rate = [44100, 48000, 32000][word >> 2 & 3] >> {3: 0, 2: 1, 0: 2}[version]
        kbit = kbits[3 if version == 3 else 2][word >> 4]
        size = (144000 if version == 3 else 72000) * kbit // rate + (word >> 1 & 1)
        frames.append(data[at:at + size])
        at += size
    return frames


# ---- tags

def syncsafe(number):
    return bytes(number >> shift & 127 for shift in (21, 14, 7, 0))


def field(name, data, version=4):
    if version == 2:
        return name.encode() + struct.pack(">I", len(data))[1:] + data
    size = syncsafe(len(data)) if version == 4 else struct.pack(">I", len(data))
    return name.encode() + size + b"\0\0" + data


def text(name, value, version=4):
    data = b"\3" + value.encode() if version == 4 else b"\1\xff\xfe" + value.encode("utf-16-le")
    return field(name, data, version)


def picture(data, version=4, kind=3, media=b"image/png"):
    if version == 2:
        return field("PIC", b"\0PNG" + bytes([kind]) + b"\0" + data, 2)
    return field("APIC", b"\0" + media + b"\0" + bytes([kind]) + b"\0" + data, version)


def id3(fields, version=4, flags=0, padding=0):
    body = b"".join(fields) + bytes(padding)
    if flags & 0x80:
        body = unsynchronised(body)
    return b"ID3" + bytes([version, 0, flags]) + syncsafe(len(body)) + body


def unsynchronised(data):
    out = bytearray()
    for at, byte in enumerate(data):
        out.append(byte)
        if byte == 0xFF and (at + 1 == len(data) or data[at + 1] >= 0xE0 or data[at + 1] == 0):
            out.append(0)
    return bytes(out)


def ape(items):
    body = b"".join(struct.pack("<II", len(v), f) + k + b"\0" + v for k, v, f in items)

    def block(flags):
        return b"APETAGEX" + struct.pack("<IIII", 2000, len(body) + 32, len(items), flags) + bytes(8)
    return block(0xA0000000) + body + block(0x80000000)


def id3v1(title, genre=17, track=5):
    return (b"TAG" + title.ljust(30, b"\0") + b"Old Artist".ljust(30, b"\0") + b"Old Album".ljust(30, b"\0")
            + b"1999" + bytes(28) + bytes([0, track, genre]))


noise = random.Random(5)
png = b"\x89PNG\r\n\x1a\n" + noise.randbytes(2_400_000)
jpeg = b"\xff\xd8\xff\xe0" + bytes(noise.choice([0xFF, 0, 0xE0, 0x41]) for _ in range(4000)) + b"\xff\xd9"
save("png.bin", png)
save("jpeg.bin", jpeg)

# ---- lengths and headers
vbr = quiet_then_loud("vbr.mp3", 0)
zero = bytearray(quiet_then_loud("vbr-xing.mp3", 1))
at = zero.find(b"Xing")
zero[at + 8:at + 12] = bytes(4)
save("xing-zero.mp3", bytes(zero))
frames = split(vbr)
per = (len(frames) + 19) // 20
table = b"".join(struct.pack(">H", sum(map(len, frames[i * per:(i + 1) * per])) // 4) for i in range(20))
vbri = b"VBRI" + struct.pack(">HHHIIHHHH", 1, 1105, 75, len(vbr), len(frames), 20, 4, 2, per) + table
save("vbri.mp3", (bytes([0xFF, 0xFB, 0x10, 0x64]) + bytes(32) + vbri).ljust(104, b"\0") + vbr)

# ---- gapless
mp3("gapless-10s.mp3", seconds=10, header=1)
mp3("gapless-7s.mp3", 441, 7, header=1)
mp3("gapless-mono48-3s.mp3", 441, 3, 48000, 1, 64, header=1)
part = "aevalsrc='0.3*sin(2*PI*441*t)|0.2*sin(2*PI*331*t)':s=44100:d=6"
ffmpeg("whole.wav", "-f", "lavfi", "-i", part)
for number, (start, end) in enumerate(((0, 70001), (70001, 150002), (150002, 264600))):
    ffmpeg(f"part{number}.mp3", "-i", os.path.join(OUT, "whole.wav"), "-af",
           f"atrim=start_sample={start}:end_sample={end},asetpts=PTS-STARTPTS", "-c:a", "libmp3lame", "-b:a", "192k",
           "-write_xing", "1", *COMMON)
plain = split(mp3("plain.mp3", seconds=4))
comment = b"\0engiTunSMPB\0" + b" 00000000 00000210 %08X %016X" % (
    len(plain) * 1152 - 0x210 - 176400, 176400) + b" 00000000" * 8
save("itunes-plain.mp3", id3([field("COMM", comment, 3)], 3) + b"".join(plain))
empty = bytearray(split(open(os.path.join(OUT, "gapless-10s.mp3"), "rb").read())[0])
at = empty.find(b"Info")
empty[at:] = (b"Xing" + struct.pack(">II", 1, len(plain))).ljust(len(empty) - at, b"\0")
save("itunes.mp3", id3([field("COMM", comment, 3)], 3) + bytes(empty) + b"".join(plain))

# ---- tags
song = mp3("song.mp3")
save("big-cover.mp3", id3([text("TIT2", "Big"), picture(png)]) + song)
save("unsync23.mp3", id3([text("TIT2", "Þýska ÿþ", 3), text("TPE1", "ABC", 3), text("TCON", "(17)", 3),
                          picture(jpeg, 3, media=b"image/jpeg")], 3, 0x80) + song)
save("id3v22.mp3", id3([text("TT2", "Two", 2), text("TP1", "Artist", 2), text("TAL", "Album", 2),
                        picture(png[:9000], 2)], 2) + song)
save("breaks.mp3", id3([text("TIT2", "I'm OK\nOK\r\nlast"), field("TPE1", b"\3bad \xff\xfe utf"),
                        text("TALB", "Album"), text("TCON", "17"), text("TRCK", "3/9"), text("TDRC", "2024-05-01"),
                        field("TXXX", b"\3mood\0calm")]) + song)
high = split(mp3("high.mp3", 880, 1))
save("hidden.mp3", id3([text("TIT2", "Hidden"), field("PRIV", b"x.test\0" + b"".join(high[:6]))], padding=500) + song)
tail = ape([(b"Title", "Åpe".encode(), 0), (b"Cover Art (Front)", b"c.jpg\0" + b"".join(high[:12]), 2)])
save("ape-tail.mp3", song + tail + id3v1(b"Ape"))
save("ape-middle.mp3", song + tail + song)
save("id3v1.mp3", song + id3v1(b"Old Title \xe9"))
frames = split(mp3("six.mp3", seconds=6))
middle = id3([text("TIT2", "Mid"), picture(b"".join(high))])
save("id3-middle.mp3", b"".join(frames[:80]) + middle + b"".join(frames[80:160]) + middle + b"".join(frames[160:]))

# ---- odd streams
free = split(mp3("free-base.mp3", seconds=4, rate=48000))
save("free.mp3", b"".join(f[:2] + bytes([f[2] & 15]) + f[3:] for f in free))
low = mp3("low.mp3", rate=22050, channels=1, kbit=32)
save("ff8.mp3", b"\xff" * 8 + low)
save("junk.mp3", b"\xff" * 900 + random.Random(3).randbytes(3000).replace(b"\xff", b"\x7f") + b"\xff\xfb\x90" + low)
ffmpeg("mono.mp2", *tone(440, 4, 48000, 1), "-c:a", "mp2", "-b:a", "96k", "-f", "mp2")
save("cut.mp3", song[:-len(split(song)[-1]) // 2])
save("zeros.mp3", id3([text("TIT2", "Z")]) + bytes(5000) + song)
bad = list(frames)
bad[100] = bad[100][:4] + random.Random(9).randbytes(len(bad[100]) - 4)
bad[101] = random.Random(10).randbytes(300)
del bad[102]
save("bad.mp3", b"".join(bad))
for rate, channels in ((22050, 2), (16000, 1), (8000, 1)):
    mp3(f"rate{rate}.mp3", rate=rate, channels=channels, kbit=24)
changes = [mp3(f"change{n}.mp3", rate=rate, channels=channels, kbit=64 if rate < 30000 else 128)
           for n, (rate, channels) in enumerate(((44100, 2), (48000, 2), (22050, 1), (44100, 2)))]
save("changes.mp3", b"".join(changes))

# ---- no MPEG audio
save("page.mp3", b"\xef\xbb\xbf\n<!DOCTYPE html>\n<html><body>" + b"Log in, please. " * 500)
save("list.mp3", b"#EXTM3U\n" + b"http://radio.test/live\n" * 40)
save("words.mp3", b"Only some words, and they go on and on. " * 200)
save("nothing.mp3", b"")
save("noise.mp3", bytes(random.Random(1).randrange(0, 255) for _ in range(200_000)))
save("only-tag.mp3", id3([text("TIT2", "Nothing follows")]))
ffmpeg("tone.ogg", *tone(440, 1, 48000, 2), "-c:a", "libopus")
ffmpeg("tone.flac", *tone(440, 1, 44100, 2))
ffmpeg("tone.m4a", *tone(440, 1, 44100, 2), "-c:a", "aac")
ffmpeg("tone.aac", *tone(440, 1, 44100, 2), "-c:a", "aac", "-f", "adts")

counts = {name: len(split(open(os.path.join(OUT, name), "rb").read()))
          for name in ("vbr.mp3", "song.mp3", "six.mp3", "plain.mp3", "free-base.mp3", "low.mp3", "rate22050.mp3",
                       "rate16000.mp3", "rate8000.mp3")}
save("frames.json", json.dumps(counts).encode())
