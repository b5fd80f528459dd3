"""Whatever text a bot sends, no script runs, no element is added, and the text fits its box."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from broadcast.on_air.events import CaptionSpoken, ThoughtShown
from server.game.events import Entrant, TournamentOpened
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import WAIT_FOR_ENTRY, Screen
from tests.overlay.support.scripted_show import Script
from tests.overlay.test_scenes import READ_BOXES, find_layout_faults
from tests.support.programs.browsers import PATIENCE_MS
from tests.support.programs.in_node import Node

# Returns the left edges of the first and the last character of a line.
_FIRST_AND_LAST = """({ firstChild: text }) => [0, text.length - 1].map((at) => {
  const range = new Range();
  range.setStart(text, at);
  range.setEnd(text, at + 1);
  return range.getBoundingClientRect().left;
})"""
# Returns the names of all elements in one string. Elements of the class `line` do not count, because a longer text has
# more of them.
_ELEMENTS = "() => [...document.querySelectorAll('*:not(.line)')].map((node) => node.localName).sort().join()"
# Waits for entry number `seq`. Then returns the number of speakers and the names of all elements.
_WITH_SPEECH = f"""async ([seq, patience]) => {{
  await ({WAIT_FOR_ENTRY})([seq, patience]);
  await new Promise(requestAnimationFrame);
  return [document.querySelectorAll(".speaker:not([hidden])").length, ({_ELEMENTS})()];
}}"""


def test_200_hostile_names_run_nothing_and_add_no_element(open_screen: OpenScreen) -> None:
    assert len(set(PAYLOADS)) >= 200
    screen = open_screen("motion=off&still")
    harmless_names = ["".join(" " if each == " " else "x" for each in text) for text in PAYLOADS[:12]]
    expected = elements_with_names(screen, harmless_names)
    for first in range(0, len(PAYLOADS), 12):
        texts = (PAYLOADS * 2)[first : first + 12]
        assert elements_with_names(screen, texts) == expected, texts
    assert_nothing_ran(screen)


def test_200_hostile_lines_of_chat_run_nothing_and_add_no_element(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still")
    script = Script().connect().stage(games=1, advance=0).game().hand("call raise:300")
    screen.put(script.entries)
    expected = elements_with_speech(screen, script, "harmless", "words")
    for first, second in zip(PAYLOADS[::2], (*PAYLOADS[1::2], "end"), strict=False):
        assert elements_with_speech(screen, script, first, second) == expected, (first, second)
    assert_nothing_ran(screen)


def elements_with_names(screen: Screen, texts: Sequence[str]) -> str:
    """Returns all elements of a page on which twelve bots have these names. The first name is also the stage title."""
    script = Script(texts, media=False).connect().stage(texts[0], games=1, advance=0)
    screen.put(script.game(range(1, 13)).hand("call raise:300").entries)
    screen.settle()
    return str(screen.page.evaluate(_ELEMENTS))


def elements_with_speech(screen: Screen, script: Script, first: str, second: str) -> str:
    """Returns all elements of a page on which one bot and the caption say `first`, and another bot says `second`."""
    before = len(script.entries)
    script.later(20000).chat((1, first), (2, second)).put(CaptionSpoken(first))
    screen.server.put(screen.air, script.entries[before:])
    speakers, elements = screen.page.evaluate(_WITH_SPEECH, [screen.air.last_seq, PATIENCE_MS])
    assert speakers == 1
    return str(elements)


def assert_nothing_ran(screen: Screen) -> None:
    assert screen.page.evaluate("() => window.robbed") is None  # the scripts in payloads would set `robbed`
    assert screen.page.url == screen.address


def test_hostile_media_names_request_only_files_of_this_server(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&still")
    requested: list[str] = []
    screen.page.on("request", lambda request: requested.append(request.url))
    media = ("../../x", "//127.0.0.1/x", "http://127.0.0.1:9/x", "javascript:alert(1)", "x?y#z", "%2e%2e/x")
    bots = tuple(Entrant(bot, PAYLOADS[bot], "", name, name, name) for bot, name in enumerate(media, 1))
    script = Script(PAYLOADS[1:7])
    opening = script.entries.pop().event
    assert isinstance(opening, TournamentOpened)
    script.put(replace(opening, entrants=bots)).connect().stage(games=1, advance=0).game().hand()
    screen.put(script.entries)
    screen.settle()
    assert requested
    assert all(url.startswith(f"{screen.server.address}/") for url in requested)
    assert not [url for url in requested if "/../" in url]
    screen.complaints.clear()  # the browser has reported that the files do not exist


def test_short_name_keeps_the_word_that_tells_a_bot_apart(node: Node) -> None:
    short_names = {
        "Señor Fold-a-Lot de Río Grande": "Fold-a-Lot", "Knight of Stars": "Knight", "The Count von Zahl": "Count",
        "Billy the Kid": "Billy", "Von Neumann": "Neumann", "de": "de",
        "Old Man River": "Old Man River", "Judge Roy Bean Counter": "Bean", "Quick Quinn": "Quinn",
        "Two-Pair Tess": "Tess", "River": "River",
    }  # fmt: skip
    code = "async (names, load) => (await load('/static/js/common/format.js')).shortNames(names)"
    assert node.evaluate(code, [*short_names]) == [*short_names.values()]
    for names in (["Jose Cuervo", "José Luis"], ["BOB Dylan", "Bob Marley"], ["Zoe\u0308 One", "Zo\u00eb Two"]):
        assert node.evaluate(code, names) == names, "names must stay long if their short forms look equal"


FAMILY = "👨‍👩‍👧‍👦"
UNBROKEN_TEXTS = {
    "Latin": "W" * 140, "Thai": "สวัสดีครับผมชื่อสมชายและผมจะชนะคุณทุกคนในคืนนี้อย่างแน่นอน" * 2,
    "Arabic": "مرحبا" * 28, "emoji": FAMILY * 12, "Chinese": "这个牌局真的太精彩了" * 14,
}  # fmt: skip


@pytest.mark.parametrize("writing", UNBROKEN_TEXTS)
def test_chat_without_spaces_stays_in_the_speakers_panel(writing: str, wide: Screen) -> None:
    show = Script().connect().stage(games=1, advance=0).game().hand("call")
    wide.show(show.later(20000).chat((1, UNBROKEN_TEXTS[writing])))
    lines = wide.page.locator(".speaker__text .line").all_inner_texts()
    assert len(lines) > 1
    assert writing != "emoji" or all(set(line.split(FAMILY)) <= {"", "…"} for line in lines), "an emoji was split"
    assert find_layout_faults(wide)["outside"] == []


def test_caption_that_begins_with_a_right_to_left_name_runs_left_to_right(wide: Screen) -> None:
    wide.show(Script().connect().stage().put(CaptionSpoken("الشريف calls 350.")))
    name, full_stop = wide.page.locator(".third__caption .line").evaluate(_FIRST_AND_LAST)
    assert name < full_stop


def test_widest_thought_leaves_the_speakers_name_in_its_panel(tall: Screen) -> None:
    tall.show(SCENES["betting"]().put(ThoughtShown(4, "W" * 140)))
    name, speaker = (tall.page.evaluate(READ_BOXES, selector)[0] for selector in (".speaker__name", ".speaker"))
    assert name[0] + name[2] < speaker[0] + speaker[2]


def test_thought_shows_the_bots_record_and_explains_its_marks(screen: Screen) -> None:
    tally = "() => getComputedStyle(document.querySelector('.speaker__name'), '::after').content.replace('\\\\a ', ' ')"
    legend = screen.page.locator(".third__marks")
    screen.show(SCENES["thinking"]())
    assert screen.page.evaluate(tally) == '"13 of 118 false tonight"'
    # One line explains three marks: those of a true claim, of a false claim, and of the truth beside a false claim.
    expect(legend).to_have_text("true by what it could see false [the truth]")
    expect(legend.locator(".claim--wrong")).to_have_css("text-decoration-line", "line-through")
    expect(legend).to_be_visible()
    screen.show(SCENES["betting"]().put(ThoughtShown(4, "I feel lucky.")))
    assert screen.page.evaluate(tally) == '"thinks"'
    expect(legend).to_be_hidden()
