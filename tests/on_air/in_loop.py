"""Runs tests that are coroutines."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

Params = ParamSpec("Params")


def in_loop(test: Callable[Params, Coroutine[Any, Any, None]]) -> Callable[Params, None]:
    """Runs a test in its own event loop, with its fixtures and parameters."""

    @wraps(test)
    def run(*args: Params.args, **kwargs: Params.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run
