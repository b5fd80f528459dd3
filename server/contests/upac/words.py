"""What the rules say, in words: to a bot that breaks one, and of each situation in which a bot is tried."""

from server.contests.situations import ANY
from server.contests.words import Matter, Words
from server.game.events import TurnStarted
from server.game.hand import Hand

RULES: dict[Matter, str] = {
    "message": "An action is F, C or R with a whole number behind it, on a line of its own. A line that is none "
    "loses the game.",
    "action": "R and a number first matches the other bot's bet, then pushes so many chips more.",
    "time": "An action comes within one second of STACK. A bot without one loses the game.",
    "turn": "A bot writes one action for each STACK. A second line does not count.",
    "gone": "A bot that ends before its game does loses the game.",
}

SITUATIONS = ANY | {
    "comes": "A bot is built and started by the commands of its bot.json.",
    "act": "After STACK the bot writes F, C or R and a number, on a line of its own, within one second.",
    "raise": "R and a number first matches the opponent's bet, then adds so many chips.",
    "stream": "Standard input is a stream: a line may come in pieces, and several lines at once.",
}
"""What the document says, by the part of a game."""


def _answers(hand: Hand, turn: TurnStarted) -> list[str]:
    call = f"C (costs {turn.to_call})" if turn.to_call else "C (costs nothing)"
    most = turn.max_raise_to - hand.current_bet
    return ["F", call, *([f"R with a number up to {most}, such as R{min(6, most)}"] if turn.max_raise_to else [])]


WORDS = Words(RULES, _answers)
