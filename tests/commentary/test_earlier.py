"""Storylines about earlier recordings, checked by a second program that reads them from disk."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from broadcast.archive.archive import INDEX
from broadcast.archive.database import connected, open_index
from broadcast.archive.indexing import index_all, new_names
from broadcast.commentary.storylines.earlier import Earlier, EarlierContest, Most, earlier_of
from broadcast.commentary.storylines.storyline import Storyline
from server.app.studio.looking_back import earlier_contests
from server.game.events import Entrant, Event, TournamentOpened
from server.journal.journal import Entry, Journal
from tests.commentary.slow_earlier import EarlierOnDisk
from tests.commentary.test_storylines import told_in
from tests.support.contests import play_contest
from tests.support.recordings import SMALL, small_contest

EVENINGS = 6
TONIGHT = "2026-11-20T19:00:00.000+00:00"


@cache
def evening(dice: int) -> tuple[Entry, ...]:
    """A small contest of eight bots."""
    return tuple(play_contest(dice, 8, SMALL))


def kept(path: Path, entries: Sequence[Entry], day: int) -> None:
    journal = Journal(path, f"2026-11-{day:02}T19:00:00.000+00:00")
    journal.append(entries)
    journal.close()


def opened_of(entries: Sequence[Entry]) -> TournamentOpened:
    opened = entries[0].event
    assert isinstance(opened, TournamentOpened)
    return opened


def earlier_in(folder: Path, entries: Sequence[Entry]) -> Earlier:
    index_all(folder / INDEX, folder, new_names_of(folder))
    with connected(folder / INDEX) as index:
        return earlier_of(earlier_contests(index, "tonight", TONIGHT), opened_of(entries))


def new_names_of(folder: Path) -> list[str]:
    open_index(folder / INDEX)
    return new_names(folder / INDEX, folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six evenings, and one each that crashed, was altered, came later, or was another contest."""
    found = tmp_path_factory.mktemp("archive")
    for number in range(EVENINGS):
        kept(found / f"evening-{number}.jsonl", evening(number), number + 1)
    kept(found / "later.jsonl", evening(0), 25)
    kept(found / "cut-short.jsonl", evening(1)[:60], 10)
    other = [replace(evening(0)[0], event=replace(opened_of(evening(0)), contest="enova")), *evening(0)[1:]]
    kept(found / "other.jsonl", other, 11)
    kept(found / "altered.jsonl", evening(2), 12)
    bad = found / "altered.jsonl"
    bad.write_text(bad.read_text().replace("Bot 3", "Bot 9", 1))
    return found


def events_of(entries: Sequence[Entry]) -> list[Event]:
    return [entry.event for entry in entries]


def told_over(folder: Path, dice: int) -> tuple[list[Storyline], list[str]]:
    entries = evening(dice)
    slow = EarlierOnDisk(folder, TONIGHT, opened_of(entries).contest)
    assert len(slow.contests) == EVENINGS
    return told_in(events_of(entries), earlier_in(folder, entries), slow.is_true)


def test_second_program_finds_every_storyline_on_earlier_contests_true(folder: Path) -> None:
    found, wrong = list[Storyline](), list[str]()
    for dice in range(10, 16):
        lines, false = told_over(folder, dice)
        found += lines
        wrong += false
    assert wrong == []
    reaching_back = {line.kind for line in found if line.earlier}
    assert reaching_back >= {"biggest pot", "finals in a row", "contests won"}
    names = {path.stem for path in folder.glob("evening-*.jsonl")}
    assert {each.recording for line in found for each in line.earlier} <= names


def contest(number: int, places: dict[str, int], *, stack: int = 5000, won: int = 100) -> EarlierContest:
    finalists = frozenset(name for name, place in places.items() if place <= 2)
    return EarlierContest(f"evening-{number}", "quick-draw", stack, places, finalists, {"won": Most(won, 7)})


def opened(*names: str) -> TournamentOpened:
    entrants = tuple(Entrant(bot, name, "") for bot, name in enumerate(names, start=1))
    return replace(opened_of(small_contest()), entrants=entrants, starting_stack=5000)


def test_bots_are_the_same_only_with_exactly_the_same_name() -> None:
    past = [contest(number, {"Doc": 1, "doc": 2}) for number in range(3)]
    earlier = earlier_of(past, opened("Doc", "DOC", "doc"))
    assert {bot: len(won) for bot, won in earlier.won.items()} == {1: 3, 2: 0, 3: 0}
    assert earlier.played[2] == ()
    assert [*earlier.always_ahead] == [(1, 3)]


def test_chips_compare_only_between_contests_with_equal_starting_stacks() -> None:
    past = [contest(number, {"Doc": 1}, won=number) for number in range(3)]
    past.append(contest(3, {"Doc": 1}, stack=100_000, won=90_000))
    record = earlier_of(past, opened("Doc")).records["won"]
    assert (record.amount, record.contests, record.where.recording) == (2, 3, "evening-2")
    assert earlier_of(past[2:], opened("Doc")).records == {}, "a record needs three contests"


def test_missed_final_breaks_a_row_of_finals() -> None:
    past = [contest(0, {"Doc": 1}), contest(1, {"Doc": 5}), contest(2, {"Doc": 2}), contest(3, {"Doc": 1})]
    assert earlier_of(past, opened("Doc")).finals[1] == ("evening-2", "evening-3")


def test_practice_games_are_no_earlier_contests(tmp_path: Path) -> None:
    kept(tmp_path / "practice" / "game.jsonl", small_contest(), 1)
    kept(tmp_path / "evening.jsonl", small_contest(), 2)
    assert len(earlier_in(tmp_path, small_contest()).played[1]) == 1
