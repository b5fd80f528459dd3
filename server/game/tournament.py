"""A tournament as it stands, what follows next, and who gets what. Formats are data; dice are handed in.

The same two thoughts as in a hand: `evolve` folds the coarse events, the rest are questions with one right answer.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from server.game.events import (
    BotEliminated,
    Event,
    GameEnded,
    GameStarted,
    Placing,
    StageEnded,
    StageStarted,
    TournamentOpened,
)
from server.game.rules import QUICK_DRAW, Rules

Shuffle = Callable[[Sequence[int], str], list[int]]
"""Puts bots into the order that the named dice give, the same for the same name."""


class StagePlan(Struct, frozen=True):
    """A stage: so many games of so many hands, the best `advance` of which ride on (0: it is the last)."""

    title: str
    games: int
    hands: int
    seats: int = 6
    advance: int = 0
    draw: bool = True
    """Whether seats are drawn; else the bots sit as they were entered."""


class Contest(Struct, frozen=True):
    """A tournament before anybody has entered it."""

    contest: str
    title: str
    rules: Rules
    starting_stack: int
    stages: tuple[StagePlan, ...]


class Record(Struct, frozen=True):
    """How one bot stands. `place` is 0 while it is not decided."""

    stack: int
    games: int = 0
    place: int = 0


class Tournament(Struct, frozen=True):
    """A tournament after some event: the bots still in the stage, and the places of those who are not."""

    records: Mapping[int, Record]
    entered: int
    stage: StageStarted | None = None
    games_in_stage: int = 0
    game: GameStarted | None = None
    games: int = 0


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


def open_tournament(opened: TournamentOpened) -> Tournament:
    """The tournament before its first stage."""
    records = {entrant.bot: Record(opened.starting_stack) for entrant in opened.entrants}
    return Tournament(records, len(records))


def evolve(tournament: Tournament, event: Event) -> Tournament:
    """The tournament after `event`; events of a hand change nothing."""
    records = dict(tournament.records)
    match event:
        case StageStarted(bots=bots, stacks=stacks):
            # "Everyone will reset to a 5000 chip pot": the stage says what each has.
            stage_records = {bot: replace(records[bot], stack=stack) for bot, stack in zip(bots, stacks, strict=True)}
            return replace(tournament, records=records | stage_records, stage=event, games_in_stage=0)
        case GameStarted(seats=seats):
            played = {bot: replace(records[bot], games=records[bot].games + 1) for bot in seats}
            games, in_stage = tournament.games + 1, tournament.games_in_stage + 1
            return replace(tournament, records=records | played, game=event, games=games, games_in_stage=in_stage)
        case GameEnded(stacks=stacks) if tournament.game is not None:
            seats = tournament.game.seats
            left = {bot: replace(records[bot], stack=stack) for bot, stack in zip(seats, stacks, strict=True)}
            return replace(tournament, records=records | left, game=None)
        case BotEliminated(bot=bot, place=place):
            return replace(tournament, records=records | {bot: replace(records[bot], stack=0, place=place)})
        case StageEnded(ranking=ranking, advancing=advancing):
            best = len(advancing)
            out = {bot: replace(records[bot], place=place) for place, bot in enumerate(ranking, 1) if place > best}
            return replace(tournament, records=records | out)
        case _:
            return tournament


# -- what follows ----------------------------------------------------------------------------------


def alive(tournament: Tournament) -> list[int]:
    """The bots that can still be seated: those of the stage with chips left."""
    bots = tournament.stage.bots if tournament.stage else tuple(tournament.records)
    return [bot for bot in bots if tournament.records[bot].stack > 0 and not tournament.records[bot].place]


def decided(tournament: Tournament, plan: StagePlan) -> bool:
    """Whether all that are left ride on, or one is left: the stage ends then, in the middle of a game too.

    "15 games or until there are 6 players remaining": playing the game on could only leave fewer than six.
    """
    return len(alive(tournament)) <= max(plan.advance, 1)


def stage_over(tournament: Tournament, plan: StagePlan) -> bool:
    """Whether no further game of this stage is played."""
    return tournament.games_in_stage >= plan.games or decided(tournament, plan)


def draw_seats(tournament: Tournament, plan: StagePlan, shuffle: Shuffle) -> tuple[int, ...]:
    """Who plays the next game, in seat order.

    "Players are drawn randomly from the pool of the bots who have played the least number of games and still have
    chips in their pot."
    """
    bots = alive(tournament)
    if not plan.draw:
        return tuple(bots[: plan.seats])
    drawn = sorted(shuffle(bots, "players"), key=lambda bot: tournament.records[bot].games)[: plan.seats]
    return tuple(shuffle(sorted(drawn), "seats"))


def eliminated(tournament: Tournament, busted: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Bots and their places, worst first, for bots that lost their last chips in one hand.

    `busted` pairs each bot with its stack at the start of that hand: who had more comes out ahead.
    """
    place = sum(1 for record in tournament.records.values() if not record.place)
    worst_first = sorted(busted, key=lambda pair: pair[1])
    return [(bot, place - behind) for behind, (bot, _) in enumerate(worst_first)]


def rank(tournament: Tournament, shuffle: Shuffle) -> tuple[int, ...]:
    """The bots of the stage, best first: places where they are decided, else stacks; equal stacks by lot."""
    bots = tournament.stage.bots if tournament.stage else tuple(tournament.records)
    records = tournament.records
    by_lot = shuffle(sorted(bots), "ties")
    return tuple(sorted(by_lot, key=lambda bot: (records[bot].place, -records[bot].stack)))


# -- money -----------------------------------------------------------------------------------------


def prizes(pool_cents: int) -> tuple[int, ...]:
    """What the first five places get, in cents, from a pool of buy-ins.

    "4th / 5th place: $5. 3rd place: 20% of remaining pot. 2nd place: 30% […] 1st place: 50% of remaining pot". Cents
    that do not divide go to the winner. A pool too small for 4th and 5th all goes to the first three.
    """
    small = 500 if pool_cents >= 2000 else 0
    rest = pool_cents - 2 * small
    second, third = rest * 30 // 100, rest * 20 // 100
    return (rest - second - third, second, third, small, small)


def place_all(
    ranking: Sequence[int], stacks: Mapping[int, int], players: Mapping[int, str], prizes_cents: Sequence[int]
) -> tuple[Placing, ...]:
    """The final table from every bot, best first.

    "Players, not individual bots, receive prizes […] you will receive the payout for the higher placed bot": a
    player's second bot is passed over, and the money moves up to the next player. Where there are fewer players than
    prizes, the winner takes the rest: all that was paid in is paid out.
    """
    first_bots = _first_bots(ranking, players)
    prize = dict(zip(first_bots, prizes_cents, strict=False))
    if first_bots:
        prize[first_bots[0]] = prize.get(first_bots[0], 0) + sum(prizes_cents[len(first_bots) :])
    return tuple(Placing(place, bot, stacks[bot], prize.get(bot, 0)) for place, bot in enumerate(ranking, 1))


def _first_bots(ranking: Sequence[int], players: Mapping[int, str]) -> list[int]:
    """The best bot of each player, best first. A bot without a player is its own."""
    best: dict[str, int] = {}
    for bot in ranking:
        best.setdefault(players[bot] or f"bot {bot}", bot)
    return list(best.values())
