"""What the rules say, in words: to a bot that breaks one, and of each situation in which a bot is tried."""

from server.contests.situations import ANY
from server.contests.words import Matter, Words
from server.game.events import TurnStarted
from server.game.hand import Hand

RULES: dict[Matter, str] = {
    "message": "An answer is the state that was sent, repeated to the letter, a colon and an action: f, c, or r with "
    "the total of the whole hand. What is no such line is ignored; an action that cannot be taken is a call.",
    "action": "A raise is to all that its player has put into the hand, and nobody folds where checking is free.",
    "time": "An answer comes in time, and all answers of a match within its time. A player without one is out of the "
    "match: it checks where that is free and folds where not.",
    "turn": "A player answers only a state in which it acts, once.",
    "gone": "A player that has gone is out of the match: it checks where that is free and folds where not.",
}

SITUATIONS = {part: words for part, words in ANY.items() if part != "short"} | {
    "comes": "A player is started with two arguments, the host and its own port, connects and sends VERSION:2.0.0.",
    "act": "When the state says that it acts, the player sends the same line with a colon and f, c or r and a total.",
    "raise": "r and a number raises to that total for the whole hand, blinds and earlier rounds included.",
    "stream": "TCP is a stream: a line may come in pieces, and several lines at once.",
}
"""What the document says, by the part of a game. Nobody is ever short: each hand begins with a full stack."""


def _answers(hand: Hand, turn: TurnStarted) -> list[str]:
    seat = hand.seats[turn.seat]
    earlier = seat.committed - seat.bet
    fold = ["f"] if turn.to_call else []
    call = f"c (costs {turn.to_call})" if turn.to_call else "c (costs nothing)"
    low, high = turn.min_raise_to + earlier, turn.max_raise_to + earlier
    return [*fold, call, *([f"r{low} to r{high}" if low < high else f"r{high}"] if turn.max_raise_to else [])]


WORDS = Words(RULES, _answers)
