"""What a stranger's file truly is, by its first bytes, for the words that refuse it. Pure: nothing is decoded."""

import re

_KINDS: tuple[tuple[re.Pattern[bytes], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL | re.IGNORECASE), name)
    for pattern, name in (
        (rb"....ftypavi[fs]", "an AVIF picture"),
        (rb"....ftyp(hei|hev|mif1|msf1)", "a HEIC picture"),
        (rb"....ftyp(M4A|M4B)", "an M4A sound (AAC or ALAC)"),
        (rb"....ftyp", "an MP4 or QuickTime file"),
        (rb"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (rb"\xff\xd8\xff", "a JPEG picture"),
        (rb"GIF8[79]a", "a GIF picture"),
        (rb"RIFF....WEBP", "a WebP picture"),
        (rb"RIFF....AVI ", "an AVI video"),
        (rb"RIFF....WAVE", "a WAV sound"),
        (rb"BM....\0\0\0\0", "a BMP picture"),
        (rb"II\*\0|MM\0\*", "a TIFF picture or a camera's raw file"),
        (rb"\0\0[\x01\x02]\0", "an ICO icon"),
        (rb"8BPS", "a Photoshop picture"),
        (rb"\xff\x0a|\0\0\0\x0cJXL ", "a JPEG XL picture"),
        (rb"\0\0\0\x0cjP  ", "a JPEG 2000 picture"),
        (rb"(\xef\xbb\xbf)?\s*(<\?xml.{,2000}?)?(<!--.{,2000}?-->\s*)?(<!doctype svg.{,500}?)?<svg", "an SVG drawing"),
        (rb"\s*<(!doctype html|html)", "a web page"),
        (rb"%PDF", "a PDF document"),
        (rb"fLaC|ID3.{7,4000}?fLaC", "a FLAC sound"),
        (rb"OggS.{24,100}?OpusHead", "an Ogg Opus sound"),
        (rb"OggS", "an Ogg sound"),
        (rb"FORM....AIF[FC]", "an AIFF sound"),
        (rb"caff", "a CAF sound"),
        (rb"\.snd", "an AU sound"),
        (rb"(RF|BW)64....WAVE|riff\x2e\x91", "a WAV sound of the 64-bit kind"),
        (rb"MThd", "a MIDI file"),
        (rb"#!AMR", "an AMR sound"),
        (rb"\x30\x26\xb2\x75", "a WMA sound"),
        (rb"\x1a\x45\xdf\xa3", "a WebM or Matroska file"),
        (rb"PK\x03\x04", "a zip archive"),
        (rb"(ID3.{7,4000}?)?\xff[\xf0\xf1\xf8\xf9]", "an AAC sound"),
        (rb"(ID3.{7,4000}?)?\xff[\xf4\xf5\xfc\xfd]", "MPEG Layer II sound (MP2)"),
    )
)


def true_kind(content: bytes) -> str:
    """What the file is, with its article: "an AVIF picture"; "" where its first bytes don't tell."""
    head = content[:4096]
    return next((name for pattern, name in _KINDS if pattern.match(head)), "")
