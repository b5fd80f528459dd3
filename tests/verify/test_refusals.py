"""`verify` refuses an altered recording even if its checksums are valid, and says why in a sentence."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.game import events
from server.game.events import Event
from server.hand_histories.import_hands import import_hands
from server.journal.journal import Entry, read_journal
from server.season.events import BotUploaded, GamePaired, GameRated, PlayerEntered, SeasonEnded
from server.verify.file import verdict_on
from server.verify.refutation import Refuted, prove_entries
from server.verify.season import Ledger
from tests.season.sample_seasons import entries_of, played
from tests.support.games.recordings import KEPT_CONTESTS, of_kind, write
from tests.support.source_files import ROOT
from tests.verify.alterations import first_of, numbered, simple_alterations, with_event, with_first

CONTESTS = {
    "quick-draw": "quick-draw.jsonl", "enova": "enova.jsonl", "arena": "arena.jsonl",
    "upac": "upac/games/0000/000003.jsonl",
}  # fmt: skip
"""The kept recording of each contest."""
DECIDED = (
    *events.HAND_EVENTS, events.GameStarted, events.GameForfeited, events.GameEnded, events.BotRated,
    events.BotEliminated, events.StageCut, events.StageEnded, events.TournamentEnded,
)  # fmt: skip
"""The kinds of events that follow from the rules, the seed and the decisions."""

Recording = Sequence[Entry]


@cache
def recordings() -> dict[str, Recording]:
    """Returns a recording of each kind, keyed by kind."""
    contests = {name: read_journal(KEPT_CONTESTS / path).entries for name, path in CONTESTS.items()}
    published = import_hands((ROOT / "tests/data/phh/dwan-ivey-2009.phh").read_bytes()).entries
    return {**contests, "published": published, "ledger": entries_of(played(4, 6, dice=random.Random(3)))}


def with_entrant(entries: Recording, **changes: object) -> Recording:
    first, *others = of_kind(entries, events.TournamentOpened)[0].entrants
    return with_first(entries, events.TournamentOpened, entrants=(replace(first, **changes), *others))


def withdraw_late(entries: Recording) -> Recording:
    at = first_of(entries, events.StageStarted) + 1
    return numbered([*entries[:at], replace(entries[at], event=events.BotWithdrawn(1, "it is late")), *entries[at:]])


def raise_to_one(entries: Recording, *, may_raise: bool) -> Recording:
    """Turns an action into a raise to one chip, on the first turn on which a raise is allowed, or forbidden."""
    for at, (before, entry) in enumerate(pairwise(entries), 1):
        match before.event, entry.event:
            case events.TurnStarted(max_raise_to=most), events.ActionTaken() as taken if bool(most) is may_raise:
                return with_event(entries, at, replace(taken, act="raise", bet=1))
    raise AssertionError("no such turn")


def play_another_version(entries: Recording) -> Recording:
    """Lets a version of a bot play although its owner has not activated it."""
    at, (defender, challenger) = first_of(entries, GamePaired), of_kind(entries, GamePaired)[0].uploads
    better = replace(entries[at], event=BotUploaded(9, defender, "Better"))
    return numbered([*entries[:at], better, *with_first(entries, GamePaired, uploads=(9, challenger))[at:]])


def widen_table(entries: Recording) -> Recording:
    """Adds empty seats to a table, up to 101."""
    stacks = of_kind(entries, events.HandStarted)[0].stacks
    stacks += (0,) * (101 - len(stacks))
    wide = with_first(entries, events.GameStarted, seats=tuple(range(1, 102)), stacks=stacks)
    return with_first(wide, events.HandStarted, stacks=stacks)


def deal_to_one_seat(entries: Recording) -> Recording:
    (first, *others), started = of_kind(entries, events.HoleDealt), of_kind(entries, events.HandStarted)[0]
    stacks = tuple(stack if seat == first.seat else 0 for seat, stack in enumerate(started.stacks))
    alone = with_first(entries, events.HandStarted, stacks=stacks)
    return numbered([entry for entry in alone if entry.event not in others])


def hide_the_last_place(entries: Recording) -> Recording:
    placings = of_kind(entries, events.TournamentEnded)[0].placings
    return with_first(entries, events.TournamentEnded, placings=placings[:-1])


FORGED: list[tuple[str, Callable[[Recording], Recording]]] = [
    ("arena", lambda _: []),
    ("arena", lambda entries: with_entrant(entries, bot=2)),
    ("arena", withdraw_late),
    ("arena", hide_the_last_place),
    ("arena", lambda entries: raise_to_one(entries, may_raise=True)),
    ("arena", lambda entries: raise_to_one(entries, may_raise=False)),
    ("quick-draw", lambda entries: raise_to_one(entries, may_raise=True)),
    ("published", widen_table),
    ("published", deal_to_one_seat),
    ("arena", lambda entries: with_first(entries, events.StageStarted, seats=1)),
    ("arena", lambda entries: with_first(entries, events.StageStarted, stage=0)),
    ("ledger", play_another_version),
    ("ledger", lambda entries: with_first(entries, GamePaired, ratings=(1, 2))),
    ("ledger", lambda entries: with_first(entries, GameRated, ratings=(1, 2))),
    ("ledger", lambda entries: with_first(entries, PlayerEntered, name="")),
]
"""Forgeries that are not simple alterations (see `simple_alterations`)."""


@pytest.mark.parametrize(("kind", "forge"), FORGED)
def test_a_forgery_is_refused(kind: str, forge: Callable[[Recording], Recording], tmp_path: Path) -> None:
    forged = forge(recordings()[kind])
    assert ledger_fault(forged) if kind == "ledger" else fault(tmp_path / "recording.jsonl", forged)


@pytest.mark.parametrize("contest", CONTESTS)
def test_an_altered_event_is_refused_if_it_follows_from_the_rules(contest: str, tmp_path: Path) -> None:
    """Only the end may be missing: then the recording is proved as far as it goes."""
    entries = recordings()[contest]
    right = decided(entries)
    accepted = [
        f"{kind.__name__}: {what}"
        for kind, what, each in simple_alterations(entries)
        if issubclass(kind, DECIDED) and decided(each) != right[: len(decided(each))]
        if not fault(tmp_path / "recording.jsonl", each)
    ]
    assert not accepted


def decided(entries: Recording) -> list[Event]:
    """Returns the events that follow from the rules, the seed and the decisions, without thinking times and faults."""
    return [
        replace(entry.event, think_ms=0, fault="") if isinstance(entry.event, events.ActionTaken) else entry.event
        for entry in entries
        if isinstance(entry.event, DECIDED)
    ]


def fault(path: Path, entries: Recording) -> str:
    path.unlink(missing_ok=True)
    return verdict_on(write(path, entries)).fault


def ledger_fault(facts: Recording) -> str:
    """Returns why a season's ledger is refuted, or ""; recordings of games are not read."""
    (ended,) = of_kind(facts, SeasonEnded)
    try:
        prove_entries(facts, lambda opened: Ledger(opened, ended.seed))
    except Refuted as refuted:
        return refuted.what
    return ""


_BAD_NAMES = (
    "\x1b[2J", "two\nlines", "a\u202eb", "a\u200bb", "\u3164", "\u034f", "\ue000", "\u2029", "", " ", "\u0301a",
    "x" + "\u0336" * 9, "x" * 101, "\u200d", "a\u2066b", "a\ufeff",
)  # fmt: skip
_GOOD_NAMES = (
    "x" * 100,
    "Señor Tilt",
    "高手",
    "שלום",
    "🤠",
    "e\u0301\u0323",
    "علی‌رضا",
    "ශ්‍රී",
    "葛󠄀",
    "လွှို့",
    "x\u0336\u0337",
)


@pytest.mark.parametrize("name", [*_BAD_NAMES, *_GOOD_NAMES])
def test_a_name_that_no_contest_would_admit_is_refused(name: str, tmp_path: Path) -> None:
    for kind in ("arena", "published"):
        found = fault(tmp_path / "recording.jsonl", with_entrant(recordings()[kind], name=name))
        assert ("never be admitted" in found) is (name not in _GOOD_NAMES)
    of_a_player = fault(tmp_path / "recording.jsonl", with_entrant(recordings()["arena"], player=name))
    assert bool(of_a_player) is (name not in (*_GOOD_NAMES, ""))
    ledger = with_first(recordings()["ledger"], BotUploaded, name=name)
    assert bool(ledger_fault(ledger)) is (name not in _GOOD_NAMES)
