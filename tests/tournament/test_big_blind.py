"""The big blind moves to the next bot with chips after the one that posted it last, however a seat becomes empty."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from msgspec.structs import replace

from server.contests import CONTESTS
from server.contests.arena.rules import ARENA, ARENA_FORMAT
from server.contests.enova.rules import ENOVA, ENOVA_FORMAT
from server.game.events import BlindPosted, Event, GameStarted, HandStarted, SeatVacated, TournamentOpened, TurnStarted
from server.game.rules import Level
from server.game.tournament import with_blinds
from server.journal.bus import Bus
from server.journal.journal import Entry, read_journal
from server.tournament.director import Director
from server.verify.file import verdict_on
from server.verify.games import Blinds
from server.verify.recording import Tournament, verify
from server.verify.refutation import Refuted, follow
from tests.support.contests import SEED, DiceBot, play_contest
from tests.support.misbehaving_bots import Dying, Refusing
from tests.support.source_files import ROOT

TWICE = ROOT / "tests/data/enova/big-blind-twice.jsonl"
"""A recording by an earlier version in which a bot posted the big blind twice in a row."""
SHORT = {"quick-draw": 1000, "enova": 20, "upac": 50, "arena": 100}


def hands_of(entries: Sequence[Entry]) -> Iterator[list[list[Event]]]:
    """The hands of each game, each as its events."""
    game: list[list[Event]] = []
    for entry in entries:
        if isinstance(entry.event, GameStarted):
            yield game
            game = []
        elif isinstance(entry.event, HandStarted):
            game.append([entry.event])
        elif game:
            game[-1].append(entry.event)
    yield game


def big_blind(hand: Sequence[Event]) -> int | None:
    return next((post.seat for post in hand if isinstance(post, BlindPosted) and post.blind == "big"), None)


def due(last: int, hand: Sequence[Event]) -> int | None:
    """The seat due for the big blind after `last`: the next with chips that does not refuse; None if one is left."""
    started = hand[0]
    assert isinstance(started, HandStarted)
    refused = {event.seat for event in hand if isinstance(event, SeatVacated)}
    small = {post.seat for post in hand if isinstance(post, BlindPosted) and post.blind == "small"}
    seats = [(last + step) % len(started.stacks) for step in range(1, len(started.stacks) + 1)]
    there = [at for at in seats if started.stacks[at] and at not in refused]
    return next((at for at in there if at not in small), None) if len(there) > 1 else None


@pytest.mark.parametrize("kind", [DiceBot, Refusing, Dying], ids=["busts", "refuses", "dies"])
@pytest.mark.parametrize(
    ("contest", "bots"),
    [("upac", 2), *((name, bots) for name in ("quick-draw", "enova", "arena") for bots in (2, 3, 6))],
)
def test_the_big_blind_moves_on_from_the_bot_that_posted_it(contest: str, bots: int, kind: type[DiceBot]) -> None:
    plan = replace(CONTESTS[contest].format, starting_stack=SHORT[contest])
    moved = 0
    for dice in range(8):
        entries = play_contest(dice, bots, plan, kind=kind, rating=100_000 if contest == "upac" else 0)
        for game in hands_of(entries):
            for before, hand in pairwise(game):
                last, big = big_blind(before), big_blind(hand)
                assert last is not None, "a game in which nobody posts is over"
                assert big == due(last, hand)
                moved += 1
        assert verify(entries).finished
    assert moved


def test_the_big_blind_moves_on_from_a_bot_whose_chips_went_into_the_ante() -> None:
    contest = with_blinds(replace(ARENA_FORMAT, starting_stack=12), (Level(1, 2, ante=3),))
    unposted = 0
    for dice in range(60):
        for game in hands_of(play_contest(dice, 4, contest)):
            was = len(game[0][0].stacks) - 2 if game and isinstance(game[0][0], HandStarted) else 0
            for hand in game:
                started = hand[0]
                assert isinstance(started, HandStarted)
                seats = [(was + step) % len(started.stacks) for step in range(1, len(started.stacks) + 1)]
                was = next(at for at in seats if started.stacks[at])
                unposted += big_blind(hand) is None
                assert big_blind(hand) in (was, None)
    assert unposted > 5


# -- verify ----------------------------------------------------------------------------------------


def in_edition_2(entries: Sequence[Entry]) -> list[Entry]:
    """A recording of an earlier version that claims to be one of this one."""
    opened = entries[0].event
    assert isinstance(opened, TournamentOpened)
    return [replace(entries[0], event=replace(opened, rules=replace(opened.rules, edition=2))), *entries[1:]]


def test_the_old_rule_of_the_big_blind_holds_only_in_old_recordings() -> None:
    entries = read_journal(TWICE).entries
    assert [big_blind(one) == big_blind(other) for game in hands_of(entries) for one, other in pairwise(game)].count(
        True
    ) == 2
    assert verdict_on(TWICE).holds
    with pytest.raises(Refuted, match="the seat with the button should be"):
        follow(in_edition_2(entries), Tournament)


def test_blinds_from_the_wrong_seats_are_refuted() -> None:
    started = HandStarted(1, 0, 1, 2, 0, (20, 20, 20), "")
    small, big, asked = (
        BlindPosted(1, "small", 1, all_in=False),
        BlindPosted(2, "big", 2, all_in=False),
        TurnStarted(1, 2, 0, 0, 5000, "small"),
    )
    for rules, wrong in ((ARENA, [small, replace(big, seat=0)]), (ENOVA, [asked, small, replace(asked, seat=0)])):
        blinds = Blinds(rules, 3)
        blinds.check_button(started)
        with pytest.raises(Refuted, match="the seat of the next blind should be 3, but the recording says 1"):
            blinds.check_posts([started, *wrong])


def test_a_contest_begun_by_an_earlier_version_continues_by_its_rules() -> None:
    past = read_journal(TWICE).entries
    opened, hands = past[0].event, [entry.seq for entry in past if isinstance(entry.event, HandStarted)]
    assert isinstance(opened, TournamentOpened)
    begun = [entry for entry in past if entry.seq < hands[4]]

    async def story() -> list[Entry]:
        bus = Bus(None, lambda: 0.0)
        bus.load(begun)
        contest = with_blinds(replace(ENOVA_FORMAT, starting_stack=20), (Level(1, 2), Level(3, 6)), 5)
        purse = opened.prizes_cents
        director = Director(contest, opened.entrants, seed=SEED, bus=bus, prizes_cents=purse)
        await director.run()
        return bus.entries

    entries = asyncio.run(story())
    assert verify(entries).finished
    assert [entry.event for entry in entries[: len(begun)]] == [entry.event for entry in begun]
