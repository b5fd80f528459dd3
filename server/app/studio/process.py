"""`python -m server.app.studio.process LINK LISTENER`: the studio, which makes the show. The card room (the process
that plays the tournament) starts this process.

The studio reads the journal and shows it, serves all pages, and passes the operator's requests on to the card room. If
the studio ends, play continues.
"""

import asyncio
import itertools
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from broadcast.api.metrics import MetricValue
from broadcast.app import Studio
from broadcast.booth.booth import Booth
from broadcast.desk.desk import Desk
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.diary import DIARY_SUFFIX, Diary
from broadcast.publish.live_publisher import LivePublisher
from broadcast.show.finish_estimator import FinishEstimator
from broadcast.show.showrunner import Showrunner
from broadcast.show.status import ShowStatus
from broadcast.web.access import Tokens
from broadcast.web.serve import serving_on
from server.app.decisions.author_reports import reports_folder
from server.app.recordings.archive import add_archive
from server.app.results.results import Results, ResultsSoFar
from server.app.results.results_output import results_router
from server.app.studio.author_pages import AuthorGames, AuthorPages
from server.app.studio.earlier_contests import EarlierContestsTeller
from server.app.studio.show_outputs import live_publisher, obs_control, show_voice, voice_light
from server.console import set_up_logging
from server.game.events import ControlSet, CueGiven, HandEnded, TournamentOpened
from server.journal.bus import Bus
from server.journal.journal import Entry, JournalFollower
from server.journal.studio_link import (
    Answered,
    Beat,
    CardRoomMessage,
    Grown,
    Health,
    Link,
    Plan,
    Published,
    Requested,
    Shown,
    open_link,
)
from server.process import end_with_parent, limit_gc
from server.system.sockets import open_passed_socket
from server.tournament.control_values import Controls, evolve

BEAT_SECONDS = 1.0
"""How many seconds pass between two messages `Beat`, which tell the card room that the studio is alive."""


class AiredResults:
    """Computes results from only those hands that viewers have seen, so that pages do not reveal later hands."""

    def __init__(self, entries: Sequence[Entry], status: Callable[[], ShowStatus]) -> None:
        """`entries` is the growing list of all entries. `status` says how many hands viewers have seen."""
        self._entries = entries
        self._status = status
        self._applied_count = self._hand_count = 0
        self._results = ResultsSoFar()
        self.games = AuthorGames()
        """The finished games, for the bots' authors."""

    def results(self) -> Results:
        return self._results.results()

    def readings(self) -> Iterator[MetricValue]:
        """Yields, for the metrics, how many seconds the show is behind the table."""
        self.apply_aired_entries()
        shown_ms = self._entries[self._applied_count - 1].at_ms if self._applied_count else 0
        lag_ms = self._entries[-1].at_ms - shown_ms if self._entries else 0
        yield MetricValue(
            "highnoon_show_lag_seconds", "How far the last entry on air is behind the table's latest", lag_ms / 1000
        )

    def latest_results(self) -> Results:
        """Returns the results of the show up to now."""
        self.apply_aired_entries()
        return self.results()

    def apply_aired_entries(self) -> None:
        """Applies the entries that have gone on air since the last call. Call this after each hand and at the end."""
        status = self._status()
        is_over = status.is_over
        while self._applied_count < len(self._entries) and (is_over or self._hand_count < status.hands_shown):
            entry = self._entries[self._applied_count]
            self._applied_count += 1
            self._hand_count += isinstance(entry.event, HandEnded)
            self._results.apply(entry.event)
            self.games.apply(entry.event)


class StudioProcess:
    """The studio of one tournament. The card room controls it over `link`."""

    def __init__(self, link: Link, plan: Plan) -> None:
        self._link = link
        self._plan = plan
        self._journal = journal = Path(plan.journal)
        self._journal_follower = JournalFollower(journal)
        self._bus = Bus(None, time.monotonic)
        self._controls = Controls()
        self._health: Health | None = None
        self._names: dict[int, str] = {}
        self._request_numbers = itertools.count(1)
        self._answer_futures: dict[int, asyncio.Future[str]] = {}
        self._studio = Studio(Path(plan.media), time.monotonic, plan.hosts, api_for_all=plan.api_for_all)
        metrics = self._studio.add_metrics() if plan.metrics else None
        air = self._studio.open_channel("main", plan.speed)
        diary = Diary(journal.with_suffix(DIARY_SUFFIX))  # says what has been on air, for a restarted studio
        diary_lines, odds = diary.read(), OddsCalculator()
        self._voice = show_voice(plan, air, odds, diary_lines)
        # The planned finishing time, in seconds of the monotonic clock, or 0 if no time is planned.
        finish_by = plan.finish_by and plan.finish_by - time.time() + time.monotonic()
        self._aired_results = AiredResults(self._bus.entries, lambda: self._show.status)
        if metrics:
            metrics.sources.append(self._aired_results.readings)
        self._show = Showrunner(
            air,
            clock=time.monotonic,
            on_hand_shown=self._send_shown,
            on_crowned=self._aired_results.apply_aired_entries,
            finish_by=FinishEstimator(finish_by),
            past_lines=diary_lines,
            diary=diary,
            with_filler=True,  # replays may fill the time while the show waits for the table
            odds=odds,
            voice=self._voice,
        )
        self._obs = obs_control(plan.obs_address, air, self._studio, password=plan.obs_password)
        self._publisher = live_publisher(plan.publish_to, plan.event, self._studio, plan.title, Path(plan.media))
        self._desk = Desk(
            Tokens(plan.control_token, plan.view_token),
            self._request,
            controls=lambda: self._controls,
            health=lambda: self._health,
            status=lambda: self._show.status,
            bots=lambda: self._names,
            recordings=journal.parent,
            obs=self._obs,
            publishing=self._publisher.health_light if self._publisher else None,
            voice=partial(voice_light, self._voice) if self._voice else None,
        )
        self._studio.add_desk(self._desk)
        notebook = journal.with_suffix(".booth")
        self._studio.add_booth(
            Booth(air, lambda: self._show, notebook=notebook, bots=plan.bots, run_of_show=plan.run_of_show)
        )
        self._studio.app.include_router(results_router(self._aired_results.results))
        if plan.authors:
            author_pages = AuthorPages(
                plan.authors, lambda: self._names, reports_folder(journal), self._aired_results.games
            )
            self._studio.app.include_router(author_pages.router())
        archive = add_archive(self._studio, journal.parent, self._is_over)
        self._earlier_contests = EarlierContestsTeller(self._show, archive, journal)

    async def run(self, listener: socket.socket, messages: AsyncIterator[CardRoomMessage]) -> None:
        """Shows the tournament and serves its pages on `listener` until the card room ends `messages`."""
        self._handle(await anext(messages))  # the first message says how long the journal is
        await self._earlier_contests.inform_resumed_show(self._bus.entries)
        async with asyncio.TaskGroup() as tasks:
            show_task = tasks.create_task(self._show.run(self._bus.follow()))
            background = [tasks.create_task(work) for work in (self._beat(), self._earlier_contests.run(self._bus))]
            await self._show.recalled.wait()  # serves no page until a resumed show has reached its former position
            self._aired_results.apply_aired_entries()
            if self._voice:
                background.append(tasks.create_task(self._voice.run()))
            if self._publisher:
                background.append(tasks.create_task(self._publish(self._publisher)))
            async with serving_on(self._studio.app, listener):
                limit_gc()  # from now on, the garbage collector does not scan the routes
                if self._obs:
                    background.append(tasks.create_task(self._obs.run()))
                async for message in messages:
                    self._handle(message)
            show_task.cancel()
            for task in background:
                task.cancel()

    async def _publish(self, publisher: LivePublisher) -> None:
        await publisher.run()
        self._link.send(Published())

    async def _beat(self) -> None:
        while True:
            self._link.send(Beat())
            if self._show.status.is_over:
                self._send_shown(self._show.status.hands_shown)
            await asyncio.sleep(BEAT_SECONDS)

    def _send_shown(self, hands: int) -> None:
        self._aired_results.apply_aired_entries()
        self._link.send(Shown(hands, over=self._show.status.is_over))

    def _handle(self, message: CardRoomMessage) -> None:
        match message:
            case Grown(seq=seq):
                self._apply(self._journal_follower.read(seq))
            case Health():
                self._health = message
                self._show.show_trouble(message.trouble)
            case Answered(number=number, error=error):
                if answer := self._answer_futures.pop(number, None):
                    answer.set_result(error)

    def _apply(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._controls = evolve(self._controls, entry.event)
            # Entries up to number `held` are from before a restart, so their times count from an earlier moment.
            self._desk.apply(entry.event, self._plan.clock_starts[entry.seq > self._plan.held] + entry.at_ms / 1000)
            if isinstance(entry.event, TournamentOpened):
                self._names = {entrant.bot: entrant.name for entrant in entry.event.entrants}
        self._bus.load(entries)

    def _is_over(self, recording: Path) -> bool | None:
        """Whether viewers have seen this tournament to its end, or None if `recording` is of another tournament."""
        return self._show.status.is_over if recording == self._journal else None

    async def _request(self, event: ControlSet | CueGiven, stage: int) -> str:
        number = next(self._request_numbers)
        self._answer_futures[number] = asyncio.get_running_loop().create_future()
        self._link.send(Requested(number, event, stage))
        return await self._answer_futures[number]


async def run_studio(link_end: socket.socket, listener: socket.socket) -> None:
    """Runs a studio until the card room closes the link. `link_end` is the studio's end of the link, and `listener` is
    the socket on which the studio serves its pages.
    """
    link = await open_link(link_end)
    messages = link.card_room_messages()
    plan = await anext(messages, None)
    if plan is None:
        return  # the card room closed the link before it sent a plan: this spare studio is not needed
    assert isinstance(plan, Plan), "the plan comes first"
    await StudioProcess(link, plan).run(listener, messages)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the card room handles Ctrl-C and then closes the link
    end_with_parent()  # a studio that outlived the card room would still occupy the port
    limit_gc()
    set_up_logging()
    asyncio.run(run_studio(open_passed_socket(sys.argv[1]), open_passed_socket(sys.argv[2])))
