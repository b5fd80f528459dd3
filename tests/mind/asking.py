"""Asks a mind, which is a bot that asks a language model, about one hand, without a table."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

from msgspec import Struct

from server.app.mind.budget import Limits
from server.app.mind.failure import Failure
from server.app.mind.mind import Mind
from server.app.mind.model import Model
from server.app.mind.prompt import DEFAULT, Prompt
from server.app.mind.transcript import Transcript
from server.bots.dialects.agent import Move
from server.bots.dialects.wire import Choice, Opponent, Question, Said, Spot
from server.contests import CONTESTS

KEY = "sk-the-key-of-the-author-42"
LIMITS = Limits(answer_tokens=400)
QUESTION = Question(
    Spot(
        hand=7,
        street="river",
        you=0,
        your_cards=("As", "Ks"),
        board=("Qs", "Js", "2c", "3d", "Ts"),
        pot=300,
        to_call=100,
        your_chips=900,
        your_bet=0,
        others=(Opponent(1, 700, 100),),
        legal=(Move("fold", 0), Move("call", 100), Move("raise", min=200, max=900)),
    ),
    {0: "Mind", 1: "Ada"},
)


class Asked(Struct):
    """The results of some questions, the seconds that the slowest took, and all lines that were said to the author."""

    results: list[Choice | Failure]
    seconds: float
    said: list[str]
    transcript: list[dict[str, Any]]

    @property
    def result(self) -> Choice | Failure:
        return self.results[-1]


def ask(
    url: str,
    folder: Path,
    seconds: float = 5.0,
    *,
    times: int = 1,
    limits: Limits = LIMITS,
    heard: tuple[Said, ...] = (),
    prompt: Path = DEFAULT,
) -> Asked:
    """Asks a mind with a new client `times` times; each question may take `seconds`. Looks for the key everywhere."""
    said: list[str] = []
    file, results, slowest = folder / "transcript.jsonl", list[Choice | Failure](), [0.0]

    async def asking() -> None:
        model = Model(url, "scripted", KEY)
        with Transcript(file, model.hide) as transcript:
            mind = Mind(model, Prompt(prompt, CONTESTS["quick-draw"], "Mind", seconds), limits, transcript, said.append)
            for each in heard:
                mind.prompt.hear(each)
            for _ in range(times):
                began = time.monotonic()
                results.append(await mind.decide(QUESTION, seconds))
                slowest.append(time.monotonic() - began)
        await model.close()

    asyncio.run(asking())
    written = file.read_text()
    assert KEY not in written + "".join(said) + repr(results), "nobody may read the key"
    return Asked(results, max(slowest), said, list(map(json.loads, written.splitlines())))
