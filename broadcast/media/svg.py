"""Draws an SVG from a stranger as pixels, so that its scripts never run. Runs in the process `broadcast.media.worker`.

A drawing might refer to files on this machine, and the library resvg would read them. So a drawing is refused if it
refers to anything outside itself.
"""

import re
from io import BytesIO
from xml.parsers import expat

import resvg_py
from PIL import Image

MAX_BYTES = 1_000_000
_INSIDE = re.compile(r"#|data:image/(?:png|jpeg|jpg|gif|webp)[;,]", re.IGNORECASE)
"""The beginning of an allowed reference, which points to another part of the drawing or contains a picture."""
_REFUSED_ELEMENTS = {
    "script": "it has a script",
    "foreignObject": "it has a part that is not SVG (foreignObject)",
    "text": "it has text, which looks different on every machine: convert it to paths",
}


class BadDrawing(ValueError):
    """A drawing cannot be shown. The message tells its author why, such as "it has a script"."""


def draw_svg(content: bytes, width: int, height: int) -> Image.Image:
    """Draws an SVG as large as possible within `width` x `height` pixels. Raises BadDrawing."""
    if len(content) > MAX_BYTES:
        raise BadDrawing(f"it is larger than {MAX_BYTES // 1_000_000} MB")
    text = _decode(content)
    _check(text)
    try:
        pixels = resvg_py.svg_to_bytes(svg_string=text, skip_system_fonts=True, width=width, height=height)
    except ValueError as error:
        raise BadDrawing(f"it cannot be drawn: {error}") from None
    return Image.open(BytesIO(pixels), formats=["PNG"]).convert("RGBA")


def _decode(content: bytes) -> str:
    """Decodes the drawing, and ignores the encoding that it declares, so that expat and resvg read the same text."""
    try:
        return content.decode("utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError:
        raise BadDrawing("it is not in UTF-8") from None


def _check(text: str) -> None:
    """Raises BadDrawing if the text is not XML, or refers to anything outside itself."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = _check_element
    parser.EntityDeclHandler = _refuse_entities
    parser.ProcessingInstructionHandler = _refuse_instructions
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise BadDrawing(f"it is not well-formed XML: {error}") from None


def _check_element(name: str, attributes: dict[str, str]) -> None:
    if why := _REFUSED_ELEMENTS.get(_local_name(name)):
        raise BadDrawing(why)
    for attribute, value in attributes.items():
        if _local_name(attribute) == "href" and not _INSIDE.match(value.strip()):
            raise BadDrawing(f"it refers to something outside itself: {value.strip()[:60]}")


def _refuse_entities(name: str, *_: object) -> None:
    raise BadDrawing(f"it declares an entity ({name[:30]}): save it as plain SVG")


def _refuse_instructions(target: str, _: str) -> None:
    raise BadDrawing(f"it has a processing instruction ({target[:30]}): save it as plain SVG")


def _local_name(name: str) -> str:
    return name.rpartition(" ")[2]
