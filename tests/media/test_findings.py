"""What a report learns of a stranger's picture and sound, in the intake's own process."""

from collections.abc import Callable
from pathlib import Path

import pytest

from broadcast.media.library import Gallery, Unusable
from tests.media.theirs import empty_png, picture, sound, striped, tone

Kept = Callable[[bytes], Path]


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    def written(content: bytes) -> Path:
        (tmp_path / "theirs").write_bytes(content)
        return tmp_path / "theirs"

    return written


@pytest.mark.parametrize(("kind", "options"), [("PNG", {}), ("JPEG", {}), ("WEBP", {}), ("GIF", {})])
def test_a_portrait_tells_size_and_format_and_holds_the_whole_picture(
    gallery: Gallery, kept: Kept, kind: str, options: dict[str, object]
) -> None:
    portrait = gallery.portrait(kept(picture(striped(1200, 300), kind, **options)))
    assert (portrait.width, portrait.height, portrait.format) == (1200, 300, kind)
    assert portrait.picture[:4] == b"RIFF"
    assert portrait.picture[8:12] == b"WEBP"
    assert len(portrait.picture) < 50_000


def test_a_portrait_is_told_as_it_stands_upright(gallery: Gallery, kept: Kept) -> None:
    image = striped(1200, 300)
    image.getexif()[0x0112] = 6
    portrait = gallery.portrait(kept(picture(image, "JPEG", exif=image.getexif())))
    assert (portrait.width, portrait.height) == (300, 1200)


def test_a_hearing_tells_loudness_before_and_after(gallery: Gallery, kept: Kept) -> None:
    hearing = gallery.hearing(kept(sound(tone(2.0, 0.01))))
    assert (hearing.format, hearing.rate, hearing.channels) == ("WAV", 44_100, 1)
    assert hearing.seconds == pytest.approx(2.0)
    assert hearing.came_lufs < -35
    assert hearing.played_lufs == pytest.approx(-16, abs=0.7)
    assert hearing.came_peak_db == pytest.approx(-40, abs=0.2)
    assert hearing.played_peak_db <= -1.5
    assert len(hearing.wave) == 160
    assert set(hearing.wave) == {1}


def test_a_hearing_of_the_shortest_sound_has_a_wave(gallery: Gallery, kept: Kept) -> None:
    hearing = gallery.hearing(kept(sound(tone(0.02, 0.5), "MP3")))
    assert hearing.format == "MP3"
    assert hearing.wave


def test_what_can_not_be_shown_has_neither(gallery: Gallery, kept: Kept) -> None:
    with pytest.raises(Unusable, match="at most 16 megapixels"):
        gallery.portrait(kept(empty_png(20_000, 4_000)))
    with pytest.raises(Unusable, match="longer than 5 seconds"):
        gallery.hearing(kept(sound(tone(6))))
    with pytest.raises(Unusable, match="silent"):
        gallery.hearing(kept(sound(tone(1, 0.0))))
