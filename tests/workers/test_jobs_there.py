"""Matches and probes on real workers, with bots in boxes, end as on one machine, even if workers die."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.killed_contest import decided_events
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.program import SECONDS, Program, highnoon
from tests.support.programs.cluster import BY_ITS_CARDS, Cluster, cluster, until, write_bot

pytestmark = NEEDS_BUBBLEWRAP
LEAVES_EARLY = "read word; read word; read word; exit 3\n"
ANSWERS_NONSENSE = "while read word rest; do [ $word != STACK ] || echo MAYBE; done\n"


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        for name in ("one", "two"):
            started.start_worker(name)
            started.await_worker(name)
        yield started


def test_match_has_the_same_recordings_as_here_even_if_workers_and_the_scheduler_die(
    workers: Cluster, tmp_path: Path
) -> None:
    ace = str(write_bot(tmp_path / "ace", "Ace", BY_ITS_CARDS))
    words = ("spar", ace, "--against", "aggressive", "--contest", "upac", "--hands", "1000", "--seed", "7", "--json")
    local = highnoon(*words, "--record", str(tmp_path / "local"))
    assert local.returncode == 0, local.stderr
    for name in ("one", "two"):
        workers.kill_worker(name)
    result, said, remote = tmp_path / "result", tmp_path / "said", tmp_path / "remote"
    with result.open("w") as output, said.open("w") as errors:
        match = Program(*words, "--record", str(remote), *workers.options, output=output, errors=errors)
    try:
        until(match, lambda: "answers" in said.read_text(), "the scheduler")
        workers.kill_scheduler()
        until(match, lambda: "not responding" in said.read_text(), "the end of the scheduler")
        workers.start_scheduler()
        # Only one worker at first: two could play all ten orders before the test sees it in their logs.
        workers.start_worker("one")
        until(match, lambda: workers.output_of("one").count("deals ") >= 2, "the second order of worker one")
        workers.kill_worker("one")
        workers.start_worker("two")
        until(match, lambda: "deals " in workers.output_of("two"), "the first order of worker two")
        workers.kill_scheduler()
        workers.start_scheduler()
        workers.start_worker("one")
        assert match.wait(SECONDS) == 0, said.read_text()
    finally:
        match.close()
    assert result.read_text() == local.stdout
    assert "is gone; its work will be redone elsewhere" in said.read_text()
    assert sorted(path.name for path in remote.iterdir()) == ["table-1.jsonl", "table-2.jsonl"]
    for table in remote.iterdir():
        assert decided_events(table) == decided_events(tmp_path / "local" / table.name)
        assert highnoon("verify", str(table)).returncode == 0


def test_match_that_cannot_be_played_on_workers_says_why(workers: Cluster, tmp_path: Path) -> None:
    leaver = str(write_bot(tmp_path / "leaver", "Leaver", LEAVES_EARLY))
    ended = highnoon("spar", leaver, "--against", "calling", "--contest", "upac", "--hands", "20", *workers.options)
    assert ended.returncode == 1
    assert "leaver left: ended with status 3" in ended.stderr
    unreadable = highnoon("spar", str(tmp_path), "--against", "calling", *workers.options)
    assert (unreadable.returncode, "cannot be built" in unreadable.stderr) == (1, True)
    command = highnoon("spar", "cat {server}", "--against", "calling", *workers.options)
    assert (command.returncode, "cannot be sent: workers take only folders" in command.stderr) == (1, True)


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The submissions of four players: two good bots, one of which is an archive, and two bad bots."""
    folder = tmp_path_factory.mktemp("submissions")
    write_bot(folder / "ada", "Ada's", BY_ITS_CARDS)
    write_bot(folder / "bo", "Bo's", ANSWERS_NONSENSE)
    write_bot(folder / "cy", "Cy's", BY_ITS_CARDS)
    (folder / "cy" / "bot" / "bot.json").write_text("{")
    packed = write_bot(folder.parent / "packed", "Dee's", BY_ITS_CARDS)
    shutil.make_archive(str(folder / "dee"), "zip", packed)
    return folder


def test_probe_says_the_same_of_each_bot_of_a_folder_on_workers_as_here(submissions: Path, workers: Cluster) -> None:
    words = ("probe", str(submissions), "--contest", "upac")
    local, remote = highnoon(*words), highnoon(*words, *workers.options)
    assert (local.returncode, remote.returncode, remote.stdout) == (1, 1, local.stdout), remote.stderr
    ada, bo, cy, dee, last = local.stdout.splitlines()
    assert ada == f"  ok    {submissions}/ada: 13 of 13 checks passed"
    assert bo.startswith(f"  FAIL  {submissions}/bo: ")
    assert "; failed: is first to act, may check, " in bo
    assert cy.startswith(f"  FAIL  {submissions}/cy: it did not come to the table: ")
    assert dee == f"  ok    {submissions}/dee.zip: 13 of 13 checks passed"
    assert last == "2 of 4 bots passed every check"
    played = workers.output_of("one") + workers.output_of("two")
    assert all(f"{name}: " in played for name in ("ada", "bo", "dee"))
    assert "cy: " not in played, "an unreadable bot must not be sent to workers"
    one = highnoon("probe", str(submissions / "bo"), "--contest", "upac", *workers.options)
    assert one.returncode == 1
    assert "  FAIL  is first to act\n        it said      malformed; " in one.stdout


def test_impossible_probe_is_refused_before_it_starts() -> None:
    for words, why in (
        (("tcp://127.0.0.1:5000", "tcp://127.0.0.1:5001"), "tcp://127.0.0.1:5000 waits for a bot that is started by"),
        (("cat {server}", "--scheduler", "tcp://127.0.0.1:9"), "cat {server} cannot be sent to workers"),
    ):
        ended = highnoon("probe", *words)
        assert (ended.returncode, ended.stdout, why in ended.stderr) == (1, "", True), ended.stderr
