"""Scripted shows of deals: the engine plays each deal at every table, with the same cards."""

import random
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from broadcast.on_air.deal_tables import DealTable
from server.contests.quick_draw.rules import QUICK_DRAW
from server.equity.luck import luck_at_table
from server.game.betting import start_hand
from server.game.deals import tables_of
from server.game.events import (
    DealEnded,
    DecidedBy,
    GameEnded,
    GameStarted,
    HandEnded,
    Placing,
    StageEnded,
    StageStarted,
    TournamentEnded,
)
from tests.overlay.support.scripted_show import BOARD, NAMES, Script, play_acts, rig_deck


class Deals(Script):
    """A show whose only stage has deals. All `names` are at each table."""

    def __init__(
        self,
        names: Sequence[str] = NAMES[:6],
        *,
        stack: int = 5000,
        deals: int = 60,
        sure_percent: int = 97,
        decided_by: DecidedBy = "chips",
    ) -> None:
        super().__init__(names, stack=stack)
        self.connect()
        self._bots = tuple(range(1, len(names) + 1))
        self._deals = 0
        self._by_earned = decided_by == "earned"
        self._won = dict.fromkeys(self._bots, 0)
        stacks, games = (stack,) * len(names), deals * len(names)
        stage = StageStarted(
            1, "The Final", games, 1, self._bots, stacks, 0, len(names), deals=deals, sure_percent=sure_percent
        )
        self.put(replace(stage, decided_by="earned") if self._by_earned else stage)

    def deal(self, *acts: str, holes: Mapping[int, str] | None = None, board: str = BOARD) -> "Deals":
        """Plays a deal; returns this show.

        Each of `acts`, such as "call raise:300 fold", is for one table, in order; the first table is on air. After its
        acts, everybody checks and calls.
        """
        tables, stacks = [], (self.stack,) * len(self._bots)
        deck = rig_deck(list(stacks), 0, holes or {}, board)
        for game, (seats, words) in enumerate(zip(tables_of(self._bots), acts, strict=True), self._game + 1):
            happened = play_acts(*start_hand(QUICK_DRAW, 1, 0, stacks, deck), f"{words} down")
            ended = happened[-1]
            assert isinstance(ended, HandEnded)
            won = tuple(stack - self.stack for stack in ended.stacks)
            luck = luck_at_table(seats, happened) if self._by_earned else ()
            tables.append(DealTable(game, seats, tuple(happened), won, luck))
            if game == self._game + 1:
                self.put(GameStarted(game, 1, seats, stacks), *happened, GameEnded(game, ended.stacks))
        self._game += len(self._bots)
        sums = dict.fromkeys(self._bots, 0)
        for table in tables:
            for bot, chips in zip(table.seats, table.scores, strict=True):
                sums[bot] += chips
        return self._end(sums, tables)

    def later_deals(self, count: int, edge: int = 400, *, decided: bool = False) -> "Deals":
        """Adds the results of `count` deals, in which each bot wins about `edge` chips more than the next bot.

        Viewers see nothing but the results. If the title is `decided`, the last result says so.
        """
        dice, stacks = random.Random(count), (self.stack,) * len(self._bots)
        self.put(GameStarted(self._game + 1, 1, self._bots, stacks), GameEnded(self._game + 1, stacks))
        for number in range(1, count + 1):
            self._game += len(self._bots)
            luck = [round(dice.gauss(-edge * bot, 2 * edge)) for bot in self._bots]
            mean = sum(luck) // len(luck)
            won = [each - mean for each in luck]
            won[-1] -= sum(won)
            self._end(dict(zip(self._bots, won, strict=True)), [], decided=decided and number == count)
        return self

    def next_game(self) -> "Deals":
        """Starts the next deal, with which the standings are shown."""
        self.put(GameStarted(self._game + 1, 1, self._bots, (self.stack,) * len(self._bots)))
        return self

    def over(self) -> "Deals":
        """Ends the stage. The final stacks do not matter here, so they are 0."""
        self.put(StageEnded(1, self._ranking, (0,) * len(self._bots), ()))
        return self

    def crowned(self, prizes: Sequence[int] = ()) -> "Deals":
        """Ends the stage and the tournament."""
        chips = (0,) * len(self._bots)
        paid = (*prizes, *chips)
        lines = zip(range(1, 99), self._ranking, chips, paid, strict=False)
        self.over().put(TournamentEnded(tuple(Placing(*line) for line in lines), "5eed"))
        return self

    @property
    def _ranking(self) -> tuple[int, ...]:
        return tuple(sorted(self._bots, key=lambda bot: -self._won[bot]))

    def _end(self, sums: Mapping[int, int], tables: Sequence[DealTable], *, decided: bool = False) -> "Deals":
        self._deals += 1
        self._won = {bot: won + sums[bot] for bot, won in self._won.items()}
        self.tables = tuple(tables)
        self.put(DealEnded(self._deals, tuple(sums), tuple(sums.values()), decided))
        return self


def compared(names: Sequence[str] = NAMES[:6], stack: int = 5000, decided_by: DecidedBy = "chips") -> Deals:
    """Six bots held ace-jack on the button: they folded, called, raised, or moved all in and were called."""
    acts = (f"raise:{stack} call fold", f"raise:{stack} fold fold", "fold down", "raise:300 call down", "call down", "")
    folds = "fold " * max(0, len(names) - 3)
    last = ["raise:300 fold fold"] if len(names) > 5 else []
    return Deals(names, stack=stack, decided_by=decided_by).deal(
        *(folds + each for each in [*acts[: len(names) - len(last)], *last])
    )


def compared_by_earned() -> Deals:
    """Like `compared`, in a stage in which the luck of the board does not count."""
    return compared(decided_by="earned")


def compared_by_two() -> Deals:
    return Deals(NAMES[4:6], stack=123456).deal("raise:123456 call", "fold")


def compared_by_three() -> Deals:
    return compared(("W" * 30, "Two-Pair Tess", "Jo"), 987654, "earned")


def compared_alike() -> Deals:
    return Deals().deal(*["fold fold fold fold fold"] * 6)


def compared_elsewhere() -> Deals:
    """Three bots held aces in the small blind; before Doc Holobyte's turn, the betting had been different."""
    holes = {0: "7c 2d", 1: "As Ah", 2: "Ks Kd"}
    acts = ("fold raise:5000 call", "fold fold", "raise:5000 call call")
    return Deals(("Doc Holobyte", "Two-Pair Tess", "Jo")).deal(*acts, holes=holes, board="Qh 9h 4c 3c 2h")


def certainty() -> Deals:
    return Deals().later_deals(24).next_game()


def certainty_by_earned() -> Deals:
    return Deals(decided_by="earned").later_deals(24).next_game()


def certainty_early() -> Deals:
    return compared().next_game()


def certainty_decided() -> Deals:
    return Deals().later_deals(24, decided=True).over()


def certainty_of_two() -> Deals:
    return Deals(NAMES[4:6], stack=123456).later_deals(23, 40000).next_game()


def certainty_of_twelve() -> Deals:
    return Deals(NAMES, decided_by="earned").later_deals(24).next_game()


def matrix() -> Deals:
    return Deals().later_deals(30).next_game()


def matrix_of_ten() -> Deals:
    return Deals(NAMES[:10]).later_deals(30).next_game()


def starting_deals() -> Deals:
    return Deals()


def champion_of_deals() -> Deals:
    return Deals().later_deals(24).crowned()
