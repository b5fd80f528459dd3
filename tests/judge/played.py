"""Plays and judges contests of house bots and of misbehaving bots."""

from itertools import count
from pathlib import Path

from msgspec.structs import replace

from server.contests import CONTESTS
from server.contests.acpc.rules import GAME, duplicates_of, match_of_game
from server.game.formats import Format, as_deals, as_series, with_blinds
from server.game.rules import Level
from server.verify.recording import verify
from tests.judge.contest import Judgement, judge
from tests.support.bots.misbehaving_bots import Dying, Faulty, Raising, Refusing
from tests.support.games.contests import DiceBot, play_contest
from tests.support.games.house_contests import CharacterBot
from tests.support.games.recordings import write

KINDS: tuple[type[DiceBot], ...] = (CharacterBot, DiceBot, Refusing, Raising, Dying, Faulty)
SHORT = {"quick-draw": 1000, "enova": 20, "upac": 50, "arena": 100, "acpc": 30_000}
RATING = 100_000
SIZES = {"upac": 1, "arena": 11, "acpc": 5}
"""How many sizes of a contest are played, starting with two bots. Other contests have 19 sizes: 2 to 20 bots."""


def shapes(contest: str) -> tuple[Format, ...]:
    """Returns a contest by the book, with short stacks, with rising antes, and as a contest of deals.

    If the book has them, also returns series or duplicate matches.
    """
    book = CONTESTS[contest].format
    short = replace(book, starting_stack=SHORT[contest])
    level = short.rules.levels[0]
    rising = tuple(Level(level.small * times, level.big * times, level.big * times - 1) for times in (1, 3, 9))
    antes = with_blinds(short, rising, 4)
    more = {"arena": [as_series(antes, 2)], "acpc": [duplicates_of(match_of_game(GAME, 8))]}.get(contest, [])
    return (book, short, antes, as_deals(antes, 6, hands=3), *more)


def judge_contest(contest: str, hands: int, folder: Path, kinds: tuple[type[DiceBot], ...] = KINDS) -> Judgement:
    """Plays and judges at least `hands` hands of a contest, with every kind and every number of bots."""
    total, all_shapes = Judgement(0, []), shapes(contest)
    for dice in count():
        for number, kind in enumerate(kinds):
            shape = all_shapes[(dice + number) % len(all_shapes)]  # each kind plays all shapes, one after the other
            bots = 2 + dice % SIZES.get(contest, 19)
            rating = RATING if contest == "upac" else 0
            entries = play_contest(dice, bots, shape, rating=rating, kind=kind, withdrawn=dice % 3 if bots > 5 else 0)
            assert verify(entries).finished, "the program's own proof must accept the contest"
            found = judge(write(folder / f"{contest}-{dice}-{kind.__name__}.jsonl", entries))
            total = Judgement(total.hands + found.hands, total.deviations + found.deviations)
        if total.hands >= hands:
            return total
    raise AssertionError("unreachable")
