"""House bots play every contest by its rules, chat at a limited rate, and are stronger on each rung of the ladder."""

import asyncio
import random
import time
from collections.abc import Callable

import pytest

from server.app.practice.games.plan import practice_format
from server.bots.house.in_process import TALK_SECONDS, InProcessBot, TalkingBot
from server.bots.house.ladder import LADDER, rating
from server.bots.house.styles import styles
from server.bots.transports.tcp import GAP_SECONDS
from server.contests import CONTESTS
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ActionTaken, BlindPosted, ChatSent, Entrant, Event, HandStarted, SeatVacated
from server.game.formats import Format
from server.journal.bus import Bus
from server.paths import GUIDE
from server.tournament.director import Director
from server.verify.recording import verify
from tests.support.games.contests import open_gate
from tests.support.games.ladder_matches import match

MakeBot = Callable[[int, Callable[[Event], object]], InProcessBot]
"""Makes a bot from its number and a function that is called with each of its chats."""


def play_game(shape: Format, seed: int, make: MakeBot) -> list[Event]:
    """Plays a game among house bots, seated in the order of their numbers; returns its verified events."""

    async def play() -> Bus:
        bus = Bus(None, time.monotonic)
        entrants = [Entrant(number, f"House {number}") for number in range(1, shape.stages[0].seats + 1)]
        director = Director(shape, entrants, seed=bytes([seed] * 32), bus=bus, gate=open_gate)
        for entrant in entrants:
            director.welcome(make(entrant.bot, director.hear))
        await director.run()
        return bus

    entries = asyncio.run(play()).entries
    assert verify(entries).finished
    return [entry.event for entry in entries]


@pytest.mark.parametrize(("contest", "seats"), [("quick-draw", 6), ("enova", 8), ("arena", 12), ("upac", 2)])
def test_house_bots_play_every_contest_by_its_rules(contest: str, seats: int) -> None:
    kinds, shape = [*styles().values()], practice_format(CONTESTS[contest].format, seats, 60)

    def game(seed: int) -> list[Event]:
        def make(bot: int, _: Callable[[Event], object]) -> InProcessBot:
            return InProcessBot(bot, kinds[(bot - 1) % len(kinds)], random.Random(f"{seed} {bot}"))

        return play_game(shape, seed, make)

    events = [*game(0), *game(1)]
    acts = [event for event in events if isinstance(event, ActionTaken)]
    assert not [act for act in acts if act.fault]
    assert {act.act for act in acts} >= {"fold", "check", "call", "bet", "raise"}
    assert not [event for event in events if isinstance(event, SeatVacated)], "house bots post every blind"
    blinds = sum(isinstance(event, BlindPosted) for event in events)
    assert blinds >= 2 * sum(isinstance(event, HandStarted) for event in events)


def test_house_bots_keep_the_chat_limit_and_pause_between_messages() -> None:
    def make(bot: int, notify: Callable[[Event], object]) -> InProcessBot:
        return TalkingBot(bot, styles()["chatty"], random.Random(f"1 {bot}"), 0.0, notify)

    started = time.monotonic()
    events = play_game(practice_format(QUICK_DRAW_FORMAT, 4, 8), 1, make)
    seconds = time.monotonic() - started
    chats = [event.bot for event in events if isinstance(event, ChatSent)]
    assert chats
    assert max(chats.count(bot) for bot in chats) <= 1 + int(seconds / TALK_SECONDS)
    assert seconds >= 0.9 * GAP_SECONDS * sum(isinstance(event, ActionTaken) for event in events)


DEALS = 100


@pytest.mark.parametrize("strength", range(2, len(LADDER) + 1))
def test_bot_of_each_rung_earns_against_the_rung_below(strength: int) -> None:
    found = match(strength, strength - 1, DEALS)
    assert found.earned_per_100 > 0
    assert found.won_per_100 > 0
    assert found.low is not None
    assert found.high is not None
    rung = LADDER[strength - 1]
    assert 0 < rung.low < rung.earns < rung.high
    assert found.low < rung.high, "the interval measured here must overlap the published one"
    assert rung.low < found.high


def test_guide_states_the_measured_earnings_of_each_rung() -> None:
    guide = (GUIDE / "bots.md").read_text()
    for number, rung in enumerate(LADDER[1:], 2):
        measured = f"{rung.earns:.0f}, {rung.low:.0f} to {rung.high:.0f}"
        assert f"| {number} | {rung.name} | {rating(number):.0f} | {measured} |" in guide
