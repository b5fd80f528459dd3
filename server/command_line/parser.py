"""A parser as argparse's, whose error for an unknown word names the nearest one it knows."""

import argparse
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import takewhile
from typing import NoReturn


class CommandParser(argparse.ArgumentParser):
    """The parser of the program, or of one of its commands."""

    def parse_known_args(  # type: ignore[override]  # the one form of it that argparse itself calls
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """The arguments that were given; an unknown word ends the program with an error and status 2."""
        if self._subparsers is None:  # before values are read, one of which may be taken for something else
            self._check_options(sys.argv[1:] if args is None else args)
        found, strange = super().parse_known_args(args, namespace)
        if strange:
            self._refuse(strange[0])
        return found, []

    def _check_options(self, words: Sequence[str]) -> None:
        for word in takewhile("--".__ne__, words):
            option = word.partition("=")[0]
            if option.startswith("--") and not any(known.startswith(option) for known in self._option_string_actions):
                self._refuse(word)

    def _refuse(self, word: str) -> NoReturn:
        option, _, _ = word.partition("=")
        near = get_close_matches(option, self._option_string_actions, n=1)
        self.error(f"there is no {word!r} here" + (f"; did you mean {near[0]}?" if near else ""))
