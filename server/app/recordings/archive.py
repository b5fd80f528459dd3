"""Adds an archive of recordings to a studio (the web server of a show). Also rebuilds the index of an archive."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from broadcast.app import Studio
from broadcast.archive.archive import INDEX_FILE, Archive, FindUnlisted, IsOver, is_being_written
from broadcast.archive.database import open_connection, replace_index
from broadcast.archive.indexing import RECORDING_SUFFIX, find_changed, index_recordings
from broadcast.archive.queries import count_recordings, unshowable_files
from server.app.recordings.recording_files import PUBLISHED_SUFFIXES, UNKNOWN_TIME, write_recording
from server.config.settings import Settings
from server.console import ProgressLine, say
from server.journal.journal import Recording
from server.text.grammar import count_text


def add_archive(
    studio: Studio, recordings: Path, is_over: IsOver = lambda _: None, find_unlisted: FindUnlisted = lambda _: None
) -> Archive:
    """Makes `studio` serve the recordings in a folder once their shows are over. `is_over` returns whether a show is
    over, or None if it does not know. `find_unlisted` finds recordings that the archive does not list.
    """
    archive = Archive(recordings, recordings / INDEX_FILE, is_over=is_over, find_unlisted=find_unlisted)
    studio.add_archive(archive)
    return archive


def make_is_over(studio: Studio) -> IsOver:
    """Returns a function that keeps recordings out of the archive while they are on air. The function takes a
    recording's path. It returns False while a channel of `studio` shows this recording, otherwise None.
    """

    def is_over(path: Path) -> bool | None:
        on_air = [air for air in tuple(studio.channels.values()) if not air.picture.is_over]
        return False if any(path.stem.endswith(f"-{air.channel}-{air.epoch}") for air in on_air) else None

    return is_over


@contextmanager
def serve_one_recording(studio: Studio, path: Path, recording: Recording) -> Iterator[str]:
    """Makes a studio serve one recording, which was read from `path`. Yields the path of the recording's page, or "" if
    the recording cannot have a page.
    """
    is_published = path.suffix.lower() in PUBLISHED_SUFFIXES
    if not is_published and (path.suffix != RECORDING_SUFFIX or is_being_written(path)):
        yield ""
        return
    with TemporaryDirectory() as work:
        folder = Path(work) / "published" if is_published else path.parent
        if is_published:
            start_time = recording.header.begun
            write_recording(
                folder / f"{path.stem}{RECORDING_SUFFIX}",
                recording.entries,
                "" if start_time == UNKNOWN_TIME else start_time,
            )
        studio.add_archive(Archive(folder, Path(work) / INDEX_FILE, only_name=path.stem))
        yield f"/replay/{quote(path.stem)}"


def rebuild_index(settings: Settings) -> int:
    """Rebuilds the index of the data folder. Returns the exit status, 0. Raises sqlite3.Error, OSError."""
    folder = settings.recordings
    if not folder.is_dir():
        say(f"there are no recordings in {folder}")
        return 0
    index = folder / INDEX_FILE
    replace_index(index)
    names = [name for name in find_changed(index, folder) if not is_being_written(folder / f"{name}{RECORDING_SUFFIX}")]
    line, indexed_count = ProgressLine(), 0

    def show_progress(name: str) -> None:
        nonlocal indexed_count
        indexed_count += 1
        line.show("reading the recordings", f": {indexed_count} of {len(names)}")

    index_recordings(index, folder, names, on_indexed=show_progress)
    line.end()
    with open_connection(index) as connection:
        faults = unshowable_files(connection)
        say(f"{index} has {count_text(count_recordings(connection), 'finished recording')}")
    for name, fault in faults:
        say(f"  {name}: {fault}")
    return 0
