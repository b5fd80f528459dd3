"""Finds the frames of an MP3 one by one, so that its length is that of its content and not what its header claims.

Pure: bytes in, bytes out. Nothing is decoded.
"""

from collections.abc import Iterator

from msgspec import Struct

KBITS = {
    1: (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    2: (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
"""Layer III bit rates of MPEG-1, and of MPEG-2 and 2.5, by the index in the header less one."""
RATES = (44_100, 48_000, 32_000)
CLAIMS = (b"Xing", b"Info", b"VBRI")
"""What marks the frame that holds no sound but claims how much there is."""


class Stream(Struct, frozen=True):
    """An MP3 without tags and headers, followed by silence; the first `samples` of it are sound.

    `others` counts the frames of another kind that were left out, as where two files were joined.
    """

    content: bytes
    samples: int
    others: int = 0


class Frame(Struct, frozen=True):
    """What a frame's header says about it."""

    rate: int
    channels: int
    samples: int
    size: int


def sound_of(content: bytes, seconds: float) -> Stream | None:
    """The first `seconds` of the frames with sound in them; None if there are none.

    The silence after them is for the decoder, which guesses the length from the first frame and reads no further.
    """
    walked = list(_walk(content, seconds))
    frames = [(frame, sound) for frame, sound in walked if sound]
    if not frames:
        return None
    kind, first = frames[0]
    silence = bytes([first[0], first[1] | 1, *first[2:4]]) + bytes(kind.size - 4)
    needed = int(seconds * kind.rate / kind.samples) + 2
    sounds = b"".join(frame for _, frame in frames)
    return Stream(sounds + silence * needed, len(frames) * kind.samples, len(walked) - len(frames))


def _walk(content: bytes, seconds: float) -> Iterator[tuple[Frame, bytes]]:
    """Frame after frame that fits the first, b"" for one of another kind; whatever else lies between is skipped."""
    at, end, first, heard = _after_tag(content), -1, None, 0.0
    while heard < seconds and (at := content.find(b"\xff", at)) >= 0:
        frame = _frame(content[at : at + 4])
        if frame and first and _is_other(frame, first, content, at):
            yield frame, b""
            at = end = at + frame.size
        elif frame and _fits(frame, first, len(content) - at) and (at == end or _is_led_on(frame, content, at)):
            first = first or frame
            sound = content[at : at + frame.size]
            if not any(claim in sound[:64] for claim in CLAIMS):
                yield frame, sound
                heard += frame.samples / frame.rate
            at = end = at + frame.size
        else:
            at += 1


def _is_other(frame: Frame, first: Frame, content: bytes, at: int) -> bool:
    """Whether a frame of another kind stands here, with one of its own kind behind it or the end of the file."""
    behind = _frame(content[at + frame.size :][:4])
    return not _fits(frame, first, frame.size) and behind is not None and _fits(frame, behind, frame.size)


def _is_led_on(frame: Frame, content: bytes, at: int) -> bool:
    """Whether another frame follows this one: where none went before, its first bytes may be there by chance."""
    return _frame(content[at + frame.size :][:4]) is not None


def _fits(frame: Frame, first: Frame | None, left: int) -> bool:
    return frame.size <= left and (not first or (frame.rate, frame.channels) == (first.rate, first.channels))


def _after_tag(content: bytes) -> int:
    """Where an ID3 tag at the beginning ends, or its head where it claims to go on behind the end of the file."""
    if content[:3] != b"ID3" or len(content) < 10:
        return 0
    size = sum((byte & 0x7F) << shift for byte, shift in zip(content[6:10], (21, 14, 7, 0), strict=True))
    return 10 + size if 10 + size < len(content) else 10


def _frame(header: bytes) -> Frame | None:
    """None if these four bytes begin no layer III frame."""
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE6 != 0xE2:
        return None
    version, bits, rate, padding = header[1] >> 3 & 3, header[2] >> 4, header[2] >> 2 & 3, header[2] >> 1 & 1
    if version == 1 or bits in (0, 15) or rate == 3:
        return None
    hertz = RATES[rate] // {3: 1, 2: 2, 0: 4}[version]
    samples = 1152 if version == 3 else 576
    kbits = KBITS[1 if version == 3 else 2][bits - 1]
    channels = 1 if header[3] >> 6 == 3 else 2
    return Frame(hertz, channels, samples, samples // 8 * kbits * 1000 // hertz + padding)
