"""How much does a whole evening vary? Counts pictures, and measures the air time of the hands that matter most.

A picture is a scene, its focus, or the size and form of a win. The evening is Quick Draw with house bots, at speed
1 and without waits. There is no peer. Run: `make bench BENCH=variety`; another evening: `ARGS="--seed 2"`.
"""

import asyncio
import sys

from broadcast.commentary.drama import drama_of
from broadcast.film.film import run_show
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import EquitiesChanged
from broadcast.on_air.table_state import TableEntry, TableState
from server.game.events import Event, HandEnded, HandStarted, PotAwarded
from tests.bench.common.scales import options
from tests.support.games.house_contests import play_house_contest

MINUTE_MS = 60_000
FORMS = 5
"""The number of forms of a win, which take turns."""
MIN_PICTURES, MIN_SHARE = 14, 1 / 3


class CountingAirLog(AirLog):
    """Counts what goes on air: pictures with their times, and how long each hand was on air and how much it matters."""

    def __init__(self) -> None:
        super().__init__("variety", 1.0)
        self.pictures: list[tuple[int, str]] = []
        self.hands: list[tuple[int, int]] = []
        self._table = TableState()
        self._hand: list[TableEntry] = []
        self._odds: dict[int, EquitiesChanged] = {}
        self._ms = 0

    def put(self, event: Event, at_ms: int, hold_ms: int) -> None:
        super().put(event, at_ms, hold_ms)
        state = self.picture
        near = f", {state.focus.near} of {len(state.seats)}" if state.scene == "table" else ""
        self.pictures.append((at_ms, state.scene + near))
        if isinstance(event, PotAwarded):
            self.pictures.append((at_ms, f"{state.win}, form {state.wins % FORMS}"))
        if type(event).__module__.startswith("broadcast"):
            if isinstance(event, EquitiesChanged) and self._hand:
                self._odds[len(self._hand) - 1] = event
            return
        self._table = self._table.after(event)
        if isinstance(event, HandStarted):
            self._hand, self._odds, self._ms = [], {}, 0
        elif not self._hand:
            return
        self._hand.append(TableEntry(self.last_seq, self.at_ms, event, self._table))
        self._ms += hold_ms
        if isinstance(event, HandEnded):
            self.hands.append((drama_of(self._hand, self._odds).score, self._ms))
            self._hand = []


def main(seed: int) -> int:
    air = CountingAirLog()
    asyncio.run(run_show(air, play_house_contest("quick-draw", seed, 12)))
    end = air.pictures[-1][0]
    starts = range(0, max(1, end - 30 * MINUTE_MS + 1), MINUTE_MS)
    fewest = min(len({name for at, name in air.pictures if begin <= at < begin + 30 * MINUTE_MS}) for begin in starts)
    times = [ms for _, ms in sorted(air.hands, key=lambda hand: -hand[0])]
    best = sum(times[: max(1, len(times) // 10)]) / sum(times)
    print(f"{len(times)} hands in {end / MINUTE_MS:.0f} minutes")
    print(f"{fewest} different pictures in 30 minutes, goal {MIN_PICTURES}")
    print(f"{best:.0%} of the air time for the tenth of hands that matter most, goal 33 %")
    return int(fewest < MIN_PICTURES or best < MIN_SHARE)


if __name__ == "__main__":
    sys.exit(main(options(__doc__, seed=1).seed))
