"""The checklist of /setup: the steps before a show, and whether each is done. Pure: reads reports, asks nobody."""

from collections.abc import Sequence

from msgspec import Struct

from broadcast.desk.health_lights import DISK_FREE, bytes_in_words, ours, painting, second_sound
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


def steps(
    pages: Sequence[PageReport], health: Health | None, recordings: str | None, obs: ObsState | None = None
) -> list[Step]:
    """The steps, in the order in which they are done; `recordings` is why nothing can be recorded, "" if it can."""
    alive = [each for each in pages if each.age_seconds < LATE_SECONDS]
    overlays = ours([each for each in alive if each.report.page == "overlay"])
    return [
        _recordings(recordings, health),
        _opened(overlays),
        _paints(overlays),
        _in_obs(overlays, obs),
        _in_program(overlays),
        _sounds(alive, obs),
        _streams(overlays, obs),
        _follows(obs),
        _projector(alive),
    ]


def sounding(pages: Sequence[PageReport]) -> list[str]:
    """The names of the pages that may be asked to play a sound."""
    return [each.report.id for each in ours([each for each in pages if each.report.sound != "off"])]


def _recordings(why_not: str | None, health: Health | None) -> Step:
    of = "Recordings can be written"
    if why_not is None:
        return Step(of, done=False, words="Not known here.", needed=False)
    if why_not:
        return Step(of, done=False, words=why_not)
    free = health.disk_free_bytes if health else 0
    if free and free < DISK_FREE[0]:
        return Step(of, done=False, words=f"Only {bytes_in_words(free)} are free: make room.")
    return Step(of, done=True, words=f"{bytes_in_words(free)} free" if free else "The folder is open for writing.")


def _opened(overlays: Sequence[PageReport]) -> Step:
    of = "The overlay is open"
    if not overlays:
        return Step(of, done=False, words="Import the scenes, or add a browser source with the first address.")
    return Step(of, done=True, words=f"from {overlays[0].address}" if len(overlays) == 1 else f"{len(overlays)} pages")


def _paints(overlays: Sequence[PageReport]) -> Step:
    of = "It paints"
    if not overlays:
        return Step(of, done=False, words="Known as soon as it is open.")
    found = [painting(each) for each in overlays]
    worst = max(found, key=lambda each: ("green", "yellow", "red").index(each[0]))
    return Step(of, done=worst[0] == "green", words=worst[1])


def _in_obs(overlays: Sequence[PageReport], obs: ObsState | None) -> Step:
    of = "It runs in OBS"
    versions = [each.report.obs.version for each in overlays if each.report.obs]
    if not versions and obs and not obs.browser:
        return Step(of, done=False, words=f"{NO_BROWSER[0].upper()}{NO_BROWSER[1:]}.")
    if not versions:
        return Step(of, done=False, words="No overlay is open as a browser source of OBS.")
    return Step(of, done=True, words=f"as a browser source, version {versions[0]}")


def _in_program(overlays: Sequence[PageReport]) -> Step:
    of = "It is in the program"
    if any(each.report.obs and each.report.obs.active for each in overlays):
        return Step(of, done=True, words="What viewers see has the overlay in it.")
    return Step(of, done=False, words="In OBS choose a scene that shows it.")


def _sounds(alive: Sequence[PageReport], obs: ObsState | None) -> Step:
    of = "Its sound is heard"
    carrying = ours([each for each in alive if each.report.sound != "off"])
    if not carrying:
        return Step(of, done=False, words="No page carries the sound: one has to have audio=1 in its address.")
    if len(carrying) > 1:
        return Step(of, done=False, words=f"It is heard twice: {second_sound(carrying, obs)}.")
    if carrying[0].report.sound == "blocked":
        return Step(of, done=False, words="The browser blocks it: click “Click for sound” on the page.")
    if carrying[0].silent_seconds < 0:
        return Step(of, done=False, words="Nothing was heard yet: play a sound, and watch the mixer of OBS.")
    return Step(of, done=True, words="It has played: did the mixer of OBS move?")


def _streams(overlays: Sequence[PageReport], obs: ObsState | None) -> Step:
    of = "OBS is streaming"
    sources = [each.report.obs for each in overlays if each.report.obs]
    if obs and obs.connected:
        sources = [Obs(streaming=obs.streaming, recording=obs.recording)]
    if any(source.streaming for source in sources):
        return Step(of, done=True, words="and recording" if any(each.recording for each in sources) else "on the air")
    recording = any(source.recording for source in sources)
    return Step(of, done=False, words="It only records so far." if recording else "Start the stream in OBS.")


def _follows(obs: ObsState | None) -> Step:
    of = "OBS follows the show"
    if obs is None:
        words = "If scenes are to switch by themselves: write [obs] into the event file, or start with --obs."
        return Step(of, done=False, words=words, needed=False)
    words = in_words(obs) + (f". It refused {obs.refused}" if obs.refused else "")
    return Step(of, done=obs.is_well, words=words, needed=False)


def _projector(alive: Sequence[PageReport]) -> Step:
    of = "The projector is open"
    found = [painting(each) for each in ours([each for each in alive if each.report.page == "projector"])]
    if not found:
        return Step(of, done=False, words="If there is one: open its address there, and press F11.", needed=False)
    worst = max(found, key=lambda each: ("green", "yellow", "red").index(each[0]))
    return Step(of, done=worst[0] == "green", words=worst[1], needed=False)
