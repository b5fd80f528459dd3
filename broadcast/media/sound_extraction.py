"""Finds the sound in an MP3 or WAV, even if the headers are wrong. Copies the sound without decoding it. No I/O."""

from collections.abc import Iterator

from msgspec import Struct

KBITS = {
    1: (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    2: (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
"""The bit rates of Layer III in kbit/s, for MPEG-1 (key 1) and for MPEG-2 and 2.5 (key 2). A frame's header has the
position of its bit rate in the list, counted from 1.
"""
MP3_RATES = (44_100, 48_000, 32_000)
LENGTH_MARKERS = (b"Xing", b"Info", b"VBRI")
"""A frame with one of these markers has no sound: it only states the length of the sound."""
CODECS = {1: "PCM", 2: "ADPCM", 3: "float", 6: "A-law", 7: "mu-law", 0x11: "ADPCM", 0x31: "GSM"}
"""Accepted codecs of a WAV, by number."""
MP3_CODEC = 0x55
EXTENSIBLE = b"\xfe\xff"
"""This codec number says that the real number is in a later field."""
_UNKNOWN_SIZES = (0, 0xFFFFFFFF)
"""Programs write these sizes while they do not know the length of the sound yet."""
_WAV_CHUNKS = (b"data", b"fmt ", b"fact", b"LIST", b"bext", b"cue ", b"id3 ", b"smpl", b"PEAK", b"JUNK", b"iXML")


class Mp3(Struct, frozen=True):
    """An MP3 without tags and length headers: `samples` samples of sound, then silence.

    `other_frames` is the number of frames of another kind that were left out, such as frames of a second file that was
    joined to the first.
    """

    content: bytes
    samples: int
    other_frames: int = 0


class Frame(Struct, frozen=True):
    rate: int
    channels: int
    samples: int
    size: int


class Wav(Struct, frozen=True):
    """A WAV's format as it was sent, and its samples. `extras` are further chunks that the file keeps."""

    format: bytes
    samples: bytes
    extras: bytes = b""

    @property
    def codec(self) -> int:
        """The number of the codec, or -1 if the format is missing."""
        offset = 24 if self.format[:2] == EXTENSIBLE and len(self.format) >= 26 else 0
        return int.from_bytes(self.format[offset : offset + 2], "little") if len(self.format) >= 16 else -1

    @property
    def content(self) -> bytes:
        """The whole WAV file, with correct sizes."""
        chunks = _make_chunk(b"fmt ", self.format) + self.extras + _make_chunk(b"data", self.samples)
        return b"RIFF" + (4 + len(chunks)).to_bytes(4, "little") + b"WAVE" + chunks


def extract_mp3(content: bytes, seconds: float) -> Mp3 | None:
    """Returns the first `seconds` of the frames with sound, or None if no frame has sound.

    Adds silence at the end, because decoders guess the length from the first frame.
    """
    found = list(_find_frames(content, seconds))
    frames = [(frame, sound) for frame, sound in found if sound]
    if not frames:
        return None
    first_frame, first_bytes = frames[0]
    silence = bytes([first_bytes[0], first_bytes[1] | 1, *first_bytes[2:4]]) + bytes(first_frame.size - 4)
    silent_frames = int(seconds * first_frame.rate / first_frame.samples) + 2
    sounds = b"".join(frame for _, frame in frames)
    return Mp3(sounds + silence * silent_frames, len(frames) * first_frame.samples, len(found) - len(frames))


def extract_wav(content: bytes, max_bytes: int) -> Wav:
    """Returns the sound of a WAV, with at most `max_bytes` bytes of samples."""
    found = dict(_read_chunks(content))
    fact = _make_chunk(b"fact", found[b"fact"]) if b"fact" in found else b""
    return Wav(found.get(b"fmt ", b""), found.get(b"data", b"")[:max_bytes], fact)


def _find_frames(content: bytes, seconds: float) -> Iterator[tuple[Frame, bytes]]:
    """Yields each frame with its bytes. For a frame of another kind than the first frame, the bytes are b"".

    Skips frames that only state the length, and all data outside frames. After skipped data, a frame counts only if
    another frame follows, because the first bytes of a frame may occur by chance.
    """
    offset, end, first, found_seconds = _after_tag(content), -1, None, 0.0
    while found_seconds < seconds and (offset := content.find(b"\xff", offset)) >= 0:
        frame = _read_frame(content[offset : offset + 4])
        following = _read_frame(content[offset + frame.size : offset + frame.size + 4]) if frame else None
        is_other_kind = frame and first and not _fits(frame, first, frame.size)
        if frame and is_other_kind and following and _fits(frame, following, frame.size):
            yield frame, b""
            offset = end = offset + frame.size
        elif frame and _fits(frame, first, len(content) - offset) and (offset == end or following):
            first = first or frame
            sound = content[offset : offset + frame.size]
            if not any(marker in sound[:64] for marker in LENGTH_MARKERS):
                yield frame, sound
                found_seconds += frame.samples / frame.rate
            offset = end = offset + frame.size
        else:
            offset += 1


def _fits(frame: Frame, first: Frame | None, bytes_left: int) -> bool:
    return frame.size <= bytes_left and (not first or (frame.rate, frame.channels) == (first.rate, first.channels))


def _after_tag(content: bytes) -> int:
    """Returns the offset after a leading ID3 tag. If the tag claims to be longer than the file, returns the offset
    after the tag's header.
    """
    if content[:3] != b"ID3" or len(content) < 10:
        return 0
    size = sum((byte & 0x7F) << shift for byte, shift in zip(content[6:10], (21, 14, 7, 0), strict=True))
    return 10 + size if 10 + size < len(content) else 10


def _read_frame(header: bytes) -> Frame | None:
    """Returns the frame that begins with these four bytes, or None if they do not begin a frame of Layer III."""
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE6 != 0xE2:
        return None
    version, bits, rate, padding = header[1] >> 3 & 3, header[2] >> 4, header[2] >> 2 & 3, header[2] >> 1 & 1
    if version == 1 or bits in (0, 15) or rate == 3:
        return None
    hertz = MP3_RATES[rate] // {3: 1, 2: 2, 0: 4}[version]
    samples = 1152 if version == 3 else 576
    kbits = KBITS[1 if version == 3 else 2][bits - 1]
    channels = 1 if header[3] >> 6 == 3 else 2
    return Frame(hertz, channels, samples, samples // 8 * kbits * 1000 // hertz + padding)


def _read_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yields the chunks up to the samples. In a 64-bit WAV, a chunk before the samples contains their size.

    Also reads chunks that lack padding.
    """
    offset, samples_size = 12, b""
    while offset + 8 <= len(content):
        name, size = content[offset : offset + 4], int.from_bytes(content[offset + 4 : offset + 8], "little")
        if name == b"data" and size in _UNKNOWN_SIZES and content[offset + 8 : offset + 12] not in _WAV_CHUNKS:
            size = int.from_bytes(samples_size, "little") or len(content)
        elif name == b"ds64":
            samples_size = content[offset + 16 : offset + 24]
        yield name, content[offset + 8 : offset + 8 + size]
        if name == b"data":
            return
        offset += 8 + size
        offset += size % 2 and content[offset : offset + 4] not in _WAV_CHUNKS


def _make_chunk(name: bytes, content: bytes) -> bytes:
    return name + len(content).to_bytes(4, "little") + content + bytes(len(content) % 2)
