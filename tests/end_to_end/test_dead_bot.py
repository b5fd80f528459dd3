"""A bot dies during an evening: the operator sees which bot, since when, why, and its last output."""

from pathlib import Path

from playwright.sync_api import expect

from tests.end_to_end.conftest import OpenPage
from tests.end_to_end.evening import NAMES, Terminal, write_evening
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.submission import HOST, write_player


@NEEDS_BUBBLEWRAP
def test_terminal_and_desk_show_when_a_bot_died_and_its_output(tmp_path: Path, open_page: OpenPage) -> None:
    players = {name: write_player(tmp_path / name, name) for name in NAMES[1:3]}
    players[NAMES[0]] = write_player(tmp_path / NAMES[0], NAMES[0], behaviour="crash")
    evening = write_evening(
        tmp_path / "evening", {}, players, lines=f'start = "bots"\nrunner = "light"\nbot_addresses = ["{HOST}"]'
    )
    with Terminal("tournament", evening.file, "--speed", "20") as terminal:
        desk = open_page(terminal.address, width=390, height=844)
        terminal.wait_for_output(f"{NAMES[0]} has been gone since hand ")
        assert str(evening.data) in terminal.wait_for_output("what it printed is in")
        row = desk.locator("#bots .light", has_text=NAMES[0])
        expect(row).to_contain_text("gone since hand ")
        row.locator("summary").click()
        expect(row.locator("pre")).to_contain_text("RuntimeError: cannot think about request_action")
        looking = open_page(terminal.wait_for_output("view only").split()[-1])
        expect(looking.locator("#bots .light", has_text=NAMES[0])).to_contain_text("gone since")
        expect(looking.locator("#bots summary:visible")).to_have_count(0)
