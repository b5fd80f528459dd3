"""With `?voice=describe`, screen readers get what the picture shows beyond captions, and nothing newer."""

import json

from playwright.sync_api import expect

from broadcast.on_air.events import CaptionSpoken
from tests.live.conftest import Visit
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.overlay.support.scenes import TRIALS
from tests.overlay.support.scripted_show import NAMES, Script
from tests.overlay.support.show_server import ShowServer
from tests.support.programs.in_node import Node

# Returns each sentence of the description with the type of its entry.
_DESCRIBED = """async (entries, load) => {
  const { reduce } = await load("/static/js/overlay/reducer.js");
  const { initialState } = await load("/static/js/overlay/reducer-state.js");
  const { Description } = await load("/static/js/replay/words/description.js");
  const description = new Description();
  let state = initialState();
  return entries.flatMap((entry) => {
    state = reduce(state, entry);
    return description.describeEntry(entry, state).map((sentence) => [entry.type, sentence]);
  });
}"""
_KEPT = 12


def described(node: Node, script: Script, kind: str = "") -> list[str]:
    """The sentences that describe a show, or only those about entries of one `kind`."""
    found = node.evaluate(_DESCRIBED, [json.loads(each.to_json()) for each in script.entries])
    return [text for of, text in found if kind in ("", of)]


def showdown_of_two() -> Script:
    """A hand in which seat 5 with nines and seat 0 with ace and jack call and check to the river."""
    script = Script().connect().stage().game(TRIALS)
    return script.hand("fold fold raise:300 call fold fold down")


def test_hand_is_described_with_blinds_board_pots_cards_and_chances(node: Node) -> None:
    script = showdown_of_two()
    assert described(node, script, "hand_started") == ["Hand 1 of 6. Blinds 50 and 100."]
    flop, turn, river = described(node, script, "street_dealt")
    assert flop == "On the table: king of hearts, 9 of hearts, 4 of clubs. The pot is 750."
    assert {turn, river} == {"The pot is 750."}
    first, *later = described(node, script, "equities_changed")
    assert first.startswith(f"To win: {NAMES[5]}, with 9 of spades and 9 of diamonds, ")
    assert f"; {NAMES[0]}, with ace of hearts and jack of hearts, " in first
    assert len(later) == 2
    assert not any(" with " in sentence for sentence in later), "each card must be described only once"
    captions = [entry.event.text for entry in script.entries if isinstance(entry.event, CaptionSpoken)]
    assert described(node, script, "caption_spoken") == captions


def test_screen_readers_get_the_description_as_plain_text_without_repeats(
    node: Node, shows: ShowServer, visit: Visit
) -> None:
    script = showdown_of_two().chat((1, PAYLOADS[0]), (2, PAYLOADS[1]))
    before = 20
    air = shows.channel("described", script.entries[:before])
    page = visit("watch?channel=described&voice=describe")
    log = page.get_by_role("log", name="What is seen")
    expect(log).to_have_attribute("aria-live", "polite")
    expect(log.locator("p").first).to_have_text("Game 1 of up to 15, Hand 1 of 6, Blinds 50/100.")
    assert page.locator(".spoken").first.get_attribute("aria-live") == "off", (
        "the description contains the captions, so these must not be read as well"
    )
    shows.put(air, script.entries[before:])
    expect(log.locator("p")).to_have_text(described(node, script)[-_KEPT:])
    assert log.locator("p *").count() == 0
