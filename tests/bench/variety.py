"""How much does a whole evening vary? Counts pictures, and measures the air time of the hands that matter most.

A picture is a scene, its focus, or the size and form of a win. The evening is Quick Draw with house bots, at speed
1 and without waits. There is no peer. Run: `make bench BENCH=variety`; another evening: `ARGS="--seed 2"`.
"""

import asyncio
import sys
from collections.abc import Iterator

from msgspec import Struct

from broadcast.commentary.drama import drama_of
from broadcast.film.film import run_show
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import EquitiesChanged
from broadcast.on_air.table_state import TableEntry, TableState
from server.game.events import Event, HandEnded, HandStarted, PotAwarded
from tests.bench.common.scales import options
from tests.support.house_contests import play_house_contest

MINUTE_MS = 60_000
FORMS = 5
"""The number of forms of a win, which take turns."""
MIN_PICTURES, MIN_SHARE = 14, 1 / 3


class ShownHand(Struct):
    """How long a hand was on air, and how much it mattered."""

    ms: int = 0
    score: int = 0


class CountingAirLog(AirLog):
    """Counts what goes on air."""

    def __init__(self) -> None:
        super().__init__("variety", 1.0)
        self.pictures: list[tuple[int, str]] = []
        self.hands: list[ShownHand] = []
        self._table = TableState()
        self._hand: list[TableEntry] = []
        self._odds: dict[int, EquitiesChanged] = {}

    def put(self, event: Event, at_ms: int, hold_ms: int) -> None:
        super().put(event, at_ms, hold_ms)
        self.pictures += [(at_ms, each) for each in self._shown(event)]
        self._count(event, hold_ms)

    def _shown(self, event: Event) -> Iterator[str]:
        state = self.picture
        yield f"{state.scene}, {state.focus.near} of {len(state.seats)}" if state.scene == "table" else state.scene
        if isinstance(event, PotAwarded):
            yield f"{state.win}, form {state.wins % FORMS}"

    def _count(self, event: Event, hold_ms: int) -> None:
        if type(event).__module__.startswith("broadcast"):
            if isinstance(event, EquitiesChanged) and self._hand:
                self._odds[len(self._hand) - 1] = event
            return
        self._table = self._table.after(event)
        if isinstance(event, HandStarted):
            self._hand, self._odds = [], {}
            self.hands.append(ShownHand())
        if not self.hands or (self._hand and isinstance(self._hand[-1].event, HandEnded)):
            return
        self._hand.append(TableEntry(self.last, self.at_ms, event, self._table))
        hand = self.hands[-1]
        hand.ms += hold_ms
        if isinstance(event, HandEnded):
            hand.score = drama_of(self._hand, self._odds).score


def report(air: CountingAirLog) -> list[str]:
    """Prints what was counted, and returns the goals that were missed."""
    end = air.pictures[-1][0]
    starts = range(0, max(1, end - 30 * MINUTE_MS + 1), MINUTE_MS)
    fewest = min(len({name for at, name in air.pictures if begin <= at < begin + 30 * MINUTE_MS}) for begin in starts)
    ranked = sorted(air.hands, key=lambda hand: -hand.score)
    best = sum(hand.ms for hand in ranked[: max(1, len(ranked) // 10)]) / sum(hand.ms for hand in ranked)
    figures = {
        f"{fewest} different pictures in 30 minutes, goal {MIN_PICTURES}": fewest >= MIN_PICTURES,
        f"{best:.0%} of the air time for the tenth of hands that matter most, goal 33 %": best >= MIN_SHARE,
    }
    print(f"{len(air.hands)} hands in {end / MINUTE_MS:.0f} minutes")
    print("\n".join(figures))
    return [figure for figure, reached in figures.items() if not reached]


if __name__ == "__main__":
    flags = options(__doc__, seed=1)
    counter = CountingAirLog()
    asyncio.run(run_show(counter, play_house_contest("quick-draw", flags.seed, 12)))
    sys.exit(1 if report(counter) else 0)
