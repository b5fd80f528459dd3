"""Chromium shows or plays all files that we accept, from cameras, programs and attackers. If we refuse a file that it
accepts, we say what kind of file it is.
"""

import base64
import re
import shutil
import struct
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page

from broadcast.media import images, sound_encoding
from tests.media.corpora import SRGB, Files, pictures, sounds
from tests.media.stranger_files import picture
from tests.support.programs.reused_pages import ReusedPages

BYTES = "const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));"
# Whether Chromium shows a picture.
SHOWN = f"""async (content) => {{
  {BYTES}
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([bytes]));
  const over = new Promise((done) => {{ image.onload = () => done(true); image.onerror = () => done(false); }});
  return await over;
}}"""
# Whether Chromium plays a sound.
PLAYED = f"""async (content) => {{
  {BYTES}
  const context = new OfflineAudioContext(2, 1, 44100);
  return await context.decodeAudioData(bytes.buffer).then(() => true, () => false);
}}"""
# The colour in the middle of a picture.
COLOUR = f"""async (content) => {{
  {BYTES}
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([bytes]));
  await image.decode();
  const canvas = new OffscreenCanvas(64, 64).getContext("2d");
  canvas.drawImage(image, 0, 0);
  return [...canvas.getImageData(32, 32, 1, 1).data];
}}"""
# Primaries of colour spaces, as `profile` takes them.
DISPLAY_P3 = (0.5151, 0.2412, -0.0011, 0.2920, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841)
ADOBE_RGB = (0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446)
# Reasons that say what kind of file it is, or what is wrong with it.
NAMED = re.compile(
    r"it is (an?|MPEG) |megapixels|transparent|longer than|silent|too quiet|channels|samples a second|damaged|no sound"
)
LENIENT = re.compile(r"after|followed|DOUBLE|ADPCM|GSM|odd chunk|joined|in an extensible")
"""The names of files that Chromium refuses and other programs accept."""


def check(files: Files, make: Callable[[bytes], bytes], page: Page, script: str) -> None:
    """Asserts that `make` accepts each file, or refuses it for the reason in the corpus, as `script` does in Chromium.

    What Chromium accepts, we may refuse if we name its kind. What it refuses, we may accept if the file is `LENIENT`.
    """
    wrong, disagreements = [], []
    for name, (content, meant) in files.items():
        try:
            said = "" if make(content) else "nothing came out"
        except ValueError as refusal:
            said = str(refusal)
        if not re.search(meant or "^$", said):
            wrong.append((name, said))
        works = page.evaluate(script, base64.b64encode(content).decode())
        if (works and said and not NAMED.search(said)) or not (works or said or LENIENT.search(name)):
            disagreements.append((name, said))
    assert (wrong, disagreements) == ([], [])


@pytest.fixture
def page(reused_pages: ReusedPages) -> Iterator[Page]:
    yield reused_pages.open({"width": 64, "height": 64})
    reused_pages.leave()


def test_picture_that_chromium_shows_is_accepted_or_refused_by_its_true_kind(page: Page) -> None:
    check(pictures(), images.make_avatar, page, SHOWN)


@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="FFmpeg is not installed: apt-get install ffmpeg")
def test_sound_that_chromium_plays_is_accepted_or_refused_by_its_true_kind(page: Page) -> None:
    check(sounds(), sound_encoding.make_win_sound, page, PLAYED)


def test_findings_have_the_original_size_even_of_rotated_pictures_and_say_if_a_picture_is_cut_off() -> None:
    whole = picture(Image.effect_noise((200, 200), 90).convert("RGB"), "JPEG")
    assert images.picture_findings(whole).note == ""
    assert "cut off" in images.picture_findings(whole[:-64]).note
    exif = Image.Exif()
    exif[0x0112] = 6
    large = picture(Image.new("L", (6000, 4000), 99), "JPEG", exif=exif)
    narrow = [(picture(Image.new("RGB", size, (200, 9, 9))), size) for size in ((1, 10_000), (10_000, 1))]
    for content, size in (*narrow, (large, (4000, 6000))):
        found = images.picture_findings(content)
        assert (found.width, found.height) == size


@pytest.mark.parametrize("primaries", [DISPLAY_P3, ADOBE_RGB], ids=["Display P3", "Adobe RGB"])
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_colours_are_the_same_as_in_chromium(kind: str, primaries: tuple[float, ...], page: Page) -> None:
    content = picture(Image.new("RGB", (64, 64), (120, 180, 90)), kind, icc_profile=profile(primaries))
    theirs = page.evaluate(COLOUR, base64.b64encode(content).decode())
    ours = Image.open(BytesIO(images.make_avatar(content))).convert("RGB").getpixel((256, 256))
    assert ours == pytest.approx(theirs[:3], abs=5)
    assert ours != pytest.approx((120, 180, 90), abs=5)


def profile(primaries: tuple[float, ...]) -> bytes:
    """The profile of sRGB with other primaries: XYZ of red, green and blue, for D50."""
    made = bytearray(SRGB)
    for name, at in ((b"rXYZ", 0), (b"gXYZ", 3), (b"bXYZ", 6)):
        tag = made.index(name)
        start = int.from_bytes(made[tag + 4 : tag + 8], "big") + 8
        made[start : start + 12] = struct.pack(">3i", *(round(each * 65536) for each in primaries[at : at + 3]))
    return bytes(made)
