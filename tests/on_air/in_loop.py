"""Tests that are coroutines."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

Params = ParamSpec("Params")


def in_loop(test: Callable[Params, Coroutine[Any, Any, None]]) -> Callable[Params, None]:
    """Runs a test in an event loop of its own; it has the same fixtures and parameters."""

    @wraps(test)
    def run(*args: Params.args, **kwargs: Params.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run
