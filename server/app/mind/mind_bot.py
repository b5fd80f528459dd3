"""Plays as one bot: asks a language model, and answers each question of a contest's server before the deadline."""

import asyncio
from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from server.app.mind.answers import default_choice
from server.app.mind.failure import Failure
from server.app.mind.mind import Mind
from server.bots.dialects.wire import Choice, OpponentChat, Question, Rejection, Wire
from server.contests.contest import Contest

OnFailure = Literal["miss", "fold"]
"""What the bot does when the model has no answer. With "miss", the bot misses the turn. With "fold", the bot checks or
folds, and says in its thought that it had no answer.
"""
MARGIN_SHARE, MARGIN_SECONDS = 0.15, 0.5
"""This share of each decision's time is reserved for the network, but at most MARGIN_SECONDS."""
OVERTIME_SECONDS = 0.5
"""After a missed turn, the bot waits this many extra seconds, so that the server's deadline has surely passed."""


def default_on_failure(contest: Contest) -> OnFailure:
    """Returns "miss" if a missed turn costs only the hand in this contest. Returns "fold" if it costs more."""
    return "miss" if contest.format.rules.fault_costs == "hand" else "fold"


class PlayOptions(Struct, frozen=True):
    """How the bot behaves at the table."""

    on_failure: OnFailure
    sends_thoughts: bool
    """Whether the model's thoughts are sent to the server."""
    decision_seconds: float
    """The time for a decision, in seconds."""
    hand_seconds: float | None = None
    """The time for all decisions in a hand, in seconds, or None for no limit."""


class MindBot:
    """One bot at a table."""

    def __init__(self, wire: Wire, mind: Mind, options: PlayOptions, say: Callable[[str], object]) -> None:
        """`wire` reads and writes the messages of the contest. `mind` asks the language model. `say` is called with
        sentences for the author.
        """
        self.wire = wire
        self._mind = mind
        self._options = options
        self._say = say
        self._hand_number = -1
        self._spent_seconds = 0.0
        """How many seconds of the time for this hand are used up."""

    async def answer(self, message: bytes) -> bytes | None:
        """Returns the answer to a message. Returns b"" if no answer is needed. Returns None if the bot should miss its
        turn.
        """
        try:
            received = self.wire.read(message)
        except (ValueError, LookupError, TypeError, msgspec.DecodeError):
            self._say("the server has sent a message that this version does not know")
            return b""
        match received:
            case Question():
                return await self._decide(received)
            case OpponentChat():
                self._mind.prompt.add_chat(received)
            case Rejection(why=why):
                self._say(f"the server has refused the latest message: {why}")
        return b""

    async def wait_out_turn(self) -> None:
        """Waits until the server's time limit for a missed turn has surely passed."""
        await asyncio.sleep(_margin(self._options.decision_seconds) + OVERTIME_SECONDS)

    async def _decide(self, question: Question) -> bytes | None:
        loop, spot = asyncio.get_running_loop(), question.spot
        started_at = loop.time()
        if spot.hand != self._hand_number:
            self._hand_number, self._spent_seconds = spot.hand, 0.0
        outcome = await self._mind.decide(question, self._time_left())
        if isinstance(outcome, Failure):
            if self._options.on_failure == "miss":
                await asyncio.sleep(max(0.0, started_at + self._time_left() - loop.time()))
                return None
            outcome = default_choice(spot.legal, outcome.kind)
        self._spent_seconds += loop.time() - started_at
        return self._encode_choice(outcome)

    def _time_left(self) -> float:
        seconds = self._options.decision_seconds
        if self._options.hand_seconds is not None:
            seconds = min(seconds, self._options.hand_seconds - self._spent_seconds)
        return seconds - _margin(seconds)

    def _encode_choice(self, choice: Choice) -> bytes:
        if not self._options.sends_thoughts:
            choice = replace(choice, thought="")
        # The server accepts an account of tokens and cost only with a thought. Without one, the tokens are kept for the
        # next account.
        elif choice.thought:
            choice = replace(choice, account=self._mind.budget.take_account())
        return self.wire.write(choice)


def _margin(seconds: float) -> float:
    return min(MARGIN_SHARE * max(seconds, 0.0), MARGIN_SECONDS)
