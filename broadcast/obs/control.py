"""Controls OBS: switches its scenes with the show, saves replays of highlights, and reloads browser sources that show
nothing.

OBS may start and stop at any time. The show never waits for OBS. While the operator shows a scene that this program did
not make, OBS stays in that scene.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from broadcast.obs.add_missing_scenes import SOURCE_KIND, Built, build_scenes, has_browser
from broadcast.obs.requests import ObsRequest, is_western, requests_after, scene_of, split_into_packets
from broadcast.obs.scene_collection import SCENES, shows_our_page
from broadcast.obs.state import ObsState, describe_state
from broadcast.obs.websocket import (
    Fields,
    ObsRefused,
    ObsSocket,
    ObsUnavailable,
    ask_or_empty,
    connect_to_obs,
    read_objects,
    read_text,
)
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import CaptionSpoken
from broadcast.web.page_reports import FROZEN_SECONDS, LATE_SECONDS, PageReport
from server.game.events import Event

RETRY_SECONDS = 2.0
"""The seconds between two attempts to reach OBS."""
POLL_SECONDS = 2.0
"""The seconds between two readings of OBS's state."""
BLANK_SECONDS = 10.0
"""The browser sources are reloaded when no page in OBS has been alive for this many seconds. A page is alive if it
keeps up with the show, and paints while it is visible.
"""
CHARACTERS_PER_SECOND = 25
"""The reading speed of viewers. A caption is sent in packets of one or two rows, and each packet stays on screen long
enough to be read.
"""
MAX_SOURCES = 20
"""At most this many browser sources are examined."""
MAX_REQUESTS = 20
"""At most this many requests may wait for OBS. Further requests displace the oldest."""
_OUTPUTS = {"Stream": "streaming", "Record": "recording", "ReplayBuffer": "buffering"}
"""OBS's outputs, each with the field of `ObsState` that says whether the output runs."""


class ObsControl:
    """Lets the OBS at `address` follow the show on `air`.

    `pages` returns the reports of the show's pages, and `clock` returns seconds. `on_change` is called with a sentence
    for the operator whenever the connection starts or ends.
    """

    def __init__(
        self,
        address: str,
        password: str,
        air: AirLog,
        pages: Callable[[], Sequence[PageReport]],
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        on_change: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.state = ObsState()
        self._address = address
        self._password = password
        self._air = air
        self._pages = pages
        self._clock = clock
        self._sleep = sleep
        self._on_change = on_change
        self._last_message = ""
        self._switch_count = 0
        self._obs: ObsSocket | None = None
        self._build_lock = asyncio.Lock()
        self._requests: deque[ObsRequest] = deque(maxlen=MAX_REQUESTS)
        self._changed = asyncio.Event()
        self._caption = ""
        self._new_caption = asyncio.Event()
        self._painted_at = clock()

    async def run(self) -> None:
        """Connects whenever OBS runs, and makes OBS follow the show. Runs until cancelled."""
        self._air.followers.add(self._on_show_event)
        try:
            while True:
                why = await self._run_connection()
                self.state = ObsState(why_disconnected=why)
                self._report(why)
                await self._sleep(RETRY_SECONDS)
        finally:
            self._air.followers.discard(self._on_show_event)

    async def build(self, overlay: str) -> Built:
        """Adds the scenes that OBS lacks, with the page at the address `overlay`. Raises ObsUnavailable, ObsRefused."""
        async with self._build_lock:
            if self._obs is None:
                raise ObsUnavailable(self.state.why_disconnected)
            built = await build_scenes(self._obs, overlay)
            await self._read_scenes(self._obs)
        return built

    async def _run_connection(self) -> str:
        """Keeps a connection until it ends. Returns why it ended, as a message for the operator."""
        why = ""
        try:
            async with (
                connect_to_obs(self._address, self._password, self._on_event) as obs,
                asyncio.TaskGroup() as tasks,
            ):
                tasks.create_task(obs.listen())
                await self._start(obs)
                tasks.create_task(self._follow_show(obs))
                tasks.create_task(self._send_captions(obs))
                tasks.create_task(self._poll_state(obs))
        except* ObsUnavailable as group:
            why = str(group.exceptions[0])
        finally:
            self._obs = None
        return why

    async def _start(self, obs: ObsSocket) -> None:
        version = await ask_or_empty(obs, "GetVersion")
        requests = version.get("availableRequests")
        scenes = await _scene_fields(obs)
        self.state = ObsState(
            connected=True,
            why_disconnected="",
            version=read_text(version.get("obsVersion")),
            has_browser_sources=await has_browser(obs),
            supported_requests=frozenset(map(str, requests if isinstance(requests, list) else ())),
            **scenes,
        )
        self._obs = obs
        self._requests.clear()
        self._new_caption.clear()
        self._painted_at = self._clock()
        self._changed.set()
        self._report(describe_state(self.state))

    def _report(self, words: str) -> None:
        if words != self._last_message:
            self._last_message = words
            self._on_change(words)

    # -- following the show

    def _on_show_event(self, event: Event) -> None:
        if not self.state.connected:
            return
        self._requests.extend(requests_after(event, self._air.picture))
        self._changed.set()
        if isinstance(event, CaptionSpoken) and not self._air.picture.replay:
            self._caption = event.text
            self._new_caption.set()

    async def _send_captions(self, obs: ObsSocket) -> None:
        """Sends each caption in packets of one or two rows, at reading speed, until the next caption arrives."""
        while True:
            await self._new_caption.wait()
            self._new_caption.clear()
            text = self._caption
            for packet in split_into_packets(text):
                if self._new_caption.is_set() or not self._is_useful("SendStreamCaption"):
                    break
                # Text that is not western is transliterated, and the operator is told.
                self.state = replace(
                    self.state, had_to_transliterate=self.state.had_to_transliterate or not is_western(text)
                )
                await self._request(obs, "SendStreamCaption", captionText=packet)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._new_caption.wait(), len(packet) / CHARACTERS_PER_SECOND)

    async def _follow_show(self, obs: ObsSocket) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            scene = scene_of(self._air.picture)
            if self.state.scene in SCENES and scene != self.state.scene and scene not in self.state.missing:
                await self._request(obs, "SetCurrentProgramScene", sceneName=scene)
            while self._requests:
                request, fields = self._requests.popleft()
                if self._is_useful(request):
                    await self._request(obs, request, **fields)

    def _is_useful(self, request: str) -> bool:
        state = self.state
        required = {
            "SendStreamCaption": state.streaming,
            "CreateRecordChapter": state.recording,
            "SaveReplayBuffer": state.buffering,
        }
        return request in state.supported_requests and required.get(request, True)

    async def _request(self, obs: ObsSocket, request: str, **fields: object) -> None:
        try:
            await obs.ask(request, **fields)
        except ObsRefused as refusal:
            if request != "CreateRecordChapter":  # OBS records MKV by default, but sets chapters only in hybrid MP4
                self.state = replace(self.state, refused=str(refusal))
        else:
            if self.state.refused.startswith(f"{request}:"):
                self.state = replace(self.state, refused="")

    # -- reading the state of OBS

    def _on_event(self, kind: str, fields: Fields) -> None:
        if kind == "CurrentProgramSceneChanged":
            self._switch_count += 1
            self.state = replace(self.state, scene=read_text(fields.get("sceneName")))
            self._changed.set()
        elif field := _OUTPUTS.get(kind.removesuffix("StateChanged")):
            self.state = replace(self.state, **{field: fields.get("outputActive") is True})

    async def _poll_state(self, obs: ObsSocket) -> None:
        while True:
            stats = await ask_or_empty(obs, "GetStats")
            sources = await _our_sources(obs)
            audible_sources = [
                name for name, settings in sources.items() if "audio=1" in read_text(settings.get("url"))
            ]
            outputs = {field: await ask_or_empty(obs, f"Get{name}Status") for name, field in _OUTPUTS.items()}
            self.state = replace(
                self.state,
                **{field: status.get("outputActive") is True for field, status in outputs.items()},
                fps=_number(stats, "activeFps"),
                frames=int(_number(stats, "outputTotalFrames")),
                skipped=int(_number(stats, "outputSkippedFrames")),
                sounding=tuple(audible_sources),
                # These sources do not send their sound to the mixer of OBS, so it goes to the desktop.
                sounding_on_desktop=tuple(
                    name for name in audible_sources if sources[name].get("reroute_audio") is not True
                ),
            )
            await self._read_scenes(obs)
            self._changed.set()
            if any(map(_is_alive, self._pages())):
                self._painted_at = self._clock()
            if self._clock() - self._painted_at > BLANK_SECONDS:
                await self._reload_sources(obs)
            await self._sleep(POLL_SECONDS)

    async def _read_scenes(self, obs: ObsSocket) -> None:
        """Reads the scenes of OBS. Ignores the current scene in the answer if OBS has switched scenes meanwhile."""
        switches = self._switch_count
        scenes = await _scene_fields(obs)
        if self._switch_count != switches:
            scenes = {**scenes, "scene": self.state.scene}
        self.state = replace(self.state, **scenes)

    async def _reload_sources(self, obs: ObsSocket) -> None:
        self._painted_at = self._clock()
        if self.state.has_browser_sources:
            for name in await _our_sources(obs):
                fields = {"inputName": name, "propertyName": "refreshnocache"}
                await self._request(obs, "PressInputPropertiesButton", **fields)


async def _our_sources(obs: ObsSocket) -> dict[str, Fields]:
    """Returns the settings of the browser sources that show one of this program's pages, keyed by the source's name."""
    inputs = read_objects(await ask_or_empty(obs, "GetInputList", inputKind=SOURCE_KIND), "inputs")[:MAX_SOURCES]
    ours: dict[str, Fields] = {}
    for name in [read_text(each.get("inputName")) for each in inputs]:
        settings = (await ask_or_empty(obs, "GetInputSettings", inputName=name)).get("inputSettings")
        if isinstance(settings, dict) and shows_our_page(read_text(settings.get("url"))):
            ours[name] = settings
    return ours


def _is_alive(page: PageReport) -> bool:
    """Whether a page in OBS keeps up with the show, and paints while it is visible."""
    report = page.report
    if (
        report.obs is None
        or not page.is_ours
        or page.age_seconds > LATE_SECONDS
        or page.frozen_seconds >= FROZEN_SECONDS
    ):
        return False
    return report.frames > 0 or report.hidden or not report.obs.visible


async def _scene_fields(obs: ObsSocket) -> Fields:
    """Returns the fields `missing` and `scene` of the state, or {} if OBS does not report its scenes."""
    scenes = await ask_or_empty(obs, "GetSceneList")
    names = [each.get("sceneName") for each in read_objects(scenes, "scenes")]
    missing = tuple(name for name in SCENES if name not in names)
    return {"missing": missing, "scene": read_text(scenes.get("currentProgramSceneName"))} if names else {}


def _number(fields: Fields, key: str) -> float:
    value = fields.get(key)
    return float(min(value, 1e12)) if isinstance(value, int | float) and value > 0 else 0.0
