"""A contestant's picture is cropped, scaled and encoded, or refused for a reason."""

from io import BytesIO

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from broadcast.media import images
from tests.media.stranger_files import BLUE, GREEN, RED, empty_png, picture, striped


def opened(webp: bytes) -> Image.Image:
    image = Image.open(BytesIO(webp))
    assert image.format == "WEBP"
    return image.convert("RGBA")


def alike(image: Image.Image, at: tuple[int, int], colour: tuple[int, int, int]) -> bool:
    pixel = image.getpixel(at)
    assert isinstance(pixel, tuple)
    return all(abs(a - b) < 24 for a, b in zip(pixel, colour, strict=False))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
@pytest.mark.parametrize("size", [(900, 300), (300, 900)])
def test_avatar_that_is_not_square_is_cropped_to_its_centre(kind: str, size: tuple[int, int]) -> None:
    avatar = opened(images.avatar(picture(striped(*size), kind)))
    assert avatar.size == (512, 512)
    assert all(alike(avatar, at, GREEN) for at in ((12, 12), (500, 12), (12, 500), (500, 500)))


def test_particle_is_shown_whole_and_stays_transparent() -> None:
    leaf = Image.new("RGBA", (200, 100), (*GREEN, 255))
    leaf.paste((0, 0, 0, 0), (0, 0, 100, 100))
    particle = opened(images.particle(picture(leaf)))
    assert particle.size == (128, 128)
    assert particle.getchannel("A").getpixel((64, 10)) == 0, "above the picture"
    assert particle.getchannel("A").getpixel((20, 64)) == 0, "where the picture is transparent"
    assert alike(particle, (110, 64), GREEN)


def test_photograph_is_turned_upright_by_its_orientation_tag() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # on its right side
    turned = striped(90, 90).rotate(90, expand=True)
    avatar = opened(images.avatar(picture(turned, "JPEG", exif=exif)))
    assert alike(avatar, (20, 256), RED)
    assert alike(avatar, (490, 256), BLUE)


def test_animation_shows_its_first_frame() -> None:
    frames = [Image.new("RGB", (40, 40), colour) for colour in (RED, GREEN, BLUE)]
    for kind in ("GIF", "WEBP", "PNG"):
        avatar = opened(images.avatar(picture(frames[0], kind, save_all=True, append_images=frames[1:], duration=50)))
        assert alike(avatar, (256, 256), RED), kind


def test_only_pixels_survive_even_if_the_picture_is_also_a_script() -> None:
    exif, text = Image.Exif(), PngInfo()
    exif[0x010F] = "SECRET camera"
    text.add_text("Comment", "SECRET text")
    for content in (
        picture(striped(50, 50), "JPEG", exif=exif, comment=b"SECRET comment"),
        picture(striped(50, 50), "PNG", exif=exif, pnginfo=text, icc_profile=b"SECRET profile"),
        picture(striped(50, 50), "WEBP", exif=exif, xmp=b"SECRET place"),
        picture(striped(50, 50), "GIF") + b"<script>alert('SECRET')</script>",
    ):
        assert b"SECRET" in content
        for webp in (images.avatar(content), images.particle(content)):
            assert b"SECRET" not in webp
            assert not {b"EXIF", b"XMP ", b"ICCP"} & {webp[at : at + 4] for at in range(len(webp))}


def test_sixteen_megapixels_are_accepted_and_more_refused_before_decoding() -> None:
    assert images.particle(empty_png(4000, 4000))
    with pytest.raises(images.BadPicture, match="4001 x 4000 pixels; at most 16 megapixels"):
        images.avatar(empty_png(4001, 4000)[:200])
    with pytest.raises(images.BadPicture, match="16 megapixels"):
        images.avatar(empty_png(30000, 30000)[:200])
