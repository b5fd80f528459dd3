"""The scene file for OBS: the page is in it once, heard once, and never reloaded by a change of scenes."""

from typing import Any

from broadcast.obs.scene_collection import OVERLAY, SCENES, SOURCE, scene_collection
from tests.desk.desk_server import TOKENS, DeskServer
from tests.desk.http_requests import ask, headers

# The fields in a scene collection written by OBS 29.0.2, by kind of object; it reads no others.
OF_COLLECTION = {
    "current_program_scene", "current_scene", "current_transition", "groups", "modules", "name", "preview_locked",
    "quick_transitions", "saved_projectors", "scaling_enabled", "scaling_level", "scaling_off_x", "scaling_off_y",
    "scene_order", "sources", "transition_duration", "transitions",
}  # fmt: skip
OF_SOURCE = {
    "balance", "deinterlace_field_order", "deinterlace_mode", "enabled", "flags", "hotkeys", "id", "mixers",
    "monitoring_type", "muted", "name", "prev_ver", "private_settings", "push-to-mute", "push-to-mute-delay",
    "push-to-talk", "push-to-talk-delay", "settings", "sync", "versioned_id", "volume",
}  # fmt: skip
OF_ITEM = {
    "align", "blend_method", "blend_type", "bounds", "bounds_align", "bounds_type", "crop_bottom", "crop_left",
    "crop_right", "crop_top", "group_item_backup", "hide_transition", "id", "locked", "name", "pos",
    "private_settings", "rot", "scale", "scale_filter", "show_transition", "visible",
}  # fmt: skip


def sources() -> dict[str, Any]:
    return {source["name"]: source for source in scene_collection("http://127.0.0.1:8000/overlay?audio=1")["sources"]}


def items(name: str) -> list[Any]:
    found: list[Any] = sources()[name]["settings"]["items"]
    return found


def test_browser_source_is_in_one_scene_that_all_others_show() -> None:
    assert [item["name"] for item in items(OVERLAY)] == [SOURCE]
    assert {scene: [item["name"] for item in items(scene)] for scene in SCENES} == {
        scene: [OVERLAY] for scene in SCENES
    }
    assert set(sources()) == {SOURCE, OVERLAY, *SCENES}


def test_page_is_heard_through_obs_and_never_shut_down() -> None:
    source = sources()[SOURCE]
    settings = source["settings"]
    assert source["id"] == source["versioned_id"] == "browser_source"
    assert settings["url"] == "http://127.0.0.1:8000/overlay?audio=1"
    assert (settings["width"], settings["height"], settings["fps"]) == (1920, 1080, 60)
    assert settings["fps_custom"], "else the 60 would not count"
    assert settings["reroute_audio"]
    assert not settings["shutdown"]
    assert not settings["restart_when_active"]
    assert not [name for name, each in sources().items() if name != SOURCE and "reroute_audio" in each["settings"]]


def test_scene_file_has_only_fields_that_obs_itself_writes() -> None:
    collection = scene_collection("http://127.0.0.1:8000/overlay?audio=1")
    assert set(collection) <= OF_COLLECTION
    assert not [name for name, source in sources().items() if not set(source) <= OF_SOURCE]
    every = [item for name in (OVERLAY, *SCENES) for item in items(name)]
    assert not [item for item in every if not set(item) <= OF_ITEM]


def test_scene_file_has_the_address_at_which_it_was_requested(server: DeskServer) -> None:
    answer = ask(
        server, "GET", "/setup/obs.json", headers(server, "view", host=f"saloon.example:{server.port}", origin="")
    )
    assert answer.headers["content-disposition"] == 'attachment; filename="high-noon.json"'
    assert answer.json() == scene_collection(f"http://saloon.example:{server.port}/overlay?audio=1&token={TOKENS.view}")
