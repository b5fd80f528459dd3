"""Follows the events of a contest, so that tests can check storylines (remarks) without the code that makes them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from msgspec import Struct

from broadcast.commentary.contest_state import ContestState, title_odds_events
from broadcast.commentary.statistics.statistics import Statistics
from broadcast.on_air.events import StatisticsChanged
from broadcast.on_air.shared_types import BotStatistics
from broadcast.on_air.table_state import TableState
from server.equity.luck import HandLuck
from server.game import events
from server.journal.journal import Entry


class Hand(Struct):
    """One hand of the journal. The keys of its dicts are bots. `began` and `ended` are the stacks before and after."""

    game: int
    number: int
    bettor: int = 0
    """The bot that made the last bet or raise on the river, or 0."""
    think_times: list[tuple[int, int]] = []  # For each act without a fault: the time in ms, and the bot.
    all_in_choices: list[tuple[int, int, bool]] = []
    """For each choice between a call for all chips and a fold: the bot, its chips, and whether it called."""
    timed_out: list[int] = []
    out: list[tuple[int, int]] = []
    """The bots that were eliminated after the hand, with their places."""
    began: dict[int, int] = {}
    ended: dict[int, int] = {}
    bets: dict[int, int] = {}  # `bets`: all chips that each bot put into the pot
    won: dict[int, int] = {}  # what each winner took from the pots
    shown: dict[int, str] = {}  # the names of the hands shown, such as "pair of sevens"
    best: dict[int, tuple[str, ...]] = {}  # the five best cards of each hand shown
    folded: set[int] = set()
    luck: dict[int, int] = {}

    @property
    def winners(self) -> list[int]:
        return [*self.won]

    @property
    def showdown(self) -> set[int]:
        """The bots that showed their cards, if there were at least two."""
        bots = {*self.shown} - self.folded
        return bots if len(bots) > 1 else set()

    def beat(self, one: int, other: int) -> bool:
        """Whether both bots were at the showdown, and only `one` won chips."""
        return {one, other} <= self.showdown and one in self.winners and other not in self.winners

    def all_in(self, bot: int) -> bool:
        """Whether a bot put in all its chips, and at least one other bot did not fold."""
        return bot in self.began and self.bets.get(bot) == self.began[bot] and len({*self.began} - self.folded) > 1

    def change(self, bot: int) -> int:
        return self.ended.get(bot, 0) - self.began.get(bot, 0)


class Evening:
    """The contest so far. A series is a stage that is decided by how many games each bot wins."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.hands: list[Hand] = []
        self.stage: events.StageStarted
        self.stage_over = True
        self.stage_hands: list[Hand] = []
        """The hands of this stage or, in a series, of this game."""
        self.games: list[events.GameStarted] = []
        self.games_finished = 0
        self.in_game = False
        self.withdrawn_bots: set[int] = set()
        self.series_won = Counter[int]()
        """How many games of this series each bot has won."""
        self.deals: list[dict[int, int]] = []
        """For each deal (the same cards at several tables), what each bot won, minus the bot's luck if known."""
        self.field: tuple[int, ...] = ()  # the bots of this stage or, in a series, of this game
        self.chips: dict[int, int] = {}
        self.title_odds: list[dict[int, int]] = []
        self.leaders: list[int] = []
        """The leader after each of `stage_hands`, or 0 if several bots led together."""
        self.statistics = Statistics()
        self._statistics_event: StatisticsChanged | None = None
        self.big_blind = 0
        self._luck = HandLuck()
        self._contest = ContestState()
        self._table = TableState()
        self._hand = Hand(0, 0)
        self._needs_all = 0
        """The acting bot's stack if a call takes all of it, otherwise 0. Always 0 for blinds and small stacks."""
        for entry in entries:
            self.add(entry.event)

    def add(self, event: events.Event) -> None:
        self._table, self._statistics_event = self._table.after(event), None
        self.statistics.apply(event, self._table)
        self._luck.apply(event)
        self._contest.apply(event)
        match event:
            case events.TournamentOpened():
                self.opened = event
                self.names = {entrant.name: entrant.bot for entrant in event.entrants}
                self.players = {entrant.bot: entrant.player for entrant in event.entrants}
                self.chips = dict.fromkeys(self.players, event.starting_stack)
            case events.StageStarted():
                self.stage, self.stage_over, self.games_finished, self.title_odds = event, False, 0, []
                self.chips, self.series_won, self.deals = dict.fromkeys(self.chips, 0), Counter(), []
                self._begin_field(event.bots, event.stacks)
            case events.StageEnded():
                self.stage_over = True
            case events.GameStarted():
                self.games, self.in_game = [*self.games, event], True
                if self.stage.series:
                    self._begin_field(event.seats, event.stacks)
            case events.DealEnded(bots=bots, won=won, luck=luck):
                luck_of_each = luck or (0,) * len(won)
                self.deals.append({bot: chips - luck for bot, chips, luck in zip(bots, won, luck_of_each, strict=True)})
            case events.GameEnded():
                self.games_finished, self.in_game = self.games_finished + 1, False
                was_played = self.hands and self.hands[-1].game == event.game
                self.series_won.update(event.ranking[:1] if was_played else ())
            case _:
                self._add_hand_event(event)
        for odds in title_odds_events(self._contest, event) if isinstance(event, events.HandEnded) else ():
            self.title_odds = [*self.title_odds, {title.bot: title.chance for title in odds.chances}][-11:]

    def _begin_field(self, bots: Sequence[int], stacks: Sequence[int]) -> None:
        self.field, self.stage_hands, self.leaders = tuple(bots), [], []
        self.chips.update(zip(bots, stacks, strict=True))

    def _add_hand_event(self, event: events.Event) -> None:
        hand, table = self._hand, self._table
        match event:
            case events.HandStarted():
                self._hand, self.big_blind = Hand(self.games[-1].game, event.hand), event.big_blind
            case events.TurnStarted(seat=seat, to_call=to_call, blind=blind):
                stack = table.seats[seat].stack
                self._needs_all = stack if to_call >= stack >= 5 * self.big_blind and not blind else 0
            case events.ActionTaken(seat=seat, act=act, fault=fault):
                bot = table.bots[seat]
                hand.timed_out += [bot] if fault == "timeout" else []
                hand.think_times += [] if fault else [(event.think_ms, bot)]
                hand.all_in_choices += [(bot, self._needs_all, act != "fold")] if self._needs_all and not fault else []
                if act in ("bet", "raise") and table.street == "river":
                    hand.bettor = bot
            case events.HandEnded(stacks=stacks):
                seats = dict(zip(table.bots, table.seats, strict=True))
                hand.began = {bot: seat.starting_stack for bot, seat in seats.items() if seat.dealt_in}
                hand.ended = dict(zip(table.bots, stacks, strict=True))
                hand.bets = {bot: seat.committed for bot, seat in seats.items()}
                hand.won = {bot: seat.won for bot, seat in seats.items() if seat.won}
                hand.shown = {bot: seat.ranking for bot, seat in seats.items() if seat.ranking}
                hand.best = {bot: seats[bot].best for bot in hand.shown}
                hand.folded = {bot for bot, seat in seats.items() if seat.folded}
                hand.luck = {bot: round(luck) for bot, luck in self._luck.luck.items()}
                self.chips.update(hand.ended)
                self.hands.append(hand)
                self.stage_hands.append(hand)
                self.leaders.append(top_key(self.left))
            case events.BotEliminated(bot=bot, place=place):
                self.chips[bot] = 0
                if self.hands:
                    self.hands[-1].out.append((bot, place))
            case events.BotWithdrawn(bot=bot):
                self.withdrawn_bots |= {bot}

    @property
    def left(self) -> dict[int, int]:
        """The chips of each bot in `field` that still has some."""
        return {bot: self.chips[bot] for bot in self.field if self.chips[bot]}

    @property
    def figures(self) -> StatisticsChanged:
        self._statistics_event = self._statistics_event or self.statistics.on_air_event
        return self._statistics_event

    @property
    def rows(self) -> dict[int, BotStatistics]:
        return {row.bot: row for row in self.figures.rows if row.bot in self.left}

    def hands_of(self, bot: int) -> list[Hand]:
        return [hand for hand in self.hands if bot in hand.began]

    def hands_since(self, hand: Hand) -> int:
        return len(self.hands) - 1 - self.hands.index(hand)

    def reigns(self) -> list[tuple[int, int]]:
        """The successive leaders, each with the length of the reign in hands. A hand without a leader ends a reign."""
        return [(leader, len([*hands])) for leader, hands in groupby(self.leaders) if leader]

    @property
    def ranking(self) -> list[tuple[int, int]]:
        return sorted(self.left.items(), key=lambda bot_and_chips: -bot_and_chips[1])

    @property
    def fewest(self) -> int:
        return self.most(lambda bot: -self.left[bot])

    @property
    def latest(self) -> list[Hand]:
        return self.stage_hands[-10:]

    @property
    def hands_left(self) -> int:
        """How many hands the current game still has, or -1 until its first hand has ended."""
        last, game = self.hands[-1], self.games[-1]
        return game.hands - last.number if last.game == game.game else -1

    def most(self, worth: Callable[[int], float]) -> int:
        """The bot with the largest `worth` among all bots with chips, or 0 if several bots tie."""
        return top_key({bot: worth(bot) for bot in self.left})

    @property
    def crosstable(self) -> Counter[tuple[int, int]]:
        return Counter({(taken.by, taken.of): taken.chips for taken in self.figures.crosstable})


def top_key(worths: dict[int, float] | dict[int, int]) -> int:
    """The key of the largest value, or 0 if there are no values or if several are equally large."""
    best = [key for key, worth in worths.items() if worth == max(worths.values())]
    return best[0] if len(best) == 1 else 0
