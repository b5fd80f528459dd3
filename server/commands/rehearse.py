"""`highnoon replay RECORDING --as-live`: a rehearsal, which plays a recording as if it were live.

A rehearsal has the same show and the same control desk as a tournament. Only the bots are missing.
"""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from broadcast.web.access import fresh_tokens
from broadcast.web.serve import address_of, listen
from server.app.evening.health import TableHealth
from server.app.private_links import say_private
from server.app.recordings.recording_files import open_recording
from server.app.studio.supervisor import StudioSupervisor
from server.config.settings import Settings
from server.console import print_addresses, say
from server.game import events
from server.journal.bus import Bus
from server.journal.journal import Journal
from server.journal.studio_link import Plan
from server.tournament.control_values import Controls
from server.tournament.pause_gate import PauseGate


async def rehearse(settings: Settings, path: Path) -> int:
    """Plays the recording at `path` as if it were live. Returns 0.

    The operator starts the rehearsal at the control desk, and ends it with Ctrl-C. At speed 0, it starts and ends by
    itself. Raises OSError, JournalDamaged or Refusal.
    """
    recording = open_recording(path)
    journal = Journal(settings.data / "rehearsals" / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}.jsonl")
    bus = Bus(journal, time.monotonic)
    gate = PauseGate(Controls(started=not settings.speed))
    health = TableHealth(journal, time.monotonic)
    health.preparing = "a rehearsal, waiting for the start"
    bus.listeners += [gate.apply, health.apply]
    async with asyncio.TaskGroup() as tasks:
        supervisor = _supervisor(settings, bus, gate, health)
        health.on_change = supervisor.send_health
        background = [tasks.create_task(supervisor.run()), tasks.create_task(health.measure_lag())]
        say(f"a rehearsal of {path}" + (": press START at the desk" if settings.speed else ""))
        recorded = [entry.event for entry in recording.entries]
        await _play(recorded, bus, gate, settings.speed)
        if any(isinstance(event, events.TournamentEnded) for event in recorded):
            await supervisor.show_over.wait()
        else:  # published hands and unfinished contests have no champion to wait for
            await gate.wait_until_shown(sum(isinstance(event, events.HandEnded) for event in recorded))
        say("the rehearsal has ended" + ("; Ctrl-C closes it" if settings.speed else ""))
        if settings.speed:
            await asyncio.Event().wait()
        for task in background:
            task.cancel()
    return 0


def _supervisor(settings: Settings, bus: Bus, gate: PauseGate, health: TableHealth) -> StudioSupervisor:
    def request(event: events.ControlSet | events.CueGiven, _stage: int) -> str:
        if isinstance(event, events.ControlSet) and event.control == "stage_end":
            return "a rehearsal ends each stage where the recording did"
        why = gate.why_cannot_play_unseen(event)
        if not why:
            bus.publish(event)
        return why

    tokens = fresh_tokens()
    listener = listen(settings.host, settings.port)
    base = address_of(listener)
    say_private(health.journal.path, [("control desk", f"{base}/control?token={tokens.control}")])
    print_addresses(base)
    journal, media = health.journal.path.resolve(), settings.media.resolve()
    plan = Plan(
        title="Rehearsal",
        journal=str(journal),
        media=str(media),
        hosts=(),
        control_token=tokens.control,
        view_token=tokens.view,
        speed=settings.speed,
        obs_address=settings.obs,
        clock_starts=(0.0, time.time()),
    )
    return StudioSupervisor(plan, listener, bus=bus, gate=gate, request=request, health=health.report)


async def _play(recorded: Sequence[events.Event], bus: Bus, gate: PauseGate, speed: float) -> None:
    """Publishes all recorded events again, except those from the desk. Before each action, waits for the bot's recorded
    thinking time, divided by `speed`.
    """
    for event in recorded:
        match event:
            case events.ControlSet() | events.CueGiven():
                continue
            case events.StageStarted():
                await gate.wait_for_start()
            case events.HandStarted():
                await gate()
            case events.ActionTaken(think_ms=think_ms) if speed:
                await asyncio.sleep(think_ms / 1000 / speed)
        bus.publish(event)
