"""One practice game of Quick Draw: the bot that practises, and house bots that connect over TCP as it does."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from server.app.event.check_in import WAIT_SECONDS
from server.app.practice.games.table import PracticeTable
from server.bots.bot import Bot
from server.bots.dialects.quickdraw import QuickDraw
from server.bots.house.characters import Character
from server.bots.house.ladder import playing
from server.bots.house.quickdraw import play
from server.bots.transports.tcp import TcpConnection
from server.bots.transports.tcp_listener import listen_for_bot
from server.game.rules import QUICK_DRAW
from server.game.tournament import Contest, StagePlan

LOCAL = "127.0.0.1"


async def play_over_tcp(table: PracticeTable, connection: TcpConnection) -> Bot:
    """Plays a game to its end with the bot behind `connection`, which is still connected when it is returned.

    Raises OSError where the disk does not take an event.
    """
    guest = Bot(1, QuickDraw(), connection, table.director.hear, record=table)
    try:
        async with AsyncExitStack() as seated:
            table.director.welcome(guest)
            for number, character in enumerate(table.plan.characters, 2):
                seated.push_async_callback(await _seat(table, number, character))
            await table.play()
    finally:
        table.close()
    return guest


async def _seat(table: PracticeTable, number: int, character: Character) -> Callable[[], Awaitable[None]]:
    """Connects a house bot over TCP, playing in a task of its own; returns what disconnects it."""
    listener = await listen_for_bot(LOCAL, LOCAL, WAIT_SECONDS)
    style = playing(character.style, table.plan.strength)
    coming = play(LOCAL, listener.port, character.name, style, table.dice(number), table.plan.think_seconds)
    house = asyncio.create_task(coming)
    bot = Bot(number, QuickDraw(), await listener.accept(), table.director.hear)
    table.director.welcome(bot)

    async def send_home() -> None:
        bot.hang_up()
        await house

    return send_home


def quick_draw(seats: int, hands: int) -> Contest:
    """Quick Draw as it is practised."""
    plan = StagePlan("Practice", 1, hands, seats=seats, draw=False)
    return Contest("quick-draw", "Practice", QUICK_DRAW, 5000, (plan,))
