"""Groups of entries are prepared ahead of the show: each once, in order, and never beyond the next whole hand."""

from broadcast.on_air.table_state import TableEntry, with_tables
from broadcast.show.finished_hands import ShowQueue
from server.game.events import HandEnded
from tests.support.recordings import small_contest

ENTRIES = list(with_tables(small_contest()))
ENDS = [entry.seq for entry in ENTRIES if isinstance(entry.event, HandEnded)]


def filled(entries: list[TableEntry]) -> ShowQueue:
    queue = ShowQueue()
    for entry in entries:
        queue.accept(entry)
    return queue


def last_prepared(queue: ShowQueue, after: int = 0) -> int:
    """Returns the last entry that is prepared now; 0 if there is none."""
    return max((group[-1].seq for group in queue.ahead(after)), default=0)


def test_nothing_beyond_the_next_hand_is_prepared_until_that_hand_starts() -> None:
    queue = filled(ENTRIES)
    assert [last_prepared(queue), last_prepared(queue)] == [ENDS[0], 0]
    while queue.pop()[-1].seq < ENDS[0]:
        assert last_prepared(queue) == 0
    assert last_prepared(queue) == ENDS[1]


def test_every_entry_is_prepared_once_and_before_its_turn() -> None:
    queue, prepared = ShowQueue(), list[int]()
    for entry in ENTRIES:
        queue.accept(entry)
        prepared += [each.seq for group in queue.ahead(0) for each in group]
    while queue.next:
        assert queue.next[-1].seq in prepared
        queue.pop()
        prepared += [each.seq for group in queue.ahead(0) for each in group]
    assert prepared == [entry.seq for entry in ENTRIES]


def test_entries_already_on_air_are_not_prepared_unless_their_hand_is_unfinished() -> None:
    queue = filled(ENTRIES)
    (first, *_), *_ = queue.ahead(ENDS[1] - 3)
    assert first.seq <= ENDS[1] - 3 < ENDS[1]
    while queue.pop()[-1].seq < ENDS[0]:
        assert last_prepared(queue, ENDS[1] - 3) == 0
