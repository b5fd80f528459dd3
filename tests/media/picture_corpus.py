"""Pictures as cameras, programs and attackers make them, each with its verdict: FINE, or why it is refused."""

import gzip
import struct
import zlib
from collections.abc import Iterator
from functools import cache

from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from tests.media.stranger_files import chunk, empty_png, picture, striped

FINE = ""
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
CLEAR = Image.new("RGBA", (40, 40))
SOLID = Image.new("RGBA", (40, 40), (220, 30, 30, 255))


@cache
def pictures() -> dict[str, tuple[bytes, str]]:
    """Each file by name, with its verdict."""
    return dict((*_kinds(), *_animations(), *_png_chunks(), *_damaged(), *_photographs(), *_others(), *_bombs()))


def _kinds() -> Iterator[tuple[str, tuple[bytes, str]]]:
    image = striped(60, 40)
    for kind in ("PNG", "JPEG", "GIF", "WEBP"):
        yield f"plain {kind}", (picture(image, kind), FINE)
    for mode in ("1", "L", "LA", "P", "RGBA"):
        yield f"PNG of {mode}", (picture(image.convert(mode)), FINE)
    yield "PNG of 16 bits of grey", (picture(Image.new("I;16", (30, 30), 128 * 256)), FINE)
    yield "interlaced-looking PNG of one pixel", (picture(Image.new("RGB", (1, 1), (9, 9, 9))), FINE)
    palette = image.convert("P")
    yield "PNG with a transparent colour", (picture(palette, transparency=0), FINE)
    for mode in ("L", "CMYK"):
        yield f"JPEG of {mode}", (picture(image.convert(mode), "JPEG"), FINE)
    yield "progressive JPEG", (picture(image, "JPEG", progressive=True), FINE)
    yield "JPEG of 4:4:4", (picture(image, "JPEG", subsampling=0), FINE)
    yield "JPEG with restarts", (picture(image, "JPEG", restart_marker_blocks=1), FINE)
    yield "lossless WebP", (picture(image, "WEBP", lossless=True), FINE)
    yield "WebP with alpha", (picture(SOLID, "WEBP"), FINE)
    for turn in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = turn
        yield f"JPEG turned {turn}", (picture(image, "JPEG", exif=exif), FINE)
    for kind in ("PNG", "JPEG", "WEBP"):
        yield f"{kind} with a profile", (picture(image, kind, icc_profile=SRGB), FINE)
        yield f"{kind} with a mangled profile", (picture(image, kind, icc_profile=b"no profile" * 20), FINE)
    yield "profile of grey in colours", (picture(image, "JPEG", icc_profile=SRGB[:16] + b"GRAY" + SRGB[20:]), FINE)


def _animations() -> Iterator[tuple[str, tuple[bytes, str]]]:
    for kind in ("GIF", "WEBP", "PNG"):
        for name, frames in (
            ("", [SOLID, CLEAR]),
            (" that begins empty", [CLEAR, SOLID]),
            (" of nothing", [CLEAR] * 2),
        ):
            different = [frame.copy() for frame in frames]
            different[-1].putpixel((0, 0), (1, 2, 3, 0 if name == " of nothing" else 255))
            how = {"disposal": 2} if kind != "WEBP" else {}
            made = picture(different[0], kind, save_all=True, append_images=different[1:], duration=50, **how)
            yield f"animated {kind}{name}", (made, "transparent" if name == " of nothing" else FINE)
    still = picture(CLEAR, save_all=True, append_images=[SOLID, SOLID.rotate(90)], default_image=True)
    yield "animated PNG after an empty picture", (still, FINE)


def _png_chunks() -> Iterator[tuple[str, tuple[bytes, str]]]:
    whole = picture(striped(60, 40))
    text, packed = PngInfo(), zlib.compress(b"x" * (3 << 20))
    text.add_text("Comment", "x" * (2 << 20))
    yield "PNG with 2 MB of text", (picture(striped(60, 40), pnginfo=text), FINE)
    for name, head in ((b"zTXt", b"a\0\0"), (b"iTXt", b"a\0\1\0\0\0"), (b"iCCP", b"a\0\0")):
        yield f"PNG with a large {name.decode()}", (_with(whole, chunk(name, head + packed)), FINE)
        yield f"PNG with a mangled {name.decode()}", (_with(whole, chunk(name, head + b"no zlib")), FINE)
        wrong = chunk(name, head + zlib.compress(b"x"))[:-4] + b"sum!"
        yield f"PNG with a wrong sum of {name.decode()}", (_with(whole, wrong), FINE)
    for name, content in (
        (b"gAMA", struct.pack(">I", 45455)), (b"sRGB", b"\0"), (b"pHYs", bytes(9)), (b"tIME", bytes(7)),
        (b"bKGD", bytes(6)), (b"eXIf", b"II*\0no exif"), (b"prVT", b"private"),
    ):  # fmt: skip
        yield f"PNG with {name.decode()}", (_with(whole, chunk(name, content)), FINE)
    yield "PNG with more after its end", (whole + b"more", FINE)
    yield "PNG without its end", (whole[:-12], FINE)


def _damaged() -> Iterator[tuple[str, tuple[bytes, str]]]:
    for kind in ("PNG", "JPEG", "GIF"):
        noisy = Image.effect_noise((200, 200), 90).convert("RGB")
        whole = picture(noisy, kind)
        yield f"{kind} without its last two bytes", (whole[:-2], FINE)
        yield f"half a {kind}", (whole[: len(whole) // 2], FINE)
        yield f"the first 12 bytes of a {kind}", (whole[:12], "damaged")
        yield f"{kind} after some bytes", (b"\r\n" + whole, FINE)
    for name, how in (("WebP", {}), ("lossless WebP", {"lossless": True})):
        webp = picture(noisy, "WEBP", **how)
        yield f"{name} without its last two bytes", (webp[:-2], FINE)
        yield f"half a {name}", (webp[: len(webp) // 2], FINE)
        yield f"{name} whose header claims more", (webp[:4] + struct.pack("<I", len(webp)) + webp[8:], FINE)
    yield "the first 12 bytes of a WebP", (webp[:12], "damaged")
    yield "WebP that claims 4 GB", (webp[:4] + b"\xfe\xff\xff\xff" + webp[8:], "damaged")
    whole = picture(striped(60, 40))
    at = whole.index(b"IDAT") - 4
    size = int.from_bytes(whole[at : at + 4], "big")
    yield "PNG with a wrong sum of its pixels", (whole[: at + 8 + size] + b"sum!" + whole[at + 12 + size :], FINE)
    yield "PNG with a wrong sum of its header", (whole[:29] + b"sum!" + whole[33:], "damaged from the start")


def _photographs() -> Iterator[tuple[str, tuple[bytes, str]]]:
    for megapixels, size in ((24, (6000, 4000)), (48, (8000, 6000))):
        yield f"JPEG of {megapixels} megapixels", (picture(Image.new("L", size, 128), "JPEG"), FINE)
    yield "progressive JPEG of 24 megapixels", (
        picture(Image.new("L", (6000, 4000), 128), "JPEG", progressive=True), FINE,
    )  # fmt: skip


def _others() -> Iterator[tuple[str, tuple[bytes, str]]]:
    image = striped(60, 40)
    for kind, name in (("BMP", "a BMP picture"), ("TIFF", "a TIFF picture"), ("ICO", "an ICO icon"),
                       ("AVIF", "an AVIF picture"), ("JPEG2000", "a JPEG 2000 picture"), ("TGA", "a TGA picture"),
                       ("EPS", "a PostScript")):  # fmt: skip
        yield kind, (picture(image, kind), name)
    yield "SVG", (SVG, "an SVG drawing")
    yield "SVG after a prologue", (b'<?xml version="1.0"?>\n<!-- drawn -->\n' + SVG, "an SVG drawing")
    yield "HEIC", (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(99), "a HEIC picture")
    yield "AVIF by its second brand", (b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf" + bytes(99), "an AVIF picture")
    yield "SVG in UTF-16", (SVG.decode().encode("utf-16"), "an SVG drawing")
    yield "cursor", (b"\0\0\2\0" + picture(image, "ICO")[4:], "an ICO icon")
    yield "BMP with a number", ((bmp := picture(image, "BMP"))[:6] + b"abcd" + bmp[10:], "a BMP picture")
    yield "page that was saved", (b"<!-- saved from url --><html></html>", "a web page")
    yield "Git LFS pointer", (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\n", "git lfs pull")
    yield "packed PNG", (gzip.compress(picture(image)), "a compressed file")
    yield "JPEG XL", (b"\xff\x0a" + bytes(99), "a JPEG XL picture")
    yield "PDF", (b"%PDF-1.7\n", "a PDF document")
    yield "Photoshop", (b"8BPS\0\1" + bytes(99), "a Photoshop picture")
    yield "web page", (b"<!DOCTYPE html><html></html>", "a web page")
    yield "MP4", (b"\0\0\0\x18ftypisom" + bytes(99), "an MP4 or QuickTime file")
    yield "nothing", (b"", "it is empty, not a PNG")
    yield "words", (b"a picture of me", "not a PNG, JPEG, GIF or WebP picture")
    yield "transparent PNG", (picture(CLEAR), "every pixel of it is transparent")


def _bombs() -> Iterator[tuple[str, tuple[bytes, str]]]:
    yield "PNG of 80 megapixels", (empty_png(20_000, 4_000), "at most 16 megapixels")
    yield (
        "PNG of 900 megapixels",
        (empty_png(30_000, 100)[:16] + struct.pack(">II", 30_000, 30_000), "megapixels|damaged"),
    )
    giant = bytearray(picture(striped(60, 40), "JPEG"))
    at = giant.index(b"\xff\xc0") + 5
    giant[at : at + 4] = struct.pack(">HH", 60_000, 2_500)
    yield "JPEG that claims 150 megapixels", (bytes(giant), "far more than 16 megapixels")
    giant[at : at + 4] = struct.pack(">HH", 65_000, 65_000)
    yield "JPEG that claims 4225 megapixels", (bytes(giant), "megapixels")
    gif = bytearray(picture(striped(60, 40), "GIF"))
    gif[6:10] = struct.pack("<HH", 65_000, 65_000)
    yield "GIF that claims 4225 megapixels", (bytes(gif), "megapixels")
    bomb = chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(200 << 20), 9))
    yield "PNG with a profile that unpacks to 200 MB", (_with(picture(striped(60, 40)), bomb), FINE)
    bomb = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(200 << 20), 9))
    yield "PNG with a text that unpacks to 200 MB", (_with(picture(striped(60, 40)), bomb), FINE)


def _with(png: bytes, more: bytes) -> bytes:
    """The PNG with one more chunk after its header."""
    return png[:33] + more + png[33:]
