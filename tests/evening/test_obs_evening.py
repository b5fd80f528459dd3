"""An evening with OBS in its event file: the studio talks with it, and whatever becomes of it the show goes on."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx

from tests.desk.obs_stand_in import ObsStandIn
from tests.evening.callers import Callers
from tests.evening.rig import NAMES, SECONDS, VIEW, Evening, secrets_of, tournament, write_evening


def checklist(evening: Evening) -> dict[str, str]:
    """What the page for setting up says of each step."""
    with httpx.Client(base_url=evening.base, follow_redirects=True) as web:
        web.get("/setup", params={"token": VIEW})
        return {step["of"]: step["words"] for step in web.get("/api/setup").json()["steps"]}


def on_air(evening: Evening) -> int:
    """How many entries have been on air."""
    return int(httpx.get(f"{evening.base}/healthz").json()["channels"]["main"]["seq"])


async def until(fits: Callable[[], bool]) -> None:
    """Returns once it is so."""
    async with asyncio.timeout(SECONDS):
        while not await asyncio.to_thread(fits):
            pass


def test_obs_follows_a_show_that_goes_on_when_obs_is_gone(tmp_path: Path) -> None:
    async def story() -> None:
        async with ObsStandIn("six shooter") as obs:
            wanted = f'start = "bots"\n[obs]\naddress = "{obs.address}"\npassword = "six shooter"'
            evening = write_evening(tmp_path, secrets_of(NAMES), lines=wanted)
            with Callers(evening.register, secrets_of(NAMES), wild=0.0), tournament(evening, "--speed", "50"):
                await obs.was_asked("SetCurrentProgramScene", sceneName="Table")
                seen = await asyncio.to_thread(checklist, evening)
                assert seen["OBS follows the show"].startswith("OBS 29.0.2 shows")
                await obs.was_asked("SetCurrentProgramScene", sceneName="Standings")
                await obs.__aexit__()
                await until(lambda: "OBS is not there" in checklist(evening)["OBS follows the show"])
                gone_at = on_air(evening)
                await until(lambda: on_air(evening) > gone_at + 50)

    asyncio.run(story())
