"""The moments of a film that become chapters."""

from broadcast.film.film import film_of
from broadcast.film.timeline import timeline_of
from broadcast.on_air.diary import Aired
from broadcast.video.youtube import chapters_of
from server.game.events import ControlSet, Event, GameStarted, Placing, StageStarted, TournamentEnded
from server.journal.journal import Entry
from tests.support.hand_events import hand_events, opening


def test_breaks_near_the_end_hide_neither_the_final_nor_the_champion() -> None:
    """The second of two breaks in the final lasts three seconds, right before the last hand."""

    def card(value: str, was: str) -> ControlSet:
        return ControlSet("card", value, was)

    bots = (1, 2, 3, 4, 5, 6)
    stage = StageStarted(2, "High Noon", 1, 24, bots, (5000,) * 6, 0)
    final = [stage, GameStarted(2, 24, bots, (5000,) * 6)]
    champion = TournamentEnded((Placing(1, 1, 0),), "")
    shown: list[tuple[Event, int]] = [
        *((event, 60_000) for event in [*opening(), *hand_events(1), *final, *hand_events(2)]),
        *((card("break until 21:15 CET", ""), 300_000), (card("", "break until 21:15 CET"), 1000)),
        *((event, 2000) for event in hand_events(3)),
        *((card("break", ""), 3000), (card("", "break"), 1000)),
        *((event, 2000) for event in hand_events(4)),
        (champion, 20_000),
    ]
    aired, at_ms = list[Aired](), 0
    for seq, (_, ms) in enumerate(shown, 1):
        aired.append(Aired(seq, at_ms, ms))
        at_ms += ms
    film = film_of([Entry(seq, 0, event) for seq, (event, _) in enumerate(shown, 1)], past=aired)
    titles = [chapter.title for chapter in chapters_of(timeline_of(film))]
    assert titles[titles.index("High Noon") :] == [
        "High Noon",
        "Break",
        "High Noon continues",
        "The champion: Billy the Kid",
    ]
