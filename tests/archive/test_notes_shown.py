"""Bots' notes in the replay: beside their actions, as plain text, and only once the hand is over."""

from pathlib import Path

import httpx
from playwright.sync_api import Browser, expect

from broadcast.archive.archive import INDEX, Archive
from server.game.events import Event, HandEnded, NoteGiven
from server.journal.journal import Entry
from tests.archive.test_replay import Seat
from tests.overlay.support.show_server import ShowServer
from tests.support.recordings import small_contest, until_listed, write

NOTE = "<b>I had</b> to see it"
NOTES = "#transcript .transcript__note"
_SEEK_THE_END = """async () => {
  const { film, head } = window.highnoon;
  const ended = (await film.segment(1)).entries.findLast(({ type }) => type === "hand_ended");
  await head.seek(ended.seq - 1);
}"""


def noted() -> list[Entry]:
    """A small contest with notes on the first two actions of each hand."""
    events: list[Event] = []
    for entry in small_contest():
        events.append(entry.event)
        if isinstance(entry.event, HandEnded):
            events += [NoteGiven(1, action, f"{NOTE}, {action}") for action in (1, 2)]
    return [Entry(number, 0, event) for number, event in enumerate(events, 1)]


def test_notes_stand_beside_their_actions_once_the_hand_is_over(browser: Browser, tmp_path: Path) -> None:
    write(tmp_path / "recordings" / "one.jsonl", noted())
    shows = ShowServer(tmp_path / "media")
    shows.studio.add_archive(Archive(tmp_path / "recordings", tmp_path / "recordings" / INDEX, again_seconds=0))
    with shows, httpx.Client(base_url=shows.address, timeout=60) as web:
        until_listed(web, "one")
        seat = Seat(shows, browser, width=390, height=844, phone=True)
        seat.open("hand=1&step=0")
        expect(seat.page.locator(NOTES)).to_have_count(2)
        seat.page.evaluate(_SEEK_THE_END)
        assert [note.is_visible() for note in seat.page.locator(NOTES).all()] == [False, False]
        seat.page.evaluate("() => window.highnoon.head.seek(window.highnoon.film.outline.hands[2].seq - 1)")
        first = seat.page.locator("#transcript li:has(.transcript__note)").first
        expect(first.locator(".transcript__note")).to_have_text(f"{NOTE}, 1")
        assert seat.page.locator(f"{NOTES} b").count() == 0, "a note is plain text"
        assert first.locator("button").count() == 1, "it is beside its action"
        assert not seat.complaints
        seat.context.close()
