"""The formats of tournaments (rules, chips and stages) as plain data, and the changes that an organiser may make. All
functions are pure.
"""

from msgspec import UNSET, Struct
from msgspec.structs import replace

from server.game.events import DecidedBy
from server.game.rules import Level, Rules


class StagePlan(Struct, frozen=True):
    """A stage of `games` games, each of `hands` hands. If `games` or `hands` is 0, there is no limit.

    The best `advance` bots advance to the next stage. In the last stage, `advance` is 0.
    """

    title: str
    games: int
    hands: int
    seats: int = 6
    advance: int = 0
    draws_seats: bool = True
    """Whether seats are drawn. If not, bots sit in the order of entry."""
    carry: bool = False
    """Whether bots keep their chips. If not, all start the stage with the starting stack."""
    even: bool = False
    """Whether tables are as equal in size as possible. If not, one table is filled after the other."""
    series: bool = False
    """Whether games are separate: each starts with equal stacks, and bots are ranked by the games that they won."""
    duplicate: bool = False
    """Whether all games have the same cards. If so, bots change seats after each game, and `games` is ignored."""
    deals: int = 0
    """The maximum number of deals, or 0 in a stage without deals. In a deal, several tables play the same `hands`
    hands, but the bots change seats (see `server/game/deals.py`).
    """
    sure_percent: int = 0
    """A stage of deals ends early once its winner is this certain, in percent. With 0, it never ends early."""
    minutes: int = 0
    """At speed 1, the show of a stage of deals may take this many minutes. With 0, every deal is shown in full."""
    decided_by: DecidedBy = "chips"
    """How bots are ranked in a stage of deals: by the `chips` won, or by the chips `earned`, which leave out luck."""


class Format(Struct, frozen=True):
    """A kind of tournament, without entrants. `contest` is the contest's id, and `title` is the name on screen."""

    contest: str
    title: str
    rules: Rules
    starting_stack: int
    stages: tuple[StagePlan, ...]

    def max_deals_for(self, bots: int) -> int:
        """Returns the maximum number of deals in all stages of a tournament with `bots` bots. If there are more bots
        than seats, the bots first play in groups.
        """
        return sum(stage.deals for stage in (self.stages if bots > self.stages[-1].seats else self.stages[-1:]))

    @property
    def hand_stack(self) -> int:
        """How many chips of the starting stack a bot can put into one hand."""
        cap = self.rules.hand_cap
        return self.starting_stack if cap is UNSET else min(self.starting_stack, cap)


def with_blinds(contest_format: Format, levels: tuple[Level, ...], hands_per_level: int = 0) -> Format:
    """Returns `contest_format` with these blind levels. Each lasts `hands_per_level` hands. With 0, the first level
    never ends.
    """
    return replace(contest_format, rules=replace(contest_format.rules, levels=levels, hands_per_level=hands_per_level))


def with_hand_limit(contest_format: Format, hands: int) -> Format:
    """Returns `contest_format` with at most `hands` hands in each game of its last stage."""
    return replace(
        contest_format, stages=(*contest_format.stages[:-1], replace(contest_format.stages[-1], hands=hands))
    )


def as_series(contest_format: Format, games: int) -> Format:
    """Returns `contest_format` with `games` separate games in its last stage. Bots are ranked by their wins."""
    return replace(
        contest_format,
        stages=(*contest_format.stages[:-1], replace(contest_format.stages[-1], games=games, series=True)),
    )


def as_deals(
    contest_format: Format,
    deals: int,
    hands: int = 1,
    sure_percent: int = 0,
    seats: int = 0,
    *,
    minutes: int = 0,
    decided_by: DecidedBy = "chips",
) -> Format:
    """Returns `contest_format` with at most `deals` deals of `hands` hands each. Bots in a deal play the same cards.

    A table has `seats` seats, or as many as in `contest_format` if `seats` is 0. If there are more bots than seats, the
    bots first play the same number of deals in groups, for a place in the final. The show of a stage takes at most
    `minutes`. If `minutes` is 0, every deal is shown in full. `decided_by` says how bots are ranked.
    """
    seats = seats or contest_format.stages[-1].seats
    final = StagePlan("The Final", 0, hands, seats, deals=deals, minutes=minutes, decided_by=decided_by)
    groups = replace(final, title="The Groups", advance=seats)
    return replace(contest_format, stages=(groups, replace(final, sure_percent=sure_percent)))


def as_exhibition(contest_format: Format, think_ms: int, bank_ms: int) -> Format:
    """Returns `contest_format` with a thinking clock instead of the contest's own time limits.

    A bot has `think_ms` for each decision. Time beyond that is taken from the bot's time bank, which has `bank_ms` for
    each game.
    """
    rules = replace(contest_format.rules, think_ms=think_ms, time_bank_ms=UNSET, exhibition_bank_ms=bank_ms)
    return replace(contest_format, rules=rules)
