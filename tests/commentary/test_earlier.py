"""Facts about earlier contests come from the archive, and storylines mention these facts when they are news."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import pytest
from msgspec.structs import replace

from broadcast.archive.archive import INDEX_FILE
from broadcast.archive.database import open_connection, open_index
from broadcast.archive.indexing import find_changed, index_recordings
from broadcast.commentary.storylines.bot_facts import Extreme, HandNumber
from broadcast.commentary.storylines.earlier_facts import (
    ContestRecord,
    EarlierContest,
    EarlierFacts,
    EarlierHand,
    OverallRecord,
    earlier_facts_of,
)
from broadcast.commentary.storylines.earlier_lines import earlier_lines
from broadcast.commentary.storylines.evening_facts import EveningFacts
from server.app.studio.earlier_contests import read_earlier_contests
from server.game.events import Entrant, TournamentOpened
from server.journal.journal import Entry, Journal
from tests.commentary.storyteller.evening import Evening, Hand
from tests.support.games.recordings import of_kind, small_contest

TONIGHT = "2026-11-20T19:00:00.000+00:00"
BEFORE = ("one", "two", "three")
DOC, TESS = 1, 2
NOW = HandNumber(1, 40)


def opened_of(entries: Sequence[Entry]) -> TournamentOpened:
    return of_kind(entries, TournamentOpened)[0]


def test_only_complete_contests_of_the_same_kind_before_tonight_count(tmp_path: Path) -> None:
    first, second = small_contest(), small_contest(3)
    other = [replace(first[0], event=replace(opened_of(first), contest="enova")), *first[1:]]
    for day, name, entries in (
        (1, "one", first), (2, "two", second), (3, "three", first), (25, "later", first), (10, "cut-short", first[:60]),
        (11, "practice/game", first), (12, "other", other), (13, "altered", first),
    ):  # fmt: skip
        journal = Journal(tmp_path / f"{name}.jsonl", f"2026-11-{day:02}T19:00:00.000+00:00")
        journal.append(entries)
        journal.close()
    bad = tmp_path / "altered.jsonl"
    bad.write_text(bad.read_text().replace("Bot 3", "Bot 9", 1))
    open_index(tmp_path / INDEX_FILE)
    index_recordings(tmp_path / INDEX_FILE, tmp_path, find_changed(tmp_path / INDEX_FILE, tmp_path))
    with open_connection(tmp_path / INDEX_FILE) as index:
        earlier = earlier_facts_of(read_earlier_contests(index, "tonight", TONIGHT), opened_of(first))
    assert {*earlier.played.values()} == {BEFORE}
    contests = [hands_of(entries) for entries in (first, second)]
    runs = [run for hands in contests for bot in range(1, 9) for run in runs_of(hands, bot)]
    assert {kind: (record.amount, record.contests) for kind, record in earlier.records.items()} == {
        "won": (max(won for hands in contests for hand in hands for won in hand.won.values()), 3),
        "streak": (max(length for is_won, length in runs if is_won), 3),
        "drought": (max(length for is_won, length in runs if not is_won), 3),
    }
    assert earlier.hands == sum(map(len, contests)) + len(contests[0])
    assert earlier.begun_counts["first out"] == 3, "each of the three contests had a first bot out"


def hands_of(entries: Sequence[Entry]) -> list[Hand]:
    evening = Evening()
    for entry in entries:
        evening.add(entry.event)
    return evening.hands


def runs_of(hands: Sequence[Hand], bot: int) -> list[tuple[bool, int]]:
    """A bot's runs of hands in which it won chips (True) or did not (False), each with its length."""
    results = (bool(hand.won.get(bot)) for hand in hands if bot in hand.began)
    return [(is_won, len([*run])) for is_won, run in groupby(results)]


def contest(number: int, places: dict[str, int], *, stack: int = 5000, won: int = 100) -> EarlierContest:
    finalists = frozenset(name for name, place in places.items() if place <= 2)
    return EarlierContest(f"evening-{number}", "quick-draw", stack, places, finalists, {"won": ContestRecord(won, 7)})


def opened(*names: str) -> TournamentOpened:
    entrants = tuple(Entrant(bot, name, "") for bot, name in enumerate(names, start=1))
    return replace(opened_of(small_contest()), entrants=entrants, starting_stack=5000)


def test_bot_is_recognised_only_by_exactly_the_same_name_and_a_missed_final_breaks_a_row_of_finals() -> None:
    past = [contest(number, {"Doc": 1, "doc": 2}) for number in range(3)]
    earlier = earlier_facts_of(past, opened("Doc", "DOC", "doc"))
    assert {bot: len(won) for bot, won in earlier.won.items()} == {1: 3, 2: 0, 3: 0}
    assert earlier.played[2] == ()
    assert [*earlier.always_ahead] == [(1, 3)]
    past = [contest(number, {"Doc": place}) for number, place in enumerate((1, 5, 2, 1))]
    assert earlier_facts_of(past, opened("Doc")).finals_in_a_row[1] == ("evening-2", "evening-3")


def test_chips_are_compared_only_between_contests_with_equal_starting_stacks() -> None:
    past = [contest(number, {"Doc": 1}, won=number) for number in range(3)]
    past.append(contest(3, {"Doc": 1}, stack=100_000, won=90_000))
    record = earlier_facts_of(past, opened("Doc")).records["won"]
    assert (record.amount, record.contests, record.where.recording) == (2, 3, "evening-2")
    assert earlier_facts_of(past[2:], opened("Doc")).records == {}, "a record needs three contests"


def test_only_games_of_the_same_two_bots_alone_are_their_duels() -> None:
    past = [
        contest(0, {"Doc": 1, "Tess": 2}), contest(1, {"Doc": 2, "Tess": 1}), contest(2, {"Doc": 1, "Wyatt": 2}),
        contest(3, {"Doc": 1, "Tess": 2, "Wyatt": 3}), contest(4, {"Doc": 1, "Tess": 2}),
    ]  # fmt: skip
    earlier = earlier_facts_of(past, opened("Doc", "Tess"))
    assert earlier.duels == ("evening-0", "evening-1", "evening-4")
    assert earlier.duels_won == {DOC: ("evening-0", "evening-4"), TESS: ("evening-1",)}
    assert earlier_facts_of(past, opened("Doc", "Tess", "Wyatt")).duels == ()


def records(kind: str, amount: int) -> Mapping[str, OverallRecord]:
    return {kind: OverallRecord(amount, 3, EarlierHand("one", 7))}


def evening(won: int = 0, lost: int = 0, longest: int = 0, final: bool = False, out: int = 0) -> EveningFacts:
    """An evening in which Doc won its last `won` hands, or lost its last `lost`. Tess's longest runs are `longest`."""
    facts = EveningFacts((DOC, TESS), 5000)
    for bot, each in facts.bots.items():
        each.stack = 0 if bot == out else 5000
    facts.bots[DOC].winning_streak, facts.bots[DOC].drought = [NOW] * won, [NOW] * lost
    facts.bots[TESS].longest_streak = facts.bots[TESS].longest_drought = longest
    facts.last_hand, facts.records.biggest_pot = NOW, Extreme(9000, DOC, NOW)
    facts.finalists, facts.just_out = (DOC,) if final else (), {out} - {0}
    return facts


@pytest.mark.parametrize(
    ("facts", "earlier", "line"),
    [
        (evening(), EarlierFacts(records("won", 8999)),
            "Doc has just won 9,000 in one hand, the most in all 4 contests here."),
        (evening(), EarlierFacts(records("won", 9000)), ""),
        (evening(won=5, longest=4), EarlierFacts(records("streak", 4)),
            "Doc has won five pots in a row, the most in all 4 contests here."),
        (evening(won=5), EarlierFacts(records("streak", 5)), ""),
        (evening(won=5, longest=5), EarlierFacts(records("streak", 4)), ""),
        (evening(won=4), EarlierFacts(records("streak", 3)), ""),
        (evening(lost=20, longest=19), EarlierFacts(records("drought", 19)),
            "Doc hasn't won a pot in 20 hands, the longest drought in all 4 contests here."),
        (evening(lost=20, longest=20), EarlierFacts(records("drought", 19)), ""),
        (evening(lost=19), EarlierFacts(records("drought", 3)), ""),
        (evening(final=True), EarlierFacts(finals_in_a_row={DOC: ("one",)}),
            "Doc is in the final for the 2nd time in a row."),
        (evening(final=True), EarlierFacts(), ""),
        (evening(out=TESS), EarlierFacts(always_ahead={(TESS, DOC): BEFORE}),
            "Doc is ahead of Tess for the first time in 4 contests."),
        (evening(), EarlierFacts(always_ahead={(TESS, DOC): BEFORE}),
            "Tess has finished ahead of Doc in all 3 contests that both played."),
        (evening(), EarlierFacts(played={DOC: BEFORE}, won={DOC: ("one",)}),
            "Doc has won 1 of its 3 earlier contests here."),
        (evening(), EarlierFacts(played={DOC: BEFORE}), "Doc has won none of its 3 earlier contests here."),
        (evening(), EarlierFacts(played={DOC: BEFORE[:2]}), ""),
        (evening(), EarlierFacts(duels=BEFORE, duels_won={DOC: ("two",), TESS: ("one", "three")}),
            "Tess has won 2 of 3 earlier games against Doc."),
        (evening(), EarlierFacts(duels=BEFORE, duels_won={DOC: ("two",), TESS: ("one",)}),
            "Doc and Tess have each won 1 of their 3 earlier games."),
        (evening(), EarlierFacts(duels=BEFORE[:2], duels_won={DOC: BEFORE[:2], TESS: ()}), ""),
    ],
)  # fmt: skip
def test_earlier_contests_are_mentioned_when_they_are_news(
    facts: EveningFacts, earlier: EarlierFacts, line: str
) -> None:
    found = [*earlier_lines(facts, earlier, {DOC: "Doc", TESS: "Tess"}.__getitem__)]
    assert [each.text for each in found] == ([line] if line else [])
    assert all(each.earlier for each in found)
