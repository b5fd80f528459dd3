"""Makes strangers' pictures safe: checks the size before decoding, squares, writes anew without metadata.

The only module that decodes strangers' pictures. Runs in the child process `broadcast.media.worker`, never in a server.
"""

from io import BytesIO

from PIL import Image, ImageOps

from broadcast.media.findings import PictureFindings

FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
MOST_PIXELS = 16_000_000
AVATAR_PIXELS = 512
PARTICLE_PIXELS = 128
FINDINGS_PIXELS = 640


class BadPicture(ValueError):
    """A picture cannot be shown; the message says why, for its author: "it is damaged"."""


def avatar(content: bytes) -> bytes:
    """A WebP of 512 x 512: the middle square of the picture. Raises BadPicture."""
    side = (AVATAR_PIXELS, AVATAR_PIXELS)
    return _webp(ImageOps.fit(_first_frame(content), side, Image.Resampling.LANCZOS))


def particle(content: bytes) -> bytes:
    """A WebP of 128 x 128 that holds the whole picture, transparent around it. Raises BadPicture."""
    side = (PARTICLE_PIXELS, PARTICLE_PIXELS)
    return _webp(ImageOps.pad(_first_frame(content), side, Image.Resampling.LANCZOS, color=(0, 0, 0, 0)))


def picture_findings(content: bytes) -> PictureFindings:
    """What is found in a picture, before it is squared. Raises BadPicture."""
    whole = _first_frame(content)
    small = ImageOps.contain(whole, (FINDINGS_PIXELS, FINDINGS_PIXELS)) if max(whole.size) > FINDINGS_PIXELS else whole
    return PictureFindings(*whole.size, str(_open(content).format), _webp(small))


def _first_frame(content: bytes) -> Image.Image:
    """The first frame, upright, RGBA."""
    picture = _open(content)
    _refuse_giants(picture)
    _unpack(picture)
    _refuse_giants(picture)  # a frame may be larger than the header of its file said
    upright = _rgba(_upright(picture))
    if upright.getchannel("A").getextrema() == (0, 0):
        raise BadPicture("every pixel of it is transparent")
    return upright


def _open(content: bytes) -> Image.Image:
    try:
        return Image.open(BytesIO(content), formats=FORMATS)
    except Image.DecompressionBombError:
        raise BadPicture(f"it has far more than {MOST_PIXELS // 1_000_000} megapixels") from None
    except Exception:
        raise BadPicture("it is no PNG, JPEG, GIF or WebP picture") from None


def _refuse_giants(picture: Image.Image) -> None:
    if picture.width * picture.height > MOST_PIXELS:
        size = f"{picture.width} x {picture.height} pixels"
        raise BadPicture(f"it has {size}; at most {MOST_PIXELS // 1_000_000} megapixels are taken")


def _unpack(picture: Image.Image) -> None:
    try:
        picture.load()
    except MemoryError:
        raise
    except Exception:  # decoders raise nearly anything on damaged files
        raise BadPicture("it is damaged or cut off") from None


def _upright(picture: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:  # a mangled note about the camera is no reason to refuse the picture
        return picture


def _rgba(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith("I"):  # 16 bits of grey, which Pillow would cut off instead of scale
        picture = picture.convert("I").point(lambda grey: grey * (1 / 256)).convert("L")
    return picture.convert("RGBA")


def _webp(picture: Image.Image) -> bytes:
    """The picture as WebP from its pixels alone, without any metadata."""
    bare = Image.frombytes("RGBA", picture.size, picture.tobytes())
    file = BytesIO()
    bare.save(file, "WEBP", quality=85, method=4)
    return file.getvalue()
