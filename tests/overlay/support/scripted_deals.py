"""Scripted shows of a contest that is played in deals. In a deal, all tables play a hand with the same cards."""

import random
from collections.abc import Mapping, Sequence
from typing import Self

from msgspec.structs import replace

from broadcast.on_air.deal_tables import DealTable
from server.contests.quick_draw.rules import QUICK_DRAW
from server.equity.luck import luck_at_table
from server.game.betting import start_hand
from server.game.deals import deal_seat_orders
from server.game.events import DealEnded, DecidedBy, GameEnded, GameStarted, HandEnded, StageEnded, StageStarted
from tests.overlay.support.scripted_show import BOARD, NAMES, Script, play_acts, rig_deck


class Deals(Script):
    """A show with one stage of deals. All bots in `names` sit at each table."""

    def __init__(self, names: Sequence[str] = NAMES[:6], *, stack: int = 5000, decided_by: DecidedBy = "chips") -> None:
        super().__init__(names, stack=stack)
        self.connect()
        self._bots = tuple(range(1, len(names) + 1))
        self._deals = 0
        self._by_earned = decided_by == "earned"  # earned chips are won chips minus what luck brought
        self._won = dict.fromkeys(self._bots, 0)
        self._starting_stacks = (stack,) * len(names)
        games, seats = 60 * len(names), len(names)
        stage = StageStarted(
            1, "The Final", games, 1, self._bots, self._starting_stacks, 0, seats, deals=60, sure_percent=97
        )
        self.put(replace(stage, decided_by="earned") if self._by_earned else stage)

    def deal(self, *acts: str, holes: Mapping[int, str] | None = None, board: str = BOARD) -> Self:
        """Plays a deal. `acts` has the acts at each table as one text, such as "call raise:300 fold".

        After these acts, all bots check or call to the end. Only the first table is on air.
        """
        tables, sums = [], dict.fromkeys(self._bots, 0)
        deck = rig_deck(self._starting_stacks, 0, holes or {}, board)
        for game, (seats, actions) in enumerate(zip(deal_seat_orders(self._bots), acts, strict=True), self._game + 1):
            hand_events = play_acts(*start_hand(QUICK_DRAW, 1, 0, self._starting_stacks, deck), f"{actions} down")
            end = hand_events[-1]
            assert isinstance(end, HandEnded)
            won = tuple(stack - self.stack for stack in end.stacks)
            luck = luck_at_table(seats, hand_events) if self._by_earned else ()
            tables.append(DealTable(game, seats, tuple(hand_events), won, luck))
            if game == self._game + 1:
                self.put(GameStarted(game, 1, seats, self._starting_stacks), *hand_events, GameEnded(game, end.stacks))
            for bot, chips in zip(seats, tables[-1].scores, strict=True):
                sums[bot] += chips
        self._game += len(self._bots)
        return self._end_deal(sums, tables)

    def later_deals(self, count: int, edge: int = 400, *, decided: bool = False) -> Self:
        """Adds the results of `count` deals, without their hands.

        On average, each bot wins `edge` chips per deal more than the bot with the next number. With `decided`, the last
        deal decides the title.
        """
        dice = random.Random(count)
        self.next_game().put(GameEnded(self._game + 1, self._starting_stacks))
        for number in range(1, count + 1):
            self._game += len(self._bots)
            random_chips = [round(dice.gauss(-edge * bot, 2 * edge)) for bot in self._bots]
            mean = sum(random_chips) // len(random_chips)
            won = [chips - mean for chips in random_chips]
            won[-1] -= sum(won)
            self._end_deal(dict(zip(self._bots, won, strict=True)), [], decided=decided and number == count)
        return self

    def next_game(self) -> Self:
        return self.put(GameStarted(self._game + 1, 1, self._bots, self._starting_stacks))

    def end_deals(self) -> Self:
        return self.put(StageEnded(1, self._ranking, (0,) * len(self._bots), ()))

    def end_with_champion(self, prizes: Sequence[int] = ()) -> Self:
        return self.end_deals().crown(self._ranking, (0,) * len(self._bots), prizes)

    @property
    def _ranking(self) -> tuple[int, ...]:
        return tuple(sorted(self._bots, key=lambda bot: -self._won[bot]))

    def _end_deal(self, sums: Mapping[int, int], tables: Sequence[DealTable], *, decided: bool = False) -> Self:
        self._deals += 1
        self._won = {bot: won + sums[bot] for bot, won in self._won.items()}
        self.tables = tuple(tables)
        return self.put(DealEnded(self._deals, tuple(sums), tuple(sums.values()), decided))


def play_one_deal(names: Sequence[str] = NAMES[:6], stack: int = 5000, decided_by: DecidedBy = "chips") -> Deals:
    """Each bot gets an ace and a jack at the table where it has the button. The betting differs from table to table."""
    acts = (f"raise:{stack} call fold", f"raise:{stack} fold fold", "fold down", "raise:300 call down", "call down", "")
    folds = "fold " * max(0, len(names) - 3)
    last_acts = ["raise:300 fold fold"] if len(names) > 5 else []
    return Deals(names, stack=stack, decided_by=decided_by).deal(
        *(folds + actions for actions in [*acts[: len(names) - len(last_acts)], *last_acts])
    )


def play_deal_with_differing_bets() -> Deals:
    """Each bot gets two aces at the table where it is the small blind. Only Doc Holobyte faces a raise with them."""
    holes = {0: "7c 2d", 1: "As Ah", 2: "Ks Kd"}
    acts = ("fold raise:5000 call", "fold fold", "raise:5000 call call")
    return Deals(("Doc Holobyte", "Two-Pair Tess", "Jo")).deal(*acts, holes=holes, board="Qh 9h 4c 3c 2h")
