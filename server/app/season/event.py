"""`highnoon tournament EVENT.toml` where a season is played: holds it, or goes on with it after a crash."""

import asyncio
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import cast

import msgspec
from msgspec.structs import replace

from broadcast.app import Studio
from broadcast.publish.show_there import event_name
from broadcast.web.access import fresh_tokens
from broadcast.web.serve import address_of, listen_soon, serving_on
from server.app.event.attempts import played, recording_of
from server.app.event.secrets_file import EventSecrets, SecretsDamaged, keep_secrets, read_secrets, secrets_path
from server.app.season.season import Season, Terms, open_ledger
from server.app.studio.publishing import check_place
from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.runner import CannotRun, Limits, Runner, Say, Surroundings
from server.config.event_entries import EntryPlan
from server.config.event_file import EventPlan
from server.console import addresses, afterwards, plain, say
from server.journal.atomic_file import keep_whole
from server.season.bot_setup import BUILD_SECONDS, build, starter
from server.season.builds import Make, Start
from server.season.files import Store, store_of
from server.season.ledger import Ledger
from server.season.player_secrets import fresh_secret, invitation_of, seal_of
from server.season.standings import Upload
from server.season.uploads.handed import Declined
from server.shuffle import commitment, fresh_seed
from server.submissions.commands import CommandSubmission, read_commands
from server.submissions.digest import digest_of
from server.text.regular_file import read_regular
from server.workers.opened import games_on_workers


async def hold_season(plan: EventPlan, *, speed: float) -> int:
    """Holds the season to its end, or until Ctrl-C; started again it goes on. Returns 0 if all recordings hold, else 1.

    `speed` multiplies the pace of the show. Raises OSError where a port or the data folder cannot be used,
    JournalDamaged and SecretsDamaged where kept files do not fit, CannotRun where nothing here can run bots; each
    with words for the organiser.
    """
    say(f"{plain(plan.name)}, {plan.date}")
    secrets = _secrets(plan)
    terms = Terms(
        plan.name,
        secrets.seed_bytes,
        plan.season_games,
        plan.season_pause_seconds,
        speed,
        obs_address=plan.obs_address,
        obs_password=plan.obs_password,
        waits=plan.start == "desk",
        bots=plan.bots,
        run_of_show=plan.run_of_show,
        publish_to=plan.publish_to,
        event=event_name(plan.slug, commitment(secrets.seed_bytes)),
        at_once=plan.season_at_once,
        invitations=plan.season_invitations or (invitation_of(secrets.seed_bytes),),
    )
    studio = Studio(plan.media, time.monotonic, plan.hosts)
    async with AsyncExitStack() as closing:
        listener = closing.enter_context(await listen_soon(plan.host, plan.pages_port))
        ledger = open_ledger(_ledger(plan), plan.name, secrets.seed_bytes)
        closing.callback(ledger.close)
        _check_fit(ledger, plan, secrets)
        if ledger.standings.seed:
            say(played(ledger.path))
        if terms.publish_to:
            await check_place(terms.publish_to, terms.event)
        runner = await choose_runner(cast(RunnerKind, plan.runner), _surroundings(plan))
        closing.push_async_callback(runner.close)
        for note in runner.notes:
            say(f"  {note}")
        store = store_of(ledger.path)
        games = await closing.enter_async_context(games_on_workers(plan, store, runner.kind))
        season = Season(ledger, terms, studio, maker(runner, store), secrets.tokens, games=games)
        await closing.enter_async_context(serving_on(studio.app, listener))
        base = address_of(listener)
        say(f"  leaderboard     {base}/season")
        say(f"  hand in a bot   {base}/upload")
        for invitation in terms.invitations:
            say(f"  with invitation {base}/upload?invitation={invitation}")
        if games:
            say(f"  workers         {base}/season/workers   (open the control desk first)")
        say(f"  let others in   {base}/season/players   (open the control desk first)")
        say(f"  only to look    {base}/control?token={secrets.view}")
        addresses(base, token=secrets.control)
        await season.hold(lambda: _enter_all(plan, season))
        status = season.tell_result()
        afterwards(ledger.path, plan.data)
        await season.publish()
        if speed:
            say("the season is over; Ctrl-C closes its pages")
            await asyncio.Event().wait()
    return status


def _surroundings(plan: EventPlan) -> Surroundings:
    """What all boxes of the event have in common."""
    return Surroundings(plan.label, limits=Limits(build_seconds=BUILD_SECONDS))


def _ledger(plan: EventPlan) -> Path:
    """The path of the ledger; its name ends unlike those of recordings, so that it is not listed among them."""
    return recording_of(plan)


def _secrets(plan: EventPlan) -> EventSecrets:
    """Seed and tokens: those that are kept beside the ledger, else new ones. Raises OSError, SecretsDamaged."""
    path = secrets_path(plan.journal)
    if _ledger(plan).exists() and path.exists():
        kept = read_secrets(path)
        return replace(kept, control=plan.control_token or kept.control, view=plan.view_token or kept.view)
    made = fresh_tokens()
    secrets = EventSecrets(
        (plan.seed or fresh_seed()).hex(), plan.control_token or made.control, plan.view_token or made.view
    )
    keep_secrets(path, secrets)
    return secrets


def _check_fit(ledger: Ledger, plan: EventPlan, secrets: EventSecrets) -> None:
    """Raises SecretsDamaged where the ledger was begun with another seed."""
    if ledger.standings.seed_commitment != commitment(secrets.seed_bytes):
        raise SecretsDamaged(f"{secrets_path(plan.journal)} is of another season: without its own seed none goes on")


def maker(runner: Runner, store: Store) -> Make:
    """A function that builds an upload in a box and returns what starts it; it raises CannotRun where it cannot."""

    async def make(upload: Upload, say_line: Say) -> Start:
        with tempfile.TemporaryDirectory() as work:
            submission = await asyncio.to_thread(_kept, store.upload(upload.number), Path(work))
            if submission.faults:
                raise CannotRun(" ".join(submission.faults))
            return starter(upload.name, runner, await build(submission, runner, say_line))

    return make


def _kept(folder: Path, work: Path) -> CommandSubmission:
    try:
        return read_commands(folder, work / "bot")
    except OSError as error:
        raise CannotRun(f"what was handed in cannot be read ({error.strerror})") from None


async def _enter_all(plan: EventPlan, season: Season) -> None:
    """Enters the bots of the event file that are not entered as they are now; prints why one cannot be."""
    secrets = await asyncio.to_thread(_players_secrets, plan)
    with tempfile.TemporaryDirectory() as work:
        for number, entry in enumerate(plan.entries):
            try:
                await _enter(entry, season, secrets[entry.player], Path(work) / str(number))
            except (Declined, OSError) as error:
                say(f"  {plain(entry.player)} is not in: {plain(str(error))}")
    if plan.entries:
        say(f"the players' secrets are kept in {_secrets_file(plan)}")


async def _enter(entry: EntryPlan, season: Season, secret: str, work: Path) -> None:
    """Enters one player's bot, to be built and made active. Raises Declined, OSError."""
    assert entry.folder is not None, "the event file has seen to it"
    folder = entry.folder
    submission = await asyncio.to_thread(lambda: read_commands(folder, work))
    if submission.faults:
        raise Declined(400, *submission.faults)
    digest = await asyncio.to_thread(digest_of, submission.folder)
    player = season.uploads.senders.named(entry.player)
    if player is None and season.uploads.senders.was_removed(entry.player):
        raise Declined(409, "it was removed from the season.")
    known = [season.ledger.standings.uploads[number] for number in player.uploads] if player else []
    same = next((upload for upload in known if upload.digest == digest), None)
    if same is None:
        same = await season.uploads.enter(submission, entry.player, seal_of(secret))
    elif same.tested or same.fault:
        return
    season.builds.take(same.number, activate=True)


def _secrets_file(plan: EventPlan) -> Path:
    return plan.journal.with_suffix(".players")


def _players_secrets(plan: EventPlan) -> dict[str, str]:
    """The secret of each player of the event file, kept beside the ledger, new ones made. Raises OSError."""
    path = _secrets_file(plan)
    kept = msgspec.json.decode(read_regular(path), type=dict[str, str]) if path.exists() else {}
    secrets = {**{entry.player: fresh_secret() for entry in plan.entries}, **kept}
    if secrets != kept:
        keep_whole(path, msgspec.json.format(msgspec.json.encode(secrets)))
    return secrets
