"""What the rules say, in words: to a bot that breaks one, and of each situation in which a bot is tried."""

from server.contests.situations import ANY, AT_A_TABLE, ONE_IS_OUT
from server.contests.words import Matter, Words, named_actions
from server.game.events import TurnStarted
from server.game.hand import Hand

RULES: dict[Matter, str] = {
    "message": "A message is one JSON object with a command. take_action has an action, fold, call or raise; a "
    "raise has a raise_amount, a whole number.",
    "action": "raise_amount is the total for this round of betting. Below the highest bet it is invalid, "
    "and just as high it is a call.",
    "time": "The first valid take_action counts that comes within three seconds of request_action. After that the "
    "bot folds, and a late answer never counts for its next turn.",
    "turn": "A bot acts when request_action asks it to, once.",
    "gone": "A bot that has gone folds whenever it is asked: there is no rejoining.",
}

SITUATIONS = (
    ANY
    | AT_A_TABLE
    | ONE_IS_OUT
    | {
        "comes": "A bot registers by POST /register and connects to the port that it is told.",
        "act": "After request_action the bot sends take_action with fold, call or raise, within three seconds.",
        "raise": "raise_amount is what the whole bet of the round comes to, not what is added to it.",
        "fields": "A message may have fields that the document does not name; they mean nothing.",
        "stream": "TCP is a stream: a message may come in pieces, and several at once. Each is one line.",
        "chat": "Other bots' chat comes at any time as receive_chat. Nobody has to answer it.",
        "error": "An action that is refused is answered by confirm_action with an error; another may follow in time.",
    }
)
"""What the document says, by the part of a game."""


def _answers(_hand: Hand, turn: TurnStarted) -> list[str]:
    return named_actions(turn, "a raise_amount", "call (costs nothing)")


WORDS = Words(RULES, _answers)
