"""A game hand by hand, as its author sees it: what was decided, what was wrong, and every message. Pure."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import asdict

from server.app.decisions.decisions import Decision, plain_decision
from server.app.decisions.faults import OwnFault
from server.app.decisions.transcript import Line, Transcript


class OwnHand(Struct, frozen=True):
    """One hand of a game; number 0 has what was before the first. `messages` are all to and from the bot."""

    hand: int
    decisions: tuple[Decision, ...]
    faults: tuple[OwnFault, ...]
    messages: tuple[Line, ...]


def hands_of(decisions: Sequence[Decision], faults: Sequence[OwnFault], transcript: Transcript | None) -> list[OwnHand]:
    """A game hand by hand, in order; without a transcript there are no messages."""
    lines = transcript.by_hand() if transcript else {}
    numbers = {each.hand for each in decisions} | {each.hand for each in faults} | lines.keys()
    return [
        OwnHand(
            hand,
            tuple(each for each in decisions if each.hand == hand),
            tuple(each for each in faults if each.hand == hand),
            tuple(lines.get(hand, ())),
        )
        for hand in sorted(numbers)
    ]


def plain_hands(hands: Sequence[OwnHand], transcript: Transcript | None) -> dict[str, Any]:
    """A game as JSON has it."""
    plain = [asdict(hand) | {"decisions": [plain_decision(each) for each in hand.decisions]} for hand in hands]
    return {"hands": to_builtins(plain), "left_out": transcript.left_out if transcript else 0}
