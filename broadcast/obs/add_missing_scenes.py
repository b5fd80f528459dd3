"""Builds this program's scenes in a running OBS. Adds what is missing, corrects the address of this program's page, and
leaves everything else alone.
"""

from typing import Any

from msgspec import Struct

from broadcast.obs.scene_collection import HEIGHT, OVERLAY, SCENES, SOURCE_NAME, WIDTH, browser_settings, shows_our_page
from broadcast.obs.state import NO_BROWSER
from broadcast.obs.websocket import ObsSocket, ask_or_empty, read_objects, read_text

SOURCE_KIND = "browser_source"


class Built(Struct, frozen=True):
    """The result of building the scenes."""

    made: tuple[str, ...]
    """The names of scenes and sources that were added or corrected."""
    left: tuple[str, ...]
    """A sentence for each thing that the operator has to do."""


async def build_scenes(obs: ObsSocket, overlay: str) -> Built:
    """Adds missing scenes and the browser source for the page at the address `overlay`. Raises ObsUnavailable,
    ObsRefused.
    """
    builder = _Builder(obs)
    await builder.add_scenes()
    await builder.add_source(browser_settings(overlay))
    for name in SCENES:
        await builder.add_to_scene(OVERLAY, name)
    await builder.check_canvas()
    return Built(tuple(builder.made), tuple(builder.to_do))


async def has_browser(obs: ObsSocket) -> bool:
    """Whether this OBS can show web pages (browser sources). True if OBS does not say. Raises ObsUnavailable."""
    kinds = (await ask_or_empty(obs, "GetInputKindList", unversioned=True)).get("inputKinds")
    return SOURCE_KIND in kinds if isinstance(kinds, list) else True


class _Builder:
    def __init__(self, obs: ObsSocket) -> None:
        self._obs = obs
        self.made: list[str] = []
        self.to_do: list[str] = []

    async def add_scenes(self) -> None:
        """Creates the missing scenes of this program. The new scenes are empty."""
        existing = [each.get("sceneName") for each in read_objects(await self._obs.ask("GetSceneList"), "scenes")]
        for name in (*SCENES, OVERLAY):
            if name not in existing:
                await self._obs.ask("CreateScene", sceneName=name)
                self.made.append(name)

    async def add_source(self, settings: dict[str, Any]) -> None:
        """Adds the browser source to its scene."""
        listing = read_objects(await self._obs.ask("GetInputList"), "inputs")
        kinds = {read_text(each.get("inputName")): each.get("inputKind") for each in listing}
        browser_exists = await has_browser(self._obs)
        if SOURCE_NAME in kinds and (browser_exists or kinds[SOURCE_NAME] != SOURCE_KIND):
            await self._update_source(str(kinds[SOURCE_NAME]), settings)
        elif SOURCE_NAME not in kinds and await self._list_shown(OVERLAY):
            self.to_do.append(f"{OVERLAY} shows something of yours: it was left alone.")
        elif browser_exists:
            created = await self._obs.ask(
                "CreateInput", sceneName=OVERLAY, inputName=SOURCE_NAME, inputKind=SOURCE_KIND, inputSettings=settings
            )
            await self._lock(OVERLAY, created.get("sceneItemId"))
            self.made.append(SOURCE_NAME)
        else:
            self.to_do.append(f"{NO_BROWSER[0].upper()}{NO_BROWSER[1:]}. Then build again.")

    async def add_to_scene(self, name: str, scene: str) -> None:
        """Shows the source or scene `name` in `scene`, if `scene` is empty."""
        shown = await self._list_shown(scene)
        if name in shown:
            return
        if shown:
            self.to_do.append(f"{scene} shows something of yours and not {name}: it was left alone.")
            return
        created = await self._obs.ask("CreateSceneItem", sceneName=scene, sourceName=name)
        await self._lock(scene, created.get("sceneItemId"))
        if scene not in self.made:
            self.made.append(scene)

    async def check_canvas(self) -> None:
        """Reports a canvas of the wrong size. Only the operator may change the size."""
        video = await ask_or_empty(self._obs, "GetVideoSettings")
        size = (video.get("baseWidth"), video.get("baseHeight"))
        if size not in ((WIDTH, HEIGHT), (None, None)):
            remedy = f"set it to {WIDTH}x{HEIGHT} in Settings, Video"
            self.to_do.append(f"The canvas of OBS is {size[0]}x{size[1]}: {remedy}, or the picture does not fill it.")

    async def _update_source(self, kind: str, settings: dict[str, Any]) -> None:
        """Points the source SOURCE_NAME to this server, if it is a browser source with one of this program's pages."""
        address = ""
        if kind == SOURCE_KIND:
            current = (await self._obs.ask("GetInputSettings", inputName=SOURCE_NAME)).get("inputSettings")
            address = str(current.get("url", "")) if isinstance(current, dict) else ""
        if not shows_our_page(address):
            self.to_do.append(
                f"Something else is called {SOURCE_NAME}: it was left alone. Give it another name and build again."
            )
            return
        if address != settings["url"]:
            await self._obs.ask("SetInputSettings", inputName=SOURCE_NAME, inputSettings={"url": settings["url"]})
            self.made.append(f"the address of {SOURCE_NAME}")
        await self.add_to_scene(SOURCE_NAME, OVERLAY)

    async def _list_shown(self, scene: str) -> list[object]:
        items = await self._obs.ask("GetSceneItemList", sceneName=scene)
        return [each.get("sourceName") for each in read_objects(items, "sceneItems")]

    async def _lock(self, scene: str, item: object) -> None:
        await ask_or_empty(self._obs, "SetSceneItemLocked", sceneName=scene, sceneItemId=item, sceneItemLocked=True)
