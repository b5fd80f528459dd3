"""House bots at a practice table: in every contest they play by its rules and always answer."""

import asyncio
import random

import pytest
from msgspec.structs import replace

from server.bots.house.in_process import InProcessBot, decision_at
from server.bots.house.styles import styles
from server.contests import CONTESTS
from server.contests.enova.rules import ENOVA
from server.game.decide import start_hand
from server.game.decisions import PostBlind
from server.game.events import ActionTaken, BlindPosted, Entrant, Event, HandStarted, SeatVacated
from server.game.tournament import StagePlan
from server.game.view import view_of
from server.journal.bus import Bus
from server.shuffle import deck_of, key_of
from server.tournament.director import Director
from server.verify.recording import verify
from tests.bots.fakes import FakeClock

HANDS = 60


def played(contest: str, seats: int, seed: int) -> list[Event]:
    """A game among house bots of every style, proved."""
    plan = StagePlan("Practice", 1, HANDS, seats=seats, draw=False)
    entrants = [Entrant(number, f"House {number}") for number in range(1, seats + 1)]
    bus = Bus(None, FakeClock().time)
    rules = replace(CONTESTS[contest].format, stages=(plan,))
    director = Director(rules, entrants, seed=bytes([seed] * 32), bus=bus, gate=_open)
    for number, style in zip(range(1, seats + 1), [*styles().values()] * 2, strict=False):
        director.welcome(InProcessBot(number, style, random.Random(f"{seed} {number}")))
    asyncio.run(director.run())
    assert verify(bus.entries).finished
    return [entry.event for entry in bus.entries]


@pytest.mark.parametrize(("contest", "seats"), [("quick-draw", 6), ("enova", 8), ("arena", 12), ("upac", 2)])
def test_house_bots_play_every_contest_by_its_rules(contest: str, seats: int) -> None:
    events = [event for seed in range(2) for event in played(contest, seats, seed)]
    acts = [event for event in events if isinstance(event, ActionTaken)]
    assert not [act for act in acts if act.fault]
    assert {act.act for act in acts} >= {"fold", "check", "call", "bet", "raise"}
    assert not [event for event in events if isinstance(event, SeatVacated)], "they post every blind"
    blinds = sum(isinstance(event, BlindPosted) for event in events)
    assert blinds >= 2 * sum(isinstance(event, HandStarted) for event in events)


def test_short_blind_is_posted_to_the_chip() -> None:
    hand, _ = start_hand(ENOVA, 1, 0, (5, 1, 5), deck_of(key_of(bytes(32), "any")))
    assert hand.turn is not None
    entrants = tuple(Entrant(number, str(number)) for number in (1, 2, 3))
    view = view_of(hand, hand.turn.seat, 1, entrants)
    assert decision_at(view, styles()["careful"], random.Random(1)) == PostBlind(1)


async def _open() -> None:
    """A gate that is always open."""
