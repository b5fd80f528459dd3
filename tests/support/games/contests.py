"""Whole contests with random decisions, played in this process."""

import asyncio
import random
from collections.abc import Callable, Sequence

from server.bots.bot import Answer, Bot
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.decisions import Action, Call, Decision, Fold, PostBlind, RaiseTo
from server.game.events import ChatSent, Entrant, Event
from server.game.formats import Format
from server.game.prizes import standard_prizes
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.director import ConnectedBot, Director
from tests.support.background import run_in_thread

SEED = bytes(range(32))


class DiceBot(Bot):
    """A bot without a connection. Its decisions, thinking times, chats and occasional faults are random."""

    notified_events: tuple[type[Event], ...] = ()

    def __init__(self, bot: int, dice: random.Random, notify: Callable[[Event], object]) -> None:
        self.id = bot
        self._dice = dice
        self._notify = notify

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        await asyncio.sleep(0)
        if self._dice.random() < 0.02:
            self._notify(ChatSent(self.id, "howdy"))
        if self._dice.random() < 0.01:
            return Answer(None, 3000, "timeout")
        return Answer(resolve(self._decide(view)), self._dice.randrange(2500))

    def _decide(self, view: View) -> Decision:
        turn = view.hand.turn
        assert turn is not None, "a bot is asked only on its turn"
        if turn.blind:
            return Fold() if self._dice.random() < 0.01 else PostBlind(turn.to_call)
        if turn.max_raise_to and self._dice.random() < 0.2:
            high = min(turn.max_raise_to, 3 * turn.min_raise_to)
            return RaiseTo(self._dice.choice([turn.min_raise_to, high, high, turn.max_raise_to]))
        return Fold() if turn.to_call and self._dice.random() < 0.3 else Call()

    def notify(self, event: Event, view: View) -> None:
        """Ignores every event."""


def play_contest(
    seed: int,
    bots: int = 12,
    contest: Format = QUICK_DRAW_FORMAT,
    *,
    rating: int = 0,
    paid: bool = True,
    kind: Callable[[int, random.Random, Callable[[Event], object]], ConnectedBot] = DiceBot,
    withdrawn: int = 0,
    main_table: int = 0,
    before: Sequence[Entry] = (),
    is_stage_ended: Callable[[Sequence[Entry]], bool] = lambda _: False,
) -> list[Entry]:
    """Returns a contest's journal, which depends only on the arguments. The last `withdrawn` bots never connect.

    If `before` has the first entries of a contest, this contest is resumed. The operator ends a stage once
    `is_stage_ended` is true of the journal. If all tables get the same cards, table `main_table` (from 0) is recorded
    first. With a `rating`, the contest is a season's game. It has prizes only if it is `paid` and has no `rating`.
    """

    async def run() -> list[Entry]:
        bus = Bus(None, lambda: 0.0)
        bus.load(before)
        entrants = [Entrant(bot, f"Bot {bot}", f"Player {bot % 9}", rating=rating) for bot in range(1, bots + 1)]
        purse = standard_prizes(500 * bots) if paid and not rating else ()
        director = Director(
            contest, entrants, seed=SEED, bus=bus, prizes_cents=purse,
            is_stage_cut=lambda: is_stage_ended(bus.entries), choose_main_table=lambda _: main_table,
        )  # fmt: skip
        for bot in range(bots - withdrawn + 1, bots + 1) if not before else ():
            director.withdraw(bot, "it never came")
        for bot in range(1, bots - withdrawn + 1):
            director.add_bot(kind(bot, random.Random(f"{seed} {bot}"), director.record_bot_event))
        await director.run()
        return bus.entries

    return run_in_thread(run())
