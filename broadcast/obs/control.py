"""Controls OBS: switches scenes with the show, saves marked hands, reloads sources that show nothing.

OBS may come and go, and the show never waits for it. An operator who switches to another scene is left there.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from broadcast.obs.add_missing_scenes import KIND, Built, build_scenes, has_browser
from broadcast.obs.requests import ObsRequest, is_western, pieces, requests_after, scene_of
from broadcast.obs.scene_collection import SCENES, shows_ours
from broadcast.obs.state import ObsState, in_words
from broadcast.obs.websocket import Fields, NoObs, ObsSocket, Refused, answered, conversation, listed, words
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import CaptionSpoken
from broadcast.web.page_reports import LATE_SECONDS, STILL_SECONDS, PageReport
from server.game.events import Event

AGAIN_SECONDS = 2.0
"""The time between two attempts to reach OBS."""
LOOK_SECONDS = 2.0
BLANK_SECONDS = 10.0
"""If no page in OBS paints for this long, its sources are reloaded and get as long again."""
READ_A_SECOND = 25
"""Characters of a caption that are read per second: each piece stays until it has been read."""
MAX_SOUNDING = 20
"""Browser sources to examine."""
MAX_REQUESTS = 20
_OUTPUTS = {"Stream": "streaming", "Record": "recording", "ReplayBuffer": "buffering"}
"""OBS's outputs, and the fields of `ObsState` that say whether they run."""


class ObsControl:
    """Follows the show on `air` in the OBS at `address`; `on_change` gets each new state of the connection in words.

    `pages` gives the reports of the show's pages, `clock` gives seconds.
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
        self._said = ""
        self._switches = 0
        self._obs: ObsSocket | None = None
        self._building = asyncio.Lock()
        self._requests: deque[ObsRequest] = deque(maxlen=MAX_REQUESTS)
        self._woken = asyncio.Event()
        self._caption = ""
        self._captioned = asyncio.Event()
        self._painted_at = clock()

    async def run(self) -> None:
        """Connects to OBS whenever it is running, and follows the show there until cancelled."""
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
        """Adds the scenes that OBS lacks, for the page at the address `overlay`. Raises NoObs, Refused."""
        async with self._building:
            if self._obs is None:
                raise NoObs(self.state.words)
            built = await build_scenes(self._obs, overlay)
            await self._look_at_scenes(self._obs)
        return built

    async def _talk(self) -> str:
        """Holds one connection; returns why it ended, in words for the operator."""
        why = ""
        try:
            async with conversation(self._address, self._password, self._on_event) as obs, asyncio.TaskGroup() as tasks:
                tasks.create_task(obs.listen())
                await self._begin(obs)
                tasks.create_task(self._follow_show(obs))
                tasks.create_task(self._send_captions(obs))
                tasks.create_task(self._look(obs))
        except* NoObs as group:
            why = str(group.exceptions[0])
        finally:
            self._obs = None
        return why

    async def _begin(self, obs: ObsSocket) -> None:
        version = await answered(obs, "GetVersion")
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
        self._captioned.clear()
        self._painted_at = self._clock()
        self._woken.set()
        self._say(in_words(self.state))

    def _say(self, words: str) -> None:
        if words != self._said:
            self._said = words
            self._on_change(words)

    # -- what the show needs

    def _on_air(self, event: Event) -> None:
        if not self.state.connected:
            return
        self._requests.extend(requests_after(event, self._air.picture))
        self._woken.set()
        if isinstance(event, CaptionSpoken) and not self._air.picture.replay:
            self._caption = event.text
            self._captioned.set()

    async def _send_captions(self, obs: ObsSocket) -> None:
        """Sends each caption piece by piece, at reading speed, until the next one comes."""
        while True:
            await self._captioned.wait()
            self._captioned.clear()
            text = self._caption
            for piece in pieces(text):
                if self._captioned.is_set() or not self._is_of_use("SendStreamCaption"):
                    break
                self.state = replace(self.state, western=self.state.western or not is_western(text))
                await self._do(obs, "SendStreamCaption", captionText=piece)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._captioned.wait(), len(piece) / READ_A_SECOND)

    async def _follow_show(self, obs: ObsSocket) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            scene = scene_of(self._air.picture)
            if self.state.scene in SCENES and scene != self.state.scene and scene not in self.state.missing:
                await self._do(obs, "SetCurrentProgramScene", sceneName=scene)
            while self._requests:
                request, fields = self._requests.popleft()
                if self._is_of_use(request):
                    await self._do(obs, request, **fields)

    def _is_of_use(self, request: str) -> bool:
        state = self.state
        needed = {
            "SendStreamCaption": state.streaming,
            "CreateRecordChapter": state.recording,
            "SaveReplayBuffer": state.buffering,
        }
        return request in state.can and needed.get(request, True)

    async def _do(self, obs: ObsSocket, request: str, **fields: object) -> None:
        try:
            await obs.ask(request, **fields)
        except Refused as refusal:
            if request != "CreateRecordChapter":  # OBS records MKV by default, and sets chapters only in hybrid MP4
                self.state = replace(self.state, refused=str(refusal))
        else:
            if self.state.refused.startswith(f"{request}:"):
                self.state = replace(self.state, refused="")

    # -- the state of OBS

    def _on_event(self, kind: str, fields: Fields) -> None:
        if kind == "CurrentProgramSceneChanged":
            self._switches += 1
            self.state = replace(self.state, scene=words(fields.get("sceneName")))
            self._woken.set()
        elif runs := _OUTPUTS.get(kind.removesuffix("StateChanged")):
            self.state = replace(self.state, **{runs: fields.get("outputActive") is True})

    async def _look(self, obs: ObsSocket) -> None:
        while True:
            stats = await answered(obs, "GetStats")
            outputs = {runs: await answered(obs, f"Get{name}Status") for name, runs in _OUTPUTS.items()}
            self.state = replace(
                self.state,
                **{runs: about.get("outputActive") is True for runs, about in outputs.items()},
                fps=_number(stats, "activeFps"),
                frames=int(_number(stats, "outputTotalFrames")),
                skipped=int(_number(stats, "outputSkippedFrames")),
                sounding=tuple(name for name, address in await _our_sources(obs) if "audio=1" in address),
            )
            await self._look_at_scenes(obs)
            self._woken.set()
            if any(map(_is_alive, self._pages())):
                self._painted_at = self._clock()
            if self._clock() - self._painted_at > BLANK_SECONDS:
                await self._revive(obs)
            await self._sleep(LOOK_SECONDS)

    async def _look_at_scenes(self, obs: ObsSocket) -> None:
        """Asks for the scenes. A switch during that is newer than the answer."""
        switches = self._switches
        found = await _scenes(obs)
        if self._switches != switches:
            found = {**found, "scene": self.state.scene}
        self.state = replace(self.state, **found)

    async def _revive(self, obs: ObsSocket) -> None:
        self._painted_at = self._clock()
        if self.state.browser:
            for name, _ in await _our_sources(obs):
                fields = {"inputName": name, "propertyName": "refreshnocache"}
                await self._do(obs, "PressInputPropertiesButton", **fields)


async def _our_sources(obs: ObsSocket) -> list[tuple[str, str]]:
    """The names and addresses of the browser sources that show a page of ours."""
    found = listed(await answered(obs, "GetInputList", inputKind=KIND), "inputs")[:MAX_SOUNDING]
    ours = []
    for name in [words(each.get("inputName")) for each in found]:
        settings = (await answered(obs, "GetInputSettings", inputName=name)).get("inputSettings")
        address = words(settings.get("url")) if isinstance(settings, dict) else ""
        if shows_ours(address):
            ours.append((name, address))
    return ours


def _is_alive(page: PageReport) -> bool:
    """Whether a page in OBS keeps up with the show and paints, or does not need to paint."""
    report = page.report
    if report.obs is None or not page.ours or page.age_seconds > LATE_SECONDS or page.still_seconds >= STILL_SECONDS:
        return False
    return report.frames > 0 or report.hidden or not report.obs.visible


async def _scenes(obs: ObsSocket) -> Fields:
    """Our missing scenes and the scene on program, as far as OBS reports them."""
    scenes = await answered(obs, "GetSceneList")
    names = [each.get("sceneName") for each in listed(scenes, "scenes")]
    missing = tuple(name for name in SCENES if name not in names)
    return {"missing": missing, "scene": words(scenes.get("currentProgramSceneName"))} if names else {}


def _number(fields: Fields, key: str) -> float:
    found = fields.get(key)
    return float(min(found, 1e12)) if isinstance(found, int | float) and found > 0 else 0.0
