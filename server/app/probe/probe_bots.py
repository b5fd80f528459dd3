"""Finds the bots that `highnoon probe` should try, and tries several bots at once, on this machine or on workers."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from server.app.probe.probing import COMES_TO_TABLE, failed_arrival, probe_bot
from server.app.probe.trial import PACE_CHECK, SILENCE_CHECK, Check
from server.app.sparring.on_workers import prepare_for_workers
from server.app.sparring.sides import Side, read_sides, side_at
from server.console import say
from server.contests import CONTESTS
from server.errors import Refusal
from server.submissions.command_bots import BOT_JSON, find_command_bots
from server.submissions.submissions_reader import read_submissions
from server.system.processes import processor_count
from server.verify.refutation import Refuted, expect_equal
from server.workers.abilities import CORES_RESOURCE
from server.workers.worker_messages import Done, ResultRejected, decode_result, encode
from server.workers.workplace import Workplace

if TYPE_CHECKING:
    from server.workers.connection import KnownWorker
    from server.workers.work_dispatcher import WorkDispatcher

PROBE_JOB = "probe"
MAX_BYTES = 1 << 20
"""A worker may send at most this many bytes of results for one bot."""


Checks = Sequence[Check]
FOLDER_PREFIX = "highnoon-probe-"


class Candidate(Struct, frozen=True):
    """A bot to try. `label` identifies the bot in reports."""

    label: str
    side: Side


def find_candidates(texts: Sequence[str], contest_id: str, work_folder: Path) -> list[Candidate]:
    """Finds the bots that `texts` describe: folders, commands or addresses. A text may name a folder with several bots.
    Unpacks archives to `work_folder`. Raises OSError, or Refusal if a text describes no bot.
    """
    candidates: list[Candidate] = []
    for number, text in enumerate(texts, 1):
        # In contests to which bots are submitted as folders, each bot's folder has a marker file.
        is_archive, has_marker = Path(text).suffix.lower() == ".zip", bool(CONTESTS[contest_id].marker_file)
        is_submitted = has_marker and (is_archive or Path(text).is_dir())
        candidates += (
            _find_submissions(text, contest_id, work_folder / str(number))
            if is_submitted
            else [_find_one(text, contest_id)]
        )
    manual = [candidate for candidate in candidates if candidate.side.kind == "listen"]
    if len(candidates) > 1 and manual:
        raise Refusal(f"{manual[0].side.text} waits for a bot that is started by hand: try it alone")
    return candidates


def start_probes(
    candidates: Sequence[Candidate], contest_id: str, dispatcher: "WorkDispatcher | None"
) -> list[asyncio.Task[Checks]]:
    """Starts trying all bots. Workers try as many bots at a time as they can. Without workers, this machine tries one
    bot per processor at a time. Returns a task for each bot, in order. The caller must await or cancel the tasks. A
    task may raise OSError.
    """
    if dispatcher is None:
        slots = asyncio.Semaphore(processor_count())
        return [asyncio.create_task(_probe_locally(candidate.side, contest_id, slots)) for candidate in candidates]
    return [asyncio.create_task(_probe_on_worker(dispatcher, candidate, contest_id)) for candidate in candidates]


async def _probe_locally(side: Side, contest_id: str, slots: asyncio.Semaphore) -> Checks:
    async with slots:
        with tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, ignore_cleanup_errors=True) as work:
            return await probe_bot(side, contest_id, Path(work))


async def _probe_on_worker(dispatcher: "WorkDispatcher", candidate: Candidate, contest_id: str) -> Checks:
    from server.workers.work_dispatcher import Work  # noqa: PLC0415 - Dask is installed only where workers are used

    async def read_checks(done: Done, _worker: "KnownWorker") -> Checks:
        return decode_checks(done.result, contest_id)

    with tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, ignore_cleanup_errors=True) as work:
        try:
            sent_bots = await asyncio.to_thread(prepare_for_workers, [candidate.side], contest_id, Path(work))
            order = encode(ProbeOrder(contest_id, sent_bots.sides[0]))
            job = Work(candidate.label, PROBE_JOB, order, {CORES_RESOURCE: 1.0}, sent_bots.folders, sent_bots.languages)
            async with dispatcher.open_order(1):
                return await dispatcher.do_on_worker(job, read_checks)
        except Refusal as error:
            return failed_arrival(contest_id, str(error))


def _find_submissions(text: str, contest_id: str, work_folder: Path) -> list[Candidate]:
    """Finds the bots in a folder or archive. The folder contains one bot or several bots."""
    path = Path(text)
    if CONTESTS[contest_id].marker_file == BOT_JSON:
        bots = find_command_bots(path) or [path]
        names = [bot.stem if bot.is_file() else bot.resolve().name for bot in bots]
        return [Candidate(str(bot), Side("folder", str(bot), name)) for bot, name in zip(bots, names, strict=True)]
    submissions = read_submissions(path, work_folder)
    if len(submissions) == 1:
        return [_find_one(text, contest_id)] if path.is_dir() else [Candidate(text, Side("folder", text, path.stem))]
    return [Candidate(bot.label, Side("folder", str(bot.folder), bot.name or bot.label)) for bot in submissions]


def _find_one(text: str, contest_id: str) -> Candidate:
    (side,) = read_sides([text], contest_id)
    if side.kind == "house":
        raise Refusal(f"{side.text} is a house style: give a bot of your own")
    return Candidate(text, side)


class ProbeOrder(Struct, frozen=True):
    """An order to try a bot in a folder. `side.text` is the SHA-256 of the folder's files."""

    contest: str
    side: Side


_read_order = msgspec.msgpack.Decoder(ProbeOrder).decode
_read_checks = msgspec.msgpack.Decoder(list[Check]).decode


async def probe_as_worker(workplace: Workplace, body: bytes) -> bytes:
    """Tries the bot of an encoded `ProbeOrder`. Returns an encoded list of `Check`. Raises OSError."""
    order = _read_order(body)
    with workplace.temporary_folder() as folder:
        checks = await probe_bot(side_at(workplace, order.side), order.contest, Path(folder), workplace.shared_runner)
    say(f"{order.side.name}: {sum(check.ok for check in checks)} of {len(checks)} checks passed")
    return encode(checks)


def decode_checks(result: bytes, contest_id: str) -> Sequence[Check]:
    """Decodes a worker's checks, and trusts the worker's verdicts. Raises ResultRejected if a check is missing."""
    try:
        checks = _read_checks(decode_result(result, MAX_BYTES))
        names = (
            [COMES_TO_TABLE]
            + [situation.name for situation in CONTESTS[contest_id].situations()]
            + [PACE_CHECK, SILENCE_CHECK]
        )
        connected = bool(checks) and checks[0].ok
        expect_equal("what was tried", [check.name for check in checks], names if connected else [COMES_TO_TABLE])
    except (msgspec.DecodeError, Refuted) as error:
        raise ResultRejected(str(error)) from None
    return checks
