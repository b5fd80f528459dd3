"""The second part of a check: the bot is put into what every evening brings, with cards that are new each time."""

import asyncio
from pathlib import Path

from msgspec import Struct

from server.app.probe.probing import NOBODY, Hears, last_words, tried
from server.app.probe.trial import Check, Trial
from server.app.sparring.folders import Boxes
from server.app.sparring.sides import Side
from server.bots.sandbox.runner import Say
from server.console import plain
from server.contests import CONTESTS
from server.shuffle import fresh_seed


class Seen(Struct, frozen=True):
    """What came of it in sentences, sorted as a check sorts them, and what the bot printed last if it left."""

    faults: tuple[str, ...] = ()
    mends: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    printed: str = ""


async def seen_in_situations(side: Side, contest: str, work: Path, boxes: Boxes, say: Say) -> Seen:
    """Plays with a bot until it has acted on every street and met a raise, an all-in, a check and a showdown.

    Files go into `work`. Raises OSError.
    """
    await asyncio.to_thread(work.mkdir, parents=True, exist_ok=True)
    say("meets a raise, an all-in, a check and a showdown")
    trial = Trial(contest, side.name, CONTESTS[contest].essentials(), fresh_seed())
    checks = await tried(side, contest, work, Hears(NOBODY.check, lambda _: None), boxes, trial)
    failed = [check for check in checks if not check.ok and check.tried]
    left = any(not check.tried for check in checks) or any(check.said.startswith("it left") for check in failed)
    words = tuple(map(_words, failed))
    notes = tuple(f"{check.said[:1].upper()}{check.said[1:]}." for check in checks if check.ok and check.expected)
    return Seen(words if left else (), () if left else words, notes, last_words(work) if left else "")


def _words(check: Check) -> str:
    """A failed check in sentences."""
    return f"Where it {check.name}: {plain(check.said).rstrip('.')}. Expected: {check.expected}. The rule: {check.rule}"
