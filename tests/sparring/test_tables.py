"""Mirrored tables: all bots get the same cards and play from every seat."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from broadcast.odds.earned import Unit
from server.app.sparring.tables import MirroredTables, sparring
from server.bots.house.in_process import InProcessBot
from server.bots.house.styles import styles
from server.contests import CONTESTS
from server.game.events import Entrant, Event, GameStarted, HandStarted, HoleDealt, StreetDealt
from server.journal.journal import read_journal
from server.shuffle import parse_seed
from server.verify.recording import verify

STYLES = ("careful", "loose", "aggressive")
DEALS = 12


def play_match(
    contest: str, folder: Path | None, bots: int = 3, *, seed: str = "5", stop_after: int = DEALS
) -> list[list[Unit]]:
    """Plays a match between house bots; returns the results of each deal."""
    dealt: list[list[Unit]] = []

    def count(units: Sequence[Unit]) -> bool:
        dealt.append(list(units))
        return len(dealt) < stop_after

    entrants = [Entrant(number, style) for number, style in enumerate(STYLES[:bots], 1)]
    tables = MirroredTables(sparring(contest, DEALS, bots), entrants, parse_seed(seed), count, folder)

    async def play() -> None:
        tables.welcome([
            InProcessBot(one.bot, styles()[one.name], random.Random(f"{seed} {one.bot}")) for one in entrants
        ])  # fmt: skip
        await tables.play()

    asyncio.run(play())
    return dealt


def boards_of(events: Sequence[Event]) -> dict[int, str]:
    """The cards on the board of each game."""
    game, boards = 0, dict[int, str]()
    for event in events:
        if isinstance(event, GameStarted):
            game = event.game
        elif isinstance(event, StreetDealt):
            boards[game] = boards.get(game, "") + "".join(event.cards)
    return boards


def test_every_bot_plays_every_seat_with_equal_cards_boards_stacks_and_blinds(tmp_path: Path) -> None:
    play_match("quick-draw", tmp_path)
    seats: list[list[tuple[int, ...]]] = []
    cards: list[list[object]] = []
    started: list[HandStarted] = []
    boards: list[dict[int, str]] = []
    for path in sorted(tmp_path.glob("*.jsonl")):
        entries = read_journal(path).entries
        assert verify(entries).finished
        events = [entry.event for entry in entries]
        boards.append(boards_of(events))
        started += [event for event in events if isinstance(event, HandStarted)]
        seats.append([event.seats for event in events if isinstance(event, GameStarted)])
        cards.append([(event.seat, event.cards) for event in events if isinstance(event, HoleDealt)])
    assert len(seats) == 3
    for deal in zip(*seats, strict=True):
        assert [sorted(at_seat) for at_seat in zip(*deal, strict=True)] == [[1, 2, 3]] * 3
    assert cards[0] == cards[1] == cards[2]
    assert len(cards[0]) == 3 * DEALS
    contest = CONTESTS["quick-draw"].format
    blinds = contest.rules.levels[0]
    assert {(event.stacks, event.small_blind, event.big_blind) for event in started} == {
        ((contest.starting_stack,) * 3, blinds.small, blinds.big)
    }
    for game in range(1, DEALS + 1):
        longest = max((board.get(game, "") for board in boards), key=len)
        assert all(longest.startswith(board.get(game, "")) for board in boards)


@pytest.mark.parametrize("contest", list(CONTESTS))
def test_winnings_and_luck_sum_to_zero_at_every_table(contest: str) -> None:
    dealt = play_match(contest, None, bots=2)
    assert len(dealt) == DEALS
    for unit in (unit for deal in dealt for unit in deal):
        assert set(unit) == {1, 2}
        assert sum(each.won for each in unit.values()) == 0
        assert sum(each.luck for each in unit.values()) == 0


def test_match_stops_on_request_and_only_the_same_seed_repeats_it() -> None:
    first = play_match("quick-draw", None, stop_after=4)
    assert len(first) == 4
    assert play_match("quick-draw", None, stop_after=4) == first
    assert play_match("quick-draw", None, stop_after=4, seed="6") != first
