"""Plays contests in deals (rounds in which all tables get the same cards). Each bot has an instance at every table."""

import random
from collections.abc import Callable, Sequence

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import DecidedBy, Entrant, Event
from server.game.formats import Format, as_deals
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.director import Director
from tests.support.background import run_in_thread
from tests.support.games.contests import SEED, DiceBot


def play_deals(
    bots: int,
    deals: int,
    *,
    first_table_seed: int = 0,
    other_tables_seed: int = 0,
    hands: int = 1,
    minutes: int = 0,
    sure_percent: int = 0,
    decided_by: DecidedBy = "chips",
    contest: Format = QUICK_DRAW_FORMAT,
    kind: type[DiceBot] = DiceBot,
    choose_main_table: Callable[[Sequence[Sequence[Event]]], int] = lambda _: 0,
) -> list[Entry]:
    """Returns a contest's journal. The bots' decisions depend on the seed of their table.

    The show of a stage may take `minutes`. If `minutes` is 0, every deal is shown in full. Play ends early once it is
    `sure_percent` % certain which bot is best. If `sure_percent` is 0, play never ends early.
    """

    async def run() -> list[Entry]:
        bus = Bus(None, lambda: 0.0)
        entrants = [Entrant(bot, f"Bot {bot}") for bot in range(1, bots + 1)]
        plan = as_deals(contest, deals, hands, minutes=minutes, sure_percent=sure_percent, decided_by=decided_by)
        director = Director(plan, entrants, seed=SEED, bus=bus, choose_main_table=choose_main_table, tables_at_once=1)
        for table in range(min(bots, contest.stages[-1].seats)):
            seed = other_tables_seed if table else first_table_seed
            for bot in range(1, bots + 1):
                notify = lambda event, table=table: director.record_table_event(table, event)  # noqa: E731
                director.add_table_bot(table, kind(bot, random.Random(f"{seed} {table} {bot}"), notify))
        await director.run()
        return bus.entries

    return run_in_thread(run())
