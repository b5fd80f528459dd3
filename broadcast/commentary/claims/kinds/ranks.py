"""Counts the ranks and suits in the bot's hand and on the board. Ranks are numbers from 0 (two) to 12 (ace). No I/O."""

from functools import lru_cache
from itertools import combinations

from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from server.game.cards import DECK, RANKS, Card
from server.game.ranking import strength

OpponentHand = tuple[tuple[Card, Card], int]
"""Two cards that another bot may hold, and the strength that they have with the board."""


def rank_of_card(card: Card) -> int:
    """Returns the rank of a card, from 0 for a two to 12 for an ace."""
    return RANKS.index(card[0])


def hole_ranks(known: BotKnowledge) -> list[int]:
    """Returns the ranks of the bot's cards, the higher first."""
    return sorted(map(rank_of_card, known.cards), reverse=True)


def board_ranks(known: BotKnowledge) -> list[int]:
    """Returns the different ranks on the board, the highest first."""
    return sorted({rank_of_card(card) for card in known.board}, reverse=True)


def is_board_paired(known: BotKnowledge) -> bool:
    """Whether two cards on the board have the same rank."""
    return len(board_ranks(known)) < len(known.board)


def count_of(known: BotKnowledge, rank: int) -> int:
    """Returns how many cards of the rank `rank` the bot sees, in its hand and on the board."""
    return sum(rank_of_card(card) == rank for card in (*known.cards, *known.board))


def paired_ranks(known: BotKnowledge) -> set[int]:
    """Returns each rank of the bot's two cards that occurs at least twice among these cards and the board."""
    return {rank for rank in hole_ranks(known) if count_of(known, rank) > 1}


def pocket_rank(known: BotKnowledge) -> int | None:
    """Returns the rank of the bot's pocket pair, or None."""
    high, low = hole_ranks(known)
    return high if high == low else None


def made_kind(known: BotKnowledge) -> int:
    """Returns the kind of the bot's hand, as a number: 0 for a high card, 1 for a pair, 8 for a straight flush."""
    return known.hand_strength >> 24


def made_ranks(known: BotKnowledge) -> list[int]:
    """Returns the ranks that decide the strength of the bot's hand, the most important first."""
    return [known.hand_strength >> shift & 15 for shift in (16, 12, 8, 4, 0)]


def in_suit(cards: tuple[Card, ...], suit: str) -> list[Card]:
    """Returns the `cards` of this suit."""
    return [card for card in cards if card[1] == suit]


def longest_suit(cards: tuple[Card, ...]) -> str:
    """Returns the suit that occurs most often, or "" if there are no cards."""
    return max("cdhs", key=lambda suit: len(in_suit(cards, suit))) if cards else ""


def possible_opponent_hands(known: BotKnowledge) -> tuple[OpponentHand, ...]:
    """Returns each two-card hand that another bot may hold, with the strength that it has with the board."""
    return _opponent_hands(known.cards, known.board)


@lru_cache(64)
def _opponent_hands(cards: tuple[Card, ...], board: tuple[Card, ...]) -> tuple[OpponentHand, ...]:
    unseen = [card for card in DECK if card not in cards and card not in board]
    return tuple((two, strength((*two, *board))) for two in combinations(unseen, 2))


PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL, FOUR, STRAIGHT_FLUSH = range(1, 9)
"""The numbers of the kinds of hands, as `made_kind` returns them."""


def makes_straight(cards: tuple[Card, ...], board: tuple[Card, ...], card: Card) -> bool:
    """Whether `card` completes a straight that contains one of the bot's `cards`. Ignores suits."""
    mine, shared = [rank_of_card(each) for each in cards], {rank_of_card(each) for each in (*board, card)}
    best = top_of_straight({*mine, *shared})
    return best > top_of_straight(shared) and rank_of_card(card) in {
        *range(best - 4, best + 1),
        12 if best == 3 else best,
    }


def top_of_straight(ranks: set[int]) -> int:
    """Returns the top rank of the best straight that `ranks` contain, or 0 if they contain no straight."""
    has = ranks | {-1} if 12 in ranks else ranks
    return max((top for top in range(3, 13) if {*range(top - 4, top + 1)} <= has), default=0)


def cards_making(kind: int, seen: tuple[Card, ...]) -> frozenset[Card]:
    """Returns each unseen card that makes a hand of this kind or better when it is added to the cards `seen`."""
    return frozenset(card for card in DECK if card not in seen and strength((*seen, card)) >> 24 >= kind)
