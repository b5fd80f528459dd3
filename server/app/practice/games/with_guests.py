"""One practice game of bots that play over TCP, or are called, against house bots in this process."""

from collections.abc import Sequence
from contextlib import AsyncExitStack

from server.app.practice.games.table import PracticeTable
from server.bots.bot import Bot
from server.bots.house.in_process import InProcessBot, TalkingBot
from server.bots.house.ladder import playing
from server.bots.http_bot import HttpBot
from server.bots.transports.http import Address, HttpConnection
from server.bots.transports.tcp import TcpConnection
from server.contests import CONTESTS


async def play_over_tcp(table: PracticeTable, connections: Sequence[TcpConnection]) -> list[Bot]:
    """Plays a game to its end with the bots behind `connections`, still connected when they are returned.

    Raises OSError where the disk does not take an event.
    """
    plan, hear = table.plan, table.director.hear
    contest = CONTESTS[plan.contest.contest]
    guests = [
        Bot(number, contest.talk(), connection, hear, record=table.records[number])
        for number, connection in enumerate(connections, 1)
    ]
    try:
        for guest in guests:
            table.director.welcome(guest)
        for number, character in enumerate(plan.characters, len(guests) + 1):
            style = playing(character.style, plan.strength)
            table.director.welcome(TalkingBot(number, style, table.dice(number), plan.think_seconds, hear))
        await table.play()
    finally:
        table.close()
    return guests


async def play_over_http(table: PracticeTable, addresses: Sequence[Address]) -> None:
    """Plays a game to its end with the bots at `addresses`. Raises OSError where the disk does not take an event."""
    plan = table.plan
    contest, hear = CONTESTS[plan.contest.contest], table.director.hear
    bots = [
        HttpBot(number, contest.call(plan.entrants), HttpConnection(address), hear, record=table.records[number])
        for number, address in enumerate(addresses, 1)
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
