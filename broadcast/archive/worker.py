"""`python -m broadcast.archive.worker`: reads recordings into an index or makes a film, in a separate process.

An order for one of these jobs arrives as JSON on standard input. The process is separate for two reasons: A recording
may come from a stranger, and reading it takes seconds of processor time, which would delay the show. Exits with 0. If
no film can be made, exits with 3, and writes the reason to standard error.
"""

import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.archive.database import stamp_of
from broadcast.archive.indexing import index_recordings
from broadcast.film.film import film_recording, write_film
from broadcast.on_air.deal_tables import max_tables_in_deal, retell_from_table
from broadcast.on_air.diary import NOTHING_SPOKEN, read_spoken_lines
from server.game.events import HandEnded
from server.journal.journal import JournalDamaged, read_journal
from server.system.processes import limit_usage, lower_priority

REFUSED_STATUS = 3
CPU_SECONDS = 600
MEMORY_BYTES = 4 << 30


class IndexRecordings(Struct, frozen=True, tag="index"):
    """The order to read the recordings `names` of `folder` into the index."""

    index: str
    folder: str
    names: tuple[str, ...]


class MakeFilm(Struct, frozen=True, tag="make_film"):
    """The order to make the film of a recording, in the file `film`. If each deal is played at several tables, with the
    same cards, the film shows only table number `table`.
    """

    recording: str
    film: str
    table: int


def main(text: bytes) -> int:
    """Carries out an order within limits of time and memory. `text` is an `IndexRecordings` or a `MakeFilm` as JSON.

    Returns the exit status. Raises msgspec.DecodeError for any other text. Raises sqlite3.Error or OSError if the index
    cannot be written.
    """
    order = msgspec.json.decode(text, type=IndexRecordings | MakeFilm)
    limit_usage(MEMORY_BYTES, CPU_SECONDS, writes=True)
    lower_priority(10)
    if isinstance(order, IndexRecordings):
        index_recordings(Path(order.index), Path(order.folder), order.names)
        return 0
    fault = make_film(Path(order.recording), Path(order.film), order.table)
    sys.stderr.write(fault)
    return REFUSED_STATUS if fault else 0


def make_film(path: Path, film: Path, table: int) -> str:
    """Writes the film of the recording at `path` to the file `film`. The film shows table number `table` (from 1) of
    each deal.

    Prints the number of hands, then a line for each hand that has been filmed. Returns "", or the reason for a failure
    as a clause such as "it cannot be read: ...".
    """
    try:
        stamp = stamp_of(path)
        recording = read_journal(path)
        print(sum(isinstance(entry.event, HandEnded) for entry in recording.entries), flush=True)
        begun, entries, spoken = recording.header.begun, recording.entries, read_spoken_lines(path)
        if table > 1:
            if table > (tables := max_tables_in_deal(entries)):
                return f"its deals were played at {tables} tables, so it has no table {table}"
            # The commentators spoke only about the first table.
            entries, spoken = list(retell_from_table(table, entries)), NOTHING_SPOKEN
        made = film_recording(entries, begun, spoken, lambda: print(flush=True))
    except (OSError, JournalDamaged) as error:
        return f"it cannot be read: {error}"
    except Exception:
        return "it contradicts itself: its entries do not follow from one another"
    try:
        write_film(made, stamp, film)
    except OSError as error:
        return f"its film cannot be kept: {error.strerror}"
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer.read()))
