"""Serves `/metrics` in the text format of Prometheus. Only this machine and holders of a token may read it. Metrics are
off by default.

The actions of bots are counted when they go on air, so metrics are never ahead of the show.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from fastapi import APIRouter, Request
from fastapi.responses import Response
from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from broadcast.desk.desk import Desk
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry
from broadcast.on_air.picture_state import State
from broadcast.web.access import RightFromRequest
from broadcast.web.connections.limits import is_this_machine, visitor_of
from broadcast.web.routes import PlainError, Route
from server.game.events import ActionTaken, FaultNoted, GameEnded, HandEnded

MAX_BOTS = 200
"""At most this many bots have their own time series. All further bots, as on a practice server, share one series."""
OTHER_BOTS = "(others)"
_ANSWER_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
_NO_ACCESS = "Metrics are for this machine, and for holders of a desk token: Authorization: Bearer TOKEN."


class MetricValue(Struct, frozen=True):
    """A value that is read at each request. `about` is its description in the metrics."""

    name: str
    about: str
    value: float
    labels: Mapping[str, str] = {}


Source = Callable[[], Iterable[MetricValue]]


class Metrics(Collector):
    """The metrics of one studio (the process that makes the show). Each request asks all `sources` for readings."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self._bots: set[str] = set()
        self._registry = CollectorRegistry()
        self._games = Counter("highnoon_games", "Games that have ended on air", registry=self._registry)
        self._hands = Counter("highnoon_hands", "Hands that have ended on air", registry=self._registry)
        self._faults = Counter("highnoon_faults", "Faults of bots on air", ("bot", "fault"), registry=self._registry)
        self._answers = Histogram(
            "highnoon_answer_seconds",
            "Times of the bots' valid answers on air",
            ("bot",),
            registry=self._registry,
            buckets=_ANSWER_SECONDS,
        )
        ProcessCollector(registry=self._registry)
        self._registry.register(self)

    def follow(self, air: AirLog) -> None:
        """Counts what goes on air on a channel."""
        air.recorders.add(self._record)

    def collect(self) -> Iterator[Metric]:
        """Yields the readings of all sources."""
        families: dict[str, GaugeMetricFamily] = {}
        for reading in (reading for source in self.sources for reading in source()):
            fresh = GaugeMetricFamily(reading.name, reading.about, labels=[*reading.labels])
            family = families.setdefault(reading.name, fresh)
            family.add_metric([*reading.labels.values()], reading.value)
        yield from families.values()

    def text(self) -> bytes:
        """Returns all metrics in the text format."""
        return generate_latest(self._registry)

    def router(self) -> APIRouter:
        """Returns the route."""
        router = APIRouter(route_class=Route)

        @router.get("/metrics")
        async def metrics(request: Request, right: RightFromRequest) -> Response:
            """Returns all metrics as text. `right` says what the visitor's token allows at the desk, "" for nothing."""
            if not right and not is_this_machine(visitor_of(request.scope)):
                raise PlainError(403, _NO_ACCESS)
            return Response(self.text(), media_type=CONTENT_TYPE_PLAIN_0_0_4, headers={"Cache-Control": "no-store"})

        return router

    def _record(self, entry: OnAirEntry, before: State, after: State) -> None:
        if before.replay or after.replay:
            return
        match entry.event:
            case GameEnded():
                self._games.inc()
            case HandEnded():
                self._hands.inc()
            case ActionTaken(seat=seat, fault="", think_ms=think_ms):
                self._answers.labels(self._bot_label(after, after.seats[seat].bot)).observe(think_ms / 1000)
            case ActionTaken(seat=seat, fault=fault):
                self._faults.labels(self._bot_label(after, after.seats[seat].bot), fault).inc()
            case FaultNoted(bot=bot, fault=fault):
                self._faults.labels(self._bot_label(after, bot), fault).inc()

    def _bot_label(self, picture: State, bot: int) -> str:
        name = picture.bots[bot].name
        if name not in self._bots and len(self._bots) >= MAX_BOTS:
            return OTHER_BOTS
        self._bots.add(name)
        return name


def desk_metrics(desk: Desk) -> Iterator[MetricValue]:
    """Yields what the operator's desk shows: the state of the table, of its disk and of the bots' sandboxes, and how
    many hands the show is behind the table.
    """
    now = desk.current_state()
    yield MetricValue(
        "highnoon_queue_hands", "Hands played at the table that wait to go on air", now.status.hands_ahead
    )
    yield MetricValue("highnoon_show_pace", "The pace of the show, 1 as planned", now.status.pace)
    health = now.health
    if health is None:
        return
    yield MetricValue(
        "highnoon_journal_sync_seconds", "The slowest write to the journal in the last minute", health.write_ms / 1000
    )
    yield MetricValue("highnoon_journal_bytes", "The size of the journal", health.journal_bytes)
    yield MetricValue("highnoon_disk_free_bytes", "Free space for recordings", health.disk_free_bytes)
    if not health.bots:  # In a season no bots are listed, because each game has a table and bots of its own.
        return
    yield MetricValue(
        "highnoon_table_lag_seconds", "How late the table's event loop was when last measured", health.lag_ms / 1000
    )
    yield MetricValue("highnoon_bots_here", "Bots that are connected", sum(bot.state == "here" for bot in health.bots))
    for bot in health.bots:
        if bot.memory_limit_bytes:
            labels = {"bot": now.bots.get(bot.bot, str(bot.bot))}
            yield MetricValue("highnoon_box_memory_bytes", "Memory of a bot's box", bot.memory_bytes, labels)
            yield MetricValue(
                "highnoon_box_memory_limit_bytes", "The memory limit of a bot's box", bot.memory_limit_bytes, labels
            )
            yield MetricValue("highnoon_box_cpu_seconds", "Processor time of a bot's box", bot.cpu_seconds, labels)
