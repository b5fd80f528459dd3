"""Reports on each bot in a stage of deals, in which all bots play the same cards. Reads the journal's events.

A bot's winnings at all tables of a deal have three parts: the luck of the board, the effect of other bots' play, and
the effect of the bot's own play.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import repeat
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from broadcast.odds.deal_scores import DealScores, DealStanding
from broadcast.odds.others_play import OthersPlay, Shares, shares_of
from server.equity.luck import HandLuck
from server.game.events import (
    DealEnded,
    DecidedBy,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    StageEnded,
    StageStarted,
)
from server.text.grammar import count_text


class DealTally(Struct, frozen=True):
    """One bot's report. Amounts are whole chips per deal, over all tables.

    At 95 % confidence, the bot wins between `low` and `high` in the long run. After too few deals, `low`, `high` and
    `best` are None, and `better` is empty. `decided_by` says whether these values and the bots' places come from
    `earned` or from `won`.
    """

    deals: int
    won: float
    low: float | None
    high: float | None
    earned: float
    """The bot's winnings without the luck of the board."""
    luck: float
    """The winnings that came from the luck of the board. `won` is the sum of `luck`, `others` and `own`."""
    others: float
    """The winnings that came from the other bots' play before the bot's first decision in each hand."""
    own: float
    """The winnings that came from the bot's own play."""
    shares: Shares | None
    """How much each part of the winnings contributes to the uncertainty (the interval from `low` to `high`)."""
    seats: tuple[float, ...]
    """For each seat: how many more chips the bot won there than the average bot with the same cards. If `decided_by` is
    "earned", earned chips are compared instead.
    """
    best: float | None
    """The chance, from 0 to 1, that no other bot of the stage is better."""
    better: dict[int, float]
    """The chance, from 0 to 1, that this bot is better than each opponent. Keyed by the opponent's number."""
    decided_by: DecidedBy = "chips"


class DealTallies:
    """Counts deals stage by stage. Each bot's report covers the last stage that the bot played.

    Only reports on the latest stage have the chances `best` and `better`.
    """

    def __init__(self) -> None:
        self._tallies: dict[int, DealTally] = {}
        self._stage: _Stage | None = None

    def apply(self, event: Event) -> None:
        """Applies `event`. Does nothing in a stage without deals."""
        if isinstance(event, StageStarted):
            self._stage = _Stage(event) if event.deals else None
            self._tallies = {bot: replace(tally, best=None, better={}) for bot, tally in self._tallies.items()}
        elif self._stage:
            self._stage.apply(event)
            if isinstance(event, StageEnded):
                self._tallies |= self._stage.report()
                self._stage = None

    def report(self) -> Mapping[int, DealTally]:
        """The reports of all bots that have begun a stage of deals, keyed by bot number."""
        return self._tallies | (self._stage.report() if self._stage else {})


def early_end_remark(stage: StageStarted, event: DealEnded, leader: str) -> str:
    """Returns the remark that the stage ended early, because it was certain which bot was best. `leader` is the name of
    the best bot.
    """
    deals = f"{event.deal} of {count_text(stage.deals or 0, 'deal')}"
    return f"{stage.title} ended after {deals}: it is {stage.sure_percent} % certain that {leader} is the best bot."


class _Parts(Struct, frozen=True):
    """The chips that a bot won in a deal. Some of these chips came from the luck of the board, and some from the other
    bots' play.
    """

    won: int
    luck: Fraction
    others: Fraction


class _Stage:
    def __init__(self, stage: StageStarted) -> None:
        self._decided_by: DecidedBy = stage.decided_by or "chips"
        self._scores = DealScores(stage)
        self._hand_luck = HandLuck()
        self._others_play = OthersPlay()
        self._others_play.apply(stage)
        self._parts_by_bot: dict[int, list[_Parts]] = {bot: [] for bot in stage.bots}
        self._seat_sums = {bot: [0.0] * min(stage.seats, len(stage.bots)) for bot in stage.bots}
        """For each bot and seat: how many more chips the bot won or earned in this seat than the average bot, over all
        deals.
        """
        self._game: GameStarted | None = None
        self._tables: list[Sequence[tuple[int, int]]] = []
        """For each table of the current deal: the bots in seat order, each with the chips that it won or earned."""
        self._deal_luck: dict[int, Fraction] = {}
        """The luck of each bot in the current deal."""

    def apply(self, event: Event) -> None:
        self._hand_luck.apply(event)
        self._others_play.apply(event)
        match event:
            case GameStarted():
                self._game = event
            case HandEnded():
                for bot, luck in self._hand_luck.luck.items():
                    self._deal_luck[bot] = self._deal_luck.get(bot, Fraction()) + luck
            case GameEnded(stacks=stacks, luck=luck) if self._game:
                won = (after - before for before, after in zip(self._game.stacks, stacks, strict=True))
                table_results = (chips - by_luck for chips, by_luck in zip(won, luck or repeat(0), strict=False))
                self._tables.append(tuple(zip(self._game.seats, table_results, strict=True)))
            case DealEnded():
                self._scores.add(event)
                self._end_deal(event)

    def _end_deal(self, event: DealEnded) -> None:
        for seat, seat_results in enumerate(zip(*self._tables, strict=True)):
            mean = fmean(chips for _, chips in seat_results)
            for bot, chips in seat_results:
                self._seat_sums[bot][seat] += chips - mean
        others = self._others_play.end_deal()
        luck = dict(zip(event.bots, map(Fraction, event.luck), strict=True)) if event.luck else self._deal_luck
        for bot, won in zip(event.bots, event.won, strict=True):
            self._parts_by_bot[bot].append(_Parts(won, luck.get(bot, Fraction()), others.get(bot, Fraction())))
        self._tables, self._deal_luck = [], {}

    def report(self) -> dict[int, DealTally]:
        chances_better, title_chances = self._scores.chances_better(), self._scores.title_chances()
        standings = self._scores.standings()
        return {each.bot: self._make_tally(each, chances_better, title_chances.get(each.bot)) for each in standings}

    def _make_tally(
        self, standing: DealStanding, chances_better: Mapping[tuple[int, int], float], title_chance: float | None
    ) -> DealTally:
        bot, deals, parts = standing.bot, max(1, standing.deals), self._parts_by_bot[standing.bot]
        won = round(Fraction(sum(deal.won for deal in parts), deals))
        earned = round((sum(deal.won for deal in parts) - sum(deal.luck for deal in parts)) / deals)
        by_earned = self._decided_by == "earned"
        others = round(sum((deal.others for deal in parts), Fraction()) / deals)
        return DealTally(
            deals=standing.deals,
            won=won,
            low=standing.low,
            high=standing.high,
            earned=earned,
            luck=won - earned,
            others=others,
            own=earned - others,
            shares=shares_of(
                [float(deal.won - deal.luck - deal.others) for deal in parts],
                [0.0 if by_earned else float(deal.luck) for deal in parts],
                [float(deal.others) for deal in parts],
            ),
            seats=tuple(round(chips / deals) for chips in self._seat_sums[bot]),
            best=None if title_chance is None else round(title_chance, 4),
            better={other: round(chance, 4) for (one, other), chance in chances_better.items() if one == bot},
            decided_by=self._decided_by,
        )
