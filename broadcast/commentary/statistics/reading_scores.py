"""Counts how true the bots' thoughts were: right and false claims, and how near their estimates came. Pure.

The Brier score of an estimate is its squared error if the hand is won or lost. Here it is the mean over both, by the
real chance with all cards, so that the luck of the board and folds do not count.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from broadcast.commentary.claims.claim import Estimate
from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.on_air.facts import Calibration, ReadingScores
from server.game.events import Event

BINS = 10
"""How many ranges of estimates are told apart."""


class ReadingCounts:
    """Follows the events of a tournament, and scores each bot's thoughts."""

    def __init__(self) -> None:
        self._reader = ThoughtReader()
        self._thoughts, self._claims, self._false = Counter[int](), Counter[int](), Counter[int]()
        self._estimates: dict[int, list[tuple[float, float]]] = {}
        """Each bot's estimates, with the real chance."""

    def apply(self, event: Event) -> None:
        """Counts what a note says. Other events only tell what the bots could know."""
        reading = self._reader.apply(event)
        if reading is None:
            return
        bot = reading.bot
        self._thoughts[bot] += 1
        self._claims[bot] += len(reading.claims)
        self._false[bot] += sum(not claim.right for claim in reading.claims)
        self._estimates.setdefault(bot, []).extend(_with_chances(reading.estimates))

    def scores(self) -> Mapping[int, ReadingScores]:
        """Returns the scores of the bots that have given thoughts, by bot."""
        return {
            bot: ReadingScores(
                thoughts,
                self._claims[bot],
                self._false[bot],
                len(estimates := self._estimates[bot]),
                brier_score(estimates),
                calibration(estimates),
            )
            for bot, thoughts in self._thoughts.items()
        }


def _with_chances(estimates: Sequence[Estimate]) -> list[tuple[float, float]]:
    return [(each.value, each.real) for each in estimates if each.real is not None]


def brier_score(estimates: Sequence[tuple[float, float]]) -> float | None:
    """Returns the expected Brier score of estimates, each with the real chance; None without estimates."""
    if not estimates:
        return None
    errors = (real * (1 - said) ** 2 + (1 - real) * said**2 for said, real in estimates)
    return round(sum(errors) / len(estimates), 4)


def calibration(estimates: Sequence[tuple[float, float]]) -> tuple[Calibration, ...]:
    """Returns a line for each tenth, 0-10 % first; () without estimates."""
    bins: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for said, real in estimates:
        bins[min(int(said * BINS + 1e-9), BINS - 1)].append((said, real))
    return tuple(map(_calibration, bins)) if estimates else ()


def _calibration(estimates: Sequence[tuple[float, float]]) -> Calibration:
    number = len(estimates)
    said, real = (round(sum(each) / number, 4) for each in zip(*estimates, strict=True)) if number else (0.0, 0.0)
    return Calibration(number, said, real)
