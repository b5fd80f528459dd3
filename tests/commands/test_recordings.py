"""`highnoon export`, `import`, `luck` and `decisions` read recordings, published hands and seasons."""

import json
import re
import shutil
import tomllib
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, to_builtins
from msgspec.structs import replace

from server.__main__ import main
from server.app.decisions.decisions import decisions_of
from server.app.results.deal_report import DealTally
from server.app.results.results import compute_results
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import GameStarted, HandEnded, TournamentOpened
from server.game.formats import as_deals
from server.game.rules import Rules
from server.hand_histories.from_recording import recorded_hands
from server.hand_histories.import_hands import import_hands, scale_of_recording
from server.hand_histories.phh_writer import phh_text
from server.journal.journal import read_journal
from tests.commands.in_process import Capture, error_of, output_of
from tests.hand_histories.recordings import hands_of
from tests.support.games.contests import play_contest
from tests.support.games.recordings import KEPT_FOLDER, of_kind, small_contest, with_names, write
from tests.support.source_files import ROOT

PHH_FOLDER = ROOT / "tests/data/phh"
DWAN_HAND = PHH_FOLDER / "dwan-ivey-2009.phh"


def test_hands_are_exported_and_no_file_is_overwritten(tmp_path: Path, capsys: Capture) -> None:
    recording = write(tmp_path / "evening.jsonl", play_contest(1))
    assert main(["export", str(recording), "--phh", "--hand", "12"]) == 0
    out, err = capsys.readouterr()
    hand = tomllib.loads(out)
    assert hand["hand"] == 12
    assert hand["_rules"]["min_raise"] == "one_chip" != Rules().min_raise
    assert err.startswith("1 hand\n")
    assert "choose one of the" in error_of(capsys, "export", recording, "--phh")
    assert "there is no hand 9999" in error_of(capsys, "export", recording, "--text", "--hand", 9999)
    file = tmp_path / "evening.phhs"
    printed = output_of(capsys, "export", recording, "--phhs", "--out", file)
    assert "follow house rules, which strict readers refuse; each says so in '_unusual'" in printed
    assert len(hands_of(file.read_bytes())) > 20
    assert "already exists" in error_of(capsys, "export", recording, "--phhs", "--out", file)
    text = output_of(capsys, "export", recording, "--text")
    assert text.startswith("PokerStars Hand #1: Hold'em No Limit (50/100) - ")
    assert "*** SHOW DOWN ***" in text
    assert "House rules: " in text


def test_published_hands_become_a_verified_recording(tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "dwan.jsonl"
    output_of(capsys, "import", DWAN_HAND, "--out", out)
    text = output_of(capsys, "verify", out)
    assert "  1 hand replayed to the same chips: 1 pot\n" in text
    assert "  not proved: in 1 hand some cards are unknown" in text
    assert "nobody can prove that the cards fell by chance" in text
    error_of(capsys, "import", DWAN_HAND, "--out", out)


def test_import_names_unplayable_hands_and_fails_if_strict(tmp_path: Path, capsys: Capture) -> None:
    hand = DWAN_HAND.read_text()
    many_hands = tmp_path / "many.phhs"
    many_hands.write_text("\n".join(f"[{n}]\n{hand if n != 2 else hand.replace('NT', 'PO')}" for n in range(1, 1_002)))
    assert main(["import", str(many_hands), "--strict"]) == 1
    strict_output = capsys.readouterr()
    assert "1,000 hands read" in strict_output.out
    assert "hand 2: 'PO' is not no-limit hold'em" in strict_output.err
    out = output_of(capsys, "import", many_hands)
    assert ": 1,000 hands, " in out
    assert "  left out: hand 2: 'PO' is not no-limit hold'em" in out


@pytest.mark.parametrize(
    ("zone", "time_begun"), [("America/New_York", "2009-01-01 17:30:00+00:00"), ("", "2009-01-01 12:30:00")]
)
def test_time_zone_of_a_hand_is_kept(zone: str, time_begun: str) -> None:
    hand = DWAN_HAND.read_text().replace("year = 2009", "")
    hand += f'\ntime = 12:30:00\nyear = 2009\nmonth = 1\nday = 1\ntime_zone = "{zone}"\n'
    imported = import_hands(hand.encode())
    assert imported.start_time == time_begun
    (recorded,) = recorded_hands(imported.entries)
    assert f"time = {time_begun[11:19]}" in phh_text(recorded, imported.start_time)


def luck_as_json(capsys: Capture, *words: object) -> Any:
    return json.loads(output_of(capsys, "luck", *words, "--json"))


def test_luck_has_the_earnings_of_each_bot_and_the_chance_of_each_pair(tmp_path: Path, capsys: Capture) -> None:
    for number in range(12):  # A bot's confidence interval needs at least five games.
        write(tmp_path / f"{number}.jsonl", play_contest(number, 8))
    luck = luck_as_json(capsys, tmp_path)
    bots, pairs = luck["bots"], luck["pairs"]
    assert len(bots) == 8
    for bot in bots:
        assert bot["won"] == bot["luck"] + bot["earned"]
        assert bot["low"] <= bot["earned"] <= bot["high"]
    assert sum(bot["luck"] for bot in bots) == 0
    assert bots == sorted(bots, key=lambda bot: -bot["earned"])
    assert [(pair["better"], pair["than"]) for pair in pairs] == [*combinations([bot["name"] for bot in bots], 2)]
    assert pairs[6]["chance"] > 0.5, "it must be likely that the first bot is better than the last"
    lines = output_of(capsys, "luck", tmp_path).splitlines()
    for bot, row in zip(bots, lines[1:], strict=False):
        amounts = f"{bot['won']:+,} {bot['luck']:+,} {bot['earned']:+,} {bot['low']:+,} to {bot['high']:+,}"
        assert f" {bot['name']} " in row
        assert amounts in " ".join(row.split())
    assert "by chips earned" in lines, "the text must say which chips are compared"
    cells = [line.split()[3:] for line in lines[-8:]]
    for (one, other), pair in zip(combinations(range(8), 2), pairs, strict=True):
        percent = round(100 * pair["chance"])
        assert cells[one][other - 1] == (">99" if percent > 99 else str(percent))
        assert cells[other][one] == ("<1" if percent > 99 else str(100 - percent))


def test_luck_and_results_of_deals_agree(tmp_path: Path, capsys: Capture) -> None:
    """In deals (the same cards at several tables), a bot earns chips by its `own` play and by the play of `others`."""
    entries = play_contest(7, 6, as_deals(QUICK_DRAW_FORMAT, 24, 2))
    recording = write(tmp_path / "deals.jsonl", entries)
    tallies = {row.name: row.deals for row in compute_results(entries).rows}
    bots = luck_as_json(capsys, recording)["bots"]
    for bot in bots:
        tally = tallies[bot["name"]]
        assert isinstance(tally, DealTally)
        assert bot["earned"] == bot["others"] + bot["own"]
        assert (bot["others"] / 24, bot["own"] / 24) == pytest.approx((tally.others, tally.own), abs=2)
        assert bot["shares"] == to_builtins(tally.shares)  # `shares`: parts of the uncertainty, in percent
    printed = output_of(capsys, "luck", recording)
    assert printed.split()[:3] == ["bot", "deals", "hands"]
    assert "games" not in printed
    assert "by chips earned; in a contest that is decided by chips won, the results page compares those" in printed
    rows = [line.split() for line in printed.splitlines()]
    for place, bot in enumerate(bots, 1):
        shares = [f"{bot['shares'][part]}%" for part in ("luck", "others", "own")]
        assert [str(place), *bot["name"].split(), f"{bot['others']:+,}", f"{bot['own']:+,}", *shares] in rows
    assert "others" not in luck_as_json(capsys, KEPT_FOLDER / "quick-draw.jsonl")["bots"][0]


def test_interval_needs_five_contests_if_chips_are_kept_between_games(capsys: Capture) -> None:
    recording = KEPT_FOLDER / "enova.jsonl"
    luck = luck_as_json(capsys, recording)
    assert all(bot["low"] is None and bot["high"] is None for bot in luck["bots"])
    assert all(pair["chance"] is None for pair in luck["pairs"])
    assert "no interval (-): fewer than 5 games" in output_of(capsys, "luck", recording)


def test_luck_of_a_folder_is_added_up_by_name(tmp_path: Path, capsys: Capture) -> None:
    one = write(tmp_path / "one.jsonl", small_contest(2))
    other = write(tmp_path / "other.jsonl", small_contest(3))
    separate_bots = [bot for path in (one, other) for bot in luck_as_json(capsys, path)["bots"]]
    bots_together = luck_as_json(capsys, one, other)["bots"]
    for bot in bots_together:
        parts = [part for part in separate_bots if part["name"] == bot["name"]]
        assert bot["hands"] == sum(part["hands"] for part in parts)
        assert bot["won"] == sum(part["won"] for part in parts)
        assert bot["luck"] == pytest.approx(sum(part["luck"] for part in parts), abs=2)
    assert bots_together == luck_as_json(capsys, one, other, one)["bots"]
    (tmp_path / "bad.jsonl").write_text("howdy\n")
    shutil.copy(KEPT_FOLDER / "upac.ledger", tmp_path)
    assert main(["luck", str(tmp_path), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["bots"] == bots_together, "unreadable files in a folder must be skipped"
    assert re.findall(r"^left out: .*?(\w+\.jsonl)", captured.err, re.MULTILINE) == ["bad.jsonl", "000001.jsonl"]
    same_names = write(tmp_path / "same.jsonl", with_names(small_contest(), "Bot 2"))
    assert {"Bot 2 (Player 1)", "Bot 2 (Player 2)"} <= {bot["name"] for bot in luck_as_json(capsys, same_names)["bots"]}


def test_season_can_be_given_as_its_ledger_or_its_folder(tmp_path: Path, capsys: Capture) -> None:
    luck = luck_as_json(capsys, KEPT_FOLDER / "upac.ledger")
    games = [read_journal(path).entries for path in (KEPT_FOLDER / "upac").rglob("*.jsonl")]
    assert [len(of_kind(entries, GameStarted)) for entries in games] == [1] * len(games)
    assert sum(bot["hands"] for bot in luck["bots"]) == 2 * sum(len(of_kind(game, HandEnded)) for game in games)
    assert sum(bot["won"] for bot in luck["bots"]) == sum(bot["luck"] for bot in luck["bots"]) == 0
    shutil.copy(KEPT_FOLDER / "upac.ledger", tmp_path / "spring.26.ledger")
    shutil.copytree(KEPT_FOLDER / "upac", tmp_path / "spring.26")
    assert luck_as_json(capsys, tmp_path / "spring.26") == luck, "a folder may have a dot in its name"
    shutil.rmtree(tmp_path / "spring.26")
    assert "000001.jsonl: No such file" in error_of(capsys, "luck", tmp_path / "spring.26.ledger")


def test_luck_counts_published_hands(capsys: Capture) -> None:
    luck = luck_as_json(capsys, *sorted(PHH_FOLDER.glob("*.phh")))
    assert {"Pluribus", "Tom Dwan"} <= {bot["name"] for bot in luck["bots"]}
    assert sum(bot["luck"] for bot in luck["bots"]) == 0
    printed = output_of(capsys, "luck", DWAN_HAND)
    assert "without the luck in 1 hand, because some cards are not known" in printed


def test_unusable_recording_is_refused_in_one_line(tmp_path: Path, capsys: Capture) -> None:
    entries = small_contest()
    forged = [entry for entry in entries if not isinstance(entry.event, GameStarted)]
    lines = write(tmp_path / "good.jsonl", entries).read_bytes().splitlines(keepends=True)
    altered = b"".join([*lines[:50], lines[2], *lines[51:]])
    for number, recorded in enumerate((b"", altered, forged, entries[:3], None)):  # `None` stands for an empty folder.
        (folder := tmp_path / f"{number}").mkdir()
        path = folder / "bad.jsonl"
        if isinstance(recorded, bytes):
            path.write_bytes(recorded)
        elif recorded:
            write(path, recorded)
        assert main(["luck", str(path if path.exists() else folder)]) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert re.fullmatch(r"highnoon: [^\n]{10,200}\n", captured.err), number


def test_hands_with_half_chips_count_at_their_true_amounts(tmp_path: Path, capsys: Capture) -> None:
    """Recordings have only whole chips, so the import of a file with half chips doubles all amounts."""
    half_chip_file = PHH_FOLDER / "pluribus-102-0.phh"
    whole_chip_file = next(path for path in sorted(PHH_FOLDER.glob("pluribus-*.phh")) if ".5" not in path.read_text())
    won = Counter[str]()
    for path in (half_chip_file, whole_chip_file):
        published = tomllib.loads(path.read_text())
        won.update(dict(zip(published["players"], published["finishing_stacks"], strict=True)))
        won.subtract(dict(zip(published["players"], published["starting_stacks"], strict=True)))
        output_of(capsys, "import", path, "--out", tmp_path / f"{path.stem}.jsonl")
    bots = luck_as_json(capsys, *tmp_path.glob("*.jsonl"))["bots"]
    assert {bot["name"]: bot["won"] for bot in bots} == won
    (opened,) = of_kind(import_hands(half_chip_file.read_bytes()).entries, TournamentOpened)
    scale_in_title = scale_of_recording(replace(opened, scale=UNSET))
    assert scale_of_recording(opened) == scale_in_title == 2, 'a title that ends with "(amounts x2)" has the scale 2'
    assert scale_of_recording(replace(opened, scale=UNSET, contest="arena")) == 1


def test_decisions_of_a_known_bot_are_printed(capsys: Capture) -> None:
    recording = KEPT_FOLDER / "quick-draw.jsonl"
    entries = read_journal(recording).entries
    bot = of_kind(entries, TournamentOpened)[0].entrants[0]
    expected = list(decisions_of([entry.event for entry in entries], bot.bot))
    printed = json.loads(output_of(capsys, "decisions", recording, "--bot", bot.name, "--json"))
    assert printed["bot"] == bot.name
    assert [(decision["game"], decision["hand"], decision["act"]) for decision in printed["decisions"]] == [
        (decision.game, decision.hand, decision.act) for decision in expected
    ]
    text = output_of(capsys, "decisions", recording, "--bot", bot.name)
    assert f"{bot.name}: {len(expected)} decisions, " in text
    assert "no bot is called 'Nobody'" in error_of(capsys, "decisions", recording, "--bot", "Nobody")
