"""A script for OBS that turns the buttons of High Noon's control desk into hotkeys.

To add the script, choose Tools, Scripts, +. Then choose the keys under Settings, Hotkeys. The guide's page on remote
control has more.
"""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import obspython as obs  # type: ignore[import-not-found]  # only OBS has this module

BUTTONS = {
    "start": "START",
    "pause": "pause or go on",
    "next": "next",  # ends the current wait of the show
    "hold": "hold or release",  # stops the show at the end of the current hand, whereas "pause" stops it now
    "slower": "slower",
    "normal": "normal pace",
    "faster": "faster",
    "governor": "governor on or off",  # the governor adapts the show's speed so that the first stage ends on time
    "graphics": "hide or show graphics",
    "mute": "panic mute on or off",
    "break": "break card",
    "technical": "technical card",
    "whole": "whole table",
    "keep": "keep the picture",  # keeps the zoom of the picture on air until the next hand
    "thoughts": "thoughts off or on",
    "reading": "reading scores",  # shows how true the bots' thoughts were
    "replay": "replay the last hand",
    "best": "best hands",
    "end": "end the stage",
    "undo": "undo",
}
ANSWER_SECONDS = 5
settings = {"address": "", "token": ""}
hotkeys: dict[str, int] = {}


def script_description() -> str:
    return "Hotkeys for the control desk of High Noon. Choose the keys under Settings, Hotkeys."


def script_properties() -> Any:
    properties = obs.obs_properties_create()
    obs.obs_properties_add_text(properties, "address", "Address", obs.OBS_TEXT_DEFAULT)
    obs.obs_properties_add_text(properties, "token", "Control token", obs.OBS_TEXT_PASSWORD)
    return properties


def script_defaults(data: Any) -> None:
    obs.obs_data_set_default_string(data, "address", "http://127.0.0.1:8000")


def script_update(data: Any) -> None:
    for name in settings:
        settings[name] = obs.obs_data_get_string(data, name).strip()


def script_load(data: Any) -> None:
    for button, words in BUTTONS.items():
        name = f"highnoon_{button}"
        hotkeys[name] = obs.obs_hotkey_register_frontend(name, f"High Noon: {words}", on_press_of(button))
        keys = obs.obs_data_get_array(data, name)
        obs.obs_hotkey_load(hotkeys[name], keys)
        obs.obs_data_array_release(keys)


def script_save(data: Any) -> None:
    for name, hotkey in hotkeys.items():
        keys = obs.obs_hotkey_save(hotkey)
        obs.obs_data_set_array(data, name, keys)
        obs.obs_data_array_release(keys)


def on_press_of(button: str) -> Callable[[bool], None]:
    def pressed(is_down: bool) -> None:  # OBS accepts only a function here, no other callable
        if is_down:  # in a thread, so that OBS does not wait for the answer
            threading.Thread(target=send, args=(button,), daemon=True).start()

    return pressed


def send(button: str) -> None:
    address = f"{settings['address'].rstrip('/')}/api/v1/desk/press/{button}?operator=OBS"
    headers = {"Authorization": f"Bearer {settings['token']}"}
    try:
        request = urllib.request.Request(address, method="POST", headers=headers)  # noqa: S310 (the user's own address)
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:  # noqa: S310
            print(json.load(answer)["said"])
    except urllib.error.HTTPError as refused:
        print(f"{button}: {refused.read(1000).decode(errors='replace')}")
    except (OSError, ValueError) as error:
        print(f"{button}: {address} does not answer as High Noon does ({error})")
