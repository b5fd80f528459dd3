"""Each contest's dialect sends and reads messages as the guide and the schemas describe them; every field is described.

The messages are the guide's examples, the guide's mistakes, and the messages of random hands. The server's own
functions read registrations. The fields that the server reads during a game are the keys that the dialects' source
looks up.
"""

import ast
import inspect
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # jsonschema has no types

from assets.make.example_messages import messages_of_a_hand
from server.bots.dialects import messages
from server.bots.dialects.http_calls import Refused, Reply
from server.bots.dialects.messages import ChatMessage, DecisionMessage, LogRequest, Malformed, NoAnswer
from server.contests import CONTESTS
from server.contests.arena.rules import ARENA
from server.contests.arena.venue.venue import Named
from server.contests.contest import Contest, Message, Mistake
from server.contests.registration_messages import PracticeWishes, Register, Registered
from server.contests.upac.rules import UPAC
from server.game.betting import resolve, start_hand, take_turn
from server.game.events import ChatSent, Event, Fault
from server.game.view import View, view_of
from server.registration.register import RegisterReply, Registration, read_registration
from server.registration.wishes import (
    HOUSE_WISHES,
    MIN_KEY_CHARACTERS,
    TEXT_WISHES,
    AuthorWishes,
    HouseSettings,
    is_strong,
)
from tests.bots.views import entrants_of, table_view
from tests.contests.enova.enova_table import EnovaTable, rack
from tests.game.random_hands import random_decision, random_deck
from tests.game.table import deal
from tests.support.source_files import ROOT

RANDOM_HANDS = 50
DESCRIBED_CONTESTS = [CONTESTS[each] for each in ("quick-draw", "enova", "arena", "upac")]
"""All contests but the ACPC, whose messages other tests compare with pokerkit's."""
FROM_BOTS = [(contest, message, text) for contest in DESCRIBED_CONTESTS for message in contest.protocol.messages
             if message.sender == "bot" for text in message.examples]  # fmt: skip
MISTAKES = [(contest, mistake) for contest in DESCRIBED_CONTESTS for mistake in contest.protocol.mistakes]


@pytest.mark.parametrize(("contest", "message", "text"), FROM_BOTS)
def test_every_example_of_a_bots_message_is_understood(contest: Contest, message: Message, text: str) -> None:
    if message.name == "register":
        assert read_registration(text.encode())[0].name
    elif message.name.startswith("POST /"):
        fields = json.loads(text) if text.startswith("{") else rack(text.encode())
        assert fields.items() <= msgspec.to_builtins(msgspec.convert(fields, message.type)).items()
    else:
        assert isinstance(read_message(contest, text), DecisionMessage | ChatMessage | LogRequest | NoAnswer)


@pytest.mark.parametrize(("contest", "mistake"), MISTAKES)
def test_every_mistake_is_recorded_as_the_guide_says(contest: Contest, mistake: Mistake) -> None:
    said = read_message(contest, mistake.sent)
    assert isinstance(said, Malformed | Refused)
    reason = said.code if contest.id == "quick-draw" and isinstance(said, Malformed) else said.reason
    assert reason.startswith(mistake.reported_as)


EXPECTED: list[tuple[str, View, str, list[object]]] = [
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


@pytest.mark.parametrize(("contest", "view", "words", "answers"), EXPECTED)
def test_expected_answers_are_accepted(contest: str, view: View, words: str, answers: list[object]) -> None:
    assert CONTESTS[contest].rule_texts.legal_answers_text(view.hand) == words
    for answer in answers:
        said = read_message(CONTESTS[contest], answer if isinstance(answer, str) else json.dumps(answer), view)
        assert isinstance(said, DecisionMessage), (answer, said)
        resolve(view.hand, said.decision)


def test_each_kind_of_fault_breaks_a_different_rule() -> None:
    faults: tuple[Fault, ...] = ("malformed", "illegal", "timeout", "disconnected")
    for contest in CONTESTS.values():
        rules = {contest.rule_texts.rule_on(fault, asked=True) for fault in faults}
        assert len({*rules, contest.rule_texts.rule_on("illegal", asked=False)}) == 5


@pytest.mark.parametrize("contest", DESCRIBED_CONTESTS, ids=[each.id for each in DESCRIBED_CONTESTS])
def test_messages_of_random_hands_match_definition_and_schema(contest: Contest) -> None:
    to_bots = [message for message in contest.protocol.messages if message.sender == "server"]
    for name, example in ((message.name, example) for message in to_bots for example in message.examples):
        assert_as_defined(contest, name, example)
    counted = {message.name: 0 for message in to_bots if not message.examples}
    assert messages_of_a_hand(contest).keys() == counted.keys(), (
        "the guide must have an example of every message of a hand"
    )
    dice = random.Random(contest.id)
    dialects: list[Any] = [
        contest.make_http_dialect(entrants_of(8)) if contest.uses_http else contest.make_dialect() for _ in range(8)
    ]
    for number in range(RANDOM_HANDS):
        for name, sent in play_hand(contest, number + 1, dialects, dice):
            assert name in counted, sent
            counted[name] += 1
            assert_as_defined(contest, name, sent)
    outside = {"confirm_action", "log_data"}  # no hand contains these messages
    assert not [name for name, count in counted.items() if not count and name not in outside]


def assert_as_defined(contest: Contest, name: str, sent: str) -> None:
    """Raises AssertionError or ValidationError if a message does not match its definition in the guide."""
    kind = next(message.type for message in contest.protocol.messages if message.name == name)
    if isinstance(kind, str):
        assert re.fullmatch(kind, sent), sent
    elif contest.id == "enova":
        msgspec.convert(lists_in(rack(sent.encode())), kind, strict=False)
    else:
        msgspec.json.decode(sent, type=kind)
        assert not list(validator(contest.id, kind.__name__).iter_errors(json.loads(sent)))


@cache
def validator(contest: str, name: str) -> Any:
    """A validator for the message `name` in the contest's published schema."""
    schema = json.loads((ROOT / f"assets/schemas/{contest}.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator({**schema, "$ref": f"#/$defs/{name}"})


def read_message(contest: Contest, text: str, view: View | None = None) -> Any:
    """The server's reading of a message from the bot to act. In the default `view`, this bot has a bet to call."""
    if contest.uses_http:
        arena = contest.id == "arena"
        view = view or (
            table_view(deal("2000 2000 2000", rules=ARENA)) if arena else EnovaTable("20 20", "As Ad, 3d 9s").view
        )
        return contest.make_http_dialect(view.entrants).read(Reply(200, text.encode()), view)
    dialect = contest.make_dialect()
    if view:
        dialect.ask(view)
    (message,) = dialect.receive(f"{text}\n".encode())
    return message.content


def play_hand(contest: Contest, number: int, dialects: Sequence[Any], dice: random.Random) -> Iterator[tuple[str, str]]:
    """Plays a hand with a chat, random stacks and random decisions; yields the name and text of every message."""
    entrants, named = (
        entrants_of(dice.randint(2, min(8, contest.format.stages[-1].seats))),
        contest.sample.name_and_text,
    )
    stacks = [dice.choice((1, 2, 17, 50, 100, 5000)) if not contest.is_duel else dice.randint(1, 99) for _ in entrants]
    hand, events = start_hand(contest.format.rules, number, 0, stacks, random_deck(dice))
    events = [*events, ChatSent(entrants[0].bot, "Howdy!")]
    while True:
        for event in events:
            for seat in range(len(entrants)):
                view = view_of(hand, seat, 1, entrants)
                yield from map(named, _notify(dialects[seat], event, view))
        if hand.turn is None:
            return
        yield named(dialects[hand.turn.seat].ask(view_of(hand, hand.turn.seat, 1, entrants)))
        hand, events = take_turn(hand, random_decision(dice, hand))


def _notify(dialect: Any, event: Event, view: Any) -> list[Any]:
    sent = dialect.notify(event, view) if isinstance(event, dialect.news_types) else None
    return sent if isinstance(sent, list) else [sent] if sent else []


def lists_in(form: Any) -> Any:
    """In a decoded form, turns each dict with the keys "0", "1", "2" … into a list, as the guide describes it."""
    if not isinstance(form, dict):
        return form
    inner = {key: lists_in(value) for key, value in form.items()}
    numbered = list(inner) == [str(at) for at in range(len(inner))]
    return list(inner.values()) if numbered and inner else inner


IN_JSON = [each for each in CONTESTS.values() if each.id in {"quick-draw", "enova", "arena"}]
KEY = "a key of my own"


def fields_of(kind: Any) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(kind)}


def definition(contest: str, name: str) -> Any:
    return next(one.type for one in CONTESTS[contest].protocol.messages if one.name == name)


def test_registration_reads_exactly_the_documented_fields() -> None:
    _, (warning,) = read_registration(b'{"name": "Ada", "colour": "red"}')
    listed = warning.removeprefix('the key "colour" is ignored: known keys are ')
    assert set(listed.split(", ")) == fields_of(Register)
    values = ("Ada", 2, 4, "s", KEY, "code", 1, 1)
    fields = ("name", "test_game_size", "test_hand_count", "secret", "key", "challenge", *HOUSE_WISHES)
    everything = dict(zip(fields, values, strict=True))
    assert everything.keys() == fields_of(Register)
    read = read_registration(json.dumps(everything).encode())
    assert read == (Registration("Ada", 2, 4, "s", AuthorWishes(KEY, HouseSettings(1, 1), "code")), [])


@pytest.mark.parametrize("field", ["test_game_size", "test_hand_count", "house_think_ms", "house_strength"])
def test_schema_allows_the_same_numbers_as_the_server(field: str) -> None:
    found = json.loads((ROOT / "assets/schemas/quick-draw.json").read_text())["$defs"]["Register"]["properties"][field]
    least, most, default = found["minimum"], found["maximum"], found["default"]

    def warnings(value: int) -> list[str]:
        return read_registration(json.dumps({"name": "Ada", field: value}).encode())[1]

    assert [bool(warnings(value)) for value in (least - 1, least, most, most + 1)] == [True, False, False, True]
    assert f"using {default}" in warnings(most + 1)[0]


@pytest.mark.parametrize(("contest", "name"), [("enova", "POST /tournament/register"), ("arena", "POST /practice")])
def test_every_field_of_a_practice_form_is_documented(contest: str, name: str) -> None:
    venue = sys.modules[type(CONTESTS[contest].venue()).__module__]
    assert fields_of(definition(contest, name)) == {venue.FORM.field, "name", *HOUSE_WISHES, *TEXT_WISHES}


def test_schema_allows_the_keys_that_the_server_calls_strong() -> None:
    msgspec.convert({"key": KEY}, PracticeWishes)
    short = KEY[: MIN_KEY_CHARACTERS - 1]
    assert (is_strong(KEY), is_strong(short)) == (True, False)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"key": short}, PracticeWishes)


def test_answers_to_a_registration_have_exactly_the_documented_fields() -> None:
    written = {field.serialization_alias or name for name, field in RegisterReply.model_fields.items()}
    assert fields_of(Registered) == written
    assert fields_of(definition("arena", "registered")) == fields_of(Named)


@pytest.mark.parametrize("contest", IN_JSON, ids=[each.id for each in IN_JSON])
def test_dialects_read_exactly_the_documented_fields_of_messages(contest: Contest) -> None:
    dialect = type(contest.make_http_dialect(()) if contest.uses_http else contest.make_dialect())
    looked_up = {*_keys_in(sys.modules[dialect.__module__]), *_keys_in(messages)}
    kinds = [one.type for one in contest.protocol.messages if one.sender == "bot" and "egister" not in one.name]
    kinds = [kind for kind in kinds if not issubclass(kind, PracticeWishes)]
    tags = {kind.__struct_config__.tag_field for kind in kinds} - {None}
    assert looked_up == {field for kind in kinds for field in fields_of(kind)} | tags


def _keys_in(module: Any) -> Iterator[str]:
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            first = node.args[0]
            if isinstance(first, ast.Constant):
                yield str(first.value)
