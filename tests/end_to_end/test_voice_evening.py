"""On an evening with a voice, a program speaks the captions for the studio, and the overlay plays the sounds."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Response

from broadcast.on_air.diary import spoken_lines
from tests.end_to_end.conftest import SMALL, OpenPage
from tests.end_to_end.evening import NAMES, secrets_of, tournament, write_evening
from tests.end_to_end.remote_bots import RemoteBots
from tests.support.browsers import SOUNDS, Browsers
from tests.support.espeak import needs_espeak

VOICE = '[voice]\ncommand = "espeak-ng --stdin --stdout -s 450"'
"""A voice fast enough for a show at three times the normal speed."""


@pytest.fixture(scope="module")
def browser(browsers: Browsers) -> Iterator[Browser]:
    """A browser that plays sound without a click, as OBS does."""
    with browsers.opened(SOUNDS) as opened:
        yield opened


@needs_espeak
def test_overlay_plays_what_the_voice_has_spoken(tmp_path: Path, open_page: OpenPage) -> None:
    names = NAMES[:6]
    folder = write_evening(tmp_path, secrets_of(names), lines=f'start = "bots"\n{VOICE}')
    with RemoteBots(folder.register, secrets_of(names), wild=0.0), tournament(folder, "--speed", "3") as terminal:
        terminal.wait_for_output("projector")
        page = open_page(f"{folder.base}/overlay?debug&audio=1", **SMALL)

        def is_line(response: Response) -> bool:
            return "/media/voice-" in response.url

        with page.expect_response(is_line) as first:
            pass
        with page.expect_response(is_line) as second:
            pass
        answers = [first.value, second.value]
        assert [answer.status for answer in answers] == [200, 200]
        said = {line.line.sound for line in spoken_lines(folder.journal).values()}
        assert {Path(answer.url).name for answer in answers} <= said
        assert "captions are not spoken" not in terminal.text
