"""An album made by cutting one recording: MP3s that decode to exactly the whole, where they say how they join.

The recording is one MP3 without bit reservoir. A part repeats the frame before its first, which the decoder needs for
the overlap, and says by its gapless data that this frame is not to be heard. So what is heard of the parts is the
decode of the whole, bit for bit, if and only if nothing is added, lost or begun afresh where they join.
"""
import hashlib
import struct

from .sounds import CACHE, ffmpeg, made_once

FRAME = 1152
# Of a decoder of layer III, which LAME's numbers leave out.
DECODER_DELAY = 529
# libmpg123 adds up in an order that comes back every fourth frame: only there parts are the same to the last bit.
PHASE = 4


def recording(seconds=36):
    """The whole, with its gapless header; its name tells how it is made."""
    sweep = f"aevalsrc='0.3*sin(300*t*t)|0.3*sin(200*t*t+2)':s=44100:d={seconds}"
    noise = f"anoisesrc=color=pink:sample_rate=44100:amplitude=0.2:seed=11:duration={seconds}"
    arguments = ["-f", "lavfi", "-i", sweep, "-f", "lavfi", "-i", noise, "-filter_complex", "[0][1]amix=inputs=2",
                 "-c:a", "libmp3lame", "-b:a", "128k", "-reservoir", "0", "-map_metadata", "-1", "-id3v2_version", "0",
                 "-write_id3v1", "0"]
    return made_once(CACHE / f"recording-{seconds}.mp3", lambda part: ffmpeg(*arguments, part))


def frames(data):
    """The frames of MPEG-1 layer III at 128 kb/s and 44100 Hz."""
    found, at = [], 0
    while at + 4 <= len(data):
        assert data[at:at + 2] == b"\xff\xfb" and data[at + 2] >> 4 == 9
        size = 144 * 128000 // 44100 + (data[at + 2] >> 1 & 1)
        found.append(data[at:at + size])
        at += size
    return found


def information(template, count, size, delay, padding):
    """The Info frame of a file, made from another one's."""
    at = 4 + 32
    frame = bytearray(template)
    assert frame[at:at + 4] == b"Info"
    struct.pack_into(">II", frame, at + 8, count, size)
    frame[at + 141:at + 144] = (delay << 12 | padding).to_bytes(3, "big")
    return bytes(frame)


def syncsafe(number):
    return bytes(number >> shift & 127 for shift in (21, 14, 7, 0))


def tag(frames):
    """An ID3v2.4 tag of text frames: (name, description or None, value)."""
    body = b""
    for name, description, value in frames:
        data = b"\3" + (b"eng" if name == "COMM" else b"")
        data += (description.encode() + b"\0" if description is not None else b"") + value.encode()
        body += name.encode() + syncsafe(len(data)) + b"\0\0" + data
    return b"ID3\4\0\0" + syncsafe(len(body)) + body


def album(folder, kind, count=12, title="Cut", more=()):
    """Cuts the recording into files of a kind: "lame", "itunes", or "plain" without any gapless data."""
    info, *sound = frames(recording().read_bytes())
    at = 4 + 32 + 141
    whole = int.from_bytes(info[at:at + 3], "big")
    step = len(sound) // count // PHASE * PHASE
    # The frame before each cut is one of those that begin a cycle, too.
    cuts = [0] + [step * index + 1 for index in range(1, count)] + [len(sound)]
    files = []
    for index, (begin, end) in enumerate(zip(cuts, cuts[1:])):
        first, last = index == 0, index == count - 1
        gapless = kind != "plain"
        part = sound[begin - (1 if gapless and not first else 0):end]
        delay = whole >> 12 if first else FRAME - DECODER_DELAY
        padding = whole & 0xFFF if last else DECODER_DELAY
        length = len(part) * FRAME - delay - padding
        fields = [("TIT2", None, f"Part {index + 1}"), ("TALB", None, title), ("TRCK", None, str(index + 1)), *more]
        data = b"".join(part)
        if kind == "lame":
            data = information(info, len(part), len(info) + len(data), delay, padding) + data
        elif kind == "itunes":
            text = f" 00000000 {delay:08X} {padding:08X} {length:016X} 00000000 00000000 00000000 00000000"
            fields.append(("COMM", "iTunSMPB", text))
        data = tag(fields) + data
        path = folder / f"{kind}-{index + 1:02}.mp3"
        path.write_bytes(data)
        files.append(path)
    return files
