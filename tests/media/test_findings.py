"""What a report says about a contestant's picture and sound, computed in the media worker's process."""

from collections.abc import Callable
from pathlib import Path

import pytest

from broadcast.media.findings import PictureFindings, SoundFindings
from broadcast.media.library import MediaLibrary
from tests.media.stranger_files import empty_png, picture, sound, striped, tone

Kept = Callable[[bytes], Path]


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    def written(content: bytes) -> Path:
        (tmp_path / "theirs").write_bytes(content)
        return tmp_path / "theirs"

    return written


def of_picture(library: MediaLibrary, path: Path) -> PictureFindings:
    _, found, _ = library.examine(avatar=path)
    assert found is not None
    return found


def of_sound(library: MediaLibrary, path: Path) -> SoundFindings:
    _, _, found = library.examine(sound=path)
    assert found is not None
    return found


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_findings_of_a_picture_have_its_size_format_and_the_whole_picture(
    library: MediaLibrary, kept: Kept, kind: str
) -> None:
    picture_findings = of_picture(library, kept(picture(striped(1200, 300), kind)))
    assert (picture_findings.width, picture_findings.height, picture_findings.format) == (1200, 300, kind)
    assert picture_findings.picture[:4] == b"RIFF"
    assert picture_findings.picture[8:12] == b"WEBP"
    assert len(picture_findings.picture) < 50_000


def test_findings_of_a_sound_have_its_loudness_before_and_after(library: MediaLibrary, kept: Kept) -> None:
    sound_findings = of_sound(library, kept(sound(tone(2.0, 0.01))))
    assert (sound_findings.format, sound_findings.rate, sound_findings.channels) == ("WAV", 44_100, 1)
    assert sound_findings.seconds == pytest.approx(2.0)
    assert sound_findings.came_lufs < -35
    assert sound_findings.played_lufs == pytest.approx(-16, abs=0.7)
    assert sound_findings.came_peak_db == pytest.approx(-40, abs=0.2)
    assert sound_findings.played_peak_db <= -1.5
    assert len(sound_findings.wave) == 160
    assert set(sound_findings.wave) == {1}


def test_findings_of_the_shortest_sound_have_a_wave(library: MediaLibrary, kept: Kept) -> None:
    sound_findings = of_sound(library, kept(sound(tone(0.02, 0.5), "MP3")))
    assert sound_findings.format == "MP3"
    assert sound_findings.wave


def test_examined_files_are_stored_like_prepared_ones(library: MediaLibrary, kept: Kept) -> None:
    path = kept(picture(striped(90, 30)))
    prepared, picture_findings, _ = library.examine(avatar=path, particle=path)
    assert picture_findings is not None
    contents = [(library.folder / name).read_bytes() for name in (prepared.avatar, prepared.particle)]
    for name in (prepared.avatar, prepared.particle):
        (library.folder / name).unlink()
    assert library.prepare(avatar=path, particle=path) == prepared
    assert contents == [(library.folder / name).read_bytes() for name in (prepared.avatar, prepared.particle)]


@pytest.mark.parametrize(
    ("kind", "content", "fault"),
    [
        ("avatar", empty_png(20_000, 4_000), "at most 16 megapixels"),
        ("sound", sound(tone(6)), "longer than 5 seconds"),
        ("sound", sound(tone(1, 0.0)), "silent"),
    ],
    ids=["a giant", "too long", "silent"],
)
def test_unusable_file_has_a_fault_and_no_findings(
    library: MediaLibrary, kept: Kept, kind: str, content: bytes, fault: str
) -> None:
    prepared, *findings = library.examine(**{kind: kept(content)})
    assert findings == [None, None]
    (sentence,) = prepared.faults
    assert sentence.startswith(f"{kind}: ")
    assert fault in sentence
