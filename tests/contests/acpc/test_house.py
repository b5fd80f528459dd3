"""House bots play matches over TCP as any player does: whatever they send is taken as it is."""

import asyncio
import random

import pytest

from server.bots.house.styles import styles
from server.contests.acpc.venue.house import play
from server.game.events import BotDisconnected, FaultNoted
from server.verify.recording import verify
from tests.contests.acpc.dealer import LOCAL, Player, play_match


def house(style: str) -> Player:
    async def player(port: int) -> None:
        await play(LOCAL, port, styles()[style], random.Random(style), 0.0, 20_000)

    return player


@pytest.mark.parametrize("players", [2, 6])
def test_house_bots_make_no_mistakes(players: int) -> None:
    entries = asyncio.run(play_match([house(style) for style in list(styles())[:players]], 40))
    assert verify(entries).hands == 40
    assert not [entry.event for entry in entries if isinstance(entry.event, FaultNoted | BotDisconnected)]
