"""Runs one evening: a tournament with its live show. Opens the studio (the process that makes the show), starts the
bots, plays the tournament, and prints the result.
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import cast

from broadcast.publish.destination_lease import event_name
from broadcast.web.serve import address_of
from server.app.decisions.author_reports import AuthorReports, reports_folder
from server.app.evening.boxed_bots import BotEntry, BoxedBots
from server.app.evening.card_room import CardRoom, finish_time_question
from server.app.evening.deal_bots import LIGHT_BOXES_WARNING, DealBots
from server.app.evening.entries import EnteredBots
from server.app.evening.evening_files import EveningSecrets, already_played_message, write_author_links
from server.app.evening.http_bots import find_bots, make_http_bots
from server.app.evening.remote_entrants import RemoteEntrants
from server.app.private_links import say_private
from server.app.results.results import compute_results, save_results
from server.app.results.results_output import follow_progress, results_table
from server.app.studio.show_outputs import publish_recordings
from server.app.studio.supervisor import StudioSupervisor
from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.runner import BoxEnvironment, Runner
from server.bots.transports.http import Address
from server.config.event_file import EveningPlan
from server.console import print_addresses, print_next_steps, say
from server.contests import CONTESTS
from server.errors import Refusal
from server.game.events import BotDisconnected, ControlSet, CueGiven, Event
from server.game.rules import describe_clock
from server.ip_addresses import is_address
from server.journal.begin_journal import BegunRecording
from server.journal.studio_link import Plan
from server.shuffle import commitment
from server.system.processes import processor_count
from server.text.characters import printable
from server.tournament.control_values import set_control
from server.verify.file import verify_file
from server.workers.connect_to_workers import connect_to_workers

MAX_REASON_CHARACTERS = 200
"""If a bot is missing, the published reason has at most this many characters. A reason may quote a long build log."""
RETURN_SECONDS = 60.0
"""A resumed tournament waits at most this many seconds for bots on other machines, and then continues without them."""
PUBLISH_TIMEOUT_SECONDS = 30.0
"""The program waits at most this many seconds until the show's end is published. Then it publishes the recording."""


class EveningRunner:
    """Runs the evening that an event file plans, or resumes it. Its `CardRoom` plays the tournament."""

    def __init__(
        self,
        plan: EveningPlan,
        secrets: EveningSecrets,
        begun_recording: BegunRecording,
        entered_bots: EnteredBots,
        *,
        prizes_cents: Sequence[int],
    ) -> None:
        """Raises OSError if the journal cannot be written, or Diverged if the journal belongs to another tournament."""
        self._plan = plan
        self._secrets = secrets
        self._begun_recording = begun_recording
        self._entered_bots = entered_bots
        self._contest = CONTESTS[plan.contest]
        self._room = CardRoom(
            begun_recording,
            entered_bots.entrants,
            contest_format=plan.contest_format,
            seed=secrets.seed_bytes,
            prizes_cents=prizes_cents,
            hand_pause_seconds=plan.hand_pause_seconds,
            tables_at_once=processor_count(),
        )
        self._reports = AuthorReports(reports_folder(plan.journal), plan.contest)
        self._room.bus.listeners += [self._reports.apply, self._say_who_left]

    async def run(self, listener: socket.socket, *, readmit: bool) -> int:
        """Runs the evening, and serves its pages on `listener`. Afterwards, the champion stays on air until Ctrl-C. If
        the show's pace is 0 (the show never waits), the program ends without waiting for Ctrl-C.

        If `readmit` is true, bots that disconnected before a restart may return. Verifies the recording, and returns
        an exit status. Raises an ExceptionGroup with Refusal if there is no bot, or with OSError if the disk fails.
        """
        entries = self._list_entries(readmit)
        async with AsyncExitStack() as exit_stack, asyncio.TaskGroup() as tasks:
            supervisor = self._studio_supervisor(listener)
            self._room.health.on_change = supervisor.send_health
            background = [tasks.create_task(supervisor.run()), tasks.create_task(self._room.health.measure_lag())]
            if not self._room.health.is_over:
                await self._play(entries, exit_stack)
            await supervisor.show_over.wait()
            status = self._print_result()
            print_next_steps(self._plan.journal, self._plan.data)
            self._begun_recording.journal.mark_readable()
            if self._plan.publish_to:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(supervisor.published.wait(), PUBLISH_TIMEOUT_SECONDS)
                await publish_recordings(self._plan.journal, self._plan.publish_to)
            say("the show has ended" + ("; Ctrl-C closes it" if self._plan.pace else ""))
            if self._plan.pace:
                await asyncio.Event().wait()
            for task in background:
                task.cancel()
        return status

    def _say_who_left(self, event: Event) -> None:
        if isinstance(event, BotDisconnected) and not self._room.health.is_over:
            name = next(entrant.name for entrant in self._entered_bots.entrants if entrant.bot == event.bot)
            since = self._room.health.bots[event.bot].since
            say(f"  {printable(name)} has been gone since {since}: {printable(event.reason)}")

    async def _play(self, entries: list[BotEntry], exit_stack: AsyncExitStack) -> None:
        if self._plan.deals_plan:
            await self._play_deals(entries, exit_stack)
            return
        room = self._room
        remote_entrants = RemoteEntrants(
            self._plan, self._entered_bots.entrants, entries, room.director, self._reports.record_of
        )
        await remote_entrants.open(exit_stack)
        await self._start_bots(entries, exit_stack)
        await self._connect_http_bots(entries, exit_stack)
        await (
            self._wait_for_return(remote_entrants)
            if self._begun_recording.entries
            else self._wait_for_start(remote_entrants)
        )
        remote_entrants.close()
        await self._run_tournament()
        remote_entrants.disconnect_agents()

    async def _play_deals(self, entries: list[BotEntry], exit_stack: AsyncExitStack) -> None:
        """Plays an evening of deals (several tables play the same cards). After a crash, all bots start anew."""
        plan, room = self._plan, self._room
        playing_entries = [entry for entry in entries if not entry.fault]
        for entry in entries:
            room.health.update_bot(entry.bot, note=entry.fault)
        if plan.runner == "light":
            say(f"  {LIGHT_BOXES_WARNING}")
        logs, resumed = plan.recordings / f"{plan.slug}-bots", bool(self._begun_recording.entries)
        bots = DealBots(room, plan.contest_format, self._entered_bots.entrants, playing_entries, logs)
        if plan.workers_scheduler:
            dispatcher = await exit_stack.enter_async_context(
                connect_to_workers(plan.workers_scheduler, plan.workers_certificates)
            )
            sandbox = "docker" if plan.runner == "auto" else plan.runner
            await bots.start_on_workers(dispatcher, sandbox, self._box_environment(), exit_stack, resumed=resumed)
        else:
            runner = await self._open_runner("docker") if any(entry.folder for entry in playing_entries) else None
            await bots.start(runner, exit_stack, resumed=resumed)
        await (self._wait_for_return(None) if self._begun_recording.entries else self._wait_for_start(None))
        await self._run_tournament()

    async def _run_tournament(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(follow_progress(self._room.bus, len(self._begun_recording.entries)))
            await self._room.director.run()
        await self._reports.wait_until_written()

    def _list_entries(self, readmit: bool) -> list[BotEntry]:
        """Returns the entries of the bots that take part. If the evening is resumed, prints the path of its journal
        and the bots that left.
        """
        if not self._begun_recording.entries:
            return list(self._entered_bots.entries)
        if self._room.health.is_over:
            say(already_played_message(self._plan.journal))
            return []
        say(f"resuming from {self._plan.journal}: {self._begun_recording.note}; {self._room.health.report().doing}")
        say("  --again would start over instead, and keep this recording")
        left_states = ("gone", "withdrawn")  # the rules say: "there is no rejoining the tournament"
        left_bots = {bot for bot, health in self._room.health.bots.items() if health.state in left_states}
        if left_bots:
            names = ", ".join(
                printable(entrant.name) for entrant in self._entered_bots.entrants if entrant.bot in left_bots
            )
            say(f"  left earlier: {names}; {'may rejoin' if readmit else 'may not rejoin without --readmit'}")
        return [entry for entry in self._entered_bots.entries if readmit or entry.bot not in left_bots]

    # -- the studio

    def _studio_supervisor(self, listener: socket.socket) -> StudioSupervisor:
        """Makes the supervisor of the studio and prints the addresses of the studio's pages."""
        plan, secrets, room = self._plan, self._secrets, self._room
        base = address_of(listener)
        names = {entrant.name for entrant in self._entered_bots.entrants}
        for bot_notes in plan.bots:
            if bot_notes.bot not in names:
                say(f"  [[bots]]        no bot is called {printable(bot_notes.bot)}; its notes are left out")
        links = [
            ("control desk", f"{base}/control?token={secrets.control}"),
            ("view only", f"{base}/control?token={secrets.view}"),
            ("commentators", f"{base}/booth?token={secrets.view}"),
            ("setting up", f"{base}/setup?token={secrets.control}"),
        ]
        say_private(plan.journal, links)
        print_addresses(base)
        say(f"  results         {base}/results")
        if clock := describe_clock(plan.contest_format.rules):
            say(f"  an exhibition   {clock}")
        write_author_links(plan.journal, secrets.authors, base, self._entered_bots.entrants)
        studio_plan = Plan(
            title=plan.name,
            journal=str(plan.journal.resolve()),
            media=str(plan.media.resolve()),
            hosts=plan.hosts,
            control_token=secrets.control,
            view_token=secrets.view,
            speed=self._plan.pace,
            finish_by=plan.finish_by,
            obs_address=plan.obs_address,
            obs_password=plan.obs_password,
            publish_to=plan.publish_to,
            voice=plan.voice.command if plan.voice else (),
            voice_for_all=plan.voice is not None and plan.voice.heard_by == "all",
            voice_thoughts=plan.voice is not None and plan.voice.thoughts,
            event=event_name(plan.slug, commitment(secrets.seed_bytes)),
            bots=plan.bots,
            run_of_show=plan.run_of_show,
            metrics=plan.metrics,
            api_for_all=plan.api_for_all,
            held=len(self._begun_recording.entries),  # entries from before the restart, if any
            authors=secrets.authors,
            clock_starts=(self._begun_recording.started_at, time.time() - room.bus.now_ms / 1000),
        )
        return StudioSupervisor(
            studio_plan, listener, bus=room.bus, gate=room.pause_gate, request=self._request, health=room.health.report
        )

    def _request(self, event: ControlSet | CueGiven, stage: int) -> str:
        if isinstance(event, ControlSet) and event.control == "started" and not self._room.health.has_connected_bot:
            return "no bot is connected: nothing can be played yet"
        return self._room.request(event, stage)

    # -- the bots

    async def _start_bots(self, entries: list[BotEntry], exit_stack: AsyncExitStack) -> None:
        """Builds and starts the submitted bots. Returns when each bot has connected or failed."""
        plan, room = self._plan, self._room
        for entry in entries:
            room.health.update_bot(entry.bot, note=entry.fault)
        boxed = [entry for entry in entries if entry.folder and not entry.fault]
        if not boxed:
            return
        logs = plan.recordings / f"{plan.slug}-bots"
        boxed_bots = BoxedBots(await self._open_runner(), room, self._reports, logs, self._contest)
        exit_stack.push_async_callback(boxed_bots.stop_all)
        say(f"starting {len(boxed)} bots; what they print is kept in {logs}")
        await boxed_bots.start_all(boxed)

    async def _open_runner(self, default_kind: RunnerKind = "auto") -> Runner:
        """Opens a runner, which builds bots and starts them in boxes (sandboxes). The event file names the kind of box.
        If it says "auto", the kind is `default_kind`. Raises CannotRun.
        """
        runner_kind = cast(RunnerKind, default_kind if self._plan.runner == "auto" else self._plan.runner)
        return await choose_runner(runner_kind, self._box_environment())

    def _box_environment(self) -> BoxEnvironment:
        plan = self._plan
        ip_addresses = tuple(host for host in plan.bot_addresses if is_address(host))
        return BoxEnvironment(
            plan.label,
            ip_addresses,
            tuple(host for host in plan.bot_addresses if host not in ip_addresses),
            build_network=plan.build_network,
            registries=plan.registries,
            is_resumable=True,
        )

    async def _connect_http_bots(self, entries: list[BotEntry], exit_stack: AsyncExitStack) -> None:
        http_entries = [entry for entry in entries if entry.url and not entry.fault]
        known_addresses = self._entered_bots.addresses or await self._find_addresses(http_entries)
        addresses = {entry.bot: known_addresses[entry.bot] for entry in http_entries if entry.bot in known_addresses}
        director = self._room.director
        bots = make_http_bots(
            self._contest, self._entered_bots.entrants, addresses, director.record_bot_event, self._reports.record_of
        )
        for bot in bots:
            exit_stack.push_async_callback(bot.close)
            director.add_bot(bot)

    async def _find_addresses(self, http_entries: Sequence[BotEntry]) -> dict[int, Address]:
        """Returns the addresses of HTTP bots that can be reached, keyed by bot number. Prints each bot's result."""
        addresses: dict[int, Address] = {}
        probed_bots = await find_bots([entry.url for entry in http_entries], self._plan.bot_networks)
        for entry, probed in zip(http_entries, probed_bots, strict=True):
            say(f"  {printable(entry.name)}: {probed.why or probed.health or 'there'}")
            if probed.why or not probed.address:
                self._room.health.update_bot(entry.bot, note=probed.why, state="missing")
            else:
                addresses[entry.bot] = probed.address
                self._room.health.update_bot(entry.bot, box=probed.address.name, note=probed.health)
        return addresses

    # -- the game

    async def _wait_for_return(self, remote_entrants: RemoteEntrants | None) -> None:
        if remote_entrants and not remote_entrants.all_connected:
            say(f"waiting at most {RETURN_SECONDS:.0f} s for bots on other machines")
        with contextlib.suppress(TimeoutError):
            if remote_entrants:
                await asyncio.wait_for(remote_entrants.wait_for_all(), RETURN_SECONDS)
        controls = self._room.pause_gate.controls  # `held`: the show will pause after the hand on air
        pause_word = "paused" if controls.paused else "held" if controls.held else ""
        say(
            f"the tournament is {pause_word}; it continues when the operator resumes it"
            if pause_word
            else "the tournament continues"
        )

    async def _wait_for_start(self, remote_entrants: RemoteEntrants | None) -> None:
        """Waits until the tournament may start, then withdraws the missing bots.

        `remote_entrants` lets in bots that run on other machines.
        """
        room = self._room
        room.health.make_notice = self._finish_time_question
        if self._plan.start == "bots":
            room.health.preparing = "waiting until all bots are connected"
            if remote_entrants and not remote_entrants.all_connected:
                say("waiting until all bots are connected; then the tournament begins by itself")
            if remote_entrants:
                await remote_entrants.wait_for_all()
            await room.director.record(set_control(room.pause_gate.controls, "started", True, operator="event file"))
        else:
            room.health.preparing = "waiting for the start"
            say("ready; the tournament begins when START is pressed at the desk")
        if question := self._finish_time_question():
            say(question)
        await room.pause_gate.wait_for_start()
        if not self._room.health.has_connected_bot:
            raise Refusal("no bot is connected: nothing can be played. Fix the faults listed above and start again")
        for bot, health in room.health.bots.items():
            if health.state != "here":
                why = health.note.partition("\n")[0][:MAX_REASON_CHARACTERS]
                room.director.withdraw(bot, why or "it was not connected at the start")

    def _finish_time_question(self) -> str:
        plan = self._plan
        return finish_time_question(
            plan.contest_format, self._entered_bots.entrants, plan.finish_by, self._plan.pace, time.time()
        )

    def _print_result(self) -> int:
        """Prints the final results, saves them beside the recording, and verifies the recording. Returns the exit
        status of the verification.
        """
        results = compute_results(self._room.bus.entries)
        say(results_table(results))
        try:
            say(f"the final results are kept in {save_results(results, self._plan.journal)}")
        except OSError as error:  # the show goes on without the file
            say(f"the final results cannot be kept: {error.strerror}")
        return verify_file(self._plan.journal)
