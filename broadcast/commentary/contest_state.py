"""The contest as far as it has been on air: tournament, hand, chips, standings and title odds. No I/O."""

from collections.abc import Mapping, Sequence

from broadcast.odds.title_odds import chance_in_permille, first_place_chances
from broadcast.on_air.events import StandingsChanged, TitleChance, TitleOddsChanged
from broadcast.on_air.shared_types import Standing
from server.contests import CONTESTS
from server.game.events import Event, GameStarted, HandEnded, HandStarted, StageStarted, TournamentOpened
from server.game.hand import Hand, evolve, open_hand
from server.game.tournament import Tournament, open_tournament
from server.game.tournament import evolve as evolve_tournament


class ContestState:
    """The state of the contest after the events that have gone on air.

    `opened` is None before a tournament. `hand` is None before the first hand of a tournament.
    """

    def __init__(self) -> None:
        self.opened: TournamentOpened | None = None
        self.tournament = Tournament({}, ())
        self.hand: Hand | None = None
        self.starting_stacks: tuple[int, ...] = ()
        """The stacks by seat at the beginning of the hand."""
        self._ranks: dict[int, int] = {}
        """Each bot's rank in the previous standings of the stage."""

    def apply(self, event: Event) -> None:
        """Applies `event`. Raises LookupError for an unknown bot or seat."""
        match event:
            case TournamentOpened():
                self.opened, self.hand = event, None
                self.tournament = open_tournament(event)
            case HandStarted() if self.opened:
                self.hand, self.starting_stacks = open_hand(self.opened.rules, event), event.stacks
            case _:
                if isinstance(event, StageStarted):
                    self._ranks = {}
                self.hand = self.hand and evolve(self.hand, event)
                self.tournament = evolve_tournament(self.tournament, event)

    @property
    def stage(self) -> StageStarted | None:
        """The stage being played. It is None between stages, and in contests that are not in CONTESTS."""
        is_known = self.opened is not None and self.opened.contest in CONTESTS
        return self.tournament.stage if is_known and self.tournament.in_stage else None

    @property
    def is_rated(self) -> bool:
        """Whether games change ratings, as in a season. If so, every bot has a rating."""
        return self.opened is not None and all(entrant.rating for entrant in self.opened.entrants)

    @property
    def seats(self) -> tuple[int, ...]:
        """The bots of the current game, in seat order."""
        return self.tournament.game.seats if self.tournament.game else ()

    def chips(self, at_table: Sequence[int]) -> dict[int, int]:
        """Returns the chips of every bot of the stage. In a series, each game begins with new stacks, so only the bots
        of the current game are included.

        `at_table` are the stacks at the table, by seat. The stacks of other bots come from the tournament's records.
        """
        tournament, seated = self.tournament, dict(zip(self.seats, at_table, strict=True))
        if tournament.in_series:
            return seated
        return {bot: tournament.records[bot].stack for bot in tournament.stage_bots} | seated

    def title_chances(self, chips: Mapping[int, int], hands_played: int) -> dict[int, int] | None:
        """Returns each bot's chance of the title, in tenths of a percent.

        `chips` are the chips of each bot. Returns None if chips do not decide the title, as in a season or a series.
        """
        stage = self.stage
        if stage is None or self.is_rated or not self._is_title_decided_by_chips(stage) or not any(chips.values()):
            return None
        left = max(0, stage.hands - hands_played) if stage.hands and not stage.advance else None
        chances = first_place_chances(tuple(chips.values()), left)
        return {bot: chance_in_permille(chance) for bot, chance in zip(chips, chances, strict=True)}

    def standings_events(self) -> list[Event]:
        """Returns the event that shows the standings of the stage after a game.

        Returns [] in a stage of only one game, and in a stage of deals. Each row says how many places the bot has
        gained or lost since the previous standings of the stage.
        """
        stage = self.tournament.stage
        if stage is None or stage.games == 1 or stage.deals:
            return []
        rows = []
        for rank, bot in enumerate(sorted(stage.bots, key=self._sort_key), 1):
            record, moved = self.tournament.records[bot], self._ranks.get(bot, rank) - rank
            place = 0 if stage.series else record.place
            rows.append(Standing(rank, bot, record.stack, moved, record.games_played, place, record.games_won))
            self._ranks[bot] = rank
        return [StandingsChanged(tuple(rows), stage.advance)]

    def _sort_key(self, bot: int) -> tuple[int, int, int]:
        record = self.tournament.records[bot]
        return (
            (-record.games_won, record.place_sum, bot)
            if self.tournament.in_series
            else (record.place, -record.stack, bot)
        )

    def _is_title_decided_by_chips(self, stage: StageStarted) -> bool:
        if stage.series or stage.deals or self.opened is None:
            return False
        if not stage.advance:
            return stage.games == 1
        next_stage = CONTESTS[self.opened.contest].format.stages[stage.stage : stage.stage + 1]
        return (
            bool(next_stage)
            and next_stage[0].title == stage.next_title
            and next_stage[0].carry
            and not next_stage[0].hands
        )


def title_odds_events(contest: ContestState, event: Event) -> list[TitleOddsChanged]:
    """Returns at most one event, with the title odds to put on air after `event`. `contest` has already applied
    `event`.
    """
    match event:
        case GameStarted(stacks=stacks):
            chances = contest.title_chances(contest.chips(stacks), 0)
        case HandEnded(stacks=stacks) if contest.hand:
            chances = contest.title_chances(contest.chips(stacks), contest.hand.number)
        case _:
            return []
    return [TitleOddsChanged(tuple(TitleChance(bot, chance) for bot, chance in chances.items()))] if chances else []
