"""The voice of the show, where the event file wants one."""

from collections.abc import Iterable
from pathlib import Path

from broadcast.desk.health_lights import Light
from broadcast.odds.worker import OddsWorker
from broadcast.on_air.diary import Line, spoken_of
from broadcast.on_air.log import AirLog
from broadcast.voice.speaker import Speaker
from broadcast.voice.voice import ShowVoice
from server.console import plain, say
from server.journal.link import BotNotes, Plan
from server.text.grammar import short_name


def sayings(bots: Iterable[BotNotes]) -> dict[str, str]:
    """How the names of bots are said that are not said as they are written, long ones as captions cut them, too.

    Capitals only show people what to stress; a program may spell them out.
    """
    said = {notes.bot: notes.say.lower() for notes in bots if notes.say}
    return {short_name(name): say for name, say in said.items()} | said


def show_voice(plan: Plan, air: AirLog, odds: OddsWorker, past: Iterable[Line]) -> ShowVoice | None:
    """What speaks the captions of the show on `air`, whose diary has `past`; None where nobody does.

    A show that goes as fast as it can has none: nobody could follow it.
    """
    if not plan.voice or not air.speed:
        return None
    return ShowVoice(
        Speaker(plan.voice, sayings(plan.bots)),
        Path(plan.media),
        odds,
        pace=lambda: air.pace,
        log=lambda why: say(
            f"  voice           {plain(plan.voice[0])}: {plain(why)}; captions are not spoken meanwhile"
        ),
        for_all=plan.voice_for_all,
        past=spoken_of(past),
    )


def voice_light(voice: ShowVoice) -> Light:
    """The voice's light on the desk."""
    if voice.trouble:
        return Light("voice", "yellow", f"{voice.trouble}; captions are not spoken, the show goes on")
    return Light("voice", "green", f"{voice.said:,} captions spoken")
