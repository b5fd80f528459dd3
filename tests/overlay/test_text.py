"""Strangers' text is only ever text: no script runs, no element appears, whatever names and chat contain."""

import msgspec

from broadcast.onair import CaptionSpoken, OnAirEntry
from server.game.events import Entrant, TournamentOpened
from tests.overlay.conftest import OpenScreen
from tests.overlay.hostile import PAYLOADS, harmless
from tests.overlay.scenes import TRIALS
from tests.overlay.screen import Screen
from tests.overlay.scripted import Script

# Lines of text come and go with its length; every other element is part of the page.
_ELEMENTS = "() => [...document.querySelectorAll('*:not(.line)')].map((node) => node.localName).sort()"


def test_200_hostile_texts_run_nothing_and_add_no_element(open_screen: OpenScreen) -> None:
    assert len(set(PAYLOADS)) >= 200
    screen = open_screen("motion=off&still")
    for first in range(0, len(PAYLOADS), 6):
        texts = PAYLOADS[first : first + 6]
        texts += PAYLOADS[: 6 - len(texts)]
        control = elements(screen, tuple(harmless(text) for text in texts))
        assert elements(screen, texts) == control, texts
    assert screen.page.evaluate("() => window.robbed") is None
    assert screen.page.url == screen.address


def test_hostile_media_names_ask_only_for_files_of_the_house(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still")
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(request.url))
    script = Script(PAYLOADS[:6])
    opening = script.entries[0].event
    assert isinstance(opening, TournamentOpened)
    screen.put([opened_with_media(opening)])
    screen.put(script.connect().stage(games=1, advance=0).game(TRIALS).hand().entries[1:])
    screen.settle()
    assert asked
    assert all(url.startswith(f"{screen.theatre.address}/") for url in asked)
    assert not [url for url in asked if "/../" in url]
    screen.complaints.clear()  # files that do not exist


def opened_with_media(opening: TournamentOpened) -> OnAirEntry:
    """The opening, every bot with media of strange names."""
    names = ("../../x", "//127.0.0.1/x", "http://127.0.0.1:9/x", "javascript:alert(1)", "x?y#z", "%2e%2e/x")
    entrants = tuple(
        Entrant(each.bot, each.name, "", name, name, name) for each, name in zip(opening.entrants, names, strict=True)
    )
    return OnAirEntry(1, 0, 0, msgspec.structs.replace(opening, entrants=entrants))


def elements(screen: Screen, texts: tuple[str, ...]) -> list[str]:
    """All elements of a page on which `texts` are names, chat, players, titles and captions."""
    script = (
        Script(texts, media=False).connect().stage(texts[0], games=1, advance=0).game(TRIALS).hand("call raise:300")
    )
    script.chat((1, texts[0]), (2, texts[1]))
    script.tell(CaptionSpoken(texts[2]))
    screen.put(script.entries)
    screen.settle()
    found: list[str] = screen.page.evaluate(_ELEMENTS)
    return found
