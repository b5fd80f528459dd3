"""The words in which a bot is told what it could have answered, and which rule of its contest a fault breaks. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from server.game.events import Fault, TurnStarted
from server.game.hand import Hand

Matter = Literal["message", "action", "time", "turn", "gone"]
"""What a rule is about: how a message looks, what may be done, how soon, when, and staying there."""


class Words(Struct, frozen=True):
    """The rules that a fault breaks, and the answers that are allowed to the seat whose turn it is."""

    rules: Mapping[Matter, str]
    answers: Callable[[Hand, TurnStarted], Sequence[str]]

    def rule_on(self, fault: Fault, *, asked: bool) -> str:
        """The sentence of the rules that a fault breaks; `asked` is whether the bot was to act."""
        match fault:
            case "timeout":
                return self.rules["time"]
            case "disconnected":
                return self.rules["gone"]
            case "illegal":
                return self.rules["action" if asked else "turn"]
            case _:
                return self.rules["message"]

    def expected_in(self, hand: Hand) -> str:
        """What the seat whose turn it is could have answered: "fold, call (costs 100) or … within 3 s"."""
        turn = hand.turn
        assert turn is not None, "somebody is asked"
        *answers, last = self.answers(hand, turn)
        return f"{', '.join(answers)} or {last}, within {turn.think_ms / 1000:g} s"


def named_actions(turn: TurnStarted, amount: str, free: str) -> list[str]:
    """Fold, call and raise, where a raise has `amount`, "an amount"; `free` is what costs nothing."""
    raises = f"raise with {amount} of {span(turn.min_raise_to, turn.max_raise_to)}" if turn.max_raise_to else ""
    return ["fold", f"call (costs {turn.to_call})" if turn.to_call else free, *([raises] if raises else [])]


def span(low: int, high: int) -> str:
    """Amounts in words: "40 to 2000"."""
    return f"{low}" if low == high else f"{low} to {high}"
