"""Opens a recording as a film, which can be watched. If the show's diary (the file of what was on air) is beside the
recording, also restores the live show.
"""

from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from broadcast.archive.database import stamp_of
from broadcast.archive.indexing import FOLDERS, SEASON
from broadcast.film.film import FILM_SUFFIX, Film, film_of, open_film
from broadcast.on_air.diary import DIARY, read_diary, spoken_lines, spoken_of, true_times
from server.app.recordings.open import open_recording
from server.errors import Refusal
from server.journal.journal import Recording

GAMES = "games"
"""The folder with a season's games, in subfolders of a thousand recordings each."""


class Showing(Struct, frozen=True):
    """A recording as a film and, if there was a diary, as the `live` show. `began_ms` is when the show began, or 0 if
    unknown.
    """

    name: str
    recording: Recording
    film: Film
    live: Film | None = None
    began_ms: int = 0


def open_showing(path: Path, *, live: bool = True) -> Showing:
    """Opens the recording at `path` with its film. If `live`, and if the recording has a diary, also restores the live
    show.

    Raises OSError or JournalDamaged. Raises Refusal if published hands cannot be played, or if events contradict one
    another.
    """
    recording = open_recording(path)
    name = _name(path.resolve())
    try:
        entries, begun = recording.entries, recording.header.begun
        found = open_film(path.with_suffix(FILM_SUFFIX), stamp_of(path))
        film = found.film() if found else film_of(entries, begun, spoken_lines(path))
        if not live or not path.with_suffix(DIARY).exists():
            return Showing(name, recording, film)
        lines = read_diary(path.with_suffix(DIARY))
        past, began_ms = true_times(lines)
        ran = film_of(entries, begun, spoken_of(lines), past=past) if past else None
    except (OSError, Refusal):
        raise
    except Exception as error:  # the recording was forged: its checksums are valid, but its events are impossible
        raise Refusal(f"{path} contradicts itself: its entries do not follow from one another") from error
    return Showing(name, recording, film, ran, began_ms)


def address_of_hand(name: str, hand: int) -> str:
    """The path of the page that replays a hand; hands count from 1."""
    return f"/replay/{quote(name)}?hand={hand}"


def _name(path: Path) -> str:
    """The recording's name in web addresses: "season/12", "practice/NAME" or NAME."""
    if path.parents[1].name == GAMES and path.stem.isdigit():
        return f"{SEASON}/{int(path.stem)}"
    return f"{path.parent.name}/{path.stem}" if path.parent.name in FOLDERS[1:] else path.stem
