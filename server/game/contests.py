"""The four contests as data: rules, starting stack and stages. `CONTESTS` has them by id, such as "quick-draw"."""

from msgspec.structs import replace

from server.game.rules import ARENA, ENOVA, QUICK_DRAW, UPAC, Level, Rules
from server.game.tournament import Contest, StagePlan

# "The Trials are made up of 15 games or until there are 6 players remaining. […] Finals will involve 24 hands or
# until 1 player is left. Everyone will reset to a 5000 chip pot"
QUICK_DRAW_CONTEST = Contest(
    contest="quick-draw",
    title="Quick Draw Circuit",
    rules=QUICK_DRAW,
    starting_stack=5000,
    stages=(
        StagePlan("The Trials", games=15, hands=6, advance=6),
        StagePlan("High Noon", games=1, hands=24),
    ),
)

# "At most 8 at a table, play until one is left". More than 8 sit down in turn at tables of 8 hands, drawn anew each
# time, until 8 are left for the last table; chips are kept.
ENOVA_CONTEST = Contest(
    contest="enova",
    title="Enova Hold'em",
    rules=ENOVA,
    starting_stack=100,
    stages=(
        StagePlan("The Tables", games=0, hands=8, seats=8, advance=8, even=True),
        StagePlan("The Last Table", games=1, hands=0, seats=8, carry=True),
    ),
)

# "Games are played for 100 rounds, or until one bot runs out of chips. Bots start with 50 chips". The defender sits
# first, and has the small blind in round 1.
UPAC_CONTEST = Contest(
    contest="upac",
    title="UPAC",
    rules=UPAC,
    starting_stack=50,
    stages=(StagePlan("The Duel", games=1, hands=100, seats=2, draw=False),),
)

# "Continuous Play: the game continues until only one player remains"; "2000 chips, up to 12 players".
ARENA_CONTEST = Contest(
    contest="arena",
    title="The Arena",
    rules=ARENA,
    starting_stack=2000,
    stages=(StagePlan("The Arena", games=1, hands=0, seats=12),),
)

CONTESTS = {contest.contest: contest for contest in (QUICK_DRAW_CONTEST, ENOVA_CONTEST, UPAC_CONTEST, ARENA_CONTEST)}


def with_blinds(contest: Contest, levels: tuple[Level, ...], hands_per_level: int = 0) -> Contest:
    """`contest` with these blind levels instead of its own, each for `hands_per_level` hands (0: only the first)."""
    rules: Rules = replace(contest.rules, levels=levels, hands_per_level=hands_per_level)
    return replace(contest, rules=rules)


def with_most_hands(contest: Contest, hands: int) -> Contest:
    """`contest` with at most `hands` hands in each game of its last stage: "then most chips wins"."""
    return replace(contest, stages=(*contest.stages[:-1], replace(contest.stages[-1], hands=hands)))


def as_series(contest: Contest, games: int) -> Contest:
    """`contest` with a last stage of `games` separate games, ranked by games won: the Arena's `rounds`."""
    return replace(contest, stages=(*contest.stages[:-1], replace(contest.stages[-1], games=games, series=True)))
