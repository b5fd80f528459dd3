"""Finds the sound in a WAV whatever its sizes claim, and writes it anew with nothing but format and samples.

Pure: bytes in, bytes out. Nothing is decoded.
"""

from collections.abc import Iterator

from msgspec import Struct

CODECS = {1: "PCM", 2: "ADPCM", 3: "float", 6: "A-law", 7: "mu-law", 0x11: "ADPCM", 0x31: "GSM"}
"""Those that are taken, by their number in the format."""
MP3_CODEC = 0x55
EXTENSIBLE = b"\xfe\xff"
"""In place of a codec, whose number stands further behind."""
_OPEN = (0, 0xFFFFFFFF)
"""Sizes that programs write who do not know yet how long the sound will be."""


class Wave(Struct, frozen=True):
    """What a WAV holds: its format as it came, and its samples."""

    format: bytes
    samples: bytes
    extras: bytes = b""

    @property
    def codec(self) -> int:
        """The number of the codec; -1 where there is no format."""
        at = 24 if self.format[:2] == EXTENSIBLE and len(self.format) >= 26 else 0
        return int.from_bytes(self.format[at : at + 2], "little") if len(self.format) >= 16 else -1

    @property
    def content(self) -> bytes:
        """The WAV, with sizes that are true."""
        chunks = _chunk(b"fmt ", self.format) + self.extras + _chunk(b"data", self.samples)
        return b"RIFF" + (4 + len(chunks)).to_bytes(4, "little") + b"WAVE" + chunks


def sound_of(content: bytes, most: int) -> Wave:
    """The sound of a WAV, at most so many bytes of it."""
    found = dict(_chunks(content))
    fact = _chunk(b"fact", found[b"fact"]) if b"fact" in found else b""
    return Wave(found.get(b"fmt ", b""), found.get(b"data", b"")[:most], fact)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Chunk after chunk up to the samples; one of odd length may lack the byte that should follow it.

    A 64-bit WAV has the size of its samples in a chunk before them.
    """
    at, long = 12, b""
    while at + 8 <= len(content):
        name, size = content[at : at + 4], int.from_bytes(content[at + 4 : at + 8], "little")
        if name == b"data" and size in _OPEN and not _is_name(content[at + 8 : at + 12]):
            size = int.from_bytes(long, "little") or len(content)
        elif name == b"ds64":
            long = content[at + 16 : at + 24]
        yield name, content[at + 8 : at + 8 + size]
        if name == b"data":
            return
        at += 8 + size
        at += size % 2 and not _is_name(content[at : at + 4])


def _is_name(four: bytes) -> bool:
    return four in (b"data", b"fmt ", b"fact", b"LIST", b"bext", b"cue ", b"id3 ", b"smpl", b"PEAK", b"JUNK", b"iXML")


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + len(content).to_bytes(4, "little") + content + bytes(len(content) % 2)
