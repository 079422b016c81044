#!/usr/bin/env python3
"""Writes short sound in every format that FFmpeg encodes, and what FFmpeg decodes it to: make_formats.py FOLDER.

For each file NAME there is NAME.f32, interleaved floats; formats.json says of each what it is. Tones are 440 Hz in the
first channel, higher by a third in each that follows, with noise, so that no frame is like another.
"""
import concurrent.futures
import json
import os
import subprocess
import sys

OUT = sys.argv[1]
SECONDS = 1.5
TAGS = {"title": "Tïtle", "artist": "An Artist", "album": "An Album", "date": "2001", "genre": "Tests"}

# Files that tell how many samples were encoded, beside those that lose nothing.
EXACT = {"aac.m4a", "aac-front.m4a", "aac-51.m4a", "vorbis.ogg", "vorbis-71.ogg", "opus.opus", "opus-mono.ogg"}
# Files that tell it nowhere.
INEXACT = {"caf.caf", "flac.mka", "w64.w64"}

# name: rate, channels, encoder's arguments, whether nothing is lost
FORMATS = {
    "aac.aac": (44100, 2, ["-c:a", "aac", "-b:a", "96k"], False),
    "aac-mono-22k.aac": (22050, 1, ["-c:a", "aac", "-b:a", "32k"], False),
    "aac.m4a": (44100, 2, ["-c:a", "aac", "-b:a", "96k"], False),
    "aac-front.m4a": (48000, 2, ["-c:a", "aac", "-movflags", "+faststart"], False),
    "aac-fragments.mp4": (48000, 2, ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov",
                                     "-frag_duration", "300000"], False),
    "aac-51.m4a": (48000, 6, ["-c:a", "aac", "-b:a", "256k"], False),
    "alac.m4a": (44100, 2, ["-c:a", "alac"], True),
    "alac-24.m4a": (96000, 2, ["-c:a", "alac", "-sample_fmt", "s32p"], True),
    "vorbis.ogg": (44100, 2, ["-c:a", "libvorbis", "-q:a", "3"], False),
    "vorbis-71.ogg": (48000, 8, ["-c:a", "libvorbis"], False),
    "opus.opus": (48000, 2, ["-c:a", "libopus", "-b:a", "64k"], False),
    "opus-mono.ogg": (48000, 1, ["-c:a", "libopus", "-b:a", "32k"], False),
    "flac.flac": (44100, 2, ["-c:a", "flac"], True),
    "flac-24-192k.flac": (192000, 2, ["-c:a", "flac", "-sample_fmt", "s32"], True),
    "flac-8k-mono.flac": (8000, 1, ["-c:a", "flac"], True),
    "flac.oga": (44100, 2, ["-c:a", "flac"], True),
    "wav.wav": (44100, 2, ["-c:a", "pcm_s16le"], True),
    "wav-24.wav": (48000, 2, ["-c:a", "pcm_s24le"], True),
    "wav-float-384k.wav": (384000, 2, ["-c:a", "pcm_f32le"], True),
    "wav-u8.wav": (11025, 1, ["-c:a", "pcm_u8"], True),
    "wav-71.wav": (48000, 8, ["-c:a", "pcm_s16le"], True),
    "wav-3.wav": (48000, 3, ["-c:a", "pcm_s16le"], True),
    "aiff.aiff": (44100, 2, ["-c:a", "pcm_s16be"], True),
    "aiff-sowt.aifc": (44100, 2, ["-c:a", "pcm_s16le", "-f", "aiff"], True),
    "wma.wma": (44100, 2, ["-c:a", "wmav2", "-b:a", "128k"], False),
    "wavpack.wv": (44100, 2, ["-c:a", "wavpack"], True),
    "vorbis.mka": (44100, 2, ["-c:a", "libvorbis"], False),
    "flac.mka": (44100, 2, ["-c:a", "flac"], True),
    "opus.webm": (48000, 2, ["-c:a", "libopus"], False),
    "aac.ts": (48000, 2, ["-c:a", "aac", "-f", "mpegts"], False),
    "ac3.ac3": (48000, 6, ["-c:a", "ac3"], False),
    "tta.tta": (44100, 2, ["-c:a", "tta"], True),
    "au.au": (44100, 2, ["-c:a", "pcm_s16be"], True),
    "caf.caf": (44100, 2, ["-c:a", "alac"], True),
    "speex.spx": (16000, 1, ["-c:a", "libspeex"], False),
    "mp3.mka": (44100, 2, ["-c:a", "libmp3lame"], False),
    "mp2.ts": (48000, 2, ["-c:a", "mp2", "-f", "mpegts"], False),
    "adpcm.wav": (44100, 2, ["-c:a", "adpcm_ms"], False),
    "w64.w64": (44100, 2, ["-c:a", "pcm_s16le"], True),
    "flv.flv": (44100, 2, ["-c:a", "aac"], False),
}


def tone(rate, channels, seconds=SECONDS):
    waves = "|".join(f"0.2*sin(2*PI*{440 * 1.26 ** c:.1f}*t)+0.02*(random({c})-0.5)" for c in range(channels))
    return ["-f", "lavfi", "-i", f"aevalsrc='{waves}':s={rate}:d={seconds}"]


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-threads", "1", *arguments], check=True)


def path(name):
    return os.path.join(OUT, name)


def reference(name):
    ffmpeg("-i", path(name), "-map", "0:a:0", "-c:a", "pcm_f32le", "-f", "f32le", path(name + ".f32"))


def make(item):
    name, (rate, channels, arguments, is_lossless) = item
    tags = [word for key, value in TAGS.items() for word in ("-metadata", f"{key}={value}")]
    ffmpeg(*tone(rate, channels), *tags, *arguments, path(name))
    reference(name)
    is_exact = name in EXACT or is_lossless and name not in INEXACT
    return name, {"rate": rate, "channels": channels, "lossless": is_lossless, "exact": is_exact,
                  "frames": round(SECONDS * rate)}


def make_links():
    """Files of Ogg that can be chained: the same sound, each with a serial and a title of its own."""
    os.makedirs(path("links"), exist_ok=True)
    for name in ("opus.opus", "vorbis.ogg"):
        for number in (1, 2, 3):
            ffmpeg("-i", path(name), "-c", "copy", "-map_metadata", "-1", "-metadata:s:a:0", f"title=Tïtle {number}",
                   "-serial_offset", str(1000 * number), path(f"links/{number}-{name}"))


def main():
    os.makedirs(OUT, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        told = dict(pool.map(make, FORMATS.items()))
    make_links()
    with open(path("formats.json"), "w", encoding="utf-8") as file:
        json.dump(told, file, indent=1)


main()
