"""How much does a whole evening vary? Counts pictures, and measures the air time of small hands and of great ones.

A picture is a scene, how near it is, or a size and a form of a win. The evening is Quick Draw with house bots, at speed
1 and without waits. There is no peer. Run: `make bench BENCH=variety`; another evening: `ARGS="--seed 2"`.
"""

import asyncio
import sys
from collections.abc import Iterator

from msgspec import Struct

from broadcast.commentary.drama import drama_of
from broadcast.film.film import run_show
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import CaptionSpoken, EquitiesChanged, StakesShown
from broadcast.on_air.table_state import TableEntry, TableState
from server.game.events import ActionTaken, Event, HandEnded, HandStarted, PotAwarded, TurnStarted
from tests.bench.common.scales import options
from tests.support.house_contests import play_house_contest

MINUTE = 60_000
FORMS = 5
"""The forms of a win, which take turns."""
MIN_PICTURES, MAX_FOLDS_MS, MAX_SMALL_MS, MIN_SHARE = 14, 4_000, 12_000, 1 / 3


class ShownHand(Struct):
    """A hand as it was on air. Folds before the flop are counted if nothing was at stake; `wins` are sizes."""

    ms: int = 0
    folds_ms: int = 0
    score: int = 0
    wins: tuple[str, ...] = ()
    at_stake: bool = False


class Counter(AirLog):
    """Counts what goes on air."""

    def __init__(self) -> None:
        super().__init__("variety", 1.0)
        self.pictures: list[tuple[int, str]] = []
        self.lines: list[tuple[int, str]] = []
        self.hands: list[ShownHand] = []
        self._table, self._turn_ms, self._staked = TableState(), 0, False
        self._hand: list[TableEntry] = []
        self._odds: dict[int, EquitiesChanged] = {}

    def put(self, event: Event, at_ms: int, hold_ms: int) -> None:
        super().put(event, at_ms, hold_ms)
        self.pictures += [(at_ms, each) for each in self._shown(event)]
        if (
            isinstance(event, CaptionSpoken)
            and self._hand
            and len(self._hand) == 1
            and not event.text.startswith("Hand ")
        ):
            self.lines.append((at_ms, event.text))
        self._count(event, hold_ms)

    def _shown(self, event: Event) -> Iterator[str]:
        state = self.picture
        yield f"{state.scene}, {state.focus.near} of {len(state.seats)}" if state.scene == "table" else state.scene
        if isinstance(event, PotAwarded):
            yield f"{state.win}, form {state.wins % FORMS}"

    def _count(self, event: Event, hold_ms: int) -> None:
        if type(event).__module__.startswith("broadcast"):
            if isinstance(event, StakesShown):
                self.hands[-1].at_stake = self._staked = True
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
        if isinstance(event, TurnStarted):
            self._staked = False
        if isinstance(event, ActionTaken) and event.act == "fold" and not self._table.board and not self._staked:
            thought = self._hand[-2].event
            hand.folds_ms += hold_ms + (self._turn_ms if isinstance(thought, TurnStarted) else 0)
        self._turn_ms = hold_ms
        if isinstance(event, PotAwarded):
            hand.wins = (*hand.wins, self.picture.win)
        if isinstance(event, HandEnded):
            hand.score = drama_of(self._hand, self._odds).score


def report(air: Counter) -> list[str]:
    """Prints what was counted, and returns the goals that were missed."""
    end = air.pictures[-1][0]
    starts = range(0, max(1, end - 30 * MINUTE + 1), MINUTE)
    fewest = min(len({name for at, name in air.pictures if begin <= at < begin + 30 * MINUTE}) for begin in starts)
    again = [
        text for n, (at, text) in enumerate(air.lines) for other, same in air.lines[:n]
        if same == text and at - other < 10 * MINUTE
    ]  # fmt: skip
    small = [hand.ms for hand in air.hands if {*hand.wins} == {"nod"} and not hand.at_stake]
    ranked = sorted(air.hands, key=lambda hand: -hand.score)
    best = sum(hand.ms for hand in ranked[: max(1, len(ranked) // 10)]) / sum(hand.ms for hand in ranked)
    folds = max(hand.folds_ms for hand in air.hands)
    figures = {
        f"{fewest} different pictures in 30 minutes, goal {MIN_PICTURES}": fewest >= MIN_PICTURES,
        f"{len(again)} of {len(air.lines)} lines twice in ten minutes, goal 0": not again,
        f"{folds / 1000:.1f} s at most for the folds before a flop, goal 4": folds <= MAX_FOLDS_MS,
        f"{max(small, default=0) / 1000:.1f} s at most for a small hand, goal 12": max(small, default=0)
        <= MAX_SMALL_MS,
        f"{best:.0%} of the air time for the tenth of hands that matter most, goal 33 %": best >= MIN_SHARE,
    }
    print(f"{len(air.hands)} hands in {end / MINUTE:.0f} minutes, {len(small)} of them small")
    print("\n".join(figures))
    return [figure for figure, reached in figures.items() if not reached]


if __name__ == "__main__":
    flags = options(__doc__, seed=1)
    counter = Counter()
    asyncio.run(run_show(counter, play_house_contest("quick-draw", flags.seed, 12)))
    sys.exit(1 if report(counter) else 0)
