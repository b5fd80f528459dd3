"""A mind (a bot that asks a language model) stays within its author's budget, and says what each answer has cost."""

from pathlib import Path

import pytest

from server.app.mind.budget import Limits
from server.app.mind.failure import Failure
from tests.mind.asking import ask
from tests.support.scripted_model import Script, Sent, answer, said, scripted_model

LONGEST = 400
"""The tokens of the longest answer. The question has about 800."""
SPENDING: dict[str, tuple[Limits, Script, int]] = {
    "tokens": (Limits(LONGEST, 2000), lambda _: answer("call"), 2),
    "money": (Limits(LONGEST, cost=0.04, price_in=10, price_out=50), lambda _: answer("call"), 2),
    "tokens that nobody counts": (Limits(LONGEST, 2000), lambda _: said('{"action": "call"}', usage=None), 2),
    "less than a question": (Limits(LONGEST, 500), lambda _: answer("call"), 0),
    "answers that never came": (Limits(LONGEST, 2000), lambda _: Sent(body=b"{", promised=10), 0),
    "answers that came too late": (Limits(LONGEST, 2000), lambda _: Sent(after=0.6), 0),
}
"""The limits, the model, and how many of four questions have an answer."""


@pytest.mark.parametrize(("limits", "script", "answered"), SPENDING.values(), ids=list(SPENDING))
def test_nothing_is_asked_once_the_budget_is_spent(
    tmp_path: Path, limits: Limits, script: Script, answered: int
) -> None:
    with scripted_model(script) as model:
        asked = ask(model.url, tmp_path, 0.5 if not answered else 5.0, times=4, limits=limits)
        assert len(model.questions) <= 2
    assert sum(not isinstance(each, Failure) for each in asked.results) == answered
    assert isinstance(asked.result, Failure)
    assert asked.result.kind == "budget"
    assert asked.said[-1].startswith("hand 7, river: no answer: the budget is spent: ")
    assert sum(each["tokens_in"] + each["tokens_out"] for each in asked.transcript) <= 2000


def test_transcript_has_what_each_answer_has_cost(tmp_path: Path) -> None:
    with scripted_model(lambda _: answer("call")) as model:
        (line,) = ask(model.url, tmp_path, limits=Limits(LONGEST, price_in=10, price_out=50)).transcript
    assert (line["tokens_in"], line["tokens_out"], line["became"]) == (600, 40, "call 100")
    assert line["cost"] == pytest.approx(600 * 10 / 1e6 + 40 * 50 / 1e6)
    assert line["question"][1]["role"] == "user"
    assert line["answer"].startswith('{"thought": "I have seen worse."')
