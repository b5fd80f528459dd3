"""`highnoon probe` of a folder of submissions, on this machine or on workers: one line for each bot."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.cluster import BY_ITS_CARDS, Cluster, cluster, there, write_bot
from tests.support.program import highnoon

pytestmark = NEEDS_BUBBLEWRAP
STRANGE = "while read word rest; do [ $word != STACK ] || echo MAYBE; done\n"
PACE = "answers in good time"


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers."""
    with cluster(tmp_path_factory.mktemp("cluster")) as known:
        known.start_worker("one")
        known.start_worker("two")
        yield known


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The submissions of four players: two good bots, one of them an archive, and two bad ones."""
    folder = tmp_path_factory.mktemp("submissions")
    write_bot(folder / "ada", "Ada's", BY_ITS_CARDS)
    write_bot(folder / "bo", "Bo's", STRANGE)
    write_bot(folder / "cy", "Cy's", BY_ITS_CARDS)
    (folder / "cy" / "bot" / "bot.json").write_text("{")
    packed = write_bot(folder.parent / "packed", "Dee's", BY_ITS_CARDS)
    shutil.make_archive(str(folder / "dee"), "zip", packed)
    return folder


def outcome(bots: list[dict[str, Any]]) -> list[tuple[str, list[tuple[str, bool]]]]:
    """The checks of each bot, without that of its pace."""
    return [
        (Path(bot["bot"]).name, [(check["name"], check["ok"]) for check in bot["checks"] if check["name"] != PACE])
        for bot in bots
    ]


def test_each_bot_of_a_folder_gets_a_line_whatever_the_others_do(submissions: Path) -> None:
    ended = highnoon("probe", str(submissions), "--contest", "upac")
    assert ended.returncode == 1
    ada, bo, cy, dee, last = ended.stdout.splitlines()
    assert ada == f"  ok    {submissions}/ada: 13 of 13 checks passed"
    assert bo.startswith(f"  FAIL  {submissions}/bo: ")
    assert "; not: is first to act, may check, " in bo
    assert cy.startswith(f"  FAIL  {submissions}/cy: it does not come to the table: ")
    assert dee == f"  ok    {submissions}/dee.zip: 13 of 13 checks passed"
    assert last == "2 of 4 bots passed every check"


def test_workers_come_to_the_same_outcome(submissions: Path, workers: Cluster) -> None:
    words = ("probe", str(submissions), "--contest", "upac", "--json")
    local, remote = highnoon(*words), highnoon(*words, *there(workers))
    assert (local.returncode, remote.returncode) == (1, 1), remote.stderr
    assert outcome(json.loads(remote.stdout)) == outcome(json.loads(local.stdout))
    played = workers.said("one") + workers.said("two")
    assert all(f"{name}: " in played for name in ("ada", "bo", "dee"))
    assert "cy: " not in played, "an unreadable bot is not sent"


@pytest.mark.parametrize(("words", "why"), [
    (("tcp://127.0.0.1:5000", "tcp://127.0.0.1:5001"), "tcp://127.0.0.1:5000 waits for a bot that is started by hand"),
    (("cat {server}", "--scheduler", "tcp://127.0.0.1:9"), "cat {server} stays at home: workers take folders"),
])  # fmt: skip
def test_impossible_probe_is_refused_before_anything_begins(words: tuple[str, ...], why: str) -> None:
    ended = highnoon("probe", *words)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert why in ended.stderr
