"""The two provers, in Python and in JavaScript, give the same verdict and the same counts for every file."""

import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from server.game.contests import (
    ARENA_CONTEST,
    ENOVA_CONTEST,
    QUICK_DRAW_CONTEST,
    UPAC_CONTEST,
    as_series,
    with_most_hands,
)
from server.game.decisions import Call, Decision, Fold
from server.game.events import ActionTaken, Event, GameStarted, HandEnded, NoteGiven, StageCut, TournamentOpened
from server.game.hand import Hand
from server.game.tournament import Contest
from server.hand_histories.import_hands import import_hands
from server.journal.journal import Entry
from server.season.events import BotUploaded, PlayerRemoved, SeasonEnded
from server.verify.file import verdict_on
from server.verify.recording import verify
from tests.season.sample_seasons import SEED, entries_of, played
from tests.support.contests import play_contest
from tests.support.random_contests import PlayedContest, RandomContest
from tests.support.recordings import SMALL, small_contest, write
from tests.verify.in_javascript import Prover
from tests.verify.mutations import mutated
from tests.verify.test_recording import (
    CHANGES,
    DISHONEST,
    FORGED,
    DealsAHandTooMuch,
    DrawsFive,
    EndsAGameEarly,
    EndsAStageEarly,
    ForgetsToRetire,
    GivesTheFinalistsMore,
    GoesOnTooLong,
    PaysWhoNeverCame,
    PlaysOnWithSix,
    PlaysTrialsForNobody,
    RanksEqualsByNumber,
    RetiresByOtherDice,
    RetiresByTheSeats,
    SeatsAFriend,
    SendsAnotherOn,
    SendsSevenOn,
    changed,
)  # fmt: skip

PUBLISHED = sorted((Path(__file__).parents[1] / "data" / "phh").glob("*.phh"))


def shortened(contest: Contest, hands: int, **of_a_table: int) -> Contest:
    """A contest with stages of so few hands."""
    stages = tuple(replace(stage, hands=hands, **(of_a_table if stage.advance else {})) for stage in contest.stages)
    return replace(contest, stages=stages)


def short_stacks() -> Contest:
    """An Arena in which bots go out soon."""
    return replace(ARENA_CONTEST, starting_stack=100)


@cache
def contests() -> dict[str, tuple[Entry, ...]]:
    """A short one of each."""
    return {
        "quick-draw": small_contest(),
        "enova": tuple(play_contest(4, 9, shortened(ENOVA_CONTEST, 3, seats=4, advance=4))),
        "upac": tuple(play_contest(5, 2, shortened(UPAC_CONTEST, 12), rating=1000_00)),
        "arena": tuple(play_contest(6, 9, with_most_hands(ARENA_CONTEST, 8))),
        "arena of three games": tuple(play_contest(8, 5, as_series(with_most_hands(short_stacks(), 6), 3))),
        "standard": tuple(play_contest(7, 8, replace(SMALL, rules=replace(SMALL.rules, min_raise="last_raise")))),
    }


def counts(claims: Sequence[Any]) -> dict[str, int]:
    return {claim["of"]: claim["count"] for claim in claims}


@pytest.mark.parametrize("contest", contests())
def test_every_contest_is_proved_with_the_same_counts(contest: str, prover: Prover, tmp_path: Path) -> None:
    verdict = prover.entries(contests()[contest])
    assert (verdict["holds"], verdict["fault"]) == (True, "")
    theirs = verdict_on(write(tmp_path / "recording.jsonl", contests()[contest]))
    assert theirs.holds
    assert theirs.whole is verdict["whole"] is True
    assert counts(verdict["claims"]) == {claim.of: claim.count for claim in theirs.claims}
    assert len(verdict["notes"]) == len(theirs.notes)
    assert counts(verdict["claims"])["decks"] == sum(
        isinstance(entry.event, HandEnded) for entry in contests()[contest]
    )


def test_notes_of_bots_change_no_verdict_and_are_read_by_both(prover: Prover) -> None:
    noted: list[Event] = []
    for entry in small_contest():
        noted += [entry.event, *([NoteGiven(1, 1, "why not")] if isinstance(entry.event, HandEnded) else [])]
    entries = [Entry(number, 0, event) for number, event in enumerate(noted, 1)]
    verdict = prover.agreed_entries(entries)
    assert (verdict["holds"], verdict["fault"]) == (True, "")
    plain = {**counts(prover.entries(small_contest())["claims"]), "entries": len(entries)}
    assert counts(verdict["claims"]) == plain


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_every_change_is_found_by_both(number: int, prover: Prover) -> None:
    kind, change, _ = CHANGES[number]
    entries = changed(list(small_contest()), kind, change)
    verdict = prover.agreed_entries(entries)
    assert not verdict["holds"]
    assert re.search(r"line \d+ of the file$", verdict["where"])


@cache
def cut_short() -> tuple[Entry, ...]:
    """Bots withdrawn, and a stage cut in the middle of a game: the first evening of that kind that is short, too."""
    entries = PlayedContest(random.Random(560), 9, absent=2, cuts=0.06).entries()
    (cut,) = (at for at, entry in enumerate(entries) if isinstance(entry.event, StageCut))
    assert isinstance(entries[cut - 1].event, HandEnded)
    return tuple(entries)


def test_a_contest_that_was_cut_short_is_proved_and_noted_by_both(prover: Prover) -> None:
    verdict = prover.entries(cut_short())
    assert verdict["holds"]
    assert len(verdict["notes"]) == len(verify(cut_short()).remarks) == 3


@pytest.mark.parametrize("number", range(len(FORGED)))
def test_every_forgery_of_a_contest_that_was_cut_short_is_found_by_both(number: int, prover: Prover) -> None:
    forge: Callable[[list[Entry]], list[Entry]] = FORGED[number][0]
    entries = [replace(entry, seq=seq) for seq, entry in enumerate(forge(list(cut_short())), 1)]
    assert prover.agreed_entries(entries)["holds"] is (number == MORE_GAMES)


@pytest.mark.parametrize("kind", DISHONEST)
def test_an_evening_that_is_not_honest_is_refuted_by_both(kind: type[RandomContest], prover: Prover) -> None:
    """Every hand of it is dealt and bet as it should be, every sum fits: only the contest goes another way."""
    number = FORGED_EVENINGS[kind]
    forged = contest_of(number, (kind,)).entries()
    assert [entry.event for entry in forged] != [*contest_of(number).events()], "the forgery is tried"
    assert not prover.agreed_entries(forged)["holds"]


def contest_of(number: int, kinds: tuple[type[RandomContest], ...] = ()) -> RandomContest:
    """An evening of that number in which every hand is played; in some nobody dares anything, so that it gets late."""
    played = QuietContest if number in QUIET else PlayedContest
    made: RandomContest = type("Made", (*kinds, played), {})(random.Random(number), 7 + number % 3, absent=number % 2)
    return made


class QuietContest(PlayedContest):
    """Everybody folds to the big blind."""

    def decision(self, hand: Hand) -> Decision:
        return Fold() if hand.turn and hand.turn.to_call else Call()


QUIET = (100, 101)
FORGED_EVENINGS: dict[type[RandomContest], int] = dict.fromkeys(DISHONEST, 54) | {
    EndsAStageEarly: 100, GoesOnTooLong: 15, PlaysOnWithSix: 19, EndsAGameEarly: 3, DealsAHandTooMuch: 15,
    DrawsFive: 27, SeatsAFriend: 2, RetiresByTheSeats: 42, RetiresByOtherDice: 52, ForgetsToRetire: 19,
    SendsSevenOn: 101, SendsAnotherOn: 19, RanksEqualsByNumber: 26, GivesTheFinalistsMore: 9, PlaysTrialsForNobody: 3,
    PaysWhoNeverCame: 19,
}  # fmt: skip
"""Evenings on which there is an occasion for each forgery, and that are short."""
MORE_GAMES = len(FORGED) - 1
"""The stage that is announced with a game more was decided before: nothing is wrong with that."""


@pytest.mark.parametrize("contest", contests())
def test_both_agree_on_whatever_is_changed(contest: str, prover: Prover) -> None:
    dice = random.Random(f"changed {contest}")
    entries = contests()[contest]
    refuted = 0
    for _ in range(30):
        forged = mutated(dice, entries[:300])
        refuted += not prover.agreed_entries(forged)["holds"]
    assert refuted > 10


def test_published_hands_are_played_again_and_nothing_more_is_claimed(prover: Prover) -> None:
    for path in PUBLISHED[::20]:
        verdict = prover.entries(import_hands(path.read_bytes()).entries)
        assert (verdict["holds"], counts(verdict["claims"])["hands"]) == (True, 1)
        assert "decks" not in counts(verdict["claims"])
        assert "Nobody sealed these decks" in " ".join(verdict["open"])


@pytest.mark.parametrize("stem", ["dwan-ivey-2009", "pluribus-101-20"])
def test_published_hands_that_were_changed_are_refuted(stem: str, prover: Prover) -> None:
    path = next(path for path in PUBLISHED if path.stem == stem)
    entries = changed(list(import_hands(path.read_bytes()).entries), ActionTaken, _more)
    assert not prover.agreed_entries(entries)["holds"]


def _more(event: ActionTaken) -> Event:
    return replace(event, amount=event.amount + 1, bet=event.bet + 1)


def test_the_book_of_a_season_is_proved_but_for_its_games(prover: Prover) -> None:
    facts = entries_of(played(7, 20, dice=random.Random(3)))
    verdict = prover.entries(facts)
    assert verdict["holds"], verdict
    assert "recording of its own" in verdict["open"][0]
    dice = random.Random("a season")
    for _ in range(30):
        prover.agreed_ledger(mutated(dice, facts))


def test_a_season_from_which_a_player_was_removed_is_proved_by_both(prover: Prover) -> None:
    facts = [fact for fact in played(3, 2, dice=random.Random(3)) if not isinstance(fact, SeasonEnded)]
    entries = entries_of([*facts, PlayerRemoved(1), SeasonEnded(SEED.hex())])
    assert prover.agreed_ledger(entries)["holds"]


def test_a_recording_that_breaks_off_is_proved_as_far_as_it_goes(prover: Prover, tmp_path: Path) -> None:
    entries = small_contest()
    games = [at for at, entry in enumerate(entries) if isinstance(entry.event, GameStarted)]
    verdict = prover.entries(entries[: games[1] + 10])
    assert verdict["holds"]
    assert "not at its end" in " ".join(verdict["open"])
    assert "cut off" in " ".join(verdict["open"])
    assert "the seed" not in next(claim["words"] for claim in verdict["claims"] if claim["of"] == "decks")
    path = write(tmp_path / "broken-off.jsonl", entries[: games[1] + 10])
    path.write_bytes(path.read_bytes() + b'{"seq":')
    assert verdict_on(path).whole is verdict["whole"] is False
    assert verdict_on(path).open == [
        "the tournament is not at its end: seed, places and prizes are not revealed yet",
        "the last hand breaks off: its deck is not revealed, so it proves nothing",
        "the end is cut off: 7 bytes of a half-written line prove nothing",
    ]


def test_a_recording_cut_anywhere_is_not_whole_to_either(prover: Prover, tmp_path: Path) -> None:
    published = import_hands(PUBLISHED[0].read_bytes()).entries
    season = entries_of(played(7, 20, dice=random.Random(3)))
    assert prover.entries(season)["whole"]
    assert not prover.entries(season[:-1])["whole"]
    for number, entries in enumerate([published[:-12], small_contest()[:-1], small_contest()]):
        path = write(tmp_path / f"{number}.jsonl", entries)
        torn = path.with_suffix(".torn.jsonl")
        torn.write_bytes(path.read_bytes() + b'{"seq":')
        for each in (path, torn):
            verdict = prover.agreed(each)
            assert verdict["holds"]
            assert verdict["whole"] is (number == 2 and each is path)


_NAMES = (
    "\x1b[2J", "two\nlines", "a\u202eb", "a\u200bb", "\u3164", "\u034f", "\ue000", "\u2029", "", " ", "\u0301a",
    "x" + "\u0336" * 9, "x" * 101, "\u200d", "a\u2066b", "a\ufeff",
)  # fmt: skip
_FINE = ("x" * 100, "Señor Tilt", "高手", "שלום", "🤠", "e\u0301\u0323", "علی‌رضا", "ශ්‍රී", "葛󠄀", "လွှို့", "x\u0336\u0337")


@pytest.mark.parametrize("name", [*_NAMES, *_FINE])
def test_a_name_that_was_never_admitted_is_found_by_both(name: str, prover: Prover) -> None:
    for entries in (small_contest(), tuple(import_hands(PUBLISHED[0].read_bytes()).entries)):
        forged = _with_first(entries, name=name)
        verdict = prover.agreed_entries(forged)
        assert verdict["holds"] is (name in _FINE)
        assert ("never admitted" in verdict["fault"]) is (name not in _FINE)
    of_a_player = _with_first(small_contest(), player=name)
    assert prover.agreed_entries(of_a_player)["holds"] is (name in (*_FINE, ""))
    facts = [
        replace(entry, event=replace(entry.event, name=name)) if isinstance(entry.event, BotUploaded) else entry
        for entry in entries_of(played(3, 2, dice=random.Random(3)))
    ]
    assert prover.agreed_ledger(facts)["holds"] is (name in _FINE)


def _with_first(entries: Sequence[Entry], **changes: str) -> list[Entry]:
    """The recording with another first entrant."""
    opened = entries[0].event
    assert isinstance(opened, TournamentOpened)
    entrants = (replace(opened.entrants[0], **changes), *opened.entrants[1:])
    return [replace(entries[0], event=replace(opened, entrants=entrants)), *entries[1:]]


def test_the_rule_book_is_the_same_in_both(prover: Prover) -> None:
    """A whole contest by the book has nothing that is noted; with one rule changed it has."""
    by_the_book = [*PlayedContest(random.Random(1), 7).events()]
    entries = [Entry(seq, 0, event) for seq, event in enumerate(by_the_book, 1)]
    assert prover.entries(entries)["notes"] == []
    other = replace(QUICK_DRAW_CONTEST, rules=replace(QUICK_DRAW_CONTEST.rules, raise_laps=4))
    (note,) = prover.entries(play_contest(2, 3, shortened(other, 24)))["notes"]
    assert note == "The rules at the table are not those of the rule book."
