"""Makes the scene collection that an operator imports into OBS, in the format of OBS 29.

The scene "Overlay" has the browser source, and all other scenes show the scene "Overlay".
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

SCENES = ("Starting", "Table", "Standings", "Break", "Replay", "Champion")
OVERLAY = "Overlay"
"""The only scene with the browser source. All other scenes show this scene."""
SOURCE_NAME = "High Noon"
WIDTH, HEIGHT, FPS = 1920, 1080, 60
_ALL_TRACKS = 0xFF
"""One bit for each audio track. The sound goes to all tracks."""
_READ_STATUS = 1
"""The access that lets the page ask OBS whether the page is shown and whether OBS streams."""
_OUR_PATHS = ("/overlay", "/projector")

Source = Mapping[str, Any]


def scene_collection(overlay: str) -> dict[str, Any]:
    """Returns the collection for OBS's menu Scene Collection, item Import. Its scenes show the page at `overlay`."""
    return {
        "name": "High Noon",
        "current_scene": SCENES[0],
        "current_program_scene": SCENES[0],
        "scene_order": [{"name": name} for name in (*SCENES, OVERLAY)],
        "sources": [
            _source(SOURCE_NAME, "browser_source", browser_settings(overlay), mixers=_ALL_TRACKS),
            _scene(OVERLAY, [SOURCE_NAME]),
            *(_scene(name, [OVERLAY]) for name in SCENES),
        ],
        "current_transition": "Cut",  # a fade of OBS would blur the page's own animations
        "modules": {},
    }


def browser_settings(overlay: str) -> dict[str, Any]:
    """Returns the settings of a browser source that OBS never shuts down or reloads, with sound in the mixer of OBS."""
    return {
        "is_local_file": False,
        "url": overlay,
        "width": WIDTH,
        "height": HEIGHT,
        "fps_custom": True,
        "fps": FPS,
        "reroute_audio": True,
        "shutdown": False,
        "restart_when_active": False,
        "css": "",
        "webpage_control_level": _READ_STATUS,
    }


def shows_our_page(address: str) -> bool:
    """Whether a browser source with this address shows one of this program's pages."""
    with suppress(ValueError):
        return urlsplit(address).path.endswith(_OUR_PATHS)
    return False


def _scene(name: str, item_names: Sequence[str]) -> Source:
    # By default OBS puts each item at the top left, in its own size.
    items = [
        {"name": each, "id": number, "visible": True, "locked": True, "scale": {"x": 1.0, "y": 1.0}}
        for number, each in enumerate(item_names, 1)
    ]
    return _source(name, "scene", {"id_counter": len(items), "custom_size": False, "items": items})


def _source(name: str, kind: str, settings: Source, *, mixers: int = 0) -> Source:
    return {"name": name, "id": kind, "versioned_id": kind, "settings": settings, "mixers": mixers}
