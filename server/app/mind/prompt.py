"""Writes the prompts that describe a bot's turn to a language model.

The prompt never contains names or chats of other bots. Names and chats go into a separate message, as data.
"""

import json
from collections import deque
from pathlib import Path

import msgspec
from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError
from jinja2.sandbox import SandboxedEnvironment

from server.app.mcp.rules import rules_text
from server.app.mind.failure import Failure
from server.app.mind.model import Message
from server.bots.dialects.agent import Move
from server.bots.dialects.wire import Opponent, OpponentChat, Question, Spot
from server.contests.contest import Contest
from server.errors import Refusal
from server.paths import ASSETS

DEFAULT_PROMPT = ASSETS / "mind.jinja"
"""The program's own prompt."""
MAX_CHATS = 8
MAX_TEXT_CHARACTERS = 200
MAX_TEMPLATE_BYTES = 64 * 1024
OTHERS_TAG = "words_of_others"
_SAMPLE = Question(
    Spot(
        hand=1,
        street="flop",
        you=0,
        your_cards=("As", "Ks"),
        board=("Qs", "7d", "2c"),
        pot=12,
        to_call=2,
        your_chips=94,
        your_bet=0,
        big_blind=2,
        others=(Opponent(1, 92, 2),),
        history=("flop: seat 1 raises to 2",),
        legal=(Move("fold", 0), Move("call", 2), Move("raise", min=4, max=94)),
    ),
    {0: "You", 1: "Other"},
)


class Prompt:
    """The prompt of one mind (a bot that asks a language model), from a Jinja template. Also keeps bots' chats."""

    def __init__(self, path: Path, contest: Contest, name: str, seconds: float) -> None:
        """Reads the template at `path`. `name` is the bot's name, and `seconds` is its time for a decision. Raises
        OSError, or Refusal if the template is unusable.
        """
        raw = path.read_bytes()
        if len(raw) > MAX_TEMPLATE_BYTES:
            raise Refusal(f"{path} is larger than {MAX_TEMPLATE_BYTES // 1024} KiB: is it a prompt?")
        environment = SandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        self._path = path
        self._template_values = {
            "contest": contest.name,
            "rules": rules_text(contest.name, contest.format),
            "name": name,
            "seconds": f"{seconds:g}",
        }
        self._chats = deque[OpponentChat](maxlen=MAX_CHATS)
        try:
            self._template = environment.from_string(raw.decode())
        except TemplateSyntaxError as error:
            raise Refusal(f"{path}, line {error.lineno}: {error.message}") from None
        except UnicodeDecodeError:
            raise Refusal(f"{path} is not text in UTF-8") from None
        try:
            self.messages(_SAMPLE)  # finds most faults of the template now instead of at the table
        except Failure as failure:
            raise Refusal(str(failure)) from None

    def add_chat(self, chat: OpponentChat) -> None:
        """Keeps a chat for the next questions."""
        self._chats.append(chat)

    def messages(self, question: Question) -> list[Message]:
        """Returns two messages to the model: the prompt, and JSON with the hand, the names of all bots and the chats of
        the other bots. Raises Failure if the prompt has a fault.
        """
        try:
            rendered_prompt = self._template.render(spot=question.spot, **self._template_values)
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise Failure("prompt", f"the prompt {self._path} has a fault: {error}") from None
        texts = {
            "names": {str(seat): name[:MAX_TEXT_CHARACTERS] for seat, name in question.names.items()},
            "chats": [
                {"from": chat.name[:MAX_TEXT_CHARACTERS], "text": chat.text[:MAX_TEXT_CHARACTERS]}
                for chat in self._chats
            ],
        }
        # json.dumps escapes everything outside ASCII, so invisible characters cannot hide anything.
        return [
            {"role": "system", "content": rendered_prompt},
            {"role": "user", "content": json.dumps({"hand": msgspec.to_builtins(question.spot), OTHERS_TAG: texts})},
        ]
