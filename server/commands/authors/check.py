"""`highnoon check PATH`: checks what players submitted (bots, pictures, sounds), and plays a game with each bot.

The exit status is 0 if nothing needs fixing, otherwise 1. Without the option --no-run, it is also 1 if this machine
cannot run bots.
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

from broadcast.report import render_report
from broadcast.web.brand import Brand
from server.app.branding import prepare_brand
from server.app.check.check_results import Checked, as_json, make_bot_report, summary
from server.app.check.checker import checker_of, contest_of
from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Runner
from server.config.event_file import read_event
from server.console import print_json, say
from server.ip_addresses import is_address
from server.paths import ASSETS
from server.text.characters import printable


class CheckOptions(Struct, frozen=True):
    """The options of the command. `path` is a submission or a folder of submissions.

    `report` is a folder for a page per player, or one .html file. `runner` says how to run the bots. If it is None, no
    bots run. `known_as` are the host names and addresses by which bots may call the tournament server. Bots'
    Dockerfiles may use images from Docker Hub and from `registries`. If `build_network` is true, they may also use the
    public web.
    """

    path: Path
    report: Path | None
    runner: RunnerKind | None
    known_as: Sequence[str]
    build_network: bool
    registries: Sequence[str]
    event: Path | None
    """The event file whose branding the report shows. The command checks this file first."""
    as_json: bool
    """Whether to print the result to standard output as JSON. If so, all other messages go to standard error."""


async def check(options: CheckOptions) -> int:
    """Checks submissions, prints the result and writes the report, if any. Returns 0 if nothing needs fixing, else 1.

    Raises OSError, EventFaults for faults in the event file, or Refusal if the logo in that file cannot be shown.
    """
    with contextlib.redirect_stdout(sys.stderr) if options.as_json else contextlib.nullcontext():
        all_checked, why_not = await _check_all(options)
    if options.as_json:
        print_json({"bots": list(map(as_json, all_checked)), "not_run": why_not})
    return 0 if not why_not and all(checked.verdict == "well" for checked in all_checked) else 1


async def _check_all(options: CheckOptions) -> tuple[list[Checked], str]:
    """Checks submissions, prints a summary and writes the report. Returns the results, and the reason if bots cannot
    run, else "".
    """
    brand = prepare_brand(options.event, read_event(options.event).branding) if options.event else None
    with tempfile.TemporaryDirectory(prefix="highnoon-check-", ignore_cleanup_errors=True) as folder:
        work = Path(folder)
        async with _open_runner(options) as (runner, no_runner_reason):
            contest = await asyncio.to_thread(contest_of, options.path)
            all_checked = await checker_of(contest).check(options.path, work, runner)
        stack = contest.format.starting_stack
        pages = _write_pages(all_checked, options.report, stack, brand) if options.report else []
    say(summary(all_checked))
    if no_runner_reason:
        say(f"No bot was run: {printable(no_runner_reason)}. Use --no-run to check only the files.")
    for page in pages:
        say(f"  report          {page}")
    return all_checked, no_runner_reason


@contextlib.asynccontextmanager
async def _open_runner(options: CheckOptions) -> AsyncIterator[tuple[Runner | None, str]]:
    """Yields a runner and "". If bots cannot run, yields None and the reason. If no bots should run, yields None and
    "".
    """
    if not options.runner:
        yield None, ""
        return
    addresses = tuple(name for name in options.known_as if is_address(name))
    hostnames = tuple(name for name in options.known_as if name not in addresses)
    label = (
        f"check-{sha256(bytes(options.path.resolve())).hexdigest()[:12]}"  # all checks of this path have the same label
    )
    try:
        environment = BoxEnvironment(
            label, addresses, hostnames, build_network=options.build_network, registries=tuple(options.registries)
        )
        runner = await choose_runner(options.runner, environment)
    except CannotRun as error:
        yield None, str(error).rstrip(".")
        return
    try:
        for remark in runner.remarks:
            say(remark)
        yield runner, ""
    finally:
        await runner.close()


def _write_pages(all_checked: Sequence[Checked], report: Path, stack: int, brand: Brand | None) -> list[Path]:
    """Writes the report, and returns the paths of its pages. `stack` is a bot's chips at the start of the contest."""
    players = dict.fromkeys(checked.submission.player for checked in all_checked)
    if report.suffix.lower() in (".html", ".htm") and not report.is_dir():
        title = next(iter(players)) if len(players) == 1 else f"{len(players)} players"
        return [_write_page(all_checked, report, title, stack, brand)]
    report.mkdir(parents=True, exist_ok=True)
    pages: list[Path] = []
    for player in players:
        player_bots = [checked for checked in all_checked if checked.submission.player == player]
        stem = re.sub(r"[^\w-]+", "-", player).strip("-")[:60] or "player"
        names = [report / f"{stem}{f'-{number}' if number else ''}.html" for number in range(len(pages) + 1)]
        free_name = next(name for name in names if name not in pages)
        pages.append(_write_page(player_bots, free_name, player, stack, brand))
    return pages


def _write_page(all_checked: Sequence[Checked], file: Path, title: str, stack: int, brand: Brand | None) -> Path:
    avatar, particle = (ASSETS / folder / "default.webp" for folder in ("avatars", "particles"))
    bot_reports = [make_bot_report(checked, avatar, particle) for checked in all_checked]
    checked_at = f"Checked on {datetime.now().astimezone():%d %B %Y at %H:%M}"
    file.write_text(render_report(bot_reports, title, checked_at, stack, brand), encoding="utf-8")
    return file
