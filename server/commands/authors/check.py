"""`highnoon check PATH`: reads what contestants handed in, prepares its media, plays with each bot, prints every fault.

The status is 0 if everything that was asked for was done and no fault was found. Where this machine cannot run bots it
is 1, unless --no-run was given.
"""

import asyncio
import contextlib
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from broadcast.report import render
from server.addresses import is_address
from server.app.check.checker import checker_of, contest_of
from server.app.check.words import Checked, plainly, sheet_of, summary
from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.runner import CannotRun, Runner, Surroundings
from server.console import plain, print_json, say
from server.paths import ASSETS


class CheckOptions(Struct, frozen=True):
    """What to check, and how.

    `report` is a folder, in which each player gets a page, or a file (.html) for one page of all. `runner` says what
    runs the bots; None runs none. `known_as` are addresses and names of the server that bots have hard-coded.
    """

    path: Path
    report: Path | None
    runner: RunnerKind | None
    known_as: Sequence[str]
    build_network: bool
    """Whether builds reach the public web."""
    registries: Sequence[str]
    """Registries besides Docker Hub whose images may be built upon."""
    as_json: bool
    """The result goes to standard output as JSON, and everything else to standard error."""


async def check(options: CheckOptions) -> int:
    """Checks, prints the result and writes the report, if one is asked for; 0 if all is well.

    Raises OSError where something cannot be read or written.
    """
    with contextlib.redirect_stdout(sys.stderr) if options.as_json else contextlib.nullcontext():
        all_checked, why_not = await _checked(options)
    if options.as_json:
        print_json({"bots": list(map(plainly, all_checked)), "not_run": why_not})
    return 0 if not why_not and all(checked.verdict == "well" for checked in all_checked) else 1


async def _checked(options: CheckOptions) -> tuple[list[Checked], str]:
    """Checks, prints and writes; returns what was found, and why no bot was run, "" if they were."""
    with tempfile.TemporaryDirectory(prefix="highnoon-check-", ignore_cleanup_errors=True) as folder:
        work = Path(folder)
        async with _runner(options) as (runner, why_not):
            contest = await asyncio.to_thread(contest_of, options.path)
            all_checked = await checker_of(contest).check(options.path, work, runner)
        pages = _write_pages(all_checked, options.report, contest.format.starting_stack) if options.report else []
    say(summary(all_checked))
    if why_not:
        say(f"No bot was run: {plain(why_not)}. With --no-run only the files are checked.")
    for page in pages:
        say(f"  report          {page}")
    return all_checked, why_not


@contextlib.asynccontextmanager
async def _runner(options: CheckOptions) -> AsyncIterator[tuple[Runner | None, str]]:
    """What runs bots here, or None and why nothing does; it is closed at the end."""
    if not options.runner:
        yield None, ""
        return
    addresses = tuple(name for name in options.known_as if is_address(name))
    hostnames = tuple(name for name in options.known_as if name not in addresses)
    label = f"check-{sha256(bytes(options.path.resolve())).hexdigest()[:12]}"  # the same when it is checked again
    try:
        common = Surroundings(
            label, addresses, hostnames, build_network=options.build_network, registries=tuple(options.registries)
        )
        runner = await choose_runner(options.runner, common)
    except CannotRun as error:
        yield None, str(error).rstrip(".")
        return
    try:
        for note in runner.notes:
            say(note)
        yield runner, ""
    finally:
        await runner.close()


def _write_pages(all_checked: Sequence[Checked], report: Path, stack: int) -> list[Path]:
    """Writes the report for a contest that begins with `stack` chips; returns the paths of its pages."""
    players = dict.fromkeys(checked.submission.player for checked in all_checked)
    if report.suffix.lower() in (".html", ".htm") and not report.is_dir():
        title = next(iter(players)) if len(players) == 1 else f"{len(players)} players"
        return [_write_page(all_checked, report, title, stack)]
    report.mkdir(parents=True, exist_ok=True)
    pages: dict[Path, None] = {}
    for player in players:
        mine = [checked for checked in all_checked if checked.submission.player == player]
        file = _free(report, re.sub(r"[^\w-]+", "-", player).strip("-")[:60] or "player", pages)
        pages[_write_page(mine, file, player, stack)] = None
    return list(pages)


def _free(folder: Path, stem: str, taken: dict[Path, None]) -> Path:
    """A path for a page that no other page of this report has."""
    names = (folder / f"{stem}{f'-{number}' if number else ''}.html" for number in range(len(taken) + 1))
    return next(name for name in names if name not in taken)


def _write_page(all_checked: Sequence[Checked], file: Path, title: str, stack: int) -> Path:
    avatar, particle = (ASSETS / kind / "default.webp" for kind in ("avatars", "particles"))
    sheets = [sheet_of(checked, avatar, particle) for checked in all_checked]
    made = f"Checked on {datetime.now().astimezone():%d %B %Y at %H:%M}"
    file.write_text(render(sheets, title, made, stack), encoding="utf-8")
    return file
