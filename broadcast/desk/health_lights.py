"""Computes the health lights, which tell the operator at the desk what works.

Each light has a colour and words, for people who cannot tell the colours apart.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from broadcast.obs.scene_collection import SOURCE_NAME
from broadcast.obs.state import ObsState, describe_state
from broadcast.web.page_reports import FROZEN_SECONDS, LATE_SECONDS, PageReport
from server.journal.studio_link import BotHealth, Health
from server.text.grammar import count_text
from server.tournament.control_values import Controls

Colour = Literal["green", "yellow", "red", "grey"]
"""Green: fine. Yellow: take a look. Red: act now. Grey: unknown, unused, or a bot that is eliminated or withdrawn."""

_GIGABYTE = 1 << 30
_MEGABYTE = 1 << 20
DISK_FREE_LIMITS = (_GIGABYTE, 100 * _MEGABYTE)
"""The disk's light is yellow if fewer bytes than the first number are free, and red if fewer bytes than the second
number are free. In the next three constants, too, the first number is for yellow and the second for red.
"""
WRITE_MS_LIMITS = (200.0, 1500.0)
LAG_MS_LIMITS = (100.0, 1000.0)
FRAME_RATE_LIMITS = (20, 1)
SILENT_SECONDS = 60.0
"""If the show has been silent for this many seconds, the light for sound is yellow."""


class Light(Struct, frozen=True):
    """A light for `of`, such as "disk". `words` are the reason for the colour. `bot` is a bot's number, or 0."""

    of: str
    colour: Colour
    words: str
    bot: int = 0
    log: str = ""
    """The last output of a bot before its program ended. Only operators see this output."""


class LightBoard:
    """Makes all lights. Remembers when the journal (the contest's recording) last grew. `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._entries = 0
        self._grown_at = clock()

    def lights(
        self,
        health: Health | None,
        controls: Controls,
        pages: Sequence[PageReport],
        bots: Mapping[int, str],
        obs: ObsState | None = None,
        *,
        extra_lights: Iterable[Light] = (),
        out: Collection[int] = (),
    ) -> list[Light]:
        """Returns all lights, the bots' lights last. `out` are the bots whose elimination has been on air.

        `obs` is None if OBS is not controlled. `extra_lights` are this show's other lights.
        """
        lights = [
            _engine_light(health),
            self._journal_light(health),
            _disk_light(health),
            _page_light("overlay", pages),
            _sound_light(controls, pages, obs),
            _page_light("projector", pages),
            _obs_light(pages) if obs is None else _controlled_obs_light(pages, obs),
            *extra_lights,
            *_box_lights(health),
        ]
        return lights + [_bot_light(each, bots, each.bot in out) for each in (health.bots if health else ())]

    def _journal_light(self, health: Health | None) -> Light:
        if health is None:
            return Light("journal", "red", "unknown while the card room does not report")
        if health.entries != self._entries:
            self._entries, self._grown_at = health.entries, self._clock()
        ago = self._clock() - self._grown_at
        words = f"{health.entries:,} entries, {bytes_in_words(health.journal_bytes)}, the last {_ago_text(ago)}"
        if health.write_ms:
            words += f", slowest write {health.write_ms:.1f} ms"
        return Light("journal", _colour_of(health.write_ms, WRITE_MS_LIMITS), words)


def _engine_light(health: Health | None) -> Light:
    if health is None:
        return Light("engine", "red", "the card room does not report")
    if health.trouble:
        return Light("engine", "red", health.trouble)
    delay = f", held up for {health.lag_ms:.0f} ms" if health.lag_ms >= LAG_MS_LIMITS[0] else ""
    return Light("engine", _colour_of(health.lag_ms, LAG_MS_LIMITS), (health.doing or "at work") + delay)


def _disk_light(health: Health | None) -> Light:
    if health is None or not health.disk_free_bytes:
        return Light("disk", "grey", "unknown")
    free = health.disk_free_bytes
    colour: Colour = "green" if free >= DISK_FREE_LIMITS[0] else "yellow" if free >= DISK_FREE_LIMITS[1] else "red"
    return Light("disk", colour, f"{bytes_in_words(free)} free")


def _box_lights(health: Health | None) -> Iterator[Light]:
    """Yields a light if the bots' boxes (their sandboxes) cannot enforce all limits."""
    if health and any(bot.box.endswith(", weak") for bot in health.bots):
        yield Light("boxes", "yellow", "weak, because there are no control groups here: use Docker for strangers' bots")


def _page_light(kind: Literal["overlay", "projector"], pages: Sequence[PageReport]) -> Light:
    """Returns the light for one kind of page: the state of the worst page that matters to the operator."""
    all_of_kind = [each for each in pages if each.report.page == kind]
    relevant = watched_pages(all_of_kind)
    if not relevant:
        elsewhere = f"; {len(all_of_kind)} elsewhere without a token" if all_of_kind else ""
        return Light(kind, "yellow" if kind == "overlay" else "grey", f"no page is open{elsewhere}")
    colour, words = worst_of(relevant)
    return Light(kind, colour, f"{len(relevant)} pages, {words}" if len(relevant) > 1 else words)


def watched_pages(pages: Sequence[PageReport]) -> Sequence[PageReport]:
    """Returns the pages that matter to the operator: the pages on this machine or with a token. If some of these pages
    run in OBS, returns only the pages in OBS.
    """
    trusted = [each for each in pages if each.is_ours]
    return [each for each in trusted if each.report.obs] or trusted


def worst_of(pages: Sequence[PageReport]) -> tuple[Colour, str]:
    """Returns the worst colour among the pages, and the reason."""
    return max(map(_page_state, pages), key=lambda light: ("green", "yellow", "red").index(light[0]))


def _page_state(page: PageReport) -> tuple[Colour, str]:
    report = page.report
    if page.age_seconds > LATE_SECONDS:
        return "red", f"no report for {page.age_seconds:.0f} s"
    if page.frozen_seconds >= FROZEN_SECONDS:
        return "red", "is frozen and out of date: reload it"
    if report.hidden or (report.obs and not report.obs.visible):
        return "yellow", "open, but nobody sees it"
    frames = report.frames
    colour: Colour = (
        "green" if frames >= FRAME_RATE_LIMITS[0] else "yellow" if frames >= FRAME_RATE_LIMITS[1] else "red"
    )
    return colour, f"{frames} frames a second" if frames else "paints nothing: reload it"


def _sound_light(controls: Controls, pages: Sequence[PageReport], obs: ObsState | None) -> Light:
    sounding = watched_pages([each for each in pages if each.report.sound != "off" and each.age_seconds < LATE_SECONDS])
    if not controls.sound:
        return Light("sound", "yellow", "muted at the desk")
    if not sounding:
        return Light("sound", "yellow", "no page plays the sound: open a page with audio=1")
    if any(each.report.sound == "blocked" for each in sounding):
        return Light("sound", "red", "blocked by the browser: click “Click for sound” on the page")
    if len(sounding) > 1:
        return Light("sound", "yellow", f"heard twice: {silencing_advice(sounding, obs)}")
    silent = sounding[0].silent_seconds
    if silent < 0:
        return Light("sound", "yellow", "nothing heard yet")
    return Light("sound", "green" if silent < SILENT_SECONDS else "yellow", f"last heard {_ago_text(silent)}")


def silencing_advice(sounding: Sequence[PageReport], obs: ObsState | None) -> str:
    """Returns a text that tells the operator how to silence the second OBS source with sound, or the second page."""
    in_obs = sorted(obs.sounding, key=lambda name: name != SOURCE_NAME) if obs else []
    if len(in_obs) > 1:
        return f"take audio=1 out of the address of the source “{in_obs[1]}” in OBS"
    page, address = sounding[1].report, sounding[1].address
    where = "in OBS" if page.obs else "in a browser"
    return f"take audio=1 out of the address of the {page.page} {where} at {address}"


def _obs_light(pages: Sequence[PageReport]) -> Light:
    sources = [each.report.obs for each in pages if each.is_ours and each.report.obs]
    if not sources:
        return Light("OBS", "grey", "no page runs in OBS")
    words = ", ".join(_obs_words(any(each.streaming for each in sources), any(each.recording for each in sources)))
    if not any(source.active for source in sources):
        return Light("OBS", "yellow", f"the overlay is not in the program; {words}")
    return Light("OBS", "green", f"the overlay is in the program; {words}")


def _controlled_obs_light(pages: Sequence[PageReport], obs: ObsState) -> Light:
    """Returns the light of a controlled OBS. The state of OBS takes precedence over the reports of pages."""
    if not obs.connected:
        light = _obs_light(pages)
        return Light("OBS", "yellow", f"{obs.why_disconnected}; {light.words}")
    words = [describe_state(obs), *_obs_words(obs.streaming, obs.recording)]
    return Light("OBS", "green" if obs.is_well else "yellow", ", ".join(words))


def _obs_words(streaming: bool, recording: bool) -> list[str]:
    return ["streaming" if streaming else "not streaming"] + ["recording"] * recording


def _bot_light(health: BotHealth, bots: Mapping[int, str], out: bool) -> Light:
    name = bots.get(health.bot, f"bot {health.bot}")
    words = ["out"] * out + [*_bot_words(health)]
    return Light(name, _bot_colour(health, out), ", ".join(words), health.bot, health.log)


def _bot_colour(health: BotHealth, out: bool) -> Colour:
    """Returns the colour of a bot's light. No bot's light is red, because play continues without a bot that is gone."""
    if out or health.state == "withdrawn":
        return "grey"
    is_well = health.state == "here" and not health.faults and not health.note and health.slowest_ms < health.slow_ms
    return "green" if is_well else "yellow"


def _bot_words(health: BotHealth) -> Iterator[str]:
    if health.state != "here":
        yield f"{health.state} since {health.since}" if health.since else health.state
    if health.note:
        yield health.note
    if health.turns:
        yield f"last {health.last_ms:,} ms, slowest {health.slowest_ms:,} ms"
    elif health.state == "here":
        yield "no turn yet"
    if health.faults:
        yield count_text(health.faults, "fault")
    if health.memory_bytes:
        limit = f", limit {bytes_in_words(health.memory_limit_bytes)}" if health.memory_limit_bytes else ""
        yield f"{bytes_in_words(health.memory_bytes)}, peak {bytes_in_words(health.peak_memory_bytes)}{limit}"
    if health.cpu_seconds >= 0.1:
        yield f"{health.cpu_seconds:,.1f} s of CPU time"
    if health.box and not health.box.endswith(", strict"):  # strict boxes are the normal case
        yield health.box


def _colour_of(value: float, limits: tuple[float, float]) -> Colour:
    return "green" if value < limits[0] else "yellow" if value < limits[1] else "red"


def _ago_text(seconds: float) -> str:
    return "now" if seconds < 2 else f"{seconds:.0f} s ago" if seconds < 120 else f"{seconds / 60:.0f} min ago"


def bytes_in_words(count: int) -> str:
    """Returns a number of bytes as text, such as "1.5 GB"."""
    if count >= _GIGABYTE:
        return f"{count / _GIGABYTE:.1f} GB"
    return f"{count // _MEGABYTE} MB" if count >= 10 * _MEGABYTE else f"{count // 1024:,} kB"
