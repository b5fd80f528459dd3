"""Makes strangers' pictures safe: limits their size, scales them, and drops metadata. Only `worker` imports this
module.
"""

import warnings
from collections.abc import Iterator
from io import BytesIO

from msgspec import Struct
from PIL import Image, ImageCms, ImageFile, ImageOps, UnidentifiedImageError

from broadcast.media.file_kinds import PictureFindings, true_kind
from broadcast.media.svg import BadDrawing, draw_svg

FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")
MAX_BYTES_BEFORE = 4096
"""At most this many bytes before a picture are skipped. Careless programs put other data before a picture."""
MAX_PIXELS = 16_000_000
MAX_JPEG_PIXELS = 110_000_000
"""JPEGs have a higher limit than other pictures, because JPEGs are decoded at a reduced size. So a phone's photograph
needs no more memory than other pictures.
"""
Image.MAX_IMAGE_PIXELS = MAX_JPEG_PIXELS
MAX_FRAME_PIXELS = 8 * MAX_PIXELS
"""The search for the first visible frame of an animation ends after this many pixels, counted over all searched frames.
"""
MAX_WEBP_BYTES = 10_000_000
MAX_PROFILE_BYTES = 4_000_000
AVATAR_PIXELS = 512
PARTICLE_PIXELS = 128
FINDINGS_PIXELS = 640
LOGO_PIXELS = (960, 240)
"""The maximum width and height of a logo in pixels. On air, a logo has a sixth of this height."""


class BadPicture(ValueError):
    """A picture cannot be shown. The message tells its author why, such as "it is damaged"."""


class _Picture(Struct, frozen=True):
    """The first visible frame of a picture: upright, RGBA in sRGB. `format` and `size` (the width and height of the
    upright picture) are those of the file as it was sent.

    `note` says which part of the file was left out.
    """

    image: Image.Image
    size: tuple[int, int]
    format: str
    note: str = ""


def make_avatar(content: bytes) -> bytes:
    """Returns the central square of a picture, as a WebP of 512 x 512. Raises BadPicture."""
    side = (AVATAR_PIXELS, AVATAR_PIXELS)
    return _encode_webp(ImageOps.fit(_read(content).image, side, Image.Resampling.LANCZOS))


def make_particle(content: bytes) -> bytes:
    """Returns a picture that flies when a bot wins: all of it, padded with transparency, as a WebP of 128 x 128. Raises
    BadPicture.
    """
    side = (PARTICLE_PIXELS, PARTICLE_PIXELS)
    return _encode_webp(ImageOps.pad(_read(content).image, side, Image.Resampling.LANCZOS, color=(0, 0, 0, 0)))


def make_logo(content: bytes) -> bytes:
    """Returns a whole picture or SVG without its transparent edges, as a WebP of at most 960 x 240. Raises
    BadPicture.
    """
    if true_kind(content) == "an SVG drawing":
        try:
            image = draw_svg(content, *LOGO_PIXELS)
        except BadDrawing as error:
            raise BadPicture(str(error)) from None
    else:
        image = _read(content).image
    if not (box := image.getchannel("A").getbbox()):
        raise BadPicture("every pixel of it is transparent")
    image = image.crop(box)
    image.thumbnail(LOGO_PIXELS, Image.Resampling.LANCZOS)
    return _encode_webp(image)


def picture_findings(content: bytes) -> PictureFindings:
    """Returns the findings about a picture as it was sent. Raises BadPicture."""
    picture = _read(content)
    picture.image.thumbnail((FINDINGS_PIXELS, FINDINGS_PIXELS))
    return PictureFindings(*picture.size, picture.format, _encode_webp(picture.image), picture.note)


def _read(content: bytes) -> _Picture:
    """Returns the picture, or the part of the picture that can be read. Raises BadPicture."""
    if not true_kind(content):  # unknown data before the picture, or no picture at all
        starts = (content.find(begin, 0, MAX_BYTES_BEFORE) for begin in SIGNATURES)
        content = content[min((offset for offset in starts if offset >= 0), default=0) :]
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        return _decode(content)
    except MemoryError:
        raise
    except Exception:  # decoders may raise anything on damaged files
        ImageFile.LOAD_TRUNCATED_IMAGES = True
    try:
        # The WebP decoder refuses a file that is shorter than its header says.
        size = 8 + int.from_bytes(content[4:8], "little") if content.startswith(b"RIFF") else 0
        filled = content.ljust(min(size, MAX_WEBP_BYTES), b"\0")
        return _decode(filled, "part of it is cut off, damaged or too large, and was left out")
    except (BadPicture, MemoryError):
        raise
    except Exception:
        raise BadPicture("it is damaged or cut off") from None


def _decode(content: bytes, note: str = "") -> _Picture:
    picture = _open(content)
    size, limit = picture.size, MAX_JPEG_PIXELS if picture.format == "JPEG" else MAX_PIXELS
    _check_size(picture, limit)
    picture.draft(picture.mode, (2 * AVATAR_PIXELS, 2 * AVATAR_PIXELS))
    for frame in _frames(picture):
        upright = _make_upright(_to_rgba(frame), picture)
        if upright.getchannel("A").getextrema() != (0, 0):
            is_rotated = (upright.width > upright.height) != (frame.width > frame.height)
            return _Picture(upright, size[::-1] if is_rotated else size, str(picture.format), note)
    raise BadPicture("every pixel of it is transparent")


def _open(content: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            return Image.open(BytesIO(content), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise BadPicture(f"it has far more than {MAX_PIXELS // 1_000_000} megapixels") from None
    except UnidentifiedImageError:
        kind = true_kind(content)
        if kind.endswith(("a PNG picture", "a JPEG picture", "a GIF picture", "a WebP picture")):
            raise BadPicture(f"it is {kind}, but damaged from the start") from None
        is_not = f"it is {kind}, not" if kind else "it is not"
        raise BadPicture(f"{is_not} a PNG, JPEG, GIF or WebP picture") from None


def _frames(picture: Image.Image) -> Iterator[Image.Image]:
    """Yields the frames of the picture or animation, up to `MAX_FRAME_PIXELS`."""
    pixels, frame_index = 0, int(bool(picture.info.get("default_image")))
    while pixels <= MAX_FRAME_PIXELS:
        try:
            picture.seek(frame_index)
        except EOFError:
            return
        picture.load()
        _check_size(picture, MAX_PIXELS)  # a frame may be larger than the file's header says
        yield picture
        pixels, frame_index = pixels + picture.width * picture.height, frame_index + 1


def _check_size(picture: Image.Image, limit: int) -> None:
    if picture.width * picture.height > limit:
        size = f"{picture.width} x {picture.height} pixels"
        raise BadPicture(f"it has {size}; at most {limit // 1_000_000} megapixels are accepted")


def _make_upright(image: Image.Image, picture: Image.Image) -> Image.Image:
    try:
        image.info["exif"] = picture.info.get("exif", b"")
        image.getexif()[0x0112] = picture.getexif().get(0x0112, 1)
        return ImageOps.exif_transpose(image)
    except Exception:  # a picture with damaged camera data is not refused
        return image


def _to_rgba(picture: Image.Image) -> Image.Image:
    """Returns the pixels in sRGB with transparency. Ignores an unsuitable colour profile."""
    if picture.mode.startswith("I"):  # 16-bit grey, which Pillow would clip instead of scaling
        picture = picture.convert("I").point(lambda grey: grey * (1 / 256)).convert("L")
    profile = picture.info.get("icc_profile", b"")
    rgba = picture.convert("RGBA")
    if not profile or len(profile) > MAX_PROFILE_BYTES:
        return rgba
    colours = picture if picture.mode in ("L", "CMYK") else rgba.convert("L" if picture.mode == "LA" else "RGB")
    try:
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        converted = ImageCms.profileToProfile(colours, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return rgba
    if converted is None:
        return rgba
    converted.putalpha(rgba.getchannel("A"))
    return converted


def _encode_webp(picture: Image.Image) -> bytes:
    """Encodes only the pixels as WebP, without metadata."""
    bare = Image.frombytes("RGBA", picture.size, picture.tobytes())
    file = BytesIO()
    bare.save(file, "WEBP", quality=85, method=4)
    return file.getvalue()
