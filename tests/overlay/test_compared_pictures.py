"""What counts as the same picture where two pages show the same moment."""

import io
from collections.abc import Sequence

import pytest
from PIL import Image, ImageDraw

from tests.overlay.support.compare_pictures import same_picture


def picture(x: float = 50, letter: str = "A", nail: int = 60, paper: int = 200, dots: Sequence[int] = ()) -> bytes:
    """A sheet of paper with a letter and a nail; `dots` are pixels that are lighter by these values."""
    image = Image.new("RGB", (200, 100), (paper, paper, paper))
    draw = ImageDraw.Draw(image)
    draw.text((x, 40), letter, fill=(20, 20, 20))
    draw.ellipse((96, 4, 104, 12), fill=(nail, nail, nail))
    for at, lighter in enumerate(dots):
        image.putpixel((at, 90), (paper + lighter,) * 3)
    png = io.BytesIO()
    image.save(png, "PNG")
    return png.getvalue()


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (picture(), True), (picture(paper=190), True), (picture(dots=(48, 30, 24)), True),
        (picture(dots=(48,) * 8), True), (picture(x=51), False), (picture(letter="B"), False),
        (picture(nail=90), False), (picture(paper=183), False), (picture(dots=(49,)), False),
        (picture(dots=(17,) * 9), False),
    ],
    ids=["itself", "slightly other paper", "three smoothed dots", "eight smoothed dots", "moved by a pixel",
         "another letter", "another nail", "another paper", "a bright dot", "nine dots"],
)  # fmt: skip
def test_only_other_smoothing_is_the_same_picture(other: bytes, same: bool) -> None:
    assert same_picture(picture(), other) == same
