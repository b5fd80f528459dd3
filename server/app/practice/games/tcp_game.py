"""One practice game of Quick Draw: the bot that practises over TCP, and house bots in this process."""

from server.app.practice.games.table import PracticeTable
from server.bots.bot import Bot
from server.bots.dialects.quickdraw import QuickDraw
from server.bots.house.ladder import playing
from server.bots.house.talking import TalkingBot
from server.bots.transports.tcp import TcpConnection
from server.game.rules import QUICK_DRAW
from server.game.tournament import Contest, StagePlan


async def play_over_tcp(table: PracticeTable, connection: TcpConnection) -> Bot:
    """Plays a game to its end with the bot behind `connection`, which is still connected when it is returned.

    Raises OSError where the disk does not take an event.
    """
    plan, hear = table.plan, table.director.hear
    guest = Bot(1, QuickDraw(), connection, hear, record=table)
    try:
        table.director.welcome(guest)
        for number, character in enumerate(plan.characters, 2):
            style = playing(character.style, plan.strength)
            table.director.welcome(TalkingBot(number, style, table.dice(number), plan.think_seconds, hear))
        await table.play()
    finally:
        table.close()
    return guest


def quick_draw(seats: int, hands: int) -> Contest:
    """Quick Draw as it is practised."""
    plan = StagePlan("Practice", 1, hands, seats=seats, draw=False)
    return Contest("quick-draw", "Practice", QUICK_DRAW, 5000, (plan,))
