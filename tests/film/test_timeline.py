"""What is worth a chapter."""

from broadcast.film.film import film_as_it_ran
from broadcast.film.timeline import timeline_of
from broadcast.on_air.diary import Aired
from server.game.events import ControlSet
from server.journal.journal import Entry
from tests.support.hand_events import hand_events, opening


def test_after_a_break_a_chapter_says_that_the_show_goes_on() -> None:
    pause = [ControlSet("card", "break", ""), ControlSet("card", "", "break")]
    events = [*opening(), *hand_events(1), *pause, *hand_events(2)]
    entries = [Entry(number, 0, event) for number, event in enumerate(events, 1)]
    film = film_as_it_ran(entries, [Aired(entry.seq, 1000 * entry.seq, 0) for entry in entries])
    titles = [moment.title for moment in timeline_of(film).moments]
    assert titles[titles.index("Break") + 1] == "The Trials, game 1 of 15 goes on"
