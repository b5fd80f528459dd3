"""Runs a show with a voice, and records what goes on air. The show's clock stops until odds and sounds are ready."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from broadcast.desk.health_lights import Light
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.diary import Diary, select_spoken
from broadcast.on_air.events import LineSpoken, OnAirEntry
from broadcast.show.showrunner import Showrunner
from broadcast.voice.bot_voices import command_with_bot_voice
from broadcast.voice.speaker import Speaker
from broadcast.voice.voice import ShowVoice
from server.app.studio.show_outputs import voice_light
from server.journal.journal import Entry
from tests.support.background import background_task, run_in_thread
from tests.support.games.recordings import yield_entries


class SpokenShow(Struct, frozen=True):
    """What went on air. `files` has each spoken line, and the files in `media` when this line went on air."""

    entries: list[OnAirEntry]
    files: list[tuple[LineSpoken, set[str]]]
    log: list[str]
    media: Path
    diary: Path
    lights: list[Light]

    @property
    def lines(self) -> list[OnAirEntry]:
        return [entry for entry in self.entries if isinstance(entry.event, LineSpoken)]


def air_with_voice(
    entries: Sequence[Entry], folder: Path, program: Sequence[str], *, for_all: bool = True, thoughts: bool = False
) -> SpokenShow:
    """Airs `entries` with a voice, for all viewers or only for the blind. With `thoughts`, speaks bots' thoughts, too.

    If `folder` has the diary (the record of what was on air) of an earlier show, continues that show.
    """
    aired, now = SpokenShow([], [], [], folder / "media", folder / "show.air", []), 0.0
    aired.media.mkdir(exist_ok=True)
    diary = Diary(aired.diary, lambda: now)
    past = diary.read()

    def record(entry: OnAirEntry, *_: object) -> None:
        aired.entries.append(entry)
        if isinstance(entry.event, LineSpoken):
            aired.files.append((entry.event, {file.name for file in aired.media.iterdir()}))

    async def run_show() -> None:
        air, odds = AirLog("main", 1.0), OddsCalculator()
        air.recorders.add(record)
        voice = ShowVoice(
            Speaker(program, {"Doc Holobyte": "Dock Hollow Bite"}), aired.media, odds,
            pace=lambda: air.pace, log=aired.log.append, for_all=for_all, spoken=select_spoken(past), clock=lambda: now,
            speaker_of_bot=(
                (lambda bot: Speaker(command_with_bot_voice(program, bot), {}, quiet=True)) if thoughts else None
            ),
        )  # fmt: skip

        async def pass_time(seconds: float, _woken: asyncio.Event) -> None:
            nonlocal now
            await odds.wait_until_done()
            await voice.wait_until_done()
            now += seconds

        show = Showrunner(air, clock=lambda: now, wait=pass_time, past_lines=past, diary=diary, odds=odds, voice=voice)
        async with background_task(voice.run()):
            await show.run(yield_entries(entries))
        aired.lights.append(voice_light(voice))

    run_in_thread(run_show())
    return aired
