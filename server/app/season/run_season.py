"""`highnoon tournament EVENT.toml` for a season (many rated games): runs the season, or resumes it after a crash."""

import asyncio
import tempfile
import time
from collections.abc import Iterable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import cast

import msgspec
from msgspec.structs import replace

from broadcast.app import Studio
from broadcast.publish.destination_lease import event_name
from broadcast.web.serve import address_of, listen_with_retries, serving_on
from server.app.evening.evening_files import (
    SecretsDamaged,
    already_played_message,
    load_secrets,
    recording_path,
    secrets_path,
)
from server.app.private_links import say_private
from server.app.season.season import Season, open_ledger
from server.app.studio.show_outputs import check_destination
from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Runner, Say
from server.config.event_entries import EntryPlan
from server.config.event_file import EveningPlan
from server.console import print_addresses, print_next_steps, say
from server.journal.atomic_file import write_atomically
from server.season.bot_setup import BUILD_SECONDS, build_submission
from server.season.builds import BuildBot, StartBot
from server.season.files import SeasonFiles
from server.season.player_secrets import fresh_secret, invitation_of, seal_of_secret
from server.season.season_state import Upload
from server.season.uploads.upload_request import RequestRefused
from server.shuffle import commitment
from server.submissions.command_bots import read_command_bot
from server.submissions.folder_rules import digest_of
from server.text.characters import printable
from server.text.regular_file import read_regular
from server.workers.connect_to_workers import games_on_workers


async def run_season(plan: EveningPlan) -> int:
    """Runs a season to its end or until Ctrl-C. After Ctrl-C, the season can be resumed. Returns 0 if all recordings
    pass verification, else 1.

    Raises OSError if a port or the data folder cannot be used, or CannotRun if this machine cannot run bots. Raises
    JournalDamaged or SecretsDamaged for damaged files or files of another season. The organiser reads the messages of
    these errors.
    """
    say(f"{printable(plan.name)}, {plan.date}")
    path = recording_path(plan)
    secrets = load_secrets(plan, resumed=path.exists())
    invitations = plan.season_invitations or (invitation_of(secrets.seed_bytes),)
    plan = replace(plan, season_invitations=invitations)
    studio = Studio(plan.media, time.monotonic, plan.hosts, api_for_all=plan.api_for_all)
    if plan.metrics:
        studio.add_metrics()
    async with AsyncExitStack() as exit_stack:
        listener = exit_stack.enter_context(await listen_with_retries(plan.host, plan.pages_port))
        ledger = open_ledger(path, plan.name, secrets.seed_bytes)
        exit_stack.callback(ledger.close)
        if ledger.standings.seed_commitment != commitment(secrets.seed_bytes):
            stored = secrets_path(plan.journal)
            raise SecretsDamaged(
                f"{stored} belongs to another season. This season cannot be resumed without its own secrets file"
            )
        if ledger.standings.seed:
            say(already_played_message(ledger.path))
        if plan.publish_to:
            await check_destination(plan.publish_to, event_name(path.stem, commitment(secrets.seed_bytes)))
        environment = BoxEnvironment(plan.label, limits=Limits(build_seconds=BUILD_SECONDS))
        runner = await choose_runner(cast(RunnerKind, plan.runner), environment)
        exit_stack.push_async_callback(runner.close)
        for remark in runner.remarks:
            say(f"  {remark}")
        store = SeasonFiles(ledger.path)
        games = await exit_stack.enter_async_context(games_on_workers(plan, store, runner.kind))
        season = Season(ledger, plan, secrets, studio, make_bot_builder(runner, store), games=games)
        await exit_stack.enter_async_context(serving_on(studio.app, listener))
        base = address_of(listener)
        say(f"  leaderboard     {base}/season")
        say(f"  hand in a bot   {base}/upload")
        if games:
            say(f"  workers         {base}/season/workers   (open the control desk first)")
        say(f"  admit players   {base}/season/players   (open the control desk first)")
        links = [("with invitation", f"{base}/upload?invitation={invitation}") for invitation in invitations]
        links += [("control desk", f"{base}/control?token={secrets.control}")]
        links += [("view only", f"{base}/control?token={secrets.view}")]
        say_private(ledger.path, links)
        print_addresses(base)
        await season.run(lambda: _enter_all(plan, season))
        status = season.print_result()
        print_next_steps(ledger.path, plan.data)
        await season.publish()
        if plan.pace:
            say("the season is over; Ctrl-C closes its pages")
            await asyncio.Event().wait()
    return status


def make_bot_builder(runner: Runner, store: SeasonFiles) -> BuildBot:
    """Returns a function that builds an uploaded bot in a box (a sandbox). The building function returns another
    function, which starts the bot.

    Building raises CannotRun or OSError.
    """

    async def build(upload: Upload, say_line: Say) -> StartBot:
        with tempfile.TemporaryDirectory() as work:
            submission = await asyncio.to_thread(
                read_command_bot, store.upload_folder(upload.number), Path(work) / "bot"
            )
            if submission.faults:
                raise CannotRun(" ".join(submission.faults))
            return partial(runner.start_piped, upload.name, await build_submission(submission, runner, say_line))

    return build


async def _enter_all(plan: EveningPlan, season: Season) -> None:
    """Enters each new or changed bot of the event file. Prints a reason for each bot that cannot be entered."""
    path = plan.journal.with_suffix(".players")
    secrets = await asyncio.to_thread(_load_player_secrets, path, [entry.player for entry in plan.entries])
    with tempfile.TemporaryDirectory() as work:
        for number, entry in enumerate(plan.entries):
            try:
                await _enter(entry, season, secrets[entry.player], Path(work) / str(number))
            except (RequestRefused, OSError) as error:
                say(f"  {printable(entry.player)} is not entered: {printable(str(error))}")
    if plan.entries:
        say(f"the players' secrets are kept in {path}")


async def _enter(entry: EntryPlan, season: Season, secret: str, work_folder: Path) -> None:
    """Enters a player's bot, and queues it to be built and activated. Raises RequestRefused, OSError."""
    assert entry.folder is not None, "an event file of a season names a folder for each entry"
    submission = await asyncio.to_thread(read_command_bot, entry.folder, work_folder)
    if submission.faults:
        raise RequestRefused(400, *submission.faults)
    digest = await asyncio.to_thread(digest_of, submission.folder)
    player = season.uploads.senders.find_by_name(entry.player)
    if player is None and season.uploads.senders.was_removed(entry.player):
        raise RequestRefused(409, "it was removed from the season.")
    uploads = [season.ledger.standings.uploads[number] for number in player.uploads] if player else []
    entered_upload = next((upload for upload in uploads if upload.digest == digest), None)
    if entered_upload is None:
        entered_upload = await season.uploads.enter_bot(submission, entry.player, seal_of_secret(secret))
    elif entered_upload.tested or entered_upload.fault:
        return
    season.builds.queue_build(entered_upload.number, activate=True)


def _load_player_secrets(path: Path, players: Iterable[str]) -> dict[str, str]:
    """Reads the players' secrets from `path`. Makes and stores missing secrets. Raises OSError."""
    stored = msgspec.json.decode(read_regular(path), type=dict[str, str]) if path.exists() else {}
    secrets = {**{player: fresh_secret() for player in players}, **stored}
    if secrets != stored:
        write_atomically(path, msgspec.json.format(msgspec.json.encode(secrets)))
    return secrets
