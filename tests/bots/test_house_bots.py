"""House bots chat at a limited rate, and are stronger on each rung of the ladder."""

import random
import time

import pytest

from server.app.practice.games.plan import practice_format
from server.bots.house.in_process import MIN_CHAT_GAP_SECONDS, TalkingBot
from server.bots.house.ladder import LADDER, ladder_bb_per_100
from server.bots.house.styles import styles
from server.bots.transports.tcp import MESSAGE_GAP_SECONDS
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ActionTaken, ChatSent, Entrant
from server.journal.bus import Bus
from server.paths import GUIDE
from server.tournament.director import Director
from tests.support.games.contests import open_gate
from tests.support.games.ladder_matches import match
from tests.support.games.recordings import of_kind


async def test_house_bots_keep_the_chat_limit_and_pause_between_messages() -> None:
    shape, bus, started = practice_format(QUICK_DRAW_FORMAT, 4, 8), Bus(None, time.monotonic), time.monotonic()
    entrants = [Entrant(number, f"House {number}") for number in range(1, 5)]
    director = Director(shape, entrants, seed=bytes(32), bus=bus, gate=open_gate)
    for bot in range(1, 5):
        director.add_bot(TalkingBot(bot, styles()["chatty"], random.Random(f"1 {bot}"), 0.0, director.record_bot_event))
    await director.run()
    seconds = time.monotonic() - started
    chats = [event.bot for event in of_kind(bus.entries, ChatSent)]
    assert chats
    assert max(chats.count(bot) for bot in chats) <= 1 + int(seconds / MIN_CHAT_GAP_SECONDS)
    assert seconds >= 0.9 * MESSAGE_GAP_SECONDS * len(of_kind(bus.entries, ActionTaken))


DEALS = 100


@pytest.mark.parametrize("strength", range(2, len(LADDER) + 1))
def test_bot_of_each_rung_earns_against_the_rung_below(strength: int) -> None:
    found = match(strength, strength - 1, DEALS)
    assert found.earned_per_100 > 0
    assert found.won_per_100 > 0
    assert found.low is not None
    assert found.high is not None
    rung = LADDER[strength - 1]
    assert 0 < rung.low < rung.bb_per_100 < rung.high
    assert found.low < rung.high, "the interval measured here must overlap the published one"
    assert rung.low < found.high


def test_guide_states_the_measured_earnings_of_each_rung() -> None:
    guide = (GUIDE / "bots.md").read_text()
    for number, rung in enumerate(LADDER[1:], 2):
        measured = f"{rung.bb_per_100:.0f}, {rung.low:.0f} to {rung.high:.0f}"
        assert f"| {number} | {rung.name} | {ladder_bb_per_100(number):.0f} | {measured} |" in guide
