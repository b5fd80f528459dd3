"""What counts as the same picture where two pages show the same moment."""

import io

import pytest
from PIL import Image, ImageDraw

from tests.overlay.support.compare_pictures import same_picture


def picture(x: float = 50, letter: str = "A", nail: int = 60, paper: int = 200) -> bytes:
    """A sheet of paper with a letter and a nail."""
    image = Image.new("RGB", (200, 100), (paper, paper, paper))
    draw = ImageDraw.Draw(image)
    draw.text((x, 40), letter, fill=(20, 20, 20))
    draw.ellipse((96, 4, 104, 12), fill=(nail, nail, nail))
    taken = io.BytesIO()
    image.save(taken, "PNG")
    return taken.getvalue()


def dotted(*dots: int) -> bytes:
    """The picture with some pixels lighter by these values."""
    image = Image.open(io.BytesIO(picture()))
    for at, lighter in enumerate(dots):
        image.putpixel((at, 90), (200 + lighter,) * 3)
    taken = io.BytesIO()
    image.save(taken, "PNG")
    return taken.getvalue()


@pytest.mark.parametrize("other", [picture(), picture(paper=190), dotted(48, 30, 24), dotted(*[48] * 8)])
def test_other_smoothing_is_the_same_picture(other: bytes) -> None:
    assert same_picture(picture(), other)


@pytest.mark.parametrize(
    "other",
    [picture(x=51), picture(letter="B"), picture(nail=90), picture(paper=183), dotted(49), dotted(*[17] * 9)],
    ids=["moved by a pixel", "another letter", "another nail", "another paper", "a bright dot", "nine dots"],
)
def test_anything_else_is_another_picture(other: bytes) -> None:
    assert not same_picture(picture(), other)
