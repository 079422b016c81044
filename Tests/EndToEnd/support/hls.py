"""Streams of HLS that ffmpeg makes, and what ffmpeg decodes of them."""
import array
import subprocess

from .sounds import CACHE, ffmpeg, made_once


def sound(seconds=6, rate=44100, frequency=440):
    """A WAV file of a tone and noise, so that no two places are alike."""
    path = CACHE / f"hls-{seconds}-{rate}-{frequency}.wav"
    graph = (f"sine=frequency={frequency}:sample_rate={rate}:duration={seconds}[a];"
             f"anoisesrc=color=pink:sample_rate={rate}:amplitude=0.2:seed=7:duration={seconds}[b];[a][b]amix=inputs=2:duration=first")
    return made_once(path, lambda part: ffmpeg("-filter_complex", graph, "-ac", 2, "-ar", rate, "-f", "wav", part))


def stream(folder, *options, source=None, kind="ts", codec="aac"):
    """Cuts sound into pieces of a second each below `folder`; returns the playlist."""
    folder.mkdir(parents=True, exist_ok=True)
    piece = ["-hls_segment_filename", folder / f"%d.{kind}"] if kind != "mp4" else \
        ["-hls_segment_type", "fmp4", "-hls_segment_filename", folder / "%d.m4s"]
    ffmpeg("-i", source or sound(), "-c:a", codec, "-b:a", "128k", "-f", "hls", "-hls_time", 1, "-hls_list_size", 0,
           "-hls_playlist_type", "vod", *piece, *options, folder / "index.m3u8")
    return folder / "index.m3u8"


def packed(folder, tags, source=None):
    """Pieces of ADTS, each behind an ID3 tag; returns the playlist."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = folder / "whole.aac"
    ffmpeg("-i", source or sound(), "-c:a", "aac", "-b:a", "128k", "-f", "adts", whole)
    frames = list(adts(whole.read_bytes()))
    count = len(frames) // len(tags)
    lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:3", "#EXT-X-PLAYLIST-TYPE:VOD"]
    for index, titles in enumerate(tags):
        part = frames[index * count:(index + 1) * count] if index < len(tags) - 1 else frames[index * count:]
        step = len(part) // len(titles) + 1
        pieces = [id3(title) + b"".join(part[n * step:(n + 1) * step]) for n, title in enumerate(titles)]
        (folder / f"{index}.aac").write_bytes(b"".join(pieces))
        lines += [f"#EXTINF:{len(part) * 1024 / 44100:.6f},", f"{index}.aac"]
    (folder / "index.m3u8").write_text("\n".join(lines + ["#EXT-X-ENDLIST", ""]))
    return whole


def adts(data):
    at = 0
    while at + 7 <= len(data):
        length = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
        yield data[at:at + length]
        at += length


def id3(title):
    text = b"\3" + title.encode()
    frame = b"TIT2" + len(text).to_bytes(4, "big") + b"\0\0" + text
    return b"ID3\4\0\0\0\0\0" + bytes([len(frame)]) + frame


def reference(path):
    """What ffmpeg decodes of a file or playlist, as 16 bit samples, interleaved."""
    any_name = ["-allowed_extensions", "ALL"] if path.suffix == ".m3u8" else []
    raw = subprocess.run(["ffmpeg", "-v", "error", *any_name, "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"],
                         check=True, capture_output=True).stdout
    return [max(-32768, min(32767, round(x * 32768))) for x in array.array("f", raw)]


def with_tags(data, titles):
    """A transport stream of ffmpeg's with a stream of ID3 tags in it, spread over its packets of sound."""
    packets = [data[at:at + 188] for at in range(0, len(data), 188)]
    step = max(1, len(packets) // len(titles))
    result = []
    for number, packet in enumerate(packets):
        pid = (packet[1] & 0x1F) << 8 | packet[2]
        result.append(_with_tag_stream(packet) if pid == 0x1000 else packet)
        if number >= 3 and (number - 3) % step == 0 and titles:
            result.append(_tag_packet(titles[0], (number - 3) // step))
            titles = titles[1:]
    return b"".join(result)


def _with_tag_stream(packet):
    section = packet[5:]
    length = (section[1] & 0x0F) << 8 | section[2]
    described = b"\x26\x0d\xff\xffID3 \xffID3 \x00\x0f"
    entry = b"\x15\xe1\x02\xf0" + bytes([len(described)]) + described
    body = section[3:3 + length - 4] + entry
    section = b"\x02" + (0xB000 | len(body) + 4).to_bytes(2, "big") + body
    return (packet[:5] + section + _crc(section).to_bytes(4, "big")).ljust(188, b"\xff")


def _tag_packet(title, counter):
    tag = id3(title)
    pes = b"\0\0\1\xbd" + (8 + len(tag)).to_bytes(2, "big") + b"\x84\x80\x05\x21\x00\x07\xd8\x61" + tag
    filling = 184 - len(pes)
    head = b"\x47\x41\x02" + bytes([0x30 | counter & 0x0F, filling - 1, 0])
    return (head + b"\xff" * (filling - 2)) + pes


def _crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ 0x04C11DB7 if crc & 0x80000000 else crc << 1) & 0xFFFFFFFF
    return crc
