"""Whole matches over TCP: programs for the original dealer, house bots, and players that break the rules."""

import asyncio
import random

import pytest

from server.bots.house.styles import styles
from server.contests.acpc.dealer_log import acpc_log
from server.contests.acpc.venue.house import play
from server.game.events import ActionTaken, BotDisconnected, FaultNoted, HandStarted, TournamentEnded
from server.hand_histories.from_recording import recorded_hands
from server.hand_histories.replay import cards_in
from server.journal.journal import Entry
from server.verify.recording import verify
from tests.contests.acpc.dealer import LOCAL, Player, play_match, starter


def answering(action: str) -> Player:
    """A player that answers every state it is sent with `action`, with comments between."""

    async def player(port: int) -> None:
        reader, writer = await asyncio.open_connection(LOCAL, port)
        writer.write(b"VERSION:2.0.0\r\n# every state\r\n")
        while line := (await reader.readline()).decode().strip():
            writer.write(f"; a comment\n{line}:{action}\r\n".encode())
        writer.close()

    return player


calling = answering("c")


def house(style: str) -> Player:
    async def player(port: int) -> None:
        await play(LOCAL, port, styles()[style], random.Random(style), 0.0, 20_000)

    return player


async def silent_after_the_version(port: int) -> None:
    reader, writer = await asyncio.open_connection(LOCAL, port)
    writer.write(b"VERSION:2.0.0\r\n")
    await reader.read()
    writer.close()


async def of_another_version(port: int) -> None:
    reader, writer = await asyncio.open_connection(LOCAL, port)
    writer.write(b"VERSION:3.0.0\r\n")
    await reader.read()
    writer.close()


def faults(entries: list[Entry], bot: int) -> list[str]:
    return [entry.event.detail for entry in entries if isinstance(entry.event, FaultNoted) and entry.event.bot == bot]


@pytest.mark.parametrize("players", [2, 3, 6])
def test_programs_for_the_original_dealer_play_whole_matches(players: int) -> None:
    entries = asyncio.run(play_match([starter] * players, 20))
    proof = verify(entries)
    assert proof.finished
    assert proof.hands == 20
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


def test_answers_to_other_states_cost_nothing() -> None:
    entries = asyncio.run(play_match([calling, calling], 5))
    acts = [entry.event for entry in entries if isinstance(entry.event, ActionTaken)]
    assert {act.act for act in acts} == {"call", "check"}
    assert not any(act.fault for act in acts)
    assert len([entry for entry in entries if isinstance(entry.event, HandStarted)]) == 5


def test_silent_player_is_out_and_the_others_play_on() -> None:
    entries = asyncio.run(play_match([silent_after_the_version, calling, calling], 6, think_ms=300))
    assert verify(entries).finished
    acts = [entry.event for entry in entries if isinstance(entry.event, ActionTaken)]
    assert [act.fault for act in acts if act.fault].count("timeout") == 1
    assert any(isinstance(entry.event, BotDisconnected) and entry.event.bot == 1 for entry in entries)
    assert len([entry for entry in entries if isinstance(entry.event, HandStarted)]) == 6


def test_player_of_another_version_is_out_at_once() -> None:
    entries = asyncio.run(play_match([of_another_version, calling], 3))
    gone = [entry.event for entry in entries if isinstance(entry.event, BotDisconnected)]
    assert [event.bot for event in gone] == [1]
    assert "VERSION:3.0.0" in gone[0].reason


@pytest.mark.parametrize(
    ("action", "reason"), [("x", "is f, c or r"), ("r99999", "must be to"), ("r1", "must be to"), ("", "is f, c or r")]
)
def test_wrong_action_is_recorded_and_the_match_goes_on(action: str, reason: str) -> None:
    entries = asyncio.run(play_match([answering(action), calling], 3))
    assert reason in " ".join(faults(entries, 1))
    assert verify(entries).finished
    assert not [entry for entry in entries if isinstance(entry.event, BotDisconnected)]
