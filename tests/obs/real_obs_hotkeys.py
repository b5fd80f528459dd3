"""`unshare --net python -m tests.obs.real_obs_hotkeys FOLDER`: a real OBS runs our script and gets its hotkeys pressed.

Prints the requests that the desk has got as one JSON object. It is a program for the same reason as `real_obs`.
"""

import asyncio
import json
import sys
from contextlib import ExitStack
from pathlib import Path

from server.game.events import CueGiven
from server.paths import ASSETS
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.obs.real_obs import OBS, make_home, program, raise_loopback, screen
from tests.obs.real_obs_stories import TIMEOUT_SECONDS, ObsClient

PRESSED = ("pause", "faster", "next", "undo", "break")


async def press(desk: DeskServer) -> list[str]:
    """Presses each hotkey after the request of the previous hotkey has arrived; returns all hotkeys that OBS has."""
    async with ObsClient.open() as client:
        known = await client.wait_for("GetHotkeyList", lambda found: "highnoon_pause" in found["hotkeys"])
        async with asyncio.timeout(TIMEOUT_SECONDS):
            for count, button in enumerate(PRESSED, 1):
                await client.ask("TriggerHotkeyByName", hotkeyName=f"highnoon_{button}")
                while len(desk.done) < count:  # noqa: ASYNC110 (the desk answers OBS, not this program)
                    await asyncio.sleep(0.02)
        return [str(each) for each in known["hotkeys"]]


def main(folder: Path) -> None:
    """Starts a show, then OBS with our script, and presses the hotkeys."""
    raise_loopback()
    environment = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PATH": "/usr/bin:/bin"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # so that the script stays the only file in its folder
    with DeskServer(folder / "media", contest_events(hands=1)) as desk, ExitStack() as closing:
        script = {"path": str(ASSETS / "deploy/obs_hotkeys.py")}
        make_home(folder, [{**script, "settings": {"address": f"{desk.address}/", "token": TOKENS.control}}])
        on_screen = environment | {"DISPLAY": closing.enter_context(screen(environment))}
        closing.enter_context(program(*OBS, environment=on_screen))
        hotkeys = asyncio.run(press(desk))
        done = [each.cue if isinstance(each, CueGiven) else f"{each.control} {each.value}" for each in desk.done]
        print(json.dumps({"hotkeys": hotkeys, "done": done, "by": [each.operator for each in desk.done]}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
