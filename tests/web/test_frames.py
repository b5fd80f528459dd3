"""WebSocket frames: read in any pieces, and refused where no browser would send them."""

import pytest

from broadcast.web.connections.frames import (
    CLOSE,
    LONGEST_MESSAGE,
    PING,
    PONG,
    PROTOCOL_ERROR,
    TEXT,
    TOO_BIG,
    BadFrame,
    Control,
    FrameReader,
    frame,
)

MASK = b"\x01\x02\x03\x04"


def masked(first: int, payload: bytes) -> bytes:
    """A frame as browsers send it; `first` is its first byte."""
    plain = bytearray(frame(0, payload))
    plain[0] = first
    plain[1] |= 0x80
    start = len(plain) - len(payload)
    hidden = bytes(each ^ MASK[at % 4] for at, each in enumerate(payload))
    return bytes(plain[:start]) + MASK + hidden


SAID = (
    masked(0x89, b"hello"),
    masked(0x81, b"a message"),
    masked(0x01, b"in two "),
    masked(0x8A, b""),
    masked(0x80, b"parts"),
    masked(0x82, b"x" * 300),
    masked(0x88, b"\x03\xe8bye"),
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 128, 1000])
def test_control_frames_are_found_whatever_the_pieces(size: int) -> None:
    whole, reader = b"".join(SAID), FrameReader()
    found = [control for at in range(0, len(whole), size) for control in reader.read(whole[at : at + size])]
    assert found == [Control(PING, b"hello"), Control(PONG, b""), Control(CLOSE, b"\x03\xe8bye")]
    assert reader.frames == len(SAID)


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (b"\x89\x00", PROTOCOL_ERROR),  # not masked
        (b"\xc1\x80\0\0\0\0", PROTOCOL_ERROR),  # an extension
        (b"\x83\x80\0\0\0\0", PROTOCOL_ERROR),  # no such kind
        (b"\x09\x80\0\0\0\0", PROTOCOL_ERROR),  # a ping in parts
        (b"\x89\xfe\x00\x7e", PROTOCOL_ERROR),  # a ping too long
        (b"\x00\x80\0\0\0\0", PROTOCOL_ERROR),  # goes on with nothing
        (b"\x01\x80\0\0\0\0\x01\x80\0\0\0\0", PROTOCOL_ERROR),  # begins in the middle of another
        (b"\x81\xfe" + (LONGEST_MESSAGE + 1).to_bytes(2, "big"), TOO_BIG),
        (b"\x81\xff" + (1 << 62).to_bytes(8, "big"), TOO_BIG),
    ],
)
def test_what_no_browser_sends_is_refused_before_it_is_whole(frames: bytes, code: int) -> None:
    with pytest.raises(BadFrame) as refused:
        FrameReader().read(frames)
    assert refused.value.code == code


def test_nothing_is_kept_of_what_was_read() -> None:
    reader = FrameReader()
    reader.read(frame(TEXT, b"")[:1] + b"\x80\0\0\0\0")
    assert not reader._rest
