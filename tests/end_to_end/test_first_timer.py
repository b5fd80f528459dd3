"""An author makes a first bot, changes a line, probes it, spars, practises, opens the bot's page and checks it."""

from pathlib import Path

from playwright.sync_api import Browser

from tests.support.first_timer import first_evening


def test_author_of_a_first_bot_succeeds_in_every_step_from_new_to_check(tmp_path: Path, browser: Browser) -> None:
    steps = [name for name, _ in first_evening(tmp_path, browser, hands=24)]
    assert steps == [
        "new", "one line changed", "probe", "spar, 24 hands", "practice", "its page on a phone", "check",
    ]  # fmt: skip
