"""Whole matches over TCP: programs for the original dealer, house bots, and players that break the rules."""

import asyncio
import random

import pytest

from server.bots.house.styles import styles
from server.contests.acpc.dealer_log import acpc_log
from server.contests.acpc.venue.house import play
from server.game.events import ActionTaken, BotDisconnected, FaultNoted, TournamentEnded
from server.hand_histories.from_recording import recorded_hands
from server.hand_histories.replay import cards_in
from server.verify.recording import verify
from tests.contests.acpc.dealer import LOCAL, Player, play_match, starter


async def calling(port: int) -> None:
    """Answers every state with a call, also those in which another player acts, with comments between."""
    reader, writer = await asyncio.open_connection(LOCAL, port)
    writer.write(b"VERSION:2.0.0\r\n# every state\r\n")
    while line := (await reader.readline()).decode().strip():
        writer.write(f"; a comment\n{line}:c\r\n".encode())
    writer.close()


def house(style: str) -> Player:
    async def player(port: int) -> None:
        await play(LOCAL, port, styles()[style], random.Random(style), 0.0, 20_000)

    return player


@pytest.mark.parametrize("players", [2, 3, 6])
def test_programs_for_the_original_dealer_play_whole_matches(players: int) -> None:
    entries = asyncio.run(play_match([starter] * players, 20))
    assert (verify(entries).finished, verify(entries).hands) == (True, 20)
    assert not [entry for entry in entries if isinstance(entry.event, FaultNoted | BotDisconnected)]
    hands = list(recorded_hands(entries))
    assert {stack for hand in hands for stack in hand.started.stacks} == {20_000}
    ended = entries[-1].event
    assert isinstance(ended, TournamentEnded)
    text = "".join(acpc_log(hands))
    names = {entrant.name: entrant.bot for entrant in hands[0].opened.entrants}
    _, scores, order = text.splitlines()[-1].split(":")
    bank = {placing.bot: placing.stack - 20 * 20_000 for placing in ended.placings}
    assert {names[name]: int(score) for name, score in zip(order.split("|"), scores.split("|"), strict=True)} == bank


@pytest.mark.parametrize(("players", "orders"), [(2, 2), (3, 6)])
def test_duplicates_play_the_same_cards_in_every_order_of_the_players(players: int, orders: int) -> None:
    entries = asyncio.run(play_match([calling] * players, 4, duplicate=True))
    assert verify(entries).games == orders
    assert not [entry for entry in entries if isinstance(entry.event, ActionTaken) and entry.event.fault]
    hands = list(recorded_hands(entries))
    boards = {(hand.started.hand, cards_in(hand.events).board) for hand in hands}
    assert len(boards) == 4, "everybody calls, so every board is dealt to its end"
    text = "".join(acpc_log(hands)).splitlines()
    scores = [
        dict(zip(names.split("|"), map(int, won.split("|")), strict=True))
        for _, won, names in (line.split(":") for line in text if line.startswith("SCORE"))
    ]
    assert len(scores) == orders
    assert {sum(score[name] for score in scores) for name in scores[0]} == {0}, "all play alike, and the cards are even"


@pytest.mark.parametrize("players", [2, 6])
def test_house_bots_make_no_mistakes(players: int) -> None:
    entries = asyncio.run(play_match([house(style) for style in list(styles())[:players]], 40))
    assert verify(entries).hands == 40
    assert not [entry.event for entry in entries if isinstance(entry.event, FaultNoted | BotDisconnected)]


def silent(version: str) -> Player:
    """A player that sends its version and nothing else."""

    async def player(port: int) -> None:
        reader, writer = await asyncio.open_connection(LOCAL, port)
        writer.write(f"VERSION:{version}\r\n".encode())
        await reader.read()
        writer.close()

    return player


@pytest.mark.parametrize(("version", "faults", "reason"), [("2.0.0", ["timeout"], ""), ("3.0.0", [], "VERSION:3.0.0")])
def test_player_that_is_silent_or_of_another_version_is_out_and_the_others_play_on(
    version: str, faults: list[str], reason: str
) -> None:
    entries = asyncio.run(play_match([silent(version), calling, calling], 6, think_ms=300))
    assert (verify(entries).finished, verify(entries).hands) == (True, 6)
    events = [entry.event for entry in entries]
    assert [event.fault for event in events if isinstance(event, ActionTaken) and event.fault == "timeout"] == faults
    gone = [event for event in events if isinstance(event, BotDisconnected)]
    assert {event.bot for event in gone} == {1}
    assert reason in gone[0].reason
