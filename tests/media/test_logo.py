"""The organiser's logo is drawn to pixels; a drawing that leads out of itself is refused with the reason."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from broadcast.media.library import Unusable, prepared_logo
from tests.media.stranger_files import GREEN, picture, striped

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="60" height="20">{}</svg>'
GREEN_BOX = f'<rect width="60" height="20" fill="rgb{GREEN}"/>'
OUTSIDE = "it refers to something outside itself: {}"
REFUSED = {
    SVG.format("<script>alert(1)</script>"): "it has a script",
    SVG.format("<g><text>Saloon</text></g>"): "it has text, which looks different on every machine: convert it to "
    "paths",
    SVG.format("<foreignObject/>"): "it has a part that is not SVG (foreignObject)",
    SVG.format('<image x:href="/etc/hostname"/>'): OUTSIDE.format("/etc/hostname"),
    SVG.format('<use href="http://evil.example/a.svg#b"/>'): OUTSIDE.format("http://evil.example/a.svg#b"),
    SVG.format('<image href="data:image/svg+xml,x"/>'): OUTSIDE.format("data:image/svg+xml,x"),
    '<!DOCTYPE svg [<!ENTITY a "/etc/hostname">]>' + SVG.format('<image href="&a;"/>'): "it declares an entity (a): "
    "save it as plain SVG",
    '<?xml-stylesheet href="http://evil.example"?>' + SVG.format(""): "it has a processing instruction "
    "(xml-stylesheet): save it as plain SVG",
    SVG.format("<g>"): "it is not well-formed XML: mismatched tag: line 1, column 107",
    SVG.format(""): "every pixel of it is transparent",
    SVG.format("<!--" + "x" * 1_000_000 + "-->"): "it is larger than 1 MB",
    "plain text": "it is not a PNG, JPEG, GIF or WebP picture",
}


def logo(tmp_path: Path, content: bytes) -> Image.Image:
    (tmp_path / "logo").write_bytes(content)
    webp = Image.open(BytesIO(prepared_logo(tmp_path / "logo")))
    assert webp.format == "WEBP"
    return webp.convert("RGBA")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_drawing_becomes_as_many_pixels_as_a_large_screen_needs(encoding: str, tmp_path: Path) -> None:
    image = logo(tmp_path, SVG.format(GREEN_BOX).encode(encoding))
    assert image.size == (720, 240)
    assert image.getpixel((360, 120))[:3] == pytest.approx(GREEN, abs=8)  # type: ignore[index]


def test_huge_drawing_takes_no_more_memory_than_a_small_one(tmp_path: Path) -> None:
    huge = SVG.replace('"60"', '"3000000"').replace('"20"', '"1000000"').format('<rect width="9e6" height="9e6"/>')
    assert logo(tmp_path, huge.encode()).size == (720, 240)


def test_empty_edges_of_a_picture_are_cut_off(tmp_path: Path) -> None:
    padded = Image.new("RGBA", (900, 900))
    padded.paste(striped(300, 100), (100, 700))
    assert logo(tmp_path, picture(padded)).size == (300, 100)


@pytest.mark.parametrize("text", REFUSED, ids=[why[:40] for why in REFUSED.values()])
def test_drawing_that_is_more_than_a_drawing_is_refused_with_the_reason(text: str, tmp_path: Path) -> None:
    with pytest.raises(Unusable) as refused:
        logo(tmp_path, text.encode())
    assert str(refused.value) == REFUSED[text]


def test_encoding_that_a_drawing_only_claims_hides_nothing(tmp_path: Path) -> None:
    """In the code page of the first line, another reader would see letters in place of this script."""
    claimed = '<?xml version="1.0" encoding="cp037"?>' + SVG.format("<script/>")
    with pytest.raises(Unusable, match="it has a script"):
        logo(tmp_path, claimed.encode())
