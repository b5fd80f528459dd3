"""Captions and the line of a hand name each pot: who won it, and with what."""

import pytest

from broadcast.film.highlights import ranked
from broadcast.film.outline import FilmHand, OutlineBuilder
from broadcast.on_air.events import CaptionSpoken, HandTold, HighlightMarked
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from server.game.events import BetReturned, HandShown, PotAwarded, StreetDealt
from tests.overlay.support.scripted_show import NAMES, Script, folded


class Played:
    """A hand with one seat for each stack, the first on the button, played by `acts`."""

    def __init__(self, acts: str, holes: tuple[str, ...], board: str, stacks: tuple[int, ...]) -> None:
        script = Script(NAMES[: len(stacks)]).connect().stage(games=1, advance=0)
        script.game(tuple(range(1, len(stacks) + 1)), stacks)
        self.script = script.hand(acts, holes=dict(enumerate(holes)), board=board)
        self.events = [entry.event for entry in script.entries]

    @property
    def line(self) -> str:
        (text,) = (event.text for event in self.events if isinstance(event, HandTold))
        return text

    def captions(self, kind: type[BetReturned | HandShown | PotAwarded | StreetDealt]) -> list[str]:
        """What was said after each event of a kind, from the verb on."""
        said = [self.events[at + 1] for at, event in enumerate(self.events) if isinstance(event, kind)]
        return [each.text for each in said if isinstance(each, CaptionSpoken)]

    @property
    def labels(self) -> list[str]:
        """The labels beside the hole cards."""
        return [seat.ranking for seat in folded(self.script.entries).seats]

    @property
    def hand(self) -> FilmHand:
        """The hand in the film's outline."""
        builder, state = OutlineBuilder(), State()
        for entry in self.script.entries:
            state = reduce(state, entry.seq, entry.at_ms, entry.hold_ms, entry.event)
            builder.record(entry, state)
        self.outline = builder.outline
        return builder.outline.hands[-1]


ALL_IN = "raise:1000 raise:3000 call"
STACKS = (1000, 3000, 3000)


def ends_in(sentences: list[str], *ends: str) -> bool:
    return len(sentences) == len(ends) and all(one.endswith(end) for one, end in zip(sentences, ends, strict=True))


def test_line_and_highlight_of_a_hand_say_who_won_which_pot_and_who_earned_the_mark() -> None:
    played = Played(ALL_IN, ("7s Jd", "Ah Ac", "7d Td"), "7h As Qd 2c 3s", STACKS)
    assert played.line == played.hand.told == "Doc Holobyte takes 7,000 with three of a kind, aces"
    assert (played.hand.marks[0], played.hand.stars[0]) == ("Elimination", [1, 3])
    (pick,) = ranked(played.outline)
    assert pick.why == f"Elimination of Billy the Kid and Calamity Bayes: {played.line}"


def test_playing_the_board_is_said() -> None:
    played = Played(ALL_IN, ("5h 4c", "6s 5d", "7d 4d"), "Ah Kc Qd Js Ts", STACKS)
    assert ends_in(played.captions(HandShown), *[" plays the board: a straight, ace high."] * 3)
    assert ends_in(
        played.captions(PotAwarded),
        " the main pot of 3,000: the board plays.",
        " the side pot of 4,000: the board plays.",
    )
    assert {*played.labels} == {"straight, ace high, on the board"}


def test_blind_returned_after_a_walk_has_no_caption() -> None:
    hole = ("5h 4c", "9h 9c", "6s 5d")
    walk, raised = (Played(acts, hole, "Ah Kc Qd 9s 2s", (3000,) * 3) for acts in ("fold fold", "raise:300 fold fold"))
    assert any(isinstance(event, BetReturned) for event in walk.events)
    assert walk.captions(BetReturned) == []
    assert len(raised.captions(BetReturned)) == 1


@pytest.mark.parametrize(
    ("hole", "said"),
    [
        (("Ah Ac", "3d 4c"), ("Doc Holobyte is drawing dead: ", "no card helps Doc Holobyte: ")),
        (("Ah Ac", "3d 4c", "9d Tc"), ("all others are drawing dead: ", "nobody can catch ")),
    ],
)
def test_bots_without_hope_before_the_river_are_said_to_be_drawing_dead(
    hole: tuple[str, ...], said: tuple[str, ...]
) -> None:
    acts = " ".join(["call"] * 3 * len(hole))
    played = Played(acts, hole, "As Ad 7c 8h 2s", (3000,) * len(hole))
    flop, turn, river = played.captions(StreetDealt)
    for text in (flop, turn):
        assert text.partition("; ")[2].startswith(said), text
    assert not any(words in river for words in said)


@pytest.mark.parametrize(
    ("acts", "stacks", "is_said"), [("raise:3000 call call", (3000,) * 3, False), (ALL_IN, STACKS, True)]
)
def test_big_pot_is_said_once_and_adds_up_all_pots_of_its_winner(
    acts: str, stacks: tuple[int, ...], *, is_said: bool
) -> None:
    played = Played(acts, ("5s Jd", "Ah Ac", "7d Td"), "7h As Qd 2c 3s", stacks)
    assert any(isinstance(event, HighlightMarked) and event.mark == "Big pot" for event in played.events)
    said = [event.text for event in played.events if isinstance(event, CaptionSpoken) and "big pot" in event.text]
    assert len(said) == is_said


def test_leader_without_a_made_hand_is_not_said_to_lead_with_its_draw() -> None:
    played = Played("call call call call", ("Ah 6d", "3d 4c"), "7d 8d 5s 7s 2h", (3000, 3000))
    captions = [event.text for event in played.events if isinstance(event, CaptionSpoken)]
    (turn,) = (text for text in captions if text.startswith("The turn"))
    assert "Billy the Kid still leads, " in turn or "Billy the Kid stays ahead, " in turn


def test_picture_leaves_out_kickers_that_decide_nothing() -> None:
    played = Played(ALL_IN, ("Ks Kc", "7s Jd", "8d Td"), "7h As Qd 2c 3s", STACKS)
    shown = next(event for event in played.events if isinstance(event, HandShown) and event.seat == 0)
    assert shown.ranking == "pair of kings, ace kicker"
    assert played.labels[0] == "pair of kings"
