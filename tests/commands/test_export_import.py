"""`highnoon export` writes hand histories; `highnoon import` makes them recordings that can be proved and shown."""

import tomllib
from pathlib import Path

import pytest

from server.__main__ import main
from server.game.rules import Rules
from server.hand_histories.from_recording import recorded_hands
from server.hand_histories.import_hands import import_hands
from server.hand_histories.phh_writer import phh_text
from tests.hand_histories.recordings import hands_of
from tests.support.games.contests import play_contest
from tests.support.games.recordings import write

PUBLISHED = Path(__file__).parents[1] / "data" / "phh" / "dwan-ivey-2009.phh"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("recordings") / "evening.jsonl", play_contest(1))


def test_hands_are_exported_with_their_house_rules_and_no_file_is_overwritten(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(recording), "--phh", "--hand", "12"]) == 0
    out, err = capsys.readouterr()
    hand = tomllib.loads(out)
    assert hand["hand"] == 12
    assert hand["_rules"]["min_raise"] == "one_chip" != Rules().min_raise
    assert err.startswith("1 hand\n")
    assert main(["export", str(recording), "--phh"]) == 1
    assert "choose one of the" in capsys.readouterr().err
    assert main(["export", str(recording), "--text", "--hand", "9999"]) == 1
    assert "there is no hand 9999" in capsys.readouterr().err
    file = tmp_path / "evening.phhs"
    assert main(["export", str(recording), "--phhs", "--out", str(file)]) == 0
    assert "follow house rules, which strict readers refuse; each says so in '_unusual'" in capsys.readouterr().out
    assert len(hands_of(file.read_bytes())) > 20
    assert main(["export", str(recording), "--phhs", "--out", str(file)]) == 1
    assert "already exists" in capsys.readouterr().err
    assert main(["export", str(recording), "--text"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("PokerStars Hand #1: Hold'em No Limit (50/100) - ")
    assert "*** SHOW DOWN ***" in out
    assert "House rules: " in out


def test_published_hands_become_a_verified_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "dwan.jsonl"
    assert main(["import", str(PUBLISHED), "--out", str(out)]) == 0
    assert main(["verify", str(out)]) == 0
    text = capsys.readouterr().out
    assert "  1 hand replayed to the same chips: 1 pot\n" in text
    assert "  not proved: in 1 hand some cards are unknown" in text
    assert "nobody can prove that the cards fell by chance" in text
    assert main(["import", str(PUBLISHED), "--out", str(out)]) == 1


def test_unplayable_hands_are_named_and_strict_refuses_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand = PUBLISHED.read_text()
    many = tmp_path / "many.phhs"
    many.write_text("\n".join(f"[{n}]\n{hand if n != 2 else hand.replace('NT', 'PO')}" for n in range(1, 1_002)))
    assert main(["import", str(many), "--strict"]) == 1
    refused = capsys.readouterr()
    assert "1,000 hands read" in refused.out
    assert "hand 2: 'PO' is not no-limit hold'em" in refused.err
    assert main(["import", str(many)]) == 0
    out = capsys.readouterr().out
    assert ": 1,000 hands, " in out
    assert "  left out: hand 2: 'PO' is not no-limit hold'em" in out


@pytest.mark.parametrize(
    ("zone", "time_begun"), [("America/New_York", "2009-01-01 17:30:00+00:00"), ("", "2009-01-01 12:30:00")]
)
def test_time_zone_of_a_hand_is_kept(zone: str, time_begun: str) -> None:
    hand = PUBLISHED.read_text().replace("year = 2009", "")
    hand += f'\ntime = 12:30:00\nyear = 2009\nmonth = 1\nday = 1\ntime_zone = "{zone}"\n'
    found = import_hands(hand.encode())
    assert found.start_time == time_begun
    (recorded,) = recorded_hands(found.entries)
    assert f"time = {time_begun[11:19]}" in phh_text(recorded, found.start_time)
