"""The guide's pages and the schemas have every field that the server reads or writes, and no other.

Registrations are read by the server's own functions. The fields that the server reads during a game are the keys that
the dialects' source looks up. `test_message_definitions` compares what the server writes during a game.
"""

import ast
import inspect
import json
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from server.bots.dialects import messages
from server.bots.house.ladder import LADDER
from server.contests import CONTESTS
from server.contests.arena.venue.venue import Named
from server.contests.contest import Contest
from server.contests.registration_messages import PracticeWishes, Register, Registered
from server.registration.register import RegisterReply, Registration, read_registration
from server.registration.wishes import HOUSE_WISHES, KEY_CHARACTERS, WISHES_IN_WORDS, Asked, House, is_strong
from tests.support.source_files import ROOT

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
    registration, warnings = read_registration(json.dumps(everything).encode())
    house = House(1, 1)
    assert registration == Registration("Ada", 2, 4, "s", Asked(KEY, house, "code"))
    assert not warnings


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
    assert fields_of(definition(contest, name)) == {venue.FORM.field, "name", *HOUSE_WISHES, *WISHES_IN_WORDS}


def test_documented_wishes_for_practice_match_the_ladder_and_the_rule_for_keys() -> None:
    assert fields_of(PracticeWishes) == {*HOUSE_WISHES, *WISHES_IN_WORDS}
    assert len(LADDER) == HOUSE_WISHES["house_strength"].allowed[-1]
    msgspec.convert({"key": KEY}, PracticeWishes)
    short = KEY[: KEY_CHARACTERS - 1]
    assert is_strong(KEY)
    assert not is_strong(short)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"key": short}, PracticeWishes)


def test_answers_to_a_registration_have_exactly_the_documented_fields() -> None:
    written = {field.serialization_alias or name for name, field in RegisterReply.model_fields.items()}
    assert fields_of(Registered) == written
    assert fields_of(definition("arena", "registered")) == fields_of(Named)


@pytest.mark.parametrize("contest", IN_JSON, ids=[each.id for each in IN_JSON])
def test_dialects_read_exactly_the_documented_fields_of_messages(contest: Contest) -> None:
    dialect = type(contest.call(()) if contest.called else contest.talk())
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
