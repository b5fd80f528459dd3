"""Opens recordings. Makes recordings from published hands (hand histories), and finds bots in recordings."""

import sys
from collections.abc import Sequence
from pathlib import Path

from server.console import ProgressLine, printable_lines, say
from server.contests import CONTESTS
from server.errors import Refusal
from server.game.events import Entrant, Event, TournamentOpened
from server.hand_histories.formats import MAX_BYTES
from server.hand_histories.import_hands import ImportedRecording, import_hands
from server.hand_histories.phh_reader import BadHistory
from server.journal.journal import FORMAT, NOT_A_RECORDING, Entry, Header, Journal, Recording, is_journal, read_journal
from server.text.characters import printable
from server.text.grammar import count_text
from server.text.look_alikes import look_alike
from server.text.regular_file import open_regular

HAND_LOGS = tuple(contest.hand_log for contest in CONTESTS.values() if contest.hand_log)
PUBLISHED_SUFFIXES = (".phh", ".phhs", ".ohh", ".json", ".txt", *(log.suffix for log in HAND_LOGS))
PROGRESS_HANDS = 1_000
"""The number of hands between two reports of progress."""
UNKNOWN_TIME = "nobody knows when"
"""The start time for published hands without a date."""


def open_recording(path: Path) -> Recording:
    """Reads a recording, or makes one from a file with published hands. Prints remarks to standard error.

    Raises OSError or JournalDamaged. Raises Refusal if the file has neither a recording nor a hand that can be played.
    """
    if path.suffix.lower() not in PUBLISHED_SUFFIXES:
        if not is_journal(path):
            raise Refusal(f"{path}: {NOT_A_RECORDING}")
        return read_journal(path)
    imported = _import(path)
    for remark in _list_remarks(imported):
        print(printable_lines(remark), file=sys.stderr)  # standard output may go to another program
    return Recording(Header(FORMAT, imported.start_time or UNKNOWN_TIME), imported.entries)


def import_file(path: Path, out: Path | None, *, strict: bool = False) -> int:
    """Converts a file of published hands to the recording `out`, by default beside the file. Returns 0.

    Leaves out hands that cannot be played, and prints why. With `strict`, raises Refusal if any hand cannot be played.
    Also raises Refusal if no hand can be played, or if the recording already exists. Raises OSError.
    """
    recording = out or path.with_suffix(".jsonl")
    if recording.exists():
        raise Refusal(f"{recording} already exists")
    imported = _import(path, say_progress=True)
    if strict and imported.skipped_hands:
        raise Refusal("; ".join((f"{path}: {imported.skipped_hands[0]}", *imported.skipped_hands[1:])))
    try:
        write_recording(recording, imported.entries, imported.start_time)
    except FileExistsError:
        raise Refusal(f"{recording} already exists") from None
    say(f"{recording}: {count_text(imported.hands, 'hand')}, {len(imported.entries)} entries")
    for remark in _list_remarks(imported):
        say(f"  {remark}")
    return 0


def _list_remarks(imported: ImportedRecording) -> list[str]:
    return [f"note: {remark}" for remark in imported.remarks] + [f"left out: {why}" for why in imported.skipped_hands]


def write_recording(path: Path, entries: Sequence[Entry], start_time: str | None) -> None:
    """Writes `entries` as a recording. `start_time` is when the recording began, in ISO 8601. It is "" if the time is
    unknown, and None if the recording begins now. Raises OSError.
    """
    journal = Journal(path, start_time)
    try:
        journal.append(entries)
    finally:
        journal.close()


def _import(path: Path, *, say_progress: bool = False) -> ImportedRecording:
    with open_regular(path) as file:
        content = file.read(MAX_BYTES + 1)
    line, hand_count = ProgressLine(), 0

    def on_hand() -> None:
        nonlocal hand_count
        hand_count += 1
        if say_progress and hand_count % PROGRESS_HANDS == 0:
            line.show(f"{hand_count:,} hands read")

    try:
        return import_hands(content, path.stem, on_hand, HAND_LOGS)
    except BadHistory as error:
        raise Refusal(f"{path}: {error}") from None


def find_bot(path: Path, events: Sequence[Event], name: str) -> tuple[TournamentOpened, Entrant]:
    """Finds the entrant called `name` in the `events` of the recording at `path`. Returns the recording's first event
    and the entrant. Raises Refusal if no bot has that name, or if this program does not know the contest.
    """
    if not events or not isinstance(events[0], TournamentOpened) or events[0].contest not in CONTESTS:
        raise Refusal(f"{path} is not a recording of a contest that High Noon knows")
    namesakes = [entrant for entrant in events[0].entrants if look_alike(entrant.name, name)]
    if not namesakes:
        names = ", ".join(printable(entrant.name) for entrant in events[0].entrants)
        raise Refusal(f"no bot is called {printable(name)!r} in {path}; its bots are {names}")
    return events[0], namesakes[0]
