"""How the card room says it is, whatever happens around it."""

import time
from pathlib import Path

from server.front.pulse import Pulse
from server.journal import Journal


def test_a_folder_that_is_taken_away_in_the_evening_is_no_reason_to_end_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "recordings" / "x.jsonl")
    pulse = Pulse(journal, time.monotonic)
    assert pulse.health().disk_free_bytes
    journal.path.unlink()
    journal.path.parent.rmdir()
    assert not pulse.health().disk_free_bytes
    journal.close()
