"""What a report says about a contestant's picture and sound, computed in the media worker's process."""

from pathlib import Path

import pytest

from broadcast.media.library import MediaLibrary
from tests.media.stranger_files import picture, sound, striped, tone


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_findings_of_a_picture_have_its_size_format_and_the_whole_picture(
    library: MediaLibrary, tmp_path: Path, kind: str
) -> None:
    (tmp_path / "theirs").write_bytes(picture(striped(1200, 300), kind))
    _, found, _ = library.examine(avatar=tmp_path / "theirs")
    assert found
    assert (found.width, found.height, found.format) == (1200, 300, kind)
    assert (found.picture[:4], found.picture[8:12]) == (b"RIFF", b"WEBP")
    assert len(found.picture) < 50_000


def test_findings_of_a_sound_have_its_loudness_before_and_after(library: MediaLibrary, tmp_path: Path) -> None:
    (tmp_path / "theirs").write_bytes(sound(tone(2.0, 0.01)))
    _, _, found = library.examine(sound=tmp_path / "theirs")
    assert found
    assert (found.format, found.rate, found.channels) == ("WAV", 44_100, 1)
    assert found.seconds == pytest.approx(2.0)
    assert found.came_lufs < -35
    assert found.played_lufs == pytest.approx(-16, abs=0.7)
    assert found.came_peak_db == pytest.approx(-40, abs=0.2)
    assert found.played_peak_db <= -1.5
    assert found.wave == (1,) * 160


def test_examined_files_are_stored_like_prepared_ones(library: MediaLibrary, tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    path.write_bytes(picture(striped(90, 30)))
    prepared, found, _ = library.examine(avatar=path, particle=path)
    assert found
    names = (prepared.avatar, prepared.particle)
    contents = [(library.folder / name).read_bytes() for name in names]
    for name in names:
        (library.folder / name).unlink()
    assert library.prepare(avatar=path, particle=path) == prepared
    assert contents == [(library.folder / name).read_bytes() for name in names]
