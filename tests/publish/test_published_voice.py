"""Spoken lines: each sound is published once its caption has been on air, and stays with the recording."""

from pathlib import Path

from broadcast.archive.archive import Archive
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.diary import DIARY, Aired, Diary, said
from broadcast.on_air.events import LineSpoken
from broadcast.publish.destination import Destination
from broadcast.publish.live_publisher import LiveSite
from broadcast.publish.site import edition_of
from tests.support.program import SECONDS
from tests.support.recordings import small_contest, write
from tests.voice.spoken_show import run_aside

ON_AIR, AHEAD = "voice-00000000000000a1.ogg", "voice-00000000000000a2.ogg"


def test_sound_of_a_line_is_published_once_it_has_been_on_air(tmp_path: Path) -> None:
    media = tmp_path / "media"
    media.mkdir()
    for name in (ON_AIR, AHEAD):
        (media / name).write_bytes(name.encode())
    air = AirLog("main", 1.0)
    site = LiveSite("Friday", media, lambda: air.picture)
    air.recorders.add(site.record)

    async def story() -> None:
        await site.begin(Destination(str(tmp_path / "site")))
        await site.send()
        assert not (tmp_path / "site/media").exists()
        air.put(LineSpoken(ON_AIR, 900), 0, 0)
        air.put(LineSpoken("../../etc/passwd", 900), 0, 0)
        await site.send()

    run_aside(story())
    assert [path.name for path in (tmp_path / "site/media").iterdir()] == [ON_AIR]


def test_published_recording_keeps_what_was_spoken_in_its_show(tmp_path: Path) -> None:
    path = write(tmp_path / "recordings/friday.jsonl", small_contest())
    diary = Diary(path.with_suffix(DIARY))
    for line in (Aired(1, 0, 100), said(1, "Welcome.", LineSpoken(ON_AIR, 900))):
        diary.append(line)
    (tmp_path / "media").mkdir()
    for name in (ON_AIR, AHEAD):
        (tmp_path / "media" / name).write_bytes(b"OggS")
    archive = Archive(path.parent, tmp_path / "archive", only="friday", patience_seconds=SECONDS)
    edition = run_aside(edition_of(path, archive, tmp_path / "media"))
    assert [*edition.files] == [ON_AIR]
