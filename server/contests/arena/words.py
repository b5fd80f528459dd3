"""What the rules say, in words: to a bot that breaks one, and of each situation in which a bot is tried."""

from server.contests.situations import ANY, AT_A_TABLE, ONE_IS_OUT
from server.contests.words import Matter, Words, named_actions
from server.game.events import TurnStarted
from server.game.hand import Hand

RULES: dict[Matter, str] = {
    "message": 'POST /action is answered with status 200 and a JSON object such as {"action": "call", "amount": '
    "20}. Anything else is a fold.",
    "action": "Only what valid_actions has is valid. Instead of anything else the bot checks if that costs "
    "nothing, else it folds.",
    "time": "An answer counts that is there within three seconds. After that the bot folds.",
    "turn": "A bot acts when POST /action asks it to.",
    "gone": "A bot that cannot be called folds.",
}

SITUATIONS = (
    ANY
    | AT_A_TABLE
    | ONE_IS_OUT
    | {
        "comes": "A bot listens at the address that it was entered with.",
        "act": "POST /action is answered with one of the actions in valid_actions, as JSON, within the limit.",
        "raise": "The amount of a bet or raise lies between the least and the most that valid_actions name.",
        "fields": "A game state may have fields that the document does not name; they mean nothing.",
    }
)
"""What the document says, by the part of a game."""


def _answers(_hand: Hand, turn: TurnStarted) -> list[str]:
    return [*named_actions(turn, "an amount", "check"), "all_in"]


WORDS = Words(RULES, _answers)
