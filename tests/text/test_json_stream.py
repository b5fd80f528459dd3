"""JSON objects are found in a stream of bytes, even if they are glued together or cut anywhere."""

import json
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.text.json_stream import MAX_BYTES, JsonStream
from server.text.strict_json import BadJson, JsonObject, read_object

CALL = b'{"command":"take_action","action":"call","raise_amount":"250"}'
CHAT = '{"command": "send_chat", "message": "Señor \\"Ace\\" \\u00e9 \\\\ ♠ 𝄞"}'.encode()


def split(*chunks: bytes) -> list[JsonObject | BadJson]:
    """Returns what the stream finds when `chunks` arrive one after the other."""
    scanner = JsonStream("command")
    return [piece.value for chunk in chunks for piece in scanner.feed(chunk)]


def byte_by_byte(text: bytes) -> list[JsonObject | BadJson]:
    return split(*(text[index : index + 1] for index in range(len(text))))


def valid_objects(messages: Iterable[JsonObject | BadJson]) -> list[JsonObject]:
    return [message for message in messages if not isinstance(message, BadJson)]


def test_message_has_at_most_8_kib_and_8_levels() -> None:
    longest = b'{"command":"' + b"x" * (MAX_BYTES - len(b'{"command":""}')) + b'"}'
    assert valid_objects(split(longest)) == [json.loads(longest)]
    longer = longest.replace(b"xx", b"xxx", 1)
    assert split(longer + CALL) == byte_by_byte(longer + CALL)
    assert valid_objects(split(longer + CALL)) == [json.loads(CALL)]
    nested = [b'{"command":' + b"[" * (depth - 1) + b"1" + b"]" * (depth - 1) + b"}" for depth in (8, 9, 5000)]
    assert [len(valid_objects(split(each))) for each in nested] == [1, 0, 0]
    assert valid_objects(split(nested[2] + CALL)) == [json.loads(CALL)]


NOT_VALUES = (
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"1" + b"0" * 40, b"-1" + b"0" * 40, b"9" * 5000, b"01", b"1.", b".5",
    b"+5", b'"\\ud800"', b'"\\udc00\\ud800"', b'["\\u0000"]', b'"\x00"', b'"\n"', b'"\x1f"', b'"\xff"', b'"\\x"',
    b'"\xc0\xaf"',  # a slash in more bytes than UTF-8 allows
    b'"\xed\xa0\x80"',  # half a surrogate pair in UTF-8
    b'"\xf4\x90\x80\x80"',  # a code point beyond Unicode's last
    b"[1,]", b"[1", b"[1:2]",
)  # fmt: skip
MALFORMED = [
    *(b'{"command":"x","v":%b}' % value for value in NOT_VALUES),
    b'{"command":"x","\\udfff":1}', b'{"command":"x",}', b'{"command":"x" "a":1}', b'{"command":"x"]',
    b'{"command":"x",["a"]}', b'{"command"}', b'{{"command":"x"]}', b"{'command':'x'}", b'{command:"x"}', b"[1,2,3]",
    b'"a string"', b"null", b"fold", b"\x00\x01\x02",
]  # fmt: skip


def test_garbage_is_malformed_and_the_next_message_is_found() -> None:
    for text in MALFORMED:
        messages = split(text + CALL)
        assert messages[-1] == json.loads(CALL), text
        assert {type(piece) for piece in messages[:-1]} == {BadJson}, text
        assert byte_by_byte(text + CALL) == messages, text


@pytest.mark.parametrize(("text", "reason"), [
    (b'{"a":01}', "not JSON from character 7 on"),
    ('{"a":"é"'.encode(), "not JSON from character 9 on"),
    (b'{"a":"\xe9"}', "not JSON: invalid UTF-8 from byte 7 on"),
    ('{"a":1}'.encode("utf-16"), "not JSON: invalid UTF-8 from byte 1 on"),
    (b'{"a":' + b"[" * 100_000, "nested too deep"),
    (b"[1]", "not a JSON object"),
    (b'{"a":1e999}', "an infinite number"),
    (b'{"a":%d}' % 10**40, "a number of more than 40 digits"),
])  # fmt: skip
def test_strict_reader_says_what_is_wrong_and_where(text: bytes, reason: str) -> None:
    assert read_object(text) == BadJson(reason)


def test_garbage_in_one_piece_is_refused_once() -> None:
    assert len(split(b"fold! fold! fold!\n")) == 1
    assert [piece.raw for piece in JsonStream("command").feed(b' {"a": NaN}\nraise!\n')] == [b'{"a": NaN}', b"raise!"]
    assert len(split(b"fold\ncall\n")) == 2
    assert len(split(b'{"a":{"b":{"c":oops}}}\n' + CALL)) == 2
    assert len(split(b'{"command":"take_action","action":"call"')) == 0
    reason = "not JSON: a key or a closing bracket was expected (found a NUL; is it UTF-16?)"
    assert BadJson(reason) in split(CALL.decode().encode("utf-16"))


def test_command_inside_a_malformed_object_is_found() -> None:
    call = json.loads(CALL)
    assert split(b'{"a":' + CALL + b"}" + CALL) == [BadJson("a command inside another object"), call, call]
    assert valid_objects(split(b'{"a":{"comm\\u0061nd":"get_logs"}')) == [{"command": "get_logs"}], (
        "the key `command` must be found even if it is written with escapes"
    )


@pytest.mark.parametrize("opening", [b'{"a":"', b'{"a":[', b'{"a":[1,', b'{"a":"\\', b"{", b'{"a":{"b":'])
def test_message_after_an_object_that_never_closes_is_found(opening: bytes) -> None:
    for length in (1, 100, MAX_BYTES - 100, MAX_BYTES - 30, MAX_BYTES, 3 * MAX_BYTES):
        for filling in (b"x", b"1,", b" ", b"\xe2\x99\xa0"):
            text = opening + (filling * length)[:length] + CALL
            for cut in (5000, len(text)):
                assert valid_objects(split(text[:cut], text[cut:]))[-1] == json.loads(CALL)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
    # No message may contain NUL or half a surrogate pair.
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text("abc{}[]\"\\,: é♠", max_size=5), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
objects = st.dictionaries(st.sampled_from(["a", "b", '"', "{", "message"]), json_values, max_size=4).filter(
    lambda value: isinstance(read_object(json.dumps(value).encode()), dict) and _depth(value) <= 8
)
syntax_scraps = st.lists(
    st.sampled_from([*b'{}[]":,\\', *(b"\n", b" ", b'"command"', b"\\u00", b"\xe2", b"\x99", b"tru", b"-1", b"\x00")]),
    max_size=30,
).map(lambda parts: b"".join(part if isinstance(part, bytes) else bytes([part]) for part in parts))
garbage = st.binary(max_size=30) | syntax_scraps
byte_streams = st.lists(
    garbage | st.builds(lambda value, ascii_: json.dumps(value, ensure_ascii=ascii_).encode(), objects, st.booleans()),
    max_size=6,
).map(b"".join)


@given(
    st.lists(objects, max_size=5), st.booleans(), st.sampled_from([b"", b"\n", b" \r\n\t", b"\0", b"\n\xef\xbb\xbf"])
)
def test_objects_written_by_a_json_library_are_found(messages: list[JsonObject], ascii_: bool, between: bytes) -> None:
    """C strings end with NUL, and some languages write byte order marks. So NULs and these marks may follow objects."""
    text = between.join(json.dumps(message, ensure_ascii=ascii_).encode() for message in messages)
    assert split(text) == byte_by_byte(text) == messages


@given(garbage, garbage)
def test_complete_message_is_found_whatever_precedes_it(first: bytes, second: bytes) -> None:
    assert valid_objects(split(first + CALL + second + CHAT))[-1] == json.loads(CHAT)
    assert json.loads(CALL) in valid_objects(split(first + CALL))


@given(byte_streams, st.lists(st.integers(0, 400), max_size=8))
@example(b'{"a":"\xe0\x80', [6])
@example(b'{"a":{"command":1},"b":{}}x{', [3, 9, 20])
@example(b'{"a": null, "b": null}', [11])
def test_same_messages_are_found_however_the_bytes_are_cut(text: bytes, cuts: list[int]) -> None:
    cut_points = sorted({*cuts, 0, len(text)} & set(range(len(text) + 1)))
    pieces = [text[start:end] for start, end in pairwise(cut_points)]
    assert repr(split(*pieces)) == repr(split(text)) == repr(byte_by_byte(text))


def _depth(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)
