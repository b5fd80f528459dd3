"""Opens a recording as a film, which can be watched. A show keeps a diary, a file that says what was on air. If the
diary is beside the recording, the live show is restored too.
"""

from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from broadcast.archive.database import stamp_of
from broadcast.archive.indexing import RECORDING_FOLDERS, SEASON_PREFIX
from broadcast.film.film import FILM_SUFFIX, Film, film_recording, open_film
from broadcast.on_air.diary import DIARY_SUFFIX, read_diary, read_spoken_lines, real_times, select_spoken
from server.app.recordings.recording_files import open_recording
from server.errors import Refusal
from server.journal.journal import Recording

GAMES_FOLDER = "games"
"""The folder with a season's games, in subfolders of a thousand recordings each."""


class RecordingFilms(Struct, frozen=True):
    """A recording as a film. If the recording has a diary, `live` is the film of the live show. `began_ms` is the time
    when the live show began, in milliseconds since 1970, or 0 if unknown.
    """

    name: str
    recording: Recording
    film: Film
    live: Film | None = None
    began_ms: int = 0


def open_films(path: Path, *, live: bool = True) -> RecordingFilms:
    """Opens the recording at `path` with its film. If `live` is true and the recording has a diary, also restores the
    live show.

    Raises OSError or JournalDamaged. Raises Refusal if the hands of a hand history cannot be played, or if events
    contradict one another.
    """
    recording = open_recording(path)
    name = _recording_name(path.resolve())
    try:
        entries, start_time = recording.entries, recording.header.begun
        film_file = open_film(path.with_suffix(FILM_SUFFIX), stamp_of(path))
        film = film_file.read_film() if film_file else film_recording(entries, start_time, read_spoken_lines(path))
        if not live or not path.with_suffix(DIARY_SUFFIX).exists():
            return RecordingFilms(name, recording, film)
        lines = read_diary(path.with_suffix(DIARY_SUFFIX))
        past, began_ms = real_times(lines)
        live_film = film_recording(entries, start_time, select_spoken(lines), past_lines=past) if past else None
    except (OSError, Refusal):
        raise
    except Exception as error:  # the recording was forged: its checksums are valid, but its events are impossible
        raise Refusal(f"{path} contradicts itself: its entries do not follow from one another") from error
    return RecordingFilms(name, recording, film, live_film, began_ms)


def hand_path(name: str, hand: int) -> str:
    """The path of the page that replays a hand. Hands are numbered from 1."""
    return f"/replay/{quote(name)}?hand={hand}"


def _recording_name(path: Path) -> str:
    """The recording's name in web addresses: "season/12", "practice/NAME" or NAME."""
    if path.parents[1].name == GAMES_FOLDER and path.stem.isdigit():
        return f"{SEASON_PREFIX}/{int(path.stem)}"
    return f"{path.parent.name}/{path.stem}" if path.parent.name in RECORDING_FOLDERS[1:] else path.stem
