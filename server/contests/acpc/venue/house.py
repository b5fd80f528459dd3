"""House bots (High Noon's own bots) of the contest ACPC. Each is a client that connects to a port of its own."""

import asyncio
import contextlib
import random

from server.bots.house.styles import Situation, Style, choose_decision, pause_of
from server.contests.acpc.betting import BettingTracker, split_betting
from server.contests.acpc.game_definition import Game
from server.game.cards import parse_cards
from server.game.decisions import Fold, RaiseTo

LINE_BYTES = 8192


async def play(  # noqa: PLR0917 (the only caller passes all six arguments by position)
    host: str, port: int, style: Style, dice: random.Random, think_seconds: float, stack: int
) -> None:
    """Plays in `style` until the server closes the connection. Raises OSError if it cannot connect.

    `dice` makes all random choices. The bot pauses for at most `think_seconds` before each action. Every player starts
    every hand with `stack` chips.
    """
    reader, writer = await asyncio.open_connection(host, port, limit=LINE_BYTES)
    # The server closes the connection after the match.
    with contextlib.closing(writer), contextlib.suppress(ConnectionError):
        writer.write(b"VERSION:2.0.0\r\n")
        async for line in reader:
            state = line.decode().strip()
            if action := choose_action(state, style, dice, stack):
                await asyncio.sleep(pause_of(style, think_seconds, dice))
                writer.write(f"{state}:{action}\r\n".encode())


def choose_action(state: str, style: Style, dice: random.Random, stack: int) -> str:
    """Returns the action of a bot with this `style` after the server's line `state`, such as "r300". Returns "" if
    another bot must act.
    """
    _, position_text, _, betting, cards = state.split(":")
    hole_text, *board = cards.split("/")
    hole_cards, position = hole_text.split("|"), int(position_text)
    tracker = BettingTracker(Game(len(hole_cards), stack))
    for act in split_betting(betting):
        if act == "/":
            tracker.next_street()
        else:
            tracker.apply(act)
    if tracker.position_to_act != position:
        return ""
    spent, highest = tracker.committed[position], max(tracker.committed)
    situation = Situation(
        hole=parse_cards(hole_cards[position]),
        board=parse_cards("".join(board)),
        bet=spent - tracker.round_start_total if spent > tracker.round_start_total else 0,
        stack=stack - spent,
        current_bet=highest - tracker.round_start_total,
        pot=sum(tracker.committed),
        opponents=len(hole_cards) - len(tracker.folded) - 1,
    )
    decision = choose_decision(style, situation, dice)
    if isinstance(decision, RaiseTo) and highest < stack:
        return f"r{min(max(decision.raise_to + tracker.round_start_total, tracker.min_raise_total), stack)}"
    return "f" if isinstance(decision, Fold) and highest > spent else "c"
