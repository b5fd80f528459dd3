"""The job of a worker that plays a game of a season: builds both bots, once, and plays it in boxes of its own."""

import asyncio
from pathlib import Path

from server.bots.sandbox.runner import CannotRun
from server.console import say
from server.season.bot_setup import build, contender_of
from server.season.game import Contender, play_game
from server.submissions.commands import read_commands
from server.workers.orders import BotOrder, PlayedGame, encode, read_game_order
from server.workers.workplace import Workplace

GAME = "game"


async def play(place: Workplace, body: bytes) -> bytes:
    """Plays a game to its end: a `GameOrder` comes in, a `PlayedGame` goes out, both encoded.

    Raises CannotRun where a bot cannot be built here, OSError where the disk fails.
    """
    order = read_game_order(body)
    with place.room() as room:
        sides = [await _contender(place, bot, Path(room)) for bot in (order.defender, order.challenger)]
        journal = Path(room) / "game.jsonl"
        files = (await play_game(sides[0], sides[1], seed=order.seed, journal=journal, begun=order.begun)).files
        texts = (files.journal, files.public, files.defender, files.challenger)
        read = [path.read_bytes() if path.exists() else b"" for path in texts]
    say(f"game {order.number}: {order.defender.entrant.name} and {order.challenger.entrant.name}")
    return encode(PlayedGame(*read))


async def _contender(place: Workplace, bot: BotOrder, room: Path) -> Contender:
    async def built() -> str:
        say(f"building {bot.entrant.name}")
        submission = await asyncio.to_thread(
            read_commands, place.folder_of(bot.digest), room / f"{bot.digest}.unpacked"
        )
        if submission.faults:
            raise CannotRun(" ".join(submission.faults))
        return await build(submission, place.runner, lambda _line: None)

    return contender_of(bot.entrant, place.runner, await place.builds.of(bot.digest, built))
