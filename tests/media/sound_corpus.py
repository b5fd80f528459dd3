"""Sounds as programs and attackers make them, each with its verdict: FINE, or why it is refused."""

import struct
import subprocess
from collections.abc import Iterator
from io import BytesIO

import numpy as np
import soundfile

from tests.media.stranger_files import sound, tone

FINE = ""
APE = (
    b"APETAGEX" + struct.pack("<IIII", 2000, 40, 1, 0xA0000000) + bytes(8) + b"\x04\0\0\0\0\0\0\0Note\0text" + bytes(23)
)


def sounds() -> dict[str, tuple[bytes, str]]:
    """Each file by name, with its verdict."""
    return dict((*_waves(), *_odd_waves(), *_mp3s(), *_joined(), *_encoded(), *_others()))


def _waves() -> Iterator[tuple[str, tuple[bytes, str]]]:
    for subtype in ("PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW", "ALAW"):
        yield f"WAV of {subtype}", (_written("WAV", subtype), FINE)
    for subtype in ("IMA_ADPCM", "MS_ADPCM", "GSM610"):
        yield f"WAV of {subtype}", (_written("WAV", subtype), FINE)
    for rate in (8_000, 22_050, 48_000, 96_000, 192_000):
        yield f"WAV of {rate} Hz", (_written("WAV", "PCM_16", rate), FINE)
    yield "stereo WAV", (sound(np.stack([tone(0.5), tone(0.5, hertz=600)], axis=1)), FINE)
    yield "extensible WAV", (_written("WAVEX", "PCM_16"), FINE)
    yield "WAV of six channels", (sound(np.zeros((4410, 6))), "6 channels")
    yield "WAV of 4000 Hz", (_written("WAV", "PCM_16", 4_000), "4000 samples a second")
    yield "WAV of six seconds", (_written("WAV", "PCM_U8", 8_000, 6), "longer than 5 seconds")
    yield "silent WAV", (sound(np.zeros(4410)), "silent")
    yield "64-bit WAV", (_written("RF64", "PCM_16"), FINE)
    yield "Sony's 64-bit WAV", (_written("W64", "PCM_16"), "a Sony Wave64 audio file")
    yield "very quiet WAV", (sound(tone(0.5, level=1e-5)), "too quiet")


def _odd_waves() -> Iterator[tuple[str, tuple[bytes, str]]]:
    whole = _written("WAV", "PCM_16")
    data = whole.index(b"data")
    for size in (0, 0xFFFFFFFF, 0x7FFFFFFF):
        yield (
            f"WAV with sizes of {size}",
            (
                whole[:4] + struct.pack("<I", size) + whole[8 : data + 4] + struct.pack("<I", size) + whole[data + 8 :],
                FINE,
            ),
        )
    for name, more in (
        ("an odd chunk", b"LIST\x03\0\0\0abc\0"), ("an odd chunk without its last byte", b"LIST\x03\0\0\0abc"),
        ("a large chunk", b"bext" + struct.pack("<I", 700_000) + bytes(700_000)), ("a note", b"iXML\x02\0\0\0ab"),
    ):  # fmt: skip
        yield f"WAV with {name}", (whole[:data] + more + whole[data:], FINE)
    yield "WAV followed by a tag", (whole + b"id3 \x04\0\0\0ID3\x03", FINE)
    yield "WAV with an empty chunk of samples", (whole[: data + 4] + bytes(4) + b"LIST\x04\0\0\0abcd", "no sound in it")
    yield "WAV cut off", (whole[: len(whole) // 2], FINE)
    yield "WAV after zeros", (bytes(100) + whole, FINE)
    yield "WAV without a format", (whole[:12] + whole[data:], "damaged")
    yield "WAV that claims 65,535 channels", (whole[:22] + b"\xff\xff" + whole[24:], "channels|damaged")
    yield "WAV of an unknown codec", (whole[:20] + b"\x61\x01" + whole[22:], "codec that few programs know")


def _mp3s() -> Iterator[tuple[str, tuple[bytes, str]]]:
    whole = sound(tone(0.6), "MP3")
    for rate in (8_000, 16_000, 22_050, 32_000, 48_000):
        yield f"MP3 of {rate} Hz", (sound(tone(0.6, rate=rate), "MP3", rate), FINE)
    yield "stereo MP3", (sound(np.stack([tone(0.6), tone(0.6, hertz=600)], axis=1), "MP3"), FINE)
    yield "MP3 after zeros", (bytes(3000) + whole, FINE)
    yield "MP3 after an APE tag", (APE + whole, FINE)
    yield "MP3 after ID3 with a picture", (b"ID3\x03\0\0\0\0\x40\0" + b"\xff\xd8\xff" + bytes(8189) + whole, FINE)
    yield "MP3 before ID3 of the old kind", (whole + b"TAG" + bytes(125), FINE)
    yield "MP3 cut off", (whole[: len(whole) // 2], FINE)
    yield "MP3 after a text", (b"HTTP/1.1 200 OK\r\n\r\n" + whole, FINE)
    yield "MP3 of six seconds", (sound(tone(6, rate=8_000), "MP3", 8_000), "longer than 5 seconds")
    yield "MP3 after ID3 that claims 256 MB", (b"ID3\x04\0\0\x7f\x7f\x7f\x7f" + whole, FINE)
    yield "MP3 in a WAV", (_as_wav(sound(tone(0.6), "MP3")), FINE)
    extended = struct.pack("<HHIIHHHHIH", 0xFFFE, 1, 44_100, 8_000, 1, 0, 22, 0, 4, 0x55) + bytes(14)
    yield "MP3 in an extensible WAV", (_as_wav(whole, extended), FINE)
    yield "ID3 without sound", (b"ID3\x04\0\0\0\0\0\0" + bytes(99), "no sound in it")


def _joined() -> Iterator[tuple[str, tuple[bytes, str]]]:
    first, both = sound(tone(0.6), "MP3"), np.stack([tone(0.6), tone(0.6)], axis=1)
    yield "two MP3s, joined", (first + sound(tone(0.6, hertz=600), "MP3"), FINE)
    yield "MP3s of two rates, joined", (first + sound(tone(0.6, rate=22_050), "MP3", 22_050), FINE)
    yield "mono and stereo MP3s, joined", (first + sound(both, "MP3"), FINE)


def _encoded() -> Iterator[tuple[str, tuple[bytes, str]]]:
    for name, how, verdict in (
        ("AAC", "-c:a aac -f adts", "an AAC audio file"),
        ("Layer II", "-c:a mp2 -f mp2", r"an MPEG Layer II audio file \(MP2\)"),
        ("M4A", "-c:a aac -movflags frag_keyframe+empty_moov -f ipod", "an M4A audio file"),
        ("Opus", "-c:a libopus -f ogg", "an Ogg Opus audio file"),
        ("WMA", "-c:a wmav2 -f asf", "a WMA audio file"),
        ("WebM", "-c:a libopus -f webm", "a WebM or Matroska file"),
        ("DTS", "-c:a dca -strict -2 -f dts", "a DTS audio file"),
        ("AC-3", "-c:a ac3 -f ac3", "an AC-3 audio file"),
        ("WavPack", "-f wv", "a WavPack audio file"),
        ("WAV streamed", "-c:a pcm_s16le -f wav", FINE),
        ("MP3 of variable rate", "-c:a libmp3lame -q:a 4 -f mp3", FINE),
        ("MP3 of 320 kbit/s", "-c:a libmp3lame -b:a 320k -ar 48000 -f mp3", FINE),
    ):
        source = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=0.6:sample_rate=44100"]
        made = subprocess.run([*source, *how.split(), "-"], capture_output=True, check=True)
        yield name, (made.stdout, verdict)


def _others() -> Iterator[tuple[str, tuple[bytes, str]]]:
    for kind, verdict in (("FLAC", "a FLAC audio file"), ("OGG", "an Ogg audio file"), ("AIFF", "an AIFF audio file"),
                          ("AU", "an AU audio file"), ("CAF", "a CAF audio file")):  # fmt: skip
        yield kind, (_written(kind, None), verdict)
    yield "FLAC that claims an hour", (_lying_flac(), "a FLAC audio file")
    yield "MIDI", (b"MThd\0\0\0\x06\0\0\0\1\0\x60MTrk\0\0\0\4\0\xff\x2f\0", "a MIDI file")
    yield "web page", (b"<!doctype html><title>404</title>", "a web page")
    yield "playlist", (b"#EXTM3U\n/etc/passwd\n", "not a WAV or MP3 file")
    yield "nothing", (b"", "it is empty")
    yield "ffmpeg script", (b"ffconcat version 1.0\nfile '/etc/passwd'\n", "not a WAV or MP3 file")
    yield "frame without sound", (b"\xff\xfb\x90\x00" + bytes(9000), "no sound in it")
    yield "FLAC after ID3", (b"ID3\x04\0\0\0\0\0\0" + _written("FLAC", None), "a FLAC audio file")
    yield "WAV without samples", (sound(tone(1))[:48], "damaged|no sound in it")
    noise = np.random.default_rng(1).bytes(2_000_000)
    yield "random bytes", (b"\0" + noise, "not a WAV or MP3 file")


def _written(kind: str, subtype: str | None, rate: int = 44_100, seconds: float = 0.5) -> bytes:
    file = BytesIO()
    soundfile.write(file, tone(seconds, rate=rate), rate, format=kind, subtype=subtype)
    return file.getvalue()


_MP3_IN_WAV = struct.pack("<HHIIHHHHIHHH", 0x55, 1, 44_100, 8_000, 1, 0, 12, 1, 2, 417, 1, 1393)


def _as_wav(mp3: bytes, form: bytes = _MP3_IN_WAV) -> bytes:
    chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(mp3)) + mp3
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


def _lying_flac() -> bytes:
    flac = bytearray(_written("FLAC", None))
    flac[22:26] = struct.pack(">I", 3600 * 44_100)
    return bytes(flac)
