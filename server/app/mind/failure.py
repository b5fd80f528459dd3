"""Says why a mind (a bot that asks a language model) has no answer, in words for viewers and for the author."""

from collections.abc import Mapping
from typing import Literal

FailureKind = Literal[
    "refused", "slow", "cut off", "not JSON", "wrong shape", "empty", "bad answer", "busy", "broken", "TLS",
    "too large", "redirect", "denied", "bad request", "prompt", "budget",
]  # fmt: skip
PUBLIC_REASONS: Mapping[FailureKind, str] = {
    "refused": "the model's server cannot be reached",
    "slow": "the model was too slow",
    "cut off": "the model's server broke off its answer",
    "not JSON": "the model's server sent no JSON",
    "wrong shape": "the model's answer has the wrong form",
    "empty": "the model said nothing",
    "bad answer": "the model gave two answers that cannot be played",
    "busy": "the model's server is too busy",
    "broken": "the model's server is broken",
    "TLS": "the model's server cannot be trusted",
    "too large": "the model's answer was too large",
    "redirect": "the model's server has moved",
    "denied": "the model's server refused the key",
    "bad request": "the model's server refused the question",
    "prompt": "the prompt has a fault",
    "budget": "the budget is spent",
}
"""The reasons in words for viewers. These texts contain no address, and nothing that the model's server sent."""


class Failure(Exception):
    """The mind has no answer. `kind` is the kind of failure. The message is a sentence for the author, without a full
    stop.
    """

    def __init__(self, kind: FailureKind, why: str, *, can_retry: bool = False, retry_seconds: float = 0.0) -> None:
        """`why` is the message. If `can_retry` is true, another try may succeed after `retry_seconds` or more."""
        super().__init__(why)
        self.kind = kind
        self.can_retry = can_retry
        self.retry_seconds = retry_seconds
