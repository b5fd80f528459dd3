"""Counts how true the bots' thoughts were: right and false claims, and how near estimates came to real chances to win.
Also counts what thoughts cost: time, and the tokens and money that bots say they spent. No I/O.

A Brier score is usually the squared error of an estimate once the hand is won or lost. Here, it is the squared error to
expect from the real chance to win, with all cards known. So luck and folds do not change it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import UNSET

from broadcast.commentary.claims.claim import Estimate, Reading
from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.on_air.shared_types import Calibration, ReadingScores
from server.game import events
from server.game.events import Account, Event

BINS = 10
"""The number of ranges of equal size, from 0 to 100 %, into which estimates are sorted."""


class ReadingCounts:
    """Follows the events of a tournament, and scores each bot's thoughts."""

    def __init__(self) -> None:
        self._reader = ThoughtReader()
        self._thoughts, self._claims, self._false_claims = Counter[int](), Counter[int](), Counter[int]()
        self._estimates: dict[int, list[tuple[float, float]]] = {}
        """Each bot's estimates, as pairs of the estimate and the real chance."""
        self._bots: tuple[int, ...] = ()
        self._hands, self._answers, self._think_ms = Counter[int](), Counter[int](), Counter[int]()
        self._tokens, self._cost_millionths = Counter[int](), Counter[int]()
        """The tokens and the money that the bots say they have spent. `_cost_millionths` is in millionths of a
        dollar.
        """

    def apply(self, event: Event) -> None:
        """Counts the bots' hands, answers and thinking times, and the claims and costs of their thoughts."""
        reading = self._reader.apply(event)
        match event:
            case events.GameStarted(seats=seats):
                self._bots = seats
            case events.HandStarted(stacks=stacks):
                self._hands.update(bot for bot, stack in zip(self._bots, stacks, strict=False) if stack)
            case events.ActionTaken(seat=seat, fault="", think_ms=think_ms) if seat < len(self._bots):
                self._answers[self._bots[seat]] += 1
                self._think_ms[self._bots[seat]] += think_ms
            case events.NoteGiven() if reading:
                self._count(reading, event.account or Account())

    def _count(self, reading: Reading, account: Account) -> None:
        bot = reading.bot
        self._thoughts[bot] += 1
        self._claims[bot] += len(reading.claims)
        self._false_claims[bot] += sum(not claim.right for claim in reading.claims)
        self._estimates.setdefault(bot, []).extend(_with_chances(reading.estimates))
        if account.tokens is not UNSET:
            self._tokens[bot] += account.tokens
        if account.cost_millionths is not UNSET:
            self._cost_millionths[bot] += account.cost_millionths

    @property
    def claims(self) -> int:
        """How many claims all bots have made."""
        return self._claims.total()

    @property
    def false_claims(self) -> int:
        """How many of the claims were false."""
        return self._false_claims.total()

    def scores(self) -> Mapping[int, ReadingScores]:
        """Returns the scores of the bots that have given thoughts, keyed by bot."""
        return {
            bot: ReadingScores(
                thoughts,
                self._claims[bot],
                self._false_claims[bot],
                len(estimates := self._estimates[bot]),
                brier_score(estimates),
                calibration(estimates),
                self._hands[bot],
                self._answers[bot],
                self._think_ms[bot],
                self._tokens.get(bot),
                self._cost_millionths.get(bot),
            )
            for bot, thoughts in self._thoughts.items()
        }


def _with_chances(estimates: Sequence[Estimate]) -> list[tuple[float, float]]:
    return [(each.estimated_chance, each.real_chance) for each in estimates if each.real_chance is not None]


def brier_score(estimates: Sequence[tuple[float, float]]) -> float | None:
    """Returns the expected Brier score of `estimates`, or None if there are no estimates.

    `estimates` are pairs of the estimate and the real chance, both from 0 to 1.
    """
    if not estimates:
        return None
    errors = (real * (1 - said) ** 2 + (1 - real) * said**2 for said, real in estimates)
    return round(sum(errors) / len(estimates), 4)


def calibration(estimates: Sequence[tuple[float, float]]) -> tuple[Calibration, ...]:
    """Divides the `estimates` into ranges: 0-10 %, 10-20 % and so on. Returns, for each range, the number of estimates,
    their mean, and the mean of the real chances. Returns () if there are no estimates.

    `estimates` are pairs as in `brier_score`.
    """
    bins: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for said, real in estimates:
        bins[min(int(said * BINS + 1e-9), BINS - 1)].append((said, real))
    return tuple(map(_calibration, bins)) if estimates else ()


def _calibration(estimates: Sequence[tuple[float, float]]) -> Calibration:
    number = len(estimates)
    said, real = (round(sum(each) / number, 4) for each in zip(*estimates, strict=True)) if number else (0.0, 0.0)
    return Calibration(number, said, real)
