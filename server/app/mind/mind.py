"""Asks a language model for a bot's decisions, within a time limit and a budget. Asks once more after a bad answer."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from server.app.mind.answers import UnusableAnswer, answer_schema, read_choice
from server.app.mind.budget import Budget, Limits
from server.app.mind.failure import Failure
from server.app.mind.model import Message, Model
from server.app.mind.prompt import Prompt
from server.app.mind.transcript import Exchange, MindTranscript
from server.bots.dialects.wire import Choice, Question

FIRST_PAUSE_SECONDS = 0.1
"""The pause before the second try, in seconds. Each later pause is twice as long. A server may ask for longer pauses.
"""
MAX_SHOWN_CHARACTERS = 2000
"""How many characters of a bad answer are sent back to the model."""
CHARGED_FAILURES = ("slow", "cut off", "not JSON", "wrong shape", "empty", "too large")
"""The kinds of failure after which the model's server may have charged for tokens without saying so."""
_WARM_UP_QUESTION: Sequence[Message] = [{"role": "user", "content": 'Answer with {"ready": true}'}]
_READY_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}


class Mind:
    """A bot's mind, which asks a language model for the bot's decisions."""

    def __init__(
        self, model: Model, prompt: Prompt, limits: Limits, transcript: MindTranscript, say: Callable[[str], object]
    ) -> None:
        """Calls `say` with a sentence for the author whenever the model gives no answer."""
        self.prompt = prompt
        self.question_count = 0
        self.missed_count = 0
        """How many questions at the table went unanswered."""
        self.budget = Budget(limits)
        self._model = model
        self._limits = limits
        self._transcript = transcript
        self._say = say

    async def warm_up(self, seconds: float) -> None:
        """Asks a question whose answer does not matter, so that the server loads the model. Raises Failure."""
        until = asyncio.get_running_loop().time() + seconds
        try:
            async with asyncio.timeout_at(until):
                await self._ask(Exchange(0, "", question=_WARM_UP_QUESTION), _READY_SCHEMA, until)
        except TimeoutError:
            raise _timeout_failure(seconds) from None

    async def decide(self, question: Question, seconds: float) -> Choice | Failure:
        """Returns the model's choice within `seconds`, or the reason why there is none.

        Writes each exchange to the transcript. `became` says what came of an exchange, such as "raise 300".
        """
        spot = question.spot  # what the bot knows when it must act
        # Posts the blind without asking the model, because a bot that does not post is out of the game.
        if spot.legal[0].action == "post_blind":
            return Choice("post_blind")
        self.question_count += 1
        until = asyncio.get_running_loop().time() + seconds
        exchanges = [Exchange(spot.hand, spot.street)]
        try:
            exchanges[0].question = self.prompt.messages(question)
            async with asyncio.timeout_at(until):
                choice = await self._choose(exchanges, question, until)
        except (Failure, TimeoutError) as error:
            failure = error if isinstance(error, Failure) else _timeout_failure(seconds)
            self.missed_count += 1
            self._say(f"hand {spot.hand}, {spot.street}: no answer: {failure}")
            exchanges[-1].became = f"no answer: {failure}"
            return failure
        else:
            exchanges[-1].became = f"{choice.action} {choice.amount}"
            return choice
        finally:
            for exchange in exchanges:
                self._transcript.write(exchange)

    async def _choose(self, exchanges: list[Exchange], question: Question, until: float) -> Choice:
        """Asks the model, and asks once more if its answer is unusable. Raises Failure."""
        legal = question.spot.legal
        schema, first_exchange = answer_schema(legal), exchanges[0]
        text = await self._ask(first_exchange, schema, until)
        try:
            return read_choice(text, legal)
        except UnusableAnswer as error:
            first_exchange.became = f"asked again: {error}"
            repair = f"That cannot be used: {error}. Answer again, with one JSON object and nothing else."
        follow_up: list[Message] = [
            {"role": "assistant", "content": text[:MAX_SHOWN_CHARACTERS]},
            {"role": "user", "content": repair},
        ]
        exchanges.append(
            Exchange(first_exchange.hand, first_exchange.street, question=[*first_exchange.question, *follow_up])
        )
        try:
            return read_choice(await self._ask(exchanges[1], schema, until), legal)
        except UnusableAnswer as error:
            raise Failure("bad answer", f"two answers of the model cannot be used: {error}") from None

    async def _ask(self, exchange: Exchange, schema: Mapping[str, Any], until: float) -> str:
        """Asks the model until it answers, and records the answer in `exchange`. Raises Failure if another try is
        unlikely to help, or if no time is left for another try.
        """
        loop, pause = asyncio.get_running_loop(), FIRST_PAUSE_SECONDS
        question_bytes, started_at = len(json.dumps(exchange.question).encode()), loop.time()
        while True:
            self.budget.check(question_bytes)
            try:
                reply = await self._model.ask(exchange.question, schema, self._limits.answer_tokens)
            except asyncio.CancelledError:
                self._record_spending(exchange, self.budget.spend(question_bytes, None), loop.time() - started_at)
                raise
            except Failure as failure:
                if failure.kind in CHARGED_FAILURES:
                    self._record_spending(exchange, self.budget.spend(question_bytes, None), loop.time() - started_at)
                pause = max(pause, failure.retry_seconds)
                if not failure.can_retry or loop.time() + pause >= until:
                    raise
                await asyncio.sleep(pause)
                pause *= 2
            else:
                exchange.answer = reply.text
                self._record_spending(exchange, self.budget.spend(question_bytes, reply), loop.time() - started_at)
                return reply.text

    def _record_spending(self, exchange: Exchange, tokens: tuple[int, int], seconds: float) -> None:
        exchange.seconds = round(seconds, 3)
        exchange.tokens_in += tokens[0]
        exchange.tokens_out += tokens[1]
        exchange.cost = self.budget.price(exchange.tokens_in, exchange.tokens_out)


def _timeout_failure(seconds: float) -> Failure:
    return Failure("slow", f"the model did not answer within {max(0.0, seconds):.1f} s")
