"""Deals, matches, probes and clips turn out the same on workers (other machines) as on this machine.

In a deal, several tables get the same cards. A probe checks how a bot answers in various situations.
"""

import asyncio
import gzip
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from broadcast.film.film import Film, film_recording  # A film is a recording that can be watched.
from broadcast.video.ffmpeg import FfmpegError, probe_video
from broadcast.video.frames import Clip, Cut
from server.app.clips.film_clips import FILM_FILE, MEDIA_FOLDER, Shot, copy_film_files, film_locally, film_on_workers
from server.app.clips.filming import find_tools
from server.bots.sandbox.docker.engine import LABEL
from server.game.events import BotConnected, DealEnded
from server.verify.recording import verify
from server.workers.connect_to_workers import connect_to_workers
from tests.bots.sandbox.boxed_bots import open_engine
from tests.end_to_end.evening import EventFolder, Terminal, tournament, write_evening
from tests.end_to_end.killed_evening import deterministic_events
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP, docker_host
from tests.support.bots.starters import write_starter
from tests.support.bots.submission import DOCKERFILE, HOST, write_bot
from tests.support.games.recordings import entries_of, of_kind, small_contest
from tests.support.program import files_below, highnoon
from tests.support.programs.browsers import film_tools_or_skip, find_browser
from tests.support.programs.cluster import SHOVES_ACES, Cluster, cluster, until
from tests.support.programs.cluster import write_bot as write_upac_bot
from tests.workers.bad_worker import HALF_CLIP

__all__ = ["docker_host"]

DEALS = 4
RAISE = 'return {"action": "raise", "raise_amount": request["highest_bid_value"] * 2}'


def write_deals(folder: Path, more_lines: str = "", *, broken: bool = False, runner: str = "light") -> EventFolder:
    """Writes the event file of a contest in which three submitted bots play deals.

    `runner` is the kind of the bots' sandboxes. `more_lines` are added to the file. If `broken`, the third bot cannot
    start.
    """
    players = {"Ada": folder / "ada", "Babbage": folder / "babbage", "Curry": folder / "curry"}
    write_bot(players["Ada"], "Abe")
    for name, lines in (("Babbage", "import time\ntime.sleep(0.1)"), ("Curry", RAISE)):
        write_bot(players[name], name, dockerfile=DOCKERFILE.format(command='["python", "bot.py"]'))
        write_starter(folder / "starters" / name, lines)
        shutil.copyfile(folder / "starters" / name / "bot.py", players[name] / "bot.py")
    if broken:
        (players["Curry"] / "bot.py").write_text("raise SystemExit(3)")
    # The code of Ada's bot connects to HOST, so the event file must list this address.
    lines = f'start = "bots"\nrunner = "{runner}"\nbuy_in = 0\nbot_addresses = ["{HOST}"]'
    evening = write_evening(folder, {}, players, lines=lines)
    format_table = f"\n[format]\nsame_cards = true\ndeals = {DEALS}\n"
    evening.file.write_text(f"{evening.file.read_text()}{format_table}{more_lines}")
    return evening


def check_deals(evening: EventFolder) -> None:
    """Checks that all three bots connected, played all deals without a fault, and did not tie in every deal."""
    assert evening.verify_recording().deals == DEALS
    assert {event.bot for event in of_kind(evening.entries, BotConnected)} == {1, 2, 3}
    assert any(any(deal.won) for deal in of_kind(evening.entries, DealEnded))


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Cluster]:
    """Starts a scheduler (which gives work to workers), but no workers yet."""
    with cluster(tmp_path) as running_cluster:
        yield running_cluster


def start_two_workers(workers: Cluster, cores: int = 2, runner: str = "light") -> None:
    for name in ("one", "two"):
        workers.start_worker(name, cores=cores, runner=runner)
        workers.await_worker(name)


def output_of_both(workers: Cluster) -> str:
    return workers.output_of("one") + workers.output_of("two")


def kill_worker_one_at_a_table(workers: Cluster, terminal: Terminal) -> None:
    """Kills worker one while it plays at a table. Then waits until the contest's program has noticed the loss."""
    game_folder = workers.folder / "one" / "games"
    terminal.wait_for_output("The Final, deal 2 of")
    until(
        terminal.process,
        lambda: any(path.match("table-*/printed-*.log") for path in files_below(game_folder)),
        "a table on worker one",
    )
    workers.kill_worker("one")
    terminal.wait_for_output("is gone; its work will be redone elsewhere")


@NEEDS_BUBBLEWRAP
def test_deals_on_workers_are_recorded_as_on_one_machine_even_after_kills(workers: Cluster, tmp_path: Path) -> None:
    local_event = write_deals(tmp_path / "local")
    with tournament(local_event) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    remote_event = write_deals(tmp_path / "remote", workers.event_lines)
    start_two_workers(workers, cores=3)
    with tournament(remote_event) as terminal:
        kill_worker_one_at_a_table(workers, terminal)
        terminal.wait_for_output("The Final, deal 3 of")
        terminal.kill_everything()
    assert "all tables are played by the workers of tls://" in terminal.text
    assert f"for {DEALS} deals (measured by a trial deal of " in terminal.text
    with tournament(remote_event) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    assert "table 3 of a deal: " in output_of_both(workers)
    assert deterministic_events(remote_event.journal) == deterministic_events(local_event.journal)
    check_deals(remote_event)


@pytest.mark.docker
def test_restarted_worker_removes_the_docker_boxes_that_it_left(docker_host: str, tmp_path: Path) -> None:
    with cluster(tmp_path, {"DOCKER_HOST": docker_host}) as workers:
        remote_event = write_deals(tmp_path / "remote", workers.event_lines, runner="docker")
        start_two_workers(workers, cores=3, runner="docker")
        with tournament(remote_event) as terminal:
            kill_worker_one_at_a_table(workers, terminal)
            assert terminal.wait_for_end() == 0, terminal.text
        assert labels_of_leftovers(workers), "boxes must outlive the killed worker"
        workers.start_worker("one", cores=3, runner="docker")
        workers.await_worker("one", times=2)
    assert labels_of_leftovers(workers) == []
    check_deals(remote_event)


def labels_of_leftovers(workers: Cluster) -> list[str]:
    """Returns the labels of all containers and images of the two workers. A label begins with a worker's name."""
    names = [re.findall(r"^worker (\S+):", workers.output_of(name), re.MULTILINE)[-1] for name in ("one", "two")]
    with open_engine() as engine:
        leftovers = [*engine.containers(all=True), *engine.images(all=True)]
    labels = [(leftover["Labels"] or {}).get(LABEL, "") for leftover in leftovers]
    return [label for label in labels if label.startswith(tuple(names))]


@NEEDS_BUBBLEWRAP
def test_other_bots_play_if_no_worker_can_start_a_bot(workers: Cluster, tmp_path: Path) -> None:
    workers.start_worker("one", cores=3)
    remote_event = write_deals(tmp_path / "remote", workers.event_lines, broken=True)
    with tournament(remote_event) as terminal:
        assert terminal.wait_for_end() == 0, terminal.text
    assert "  Curry: Curry ended with status 3" in terminal.text
    assert {event.bot for event in of_kind(remote_event.entries, BotConnected)} == {1, 2}
    assert verify(remote_event.entries).deals == DEALS


def test_workers_are_refused_for_bots_that_run_on_this_machine(tmp_path: Path) -> None:
    evening = write_evening(tmp_path, {}, lines="")
    entries = "".join(f'[[entries]]\nplayer = "{name}"\nbot = "{name}"\ncommand = "cat {{server}}"\n' for name in "AB")
    evening.file.write_text(f"{evening.file.read_text()}[format]\nsame_cards = true\n{entries}")
    refusal = highnoon("tournament", str(evening.file), "--scheduler", "tcp://127.0.0.1:9")
    assert refusal.returncode == 1
    assert "workers play only bots in folders, but entries[1] has no folder" in refusal.stderr


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as running_cluster:
        start_two_workers(running_cluster)
        yield running_cluster


@NEEDS_BUBBLEWRAP
def test_match_on_workers_has_the_same_recordings_as_on_this_machine(two_workers: Cluster, tmp_path: Path) -> None:
    ace = str(write_upac_bot(tmp_path / "ace", "Ace", SHOVES_ACES))
    words = ("spar", ace, "--against", "aggressive", "--contest", "upac", "--hands", "1000", "--seed", "7", "--json")
    local_run = highnoon(*words, "--record", str(tmp_path / "local"))
    assert local_run.returncode == 0, local_run.stderr
    remote_run = highnoon(*words, "--record", str(tmp_path / "remote"), *two_workers.options)
    assert (remote_run.returncode, remote_run.stdout) == (0, local_run.stdout), remote_run.stderr
    assert "deals " in output_of_both(two_workers)
    assert sorted(path.name for path in (tmp_path / "remote").iterdir()) == ["table-1.jsonl", "table-2.jsonl"]
    for table in (tmp_path / "remote").iterdir():
        assert deterministic_events(table) == deterministic_events(tmp_path / "local" / table.name)
        assert highnoon("verify", str(table)).returncode == 0


@NEEDS_BUBBLEWRAP
def test_match_that_cannot_be_played_on_workers_says_why(two_workers: Cluster, tmp_path: Path) -> None:
    leaver = str(write_upac_bot(tmp_path / "leaver", "Leaver", "read word; read word; read word; exit 3\n"))
    for bot, options, reason in (
        (leaver, ("--contest", "upac", "--hands", "20"), "leaver left: ended with status 3"),
        (str(tmp_path), (), "cannot be built"),
        ("cat {server}", (), "cannot be sent: workers take only folders"),
    ):
        match = highnoon("spar", bot, "--against", "calling", *options, *two_workers.options)
        assert (match.returncode, reason in match.stderr) == (1, True), match.stderr


@pytest.mark.alone  # Other tests must not slow the bots, which have one second to answer.
@NEEDS_BUBBLEWRAP
def test_probe_says_the_same_on_workers_as_on_this_machine(two_workers: Cluster, tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    write_upac_bot(submissions / "ada", "Ada's", SHOVES_ACES)
    write_upac_bot(submissions / "bo", "Bo's", "while read word rest; do [ $word != STACK ] || echo MAYBE; done\n")
    write_upac_bot(submissions / "cy", "Cy's", SHOVES_ACES)
    (submissions / "cy" / "bot" / "bot.json").write_text("{")
    shutil.make_archive(str(submissions / "dee"), "zip", write_upac_bot(tmp_path / "dee", "Dee's", SHOVES_ACES))
    words = ("probe", str(submissions), "--contest", "upac")
    local_run, remote_run = highnoon(*words), highnoon(*words, *two_workers.options)
    assert remote_run.stdout == local_run.stdout, remote_run.stderr
    assert (local_run.returncode, remote_run.returncode) == (1, 1)
    ada, bo, cy, dee, total = local_run.stdout.splitlines()
    assert ada == f"  ok    {submissions}/ada: 13 of 13 checks passed"
    assert bo.startswith(f"  FAIL  {submissions}/bo: ")
    assert "; failed: is first to act, may check, " in bo
    assert cy.startswith(f"  FAIL  {submissions}/cy: it did not come to the table: ")
    assert dee == f"  ok    {submissions}/dee.zip: 13 of 13 checks passed"
    assert total == "2 of 4 bots passed every check"
    assert all(f"{name}: " in output_of_both(two_workers) for name in ("ada", "bo", "dee"))
    assert "cy: " not in output_of_both(two_workers), "an unreadable bot must not be sent to workers"
    probe = highnoon("probe", str(submissions / "bo"), "--contest", "upac", *two_workers.options)
    assert probe.returncode == 1
    assert "  FAIL  is first to act\n        it said      malformed; " in probe.stdout


FRAMES = 4


@pytest.fixture(scope="module")
def film() -> Film:
    return film_recording(small_contest())


@pytest.fixture(scope="module")
def local_shot(film: Film, tmp_path_factory: pytest.TempPathFactory) -> Shot:
    """Films a clip on this machine. The clip starts 30 ms before the flop."""
    folder, tools, frame_counts = tmp_path_factory.mktemp("local"), film_tools_or_skip(), list[int]()
    flop = next(entry for entry in entries_of(film) if entry["type"] == "street_dealt")
    shot = Shot(Clip((Cut(flop["at_ms"] - 30, FRAMES),)), folder / "clip.mp4")  # `Shot`: a clip and its file

    async def film_shot() -> None:
        await asyncio.gather(*film_locally(film, [shot], folder, tools, frame_counts.append))

    asyncio.run(film_shot())
    assert sum(frame_counts) == FRAMES
    return shot


async def film_remotely(workers: Cluster, film: Film, shot: Shot, messages: list[str]) -> int:
    """Lets workers film `shot`. If a worker is shut out, starts an honest worker. Returns the number of frames."""
    frame_counts, work = list[int](), shot.path.parent

    def add_message(line: str) -> None:
        messages.append(line)
        if "is shut out" in line:
            workers.start_worker("honest")

    async with connect_to_workers(workers.address, workers.certificates, add_message) as dispatcher:
        tasks = await film_on_workers(dispatcher, film, [shot], work, find_tools().ffmpeg, frame_counts.append, work)
        await asyncio.gather(*tasks)
    return sum(frame_counts)


@NEEDS_BUBBLEWRAP
def test_clip_from_a_worker_is_the_same_as_from_this_machine(film: Film, local_shot: Shot, tmp_path: Path) -> None:
    local_bytes, messages = local_shot.path.read_bytes(), list[str]()
    remote_shot = Shot(local_shot.clip, tmp_path / "clip.mp4")
    with cluster(tmp_path, {"CHROMIUM": find_browser() or ""}) as workers:
        (workers.folder / HALF_CLIP).write_bytes(local_bytes[: len(local_bytes) // 2])
        workers.start_worker("liar", "tests.workers.bad_worker")
        assert asyncio.run(film_remotely(workers, film, remote_shot, messages)) == FRAMES
    assert remote_shot.path.read_bytes() == local_bytes, "the clip must have the same bytes as on this machine"
    (lie,) = (line for line in messages if "is shut out" in line)
    assert "its film clip.mp4 is not valid (ffmpeg failed: " in lie, "half of a clip must not count as a valid clip"


def test_damaged_or_too_large_clip_is_refused(local_shot: Shot, tmp_path: Path) -> None:
    ffmpeg = find_tools().ffmpeg
    assert asyncio.run(probe_video(ffmpeg, local_shot.path)) == (FRAMES, (1920, 1080))
    large_clip, silent_clip = tmp_path / "large.mp4", tmp_path / "silent.mp4"
    for size, path in (("4096x2160", large_clip), ("320x180", silent_clip)):
        options = ["-f", "lavfi", "-i", f"color=size={size}", "-frames:v", "1", "-pix_fmt", "yuv420p", str(path)]
        subprocess.run([ffmpeg, "-v", "error", *options], check=True)
    (text_file := tmp_path / "text.mp4").write_text("no film")
    for path in (large_clip, silent_clip, text_file):
        with pytest.raises(FfmpegError, match="ffmpeg failed"):
            asyncio.run(probe_video(ffmpeg, path))


def test_worker_gets_only_the_pictures_and_sounds_of_the_film(film: Film, tmp_path: Path) -> None:
    (media := tmp_path / "media").mkdir()
    for name in ("shown.webp", "voice-1.ogg", "other.webp"):
        (media / name).write_bytes(b"1")
    segment = gzip.compress(b'{"avatar":"shown.webp","sound":"voice-1.ogg","missing":"gone.webp"}')
    copy_film_files(Film(film.outline, (*film.segments, segment)), media, tmp_path / "sent")
    assert {path.name for path in (tmp_path / "sent").iterdir()} == {FILM_FILE, MEDIA_FOLDER}
    assert {path.name for path in (tmp_path / "sent" / MEDIA_FOLDER).iterdir()} == {"shown.webp", "voice-1.ogg"}
