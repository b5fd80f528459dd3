"""We accept a file that Chromium shows or plays, or say why not. Of a picture, we keep only pixels, turned upright."""

import base64
import re
import shutil
import struct
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Page

from broadcast.media import images, sound_encoding
from broadcast.media.library import Unusable, prepare_logo
from tests.media.stranger_files import BLUE, GREEN, RED, SRGB, Files, empty_png, picture, pictures, sounds, stripes
from tests.support.programs.reused_pages import ReusedPages

READ_BYTES = "const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));"
IS_PICTURE_SHOWN = f"""async (content) => {{
  {READ_BYTES}
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([bytes]));
  return await new Promise((done) => {{ image.onload = () => done(true); image.onerror = () => done(false); }});
}}"""
IS_SOUND_PLAYED = f"""async (content) => {{
  {READ_BYTES}
  const context = new OfflineAudioContext(2, 1, 44100);
  return await context.decodeAudioData(bytes.buffer).then(() => true, () => false);
}}"""
COLOUR_IN_THE_MIDDLE = f"""async (content) => {{
  {READ_BYTES}
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([bytes]));
  await image.decode();
  const canvas = new OffscreenCanvas(64, 64).getContext("2d");
  canvas.drawImage(image, 0, 0);
  return [...canvas.getImageData(32, 32, 1, 1).data];
}}"""
# The XYZ values of red, green and blue in two colour spaces, for the white point D50.
DISPLAY_P3 = (0.5151, 0.2412, -0.0011, 0.2920, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841)
ADOBE_RGB = (0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446)
# Matches reasons that name a file's kind or defect. For such a reason, we may refuse a file that Chromium accepts.
CLEAR_REASON = re.compile(
    r"it is (an?|MPEG) |megapixels|transparent|longer than|silent|too quiet|channels|samples a second|damaged|no sound"
)
LENIENT = re.compile(r"after|followed|DOUBLE|ADPCM|GSM|odd chunk|joined|in an extensible")
"""Matches names of files that other programs accept. We may accept such a file even if Chromium refuses it."""


def check_files(files: Files, convert: Callable[[bytes], bytes], page: Page, script: str) -> None:
    """Asserts that `convert` accepts or refuses each file as expected, and as Chromium does. `script` asks Chromium.

    CLEAR_REASON and LENIENT say when we may judge a file differently.
    """
    misjudged, disagreements = [], []
    for name, (content, expected) in files.items():
        try:
            reason = "" if convert(content) else "nothing came out"
        except ValueError as refusal:
            reason = str(refusal)
        if not re.search(expected or "^$", reason):
            misjudged.append((name, reason))
        works = page.evaluate(script, base64.b64encode(content).decode())
        if (works and reason and not CLEAR_REASON.search(reason)) or not (works or reason or LENIENT.search(name)):
            disagreements.append((name, reason))
    assert (misjudged, disagreements) == ([], [])


@pytest.fixture
def page(reused_pages: ReusedPages) -> Iterator[Page]:
    yield reused_pages.open({"width": 64, "height": 64})
    reused_pages.leave()


def test_picture_that_chromium_shows_is_accepted_or_refused_by_its_true_kind(page: Page) -> None:
    check_files(pictures(), images.make_avatar, page, IS_PICTURE_SHOWN)


@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="FFmpeg is not installed: apt-get install ffmpeg")
def test_sound_that_chromium_plays_is_accepted_or_refused_by_its_true_kind(page: Page) -> None:
    check_files(sounds(), sound_encoding.make_win_sound, page, IS_SOUND_PLAYED)


def test_findings_have_the_upright_size_and_say_if_the_file_is_cut_off() -> None:
    photograph = picture(Image.effect_noise((200, 200), 90).convert("RGB"), "JPEG")
    assert images.picture_findings(photograph).note == ""
    assert "cut off" in images.picture_findings(photograph[:-64]).note
    exif = Image.Exif()
    exif[0x0112] = 6
    large_picture = picture(Image.new("L", (6000, 4000), 99), "JPEG", exif=exif)
    narrow_pictures = [(picture(Image.new("RGB", size, (200, 9, 9))), size) for size in ((1, 10_000), (10_000, 1))]
    for content, size in (*narrow_pictures, (large_picture, (4000, 6000))):
        findings = images.picture_findings(content)
        assert (findings.width, findings.height) == size


@pytest.mark.parametrize("primaries", [DISPLAY_P3, ADOBE_RGB], ids=["Display P3", "Adobe RGB"])
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_colours_are_the_same_as_in_chromium(kind: str, primaries: tuple[float, ...], page: Page) -> None:
    content = picture(Image.new("RGB", (64, 64), (120, 180, 90)), kind, icc_profile=make_profile(primaries))
    in_chromium = page.evaluate(COLOUR_IN_THE_MIDDLE, base64.b64encode(content).decode())
    in_avatar = Image.open(BytesIO(images.make_avatar(content))).convert("RGB").getpixel((256, 256))
    assert in_avatar == pytest.approx(in_chromium[:3], abs=5)
    assert in_avatar != pytest.approx((120, 180, 90), abs=5)


def make_profile(primaries: tuple[float, ...]) -> bytes:
    """Returns the profile of sRGB with the primaries of another colour space."""
    profile = bytearray(SRGB)
    for number, name in enumerate((b"rXYZ", b"gXYZ", b"bXYZ")):
        tag, xyz = profile.index(name), primaries[3 * number : 3 * number + 3]
        start = int.from_bytes(profile[tag + 4 : tag + 8], "big") + 8
        profile[start : start + 12] = struct.pack(">3i", *(round(value * 65536) for value in xyz))
    return bytes(profile)


def open_webp(webp: bytes) -> Image.Image:
    image = Image.open(BytesIO(webp))
    assert image.format == "WEBP"
    return image.convert("RGBA")


def is_coloured(image: Image.Image, point: tuple[int, int], colour: tuple[int, int, int]) -> bool:
    pixel = image.getpixel(point)
    assert isinstance(pixel, tuple)
    return all(abs(value - expected) < 24 for value, expected in zip(pixel, colour, strict=False))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
@pytest.mark.parametrize("size", [(900, 300), (300, 900)])
def test_avatar_that_is_not_square_is_cropped_to_its_centre(kind: str, size: tuple[int, int]) -> None:
    avatar = open_webp(images.make_avatar(picture(stripes(*size), kind)))
    assert avatar.size == (512, 512)
    assert all(is_coloured(avatar, corner, GREEN) for corner in ((12, 12), (500, 12), (12, 500), (500, 500)))


def test_particle_is_shown_whole_and_stays_transparent() -> None:
    leaf = Image.new("RGBA", (200, 100), (*GREEN, 255))
    leaf.paste((0, 0, 0, 0), (0, 0, 100, 100))
    particle = open_webp(images.make_particle(picture(leaf)))  # A particle is a picture that flies when its bot wins.
    assert particle.size == (128, 128)
    assert particle.getchannel("A").getpixel((64, 10)) == 0, "the space above the picture must be transparent"
    assert particle.getchannel("A").getpixel((20, 64)) == 0, "transparent parts of the picture must stay transparent"
    assert is_coloured(particle, (110, 64), GREEN)


def test_photograph_is_turned_upright_by_its_orientation_tag() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # The picture's left edge is stored at the bottom.
    avatar = open_webp(images.make_avatar(picture(stripes(90, 90).rotate(90, expand=True), "JPEG", exif=exif)))
    assert is_coloured(avatar, (20, 256), RED)
    assert is_coloured(avatar, (490, 256), BLUE)


def test_animation_shows_its_first_frame() -> None:
    frames = [Image.new("RGB", (40, 40), colour) for colour in (RED, GREEN, BLUE)]
    for kind in ("GIF", "WEBP", "PNG"):
        animation = picture(frames[0], kind, save_all=True, append_images=frames[1:], duration=50)
        assert is_coloured(open_webp(images.make_avatar(animation)), (256, 256), RED), kind


def test_only_pixels_survive_even_if_the_picture_is_also_a_script() -> None:
    exif, text = Image.Exif(), PngInfo()
    exif[0x010F] = "SECRET camera"
    text.add_text("Comment", "SECRET text")
    for content in (
        picture(stripes(50, 50), "JPEG", exif=exif, comment=b"SECRET comment"),
        picture(stripes(50, 50), "PNG", exif=exif, pnginfo=text, icc_profile=b"SECRET profile"),
        picture(stripes(50, 50), "WEBP", exif=exif, xmp=b"SECRET place"),
        picture(stripes(50, 50), "GIF") + b"<script>alert('SECRET')</script>",
    ):
        assert b"SECRET" in content
        for webp in (images.make_avatar(content), images.make_particle(content)):
            assert b"SECRET" not in webp
            assert not {b"EXIF", b"XMP ", b"ICCP"} & {webp[at : at + 4] for at in range(len(webp))}


def test_picture_above_sixteen_megapixels_is_refused_undecoded() -> None:
    assert images.make_particle(empty_png(4000, 4000))
    with pytest.raises(images.BadPicture, match="4001 x 4000 pixels; at most 16 megapixels"):
        images.make_avatar(empty_png(4001, 4000)[:200])
    with pytest.raises(images.BadPicture, match="16 megapixels"):
        images.make_avatar(empty_png(30000, 30000)[:200])


SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="60" height="20">{}</svg>'
REFERS_OUTSIDE = "it refers to something outside itself: {}"
PLAIN_SVG = "save it as plain SVG"
REFUSED_DRAWINGS = {
    SVG.format("<script>alert(1)</script>"): "it has a script",
    SVG.format("<text>Saloon</text>"): "it has text, which looks different on every machine: convert it to paths",
    SVG.format("<foreignObject/>"): "it has a part that is not SVG (foreignObject)",
    SVG.format('<image x:href="/etc/hostname"/>'): REFERS_OUTSIDE.format("/etc/hostname"),
    SVG.format('<use href="http://evil.example/a.svg#b"/>'): REFERS_OUTSIDE.format("http://evil.example/a.svg#b"),
    SVG.format('<image href="data:image/svg+xml,x"/>'): REFERS_OUTSIDE.format("data:image/svg+xml,x"),
    '<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG.format('<image href="&a;"/>'): f"it declares an entity (a): {PLAIN_SVG}",
    '<?xml-stylesheet href=""?>' + SVG.format(""): f"it has a processing instruction (xml-stylesheet): {PLAIN_SVG}",
    # This first line claims that the file is in EBCDIC (cp037). A reader that trusts this line finds no script.
    '<?xml version="1.0" encoding="cp037"?>' + SVG.format("<script/>"): "it has a script",
    SVG.format("<g>"): "it is not well-formed XML: mismatched tag: line 1, column 107",
    SVG.format(""): "every pixel of it is transparent",
    SVG.format("<!--" + "x" * 1_000_000 + "-->"): "it is larger than 1 MB",
    "plain text": "it is not a PNG, JPEG, GIF or WebP picture",
}


def make_logo(tmp_path: Path, content: bytes) -> Image.Image:
    (tmp_path / "logo").write_bytes(content)
    return open_webp(prepare_logo(tmp_path / "logo"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_drawing_of_any_size_gets_the_pixels_of_a_large_screen(encoding: str, tmp_path: Path) -> None:
    rectangle = f'<rect width="9e6" height="9e6" fill="rgb{GREEN}"/>'
    huge_svg = SVG.replace('"60"', '"3000000"').replace('"20"', '"1000000"')
    for drawing in (SVG, huge_svg):
        image = make_logo(tmp_path, drawing.format(rectangle).encode(encoding))
        assert image.size == (720, 240)
        assert is_coloured(image, (360, 120), GREEN)


def test_empty_edges_of_a_picture_are_cut_off(tmp_path: Path) -> None:
    padded = Image.new("RGBA", (900, 900))
    padded.paste(stripes(300, 100), (100, 700))
    assert make_logo(tmp_path, picture(padded)).size == (300, 100)


@pytest.mark.parametrize("text", REFUSED_DRAWINGS, ids=[reason[:40] for reason in REFUSED_DRAWINGS.values()])
def test_drawing_with_scripts_text_or_links_is_refused_with_the_reason(text: str, tmp_path: Path) -> None:
    with pytest.raises(Unusable, match=f"^{re.escape(REFUSED_DRAWINGS[text])}$"):
        make_logo(tmp_path, text.encode())
