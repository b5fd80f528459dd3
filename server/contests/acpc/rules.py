"""The rules of the contest ACPC: matches of no-limit hold'em. Every player starts every hand with 20,000 chips.

In this program, players keep their chips from hand to hand. So each player starts a match of 100 hands with 100 times
20,000 chips. `Rules.hand_cap` lets a player put only 20,000 into one hand.
"""

from msgspec.structs import replace

from server.contests.acpc.game_definition import Game
from server.contests.contest import TableSettings
from server.contests.probe_situations import COMMON_RULES, RuleTexts
from server.game.events import TurnStarted
from server.game.formats import Format, StagePlan
from server.game.hand import Hand
from server.game.rules import Rules

HANDS = 100
SEATS = 6
GAME = Game(SEATS)
ANSWER_MS = 10_000
HAND_MS = 7_000
"""The time that a player may take for a hand, on average over the match."""


def rules_of(game: Game, hands: int = HANDS) -> Rules:
    """Returns the rules of a match of `hands` hands. A player that is late is out of the match: from then on, it checks
    where checking is free, and otherwise folds.
    """
    return Rules(
        edition=2,
        levels=(game.level,),
        think_ms=ANSWER_MS,
        time_bank_ms=hands * HAND_MS,
        hand_cap=game.stack,
        fault_costs="rest",
        silence_checks=True,
    )


def match_of_game(game: Game, hands: int = HANDS, title: str = "The Match", *, draws_seats: bool = True) -> Format:
    """Returns the format of a single match. If `draws_seats` is False, players sit in the order of entry."""
    plan = StagePlan(title, games=1, hands=hands, seats=game.players, draws_seats=draws_seats)
    return Format("acpc", "ACPC No-Limit Hold'em", rules_of(game, hands), hands * game.stack, (plan,))


def duplicates_of(match: Format) -> Format:
    """Returns the format of duplicate matches. All these matches have the same cards, but the players sit in different
    seats in each match.
    """
    (plan,) = match.stages
    # Two or three players sit in all orders. If there are more players, each player sits once in each seat. So there
    # are at most six matches. Players keep their chips from match to match, so they begin with chips for six matches.
    title, stack = "Duplicate Matches", match.starting_stack * SEATS
    return replace(match, starting_stack=stack, stages=(replace(plan, title=title, draws_seats=False, duplicate=True),))


def custom_match(table: TableSettings) -> Format:
    """Returns the format with the organiser's settings, `table`. Players start each hand with `table.stack` chips.

    Where a setting is 0 or (), the contest's own value applies.
    """
    level = table.levels[0] if table.levels else GAME.level
    hands = table.hands or HANDS
    match = match_of_game(Game(SEATS, table.stack or GAME.stack, level), hands)
    bank_ms = hands * (table.hand_ms or HAND_MS)
    match = replace(match, rules=replace(match.rules, think_ms=table.answer_ms or ANSWER_MS, time_bank_ms=bank_ms))
    return duplicates_of(match) if table.duplicate else match


ACPC_FORMAT = match_of_game(GAME)


def _legal_answers(hand: Hand, turn: TurnStarted) -> list[str]:
    seat = hand.seats[turn.seat]
    earlier_bets = seat.committed - seat.bet
    fold = ["f"] if turn.to_call else []
    call = f"c (costs {turn.to_call})" if turn.to_call else "c (costs nothing)"
    low, high = turn.min_raise_to + earlier_bets, turn.max_raise_to + earlier_bets
    raises = [f"r{low} to r{high}" if low < high else f"r{high}"] if turn.max_raise_to else []
    return [*fold, call, *raises]


RULE_TEXTS = RuleTexts(
    rules_by_subject={
        "message": "An answer repeats the state exactly, followed by a colon and an action: f, c, or r with the "
        "player's total for the whole hand. Any other line is ignored. An impossible action counts as a call.",
        "action": "A raise names the player's total for the hand, and no player may fold where checking is free.",
        "time": "There is a time limit for each answer, and another for all answers of the match together. A player "
        "that exceeds either is out of the match: it checks where checking is free, and otherwise folds.",
        "turn": "A player answers only a state in which it is to act, and only once.",
        "gone": "A disconnected player is out of the match: it checks where checking is free, and otherwise folds.",
    },
    # Each hand starts with a full stack, so no player is ever short of chips.
    rules_by_topic={topic: rule for topic, rule in COMMON_RULES.items() if topic != "short"}
    | {
        "comes": "A player is started with two arguments: a host and a port. It connects and sends VERSION:2.0.0.",
        "act": "When a state shows that it is a player's turn, the player sends the same line, then a colon and f, c, "
        "or r with a total.",
        "raise": "r and a number raises to that total for the whole hand, including blinds and earlier rounds.",
        "stream": "TCP is a stream: a line may arrive in pieces, or several lines at once.",
    },
    legal_answers=_legal_answers,
)
