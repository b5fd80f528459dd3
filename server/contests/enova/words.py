"""What the rules say, in words: to a bot that breaks one, and of each situation in which a bot is tried."""

from server.contests.situations import ANY, AT_A_TABLE
from server.contests.words import Matter, Words, span
from server.game.events import TurnStarted
from server.game.hand import Hand

RULES: dict[Matter, str] = {
    "message": 'POST /player/action is answered with status 200 and {"action": "bet", "amount": 4}: an action, '
    "blind, bet or fold, and a whole amount. Anything else is a fold.",
    "action": "A bet is the total for this round: minimum_bet, which is a call, up to maximum_bet. A blind that is "
    "asked for is posted exactly.",
    "time": "An answer counts that is there within the time limit. After that the bot folds.",
    "turn": "A bot acts when POST /player/action asks it to.",
    "gone": "A bot that cannot be called folds.",
}

SITUATIONS = (
    ANY
    | AT_A_TABLE
    | {
        "comes": "A bot answers GET /player/ready and POST /player/seat with status 200.",
        "act": 'POST /player/action is answered with {"action": …, "amount": …} and status 200, within the limit.',
        "names": "Names have up to 100 characters.",
        "fields": "A form may have fields that the document does not name; they mean nothing.",
    }
)
"""What the document says, by the part of a game."""


def _answers(hand: Hand, turn: TurnStarted) -> list[str]:
    if turn.blind:
        blind = hand.small_blind if turn.blind == "small" else hand.big_blind
        return [f"blind with an amount of {blind}", "fold"]
    call = f"bet with an amount of {hand.current_bet} (a {'call' if turn.to_call else 'check'})"
    raises = f" or {span(turn.min_raise_to, turn.max_raise_to)} (a raise)" if turn.max_raise_to else ""
    return [f"{call}{raises}", "fold"]


WORDS = Words(RULES, _answers)
