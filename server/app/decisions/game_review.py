"""Shows a game to a bot's author, hand by hand: decisions, faults, and every message."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from broadcast.web.answers import JSON, Answer, compressed_answer
from broadcast.web.templates import page_templates
from server.app.decisions.decisions import Decision, round_share
from server.app.decisions.faults import FaultReport
from server.app.decisions.transcript import Line, Transcript

_TEMPLATES = page_templates()


class HandReview(Struct, frozen=True):
    """One hand of a game, with the messages to and from the bot. Hand number 0 stands for the time before the first
    hand.
    """

    hand: int
    decisions: tuple[Decision, ...]
    faults: tuple[FaultReport, ...]
    messages: tuple[Line, ...]


class HandReviews(Struct, frozen=True):
    """All hands of a game. `left_out` is how many messages were not kept."""

    hands: Sequence[HandReview]
    left_out: int


class GameReview(Struct, frozen=True):
    """Everything known about a bot's game. If `transcript` is None, the messages are not known."""

    decisions: Sequence[Decision]
    faults: Sequence[FaultReport] = ()
    transcript: Transcript | None = None

    def hands(self) -> list[HandReview]:
        """The hands of the game, in order."""
        lines = self.transcript.by_hand() if self.transcript else {}
        numbers = {decision.hand for decision in self.decisions} | {fault.hand for fault in self.faults} | lines.keys()
        return [
            HandReview(
                hand,
                tuple(decision for decision in self.decisions if decision.hand == hand),
                tuple(fault for fault in self.faults if fault.hand == hand),
                tuple(lines.get(hand, ())),
            )
            for hand in sorted(numbers)
        ]

    def answer(self, values: Mapping[str, object], headers: Mapping[str, str], *, as_json: bool) -> Answer:
        """Returns the game's page or, if `as_json` is true, `HandReviews` as JSON. `values` are the values for the
        page's template, including the request.
        """
        if as_json:
            hands = HandReviews(self.hands(), self.transcript.left_out if self.transcript else 0)
            return compressed_answer(msgspec.json.encode(hands, enc_hook=round_share), JSON, headers)
        page = _TEMPLATES.get_template("contests/own_game.html")
        text = page.render({**values, "hands": self.hands(), "transcript": self.transcript})
        return compressed_answer(text.encode(), headers=headers)
