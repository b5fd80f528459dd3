"""False claims in bots' thoughts (reasons for acts) are struck out and counted. Viewers see an excerpt of a thought."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from broadcast.commentary.claims import kinds
from broadcast.commentary.claims.checker import MAX_MENTIONS, claims_in, estimates_in
from broadcast.commentary.claims.kinds import chance
from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.commentary.claims.speech.bot_knowledge import BOARD_SIZES, STREETS, BotKnowledge, HandAction
from broadcast.commentary.commentary import CLAIMS_PER_READING
from broadcast.commentary.statistics.reading_scores import brier_score, calibration
from broadcast.commentary.thought_excerpt import MAX_CHARACTERS, choose_excerpt, comparable_sentences
from broadcast.on_air.events import SceneShown, StatisticsChanged
from broadcast.on_air.scenes import SCENES
from broadcast.on_air.shared_types import Calibration, Checked
from server.app.results.results import compute_results
from server.app.results.results_output import results_table
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.cards import parse_cards
from server.journal.journal import Entry
from tests.commentary.claims.prose import OPEN_FILES, written_thoughts
from tests.overlay.support.scripted_deals import play_one_deal
from tests.support.games.contests import play_contest
from tests.support.games.house_contests import CharacterBot, play_house_contest
from tests.support.games.recordings import aired, of_kind

CLAIM_MODULES = [kind for kind in vars(kinds).values() if hasattr(kind, "KIND")]
"""Each of these modules finds one kind of claim."""


def knowledge_in(situation: str) -> BotKnowledge:
    """Returns what a bot knows in `situation`. The bot has the button and two opponents.

    `situation` gives cards ("Qc 3d, Kc 7s 2h"), chips ("pot 300, call 100", "stack 900") or acts. The acts
    "raise 300, call; bet 200" are a raise by the first opponent, the bot's call, and that opponent's bet on the flop.
    "; then fold" adds the act that the bot chooses now.
    """
    situation, _, own_act = situation.partition("; then ")
    pot, call, stacks, acts = 300, 0, (5000, 5000, 5000), list[HandAction]()
    live_seats: tuple[int, ...] = (0, 1, 2)
    hole, board = parse_cards("Qc 3d"), parse_cards("")
    if numbers := re.fullmatch(r"pot (\d+), call (\d+)", situation):
        pot, call = int(numbers[1]), int(numbers[2])
    elif numbers := re.fullmatch(r"stack (\d+)", situation):
        stacks = (int(numbers[1]), 5000, 4000)
    elif numbers := re.fullmatch(r"raise 300, call(; (?:bet|check) ?(\d*))?", situation):
        live_seats = (0, 1)
        acts = [
            HandAction("preflop", 1, "raise", 300, 300, False, 150, 100),
            HandAction("preflop", 2, "fold", 0, 0, False, 450, 300),
        ]
        if numbers[1]:
            bet, board = int(numbers[2] or 0), parse_cards("Kc 7s 2h")
            acts.append(HandAction("preflop", 0, "call", 300, 300, False, 450, 300))
            acts.append(HandAction("flop", 1, "bet" if bet else "check", bet, bet, False, 750, 0))
    else:
        hole, board = map(parse_cards, (*situation.split(","), "")[:2])
    verb, _, chips = own_act.partition(" ")
    bet = int(chips or 300)
    act = HandAction("preflop", 0, verb, bet, bet, False, 450, 300) if own_act else None  # type: ignore[arg-type]
    street = next(street for street in STREETS if BOARD_SIZES[street] == len(board))
    return BotKnowledge(
        0, hole, board, street, button=0, blinds=(1, 2), starting_stacks=stacks, stacks=stacks, bets=(0, call, 0),
        live=live_seats, action_order=(1, 2, 0) if board else (0, 1, 2),
        pot=pot, to_call=call, acts=tuple(acts), chosen_act=act,
        names=("Doc", "Belle", "Wyatt"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "line"), [(kind.KIND, line) for kind in CLAIM_MODULES for line in kind.EXAMPLES.strip().splitlines()]
)
def test_claim_in_an_example_is_found_and_judged(kind: str, line: str) -> None:
    situation, thought, truth = (part.strip() for part in line.split("|"))
    plain = re.sub(r"[\[\]]", "", thought)
    claims = [claim for claim in claims_in(plain, knowledge_in(situation)) if claim.kind == kind]
    words = [] if truth == "no claim" else re.findall(r"\[(.+?)\]", thought)
    assert [plain[claim.start : claim.end] for claim in claims] == words
    assert [claim.truth for claim in claims if not claim.right] == ([truth] if truth not in ("", "no claim") else [])


@pytest.mark.parametrize("line", chance.EXAMPLES.strip().splitlines())
def test_estimate_in_an_example_is_found(line: str) -> None:
    thought, value = (part.strip() for part in line.split("|"))
    plain = re.sub(r"[\[\]]", "", thought)
    assert [(plain[start:end], round(estimate, 2)) for start, end, estimate in estimates_in(plain)] == [
        (words, float(value)) for words in re.findall(r"\[(.+?)\]", thought)
    ]


STUTTERS = "a an the only just also still now already really even both all of is has have any my no not , - two pair"
OPENINGS = ("", "I have ", "Two ", "My ", "Only ", "He ", "The board is ", "I call ", "The pot is 100 ")
REPETITIONS = (
    "i have |a |9s 8s |only a flush, a flush, |he raised | |top pair, |any ace, any king, |and then bet the flop and |"
    "2-8-4-9-|still |belle and |belle, |he just then already |it 3 over my 3 "
)


@pytest.mark.parametrize("opening", OPENINGS)
def test_stuttering_thought_is_checked_quickly_and_has_few_claims(opening: str) -> None:
    """If a regular expression could match the same words in two ways, it would backtrack almost forever."""
    knowledge = knowledge_in("Qc 3d, Kc 7s 2h")
    for word in STUTTERS.split():
        thought = f"{(opening + f'{word} ' * 600)[:550]} I want to represent a set, and have won."
        claims_in(thought, knowledge)
        estimates_in(thought)
    for words in REPETITIONS.split("|"):
        assert len(claims_in(opening + words * 600, knowledge)) <= MAX_MENTIONS


@pytest.mark.parametrize("file", OPEN_FILES)  # The checker was improved with these files.
def test_only_false_claims_are_struck_in_free_prose(file: str) -> None:
    false_count, struck_labels, opinion_count, claimed_opinions = 0, set[tuple[str, int]](), 0, set[tuple[str, int]]()
    for knowledge, thought in written_thoughts(file):
        false_count += sum(label.right is False and not label.kind.startswith("chance") for label in thought.labels)
        opinion_count += sum(label.kind == "opinion" for label in thought.labels)
        for claim in claims_in(thought.text, knowledge):
            labels = [label for label in thought.labels if claim.start < label.end and label.start < claim.end]
            false_labels = {(thought.text, label.start) for label in labels if label.right is False}
            assert claim.right or false_labels, (thought.text[claim.start : claim.end], claim.truth)
            struck_labels |= false_labels if not claim.right else set()
            claimed_opinions |= {(thought.text, label.start) for label in labels if label.kind == "opinion"}
    assert len(struck_labels) > 0.95 * false_count > 300
    assert len(claimed_opinions) < 0.005 * opinion_count


def test_paraphrased_sentence_is_struck_only_if_it_is_false() -> None:
    for knowledge, thought in written_thoughts("paraphrases"):
        claims = claims_in(thought.text, knowledge)
        struck_words = [thought.text[claim.start : claim.end] for claim in claims if not claim.right]
        assert bool(struck_words) == (thought.labels[0].right is False), (thought.text, struck_words)


NOTES = ("I have the nuts.", "I am 60% to win.", "He looks weak.", "I don't have a flush. About 20 % to win.")


def with_notes(entries: Sequence[Entry], every: int = 5) -> Iterator[Entry]:
    """Adds a note (thought) on each act in every `every`-th hand. Bot 1's notes also state its tokens and cost."""
    number, hands, actors = 0, 0, list[int]()
    bots: tuple[int, ...] = ()
    for entry in entries:
        number += 1
        yield Entry(number, entry.at_ms, entry.event)
        match entry.event:
            case events.GameStarted(seats=bots):
                pass
            case events.HandStarted():
                actors, hands = [], hands + 1
            case events.ActionTaken(seat=seat):
                actors.append(bots[seat])
            case events.HandEnded() if hands % every == 0:
                for action, bot in enumerate(actors, start=1):
                    number += 1
                    text, account = NOTES[number % len(NOTES)], events.Account(800, 250) if bot == 1 else UNSET
                    yield Entry(number, entry.at_ms, events.NoteGiven(bot, action, text, account=account))


def test_show_and_results_have_the_same_scores() -> None:
    played = play_house_contest("acpc", 1, 3)
    entries = [*with_notes(played)]
    *_, statistics = (entry.event for entry in aired(entries) if isinstance(entry.event, StatisticsChanged))
    results = compute_results(entries)
    scores = {row.bot: row.reading for row in statistics.rows if row.reading}  # `reading`: how true the thoughts are
    assert scores == {row.bot: row.reading for row in results.rows if row.reading}
    assert sum(score.thoughts for score in scores.values()) == len(of_kind(entries, events.NoteGiven))
    assert all(score.claims >= score.false_claims and score.estimates for score in scores.values())
    spender, non_spender = scores.pop(1), scores.popitem()[1]
    assert (spender.tokens, spender.cost_millionths) == (800 * spender.thoughts, 250 * spender.thoughts)
    assert (non_spender.tokens, non_spender.cost_millionths) == (None, None)
    assert spender.hands == len(of_kind(played, events.HandEnded)) > 0
    assert f"{800 * spender.thoughts / spender.hands:,.0f}  " in results_table(results)
    assert "Brier" in results_table(results)
    assert "Brier" not in results_table(compute_results(played))


def test_reading_scores_come_between_games_or_after_enough_new_claims() -> None:
    """The reading scores say how true bots' thoughts are. CLAIMS_PER_READING new claims are enough."""
    trials, final = QUICK_DRAW_FORMAT.stages
    short_format = replace(QUICK_DRAW_FORMAT, stages=(replace(trials, games=6, hands=5), replace(final, hands=20)))
    played = play_contest(2, 12, short_format, kind=CharacterBot)
    claims = claims_scored = 0
    causes = list[type[events.Event]]()
    for entry in aired([*with_notes(played, every=1)]):
        if isinstance(entry.event, events.JournalEvent):
            cause = entry.event
        elif isinstance(entry.event, StatisticsChanged):
            claims = sum(row.reading.claims for row in entry.event.rows if row.reading)
        elif entry.event == SceneShown("reading"):
            assert isinstance(cause, events.GameEnded) or claims >= claims_scored + CLAIMS_PER_READING
            assert entry.hold_ms == SCENES["reading"].hold_ms
            claims_scored = claims
            causes.append(type(cause))
    assert Counter(causes) == {events.GameStarted: 2, events.HandStarted: 1, events.GameEnded: 1}


def test_every_six_hands_reading_scores_replace_a_scene_between_deals() -> None:
    deals = play_one_deal()
    for _ in range(12):
        deals.think()
        deals.next_game()
        deals.deal(*[""] * 5, "raise:5000 call")
    scenes = [entry.event.scene for entry in deals.entries if isinstance(entry.event, SceneShown)]
    assert scenes == ["certainty", "certainty", "reading", "certainty", "reading"]


def test_bot_is_judged_by_its_own_notes_and_by_what_it_knew_when_it_acted() -> None:
    reader, thought, claims_checked = ThoughtReader(), "A bold start. The board is paired.", 0
    bots: tuple[int, ...] = ()
    for entry in play_house_contest("acpc", 1, 3):
        reader.apply(entry.event)
        bots = entry.event.seats if isinstance(entry.event, events.GameStarted) else bots
        if isinstance(entry.event, events.HandEnded):
            first, *_, last = filter(None, map(reader.knowledge_at, range(1, 40)))
            reading = reader.apply(events.NoteGiven(bots[first.seat], 1, thought))
            assert reading
            assert (reading.seat, reading.claims) == (first.seat, ()), "there is no board before the flop"
            assert reader.apply(events.NoteGiven(bots[first.seat - 1], 1, thought)) is None
            reading = reader.apply(events.NoteGiven(bots[last.seat], len(last.acts) + 1, thought))
            ranks = [card[0] for card in last.board]
            assert reading
            assert [claim.right for claim in reading.claims] == ([len({*ranks}) < len(ranks)] if ranks else [])
            claims_checked += len(reading.claims)
    assert claims_checked > 20
    assert reader.apply(events.NoteGiven(1, 99, thought)) is None


def test_thoughts_on_a_forged_hand_are_not_read() -> None:
    reader = ThoughtReader()
    assert reader.apply(events.GameStarted(1, 1, (1, 2), ())) is None
    assert reader.apply(events.HandStarted(1, 7, 1, 2, 0, (), "")) is None
    assert reader.apply(events.ActionTaken(9, "call", 1, 1, False, 1)) is None
    assert reader.apply(events.NoteGiven(1, 1, "I have the nuts.")) is None


def test_brier_score_and_calibration_use_the_real_chance() -> None:
    estimates = [(0.6, 0.6), (0.65, 0.5), (1.0, 1.0)]
    assert brier_score([(1.0, 1.0), (0.0, 0.0)]) == 0
    assert brier_score([(0.5, 0.3), (0.5, 0.9)]) == 0.25
    assert brier_score([(0.6, 0.6)]) == 0.24
    assert calibration(estimates)[6] == Calibration(2, 0.625, 0.55)  # [6]: the estimates from 60 % to 70 %
    assert calibration(estimates)[9] == Calibration(1, 1.0, 1.0)
    assert sum(line.estimates for line in calibration(estimates)) == 3
    assert brier_score([]) is None


FILLER = "I am in the cutoff and everybody has left it to me, so nothing has happened in this hand that I could use."
REASON = "I raise because the blinds fold too often."


@pytest.mark.parametrize(
    ("thought", "excerpt"),
    [
        (f"{FILLER} {REASON} {FILLER}", REASON),
        (f"{FILLER} I need 4 to 1 and get 3 to 1 on my draw. {FILLER}", "I need 4 to 1 and get 3 to 1 on my draw."),
        (f"{FILLER} Buck knows it. So I call.", "Buck knows it. So I call."),
        (f"Two pair, kings and sevens. {FILLER} The board is wet. I am about 70% to win. Buck has 9. I raise to 450.",
            "Two pair, kings and sevens. … I am about 70% to win. … I raise to 450."),
        ("Looking at seven, ace, jack, deuce, eight: I have king high. I raise to 4,200, because Buck folds far too "
            "often to bets.", "…I have king high. I raise to 4,200, because Buck folds far too often to bets."),
        (f"{FILLER[:-1]}, and he has called me on every street of it, because he likes to call, and he is rich.",
            "…because he likes to call, and he is rich."),
        ("很" * 300, "很" * (MAX_CHARACTERS - 2) + "…"),
    ],
)  # fmt: skip
def test_sentences_about_hand_belief_decision_and_reason_are_shown(thought: str, excerpt: str) -> None:
    assert choose_excerpt(thought).text == excerpt


def test_truth_about_a_false_claim_is_shown_instead_of_the_reason() -> None:
    claim, truth = "a full house", "has: a pair of sevens, on the board"
    thought = f"{FILLER} {REASON} And now I have {claim}. {FILLER}"
    start = thought.index(claim)
    excerpt = choose_excerpt(thought, [Checked(start, start + len(claim), right=False, truth=truth)])
    (mark,) = excerpt.checked
    assert excerpt.text[mark.start : mark.end] == claim
    assert REASON not in excerpt.text
    without_truth = choose_excerpt(thought, [Checked(start, start + len(claim), right=False)])
    assert without_truth.text == f"{REASON} And now I have {claim}."


def test_repeated_sentence_makes_way_for_a_new_one() -> None:
    stock_sentence = "I raise because a small raise is always right here."
    shown_before = comparable_sentences(f"{stock_sentence} I call.")
    for thought, text in (
        (f"{stock_sentence} My gutshot has four outs.", "My gutshot has four outs."),
        # "I call." is so short that it may be repeated.
        (f"{stock_sentence} {FILLER} My gutshot has four outs. I call.", "My gutshot has four outs. I call."),
        (f"{stock_sentence} Well.", f"{stock_sentence} Well."),
    ):
        assert choose_excerpt(thought, shown_before=shown_before).text == text


WORDS = ("I", "have", "two pair", "because", "so that", "odds", "12.5", "call", "Señor", "(maybe)", "好", "e\u0301")
ENDS = ("", "", "", ",", ";", ".", "!", "…", "。", " and")


def test_excerpt_of_a_thought_is_short_and_keeps_its_word_order() -> None:
    dice = random.Random(1)
    for _ in range(3000):
        thought = " ".join(dice.choice(WORDS) + dice.choice(ENDS) for _ in range(dice.randrange(1, 110)))[:600].strip()
        marks = [
            Checked(match.start(), match.end(), dice.random() < 0.5, dice.choice(("", "has: one pair")))
            for match in re.finditer("two pair", thought)
        ]
        excerpt = choose_excerpt(thought, marks)
        truths = sum(len(mark.truth) + 3 for mark in excerpt.checked if mark.truth)
        assert 0 < len(excerpt.text) + truths <= MAX_CHARACTERS
        assert all(excerpt.text[mark.start : mark.end] == "two pair" for mark in excerpt.checked)
        assert len(excerpt.checked) == excerpt.text.count("two pair")
        assert any(not mark.right for mark in excerpt.checked) or all(mark.right for mark in marks)
        end = 0
        for word in excerpt.text.replace("…", " ").split():
            end = thought.index(word, end) + len(word)
            assert thought[end : end + 1] != "\u0301"
