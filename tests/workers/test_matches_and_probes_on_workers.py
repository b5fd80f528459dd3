"""Matches and probes have the same results on real workers, with bots in boxes (sandboxes), as on one machine."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.killed_contest import decided_events
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.program import highnoon
from tests.support.programs.cluster import BY_ITS_CARDS, Cluster, cluster, write_bot

pytestmark = NEEDS_BUBBLEWRAP


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as running_cluster:
        for name in ("one", "two"):
            running_cluster.start_worker(name)
            running_cluster.await_worker(name)
        yield running_cluster


def test_match_on_workers_has_the_same_recordings_as_on_this_machine(workers: Cluster, tmp_path: Path) -> None:
    ace = str(write_bot(tmp_path / "ace", "Ace", BY_ITS_CARDS))
    words = ("spar", ace, "--against", "aggressive", "--contest", "upac", "--hands", "1000", "--seed", "7", "--json")
    local = highnoon(*words, "--record", str(tmp_path / "local"))
    assert local.returncode == 0, local.stderr
    remote = highnoon(*words, "--record", str(tmp_path / "remote"), *workers.options)
    assert (remote.returncode, remote.stdout) == (0, local.stdout), remote.stderr
    assert "deals " in workers.output_of("one") + workers.output_of("two")
    assert sorted(path.name for path in (tmp_path / "remote").iterdir()) == ["table-1.jsonl", "table-2.jsonl"]
    for table in (tmp_path / "remote").iterdir():
        assert decided_events(table) == decided_events(tmp_path / "local" / table.name)
        assert highnoon("verify", str(table)).returncode == 0


def test_match_that_cannot_be_played_on_workers_says_why(workers: Cluster, tmp_path: Path) -> None:
    leaver = str(write_bot(tmp_path / "leaver", "Leaver", "read word; read word; read word; exit 3\n"))
    for bot, options, reason in (
        (leaver, ("--contest", "upac", "--hands", "20"), "leaver left: ended with status 3"),
        (str(tmp_path), (), "cannot be built"),
        ("cat {server}", (), "cannot be sent: workers take only folders"),
    ):
        match = highnoon("spar", bot, "--against", "calling", *options, *workers.options)
        assert (match.returncode, reason in match.stderr) == (1, True), match.stderr


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The submissions of four players: two good bots, one of which is an archive, and two bad bots."""
    folder = tmp_path_factory.mktemp("submissions")
    write_bot(folder / "ada", "Ada's", BY_ITS_CARDS)
    write_bot(folder / "bo", "Bo's", "while read word rest; do [ $word != STACK ] || echo MAYBE; done\n")
    write_bot(folder / "cy", "Cy's", BY_ITS_CARDS)
    (folder / "cy" / "bot" / "bot.json").write_text("{")
    packed = write_bot(folder.parent / "packed", "Dee's", BY_ITS_CARDS)
    shutil.make_archive(str(folder / "dee"), "zip", packed)
    return folder


def test_probe_says_the_same_on_workers_as_on_this_machine(submissions: Path, workers: Cluster) -> None:
    words = ("probe", str(submissions), "--contest", "upac")
    local, remote = highnoon(*words), highnoon(*words, *workers.options)
    assert (local.returncode, remote.returncode, remote.stdout) == (1, 1, local.stdout), remote.stderr
    ada, bo, cy, dee, total = local.stdout.splitlines()
    assert ada == f"  ok    {submissions}/ada: 13 of 13 checks passed"
    assert bo.startswith(f"  FAIL  {submissions}/bo: ")
    assert "; failed: is first to act, may check, " in bo
    assert cy.startswith(f"  FAIL  {submissions}/cy: it did not come to the table: ")
    assert dee == f"  ok    {submissions}/dee.zip: 13 of 13 checks passed"
    assert total == "2 of 4 bots passed every check"
    output = workers.output_of("one") + workers.output_of("two")
    assert all(f"{name}: " in output for name in ("ada", "bo", "dee"))
    assert "cy: " not in output, "an unreadable bot must not be sent to workers"
    probe = highnoon("probe", str(submissions / "bo"), "--contest", "upac", *workers.options)
    assert probe.returncode == 1
    assert "  FAIL  is first to act\n        it said      malformed; " in probe.stdout


def test_impossible_probe_is_refused_before_it_starts() -> None:
    for words, reason in (
        (("tcp://127.0.0.1:5000", "tcp://127.0.0.1:5001"), "tcp://127.0.0.1:5000 waits for a bot that is started by"),
        (("cat {server}", "--scheduler", "tcp://127.0.0.1:9"), "cat {server} cannot be sent to workers"),
    ):
        probe = highnoon("probe", *words)
        assert (probe.returncode, probe.stdout, reason in probe.stderr) == (1, "", True), probe.stderr
