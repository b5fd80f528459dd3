"""Controls OBS: switches its scenes with the show, saves replays of highlights, and reloads browser sources that show
nothing.

OBS may start and stop at any time; the show never waits for OBS. While the operator shows a scene that this program did
not make, OBS stays in that scene.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from broadcast.obs.add_missing_scenes import SOURCE_KIND, Built, build_scenes, has_browser
from broadcast.obs.requests import ObsRequest, is_western, packets, requests_after, scene_of
from broadcast.obs.scene_collection import SCENES, shows_ours
from broadcast.obs.state import ObsState, in_words
from broadcast.obs.websocket import Fields, NoObs, ObsSocket, Refused, ask_or_empty, connect_to_obs, read_objects, words
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import CaptionSpoken
from broadcast.web.page_reports import LATE_SECONDS, STILL_SECONDS, PageReport
from server.game.events import Event

AGAIN_SECONDS = 2.0
"""The seconds between two attempts to reach OBS."""
LOOK_SECONDS = 2.0
"""The seconds between two readings of OBS's state."""
BLANK_SECONDS = 10.0
"""If no page in OBS paints for this many seconds, the browser sources are reloaded. If they still do not paint, they
are reloaded again after the same time.
"""
CHARACTERS_PER_SECOND = 25
"""How many characters of a caption people read per second. Each packet of a caption stays on screen until it can be
read.
"""
MAX_SOUNDING = 20
"""At most this many browser sources are examined."""
MAX_REQUESTS = 20
"""How many requests may wait for OBS. Further requests displace the oldest."""
_OUTPUTS = {"Stream": "streaming", "Record": "recording", "ReplayBuffer": "buffering"}
"""OBS's outputs, each with the field of `ObsState` that says whether it runs."""


class ObsControl:
    """Lets the OBS at `address` follow the show on `air`.

    `pages` returns the reports of the show's pages, `clock` returns seconds. `on_change` is called with a sentence for
    the operator whenever the connection starts or ends.
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
        self._last_words = ""
        self._switches = 0
        self._obs: ObsSocket | None = None
        self._building = asyncio.Lock()
        self._requests: deque[ObsRequest] = deque(maxlen=MAX_REQUESTS)
        self._wake = asyncio.Event()
        self._caption = ""
        self._new_caption = asyncio.Event()
        self._painted_at = clock()

    async def run(self) -> None:
        """Connects whenever OBS runs, and makes OBS follow the show. Runs until cancelled."""
        self._air.followers.add(self._on_air)
        try:
            while True:
                why = await self._talk()
                self.state = ObsState(words=why)
                self._say(why)
                await self._sleep(AGAIN_SECONDS)
        finally:
            self._air.followers.discard(self._on_air)

    async def build(self, overlay: str) -> Built:
        """Adds the scenes that OBS lacks, with the page at the address `overlay`. Raises NoObs, Refused."""
        async with self._building:
            if self._obs is None:
                raise NoObs(self.state.words)
            built = await build_scenes(self._obs, overlay)
            await self._look_at_scenes(self._obs)
        return built

    async def _talk(self) -> str:
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
                tasks.create_task(self._look(obs))
        except* NoObs as group:
            why = str(group.exceptions[0])
        finally:
            self._obs = None
        return why

    async def _start(self, obs: ObsSocket) -> None:
        version = await ask_or_empty(obs, "GetVersion")
        requests = version.get("availableRequests")
        scenes = await _scenes(obs)
        self.state = ObsState(
            connected=True,
            words="",
            version=words(version.get("obsVersion")),
            browser=await has_browser(obs),
            can=frozenset(map(str, requests if isinstance(requests, list) else ())),
            **scenes,
        )
        self._obs = obs
        self._requests.clear()
        self._new_caption.clear()
        self._painted_at = self._clock()
        self._wake.set()
        self._say(in_words(self.state))

    def _say(self, words: str) -> None:
        if words != self._last_words:
            self._last_words = words
            self._on_change(words)

    # -- following the show

    def _on_air(self, event: Event) -> None:
        if not self.state.connected:
            return
        self._requests.extend(requests_after(event, self._air.picture))
        self._wake.set()
        if isinstance(event, CaptionSpoken) and not self._air.picture.replay:
            self._caption = event.text
            self._new_caption.set()

    async def _send_captions(self, obs: ObsSocket) -> None:
        """Sends each caption packet by packet, at reading speed, until the next caption arrives."""
        while True:
            await self._new_caption.wait()
            self._new_caption.clear()
            text = self._caption
            for packet in packets(text):
                if self._new_caption.is_set() or not self._is_useful("SendStreamCaption"):
                    break
                self.state = replace(self.state, western=self.state.western or not is_western(text))
                await self._do(obs, "SendStreamCaption", captionText=packet)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._new_caption.wait(), len(packet) / CHARACTERS_PER_SECOND)

    async def _follow_show(self, obs: ObsSocket) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            scene = scene_of(self._air.picture)
            if self.state.scene in SCENES and scene != self.state.scene and scene not in self.state.missing:
                await self._do(obs, "SetCurrentProgramScene", sceneName=scene)
            while self._requests:
                request, fields = self._requests.popleft()
                if self._is_useful(request):
                    await self._do(obs, request, **fields)

    def _is_useful(self, request: str) -> bool:
        state = self.state
        required = {
            "SendStreamCaption": state.streaming,
            "CreateRecordChapter": state.recording,
            "SaveReplayBuffer": state.buffering,
        }
        return request in state.can and required.get(request, True)

    async def _do(self, obs: ObsSocket, request: str, **fields: object) -> None:
        try:
            await obs.ask(request, **fields)
        except Refused as refusal:
            if request != "CreateRecordChapter":  # OBS records MKV by default, but sets chapters only in hybrid MP4
                self.state = replace(self.state, refused=str(refusal))
        else:
            if self.state.refused.startswith(f"{request}:"):
                self.state = replace(self.state, refused="")

    # -- reading the state of OBS

    def _on_event(self, kind: str, fields: Fields) -> None:
        if kind == "CurrentProgramSceneChanged":
            self._switches += 1
            self.state = replace(self.state, scene=words(fields.get("sceneName")))
            self._wake.set()
        elif field := _OUTPUTS.get(kind.removesuffix("StateChanged")):
            self.state = replace(self.state, **{field: fields.get("outputActive") is True})

    async def _look(self, obs: ObsSocket) -> None:
        while True:
            stats = await ask_or_empty(obs, "GetStats")
            sources = await _our_sources(obs)
            sounding = [name for name, settings in sources.items() if "audio=1" in words(settings.get("url"))]
            outputs = {field: await ask_or_empty(obs, f"Get{name}Status") for name, field in _OUTPUTS.items()}
            self.state = replace(
                self.state,
                **{field: status.get("outputActive") is True for field, status in outputs.items()},
                fps=_number(stats, "activeFps"),
                frames=int(_number(stats, "outputTotalFrames")),
                skipped=int(_number(stats, "outputSkippedFrames")),
                sounding=tuple(sounding),
                desktop=tuple(name for name in sounding if sources[name].get("reroute_audio") is not True),
            )
            await self._look_at_scenes(obs)
            self._wake.set()
            if any(map(_is_alive, self._pages())):
                self._painted_at = self._clock()
            if self._clock() - self._painted_at > BLANK_SECONDS:
                await self._reload_sources(obs)
            await self._sleep(LOOK_SECONDS)

    async def _look_at_scenes(self, obs: ObsSocket) -> None:
        """Reads the scenes of OBS. If OBS has switched scenes while it answered, ignores the current scene in the
        answer.
        """
        switches = self._switches
        scenes = await _scenes(obs)
        if self._switches != switches:
            scenes = {**scenes, "scene": self.state.scene}
        self.state = replace(self.state, **scenes)

    async def _reload_sources(self, obs: ObsSocket) -> None:
        self._painted_at = self._clock()
        if self.state.browser:
            for name in await _our_sources(obs):
                fields = {"inputName": name, "propertyName": "refreshnocache"}
                await self._do(obs, "PressInputPropertiesButton", **fields)


async def _our_sources(obs: ObsSocket) -> dict[str, Fields]:
    """Returns the settings of the browser sources that show one of this program's pages, keyed by the names of the
    sources.
    """
    inputs = read_objects(await ask_or_empty(obs, "GetInputList", inputKind=SOURCE_KIND), "inputs")[:MAX_SOUNDING]
    ours: dict[str, Fields] = {}
    for name in [words(each.get("inputName")) for each in inputs]:
        settings = (await ask_or_empty(obs, "GetInputSettings", inputName=name)).get("inputSettings")
        if isinstance(settings, dict) and shows_ours(words(settings.get("url"))):
            ours[name] = settings
    return ours


def _is_alive(page: PageReport) -> bool:
    """Whether a page in OBS keeps up with the show, and paints if it has to."""
    report = page.report
    if report.obs is None or not page.ours or page.age_seconds > LATE_SECONDS or page.still_seconds >= STILL_SECONDS:
        return False
    return report.frames > 0 or report.hidden or not report.obs.visible


async def _scenes(obs: ObsSocket) -> Fields:
    """Returns the fields `missing` and `scene` of the state, or {} if OBS does not report its scenes."""
    scenes = await ask_or_empty(obs, "GetSceneList")
    names = [each.get("sceneName") for each in read_objects(scenes, "scenes")]
    missing = tuple(name for name in SCENES if name not in names)
    return {"missing": missing, "scene": words(scenes.get("currentProgramSceneName"))} if names else {}


def _number(fields: Fields, key: str) -> float:
    value = fields.get(key)
    return float(min(value, 1e12)) if isinstance(value, int | float) and value > 0 else 0.0
