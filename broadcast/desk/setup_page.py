"""`/setup`, the operator's page before the show: addresses to copy, scenes for OBS, and a checklist.

This page cannot change the show. It can only build scenes in OBS, and let pages play a test sound.
"""

import asyncio
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates
from msgspec import Struct

from broadcast.desk.health_lights import DISK_FREE_LIMITS, bytes_in_words, silencing_advice, watched_pages, worst_of
from broadcast.obs.add_missing_scenes import Built
from broadcast.obs.control import ObsControl
from broadcast.obs.scene_collection import scene_collection
from broadcast.obs.state import NO_BROWSER, ObsState, describe_state
from broadcast.obs.websocket import ObsRefused, ObsUnavailable
from broadcast.web.access import REQUIRES_CONTROL, RightFromRequest
from broadcast.web.page_reports import LATE_SECONDS, Obs, PageReport, PageReports
from broadcast.web.routes import Json, JsonError, Route
from server.journal.studio_link import Health

_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
ENOUGH_FRAMES = 50
"""At least this many frames a second count as 60, because the report of a page may miss some frames."""
_NO_OBS = "OBS is not controlled here: start with --obs, or with [obs] in the event file."


class Step(Struct, frozen=True):
    """A step of the checklist. `of` is its title, `done` says whether it is done, and `words` says what was found or
    what to do.

    If a step is not `needed`, a show can go on air without it.
    """

    of: str
    done: bool
    words: str
    needed: bool = True


CheckResult = tuple[bool, str]
"""Whether a step is done, and a message about what was found or what to do."""


class SetupState(Struct, frozen=True):
    """What the setup page shows. `sounding` lists the `id`s of the show's pages that can play a test sound.

    `builds` says whether OBS scenes can be built.
    """

    steps: list[Step]
    sounding: list[str]
    builds: bool


class SetupPage:
    """The setup page and its requests. `recordings` is the folder of the contest's recording."""

    def __init__(
        self, health: Callable[[], Health | None], obs: ObsControl | None, recordings: Path, token: str
    ) -> None:
        """`obs` is None if OBS is not controlled. A page with `token` in its address counts as the operator's own, even
        on another machine.
        """
        self._health = health
        self._obs = obs
        self._recordings = recordings
        self._token = token

    def router(self, templates: Jinja2Templates, pages: PageReports) -> APIRouter:
        """Returns the routes of the page. `pages` has the reports of the show's pages."""
        router = APIRouter(route_class=Route)

        @router.get("/setup")
        async def page(request: Request) -> Response:
            about = {"origin": _origin(request), "overlay": self._overlay_address(request)}
            return templates.TemplateResponse(request, "desk/setup.html", about)

        @router.get("/setup/obs.json", response_model=dict[str, Any])
        async def scenes(request: Request) -> Json:
            """Returns the scene collection for OBS."""
            as_file = {"Content-Disposition": 'attachment; filename="high-noon.json"'}
            return Json(scene_collection(self._overlay_address(request)), headers=as_file)

        @router.get("/api/setup", response_model=SetupState)
        async def state(right: RightFromRequest, request: Request) -> Json:
            """Returns the checklist. Only the operator learns which pages can play a sound, and what can be built."""
            why_not = await asyncio.to_thread(_why_unwritable, self._recordings)
            reports, obs = pages.reports(), self._obs.state if self._obs else None
            steps = _steps_of(reports, self._health(), why_not, obs)
            steps.append(Step("OBS can run on another PC", *_check_elsewhere(request), needed=False))
            if right != "control":
                return Json(SetupState(steps, [], builds=False))
            sounding = [
                each.report.id for each in watched_pages([each for each in reports if each.report.sound != "off"])
            ]
            return Json(SetupState(steps, sounding, obs is not None and obs.connected))

        @router.post("/api/setup/scenes", response_model=Built, dependencies=REQUIRES_CONTROL)
        async def build(request: Request) -> Json:
            """Builds the scenes that OBS lacks."""
            if self._obs is None:
                raise JsonError(409, _NO_OBS)
            try:
                return Json(await self._obs.build(self._overlay_address(request)))
            except (ObsUnavailable, ObsRefused) as why:
                raise JsonError(409, str(why)) from None

        return router

    def _overlay_address(self, request: Request) -> str:
        """Returns the overlay's address, with sound. For visitors on other machines, the address contains the token."""
        token = "" if _is_local(request) else f"&token={self._token}"
        return f"{_origin(request)}/overlay?audio=1{token}"


def _origin(request: Request) -> str:
    """Returns this server's address as the visitor's request gives it: "http://127.0.0.1:8000".

    AccessMiddleware has checked the host name.
    """
    return str(request.base_url).rstrip("/")


def _is_local(request: Request) -> bool:
    """Whether the visitor used an address that only works on this machine, such as localhost."""
    return request.base_url.hostname in _LOCAL_NAMES


def _why_unwritable(folder: Path) -> str:
    """Tries to write a temporary file to `folder`. Returns why that fails, or "" if it works."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0")
    except OSError as error:
        return f"{folder} cannot be written to: {os.strerror(error.errno or 0)}."
    return ""


def _steps_of(
    pages: Sequence[PageReport], health: Health | None, why_unwritable: str, obs: ObsState | None
) -> list[Step]:
    """Returns the steps in the order in which the operator does them. `why_unwritable` says why nothing can be
    recorded, or is "" if recording works.
    """
    current_reports = [each for each in pages if each.age_seconds < LATE_SECONDS]
    overlays = watched_pages([each for each in current_reports if each.report.page == "overlay"])
    projectors = watched_pages([each for each in current_reports if each.report.page == "projector"])
    projector = _check_worst(projectors, "If you use one, open its address there and press F11.")
    return [
        Step("Recordings can be written", *_check_recordings(why_unwritable, health)),
        Step("The overlay is open", *_check_open(overlays)),
        Step("The overlay paints", *_check_worst(overlays, "This is known once the overlay is open.")),
        Step("The overlay runs in OBS", *_check_in_obs(overlays, obs)),
        Step("The overlay is in the program", *_check_program(overlays)),
        Step("The sound is heard", *_check_sound(current_reports, obs)),
        Step("OBS is streaming", *_check_stream(overlays, obs)),
        Step("OBS captures the sound", *_check_capture(obs), needed=False),
        Step("60 frames a second", *_check_frames(overlays, obs), needed=False),
        Step("OBS follows the show", *_check_following(obs), needed=False),
        Step("The projector is open", *projector, needed=False),
    ]


def _check_recordings(why_not: str, health: Health | None) -> CheckResult:
    if why_not:
        return False, why_not
    free = health.disk_free_bytes if health else 0
    if free and free < DISK_FREE_LIMITS[0]:
        return False, f"Only {bytes_in_words(free)} are free: make room."
    return True, f"{bytes_in_words(free)} free" if free else "The folder is open for writing."


def _check_open(overlays: Sequence[PageReport]) -> CheckResult:
    if not overlays:
        return False, "Import the scenes, or add a browser source with the first address."
    return True, f"from {overlays[0].address}" if len(overlays) == 1 else f"{len(overlays)} pages"


def _check_worst(pages: Sequence[PageReport], no_page_message: str) -> CheckResult:
    """Returns the state of the worst page, or the message `no_page_message` if there are no pages."""
    if not pages:
        return False, no_page_message
    colour, words = worst_of(pages)
    return colour == "green", words


def _check_in_obs(overlays: Sequence[PageReport], obs: ObsState | None) -> CheckResult:
    versions = [each.report.obs.version for each in overlays if each.report.obs]
    if not versions and obs and not obs.has_browser_sources:
        return False, f"{NO_BROWSER[0].upper()}{NO_BROWSER[1:]}."
    if not versions:
        return False, "No overlay is open as a browser source of OBS."
    return True, f"as a browser source, version {versions[0]}"


def _check_program(overlays: Sequence[PageReport]) -> CheckResult:
    if any(each.report.obs and each.report.obs.active for each in overlays):
        return True, "Viewers see the overlay."
    return False, "In OBS, choose a scene that shows the overlay."


def _check_sound(current_reports: Sequence[PageReport], obs: ObsState | None) -> CheckResult:
    with_sound = watched_pages([each for each in current_reports if each.report.sound != "off"])
    if not with_sound:
        return False, "No page plays the sound: add audio=1 to the address of one page."
    if len(with_sound) > 1:
        return False, f"The sound is heard twice: {silencing_advice(with_sound, obs)}."
    if with_sound[0].report.sound == "blocked":
        return False, "The browser blocks the sound: click “Click for sound” on the page."
    if with_sound[0].silent_seconds < 0:
        return False, "Nothing has played yet: play a sound, and watch the mixer of OBS."
    return True, "The sound has played: did the mixer of OBS move?"


def _check_capture(obs: ObsState | None) -> CheckResult:
    box = "tick Control audio via OBS: otherwise its sound goes to the desktop"
    if not (obs and obs.connected and obs.sounding):
        return False, f"In the properties of the browser source {box}."
    if obs.sounding_on_desktop:
        return False, f"In the properties of {obs.sounding_on_desktop[0]} {box}."
    return True, "Control audio via OBS is ticked."


def _check_frames(overlays: Sequence[PageReport], obs: ObsState | None) -> CheckResult:
    painted = [each.report.frames for each in overlays if each.report.obs and each.report.frames]
    if obs and 0 < obs.fps < ENOUGH_FRAMES:
        return False, f"OBS makes {obs.fps:.0f}: choose 60 in Settings, Video, and restart OBS."
    if not painted:
        return False, "This is known once OBS shows the overlay."
    if min(painted) < ENOUGH_FRAMES:
        remedy = "choose 60 in Settings, Video, and as the custom frame rate in its properties"
        return False, f"The browser source paints {min(painted)}: {remedy}."
    return True, f"The browser source paints {min(painted)}."


def _check_elsewhere(request: Request) -> CheckResult:
    if _is_local(request):
        name = "under this machine's name or address"
        return (
            False,
            'If it does, set host = "0.0.0.0" in the event file, or start with --host 0.0.0.0. '
            f"Then open this page on that PC, {name}.",
        )
    return True, f"The addresses on this page lead to {request.base_url.hostname}, with the token that OBS needs."


def _check_stream(overlays: Sequence[PageReport], obs: ObsState | None) -> CheckResult:
    sources = [each.report.obs for each in overlays if each.report.obs]
    if obs and obs.connected:
        sources = [Obs(streaming=obs.streaming, recording=obs.recording)]
    if any(source.streaming for source in sources):
        return True, "and recording" if any(each.recording for each in sources) else "on the air"
    recording = any(source.recording for source in sources)
    return False, "It only records so far." if recording else "Start the stream in OBS."


def _check_following(obs: ObsState | None) -> CheckResult:
    if obs is None:
        return False, "To have scenes switch by themselves, add [obs] to the event file, or start with --obs."
    words = describe_state(obs) + (f". It refused {obs.refused}" if obs.refused else "")
    return obs.is_well, words
