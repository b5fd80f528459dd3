"""Slots for connections are limited for each address, and some are reserved for the desk."""

import pytest

from broadcast.web.connections.limits import (
    ARRIVALS_PER_SECOND,
    COST_OF_A_FLOOD,
    MIN_REQUEST_SECONDS,
    PROCESSOR_SECONDS,
    RESERVED_SLOTS,
    ConnectionLimits,
    Slot,
)

HERE = "127.0.0.1"


class Room:
    """Slots with a clock that only the test moves; records the numbers of the connections that had to give way."""

    def __init__(self, most: int, reserved: int = RESERVED_SLOTS) -> None:
        self.now = 0.0
        self.gone: list[int] = []
        self.slots = ConnectionLimits(most, lambda: self.now, reserved)

    def connect(self, address: str, number: int = 0) -> Slot | None:
        return self.slots.acquire(address, lambda: self.gone.append(number))

    def fill(self, slots: int) -> list[Slot]:
        taken = [self.connect(f"198.51.100.{number}", number) for number in range(slots)]
        return [slot for slot in taken if slot]


def served(slot: Slot | None) -> bool:
    return slot is not None and slot.refusal() is None


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("192.0.2.1", "::ffff:192.0.2.1", "::ffff:192.0.2.2"),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::9", "2001:db8:0:2::1"),
    ],
)
def test_one_address_or_ipv6_network_gets_at_most_a_quarter_of_the_slots(one: str, same: str, other: str) -> None:
    room = Room(80)
    assert all(served(room.connect(one)) for _ in range(20))
    room.now += 1
    assert not served(room.connect(same))
    assert served(room.connect(other))


def test_connections_of_one_address_are_rate_limited() -> None:
    room = Room(80)
    for _ in range(20):
        slot = room.connect("192.0.2.1")
        assert slot
        slot.leave()
    assert room.connect("192.0.2.1") is None
    assert served(room.connect("192.0.2.2"))
    room.now += 1 / ARRIVALS_PER_SECOND
    assert served(room.connect("192.0.2.1"))


def test_flood_limits_new_connections_of_its_address_for_a_moment() -> None:
    room = Room(80)
    flooder = room.connect("192.0.2.1")
    assert flooder
    flooder.charge_flood()
    left = 20 - 1 - COST_OF_A_FLOOD
    assert [room.connect("192.0.2.1") is not None for _ in range(left + 1)] == [True] * left + [False]
    assert served(room.connect("192.0.2.2"))
    for _ in range(3):
        flooder.charge_flood()
    room.now += (3 * COST_OF_A_FLOOD + 1) / ARRIVALS_PER_SECOND
    assert room.connect("192.0.2.1")


def test_requests_of_one_address_are_limited_but_requests_of_the_desk_are_not() -> None:
    room = Room(80)
    slot, desk, other = room.connect("192.0.2.1"), room.connect("192.0.2.1"), room.connect("192.0.2.2")
    assert slot
    assert desk
    desk.prove()
    answers = [slot.refusal() for _ in range(round(PROCESSOR_SECONDS / MIN_REQUEST_SECONDS) + 1)]
    assert answers[-2] is None
    assert answers[-1]
    assert answers[-1].status == 429
    assert served(desk)
    assert served(other)
    room.now += 1
    assert served(slot)


def test_address_with_most_waiting_connections_gives_way_first() -> None:
    room = Room(1, reserved=3)
    room.fill(1)
    operator = room.connect("192.0.2.1", 1)
    for number in range(2, 9):
        room.connect("192.0.2.2", number)
    assert operator
    operator.prove()
    assert room.gone == [2, 3, 4, 5, 6]
    assert served(operator)


def test_idle_addresses_are_forgotten() -> None:
    room = Room(10)
    for number in range(20_000):
        room.now += 0.01
        slot = room.connect(f"2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::1")
        assert slot
        slot.leave()
    assert len(room.slots._addresses) <= 1024


def test_owner_of_many_ipv6_networks_leaves_half_of_the_slots_to_others() -> None:
    room = Room(80, reserved=8)
    theirs = [room.connect(f"2001:db8:0:{number:x}::1") for number in range(200)]
    assert sum(map(served, theirs)) == 40
    others = [room.connect(f"2001:db8:{number:x}::1", number) for number in range(1, 41)]
    assert all(map(served, others))
    waiting = room.connect("192.0.2.1", 99)
    assert waiting is not None
    assert 99 not in room.gone


def test_slots_are_limited_and_a_released_slot_can_be_taken() -> None:
    room = Room(10)
    taken = room.fill(10)
    late = room.connect("192.0.2.1")
    assert (all(map(served, taken)), served(late)) == (True, False)
    taken[3].leave()
    taken[3].leave()
    assert served(late)
    assert not served(room.connect("192.0.2.2"))
