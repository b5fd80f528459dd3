"""The checklist of /setup: the steps before a show, and whether each is done. Pure: reads reports, asks nobody."""

from collections.abc import Sequence

from msgspec import Struct

from broadcast.desk.health_lights import DISK_FREE, bytes_in_words, ours, second_sound, worst_of
from broadcast.obs.state import NO_BROWSER, ObsState, in_words
from broadcast.web.page_reports import LATE_SECONDS, Obs, PageReport
from server.journal.link import Health


class Step(Struct, frozen=True):
    """One step: whether it is done, and in words what was found or what is to be done.

    A show can do without steps that are not `needed`.
    """

    of: str
    done: bool
    words: str
    needed: bool = True


Found = tuple[bool, str]
"""Of a step: whether it is done, and in words what was found or what is to be done."""


def steps(pages: Sequence[PageReport], health: Health | None, recordings: str, obs: ObsState | None) -> list[Step]:
    """The steps, in the order in which they are done; `recordings` is why nothing can be recorded, "" if it can."""
    alive = [each for each in pages if each.age_seconds < LATE_SECONDS]
    overlays = ours([each for each in alive if each.report.page == "overlay"])
    return [
        Step("Recordings can be written", *_recordings(recordings, health)),
        Step("The overlay is open", *_opened(overlays)),
        Step("It paints", *_paints(overlays)),
        Step("It runs in OBS", *_in_obs(overlays, obs)),
        Step("It is in the program", *_in_program(overlays)),
        Step("Its sound is heard", *_sounds(alive, obs)),
        Step("OBS is streaming", *_streams(overlays, obs)),
        Step("OBS follows the show", *_follows(obs), needed=False),
        Step("The projector is open", *_projector(alive), needed=False),
    ]


def sounding(pages: Sequence[PageReport]) -> list[str]:
    """The names of the pages that may be asked to play a sound."""
    return [each.report.id for each in ours([each for each in pages if each.report.sound != "off"])]


def _recordings(why_not: str, health: Health | None) -> Found:
    if why_not:
        return False, why_not
    free = health.disk_free_bytes if health else 0
    if free and free < DISK_FREE[0]:
        return False, f"Only {bytes_in_words(free)} are free: make room."
    return True, f"{bytes_in_words(free)} free" if free else "The folder is open for writing."


def _opened(overlays: Sequence[PageReport]) -> Found:
    if not overlays:
        return False, "Import the scenes, or add a browser source with the first address."
    return True, f"from {overlays[0].address}" if len(overlays) == 1 else f"{len(overlays)} pages"


def _paints(overlays: Sequence[PageReport]) -> Found:
    if not overlays:
        return False, "Known as soon as it is open."
    colour, words = worst_of(overlays)
    return colour == "green", words


def _in_obs(overlays: Sequence[PageReport], obs: ObsState | None) -> Found:
    versions = [each.report.obs.version for each in overlays if each.report.obs]
    if not versions and obs and not obs.browser:
        return False, f"{NO_BROWSER[0].upper()}{NO_BROWSER[1:]}."
    if not versions:
        return False, "No overlay is open as a browser source of OBS."
    return True, f"as a browser source, version {versions[0]}"


def _in_program(overlays: Sequence[PageReport]) -> Found:
    if any(each.report.obs and each.report.obs.active for each in overlays):
        return True, "What viewers see has the overlay in it."
    return False, "In OBS choose a scene that shows it."


def _sounds(alive: Sequence[PageReport], obs: ObsState | None) -> Found:
    carrying = ours([each for each in alive if each.report.sound != "off"])
    if not carrying:
        return False, "No page carries the sound: one has to have audio=1 in its address."
    if len(carrying) > 1:
        return False, f"It is heard twice: {second_sound(carrying, obs)}."
    if carrying[0].report.sound == "blocked":
        return False, "The browser blocks it: click “Click for sound” on the page."
    if carrying[0].silent_seconds < 0:
        return False, "Nothing was heard yet: play a sound, and watch the mixer of OBS."
    return True, "It has played: did the mixer of OBS move?"


def _streams(overlays: Sequence[PageReport], obs: ObsState | None) -> Found:
    sources = [each.report.obs for each in overlays if each.report.obs]
    if obs and obs.connected:
        sources = [Obs(streaming=obs.streaming, recording=obs.recording)]
    if any(source.streaming for source in sources):
        return True, "and recording" if any(each.recording for each in sources) else "on the air"
    recording = any(source.recording for source in sources)
    return False, "It only records so far." if recording else "Start the stream in OBS."


def _follows(obs: ObsState | None) -> Found:
    if obs is None:
        return False, "If scenes are to switch by themselves: write [obs] into the event file, or start with --obs."
    words = in_words(obs) + (f". It refused {obs.refused}" if obs.refused else "")
    return obs.is_well, words


def _projector(alive: Sequence[PageReport]) -> Found:
    projectors = ours([each for each in alive if each.report.page == "projector"])
    if not projectors:
        return False, "If there is one: open its address there, and press F11."
    colour, words = worst_of(projectors)
    return colour == "green", words
