"""Building scenes in a running OBS: missing ones are added, and what the operator has stays."""

import asyncio
from collections.abc import Callable
from typing import Any

from broadcast.obs.add_missing_scenes import Built, build_scenes
from broadcast.obs.scene_collection import OVERLAY, SCENES, SOURCE, browser_settings
from broadcast.obs.websocket import conversation
from tests.obs.obs_stand_in import ObsStandIn

ORIGIN = "http://127.0.0.1:8000"
ADDRESS = f"{ORIGIN}/overlay?audio=1"
WHOLE = {OVERLAY: [SOURCE]} | {scene: [OVERLAY] for scene in SCENES}


def built(*as_it_is: Callable[[ObsStandIn], None], answers: Any = None) -> tuple[ObsStandIn, list[Built]]:
    """An OBS, and the results of building in it once after each change `as_it_is`."""

    async def build() -> tuple[ObsStandIn, list[Built]]:
        obs = ObsStandIn(answers=answers)
        obs.scenes, obs.scene, done = ["Camera"], "Camera", []
        async with obs, conversation(obs.address, "", lambda *_: None) as line:
            listening = asyncio.create_task(line.listen())
            try:
                for prepare in as_it_is:
                    prepare(obs)
                    obs.asked.clear()
                    done.append(await build_scenes(line, ADDRESS))
            finally:
                listening.cancel()
        return obs, done

    return asyncio.run(build())


def untouched(_: ObsStandIn) -> None:
    """Leaves OBS as the last build left it."""


def test_new_obs_gets_scenes_and_source_and_stays_in_its_own_scene() -> None:
    obs, (done,) = built(untouched)
    assert obs.scenes == ["Camera", *SCENES, OVERLAY]
    assert obs.items == WHOLE
    assert obs.inputs == {SOURCE: ADDRESS}
    assert done == Built((*SCENES, OVERLAY, SOURCE), ())
    assert obs.scene == "Camera"
    (fields,) = [fields for request, fields in obs.asked if request == "CreateInput"]
    assert fields["inputSettings"] == browser_settings(ADDRESS)


def test_only_what_was_removed_is_added_again() -> None:
    def lose(obs: ObsStandIn) -> None:
        obs.scenes.remove("Replay")
        obs.items.pop("Replay")
        obs.items["Table"].clear()
        obs.items[OVERLAY].append("Camera 1")

    obs, (_, again) = built(untouched, lose)
    assert again == Built(("Replay", "Table"), ())
    assert obs.items == WHOLE | {OVERLAY: [SOURCE, "Camera 1"]}


def test_source_from_another_evening_gets_the_present_address() -> None:
    obs, (_, again) = built(untouched, lambda obs: obs.inputs.update({SOURCE: "http://127.0.0.1:5000/overlay"}))
    assert again == Built((f"the address of {SOURCE}",), ())
    assert obs.inputs == {SOURCE: ADDRESS}


def test_operators_scene_with_our_name_is_left_alone() -> None:
    def own(obs: ObsStandIn) -> None:
        obs.scenes += ["Break", OVERLAY]
        obs.items = {"Break": ["Waiting music"], OVERLAY: ["Logo"], "Camera": ["Camera 1"]}

    obs, (done,) = built(own)
    assert done.left == (
        "Overlay shows something of yours: it was left alone.",
        "Break shows something of yours and not Overlay: it was left alone.",
    )
    kept = {"Break": ["Waiting music"], OVERLAY: ["Logo"], "Camera": ["Camera 1"]}
    assert obs.items == {scene: [OVERLAY] for scene in SCENES} | kept
    assert obs.inputs == {}


def test_operators_source_with_our_name_is_left_alone() -> None:
    obs, (done,) = built(lambda obs: obs.inputs.update({SOURCE: "https://elsewhere.example/"}))
    assert "Something else is called High Noon" in done.left[0]
    assert obs.inputs == {SOURCE: "https://elsewhere.example/"}
    assert OVERLAY not in obs.items


def test_obs_without_browser_sources_gets_scenes_and_a_hint() -> None:
    obs, (done, again) = built(lambda obs: obs.kinds.remove("browser_source"), untouched)
    assert done.made == (*SCENES, OVERLAY)
    assert "This OBS has no browser source: install" in done.left[0]
    assert obs.items == {scene: [OVERLAY] for scene in SCENES}
    assert again == Built((), done.left)
