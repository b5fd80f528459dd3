"""Chromium shows or plays all files that we accept, from cameras, programs and attackers. If we refuse a file that it
accepts, we say what kind of file it is.
"""

import base64
import re
import shutil
import struct
from collections.abc import Callable, Mapping
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser

from broadcast.media import images, sound_encoding
from broadcast.media.library import Prepared
from tests.media.picture_corpus import pictures
from tests.media.sound_corpus import sounds
from tests.media.stranger_files import picture, sound, tone

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


def verdicts(files: Mapping[str, tuple[bytes, str]], make: Callable[[bytes], bytes]) -> dict[str, str]:
    """Why `make` refuses each file; "" if it accepts it."""

    def verdict(content: bytes) -> str:
        try:
            return "" if make(content) else "nothing came out"
        except ValueError as refusal:
            return str(refusal)

    return {name: verdict(content) for name, (content, _) in files.items()}


def wrong_verdicts(files: Mapping[str, tuple[bytes, str]], said: Mapping[str, str]) -> list[tuple[str, str]]:
    """The files whose verdict in `said` differs from the verdict in the corpus."""
    return [(name, said[name]) for name, (_, meant) in files.items() if not re.search(meant or "^$", said[name])]


def disagreements(
    files: Mapping[str, tuple[bytes, str]], said: Mapping[str, str], browser: Browser, script: str
) -> list[str]:
    """The files that Chromium accepts and we refuse without naming their kind, and the files that only we accept."""
    page = browser.new_page()
    found = []
    for name, (content, _) in files.items():
        works = page.evaluate(script, base64.b64encode(content).decode())
        if (works and said[name] and not NAMED.search(said[name])) or not (works or said[name] or LENIENT.search(name)):
            found.append(f"{name}: {said[name]}")
    page.close()
    return found


def test_picture_that_chromium_shows_is_accepted_or_refused_by_its_true_kind(browser: Browser) -> None:
    files = pictures()
    said = verdicts(files, images.avatar)
    assert wrong_verdicts(files, said) == []
    assert disagreements(files, said, browser, SHOWN) == []


@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="FFmpeg is not installed: apt-get install ffmpeg")
def test_sound_that_chromium_plays_is_accepted_or_refused_by_its_true_kind(browser: Browser) -> None:
    files = sounds()
    said = verdicts(files, sound_encoding.win_sound)
    assert wrong_verdicts(files, said) == []
    assert disagreements(files, said, browser, PLAYED) == []


@pytest.mark.parametrize(
    "name", ["JPEG of 48 megapixels", "progressive JPEG of 24 megapixels", "PNG with a text that unpacks to 200 MB"]
)
def test_large_files_stay_within_the_decoders_limits(name: str, prepare: Callable[..., Prepared]) -> None:
    assert prepare(avatar=pictures()[name][0]).faults == ()


def test_truncated_picture_is_shown_with_a_remark() -> None:
    whole = picture(Image.effect_noise((200, 200), 90).convert("RGB"), "JPEG")
    assert images.picture_findings(whole).note == ""
    assert "cut off" in images.picture_findings(whole[:-64]).note


def test_findings_have_the_original_size_of_narrow_and_of_large_rotated_pictures() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    for size in ((1, 10_000), (10_000, 1)):
        found = images.picture_findings(picture(Image.new("RGB", size, (200, 9, 9))))
        assert (found.width, found.height) == size
    found = images.picture_findings(picture(Image.new("L", (6000, 4000), 99), "JPEG", exif=exif))
    assert (found.width, found.height) == (4000, 6000)


@pytest.mark.parametrize("primaries", [DISPLAY_P3, ADOBE_RGB], ids=["Display P3", "Adobe RGB"])
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_colours_are_the_same_as_in_chromium(browser: Browser, kind: str, primaries: tuple[float, ...]) -> None:
    content = picture(Image.new("RGB", (64, 64), (120, 180, 90)), kind, icc_profile=profile(primaries))
    page = browser.new_page()
    theirs = page.evaluate(COLOUR, base64.b64encode(content).decode())
    page.close()
    ours = Image.open(BytesIO(images.avatar(content))).convert("RGB").getpixel((256, 256))
    assert ours == pytest.approx(theirs[:3], abs=5)
    assert ours != pytest.approx((120, 180, 90), abs=5)


def profile(primaries: tuple[float, ...]) -> bytes:
    """An ICC profile (version 2) with a gamma of 2.2 and these primaries: XYZ of red, green and blue, for D50."""
    white = (0.9642, 1.0, 0.8249)
    points = {b"wtpt": white, b"rXYZ": primaries[:3], b"gXYZ": primaries[3:6], b"bXYZ": primaries[6:]}
    tags = {
        name: b"XYZ " + bytes(4) + struct.pack(">3i", *(round(each * 65536) for each in point))
        for name, point in points.items()
    }
    tags |= dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), b"curv" + bytes(4) + struct.pack(">IHxx", 1, round(2.2 * 256)))
    tags[b"desc"] = b"desc" + bytes(4) + struct.pack(">I", 2) + b"x\0" + bytes(79)
    tags[b"cprt"] = b"text" + bytes(4) + b"none"
    table, body, at = b"", b"", 128 + 4 + 12 * len(tags)
    for name, content in tags.items():
        table += name + struct.pack(">II", at + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    head = struct.pack(">I4xI4s4s4s12x4s28x3i", at + len(body), 0x02400000, b"mntr", b"RGB ", b"XYZ ", b"acsp",
                       *(round(each * 65536) for each in white))  # fmt: skip
    return head + bytes(128 - len(head)) + struct.pack(">I", len(tags)) + table + body


def test_findings_of_an_mp3_joined_from_two_kinds_say_how_much_is_played() -> None:
    joined = sound(tone(1.0), "MP3") + sound(tone(1.0, rate=22_050), "MP3", 22_050)
    found = sound_encoding.sound_findings(joined, sound_encoding.win_sound(joined))
    assert found.note == "it joins MP3s of two kinds; only 1.0 seconds are played"
    assert found.seconds == pytest.approx(1.0, abs=0.06)
