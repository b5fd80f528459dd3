"""The budgets of agents: their games count with those of all other bots, and no seat is kept for ever."""

import time
from contextlib import suppress
from pathlib import Path

import pytest

from broadcast.app import Studio
from broadcast.web.serve import serving
from server.app.mcp.door import MAX_SEATS, Seats
from server.app.mcp.seat import NotNow, Seat
from server.app.mcp.serve import add_agents
from server.app.practice.agents import PracticeDoor
from server.app.practice.channels import PracticeChannels
from server.app.practice.limits import Limits
from server.bots.house.characters import CHARACTERS
from server.config.settings import Settings
from server.contests import CONTESTS, DEFAULT
from server.game.events import Entrant
from server.registration.register import Refused
from tests.mcp.scripted_agent import Agent, ToolRefused, agent_at, call_or_check

TABLES = 3


async def play_to_the_end(agent: Agent) -> None:
    """Plays until the game is over, although it did not wait for this agent while others played."""
    while True:
        with suppress(ToolRefused):
            await agent.play(call_or_check)
            return


async def test_flood_of_joins_gets_no_more_tables_than_other_bots_would(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, speed=0.0, seed=bytes(32))
    studio = Studio(settings.media, time.monotonic)
    entrants = [Entrant(bot, one.name) for bot, one in enumerate(CHARACTERS, 1)]
    channels = PracticeChannels(settings, studio, entrants, Limits(tables=TABLES, of_one=TABLES))
    contest = CONTESTS[DEFAULT]
    offer = contest.venue().offer(channels, ())
    try:
        async with (
            add_agents(studio.app, PracticeDoor(channels, contest, offer.game)),
            serving(studio.app, "127.0.0.1", 0) as base,
            agent_at(base) as agent,
        ):
            seated = [(await agent.join(hands=1))["secret"] for _ in range(TABLES)]
            for _ in range(TABLES):
                with pytest.raises(ToolRefused, match="try again in a minute"):
                    await agent.join()
            with pytest.raises(Refused):
                channels.slots.acquire("127.0.0.1")
            for agent.secret in seated:
                await play_to_the_end(agent)
            assert (await agent.join())["secret"] not in seated, "finished games make room"
            for wish, why in (
                ({"seats": 7}, "seats must be from 2 to 6, not 7"),
                ({"hands": 25}, "hands must be from 1 to 24, not 25"),
                ({"contest": "arena"}, 'plays "quick-draw", not "arena"'),
                ({"name": "N" * 31}, "at most 30 characters"),
            ):
                with pytest.raises(ToolRefused, match=why):
                    await agent.join(**wish)
    finally:
        await channels.end()


def test_only_seats_whose_games_are_over_are_forgotten() -> None:
    seats = Seats()
    first, second, *_ = [seats.add(Seat("Agent")) for _ in range(MAX_SEATS)]
    with pytest.raises(NotNow, match="agents are playing: try again"):
        seats.add(Seat("One too many"))
    second.seat.end("the game is over")
    seats.add(Seat("The next"))
    assert seats.seat(first.secret) is first.seat
    with pytest.raises(NotNow, match="no seat has this secret"):
        seats.seat(second.secret)
