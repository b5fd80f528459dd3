"""`highnoon check` reports the faults of submitted bots, after a trial game of each bot in a real box (sandbox)."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from broadcast.media.file_kinds import PictureFindings
from broadcast.report import BotSheet, Finding, Trial, render_report
from server.app.check.check_results import TrialRemarks
from server.bots.choose_sandbox import RunnerKind, choose_runner
from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.runner import BoxEnvironment
from server.contests.quick_draw.venue.trial_game import run_trial_game
from server.paths import ASSETS
from server.submissions.command_bots import find_command_bots
from server.submissions.submissions_reader import read_submissions
from tests.bots.sandbox.test_submitted_files import OTHER_ELF_NUMBER, OTHER_PROCESSOR, elf
from tests.media.stranger_files import picture, sound, stripes, tone
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP, docker_host
from tests.support.bots.submission import HOST, write_bot, write_player
from tests.support.program import highnoon


def test_every_bot_is_reported_even_if_another_is_broken(tmp_path: Path) -> None:
    players = tmp_path / "all"
    # When a bot wins, its sound is played, and copies of its particle (a picture) fly.
    write_player(players / "alice", "Honest Abe", "Bart", has_particle_and_sound=True)
    broken_bot = write_bot(players / "bob", "B\\u001b[2Job")
    (broken_bot / "Dockerfile").rename(broken_bot / "dockerfile")
    (broken_bot / "mugshot.png").write_text("a drawing of Bob")
    write_bot(players / "carl", "Carl", has_particle_and_sound=True)
    (players / "carl" / "yeehaw.wav").write_bytes(b"RIFF\0\0\0\0WAVE")
    (players / "carl" / "engine").write_bytes(elf(OTHER_ELF_NUMBER))
    result = highnoon("check", str(players), "--no-run", "--report", str(tmp_path / "report.html"))
    assert (result.returncode, result.stderr) == (1, "")
    verdicts = [line.split(":")[0] for line in result.stdout.splitlines() if line.startswith(("OK ", "UNFIT ", "TO "))]
    assert verdicts == ["OK       alice/bot-1", "OK       alice/bot-2", "UNFIT    bob", "TO FIX   carl"]
    text = " ".join(result.stdout.split())
    for finding in (
        'FAULT There is no Dockerfile. There is "dockerfile": rename or move it',
        "FIX The avatar: it is not a PNG, JPEG, GIF or WebP picture. Until you replace it, the house's face is shown.",
        "FIX The sound: it is damaged, or not a WAV file at all. Until you replace it, the house's sound is played.",
        f"FIX engine is a program for {OTHER_PROCESSOR}, and bots run on Linux with the processor",
    ):
        assert finding in text
    assert "FAULT bot_config.json can't be read" not in text
    assert "4 bots of 3 players: 2 OK, 1 to fix, 1 unfit" in text
    assert "\x1b" not in result.stdout
    assert (tmp_path / "report.html").read_text().count('<article class="sheet"') == 4
    result = highnoon("check", str(players), "--no-run", "--json", "--report", str(tmp_path / "pages"))
    assert result.returncode == 1
    report = json.loads(result.stdout)
    assert [(bot["label"], bot["verdict"], bot["game"]) for bot in report["bots"]] == [
        ("alice/bot-1", "well", None), ("alice/bot-2", "well", None), ("bob", "unfit", None), ("carl", "mend", None),
    ]  # fmt: skip
    assert report["bots"][3]["findings"][0]["kind"] == "mend"  # "mend" is printed as "FIX" or "TO FIX".
    assert "4 bots of 3 players" in result.stderr
    pages = {path.name: path.read_text() for path in (tmp_path / "pages").iterdir()}
    assert sorted(pages) == ["alice.html", "bob.html", "carl.html"]
    assert pages["alice.html"].count('<article class="sheet"') == 2
    assert "Carl" not in pages["alice.html"]


def test_bots_in_an_archive_are_checked_and_no_files_remain(tmp_path: Path) -> None:
    alice = write_player(tmp_path / "all" / "alice", "Abe", "Bart", has_particle_and_sound=True)
    archive = shutil.make_archive(str(tmp_path / "alice"), "zip", alice)
    before = sorted(tmp_path.rglob("*"))
    result = highnoon("check", archive, "--no-run")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-1] == "2 bots of 1 player: 2 OK"
    assert sorted(tmp_path.rglob("*")) == before


LEAVES_AT_A_RAISE = """while read word mine _ theirs _; do
    case $word in STACK) [ $theirs -gt $mine ] && [ $theirs -gt 2 ] && exit 4; echo C;; esac
done"""
"""A bot that exits if its opponent raises. The bot itself never raises, so against itself it never exits."""


def write_submission(folder: Path, **fields: object) -> Path:
    (folder / "bot").mkdir(parents=True)
    (folder / "bot" / "bot.json").write_text(json.dumps(fields))
    return folder


@NEEDS_BUBBLEWRAP
def test_every_upac_bot_is_built_and_plays_against_itself(tmp_path: Path) -> None:
    bots = tmp_path / "bots"
    shutil.copytree(ASSETS / "starters" / "upac" / "python", bots / "alice")
    write_submission(bots / "bob", name="", build=5)
    write_submission(bots / "carl", name="Carl", run="echo 'no such card' >&2; exit 3")
    for name, answer in (("Eve", "R50"), ("Fay", "raise 6")):
        answers = f"while read word rest; do case $word in STACK) echo {answer};; esac; done"
        write_submission(bots / name.lower(), name=name, run=answers)
    write_submission(bots / "gil", name="Gil", run=LEAVES_AT_A_RAISE)
    write_submission(bots / "dora", name="Dora", build="echo first; echo no compiler; exit 1", run="./bot")
    result = highnoon("check", str(bots), "--runner", "light", "--report", str(tmp_path / "pages"))
    assert (result.returncode, result.stderr) == (1, "")
    text = " ".join(result.stdout.split())
    # Each test game has new cards. So one of the two copies of the starter (an example bot) may lose all its chips.
    alice = r"OK alice: Python Starter box light rounds played [1-5] of 5, against itself(: one of .* chips)? answers"
    assert re.search(alice, text), text
    assert 'FAULT "name" is empty.' in text
    assert 'FAULT bot.json has no "run"' in text
    assert 'FAULT "build" must be a text in double quotes, not a number.' in text
    assert "FAULT It did not pass its test game: ended with status 3. last output: | no such card" in text
    assert "FAULT Dora cannot be built: its build ended with status 1." in text
    assert "first / no compiler" in text
    assert "of 5, against itself: one of the two had lost all its chips" in text
    assert "on a line of its own, not 'raise 6'" in text
    assert "FAULT When it faces a raise: it left: ended with status 4" in text
    assert "7 bots of 7 players: 2 OK, 5 unfit" in text
    pages = {page.name: page.read_text() for page in (tmp_path / "pages").iterdir()}
    assert sorted(pages) == ["alice.html", "bob.html", "carl.html", "dora.html", "eve.html", "fay.html", "gil.html"]
    assert " of 5, against itself" in pages["alice.html"]


def test_submission_with_bot_json_and_no_dockerfile_is_for_upac(tmp_path: Path) -> None:
    one = write_submission(tmp_path / "all" / "one", name="One", run="./bot")
    flat_zip = Path(shutil.make_archive(str(tmp_path / "all" / "two"), "zip", one))
    zip_with_folder = Path(shutil.make_archive(str(tmp_path / "wrapped"), "zip", tmp_path / "all", "one"))
    for submission in (one, one / "bot", flat_zip, zip_with_folder):
        assert find_command_bots(submission) == [submission]
    assert find_command_bots(tmp_path / "all") == [one, flat_zip]
    empty_folder, damaged_zip = tmp_path / "all" / "empty", tmp_path / "all" / "three.zip"
    empty_folder.mkdir()
    damaged_zip.write_bytes(b"PK")
    (tmp_path / "all" / "notes.txt").write_text("who handed in what")
    assert find_command_bots(tmp_path / "all") == [empty_folder, one, damaged_zip, flat_zip]
    abe = write_bot(tmp_path / "others" / "abe")
    archive = Path(shutil.make_archive(str(tmp_path / "abe"), "zip", abe))
    (abe / "bot.json").write_text("{}")  # A folder with a Dockerfile is for Quick Draw even if it has a bot.json.
    write_submission(tmp_path / "others" / "one", name="One", run="./bot")
    assert [find_command_bots(path) for path in (abe, archive, tmp_path / "others")] == [[], [], []]


__all__ = ["docker_host"]


@pytest.fixture(
    params=[pytest.param("docker", marks=pytest.mark.docker), pytest.param("light", marks=NEEDS_BUBBLEWRAP)]
)
def runner_kind(request: pytest.FixtureRequest) -> str:
    if request.param == "docker":
        request.getfixturevalue("docker_host")
    return str(request.param)


async def run_trial(folder: Path, runner_kind: RunnerKind, work_folder: Path) -> TrialRemarks:
    runner = await choose_runner(runner_kind, BoxEnvironment("check-test", (HOST,)))
    try:
        (submission,) = read_submissions(folder, work_folder / "unpacked")
        return await run_trial_game(submission, runner, work_folder, lambda _: None)
    finally:
        await runner.close()


def change_code(folder: Path, old: str, new: str) -> None:
    code = (folder / "bot.py").read_text()
    assert old in code
    (folder / "bot.py").write_text(code.replace(old, new))


async def test_honest_bot_plays_six_hands_and_is_measured(runner_kind: RunnerKind, tmp_path: Path) -> None:
    trial = await run_trial(write_bot(tmp_path / "abe"), runner_kind, tmp_path / "work")
    assert (trial.faults, trial.warnings, trial.notes) == ([], [], [])
    assert (trial.registered, trial.hands) == ("Honest Abe", 6)
    assert trial.answers_ms
    assert 0 < trial.usage.peak_memory_bytes < Limits().memory_bytes
    assert trial.usage.cpu_seconds > 0
    assert trial.printed.startswith("honest since")
    lines = dict(trial.to_trial().lines)
    assert lines["Box"] in ("docker, strict", "light")
    assert lines["Peak memory"].endswith(" of 100 MB")


@pytest.mark.parametrize(
    ("behaviour", "printed"), [("crash", "RuntimeError: cannot think about request_action"), ("exits", "exits since ")]
)
async def test_bot_that_ends_early_is_unfit(
    behaviour: str, printed: str, runner_kind: RunnerKind, tmp_path: Path
) -> None:
    trial = await run_trial(write_bot(tmp_path / "abe", behaviour=behaviour), runner_kind, tmp_path / "work")
    (fault,) = trial.faults
    assert fault.startswith("It did not stay until the end of its game:")
    assert printed in trial.printed
    assert bool(trial.registered) == (behaviour == "crash")


@NEEDS_BUBBLEWRAP
async def test_bot_always_plays_under_the_name_in_its_configuration(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "abe", behaviour="garbage")
    change_code(folder, '["name"]\n', '["name"] + " II"\n')
    trial = await run_trial(folder, "light", tmp_path / "work")
    assert (trial.registered, trial.hands, trial.faults) == ("Honest Abe II", 6, [])
    late_warning, fault_warning, *_ = trial.warnings
    assert "no valid answer came within 3 seconds" in late_warning
    assert fault_warning.startswith("Hand 1: not JSON")
    assert ": it folds. It sent " in fault_warning
    assert " Expected: fold, call (costs " in fault_warning
    assert " The rule: A message is one JSON object with a command." in fault_warning
    (name_note,) = trial.notes
    assert name_note.startswith('It registered as "Honest Abe II"; but it always plays as "Honest Abe", the name in')


@pytest.mark.docker
async def test_bot_that_writes_beside_its_code_runs_in_the_relaxed_box(docker_host: str, tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "abe")
    old_code = "    if behaviour in AT_START"
    change_code(folder, old_code, f'    Path("memory.txt").write_text("x")\n{old_code}')
    trial = await run_trial(folder, "docker", tmp_path / "work")
    assert (trial.faults, trial.hands) == ([], 6)
    assert "relaxed" in trial.box
    assert "ran with these two rules relaxed" in trial.notes[0]


@pytest.mark.docker
async def test_failed_build_is_reported_with_the_end_of_its_log(docker_host: str, tmp_path: Path) -> None:
    recipe = "FROM python:3.11-slim\nRUN cat /nothing-there\nCMD true\n"
    trial = await run_trial(write_bot(tmp_path / "abe", dockerfile=recipe), "docker", tmp_path / "work")
    (fault,) = trial.faults
    assert "nothing-there" in fault
    assert fault.endswith("Build it yourself to see everything: docker build .")


@NEEDS_BUBBLEWRAP
@pytest.mark.parametrize("cards", [3, 5])
async def test_bot_that_exits_on_a_later_street_is_unfit(cards: int, tmp_path: Path) -> None:
    """The check must make the bot act on every street, though in a short game the bot might never reach the river."""
    folder = write_bot(tmp_path / "abe")
    old_code = "def answer(message: dict[str, Any]) -> bytes:\n"
    change_code(folder, old_code, f'{old_code}    assert len(message["community_cards"]) < {cards}, "too many cards"\n')
    trial = await run_trial(folder, "light", tmp_path / "work")
    assert trial.faults
    assert "too many cards" in trial.printed


@NEEDS_BUBBLEWRAP
async def test_report_names_the_streets_that_the_bot_never_reached(tmp_path: Path) -> None:
    trial = await run_trial(write_bot(tmp_path / "abe", behaviour="folds"), "light", tmp_path / "work")
    assert trial.faults == []
    assert "In 12 hands it never had to act on the flop and the river and the turn." in trial.notes


RECORD_SOUND_AND_PARTICLES = """() => {
    const sound = document.querySelector("audio");
    sound.addEventListener("timeupdate", () => { window.heard ||= sound.currentTime > 0.2; });
    const look = () => { window.seen ||= document.querySelector(".win canvas") !== null; };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
"""Sets `heard` when the sound plays, and `seen` when particles fly. Both may be over before the test looks."""
COUNT_ELEMENTS = """() => {
    const within = [...document.querySelectorAll(".sheet")].map((sheet) => sheet.querySelectorAll("*").length);
    const beside = document.querySelectorAll(":not(.sheet, .sheet *)").length;
    return [[...new Set(within)], beside - within.length];
}"""
"""A sheet is one bot's part of the report. Returns how many elements each sheet has, with equal numbers listed once.
Also returns how many elements are outside the sheets, without the links to the sheets.
"""
MIDDLE_COLOUR = """(image) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 3;
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, 3, 3);
    const [red, green, blue] = pen.getImageData(1, 1, 1, 1).data;
    return green > red && green > blue ? "green" : red > blue ? "red" : "blue";
}"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A browser page that opens reports on disk. A report must load no other file and log no error."""
    errors, requests = list[str](), list[str]()
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    yield page
    page.close()
    assert errors == []
    assert all(url.startswith("data:") or re.fullmatch(r"file:///.*/(report|\d)\.html", url) for url in requests)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of `highnoon check` on two bots: one has all files, and one has no picture."""
    folder = tmp_path_factory.mktemp("all")
    abe = write_bot(folder / "alice" / "abe", "Señor Fold-a-Lot de Río Grand", has_particle_and_sound=True)
    (abe / "mugshot.png").write_bytes(picture(stripes(900, 300)))
    (abe / "yeehaw.wav").write_bytes(sound(tone(2.5, 0.05)))
    bob = write_bot(folder / "alice" / "bob", "Bob")
    (bob / "mugshot.png").unlink()
    report_path = folder / "report.html"
    highnoon("check", str(folder / "alice"), "--no-run", "--report", str(report_path))
    return report_path


def test_report_shows_picture_loudness_and_faults_and_plays_the_win(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    poster = page.locator(".poster").first
    assert poster.inner_text().split("\n")[-1].split() == ["CHIPS", "5,000"]
    assert "Señor Fold-a-Lot de Río Grand" in poster.inner_text()
    photo = poster.locator("img")
    assert photo.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [512, 512]
    middle_colour = page.evaluate(MIDDLE_COLOUR, photo.element_handle())
    assert middle_colour == "green", "the poster must show the middle third of the picture"
    crop = page.locator(".crop").first
    assert crop.get_attribute("viewBox") == "0 0 900 300"
    kept_part = crop.locator("rect.crop__kept")
    left_and_width = [float(kept_part.get_attribute(name) or 0) for name in ("x", "width")]
    assert left_and_width == [pytest.approx(300, abs=5), pytest.approx(300, abs=10)]
    assert page.get_by_text("cropped to the middle 300 x 300").count() == 1
    rows = page.locator("table").first.inner_text().split("\n")
    _, submitted, played = next(row for row in rows if row.startswith("Loudness")).split("\t")
    assert float(submitted.split()[0]) < -20
    assert float(played.split()[0]) == pytest.approx(-16, abs=0.7)
    assert page.locator(".sheet").nth(1).get_attribute("data-verdict") == "unfit"
    (fault,) = page.locator(".finding[data-kind=fault]").all_inner_texts()
    assert "there is no such file. Put it into the folder." in " ".join(fault.split())
    assert page.locator(".poster img").nth(1).evaluate("image => image.naturalWidth") > 0, "a default face must appear"
    page.reload()
    win = page.locator(".win").first
    assert win.locator("canvas").count() == 0
    page.set_viewport_size({"width": 360, "height": 300})  # A small page is painted faster while particles fly.
    page.evaluate(RECORD_SOUND_AND_PARTICLES)
    win.get_by_role("button", name="Play").click()
    page.wait_for_function("() => window.heard && window.seen")
    assert page.evaluate("document.querySelector('audio').duration") == pytest.approx(2.5, abs=0.05)
    win.locator("canvas").wait_for(state="detached")


def test_report_can_be_read_and_heard_without_scripts(browser: Browser, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator(".win button").first.is_hidden()
    assert page.locator(".win__still image").first.is_visible()
    assert page.locator("audio").first.is_visible()
    context.close()


def test_two_hundred_hostile_texts_stay_plain_text(page: Page, tmp_path: Path) -> None:
    image, counts = (ASSETS / "particles" / "default.webp").read_bytes(), []
    for number, texts in enumerate((PAYLOADS, ["xx xx", "xx xx"])):
        path = tmp_path / f"{number}.html"
        sheets = [sheet_full_of(text, image) for text in texts]
        path.write_text(render_report(sheets, "x", "now", 5000), errors="replace")
        page.goto(path.as_uri())
        assert page.evaluate("window.robbed") is None  # A text that runs as a script sets `robbed`.
        assert page.locator(".sheet").count() == len(texts)
        counts.append(page.evaluate(COUNT_ELEMENTS))
    assert counts[0] == counts[1]


def sheet_full_of(text: str, image: bytes) -> BotSheet:
    trial, picture_findings = Trial(((text, text),), (1, 2), text), PictureFindings(10, 10, text, image)
    findings = (Finding("fault", text), Finding("note", text))
    return BotSheet(
        text, text, text, "unfit", findings, image, image, size=text, picture_findings=picture_findings, trial=trial
    )
