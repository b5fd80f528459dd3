"""Dialects (in the server) and wires (in bots) write and read each contest's messages as the guide says."""

import inspect
import json
import random
import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # jsonschema has no types
from msgspec import UNSET

from assets.make.example_messages import messages_of_a_hand
from server.bots.dialects import messages
from server.bots.dialects.http_calls import Refused, Reply, Request
from server.bots.dialects.messages import ChatMessage, DecisionMessage, LogRequest, Malformed, NoAnswer
from server.bots.dialects.wire import Choice, OpponentChat, Question, Rejection, Wire
from server.contests import CONTESTS
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import rules_of
from server.contests.arena.rules import ARENA
from server.contests.arena.venue.venue import RegistrationAnswer
from server.contests.contest import Contest, Message
from server.contests.registration_messages import PracticeOptionFields, Register, Registered
from server.contests.upac.rules import UPAC
from server.game.betting import resolve, start_hand, take_turn
from server.game.events import ChatSent, Event, Fault
from server.game.hand import Hand
from server.game.view import View, view_of
from server.registration import practice_options
from server.registration.register import RegisterReply, Registration, read_registration
from tests.bots.views import entrants_of, first_turn_view, table_view
from tests.contests.enova_bots import EnovaTable, read_form
from tests.game.random_hands import random_deck
from tests.game.table import deal
from tests.support.source_files import ROOT

THOUGHT = 'He said "fold", and looked away: weak.'
RAISES = {"bet", "raise"}
ACTS_OF_ACTION = {"fold": {"fold"}, "check": {"check"}, "call": {"call"}, "raise": RAISES, "all_in": {"call", *RAISES}}


def test_server_reads_examples_and_mistakes_as_the_guide_says() -> None:
    """ACPC is left out: its bots repeat the server's last line, which this test does not send."""
    for contest in (contest for contest in CONTESTS.values() if contest.id != "acpc"):
        for message in (message for message in contest.protocol.messages if message.sender == "bot"):
            for text in message.examples:
                check_understood(contest, message, text)
        for mistake in contest.protocol.mistakes:
            content = read_message(contest, mistake.sent)
            assert isinstance(content, Malformed | Refused), mistake
            reason = content.code if contest.id == "quick-draw" and isinstance(content, Malformed) else content.reason
            assert reason.startswith(mistake.reported_as), mistake


def check_understood(contest: Contest, message: Message, text: str) -> None:
    if message.name == "register":
        assert read_registration(text.encode())[0].name
    elif message.name.startswith("POST /"):
        fields = json.loads(text) if text.startswith("{") else read_form(text.encode())
        assert fields.items() <= msgspec.to_builtins(msgspec.convert(fields, message.type)).items()
    else:
        assert isinstance(read_message(contest, text), DecisionMessage | ChatMessage | LogRequest | NoAnswer), text


EXPECTED_ANSWERS: list[tuple[str, View, str, list[object]]] = [
    ("quick-draw", table_view(deal("5000 5000 5000")),
     "fold, call (costs 100) or raise with a raise_amount of 101 to 5000, within 3 s",
     [{"command": "take_action", "action": "call"},
      *({"command": "take_action", "action": "raise", "raise_amount": to} for to in (101, 5000))]),
    ("arena", table_view(deal("2000 2000 2000", rules=ARENA)),
     "fold, call (costs 20), raise with an amount of 40 to 2000 or all_in, within 3 s",
     [{"action": "call"}, {"action": "all_in"}, *({"action": "raise", "amount": to} for to in (40, 2000))]),
    ("enova", EnovaTable("20 20 20").view,
     "blind with an amount of 1 or fold, within 5 s", [{"action": "blind", "amount": 1}]),
    ("enova", EnovaTable("20 20 20").play("blind:1 blind:2").view,
     "bet with an amount of 2 (a call) or 3 to 20 (a raise) or fold, within 5 s",
     [{"action": "bet", "amount": to} for to in (2, 3, 20)]),
    ("upac", table_view(deal("100 100", rules=UPAC)),
     "F, C (costs 1) or R with a number up to 98, such as R6, within 1 s", ["F", "C", "R6", "R98"]),
]  # fmt: skip


@pytest.mark.parametrize(("contest", "view", "words", "answers"), EXPECTED_ANSWERS)
def test_expected_answers_are_accepted(contest: str, view: View, words: str, answers: list[object]) -> None:
    assert CONTESTS[contest].rule_texts.legal_answers_text(view.hand) == words
    for answer in answers:
        content = read_message(CONTESTS[contest], answer if isinstance(answer, str) else json.dumps(answer), view)
        assert isinstance(content, DecisionMessage), (answer, content)
        resolve(view.hand, content.decision)


def test_each_fault_breaks_a_different_rule() -> None:
    faults: tuple[Fault, ...] = ("malformed", "illegal", "timeout", "disconnected")
    for contest in CONTESTS.values():
        rules = {contest.rule_texts.rule_on(fault, asked=True) for fault in faults}
        assert len({*rules, contest.rule_texts.rule_on("illegal", asked=False)}) == 5


class Seat:
    """A seat's dialect and wire. `sent` has the name and the text of each message to the bot."""

    def __init__(self, contest: Contest) -> None:
        self._name_and_text = contest.sample.name_and_text
        self.dialect: Any
        self.dialect = contest.make_http_dialect(entrants_of(6)) if contest.uses_http else contest.make_dialect()
        self.wire: Wire = contest.wire()
        self.sent: list[tuple[str, str]] = []
        if self.wire.hello:  # `hello`: what the bot sends first
            assert not self.dialect.receive(self.wire.hello)

    def hear(self, event: Event, view: View) -> None:
        """Tells the bot of the event. The bot's wire must not read this message as a question. The wires of HTTP bots
        are not tested.
        """
        notice = self.dialect.notify(event, view) if isinstance(event, self.dialect.notified_events) else None
        self.sent += map(self._name_and_text, notice if isinstance(notice, list) else [notice] if notice else [])
        if isinstance(notice, bytes):
            assert not isinstance(self.wire.read(notice), Question)

    def ask(self, view: View) -> Question:
        request = self.dialect.ask(view)
        self.sent.append(self._name_and_text(request))
        question = self.wire.read(request.body if isinstance(request, Request) else request)
        assert isinstance(question, Question)
        return question

    def answer(self, choice: Choice, view: View) -> DecisionMessage:
        answer = self.wire.write(choice)
        uses_http = bool(self.wire.action_path)
        content = self.dialect.read(Reply(200, answer), view) if uses_http else self.dialect.receive(answer)[0].content
        assert isinstance(content, DecisionMessage), content
        return content


@pytest.mark.parametrize("contest", CONTESTS.values(), ids=list(CONTESTS))
def test_messages_of_random_hands_match_their_definitions(contest: Contest) -> None:
    messages_to_bots = [message for message in contest.protocol.messages if message.sender == "server"]
    for name, example in ((message.name, example) for message in messages_to_bots for example in message.examples):
        check_definition(contest, name, example)
    unseen = {message.name for message in messages_to_bots if not message.examples}
    assert messages_of_a_hand(contest).keys() == unseen, "messages without examples must occur in the sample hands"
    dice, actions = random.Random(contest.id), set[str]()
    for number in range(1, 61):
        seats = [Seat(contest) for _ in range(2 if contest.is_duel else dice.randint(2, 6))]
        actions |= play_hand(contest, number, seats, dice)
        for name, text in (sent for seat in seats for sent in seat.sent):
            check_definition(contest, name, text)
            unseen.discard(name)
    assert actions >= {"fold", "check", "call", "raise"}
    assert unseen <= {"confirm_action", "log_data"}, "only these two messages may be missing from the random hands"


def play_hand(contest: Contest, number: int, seats: Sequence[Seat], dice: random.Random) -> set[str]:
    """Plays a hand with random answers and one chat message. Returns the chosen actions."""
    entrants, actions = entrants_of(len(seats)), set[str]()
    hand, events = start_random_hand(contest, number, len(seats), dice)
    events = [*events, ChatSent(entrants[0].bot, "Howdy!")]
    while True:
        for event in events:
            for index, seat in enumerate(seats):
                seat.hear(event, view_of(hand, index, 1, entrants))
        if hand.turn is None:
            return actions
        seat, view = seats[hand.turn.seat], view_of(hand, hand.turn.seat, 1, entrants)
        question = seat.ask(view)
        check_question(question, view)
        legal = question.spot.legal
        move = dice.choice([move for move in legal for _ in range(1 if move.action in ("fold", "all_in") else 3)])
        amount = 0 if move.min is UNSET or move.max is UNSET else dice.choice((move.min, move.max))
        choice = Choice(move.action, amount, THOUGHT)
        message = seat.answer(choice, view)
        assert message.note == THOUGHT
        action = resolve(hand, message.decision)
        assert action.posts_blind == (choice.action == "post_blind")
        assert action.posts_blind or action.act in ACTS_OF_ACTION[choice.action]
        assert choice.action != "raise" or action.bet == choice.amount
        actions.add(choice.action)
        hand, events = take_turn(hand, message.decision)


def check_question(question: Question, view: View) -> None:
    spot, hand, turn = question.spot, view.hand, view.turn  # `spot`: what the bot knows at its turn
    me = hand.seats[view.seat]
    pot = sum(seat.committed for seat in hand.seats)
    assert (spot.street, spot.your_cards, spot.board) == (hand.street, me.cards, hand.board)
    # Enova's messages do not give the pot, so Enova's wire adds up the bets that it sees, and may miss some. UPAC's
    # messages leave out any part of a blind that the other bot has too few chips to match.
    assert spot.pot == pot or (spot.pot < pot and (hand.rules.blinds == "asked" or len(hand.seats) == 2))
    legal = {move.action: move for move in spot.legal}
    if not turn.blind:
        assert (spot.to_call, spot.your_chips + spot.your_bet) == (turn.to_call, me.stack + me.bet)
        assert ("raise" in legal) <= bool(turn.max_raise_to)
        assert not turn.max_raise_to or legal.keys() & {"raise", "all_in"}
    opponents = sum(seat.is_live for seat in hand.seats) - 1
    assert sum(other.state in ("active", "all_in") for other in spot.others) == opponents
    assert not set(question.names.values()) - {entrant.name for entrant in view.entrants}


def start_random_hand(contest: Contest, number: int, seats: int, dice: random.Random) -> tuple[Hand, Sequence[Event]]:
    if contest.id == "acpc":  # in ACPC, every hand begins with these stacks
        return start_hand(rules_of(Game(seats)), number, 0, (20_000,) * seats, random_deck(dice))
    stacks = [dice.randint(1, 99) if contest.is_duel else dice.choice((1, 2, 17, 100, 5000)) for _ in range(seats)]
    return start_hand(contest.format.rules, number, 0, stacks, random_deck(dice))


def test_bot_reads_chats_and_refusals() -> None:
    seat = Seat(CONTESTS["quick-draw"])
    view = first_turn_view()
    chat = seat.dialect.notify(ChatSent(view.entrants[1].bot, 'I "always" bluff'), view)
    assert seat.wire.read(chat) == OpponentChat(view.entrants[1].name, 'I "always" bluff')
    assert seat.wire.read(seat.dialect.answer("illegal")) == Rejection("INVALID_RAISE_AMOUNT")
    assert seat.wire.read(seat.dialect.answer("accepted")) is None


def check_definition(contest: Contest, name: str, text: str) -> None:
    """Raises AssertionError or ValidationError if a message does not match its definition in the guide."""
    message_type = definition(contest.id, name)
    if isinstance(message_type, str):
        assert re.fullmatch(message_type, text), text
    elif contest.id == "enova":
        msgspec.convert(make_lists(read_form(text.encode())), message_type, strict=False)
    else:
        msgspec.json.decode(text, type=message_type)
        assert not list(validator(contest.id, message_type.__name__).iter_errors(json.loads(text)))


@cache
def validator(contest: str, name: str) -> Any:
    """Returns a validator for the message `name` in the contest's published schema."""
    schema = json.loads((ROOT / f"assets/schemas/{contest}.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator({**schema, "$ref": f"#/$defs/{name}"})


def read_message(contest: Contest, text: str, view: View | None = None) -> Any:
    """Returns what the server reads in a message. `view` is what an HTTP bot sees of its hand."""
    if contest.uses_http:
        if view is None:
            three_bots = deal("2000 2000 2000", rules=ARENA)
            view = table_view(three_bots) if contest.id == "arena" else EnovaTable("20 20").view
        return contest.make_http_dialect(view.entrants).read(Reply(200, text.encode()), view)
    dialect = contest.make_dialect()
    if view:
        dialect.ask(view)
    (message,) = dialect.receive(f"{text}\n".encode())
    return message.content


def make_lists(form: Any) -> Any:
    """Turns each dict with the keys "0", "1", "2" … into a list. The guide defines these fields as lists."""
    if not isinstance(form, dict):
        return form
    fields = {key: make_lists(value) for key, value in form.items()}
    is_list = fields and list(fields) == [str(index) for index in range(len(fields))]
    return list(fields.values()) if is_list else fields


PRACTICE_KEY = "a key of my own"


def fields_of(message_type: Any) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(message_type)}


def definition(contest: str, name: str) -> Any:
    return next(message.type for message in CONTESTS[contest].protocol.messages if message.name == name)


def test_registration_has_exactly_the_documented_fields() -> None:
    _, (warning,) = read_registration(b'{"name": "Ada", "colour": "red"}')
    known_keys = warning.removeprefix('the key "colour" is ignored: known keys are ')
    assert set(known_keys.split(", ")) == fields_of(Register)
    values = ("Ada", 2, 4, "s", PRACTICE_KEY, "code", 1, 1)
    names = ("name", "test_game_size", "test_hand_count", "secret", "key", "challenge", *practice_options.HOUSE_OPTIONS)
    fields = dict(zip(names, values, strict=True))
    assert fields.keys() == fields_of(Register)
    registration = Registration(
        "Ada", 2, 4, "s", practice_options.PracticeOptions(PRACTICE_KEY, practice_options.HouseSettings(1, 1), "code")
    )
    assert read_registration(json.dumps(fields).encode()) == (registration, [])
    assert fields_of(Registered) == {
        field.serialization_alias or name for name, field in RegisterReply.model_fields.items()
    }
    assert fields_of(definition("arena", "registered")) == fields_of(RegistrationAnswer)
    msgspec.convert({"key": PRACTICE_KEY}, PracticeOptionFields)
    short_key = PRACTICE_KEY[: practice_options.MIN_KEY_CHARACTERS - 1]
    assert (practice_options.is_strong_key(PRACTICE_KEY), practice_options.is_strong_key(short_key)) == (True, False)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"key": short_key}, PracticeOptionFields)


@pytest.mark.parametrize("field", ["test_game_size", "test_hand_count", "house_think_ms", "house_strength"])
def test_schema_allows_the_same_numbers_as_the_server(field: str) -> None:
    schema = json.loads((ROOT / "assets/schemas/quick-draw.json").read_text())["$defs"]["Register"]["properties"][field]
    lowest, highest, default = schema["minimum"], schema["maximum"], schema["default"]

    def warnings(value: int) -> list[str]:
        return read_registration(json.dumps({"name": "Ada", field: value}).encode())[1]

    assert [bool(warnings(value)) for value in (lowest - 1, lowest, highest, highest + 1)] == [True, False, False, True]
    assert f"using {default}" in warnings(highest + 1)[0]


@pytest.mark.parametrize(("contest", "name"), [("enova", "POST /tournament/register"), ("arena", "POST /practice")])
def test_every_field_of_a_practice_form_is_documented(contest: str, name: str) -> None:
    """The module `venue` runs the contest's practice games. `FORM.field` is the form's field for a bot's address."""
    venue = sys.modules[type(CONTESTS[contest].venue()).__module__]
    fields = {venue.FORM.field, "name", *practice_options.HOUSE_OPTIONS, *practice_options.TEXT_OPTIONS}
    assert fields_of(definition(contest, name)) == fields


@pytest.mark.parametrize("name", ["quick-draw", "enova", "arena"])
def test_dialects_read_exactly_the_documented_fields_of_messages(name: str) -> None:
    """A dialect reads each field by `.get("key")`, so the test searches the dialect's source code for these calls."""
    contest = CONTESTS[name]
    dialect = contest.make_http_dialect(()) if contest.uses_http else contest.make_dialect()
    sources = map(inspect.getsource, (sys.modules[type(dialect).__module__], messages))
    keys = {key for source in sources for key in re.findall(r'\.get\(\s*"(\w+)"', source)}
    from_bots = [each for each in contest.protocol.messages if each.sender == "bot" and "egister" not in each.name]
    types = [message.type for message in from_bots if not issubclass(message.type, PracticeOptionFields)]
    tags = {message_type.__struct_config__.tag_field for message_type in types} - {None}
    assert keys == {field for message_type in types for field in fields_of(message_type)} | tags
