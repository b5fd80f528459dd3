"""Whatever the language model's server does wrong, the mind reports it in a sentence, and is never late."""

import json
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.app.mind.failure import Failure
from server.app.mind.model import MAX_BYTES
from server.bots.dialects.wire import Choice
from server.workers.cluster import CERTIFICATE, make_certificates
from server.workers.cluster import KEY as KEY_FILE
from tests.mind.asking import KEY, QUESTION, ask
from tests.support.ports import free_ports
from tests.support.scripted_model import Body, Script, Sent, answer, refused, said, scripted_model

SECONDS = 1.0
"""The time for a decision."""
SLACK = 0.5
"""How many seconds late a busy machine may be. The mind keeps a margin for that."""
GOOD = Choice("call", 100, "I have seen worse.")

FAILURES: dict[str, tuple[Script, str, str]] = {
    "slow": (lambda _: Sent(after=2 * SECONDS), "slow", "the model did not answer within 1.0 s"),
    "half an answer": (lambda _: Sent(body=b'{"choices": [', promised=100), "cut off", "broke off in the middle"),
    "a page": (lambda _: Sent(body=b"<h1>Welcome</h1>"), "not JSON", "is not JSON"),
    "deep JSON": (lambda _: Sent(body=b"[" * 100_000), "wrong shape", "is not a chat completion"),
    "other JSON": (lambda _: Sent(body=b'{"choices": [{"message": {"content": 5}}]}'), "wrong shape", "Expected `str"),
    "a tool": (lambda _: said(None, tool_calls=[{"id": "1"}]), "wrong shape", "the model called a tool"),
    "nothing": (lambda _: said(" "), "empty", "the model's answer is empty"),
    "no choice": (lambda _: Sent(body=b'{"choices": []}'), "empty", "has no choice in it"),
    "too little room": (lambda _: said("", ended="length"), "empty", "raise --answer-tokens"),
    "prose": (lambda _: said("I would fold here."), "bad answer", "there is no JSON object with an action in it"),
    "an illegal action": (lambda _: answer("check"), "bad answer", "check is not legal now"),
    "an illegal raise": (lambda _: answer("raise", 901), "bad answer", "the amount must be from 200 to 900"),
    "too many requests": (lambda _: refused(429, "slow down"), "busy", "status 429 (slow down): too many requests"),
    "busy for a minute": (lambda _: refused(429, Retry_After="60"), "busy", "too many requests"),
    "broken": (lambda _: refused(503, "no GPU"), "broken", "status 503 (no GPU): something is wrong there"),
    "a wrong key": (lambda _: refused(401, f"Incorrect key: {KEY}"), "denied", "(Incorrect key: (the key))"),
    "a wrong model": (lambda _: refused(404, "no such model"), "bad request", "the model's name right?"),
    "a huge answer": (lambda _: Sent(body=b" " * (MAX_BYTES + 1)), "too large", "is larger than 256 KiB"),
    "a huge refusal": (lambda _: Sent(500, b" " * (MAX_BYTES + 1)), "too large", "is larger than 256 KiB"),
    "a compressed answer": (
        lambda _: Sent(body=b"x", headers=(("Content-Encoding", "gzip"),)), "too large", "is compressed",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("script", "kind", "words"), FAILURES.values(), ids=list(FAILURES))
def test_each_failure_is_reported_truly_and_in_time(tmp_path: Path, script: Script, kind: str, words: str) -> None:
    with scripted_model(script) as model:
        asked = ask(model.url, tmp_path, SECONDS)
    assert isinstance(asked.result, Failure)
    assert asked.result.kind == kind
    assert words in str(asked.result)
    assert asked.said == [f"hand 7, river: no answer: {asked.result}"]
    assert asked.transcript[-1]["became"] == f"no answer: {asked.result}"
    assert asked.seconds < SECONDS + SLACK


def test_server_that_does_not_listen_is_reported(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    asked = ask(f"http://127.0.0.1:{port}/v1", tmp_path, SECONDS)
    assert str(asked.result) == f"nothing answers at 127.0.0.1:{port}: is the model's server running?"
    assert asked.seconds < SECONDS + SLACK


def test_certificate_that_nobody_has_signed_is_not_trusted(tmp_path: Path) -> None:
    make_certificates(tmp_path / "certificates")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(tmp_path / "certificates" / CERTIFICATE, tmp_path / "certificates" / KEY_FILE)
    with scripted_model(tls=tls) as model:
        asked = ask(model.url, tmp_path, SECONDS)
        assert not model.questions, "the key must not be sent"
    assert isinstance(asked.result, Failure)
    assert asked.result.kind == "TLS"
    assert "cannot be trusted: TLS fails (" in str(asked.result)


def test_question_and_key_are_not_sent_where_a_redirect_leads(tmp_path: Path) -> None:
    with scripted_model() as elsewhere, scripted_model() as model:
        model.script = lambda _: refused(307, Location=f"{elsewhere.url}/chat/completions")
        asked = ask(model.url, tmp_path, SECONDS)
        assert not elsewhere.questions
    assert "redirects the question (status 307), and redirects are not followed" in str(asked.result)


def in_turn(*sent: Sent) -> Script:
    """A model that gives these answers, one after the other."""
    left: Iterator[Sent] = iter(sent)
    return lambda _: next(left)


@pytest.mark.parametrize(
    "first",
    [refused(429), refused(500), refused(429, Retry_After="1"), Sent(body=b"{", promised=10)],
    ids=["busy", "broken", "busy for a second", "cut off"],
)
def test_question_is_asked_again_in_time_after_a_failure_that_may_pass(tmp_path: Path, first: Sent) -> None:
    with scripted_model(in_turn(first, answer("call"))) as model:
        asked = ask(model.url, tmp_path, 5.0)
    assert asked.result == GOOD


def test_bad_answer_is_repaired_once(tmp_path: Path) -> None:
    with scripted_model(in_turn(answer("raise", 10_000), answer("raise", 900))) as model:
        asked = ask(model.url, tmp_path)
        repair = model.questions[1]["messages"]
    assert asked.result == Choice("raise", 900, "I have seen worse.")
    assert [message["role"] for message in repair] == ["system", "user", "assistant", "user"]
    assert "a raise to 10000 is not legal; the amount must be from 200 to 900" in repair[-1]["content"]
    assert [each["became"].partition(":")[0] for each in asked.transcript] == ["asked again", "raise 900"]


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"action": "call", "thought": "I have seen worse."}\n```',
        '<think>{"fold"? {"action": "fold"} is weak.</think>\n{"action": "CALL", "thought": "I have seen\\nworse."}',
        'Sure! {"thought": "I have seen worse.", "action": "call", "amount": null} Good luck!',
    ],
)
def test_answer_is_found_within_the_text_that_models_write_around_it(tmp_path: Path, text: str) -> None:
    with scripted_model(lambda _: said(text)) as model:
        assert ask(model.url, tmp_path).result == GOOD


def older_server(question: Body) -> Sent:
    """A server that knows no JSON schema, and knows the limit of tokens only by its newer name."""
    if "response_format" in question:
        return refused(400, "response_format is not supported")
    if "max_tokens" in question:
        return refused(400, "use max_completion_tokens instead")
    return answer("call")


def test_fields_that_a_server_does_not_know_are_left_out_from_then_on(tmp_path: Path) -> None:
    with scripted_model(older_server) as model:
        asked = ask(model.url, tmp_path, times=3)
        assert len(model.questions) == 2 + 3
    assert asked.results == [GOOD] * 3


def test_model_is_asked_for_exactly_the_legal_actions(tmp_path: Path) -> None:
    with scripted_model(lambda _: answer("call")) as model:
        ask(model.url, tmp_path)
        (question,), (headers,) = model.questions, model.headers
    schema = question["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["action"]["enum"] == ["fold", "call", "raise"]
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert json.loads(question["messages"][1]["content"])["hand"]["your_cards"] == list(QUESTION.spot.your_cards)


def test_key_that_the_model_repeats_is_hidden(tmp_path: Path) -> None:
    with scripted_model(lambda _: answer("call", thought=f"My key is {KEY}.")) as model:
        asked = ask(model.url, tmp_path)
    assert isinstance(asked.result, Choice)
    assert asked.result.thought == "My key is (the key)."
