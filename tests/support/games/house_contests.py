"""Whole contests of house bots, which bet as people do, for tests of the commentary on their hands."""

import random

from msgspec.structs import replace

from server.bots.house.characters import CHARACTERS
from server.bots.house.in_process import decision_at
from server.bots.house.styles import styles
from server.contests import CONTESTS
from server.game.decisions import Decision
from server.game.events import TournamentOpened
from server.game.view import View
from server.journal.journal import Entry
from tests.support.games.contests import DiceBot, play_contest

AT_RANDOM = 0.15
"""The probability of a random decision, high enough for all-ins and unusual bets."""


class CharacterBot(DiceBot):
    """A house bot that sometimes makes a random legal decision."""

    def _decide(self, view: View) -> Decision:
        if self._dice.random() < AT_RANDOM:
            return super()._decide(view)
        style = styles()[CHARACTERS[(self.id - 1) % len(CHARACTERS)].style]
        return decision_at(view, style, random.Random(self._dice.random()))


def play_house_contest(contest: str, seed: int, bots: int, *, rating: int = 0) -> list[Entry]:
    """All entries of a contest, always the same for the same arguments. With a `rating`, it is a game of a season."""
    opened, *rest = play_contest(seed, bots, CONTESTS[contest].format, rating=rating, kind=CharacterBot)
    assert isinstance(opened.event, TournamentOpened)
    entrants = tuple(
        replace(entrant, name=CHARACTERS[(entrant.bot - 1) % len(CHARACTERS)].name) for entrant in opened.event.entrants
    )
    return [replace(opened, event=replace(opened.event, entrants=entrants)), *rest]
