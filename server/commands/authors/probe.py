"""`highnoon probe BOT...`: tries bots in the situations of their contest, and says in plain words what they miss."""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from server.app.probe.many import PREFIX, Candidate, candidates, try_all
from server.app.probe.probing import NOBODY, Hears, as_json, last_words, tried
from server.app.probe.trial import Check, passed
from server.console import ProgressBar, plain, say, tell
from server.errors import Refusal
from server.workers.opened import workers_of

if TYPE_CHECKING:
    from server.workers.asking import Asking


class Probe(Struct, frozen=True):
    """What is to be tried: `bots` are folders, archives, commands or addresses; a folder of submissions has many.

    With a Dask scheduler's address its workers try them; it is reached with `certificates`.
    """

    bots: tuple[str, ...]
    contest: str
    scheduler: str = ""
    certificates: Path | None = None


async def probe(asked: Probe, *, as_json: bool) -> int:
    """Tries the bots and prints each check, or of several bots a line for each; 0 if all of them pass all, else 1.

    Raises Refusal where there is no such bot, or the workers cannot have it, OSError.
    """
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as work:
        found = await asyncio.to_thread(candidates, asked.bots, asked.contest, Path(work))
        async with _workers(asked, found) as asking:
            if len(found) > 1:
                return await _many(found, asked, asking, quiet=as_json)
            return await _one(found[0], asked, asking, Path(work), quiet=as_json)


@asynccontextmanager
async def _workers(asked: Probe, found: Sequence[Candidate]) -> "AsyncIterator[Asking | None]":
    if not asked.scheduler:
        yield None
        return
    if home := next((each.side for each in found if each.side.kind != "folder"), None):
        raise Refusal(f"{home.text} stays at home: workers take folders")
    async with workers_of(asked.scheduler, asked.certificates, tell) as asking:
        yield asking


async def _one(bot: Candidate, asked: Probe, asking: "Asking | None", work: Path, *, quiet: bool) -> int:
    checks: Sequence[Check]
    if asking:
        (trying,) = try_all([bot], asked.contest, asking)
        checks = await trying
        for check in () if quiet else checks:
            _say(check)
    else:
        hears = Hears(NOBODY.check if quiet else _say, tell)
        checks = await tried(bot.side, asked.contest, work, hears)
        if not quiet:
            _say_end(checks, last_words(work))
    if quiet:
        _print(as_json(checks))
    else:
        say(f"{plain(bot.side.name)}: {passed(checks)} of {len(checks)} checks passed")
    return 0 if passed(checks) == len(checks) else 1


async def _many(found: Sequence[Candidate], asked: Probe, asking: "Asking | None", *, quiet: bool) -> int:
    bar = ProgressBar("bots", len(found))
    trying = try_all(found, asked.contest, asking)
    for task in trying:
        task.add_done_callback(lambda _: bar.step())
    told, good = [], 0
    try:
        for bot, task in zip(found, trying, strict=True):
            checks = await task
            good += passed(checks) == len(checks)
            told.append({"bot": bot.label, **as_json(checks)})
            if not quiet:
                say(_line(bot, checks))
    finally:  # what was found is not lost, also after Ctrl-C
        for task in trying:
            task.cancel()
        await asyncio.gather(*trying, return_exceptions=True)
        bar.end()
        if quiet:
            _print(told)
        else:
            say(f"{good} of {len(found)} bots passed every check")
    return 0 if good == len(found) else 1


def _line(bot: Candidate, checks: Sequence[Check]) -> str:
    """A bot in one line: what it cannot do, or why it could not be tried."""
    failed = [check for check in checks if not check.ok]
    count = f"  {'FAIL' if failed else 'ok  '}  {plain(bot.label)}: {passed(checks)} of {len(checks)} checks passed"
    if len(checks) == 1:
        return f"  FAIL  {plain(bot.label)}: it does not come to the table: {plain(failed[0].said)}"
    names = [check.name for check in failed if check.tried]
    more = f" and {len(failed) - len(names)} not tried, for it had left" if len(names) < len(failed) else ""
    return f"{count}; not: {', '.join(names)}{more}" if failed else count


def _print(told: object) -> None:
    sys.stdout.write(json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def _say_end(checks: Sequence[Check], printed: str) -> None:
    """Says in one line what was not tried, and what a bot that has left printed last."""
    if untried := [check for check in checks if not check.tried]:
        say(f"  {len(untried)} more not tried: {plain(untried[0].said.removeprefix('not tried: '))}")
        for line in printed.splitlines():
            say(f"        | {line}")


def _say(check: Check) -> None:
    if not check.tried:
        return
    say(f"  {'ok  ' if check.ok else 'FAIL'}  {check.name}")
    if not check.ok:
        say(f"        it said      {plain(check.said)}")
        say(f"        expected     {plain(check.expected)}")
        say(f"        the rule     {check.rule}")
    elif check.expected:
        say(f"        remark       {plain(check.said)}: {plain(check.expected)}")
