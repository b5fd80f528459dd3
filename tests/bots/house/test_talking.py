"""House bots at a practice table of Quick Draw: they play by its rules, chat with the others, and leave them time."""

import asyncio
import random
import time

from server.app.practice.games.plan import short
from server.bots.house.in_process import TALK_SECONDS, TalkingBot
from server.bots.house.styles import Occasion, styles
from server.bots.transports.tcp import GAP_SECONDS
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ActionTaken, ChatSent, Entrant, Event, HandEnded
from server.journal.bus import Bus
from server.tournament.director import Director
from server.verify.recording import verify

BOTS, HANDS = 4, 8


def played(seed: int) -> list[Event]:
    """A game among talkative house bots, proved; bots sit in the order of their numbers."""

    async def play() -> Bus:
        bus = Bus(None, time.monotonic)
        entrants = [Entrant(number, f"House {number}") for number in range(1, BOTS + 1)]
        director = Director(
            short(QUICK_DRAW_FORMAT, BOTS, HANDS), entrants, seed=bytes([seed] * 32), bus=bus, gate=_open
        )
        for number in range(1, BOTS + 1):
            dice = random.Random(f"{seed} {number}")
            director.welcome(TalkingBot(number, styles()["chatty"], dice, 0.0, director.hear))
        await director.run()
        return bus

    entries = asyncio.run(play()).entries
    assert verify(entries).finished
    return [entry.event for entry in entries]


def said_on(occasion: Occasion, text: str) -> bool:
    patterns = [line.partition("NAME") for line in styles()["chatty"].lines[occasion]]
    return any(text.startswith(before) and text.endswith(after) for before, _, after in patterns)


def test_house_bots_chat_about_what_has_happened_and_reply_to_each_other() -> None:
    events = [event for seed in range(3) for event in [*played(seed), None]]
    chats = [(at, event) for at, event in enumerate(events) if isinstance(event, ChatSent)]
    assert chats, "a chatty bot chats within a few hands"
    for at, chat in chats:
        assert "NAME" not in chat.text
        begun = max((index for index in range(at) if events[index] is None), default=0)
        before = [event for event in events[begun:at] if event]
        folded = any(
            isinstance(each, ActionTaken) and (each.seat, each.act) == (chat.bot - 1, "fold") for each in before
        )
        if said_on("folded", chat.text):
            assert folded, "it folds before it chats"
        elif said_on("won", chat.text) or said_on("lost", chat.text):
            assert any(isinstance(each, HandEnded) for each in before), "the hand is over before it chats"
        elif said_on("heard", chat.text):
            assert any(isinstance(each, ChatSent) and each.bot != chat.bot for each in before)


def test_no_house_bot_chats_more_often_than_chats_are_passed_on() -> None:
    begun = time.monotonic()
    chats = [event.bot for event in played(1) if isinstance(event, ChatSent)]
    most = 1 + int((time.monotonic() - begun) / TALK_SECONDS)
    assert max(chats.count(bot) for bot in chats) <= most


def test_hands_leave_time_to_send_watching_bots_their_messages() -> None:
    begun = time.monotonic()
    acts = sum(isinstance(event, ActionTaken) for event in played(2))
    assert time.monotonic() - begun >= 0.9 * acts * GAP_SECONDS


async def _open() -> None:
    """A gate that is always open."""
