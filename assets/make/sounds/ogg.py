"""Writes Ogg Vorbis files. Replaces the encoder's random stream number, so that the bytes are always the same."""

import struct
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from broadcast.media.loudness_meter import gain_factor, integrated_lufs, true_peak_db

RATE = 44100
PEAK_DB = -2.0
FADE_SECONDS = 0.05

Wave = NDArray[np.float64]


def write(path: Path, wave: Wave, lufs: float, fade_in: float = 0.002, fade_out: float = FADE_SECONDS) -> None:
    """Writes a mono wave to both channels, with fades of `fade_in` and `fade_out` seconds. The loudness is `lufs`, or
    less if the peaks would otherwise exceed PEAK_DB.
    """
    wave = wave.copy()
    rise, fall = int(fade_in * RATE), min(int(fade_out * RATE), len(wave) // 2)
    wave[:rise] *= np.linspace(0, 1, rise)
    wave[len(wave) - fall :] *= np.linspace(1, 0, fall)
    both = np.stack([wave, wave], axis=1)
    gain = min(lufs - integrated_lufs(both, RATE), PEAK_DB - true_peak_db(both))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(both * gain_factor(gain)))


def encode(samples: Wave) -> bytes:
    """Returns samples as an Ogg Vorbis file."""
    file = BytesIO()
    soundfile.write(file, samples, RATE, format="OGG", subtype="VORBIS", compression_level=0.6)
    return b"".join(_renumber_pages(file.getvalue()))


def _renumber_pages(ogg: bytes) -> Iterator[bytes]:
    page_start = 0
    while page_start < len(ogg):
        segments = ogg[page_start + 26]
        end = page_start + 27 + segments + sum(ogg[page_start + 27 : page_start + 27 + segments])
        page = bytearray(ogg[page_start:end])
        page[14:18] = b"noon"
        page[22:26] = bytes(4)
        page[22:26] = struct.pack("<I", _checksum(page))
        yield bytes(page)
        page_start = end


def _checksum(page: bytearray) -> int:
    table = _table()
    crc = 0
    for byte in page:
        crc = (crc << 8) & 0xFFFFFFFF ^ table[crc >> 24 ^ byte]
    return crc


def _table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte << 24
        for _ in range(8):
            crc = crc << 1 & 0xFFFFFFFF ^ (0x04C11DB7 if crc & 0x80000000 else 0)
        table.append(crc)
    return table
