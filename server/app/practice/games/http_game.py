"""One practice game of bots that are called over HTTP, against house bots in this process."""

from collections.abc import Sequence
from contextlib import AsyncExitStack

from server.app.practice.games.contests import kind_of
from server.app.practice.games.table import PracticeTable
from server.bots.house.in_process import InProcessBot
from server.bots.house.ladder import playing
from server.bots.transports.http import Address


async def play_over_http(table: PracticeTable, addresses: Sequence[Address]) -> None:
    """Plays a game to its end with the bots at `addresses`. Raises OSError where the disk does not take an event."""
    plan = table.plan
    seat, hear = kind_of(plan.contest.contest).guest, table.director.hear
    bots = [
        seat(number, plan.entrants, address, hear, table.records[number]) for number, address in enumerate(addresses, 1)
    ]
    async with AsyncExitStack() as closing:
        for bot in bots:
            closing.push_async_callback(bot.close)
        closing.callback(table.close)
        for bot in bots:
            table.director.welcome(bot)
        for number, character in enumerate(plan.characters, len(bots) + 1):
            style = playing(character.style, plan.strength)
            table.director.welcome(InProcessBot(number, style, table.dice(number), plan.think_seconds))
        await table.play()
