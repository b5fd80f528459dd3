"""The promise to people at a screen: no page freezes unnoticed."""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from tests.bench.promised.outcome import Outcome
from tests.desk.desk_server import DeskServer, contest_events
from tests.desk.test_silent_network import STUDIO, fall_silent
from tests.support.browsers import Browsers

NOTICED_SECONDS, BACK_SECONDS = 10.0, 25.0
"""The goals, from the beginning of the silence: when every page has noticed it, and when every page is back."""


def try_silent_network(times: int) -> Outcome:
    """Silences every page's network without closing it, alternately in both directions and only towards the page."""
    noticed, back = [0.0], [0.0]
    browsers = Browsers()
    try:
        with browsers.opened() as browser:
            for number in range(times):
                found = browsers.aside(lambda: _silence(browser, to_server=number % 2 == 0))  # noqa: B023
                noticed += found[0].values()
                back += found[1].values()
    finally:
        browsers.close()
    lost = sum(took > NOTICED_SECONDS for took in noticed) + sum(took > BACK_SECONDS for took in back)
    figure = f"said so within {max(noticed):.1f} s, back within {max(back):.1f} s"
    goal = f"said within {NOTICED_SECONDS:.0f} s, back within {BACK_SECONDS:.0f} s"
    return Outcome("silent pages", times * len(STUDIO), lost, figure, goal)


def _silence(browser: Browser, *, to_server: bool) -> tuple[dict[str, float], dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder, DeskServer(Path(folder), contest_events(hands=2), speed=0) as server:
        return fall_silent(browser, server.port, STUDIO, to_server=to_server)
