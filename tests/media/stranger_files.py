"""Pictures and sounds as cameras, programs and attackers make them, and the reasons why we refuse some of them."""

import gzip
import struct
import subprocess
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from itertools import chain

import numpy as np
import soundfile
from numpy.typing import NDArray
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

Samples = NDArray[np.float64]
ACCEPTED = ""
"""An empty reason. It means that we accept the file."""
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
CLEAR = Image.new("RGBA", (40, 40))  # Every pixel of CLEAR is transparent.
APE_TAG = b"APETAGEX" + struct.pack("<IIII8xB7x", 2000, 40, 1, 0xA0000000, 4) + b"Note\0text" + bytes(23)
RED, GREEN, BLUE = (220, 30, 30), (30, 180, 30), (30, 30, 220)
SOLID = Image.new("RGBA", (40, 40), RED)
Case = tuple[str, bytes] | tuple[str, bytes, str]
"""A file's name, its content, and why we refuse the file (a regular expression). Without a reason, we accept it."""
Files = dict[str, tuple[bytes, str]]
"""For each file's name: its content, and why we refuse the file (a regular expression, or ACCEPTED)."""


def picture(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def stripes(width: int, height: int) -> Image.Image:
    """Makes an image of three stripes, red, green and blue. Each stripe takes up a third of the longer side."""
    image = Image.new("RGB", (width, height), GREEN)
    third = max(width, height) // 3
    side = (third, height) if width >= height else (width, third)
    image.paste(RED, (0, 0, *side))
    image.paste(BLUE, (width - side[0], height - side[1], width, height))
    return image


def empty_png(width: int, height: int) -> bytes:
    """Makes a PNG of `width` x `height` black pixels. The file is small, and the pixels are never all in memory."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    row = b"\0" * (1 + (width + 7) // 8)
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    chunks = ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, content) for name, content in chunks)


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def tone(seconds: float, level: float = 0.3, hertz: float = 440, rate: int = 44_100) -> Samples:
    return level * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)


def sound(samples: Samples, kind: str = "WAV", rate: int = 44_100, subtype: str | None = None) -> bytes:
    """Returns a file of these samples. By default, a WAV stores 32-bit floats, so samples may be above full scale."""
    file = BytesIO()
    soundfile.write(file, samples, rate, format=kind, subtype=subtype or ("FLOAT" if kind == "WAV" else None))
    return file.getvalue()


@cache
def pictures() -> Files:
    return _files(_plain_pictures(), _animations(), _png_chunks(), _damaged_files(), _other_pictures(), _large_files())


def sounds() -> Files:
    return _files(_wavs(), _odd_wavs(), _mp3s(), _sounds_from_ffmpeg(), _other_sounds())


def _files(*cases: Iterable[Case]) -> Files:
    return {name: (content, "".join(verdict)) for name, content, *verdict in chain(*cases)}


def _plain_pictures() -> Iterator[Case]:
    image = stripes(60, 40)
    for kind in ("PNG", "JPEG", "GIF", "WEBP"):
        yield f"plain {kind}", picture(image, kind)
    for mode in ("1", "L", "LA", "P", "RGBA"):
        yield f"PNG of {mode}", picture(image.convert(mode))
    yield "PNG of 16 bits of grey", picture(Image.new("I;16", (30, 30), 128 * 256))
    yield "PNG of one pixel", picture(Image.new("RGB", (1, 1), (9, 9, 9)))
    yield "PNG with a transparent colour", picture(image.convert("P"), transparency=0)
    for mode in ("L", "CMYK"):
        yield f"JPEG of {mode}", picture(image.convert(mode), "JPEG")
    yield "progressive JPEG", picture(image, "JPEG", progressive=True)
    yield "JPEG of 4:4:4", picture(image, "JPEG", subsampling=0)
    yield "JPEG with restarts", picture(image, "JPEG", restart_marker_blocks=1)
    yield "lossless WebP", picture(image, "WEBP", lossless=True)
    yield "WebP with alpha", picture(SOLID, "WEBP")
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        yield f"JPEG turned {orientation}", picture(image, "JPEG", exif=exif)
    for kind in ("PNG", "JPEG", "WEBP"):
        yield f"{kind} with a profile", picture(image, kind, icc_profile=SRGB)
        yield f"{kind} with a mangled profile", picture(image, kind, icc_profile=b"no profile" * 20)
    yield "JPEG in colour with a grey profile", picture(image, "JPEG", icc_profile=SRGB[:16] + b"GRAY" + SRGB[20:])


def _animations() -> Iterator[Case]:
    frame_lists = {"": [SOLID, CLEAR], " that begins empty": [CLEAR, SOLID], " of nothing": [CLEAR] * 2}
    for kind in ("GIF", "WEBP", "PNG"):
        for name, frames in frame_lists.items():
            different = [frame.copy() for frame in frames]
            different[-1].putpixel((0, 0), (1, 2, 3, 0 if name == " of nothing" else 255))
            options = {"disposal": 2} if kind != "WEBP" else {}
            animation = picture(different[0], kind, save_all=True, append_images=different[1:], duration=50, **options)
            yield f"animated {kind}{name}", animation, "transparent" if name == " of nothing" else ACCEPTED
    still = picture(CLEAR, save_all=True, append_images=[SOLID, SOLID.rotate(90)], default_image=True)
    yield "animated PNG after an empty picture", still


def _png_chunks() -> Iterator[Case]:
    png = picture(stripes(60, 40))
    text, packed = PngInfo(), zlib.compress(b"x" * (3 << 20))
    text.add_text("Comment", "x" * (2 << 20))
    yield "PNG with 2 MB of text", picture(stripes(60, 40), pnginfo=text)
    for name, chunk_start in ((b"zTXt", b"a\0\0"), (b"iTXt", b"a\0\1\0\0\0"), (b"iCCP", b"a\0\0")):
        yield f"PNG with a large {name.decode()}", _with_chunk(png, chunk(name, chunk_start + packed))
        yield f"PNG with a mangled {name.decode()}", _with_chunk(png, chunk(name, chunk_start + b"no zlib"))
        with_wrong_sum = chunk(name, chunk_start + zlib.compress(b"x"))[:-4] + b"sum!"
        yield f"PNG with a wrong sum of {name.decode()}", _with_chunk(png, with_wrong_sum)
    for name, content in (
        (b"gAMA", struct.pack(">I", 45455)), (b"sRGB", b"\0"), (b"pHYs", bytes(9)), (b"tIME", bytes(7)),
        (b"bKGD", bytes(6)), (b"eXIf", b"II*\0no exif"), (b"prVT", b"private"),
    ):  # fmt: skip
        yield f"PNG with {name.decode()}", _with_chunk(png, chunk(name, content))
    yield "PNG with more after its end", png + b"more"
    yield "PNG without its end", png[:-12]


def _damaged_files() -> Iterator[Case]:
    for kind in ("PNG", "JPEG", "GIF"):
        noisy = Image.effect_noise((200, 200), 90).convert("RGB")
        file = picture(noisy, kind)
        yield f"{kind} without its last two bytes", file[:-2]
        yield f"half a {kind}", file[: len(file) // 2]
        yield f"the first 12 bytes of a {kind}", file[:12], "damaged"
        yield f"{kind} after some bytes", b"\r\n" + file
    for name, options in (("WebP", {}), ("lossless WebP", {"lossless": True})):
        webp = picture(noisy, "WEBP", **options)
        yield f"{name} without its last two bytes", webp[:-2]
        yield f"half a {name}", webp[: len(webp) // 2]
        yield f"{name} whose header claims more", webp[:4] + struct.pack("<I", len(webp)) + webp[8:]
    yield "the first 12 bytes of a WebP", webp[:12], "damaged"
    yield "WebP that claims 4 GB", webp[:4] + b"\xfe\xff\xff\xff" + webp[8:], "damaged"
    file = picture(stripes(60, 40))
    start = file.index(b"IDAT") - 4
    size = int.from_bytes(file[start : start + 4], "big")
    yield "PNG with a wrong sum of its pixels", file[: start + 8 + size] + b"sum!" + file[start + 12 + size :]
    yield "PNG with a wrong sum of its header", file[:29] + b"sum!" + file[33:], "damaged from the start"


def _other_pictures() -> Iterator[Case]:
    image = stripes(60, 40)
    for kind, name in (("BMP", "a BMP picture"), ("TIFF", "a TIFF picture"), ("ICO", "an ICO icon"),
                       ("AVIF", "an AVIF picture"), ("JPEG2000", "a JPEG 2000 picture"), ("TGA", "a TGA picture"),
                       ("EPS", "a PostScript")):  # fmt: skip
        yield kind, picture(image, kind), name
    yield "SVG", SVG, "an SVG drawing"
    yield "SVG after a prologue", b'<?xml version="1.0"?>\n<!-- drawn -->\n' + SVG, "an SVG drawing"
    yield "HEIC", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(99), "a HEIC picture"
    yield "AVIF by its second brand", b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf" + bytes(99), "an AVIF picture"
    yield "SVG in UTF-16", SVG.decode().encode("utf-16"), "an SVG drawing"
    yield "cursor", b"\0\0\2\0" + picture(image, "ICO")[4:], "an ICO icon"
    yield "BMP with a number", (bmp := picture(image, "BMP"))[:6] + b"abcd" + bmp[10:], "a BMP picture"
    yield "page that was saved", b"<!-- saved from url --><html></html>", "a web page"
    yield "Git LFS pointer", b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\n", "git lfs pull"
    yield "packed PNG", gzip.compress(picture(image)), "a compressed file"
    yield "JPEG XL", b"\xff\x0a" + bytes(99), "a JPEG XL picture"
    yield "PDF", b"%PDF-1.7\n", "a PDF document"
    yield "Photoshop", b"8BPS\0\1" + bytes(99), "a Photoshop picture"
    yield "web page", b"<!DOCTYPE html><html></html>", "a web page"
    yield "MP4", b"\0\0\0\x18ftypisom" + bytes(99), "an MP4 or QuickTime file"
    yield "nothing", b"", "it is empty, not a PNG"
    yield "words", b"a picture of me", "not a PNG, JPEG, GIF or WebP picture"
    yield "transparent PNG", picture(CLEAR), "every pixel of it is transparent"


def _large_files() -> Iterator[Case]:
    for megapixels, size in ((24, (6000, 4000)), (48, (8000, 6000))):
        yield f"JPEG of {megapixels} megapixels", picture(Image.new("L", size, 128), "JPEG")
    yield "progressive JPEG of 24 megapixels", picture(Image.new("L", (6000, 4000), 128), "JPEG", progressive=True)
    yield "PNG of 80 megapixels", empty_png(20_000, 4_000), "at most 16 megapixels"
    png_with_false_size = empty_png(30_000, 100)[:16] + struct.pack(">II", 30_000, 30_000)
    yield "PNG of 900 megapixels", png_with_false_size, "megapixels|damaged"
    jpeg = bytearray(picture(stripes(60, 40), "JPEG"))
    start = jpeg.index(b"\xff\xc0") + 5
    jpeg[start : start + 4] = struct.pack(">HH", 60_000, 2_500)
    yield "JPEG that claims 150 megapixels", bytes(jpeg), "far more than 16 megapixels"
    jpeg[start : start + 4] = struct.pack(">HH", 65_000, 65_000)
    yield "JPEG that claims 4225 megapixels", bytes(jpeg), "megapixels"
    gif = bytearray(picture(stripes(60, 40), "GIF"))
    gif[6:10] = struct.pack("<HH", 65_000, 65_000)
    yield "GIF that claims 4225 megapixels", bytes(gif), "megapixels"
    for name, kind in (("profile", b"iCCP"), ("text", b"zTXt")):
        bomb = chunk(kind, b"a\0\0" + zlib.compress(bytes(200 << 20), 9))
        yield f"PNG with a {name} that unpacks to 200 MB", _with_chunk(picture(stripes(60, 40)), bomb)


def _with_chunk(png: bytes, new_chunk: bytes) -> bytes:
    return png[:33] + new_chunk + png[33:]


def _wavs() -> Iterator[Case]:
    for subtype in (
        "PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW", "ALAW", "IMA_ADPCM", "MS_ADPCM", "GSM610",
    ):  # fmt: skip
        yield f"WAV of {subtype}", _encode_tone("WAV", subtype)
    for rate in (8_000, 22_050, 48_000, 96_000, 192_000):
        yield f"WAV of {rate} Hz", _encode_tone("WAV", "PCM_16", rate)
    yield "stereo WAV", sound(np.stack([tone(0.5), tone(0.5, hertz=600)], axis=1))
    yield "extensible WAV", _encode_tone("WAVEX", "PCM_16")
    yield "WAV of six channels", sound(np.zeros((4410, 6))), "6 channels"
    yield "WAV of 4000 Hz", _encode_tone("WAV", "PCM_16", 4_000), "4000 samples a second"
    yield "WAV of six seconds", _encode_tone("WAV", "PCM_U8", 8_000, 6), "longer than 5 seconds"
    yield "silent WAV", sound(np.zeros(4410)), "silent"
    yield "64-bit WAV", _encode_tone("RF64", "PCM_16")
    yield "Sony's 64-bit WAV", _encode_tone("W64", "PCM_16"), "a Sony Wave64 audio file"
    yield "very quiet WAV", sound(tone(0.5, level=1e-5)), "too quiet"


def _odd_wavs() -> Iterator[Case]:
    wav = _encode_tone("WAV", "PCM_16")
    data = wav.index(b"data")
    for size in (0, 0xFFFFFFFF, 0x7FFFFFFF):
        size_field = struct.pack("<I", size)
        yield f"WAV with sizes of {size}", wav[:4] + size_field + wav[8 : data + 4] + size_field + wav[data + 8 :]
    for name, new_chunk in (
        ("an odd chunk", b"LIST\x03\0\0\0abc\0"), ("an odd chunk without its last byte", b"LIST\x03\0\0\0abc"),
        ("a large chunk", b"bext" + struct.pack("<I", 700_000) + bytes(700_000)), ("a note", b"iXML\x02\0\0\0ab"),
    ):  # fmt: skip
        yield f"WAV with {name}", wav[:data] + new_chunk + wav[data:]
    yield "WAV followed by a tag", wav + b"id3 \x04\0\0\0ID3\x03"
    yield "WAV with an empty chunk of samples", wav[: data + 4] + bytes(4) + b"LIST\x04\0\0\0abcd", "no sound in it"
    yield "WAV cut off", wav[: len(wav) // 2]
    yield "WAV after zeros", bytes(100) + wav
    yield "WAV without a format", wav[:12] + wav[data:], "damaged"
    yield "WAV that claims 65,535 channels", wav[:22] + b"\xff\xff" + wav[24:], "channels|damaged"
    yield "WAV of an unknown codec", wav[:20] + b"\x61\x01" + wav[22:], "codec that few programs know"


def _mp3s() -> Iterator[Case]:
    mp3 = sound(tone(0.6), "MP3")
    for rate in (8_000, 16_000, 22_050, 32_000, 48_000):
        yield f"MP3 of {rate} Hz", sound(tone(0.6, rate=rate), "MP3", rate)
    yield "stereo MP3", sound(np.stack([tone(0.6), tone(0.6, hertz=600)], axis=1), "MP3")
    yield "MP3 after zeros", bytes(3000) + mp3
    yield "MP3 after an APE tag", APE_TAG + mp3
    yield "MP3 after ID3 with a picture", b"ID3\x03\0\0\0\0\x40\0" + b"\xff\xd8\xff" + bytes(8189) + mp3
    yield "MP3 before ID3 of the old kind", mp3 + b"TAG" + bytes(125)
    yield "MP3 cut off", mp3[: len(mp3) // 2]
    yield "MP3 after a text", b"HTTP/1.1 200 OK\r\n\r\n" + mp3
    yield "MP3 of six seconds", sound(tone(6, rate=8_000), "MP3", 8_000), "longer than 5 seconds"
    yield "MP3 after ID3 that claims 256 MB", b"ID3\x04\0\0\x7f\x7f\x7f\x7f" + mp3
    yield "MP3 in a WAV", _as_wav(sound(tone(0.6), "MP3"))
    extended_format = struct.pack("<HHIIHHHHIH", 0xFFFE, 1, 44_100, 8_000, 1, 0, 22, 0, 4, 0x55) + bytes(14)
    yield "MP3 in an extensible WAV", _as_wav(mp3, extended_format)
    yield "two MP3s, joined", mp3 + sound(tone(0.6, hertz=600), "MP3")
    yield "MP3s of two rates, joined", mp3 + sound(tone(0.6, rate=22_050), "MP3", 22_050)
    yield "mono and stereo MP3s, joined", mp3 + sound(np.stack([tone(0.6), tone(0.6)], axis=1), "MP3")
    yield "ID3 without sound", b"ID3\x04\0\0\0\0\0\0" + bytes(99), "no sound in it"


def _sounds_from_ffmpeg() -> Iterator[Case]:
    for name, options, verdict in (
        ("AAC", "-c:a aac -f adts", "an AAC audio file"),
        ("Layer II", "-c:a mp2 -f mp2", r"an MPEG Layer II audio file \(MP2\)"),
        ("M4A", "-c:a aac -movflags frag_keyframe+empty_moov -f ipod", "an M4A audio file"),
        ("Opus", "-c:a libopus -f ogg", "an Ogg Opus audio file"),
        ("WMA", "-c:a wmav2 -f asf", "a WMA audio file"),
        ("WebM", "-c:a libopus -f webm", "a WebM or Matroska file"),
        ("DTS", "-c:a dca -strict -2 -f dts", "a DTS audio file"),
        ("AC-3", "-c:a ac3 -f ac3", "an AC-3 audio file"),
        ("WavPack", "-f wv", "a WavPack audio file"),
        ("WAV streamed", "-c:a pcm_s16le -f wav", ACCEPTED),
        ("MP3 of variable rate", "-c:a libmp3lame -q:a 4 -f mp3", ACCEPTED),
        ("MP3 of 320 kbit/s", "-c:a libmp3lame -b:a 320k -ar 48000 -f mp3", ACCEPTED),
    ):
        source = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=0.6:sample_rate=44100"]
        yield name, subprocess.run([*source, *options.split(), "-"], capture_output=True, check=True).stdout, verdict


def _other_sounds() -> Iterator[Case]:
    for kind, verdict in (("FLAC", "a FLAC audio file"), ("OGG", "an Ogg audio file"), ("AIFF", "an AIFF audio file"),
                          ("AU", "an AU audio file"), ("CAF", "a CAF audio file")):  # fmt: skip
        yield kind, _encode_tone(kind, None), verdict
    flac = _encode_tone("FLAC", None)
    yield "FLAC that claims an hour", flac[:22] + struct.pack(">I", 3600 * 44_100) + flac[26:], "a FLAC audio file"
    yield "MIDI", b"MThd\0\0\0\x06\0\0\0\1\0\x60MTrk\0\0\0\4\0\xff\x2f\0", "a MIDI file"
    yield "web page", b"<!doctype html><title>404</title>", "a web page"
    yield "playlist", b"#EXTM3U\n/etc/passwd\n", "not a WAV or MP3 file"
    yield "nothing", b"", "it is empty"
    yield "ffmpeg script", b"ffconcat version 1.0\nfile '/etc/passwd'\n", "not a WAV or MP3 file"
    yield "frame without sound", b"\xff\xfb\x90\x00" + bytes(9000), "no sound in it"
    yield "FLAC after ID3", b"ID3\x04\0\0\0\0\0\0" + _encode_tone("FLAC", None), "a FLAC audio file"
    yield "WAV without samples", sound(tone(1))[:48], "damaged|no sound in it"
    yield "random bytes", b"\0" + np.random.default_rng(1).bytes(2_000_000), "not a WAV or MP3 file"


def _encode_tone(kind: str, subtype: str | None, rate: int = 44_100, seconds: float = 0.5) -> bytes:
    return sound(tone(seconds, rate=rate), kind, rate, subtype)


_MP3_WAV_FORMAT = struct.pack("<HHIIHHHHIHHH", 0x55, 1, 44_100, 8_000, 1, 0, 12, 1, 2, 417, 1, 1393)


def _as_wav(mp3: bytes, wav_format: bytes = _MP3_WAV_FORMAT) -> bytes:
    chunks = b"WAVEfmt " + struct.pack("<I", len(wav_format)) + wav_format + b"data" + struct.pack("<I", len(mp3)) + mp3
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks
