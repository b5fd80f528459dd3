"""The rules of tournaments: the state after each event, what comes next, and the ranking.

`evolve` applies events to a `Tournament`. The methods of `Tournament` say what comes next. Where chance decides, the
caller passes a function that shuffles bots. All functions are pure.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from server.game import events
from server.game.deals import (
    PlayedTable,
    Scores,
    choose_group,
    end_deal,
    is_table_over,
    lead_needed,
    mean_score,
    next_seat_order,
    scores_of,
)
from server.game.formats import Format, StagePlan

RankKey = tuple[int | Fraction, int]
Shuffle = Callable[[Sequence[int], str], list[int]]
"""A function that returns bots in random order. Its second argument names the draw. The same bots and name always give
the same order.
"""


class EntrantState(Struct, frozen=True):
    """One bot's state. `place` is its place, or 0 if undecided. In a series, it is the place in the current game."""

    stack: int
    games_played: int = 0
    place: int = 0
    withdrawn: bool = False
    games_won: int = 0
    """How many games of a series the bot has won."""
    place_sum: int = 0
    """The sum of the bot's places in the games of a series."""


class Tournament(Struct, frozen=True):
    """The state of a tournament after an event: each bot's `EntrantState`, by bot number, and what is being played."""

    records: Mapping[int, EntrantState]
    stage_bots: tuple[int, ...]
    """The bots of the current stage or, between stages, of the next stage. Empty after the last stage."""
    stage: events.StageStarted | None = None
    """The latest stage, even if it is over."""
    in_stage: bool = False
    """Whether the latest stage is still being played."""
    stage_cut: bool = False
    """Whether the operator has ended the latest stage early."""
    games_in_stage: int = 0
    game: events.GameStarted | None = None
    game_forfeited: bool = False
    """Whether a bot's fault has ended the current game."""
    games: int = 0
    deal_scores: tuple[Scores, ...] = ()
    """Each bot's score in every finished deal of the stage."""
    deal_tables: tuple[PlayedTable, ...] = ()
    """The finished tables of the current deal."""
    decided_early: bool = False
    """Whether a stage of deals may end, because its winner is certain enough."""

    def may_withdraw(self, bot: int) -> bool:
        """Whether a bot may be withdrawn: only once, and only before the first stage. Later, a bot stays in and folds.

        Withdrawn bots take the last places, in the reverse order of their withdrawal. Their buy-ins stay in the pool.
        """
        return self.stage is None and bot in self.stage_bots

    def remaining_bots(self) -> list[int]:
        """Returns the bots that can still be seated. In a series or a stage of deals, these are all bots. Otherwise,
        they are the bots with chips.
        """
        if self.in_series or self.has_deals:
            return list(self.stage_bots)
        records = self.records
        return [bot for bot in self.stage_bots if records[bot].stack > 0 and not records[bot].place]

    @property
    def in_series(self) -> bool:
        """Whether the latest stage is a series of separate games (see `StagePlan.series`)."""
        return bool(self.stage and self.stage.series)

    @property
    def has_deals(self) -> bool:
        """Whether the latest stage is a stage of deals (see `StagePlan.deals`)."""
        return bool(self.stage and self.stage.deals)

    @property
    def is_deal_over(self) -> bool:
        """Whether all tables of the current deal have been played."""
        return bool(self.deal_tables) and len(self.deal_tables) == len(self.deal_tables[0].seats)

    def is_stage_decided(self, plan: StagePlan) -> bool:
        """Whether all remaining bots can advance, or only one bot is left. This ends the stage at once, even in the
        middle of a game.

        The rules say: "15 games or until there are 6 players remaining". After another hand, fewer than six could
        remain.
        """
        return len(self.remaining_bots()) <= max(plan.advance, 1)

    def is_stage_over(self, plan: StagePlan) -> bool:
        """Whether the stage has no more games: all games have been played, the stage is decided, or the operator has
        ended it early.
        """
        if plan.deals:
            is_over = (
                self.stage_cut or self.decided_early or len(self.deal_scores) >= plan.deals or len(self.stage_bots) < 2
            )
            return is_over and not self.deal_tables
        all_played = bool(plan.games) and self.games_in_stage >= plan.games
        return self.stage_cut or all_played or self.is_stage_decided(plan)

    def is_game_over(self, plan: StagePlan, hands: int, stacks: Sequence[int]) -> bool:
        """Whether the game is over after `hands` hands, with these `stacks`.

        Call this only after eliminating the bots that have lost all their chips.
        """
        if plan.deals:
            return self.game_forfeited or is_table_over(plan.hands, hands, stacks)
        all_played = bool(plan.hands) and hands >= plan.hands
        is_one_left = sum(stack > 0 for stack in stacks) < 2
        return self.game_forfeited or is_one_left or all_played or self.stage_cut or self.is_stage_decided(plan)

    def draw_seats(self, plan: StagePlan, shuffle: Shuffle) -> tuple[int, ...]:
        """Returns the bots of the next game, in seat order. The rules say:

        "Players are drawn randomly from the pool of the bots who have played the least number of games and still have
        chips in their pot."

        In a stage of deals, returns the seat order of the next table. The first order is drawn, and at each further
        table every bot moves by one seat.
        """
        bots = self.remaining_bots()
        if plan.deals:
            if self.deal_tables:
                return next_seat_order(self.deal_tables[-1].seats)
            group = choose_group(shuffle(bots, "players"), plan.seats, self.deal_scores)
            return tuple(shuffle(sorted(group), "seats"))
        if plan.duplicate:
            orders = seat_orders(bots)
            return orders[self.games_in_stage % len(orders)]
        if not plan.draws_seats:
            return tuple(bots[: plan.seats])
        drawn_bots = sorted(shuffle(bots, "players"), key=lambda bot: self.records[bot].games_played)[
            : self._table_size(plan)
        ]
        return tuple(shuffle(sorted(drawn_bots), "seats"))

    def game_to_repeat(self, plan: StagePlan) -> int | UnsetType:
        """Returns the number of the game whose decks the next game repeats, or UNSET."""
        if plan.deals:
            return self.games - len(self.deal_tables) + 1 if self.deal_tables else UNSET
        repeats = plan.duplicate and self.games_in_stage
        return self.games - self.games_in_stage + 1 if repeats else UNSET

    def starting_stacks(self, seats: Sequence[int]) -> tuple[int, ...]:
        """Returns the chips by seat at a game's start. In a series or a stage of deals, each bot starts every game with
        the chips that it had at the start of the stage.
        """
        stage = self.stage
        if stage and (stage.series or stage.deals):
            stack_of_bot = dict(zip(stage.bots, stage.stacks, strict=True))
            return tuple(stack_of_bot[bot] for bot in seats)
        return tuple(self.records[bot].stack for bot in seats)

    def _table_size(self, plan: StagePlan) -> int:
        """Returns how many bots sit at the next table. With `plan.even`, tables are about equal in size: if a table has
        8 seats, 17 bots sit at tables of 6, 6 and 5.
        """
        if not plan.even:
            return plan.seats
        games = [self.records[bot].games_played for bot in self.remaining_bots()]
        waiting = games.count(min(games))
        return max(-(-waiting // -(-waiting // plan.seats)), min(2, len(games)))

    def elimination_places(self, busted_stacks: Sequence[tuple[int, int]], shuffle: Shuffle) -> list[tuple[int, int]]:
        """Returns the bots that went broke in a hand, with their places, worst first.

        `busted_stacks` is what `busted_bots` returns. A bot with more chips before the hand gets a better place. If
        chips are equal, `shuffle` decides, with the key of the hand's deck. Nobody is eliminated in a stage of deals.
        """
        if self.has_deals:
            return []
        stacks_before = dict(busted_stacks)
        shuffled_bots = shuffle(sorted(stacks_before), "out")
        best_first = sorted(shuffled_bots, key=lambda bot: -stacks_before[bot])
        return [(bot, self.unplaced_count - behind) for behind, bot in enumerate(reversed(best_first))]

    def end_deal(self) -> events.DealEnded:
        """Returns the event that ends the current deal, whose tables have all been played."""
        assert self.stage is not None, "a deal is played in a stage"
        return end_deal(self.stage, self.deal_tables, self.deal_scores)

    @property
    def unplaced_count(self) -> int:
        """How many bots have no place yet. The next bot to go out gets the place with this number. In a series, leaves
        out bots that are not at the table.
        """
        records = self.records
        bots = self.game.seats if self.game and self.in_series else records
        return sum(not records[bot].place for bot in bots)

    def end_game(self, stacks: Sequence[int], shuffle: Shuffle | None, luck: tuple[int, ...] = ()) -> events.GameEnded:
        """Returns the event that ends the current game. `stacks` are each seat's chips.

        `shuffle` uses the key of the game's last hand. If no hand was played, `shuffle` is None and nobody wins. If
        bots are ranked without their luck, `luck` is each seat's luck in chips. Otherwise `luck` is empty.
        """
        assert self.game is not None, "a game can end only after its start"
        number, seats = self.game.game, self.game.seats
        if shuffle is None or not self.in_series:
            return events.GameEnded(number, tuple(stacks), luck=luck)
        records, stack_of_bot = self.records, dict(zip(seats, stacks, strict=True))
        shuffled_bots = shuffle(sorted(seats), "game")
        ranking = sorted(shuffled_bots, key=lambda bot: (records[bot].place, -stack_of_bot[bot]))
        return events.GameEnded(number, tuple(stacks), tuple(ranking))

    def rank(self, shuffle: Shuffle) -> tuple[int, ...]:
        """Returns the stage's bots, best first. If bots are equal, `shuffle` decides.

        Bots with chips come first, in order of their stacks. Eliminated bots follow, in order of their places. In a
        series, bots are ranked by how many games they won, then by the sum of their places. In a stage of deals, they
        are ranked by score per deal.
        """
        shuffled_bots = shuffle(sorted(self.stage_bots), "ties")
        return tuple(sorted(shuffled_bots, key=self.rank_key_of))

    def rank_key_of(self, bot: int) -> RankKey:
        """Returns the sort key of a bot in the stage. The best bot has the smallest key."""
        if self.has_deals:
            return -mean_score(bot, self.deal_scores), 0
        record = self.records[bot]
        return (-record.games_won, record.place_sum) if self.in_series else (record.place, -record.stack)

    def end_stage(self, advance: int, key: str, shuffle: Shuffle) -> events.StageEnded:
        """Returns the event that ends the current stage now. `key` is the key of `shuffle`, in hexadecimal."""
        assert self.stage is not None, "a stage can end only after its start"
        ranking = self.rank(shuffle)
        stacks = tuple(self.records[bot].stack for bot in ranking)
        if self.has_deals:
            stacks = tuple(sum(deal.get(bot, 0) for deal in self.deal_scores) for bot in ranking)
        needs_chips = not (self.in_series or self.has_deals)
        advancing = tuple(bot for bot, stack in zip(ranking, stacks, strict=True) if stack or not needs_chips)[:advance]
        return events.StageEnded(self.stage.stage, ranking, stacks, advancing, key)


def open_tournament(opened: events.TournamentOpened) -> Tournament:
    """Returns the tournament before its first stage."""
    records = {entrant.bot: EntrantState(opened.starting_stack) for entrant in opened.entrants}
    return Tournament(records, tuple(records))


def evolve(tournament: Tournament, event: events.Event) -> Tournament:
    """Returns the tournament after `event`. Only stages, games, deals, eliminations and withdrawals change it."""
    match event:
        case events.StageStarted() | events.StageCut() | events.StageEnded():
            return _apply_stage_event(tournament, event)
        case events.GameStarted() | events.GameForfeited() | events.GameEnded() | events.DealEnded():
            return _apply_game_event(tournament, event)
        case events.BotEliminated(bot=bot, place=place):
            new_record = replace(tournament.records[bot], stack=0, place=place)
            return replace(tournament, records={**tournament.records, bot: new_record})
        case events.BotWithdrawn(bot=bot) if tournament.may_withdraw(bot):
            new_record = replace(tournament.records[bot], stack=0, place=tournament.unplaced_count, withdrawn=True)
            remaining = tuple(other for other in tournament.stage_bots if other != bot)
            return replace(tournament, records={**tournament.records, bot: new_record}, stage_bots=remaining)
        case _:
            return tournament


def _apply_stage_event(
    tournament: Tournament, event: events.StageStarted | events.StageCut | events.StageEnded
) -> Tournament:
    records = dict(tournament.records)
    match event:
        case events.StageStarted(bots=bots, stacks=stacks):
            # "Everyone will reset to a 5000 chip pot": the event says how many chips each bot has.
            records |= {
                bot: replace(records[bot], stack=stack, games_won=0, place_sum=0)
                for bot, stack in zip(bots, stacks, strict=True)
            }
            fresh = replace(tournament, records=records, stage_bots=bots, games_in_stage=0)
            return replace(
                fresh, stage=event, in_stage=True, stage_cut=False, deal_scores=(), deal_tables=(), decided_early=False
            )
        case events.StageCut():
            return replace(tournament, stage_cut=True)
        case events.StageEnded(ranking=ranking, advancing=advancing):
            cut = len(advancing)
            records |= {
                bot: replace(records[bot], place=place if place > cut else 0) for place, bot in enumerate(ranking, 1)
            }
            if tournament.has_deals:
                won = zip(ranking, event.stacks, strict=True)
                records |= {bot: replace(records[bot], stack=chips) for bot, chips in won}
            return replace(tournament, records=records, stage_bots=advancing, in_stage=False)


def _apply_game_event(
    tournament: Tournament, event: events.GameStarted | events.GameForfeited | events.GameEnded | events.DealEnded
) -> Tournament:
    records = dict(tournament.records)
    if isinstance(event, events.GameForfeited):
        return replace(tournament, game_forfeited=True)
    if isinstance(event, events.DealEnded):
        return replace(
            tournament,
            deal_scores=(*tournament.deal_scores, scores_of(event)),
            deal_tables=(),
            decided_early=event.decided,
        )
    if isinstance(event, events.GameStarted):
        records |= {
            bot: replace(records[bot], games_played=records[bot].games_played + 1, stack=stack, place=0)
            for bot, stack in zip(event.seats, event.stacks, strict=True)
        }
        games, games_in_stage = tournament.games + 1, tournament.games_in_stage + 1
        tournament = replace(tournament, records=records, game=event, game_forfeited=False)
        return replace(tournament, games=games, games_in_stage=games_in_stage)
    game = tournament.game
    seats = game.seats if game else ()
    deal_tables = tournament.deal_tables
    if game and tournament.has_deals:
        won = (after - before for before, after in zip(game.stacks, event.stacks, strict=True))
        deal_tables = (*deal_tables, PlayedTable(seats, tuple(won), event.luck))
    records |= {bot: replace(records[bot], stack=stack) for bot, stack in zip(seats, event.stacks, strict=False)}
    for place, bot in enumerate(event.ranking, 1):
        record = records[bot]
        records[bot] = replace(record, games_won=record.games_won + (place == 1), place_sum=record.place_sum + place)
    return replace(tournament, records=records, game=None, deal_tables=deal_tables)


def next_stage(contest_format: Format, tournament: Tournament) -> tuple[int, StagePlan] | None:
    """Returns the number and the plan of the stage that starts now, or None after the last stage.

    Skips stages in which all bots would advance. For example, six bots skip a stage from which six advance.
    """
    last_number = tournament.stage.stage if tournament.stage else 0
    for number, plan in enumerate(contest_format.stages[last_number:], last_number + 1):
        if not plan.advance or len(tournament.stage_bots) > plan.advance:
            bots = tournament.stage_bots
            games = len(seat_orders(bots)) if plan.duplicate else plan.games
            games = plan.deals * min(plan.seats, len(bots)) or games
            return number, replace(plan, games=games)
    return None


def seat_orders(bots: Sequence[int]) -> list[tuple[int, ...]]:
    """Returns the seat orders for duplicate games.

    Two or three bots sit in all possible orders. With more bots, each bot sits once in each seat.
    """
    if len(bots) <= 3:
        return list(permutations(bots))
    return [(*bots[first:], *bots[:first]) for first in range(len(bots))]


def deck_game_of(game: events.GameStarted) -> int:
    """Returns the number of the game whose decks `game` uses: the game that it repeats, or `game` itself."""
    return game.game if game.dealt_as is UNSET else game.dealt_as


def start_stage(contest_format: Format, tournament: Tournament, number: int, plan: StagePlan) -> events.StageStarted:
    """Returns the event that starts stage `number`, with its bots and their chips."""
    bots = tournament.stage_bots
    kept_stacks = tuple(tournament.records[bot].stack for bot in bots)
    stacks = kept_stacks if plan.carry else (contest_format.starting_stack,) * len(bots)
    next_title = contest_format.stages[number].title if plan.advance else ""
    return events.StageStarted(
        number, plan.title, plan.games, plan.hands, bots, stacks, plan.advance, plan.seats, plan.carry, plan.even,
        next_title, plan.series or UNSET, plan.duplicate or UNSET, plan.deals or UNSET,
        plan.sure_percent or UNSET, lead_needed(plan.sure_percent, len(bots), plan.deals) or UNSET,
        plan.minutes or UNSET, UNSET if plan.decided_by == "chips" else plan.decided_by,
    )  # fmt: skip


def plan_of(stage: events.StageStarted, *, draws_seats: bool = True) -> StagePlan:
    """Returns the plan of a stage that has started. The event does not record whether seats are drawn, so `draws_seats`
    says this.
    """
    series, duplicate = bool(stage.series), bool(stage.duplicate)
    return StagePlan(
        stage.title, stage.games, stage.hands, stage.seats, stage.advance, draws_seats, stage.carry, stage.even, series,
        duplicate, stage.deals or 0, stage.sure_percent or 0, stage.minutes or 0, stage.decided_by or "chips",
    )  # fmt: skip


def stacks_after_forfeit(seat: int, stacks: Sequence[int]) -> tuple[int, ...]:
    """Returns the stacks after `seat` lost a game of two bots by a fault. All chips go to the other seat."""
    return tuple(0 if index == seat else sum(stacks) for index in range(len(stacks)))


def busted_bots(
    seats: Sequence[int], stacks_before: Sequence[int], stacks_after: Sequence[int]
) -> list[tuple[int, int]]:
    """Returns the bots that went broke in a hand, each with its stack before the hand.

    `seats` are the bots in seat order. `stacks_before` and `stacks_after` are stacks by seat.
    """
    return [(bot, had) for bot, had, has in zip(seats, stacks_before, stacks_after, strict=True) if had and not has]
