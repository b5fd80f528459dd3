"""Pictures and sounds like those of contestants, made with Pillow, NumPy and libsndfile."""

import struct
import zlib
from io import BytesIO

import numpy as np
import soundfile
from numpy.typing import NDArray
from PIL import Image

Wave = NDArray[np.float64]

RED, GREEN, BLUE = (220, 30, 30), (30, 180, 30), (30, 30, 220)


def picture(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def striped(width: int, height: int) -> Image.Image:
    """An image with a red, a green and a blue third along its longer side."""
    image = Image.new("RGB", (width, height), GREEN)
    third = max(width, height) // 3
    side = (third, height) if width >= height else (width, third)
    image.paste(RED, (0, 0, *side))
    image.paste(BLUE, (width - side[0], height - side[1], width, height))
    return image


def empty_png(width: int, height: int) -> bytes:
    """A small PNG that unpacks to `width` x `height` black pixels, made without unpacking it."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    row = b"\0" * (1 + (width + 7) // 8)
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    chunks = ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, content) for name, content in chunks)


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def tone(seconds: float, level: float = 0.3, hertz: float = 440, rate: int = 44_100) -> Wave:
    return level * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)


def sound(samples: Wave, kind: str = "WAV", rate: int = 44_100) -> bytes:
    """Samples as a file: WAV (32-bit float, so that it may clip) or MP3."""
    file = BytesIO()
    soundfile.write(file, samples, rate, format=kind, subtype="FLOAT" if kind == "WAV" else None)
    return file.getvalue()
