"""One practice game of a bot that is called over HTTP, against house bots in this process."""

from server.app.practice.games.contests import kind_of
from server.app.practice.games.table import PracticeTable
from server.bots.house.in_process import InProcessBot
from server.bots.house.ladder import playing
from server.bots.transports.http import Address


async def play_over_http(table: PracticeTable, address: Address) -> None:
    """Plays a game to its end with the bot at `address`. Raises OSError where the disk does not take an event."""
    plan = table.plan
    bot = kind_of(plan.contest.contest).guest(plan.entrants, address, table.director.hear, table)
    try:
        table.director.welcome(bot)
        for number, character in enumerate(plan.characters, 2):
            style = playing(character.style, plan.strength)
            table.director.welcome(InProcessBot(number, style, table.dice(number), plan.think_seconds))
        await table.play()
    finally:
        table.close()
        await bot.close()
