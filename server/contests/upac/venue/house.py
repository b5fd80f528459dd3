"""House bots (High Noon's own bots) of the contest UPAC.

Start one with `python -m server.contests.upac.venue.house --style loose --seed 7`. The bot plays over standard input
and output. The module `styles` decides what the bot does.
"""

import random
import sys
from collections.abc import Sequence
from typing import TextIO

from server.bots.house.styles import Situation, Style, choose_decision, styles
from server.game.cards import Card
from server.game.decisions import Call, Decision, RaiseTo

STYLE_UNITS_PER_CHIP = 50
"""How many chips of `styles` (where the big blind is 100) a UPAC chip is worth. UPAC's big blind is 2 chips."""


def play(lines: TextIO, answers: TextIO, style: Style, dice: random.Random) -> None:
    """Plays until `lines` ends, and writes the actions to `answers`."""
    player = _HouseBot(style, dice)
    for line in lines:
        if answer := player.answer_line(line.split()):
            answers.write(f"{answer}\n")
            answers.flush()


class _HouseBot:
    def __init__(self, style: Style, dice: random.Random) -> None:
        self._style = style
        self._dice = dice
        self._hole: Sequence[Card] = ()
        self._board: list[Card] = []
        self._chips_at_street_start: int | None = 0
        """The bot's chips in the pot when the street began, or None until the bot's first turn on the street."""

    def answer_line(self, words: Sequence[str]) -> str:
        """Returns the answer to a line, given as its `words`. Returns "" if the line needs no answer."""
        match words:
            case ["PREFLOP", *cards]:
                self._hole, self._board, self._chips_at_street_start = cards, [], 0
            case ["FLOP" | "TURN" | "RIVER", *cards]:
                self._board += cards
                self._chips_at_street_start = None
            case ["STACK", own_pushed, own_total, other_pushed, _]:
                return self._answer(int(own_pushed), int(own_total), int(other_pushed))
        return ""

    def _answer(self, own_pushed: int, own_total: int, other_pushed: int) -> str:
        self._chips_at_street_start = own_pushed if self._chips_at_street_start is None else self._chips_at_street_start
        situation = Situation(
            hole=tuple(self._hole),
            board=tuple(self._board),
            bet=(own_pushed - self._chips_at_street_start) * STYLE_UNITS_PER_CHIP,
            stack=(own_total - own_pushed) * STYLE_UNITS_PER_CHIP,
            current_bet=(max(own_pushed, other_pushed) - self._chips_at_street_start) * STYLE_UNITS_PER_CHIP,
            pot=(own_pushed + other_pushed) * STYLE_UNITS_PER_CHIP,
            opponents=1,
        )
        decision = choose_decision(self._style, situation, self._dice)
        raise_by = _raise_by(decision, situation)
        return f"R{raise_by}" if raise_by else "C" if isinstance(decision, Call | RaiseTo) else "F"


def _raise_by(decision: Decision, situation: Situation) -> int:
    if not isinstance(decision, RaiseTo):
        return 0
    return max((decision.raise_to - situation.current_bet) // STYLE_UNITS_PER_CHIP, 0)


def main(arguments: Sequence[str]) -> None:
    """Reads `--style STYLE --seed SEED` and plays. Ignores other options."""
    options = dict(zip(arguments[::2], arguments[1::2], strict=False))
    dice = random.Random(options.get("--seed", "0"))  # noqa: S311 (decides only how a house bot plays; deals no cards)
    play(sys.stdin, sys.stdout, styles()[options.get("--style", "careful")], dice)


if __name__ == "__main__":
    main(sys.argv[1:])
