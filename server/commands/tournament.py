"""`highnoon tournament EVENT.toml`: runs the poker evening of an event file, or resumes it after a crash."""

import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec.structs import replace

from broadcast.publish.destination_lease import event_name
from broadcast.web.serve import listen_with_retries
from server.app.branding import update_branding
from server.app.evening.card_room import begin_recording
from server.app.evening.entries import read_entered_bots
from server.app.evening.evening import EveningRunner
from server.app.evening.evening_files import EveningSecrets, choose_attempt, load_secrets, secrets_path
from server.app.studio.show_outputs import check_destination
from server.commands.practice import practice
from server.config.event_entries import why_not_on_workers
from server.config.event_file import EveningPlan, read_event
from server.config.event_show import find_voice_program
from server.config.settings import Settings
from server.console import dollars_and_cents, say
from server.contests import CONTESTS
from server.errors import Refusal
from server.game.events import TournamentOpened
from server.journal.begin_journal import BegunRecording
from server.shuffle import commitment, fresh_seed
from server.text.characters import printable


async def hold_evening(
    path: Path,
    *,
    speed: float | None,
    readmit: bool,
    rehearse: bool,
    again: bool,
    publish_to: str | None,
    metrics: bool,
    scheduler: str,
    certificates: Path | None,
) -> int:
    """Runs or resumes the evening of the event file `path`. Returns 0 if the recording passes verification, else 1.

    If given, `speed` replaces the pace in the file, `publish_to` replaces the destination, and `scheduler` and
    `certificates` replace the workers' scheduler and certificates.

    With `rehearse`, plays in a separate data folder, and publishes only if `publish_to` is given. With `readmit`, bots
    that left before a restart may play again. With `metrics`, serves `/metrics`. With `again`, starts a new recording
    beside the existing recording.

    Raises EventFaults for faults in the file, Refusal for options that do not suit the evening, CannotRun if this
    machine cannot run bots, JournalDamaged, OSError. Each error says what to do.
    """
    suffix = path.suffix.lower()
    own_contest = next((contest for contest in CONTESTS.values() if contest.event_file_suffix == suffix), None)
    plan = own_contest.venue().read_file(path) if own_contest else read_event(path)
    plan = _with_workers(path, plan, scheduler, certificates)
    plan = plan if speed is None else replace(plan, pace=speed)
    if plan.mode == "practice":
        if rehearse or again or publish_to:
            raise Refusal(f'{path}: mode = "practice" has no tournament to rehearse, start over or publish')
        update_branding(path, plan.branding, plan.media)
        seed = plan.seed or fresh_seed()
        settings = Settings(
            plan.host, plan.register_port, plan.data, plan.pace, seed, metrics=metrics, game_ports=plan.game_ports
        )
        return await practice(
            settings,
            plan.contest,
            plan.bot_networks,
            pages_port=plan.pages_port,
            hosts=plan.hosts,
            api_for_all=plan.api_for_all,
        )
    plan = choose_attempt(_with_voice(path, plan), rehearse=rehearse, again=again)
    plan = replace(plan, metrics=metrics, publish_to=publish_to or ("" if rehearse else plan.publish_to))
    if rehearse:
        plan = replace(plan, api_for_all=False)
        say(f"a rehearsal, with its own seed and its own folder, {plan.data}; the evening's files stay as they are")
    update_branding(path, plan.branding, plan.media)
    contest = CONTESTS[plan.contest]
    if contest.evening_rules.is_season and not plan.deals_plan:
        return await contest.venue().run_season(plan)
    say(f"{printable(plan.name)}, {plan.date}")
    for remark in plan.remarks:
        say(f"  {printable(remark)}")
    begun_recording = begin_recording(plan.journal)
    secrets = load_secrets(plan, resumed=bool(begun_recording.entries))
    async with AsyncExitStack() as exit_stack:
        listener = exit_stack.enter_context(await listen_with_retries(plan.host, plan.pages_port))
        work = Path(exit_stack.enter_context(tempfile.TemporaryDirectory()))
        if plan.deals_plan:  # in an evening of deals, this program starts all bots itself, so no bot registers
            entered_bots = await read_entered_bots(plan, begun_recording, work)
        else:
            entered_bots = await contest.venue().entered_bots(plan, begun_recording, secrets.control, exit_stack, work)
        try:
            prizes_cents = plan.prizes_for(len(entered_bots.entrants))
        except ValueError as error:
            raise Refusal(f"{path}: {error}") from None
        _check_same_tournament(plan, begun_recording, secrets, prizes_cents)
        if plan.publish_to:
            await check_destination(plan.publish_to, event_name(plan.slug, commitment(secrets.seed_bytes)))
        runner = EveningRunner(plan, secrets, begun_recording, entered_bots, prizes_cents=prizes_cents)
        return await runner.run(listener, readmit=readmit)


def _with_voice(path: Path, plan: EveningPlan) -> EveningPlan:
    """Returns the plan with the full path of its voice program. Raises Refusal if this machine lacks the program."""
    try:
        return replace(plan, voice=plan.voice and find_voice_program(plan.voice))
    except ValueError as error:
        raise Refusal(f"{path}, voice.command: {error}") from None


def _with_workers(path: Path, plan: EveningPlan, scheduler: str, certificates: Path | None) -> EveningPlan:
    """Returns the plan with the workers that the command line names, if any. Raises Refusal if workers can play none of
    the plan's games.
    """
    if scheduler and (
        not (CONTESTS[plan.contest].evening_rules.is_season or plan.deals_plan) or plan.mode == "practice"
    ):
        raise Refusal(f"{path}: --scheduler is for a season, or for [format] with same_cards = true")
    if scheduler and plan.deals_plan and (fault := why_not_on_workers(plan.entries)):
        raise Refusal(f"{path}: workers {fault}")
    return replace(
        plan,
        workers_scheduler=scheduler or plan.workers_scheduler,
        workers_certificates=certificates or plan.workers_certificates,
    )


def _check_same_tournament(
    plan: EveningPlan, begun_recording: BegunRecording, secrets: EveningSecrets, prizes_cents: Sequence[int]
) -> None:
    """Raises Refusal if the existing journal has another seed, name or prizes."""
    opened = begun_recording.entries[0].event if begun_recording.entries else None
    if not isinstance(opened, TournamentOpened):
        return
    if opened.seed_commitment != commitment(secrets.seed_bytes):
        raise Refusal(
            f"{secrets_path(plan.journal)} belongs to another tournament:"
            " without its own seed a tournament cannot be resumed"
        )
    if (opened.title, opened.prizes_cents) != (plan.name, tuple(prizes_cents)):
        raise Refusal(
            f'{plan.journal} was started as "{printable(opened.title)}" with prizes of'
            f' {_dollars(opened.prizes_cents)}, but the event file says "{printable(plan.name)}" and'
            f" {_dollars(prizes_cents)}: change name, buy_in and prizes back to resume it, or start a new tournament"
            " beside it with --again"
        )


def _dollars(prizes_cents: Sequence[int]) -> str:
    return ", ".join(map(dollars_and_cents, prizes_cents)) or "nothing"
