"""`highnoon serve` shows recordings and refuses odd files. The installed wheel has all that the program needs."""

import asyncio
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from zipfile import ZipFile

import httpx
import msgspec
import pytest

from broadcast.archive.archive import INDEX_FILE
from broadcast.guide.pages import Guide
from server.__main__ import main
from server.app.decisions.author_reports import GameReport, author_link, report_path, reports_folder
from server.app.decisions.transcript import Line, Transcript, write_compressed
from server.app.evening.evening_files import EveningSecrets, secrets_path
from server.config.settings import Settings
from server.contests.upac.venue.venue import run_season_demo
from server.game.events import HandEnded
from server.journal.journal import Journal
from server.version import VERSION
from tests.season.sample_seasons import SEED, make_season, write_ledger
from tests.support.games.contests import play_contest
from tests.support.games.recordings import small_contest, wait_until_listed, write
from tests.support.program import SECONDS, highnoon, serving_program
from tests.support.programs.disks import small_disk
from tests.support.source_files import ROOT, copy_clone, project_files

__all__ = ["small_disk"]

AUTHORS_SECRET = "ab" * 32
"""The links to the pages of bots' authors are made from this secret."""


def _write_contest(path: Path, seed: int, *, is_complete: bool = True) -> Journal:
    """Records a contest. Without `is_complete`, the recording ends two entries after hand 3, as if cut short."""
    entries = play_contest(seed, bots=2 + seed % 3)
    journal = Journal(path)
    hand_ends = [index for index, entry in enumerate(entries) if isinstance(entry.event, HandEnded)]
    journal.append(entries if is_complete else entries[: hand_ends[2] + 3])
    return journal


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Serves two finished contests, a later contest that was cut short, a published hand, and a contest in progress."""
    recordings = tmp_path_factory.mktemp("evening") / "data" / "recordings"
    for seed, name in enumerate(("first", "second", "broken-off"), 1):
        _write_contest(recordings / f"{name}.jsonl", seed, is_complete=name != "broken-off").close()
        os.utime(recordings / f"{name}.jsonl", (seed, seed))
    hands = str(ROOT / "tests/data/phh/dwan-ivey-2009.phh")
    assert main(["import", hands, "--out", str(recordings / "published.jsonl")]) == 0
    second = recordings / "second.jsonl"
    secrets = EveningSecrets("2a" * 32, "c" * 20, "v" * 20, AUTHORS_SECRET)
    secrets_path(second).write_bytes(msgspec.json.encode(secrets))
    for bot, game in itertools.product(range(1, 5), range(1, 20)):
        report = GameReport(Transcript((Line(0, 1, ">", "what the bot heard"),)))
        write_compressed(report_path(reports_folder(second), bot, game), report)
    with (
        closing(_write_contest(recordings / "on-now.jsonl", 9)),
        serving_program("serve", "data", cwd=recordings.parents[1]) as program,
    ):
        with httpx.Client(base_url=program.base, timeout=60.0) as client:
            for name in ("first", "second", "broken-off", "published"):
                wait_until_listed(client, name)
            assert (recordings / INDEX_FILE).exists()
            yield client
        status, output = program.interrupt()
    assert (status, output.splitlines()[-1]) == (0, "stopped")


def test_all_contests_except_those_in_progress_are_listed(web: httpx.Client) -> None:
    recordings = web.get("/recordings").text
    assert recordings.count("cut short after hand 3") == recordings.count("published hands") == 1
    for name in ("broken-off", "published"):
        assert web.get(f"/replay/{name}").status_code == 200
        _before_the_first_hand, *hands = web.get(f"/films/{name}/index.json").json()["hands"]  # film: a show to replay
        assert len(hands) == (3 if name == "broken-off" else 1)
    for page in ("/replay/first", "/films/first/index.json", "/verify"):
        assert web.get(page).status_code == 200
    assert "/recordings/on-now" not in recordings
    assert web.get("/replay/on-now").status_code == 404
    results = web.get("/results.json").json()
    assert (results["finished"], len(results["rows"])) == (True, 4), "the latest finished contest must give the results"
    page = web.get("/").text
    assert "Register a bot" not in page
    assert "Nothing is on just now" in page
    assert 'href="/recordings"' in page


def test_authors_page_is_still_served_after_the_evening(web: httpx.Client) -> None:
    link = f"/own/{author_link(AUTHORS_SECRET, 1, 'Bot 1')}"
    game = web.get(f"{link}?json").json()["games"][0]
    assert f"/replay/second?hand={game['first_hand']}" in web.get(link).text
    hands = web.get(f"{link}/{game['game']}?json").json()["hands"]
    assert [line["text"] for hand in hands for line in hand["messages"]] == ["what the bot heard"]
    assert web.get(f"{link[:-1]}x").status_code == 404


def test_finished_season_is_served_with_its_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert asyncio.run(run_season_demo(Settings("127.0.0.1", 0, tmp_path, 0.0, SEED), 2)) == 0
    output = capsys.readouterr().out
    assert "2 games, " in output
    assert "all opponents and all cards follow from the one seed" in output
    assert output.count("Calamity Bayes") == 2
    unfinished = make_season(3, 4, dice=random.Random(1))[:-1]
    write_ledger(tmp_path / "recordings" / "later.ledger", unfinished)  # A ledger is a season's recording.
    with serving_program("serve", str(tmp_path)) as program, httpx.Client(base_url=program.base, timeout=60.0) as web:
        program.wait_for_output(f"{program.base}/season   (The house's season)")
        assert "Calamity Bayes" in web.get("/season").text
        assert 'href="/season"' in web.get("/").text
        assert web.get("/upload").status_code == 404
        for page in ("/season/games/1", "/season/games/1/public.log", "/replay/season/1", "/films/season/1/index.json"):
            assert web.get(page).status_code == 200, page
        assert web.get("/season/games/1/defender.log").status_code == 403


def test_pages_report_a_full_disk_until_there_is_room(small_disk: Path) -> None:
    _write_contest(small_disk / "data" / "recordings" / "first.jsonl", 1).close()
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass
    with serving_program("serve", str(small_disk / "data"), cwd=small_disk.parent) as program:
        with httpx.Client(base_url=program.base, timeout=60.0) as client:
            for page in ("/recordings", "/replay/first", "/previews.png"):
                response = client.get(page)
                assert (response.status_code, "disk is full" in response.text) == (503, True)
            filler.unlink()
            wait_until_listed(client, "first")
        _, output = program.interrupt()
    assert "Pages cannot be made: database or disk is full" in output
    assert "Traceback" not in output


PICTURE_NAME = "0123456789abcdef.webp"


@pytest.fixture(scope="module")
def strangers_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a stranger. Most of its recordings and media are odd or harmful. One recording is good."""
    top = tmp_path_factory.mktemp("sent")
    recordings, media = top / "data" / "recordings", top / "data" / "media"
    recordings.mkdir(parents=True)
    media.mkdir()
    write(recordings / "good.jsonl", small_contest())
    write(top / "elsewhere.jsonl", small_contest(3))
    for name in ("pipe.jsonl", "pipe.ledger", "hands.phh", "good.secrets", "good.diary"):
        os.mkfifo(recordings / name)
    (recordings / "folder.jsonl").mkdir()
    for name, target in (("dangling", "nothing"), ("zero", "/dev/zero"), ("out", "../../elsewhere.jsonl")):
        (recordings / f"{name}.jsonl").symlink_to(target)
    (recordings / "practice").symlink_to("../..")
    os.mkfifo(media / f"a{PICTURE_NAME}")
    (media / "evil.html").write_text("<script>alert(1)</script>")
    (media / PICTURE_NAME).write_text("<script>alert(1)</script>")
    (media / f"b{PICTURE_NAME}").symlink_to("../../elsewhere.jsonl")
    return top / "data"


def test_serve_offers_only_regular_files(strangers_data: Path) -> None:
    with serving_program("serve", str(strangers_data)) as program:
        with httpx.Client(base_url=program.base, timeout=SECONDS) as web:
            wait_until_listed(web, "good")
            recordings = web.get("/recordings").text
            assert not [name for name in ("pipe", "zero", "out", "elsewhere", "dangling") if f"/{name}" in recordings]
            assert {web.get(f"/recordings/{name}.jsonl").status_code for name in ("pipe", "out", "zero")} == {404}
            refused = ("evil.html", f"a{PICTURE_NAME}", f"b{PICTURE_NAME}", f"../media/{PICTURE_NAME}x", "")
            assert {web.get(f"/media/{name}").status_code for name in refused} == {404}
            headers = web.get(f"/media/{PICTURE_NAME}").headers
            assert (headers["content-type"], headers["x-content-type-options"]) == ("image/webp", "nosniff")
            assert "sandbox" in headers["content-security-policy"], "media must never be shown as a page"
        program.process.send_signal(signal.SIGTERM)
        assert program.process.wait(SECONDS) is not None


def test_commands_skip_or_refuse_strange_files(strangers_data: Path, tmp_path: Path) -> None:
    recordings = strangers_data / "recordings"
    published = highnoon("publish", str(recordings), "--to", str(tmp_path / "site"))
    assert (published.returncode, "1 recording;" in published.stdout) == (0, True), published.stderr
    luck = highnoon("luck", str(recordings))
    assert luck.returncode == 0, luck.stderr
    for command, pipe in (("verify", "pipe.jsonl"), ("import", "hands.phh"), ("replay", "pipe.jsonl")):
        refused = highnoon(command, str(recordings / pipe))
        assert (refused.returncode, "Traceback" in refused.stderr) == (1, False), command
        assert "it is not a regular file" in refused.stderr


SERVED = re.compile(r"static/(?:art|css|js)/.*(?<!\.d\.ts)$|assets/(?:avatars|fonts|particles|sounds)/.*(?<!\.txt)$")
"""Matches the paths of all files that pages load. Also matches JSON files, which only the program reads."""
BUNDLED_SCRIPT = "static/bundle/js/front/main.js"
"""One of the files that `make bundle` leaves in the clone."""
ADDRESSES = re.compile(r"""["'(`]((?:/|(?:\.\./)+)(?:static|assets|media)/[\w./-]+)["')`]""")
"""Matches a file's address where a page, script or style sheet names the file."""
IMPORTS = re.compile(r'^(?:@?import [^"\n]*|\} from )"([^"]+)";$', re.MULTILINE)
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
BARE_ENVIRONMENT = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
"""Commands get only these two variables. PYTHONPATH, for example, could make Python load the clone, not the wheel."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel. The folder in which it was built also has files left over from bundling, a build and a run of a bot."""
    clone, folder = tmp_path_factory.mktemp("packed") / "clone", tmp_path_factory.mktemp("wheel")
    copy_clone(clone)
    compiled_bot = "assets/starters/upac/python/bot/__pycache__/bot.cpython-311.pyc"
    for leftover in (clone / BUNDLED_SCRIPT, clone / "build/lib/server/gone.py", clone / compiled_bot):
        leftover.parent.mkdir(parents=True)
        leftover.write_text("")
    run(*PIP, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder, clone)
    (wheel,) = folder.iterdir()
    return wheel


@pytest.fixture(scope="module")
def installed_bin(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """The `bin` folder of a virtual environment with the wheel. Other packages come from the tests' environment."""
    environment = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    run(*PIP, "--python", environment / "bin" / "python", "install", "--no-deps", "--no-index", wheel)
    return environment / "bin"


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Runs a command, which must succeed. Returns its output."""
    completed = subprocess.run(
        command, cwd=cwd, env=BARE_ENVIRONMENT, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert completed.returncode == 0, f"{completed.stdout}\n{completed.stderr}"
    return completed.stdout


def test_wheel_contains_exactly_what_the_program_needs(wheel: Path) -> None:
    needed = {
        re.sub(r"^(?=assets/|static/)", "broadcast/", path.as_posix())
        for path in project_files()
        if path.parts[0] in ("server", "broadcast", "assets") or SERVED.match(path.as_posix())
        if not path.is_relative_to("assets/make")  # Only a clone needs these scripts, which make assets.
    }
    names = {name for name in ZipFile(wheel).namelist() if f"-{VERSION}.dist-info/" not in name}
    assert names == needed | {f"broadcast/{BUNDLED_SCRIPT}"}


def test_installed_program_plays_shows_and_proves_a_contest(installed_bin: Path, tmp_path: Path) -> None:
    assert run(installed_bin / "highnoon", "--version", cwd=tmp_path) == f"highnoon {VERSION}\n"
    package = run(installed_bin / "python", "-c", "import server; print(server.__file__)", cwd=tmp_path).strip()
    assert Path(package).is_relative_to(installed_bin.parent)
    files_before = installed_files(installed_bin)
    command = ("demo", "--speed", "1000", "--seed", "2a")
    environment = {**BARE_ENVIRONMENT, "PYTHONUNBUFFERED": "1"}
    with serving_program(*command, cwd=tmp_path, command=[str(installed_bin / "highnoon")], env=environment) as show:
        with httpx.Client(base_url=show.base, timeout=SECONDS) as web:
            for page in ("/", "/overlay", "/projector", "/recordings"):
                assert load(web, page) > {"/assets/fonts/rye-latin-400-normal.woff2"}
            assert all(web.get(f"/guide/{name}").status_code == 200 for name in Guide().names)
            for path in filter(SERVED.match, (path.as_posix() for path in project_files())):
                # The program reads its JSON files, but does not serve them.
                assert path.endswith(".json") or web.get(f"/{path}").status_code == 200, path
            show.wait_for_output("the show is over; its pages stay until Ctrl-C")
            show.wait_for_output(f"{show.base}/recordings")
            show.wait_for_output(f"highnoon serve {tmp_path}/data")
            (recording,) = (tmp_path / "data" / "recordings").glob("*.jsonl")
            show.wait_for_output(f"highnoon verify {recording}")
            wait_until_listed(web, recording.stem)
            assert load(web, f"/replay/{recording.stem}")
        status, output = show.interrupt()
    assert "verified" in show.output
    assert (status, output.splitlines()[-1]) == (0, "stopped")
    assert run(installed_bin / "highnoon", "verify", recording, cwd=tmp_path).startswith("verified ")
    assert {path.name for path in tmp_path.iterdir()} == {"data"}
    assert installed_files(installed_bin) == files_before, "the program must write nothing where it is installed"


def load(web: httpx.Client, page: str) -> set[str]:
    """Loads a page, all files that it needs, and all that these files need. Returns the files' addresses."""
    loaded: set[str] = set()
    waiting = {page}
    while waiting:
        response = web.get(waiting.pop())
        assert response.status_code == 200, response.url
        if response.headers["content-type"].startswith("text/"):
            links = ADDRESSES.findall(response.text) + IMPORTS.findall(response.text)
            new = {response.url.join(link).raw_path.decode() for link in links} - loaded
            waiting |= new
            loaded |= new
    return loaded


def installed_files(installed_bin: Path) -> list[Path]:
    """Returns all installed files except compiled Python."""
    return sorted(path for path in installed_bin.parent.rglob("*") if path.suffix != ".pyc" and path.is_file())
