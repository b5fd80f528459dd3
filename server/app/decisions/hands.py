"""A game hand by hand, as its author sees it: what was decided, what was wrong, and every message. Pure."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from server.app.decisions.decisions import Decision, rounded
from server.app.decisions.faults import OwnFault
from server.app.decisions.transcript import Line, Transcript


class OwnHand(Struct, frozen=True):
    """One hand of a game; number 0 has what was before the first. `messages` are all to and from the bot."""

    hand: int
    decisions: tuple[Decision, ...]
    faults: tuple[OwnFault, ...]
    messages: tuple[Line, ...]


class OwnHands(Struct, frozen=True):
    """A game hand by hand, and how many messages are missing after the last."""

    hands: Sequence[OwnHand]
    left_out: int


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


def hands_json(hands: Sequence[OwnHand], transcript: Transcript | None) -> bytes:
    """A game as JSON, as `OwnHands` says."""
    return msgspec.json.encode(OwnHands(hands, transcript.left_out if transcript else 0), enc_hook=rounded)
