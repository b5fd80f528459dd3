"""Files of an earlier evening, intact or altered: an evening starts over cleanly or says why it refuses."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from broadcast.on_air.diary import Aired, Diary, forget_others
from server.app.evening.card_room import CardRoom, begin_recording
from server.app.evening.evening_files import EveningSecrets, SecretsDamaged, read_secrets, secrets_path
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import Entrant, StageStarted
from tests.end_to_end.evening import write_evening
from tests.support.program import highnoon

NOBODY = {"Ada": "a-secret-of-its-own-Ada"}


def test_seed_is_never_used_again(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, NOBODY, lines='host = "192.0.2.1"')  # an address of no machine, so it can't listen
    folder.file.write_text(folder.file.read_text().replace('seed = "2a"\n', ""))
    seeds = set()
    for _ in range(2):
        assert highnoon("tournament", str(folder.file)).returncode == 1
        seeds.add(read_secrets(secrets_path(folder.journal)).seed)
        folder.journal.unlink()
    assert len(seeds) == 2


def test_diary_of_another_journal_is_removed(tmp_path: Path) -> None:
    diary = tmp_path / "x.air"
    diary.write_text("7 1 1\n" + "9" * 5000 + " 1 1\n")
    forget_others(diary, 7)
    assert Diary(diary).read() == [Aired(7, 1, 1)]
    forget_others(diary, 6)
    assert not diary.exists()
    diary.write_text("7 1 1\n")
    begin_recording(tmp_path / "x.jsonl").journal.close()
    assert not diary.exists()


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"{}", b'{"seed":"zz","control":"123456789012","view":"210987654321"}']
)
def test_file_without_secrets_is_refused_with_the_reason(content: bytes, tmp_path: Path) -> None:
    secrets = tmp_path / "x.secret"
    with pytest.raises(SecretsDamaged, match="missing"):
        read_secrets(secrets)
    secrets.write_bytes(content)
    with pytest.raises(SecretsDamaged, match="without them nothing is resumed"):
        read_secrets(secrets)


def test_journal_with_other_secrets_or_another_buy_in_is_refused_with_the_reason(tmp_path: Path) -> None:
    """Before anything is started."""
    folder = write_evening(tmp_path, NOBODY)
    entrants = [Entrant(1, "Ada", "Ada Senior")]
    contest = replace(QUICK_DRAW_FORMAT, title="A night in tests")
    room = CardRoom(begin_recording(folder.journal), entrants, contest=contest, seed=b"\x01" * 32, prizes_cents=(500,))
    room.bus.publish(StageStarted(1, "High Noon", 1, 24, (1,), (5000,)))
    room.bus.close()
    secrets = EveningSecrets((b"\x02" * 32).hex(), "control-in-tests", "looking-in-tests")
    secrets_path(folder.journal).write_bytes(msgspec.json.encode(secrets))
    assert "is of another tournament" in highnoon("tournament", str(folder.file)).stderr
    own = replace(secrets, seed=(b"\x01" * 32).hex())
    secrets_path(folder.journal).write_bytes(msgspec.json.encode(own))
    folder.file.write_text("buy_in = 6\n" + folder.file.read_text())
    assert "put name, buy_in and prizes" in highnoon("tournament", str(folder.file)).stderr
