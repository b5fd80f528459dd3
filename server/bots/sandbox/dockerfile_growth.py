"""How long Docker's own builder can make instructions by putting variables in, before it gets them. Pure."""

import re
from collections.abc import Iterable

from server.bots.sandbox.dockerfile import MAX_FILLED, TOO_LONG, Instruction
from server.bots.sandbox.runner import CannotRun

_LEFT_ALONE = ("CMD", "ENTRYPOINT", "HEALTHCHECK", "MAINTAINER", "RUN", "SHELL")
"""Docker puts no variables into these."""
_REPLACING = re.compile(r"\$\{\w+(?![\w}]|:?[-+?])")
"""`${NAME//a/b}` and the like, which can make any text of any length."""


class Growth:
    """An upper bound: all that looks like a variable counts as one of the longest."""

    def __init__(self) -> None:
        self._longest = 0

    def add(self, values: Iterable[str]) -> None:
        """Takes variables into account that an image has."""
        self._longest = max(self._longest, *map(len, values), 0)

    def take(self, each: Instruction) -> None:
        """Takes the next instruction into account. Raises CannotRun for what could become too long."""
        if each.name in _LEFT_ALONE:
            return
        if _REPLACING.search(each.rest):
            raise CannotRun("write variables as $NAME, ${NAME}, ${NAME:-default} or ${NAME:+other}.")
        longest = len(each.rest) + each.rest.count("$") * self._longest
        if longest > MAX_FILLED:
            raise CannotRun(TOO_LONG)
        if each.name in ("ARG", "ENV"):
            self._longest = max(self._longest, longest)
