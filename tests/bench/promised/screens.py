"""Promises to whoever looks at a screen: none freezes unnoticed."""

import tempfile
from pathlib import Path

from tests.bench.promised.outcome import Outcome
from tests.desk.test_silent_network import BACK_SECONDS, NOTICED_SECONDS, PAGES, fall_silent
from tests.support.browsers import Browsers


def never_frozen(times: int) -> Outcome:
    """A network that passes nothing on and closes nothing, both ways and to pages only in turn, under every page."""
    noticed, back = [0.0], [0.0]
    browsers = Browsers()
    try:
        with browsers.opened() as browser:
            for number in range(times):
                with tempfile.TemporaryDirectory() as folder:
                    both = number % 2 == 0
                    found = browsers.aside(lambda: fall_silent(Path(folder), browser, to_server=both))  # noqa: B023
                noticed += found[0].values()
                back += found[1].values()
    finally:
        browsers.close()
    lost = sum(took > NOTICED_SECONDS for took in noticed) + sum(took > BACK_SECONDS for took in back)
    figure = f"said so within {max(noticed):.1f} s, back within {max(back):.1f} s"
    return Outcome("silent pages", times * len(PAGES), lost, figure, "said within 10 s, back within 25 s")
