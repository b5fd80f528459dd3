"""`highnoon probe BOT...`: tries bots in test situations of their contest, and lists their mistakes."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from server.app.probe.probe_bots import FOLDER_PREFIX, Candidate, find_candidates, start_probes
from server.app.probe.probing import probe_bot, read_last_output, to_json_object
from server.app.probe.trial import Check, count_passed
from server.app.sparring.sides import resolve_contest
from server.console import ProgressBar, print_json, print_to_stderr, say
from server.errors import Refusal
from server.text.characters import printable
from server.workers.connect_to_workers import connect_to_workers

if TYPE_CHECKING:
    from server.workers.work_dispatcher import WorkDispatcher


async def probe(bots: Sequence[str], contest: str, scheduler: str, certificates: Path | None, *, as_json: bool) -> int:
    """Tries bots in the test situations of their contest. Prints each check or, for several bots, only one line per
    bot. Returns 0 if all checks pass, else 1.

    `bots` are folders, archives, commands, addresses, or a folder of submissions. If `contest` is "", bots at HTTP
    addresses are asked for their contest. `scheduler` is "", or the address of a Dask scheduler whose workers try the
    bots. `certificates` is the folder of certificates for this scheduler. Raises OSError, or Refusal if a bot does not
    exist or cannot be sent to workers.
    """
    contest = await resolve_contest(bots, contest)
    with tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, ignore_cleanup_errors=True) as work:
        bots_to_probe = await asyncio.to_thread(find_candidates, bots, contest, Path(work))
        async with _open_workers(bots_to_probe, scheduler, certificates) as dispatcher:
            if len(bots_to_probe) > 1:
                return await _probe_many(bots_to_probe, contest, dispatcher, json_output=as_json)
            return await _probe_one(bots_to_probe[0], contest, dispatcher, Path(work), json_output=as_json)


@asynccontextmanager
async def _open_workers(
    bots_to_probe: Sequence[Candidate], scheduler: str, certificates: Path | None
) -> "AsyncIterator[WorkDispatcher | None]":
    if not scheduler:
        yield None
        return
    if local := next((bot.side for bot in bots_to_probe if bot.side.kind != "folder"), None):
        raise Refusal(f"{local.text} cannot be sent to workers: they take only folders")
    async with connect_to_workers(scheduler, certificates, print_to_stderr) as dispatcher:
        yield dispatcher


async def _probe_one(
    bot: Candidate, contest_id: str, dispatcher: "WorkDispatcher | None", work_folder: Path, *, json_output: bool
) -> int:
    checks: Sequence[Check]
    if dispatcher:
        (probe_task,) = start_probes([bot], contest_id, dispatcher)
        checks = await probe_task
        for check in () if json_output else checks:
            _say_check(check)
    else:
        checks = await probe_bot(
            bot.side,
            contest_id,
            work_folder,
            on_check=(lambda _: None) if json_output else _say_check,
            say=print_to_stderr,
        )
        if not json_output:
            _say_untried(checks, read_last_output(work_folder))
    if json_output:
        print_json(to_json_object(checks))
    else:
        say(f"{printable(bot.side.name)}: {count_passed(checks)} of {len(checks)} checks passed")
    return 0 if count_passed(checks) == len(checks) else 1


async def _probe_many(
    bots_to_probe: Sequence[Candidate], contest_id: str, dispatcher: "WorkDispatcher | None", *, json_output: bool
) -> int:
    bar = ProgressBar("bots", len(bots_to_probe))
    probe_tasks = start_probes(bots_to_probe, contest_id, dispatcher)
    for task in probe_tasks:
        task.add_done_callback(lambda _: bar.step())
    results, passing = [], 0
    try:
        for bot, task in zip(bots_to_probe, probe_tasks, strict=True):
            checks = await task
            passing += count_passed(checks) == len(checks)
            results.append({"bot": bot.label, **to_json_object(checks)})
            if not json_output:
                say(_describe_result(bot, checks))
    finally:  # even after Ctrl-C, prints the results so far
        for task in probe_tasks:
            task.cancel()
        await asyncio.gather(*probe_tasks, return_exceptions=True)
        bar.close()
        if json_output:
            print_json(results)
        else:
            say(f"{passing} of {len(bots_to_probe)} bots passed every check")
    return 0 if passing == len(bots_to_probe) else 1


def _describe_result(bot: Candidate, checks: Sequence[Check]) -> str:
    """Returns the line for a bot: the checks that it failed, or why it could not be tried."""
    failed = [check for check in checks if not check.ok]
    passed = f"{count_passed(checks)} of {len(checks)} checks passed"
    summary = f"  {'FAIL' if failed else 'ok  '}  {printable(bot.label)}: {passed}"
    if len(checks) == 1:
        return f"  FAIL  {printable(bot.label)}: it did not come to the table: {printable(failed[0].said)}"
    names = [check.name for check in failed if check.tried]
    untried_text = f" and {len(failed) - len(names)} not tried, because it had left" if len(names) < len(failed) else ""
    return f"{summary}; failed: {', '.join(names)}{untried_text}" if failed else summary


def _say_untried(checks: Sequence[Check], last_output: str) -> None:
    """If the bot disconnected, prints how many situations were not tried, and the bot's last output."""
    if untried := [check for check in checks if not check.tried]:
        say(f"  {len(untried)} more not tried: {printable(untried[0].said.removeprefix('not tried: '))}")
        for line in last_output.splitlines():
            say(f"        | {line}")


def _say_check(check: Check) -> None:
    if not check.tried:
        return
    say(f"  {'ok  ' if check.ok else 'FAIL'}  {check.name}")
    if not check.ok:
        say(f"        it said      {printable(check.said)}")
        say(f"        expected     {printable(check.expected)}")
        say(f"        the rule     {check.rule}")
    elif check.expected:
        say(f"        remark       {printable(check.said)}: {printable(check.expected)}")
