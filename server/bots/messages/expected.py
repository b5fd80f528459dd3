"""What a bot could have answered, and which rule a fault breaks, in the words of its contest. Pure."""

from collections.abc import Mapping
from typing import Literal

from server.game.events import Fault, TurnStarted
from server.game.hand import Hand

Matter = Literal["message", "action", "time", "turn", "gone"]
"""What a rule is about: how a message looks, what may be done, how soon, when, and staying there."""

_RULES: Mapping[str, Mapping[Matter, str]] = {
    "quick-draw": {
        "message": "A message is one JSON object with a command. take_action has an action, fold, call or raise; a "
        "raise has a raise_amount, a whole number.",
        "action": "raise_amount is the total for this round of betting. Below the highest bet it is invalid, "
        "and just as high it is a call.",
        "time": "The first valid take_action counts that comes within three seconds of request_action. After that the "
        "bot folds, and a late answer never counts for its next turn.",
        "turn": "A bot acts when request_action asks it to, once.",
        "gone": "A bot that has gone folds whenever it is asked: there is no rejoining.",
    },
    "enova": {
        "message": 'POST /player/action is answered with status 200 and {"action": "bet", "amount": 4}: an action, '
        "blind, bet or fold, and a whole amount. Anything else is a fold.",
        "action": "A bet is the total for this round: minimum_bet, which is a call, up to maximum_bet. A blind that is "
        "asked for is posted exactly.",
        "time": "An answer counts that is there within the time limit. After that the bot folds.",
        "turn": "A bot acts when POST /player/action asks it to.",
        "gone": "A bot that cannot be called folds.",
    },
    "arena": {
        "message": 'POST /action is answered with status 200 and a JSON object such as {"action": "call", "amount": '
        "20}. Anything else is a fold.",
        "action": "Only what valid_actions has is valid. Instead of anything else the bot checks if that costs "
        "nothing, else it folds.",
        "time": "An answer counts that is there within three seconds. After that the bot folds.",
        "turn": "A bot acts when POST /action asks it to.",
        "gone": "A bot that cannot be called folds.",
    },
    "upac": {
        "message": "An action is F, C or R with a whole number behind it, on a line of its own. A line that is none "
        "loses the game.",
        "action": "R and a number first matches the other bot's bet, then pushes so many chips more.",
        "time": "An action comes within one second of STACK. A bot without one loses the game.",
        "turn": "A bot writes one action for each STACK. A second line does not count.",
        "gone": "A bot that ends before its game does loses the game.",
    },
}


def rule_on(contest: str, fault: Fault, *, asked: bool) -> str:
    """The sentence of a contest's rules that a fault breaks; `asked` is whether the bot was to act."""
    rules = _RULES[contest]
    match fault:
        case "timeout":
            return rules["time"]
        case "disconnected":
            return rules["gone"]
        case "illegal":
            return rules["action" if asked else "turn"]
        case _:
            return rules["message"]


def expected_in(contest: str, hand: Hand) -> str:
    """What the seat whose turn it is could have answered: "fold, call (costs 100) or … within 3 s"."""
    turn = hand.turn
    assert turn is not None, "somebody is asked"
    match contest:
        case "enova":
            options = _enova(hand, turn)
        case "upac":
            options = _upac(hand, turn)
        case _:
            options = _named(contest, turn)
            if contest == "arena":
                options.append("all_in")
    within = f"within {turn.think_ms / 1000:g} s"
    return f"{', '.join(options[:-1])} or {options[-1]}, {within}"


def _named(contest: str, turn: TurnStarted) -> list[str]:
    amount = "an amount" if contest == "arena" else "a raise_amount"
    free = "check" if contest == "arena" else "call (costs nothing)"
    return [
        "fold",
        f"call (costs {turn.to_call})" if turn.to_call else free,
        *([f"raise with {amount} of {_range(turn.min_raise_to, turn.max_raise_to)}"] if turn.max_raise_to else []),
    ]


def _enova(hand: Hand, turn: TurnStarted) -> list[str]:
    if turn.blind:
        blind = hand.small_blind if turn.blind == "small" else hand.big_blind
        return [f"blind with an amount of {blind}", "fold"]
    call = f"bet with an amount of {hand.current_bet} (a {'call' if turn.to_call else 'check'})"
    raises = f" or {_range(turn.min_raise_to, turn.max_raise_to)} (a raise)" if turn.max_raise_to else ""
    return [f"{call}{raises}", "fold"]


def _upac(hand: Hand, turn: TurnStarted) -> list[str]:
    call = f"C (costs {turn.to_call})" if turn.to_call else "C (costs nothing)"
    most = turn.max_raise_to - hand.current_bet
    return ["F", call, *([f"R with a number up to {most}, such as R{min(6, most)}"] if turn.max_raise_to else [])]


def _range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"
