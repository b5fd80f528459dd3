"""Whole contests of house bots, which come with the program and bet as people do."""

import random

from server.bots.house.characters import CHARACTERS
from server.bots.house.in_process import decision_at
from server.bots.house.styles import styles
from server.contests import CONTESTS
from server.game.decisions import Decision
from server.game.view import View
from server.journal.journal import Entry
from tests.support.games.contests import DiceBot, play_contest
from tests.support.games.recordings import with_names


class CharacterBot(DiceBot):
    """A house bot that makes some decisions at random, so that there are all-ins and unusual bets."""

    def _decide(self, view: View) -> Decision:
        if self._dice.random() < 0.15:
            return super()._decide(view)
        style = styles()[CHARACTERS[(self.id - 1) % len(CHARACTERS)].style]
        return decision_at(view, style, random.Random(self._dice.random()))


def play_house_contest(contest: str, seed: int, bots: int, *, rating: int = 0) -> list[Entry]:
    """Plays a contest or, if `rating` is given, a season's game. The arguments alone determine the returned journal."""
    entries = play_contest(seed, bots, CONTESTS[contest].format, rating=rating, kind=CharacterBot)
    return with_names(entries, *(CHARACTERS[number % len(CHARACTERS)].name for number in range(bots)))
