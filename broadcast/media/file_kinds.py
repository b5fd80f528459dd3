"""Recognises the kind of a file by its first bytes. The file comes from a stranger, such as a bot's author. No I/O.

Also defines what a report shows about a picture or sound.
"""

import re

from msgspec import Struct

_SIGNATURES: tuple[tuple[re.Pattern[bytes], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL | re.IGNORECASE), name)
    for pattern, name in (
        (rb"\Z", "empty"),
        (rb"....ftyp(avi[fs]|m....{4}(.{4}){0,8}?avi[fs])", "an AVIF picture"),
        (rb"....ftyp(hei|hev|mif1|msf1)", "a HEIC picture"),
        (rb"....ftyp(M4A|M4B)", "an M4A audio file (AAC or ALAC)"),
        (rb"....ftyp", "an MP4 or QuickTime file"),
        (rb"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (rb"\xff\xd8\xff", "a JPEG picture"),
        (rb"GIF8[79]a", "a GIF picture"),
        (rb"RIFF....WEBP", "a WebP picture"),
        (rb"RIFF....AVI ", "an AVI video"),
        (rb"(RIFF|RF64|BW64)....WAVE", "a WAV audio file"),
        (rb"BM.{12}[\x0c-\x7c]\0\0\0", "a BMP picture"),
        (rb"II\*\0|MM\0\*", "a TIFF picture or a camera's raw file"),
        (rb"\0\0[\x01\x02]\0[^\0]", "an ICO icon"),
        (rb"\0[\0\1][\x01-\x03\x09-\x0b].{13}[\x08\x0f\x10\x18\x20]", "a TGA picture"),
        (rb"%!PS|\xc5\xd0\xd3\xc6", "a PostScript drawing"),
        (rb"8BPS", "a Photoshop picture"),
        (rb"\xff\x0a|\0\0\0\x0cJXL ", "a JPEG XL picture"),
        (rb"\0\0\0\x0cjP  ", "a JPEG 2000 picture"),
        (rb"(\xef\xbb\xbf)?\s*(<\?xml.{,2000}?)?(<!--.{,2000}?-->\s*)?(<!doctype svg.{,500}?)?<svg", "an SVG drawing"),
        (rb"\xff\xfe<\0.{,4000}?s\0v\0g\0", "an SVG drawing"),
        (rb"\s*(<!--.{,2000}?-->\s*)?<(!doctype html|html|head)", "a web page"),
        (rb"%PDF", "a PDF document"),
        (rb"fLaC|ID3.{7,4000}?fLaC", "a FLAC audio file"),
        (rb"OggS.{24,100}?OpusHead", "an Ogg Opus audio file"),
        (rb"OggS", "an Ogg audio file"),
        (rb"FORM....AIF[FC]", "an AIFF audio file"),
        (rb"caff", "a CAF audio file"),
        (rb"\.snd", "an AU audio file"),
        (rb"riff\x2e\x91", "a Sony Wave64 audio file"),
        (rb"RIFX....WAVE", "a big-endian WAV audio file"),
        (rb"\x7f\xfe\x80\x01", "a DTS audio file"),
        (rb"\x0b\x77", "an AC-3 audio file"),
        (rb"wvpk", "a WavPack audio file"),
        (rb"MThd", "a MIDI file"),
        (rb"#!AMR", "an AMR audio file"),
        (rb"\x30\x26\xb2\x75", "a WMA audio file"),
        (rb"\x1a\x45\xdf\xa3", "a WebM or Matroska file"),
        (rb"PK\x03\x04", "a zip archive"),
        (rb"\x1f\x8b\x08|Rar!|7z\xbc\xaf", "a compressed file"),
        (rb"version https://git-lfs", "a Git LFS pointer (git lfs pull gets the file)"),
        (rb"(ID3.{7,4000}?)?\xff[\xf0\xf1\xf8\xf9]", "an AAC audio file"),
        (rb"(ID3.{7,4000}?)?\xff[\xf4\xf5\xfc\xfd]", "an MPEG Layer II audio file (MP2)"),
    )
)


class PictureFindings(Struct, frozen=True):
    """A picture as it was sent: its size in pixels, its format, and the whole picture as a small WebP.

    `note` says what was left out.
    """

    width: int
    height: int
    format: str
    picture: bytes
    note: str = ""


class SoundFindings(Struct, frozen=True):
    """A sound as it was sent (`came_...`) and as it will be played (`played_...`). Loudness is in LUFS. Peaks are in dB
    relative to full scale.

    `wave` has the peaks of the sent sound over time, 0 to 100. `note` says what was left out.
    """

    format: str
    seconds: float
    rate: int
    channels: int
    came_lufs: float
    came_peak_db: float
    played_lufs: float
    played_peak_db: float
    wave: tuple[int, ...]
    note: str = ""


class ExaminedFile(Struct, frozen=True):
    """A file as it will be shown or played, and the findings about the sent file. A particle (the small picture that
    flies when a bot wins) has no findings.
    """

    content: bytes
    picture: PictureFindings | None = None
    sound: SoundFindings | None = None


def true_kind(content: bytes) -> str:
    """Returns the kind of a file as text, such as "an AVIF picture" or "empty". Returns "" if the file's first bytes do
    not reveal its kind.
    """
    head = content[:4096]
    return next((name for pattern, name in _SIGNATURES if pattern.match(head)), "")
