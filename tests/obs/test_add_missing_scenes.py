"""Building scenes in a running OBS adds missing scenes and leaves the operator's own scenes alone."""

import asyncio
from collections.abc import Callable

from broadcast.obs.add_missing_scenes import Built, build_scenes
from broadcast.obs.scene_collection import OVERLAY, SCENES, SOURCE
from broadcast.obs.websocket import conversation
from tests.obs.obs_stand_in import ObsStandIn

ORIGIN = "http://127.0.0.1:8000"
ADDRESS = f"{ORIGIN}/overlay?audio=1"
ALL_ITEMS = {OVERLAY: [SOURCE]} | {scene: [OVERLAY] for scene in SCENES}


async def build_after(*changes: Callable[[ObsStandIn], None]) -> tuple[ObsStandIn, list[Built]]:
    """Builds the scenes in a new OBS after each of `changes`; returns the OBS and all results."""
    obs = ObsStandIn()
    obs.scenes, obs.scene, results = ["Camera"], "Camera", []
    async with obs, conversation(obs.address, "", lambda *_: None) as line:
        listening = asyncio.create_task(line.listen())
        try:
            for change in changes:
                change(obs)
                obs.asked.clear()
                results.append(await build_scenes(line, ADDRESS))
        finally:
            listening.cancel()
    return obs, results


def no_change(_: ObsStandIn) -> None:
    pass


async def test_only_what_was_removed_is_added_again() -> None:
    def remove(obs: ObsStandIn) -> None:
        obs.scenes.remove("Replay")
        obs.items.pop("Replay")
        obs.items["Table"].clear()
        obs.items[OVERLAY].append("Camera 1")

    obs, (_, again) = await build_after(no_change, remove)
    assert again == Built(("Replay", "Table"), ())
    assert obs.items == ALL_ITEMS | {OVERLAY: [SOURCE, "Camera 1"]}


async def test_source_from_another_evening_gets_the_current_address() -> None:
    obs, (_, again) = await build_after(
        no_change, lambda obs: obs.inputs.update({SOURCE: "http://127.0.0.1:5000/overlay"})
    )
    assert again == Built((f"the address of {SOURCE}",), ())
    assert obs.inputs == {SOURCE: ADDRESS}


async def test_operators_scene_with_our_name_is_left_alone() -> None:
    def add_operators_scenes(obs: ObsStandIn) -> None:
        obs.scenes += ["Break", OVERLAY]
        obs.items = {"Break": ["Waiting music"], OVERLAY: ["Logo"], "Camera": ["Camera 1"]}

    obs, (result,) = await build_after(add_operators_scenes)
    assert result.left == (
        "Overlay shows something of yours: it was left alone.",
        "Break shows something of yours and not Overlay: it was left alone.",
    )
    operators = {"Break": ["Waiting music"], OVERLAY: ["Logo"], "Camera": ["Camera 1"]}
    assert obs.items == {scene: [OVERLAY] for scene in SCENES} | operators
    assert obs.inputs == {}


async def test_operators_source_with_our_name_is_left_alone() -> None:
    obs, (result,) = await build_after(lambda obs: obs.inputs.update({SOURCE: "https://elsewhere.example/"}))
    assert "Something else is called High Noon" in result.left[0]
    assert obs.inputs == {SOURCE: "https://elsewhere.example/"}
    assert OVERLAY not in obs.items


async def test_obs_without_browser_sources_gets_scenes_and_a_hint() -> None:
    obs, (first, again) = await build_after(lambda obs: obs.kinds.remove("browser_source"), no_change)
    assert first.made == (*SCENES, OVERLAY)
    assert "This OBS has no browser source: install" in first.left[0]
    assert obs.items == {scene: [OVERLAY] for scene in SCENES}
    assert again == Built((), first.left)
