"""The ACPC's no-limit hold'em: matches of N hands, each begun with 20,000 chips, whatever was won or lost before.

What is won and lost is paid from a bank that lasts for all hands; each brings so much of it to the table.
"""

from msgspec.structs import replace

from server.contests.acpc.game_definition import Game
from server.contests.contest import OwnTable
from server.game.rules import Rules
from server.game.tournament import Format, StagePlan

HANDS = 100
SEATS = 6
GAME = Game(SEATS)
ANSWER_MS = 10_000
HAND_MS = 7_000
"""Time for a hand, on average over the match."""


def rules_of(game: Game, hands: int = HANDS) -> Rules:
    """The rules of a match. "Nobody may fold where checking is free": not even a player that is gone."""
    return Rules(
        edition=2,
        levels=(game.level,),
        think_ms=ANSWER_MS,
        time_bank_ms=hands * HAND_MS,
        hand_cap=game.stack,
        fault_costs="rest",
        silence_checks=True,
    )


def match_of(game: Game, hands: int = HANDS, title: str = "The Match", *, draw: bool = True) -> Format:
    """One match of so many hands."""
    plan = StagePlan(title, games=1, hands=hands, seats=game.players, draw=draw)
    return Format("acpc", "ACPC No-Limit Hold'em", rules_of(game, hands), hands * game.stack, (plan,))


def duplicates_of(match: Format) -> Format:
    """That match, played once for every order of the players, with the same cards."""
    (plan,) = match.stages
    title, stack = "Duplicate Matches", match.starting_stack * SEATS
    return replace(match, starting_stack=stack, stages=(replace(plan, title=title, draw=False, duplicate=True),))


def arranged(table: OwnTable) -> Format:
    """A match at the organiser's table, where the chips are those of every hand."""
    level = table.levels[0] if table.levels else GAME.level
    hands = table.hands or HANDS
    match = match_of(Game(SEATS, table.stack or GAME.stack, level), hands)
    bank_ms = hands * (table.hand_ms or HAND_MS)
    match = replace(match, rules=replace(match.rules, think_ms=table.answer_ms or ANSWER_MS, time_bank_ms=bank_ms))
    return duplicates_of(match) if table.duplicate else match


ACPC_FORMAT = match_of(GAME)
