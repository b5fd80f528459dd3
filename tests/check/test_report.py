"""In a browser, the report of `highnoon check` is one file, plays media, and shows strangers' text as plain text."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from broadcast.media.findings import PictureFindings
from broadcast.report import BotReport, Finding, Trial, render_report
from tests.media.stranger_files import picture, sound, striped, tone
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.support.bots.submission import write_bot
from tests.support.program import highnoon

ASSETS = Path(__file__).parents[2] / "assets"
WATCH = """() => {
    const sound = document.querySelector("audio");
    sound.addEventListener("timeupdate", () => { window.heard ||= sound.currentTime > 0.2; });
    const look = () => { window.seen ||= document.querySelector(".win canvas") !== null; };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
"""A script that records whether a sound was heard and particles were shown. Both end too soon to be looked for
later.
"""
SHAPE = """() => {
    const within = [...document.querySelectorAll(".sheet")].map((sheet) => sheet.querySelectorAll("*").length);
    const beside = document.querySelectorAll(":not(.sheet, .sheet *)").length;
    return [[...new Set(within)], beside - within.length];
}"""
"""A script that returns the number of elements in each sheet of a report, and the number of all other elements except
links to sheets.
"""
COLOUR = """(image) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 3;
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, 3, 3);
    const [red, green, blue] = pen.getImageData(1, 1, 1, 1).data;
    return green > red && green > blue ? "green" : red > blue ? "red" : "blue";
}"""
"""A script that returns the main colour in the middle of a picture."""
Open = Callable[[Path], Page]


@pytest.fixture
def open_report(browser: Browser) -> Iterator[Open]:
    """Opens reports from the disk in one tab. A report may request only itself, and may log no error."""
    opened: list[str] = []
    errors: list[str] = []
    requests: list[str] = []
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))

    def open_one(path: Path) -> Page:
        opened.append(path.as_uri())
        page.goto(opened[-1], wait_until="load")
        return page

    yield open_one
    page.close()
    assert errors == []
    assert [url for url in requests if not url.startswith("data:")] == opened


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command's report on a bot with all files and a bot without a picture."""
    folder = tmp_path_factory.mktemp("all")
    abe = write_bot(folder / "alice" / "abe", "Señor Fold-a-Lot de Río Grand", extras=True)
    (abe / "mugshot.png").write_bytes(picture(striped(900, 300)))
    (abe / "yeehaw.wav").write_bytes(sound(tone(2.5, 0.05)))
    bob = write_bot(folder / "alice" / "bob", "Bob")
    (bob / "mugshot.png").unlink()
    page = folder / "report.html"
    highnoon("check", str(folder / "alice"), "--no-run", "--report", str(page))
    return page


def test_sheets_show_the_cropped_picture_the_loudness_and_every_fault(open_report: Open, report: Path) -> None:
    page = open_report(report)
    poster = page.locator(".poster").first
    assert poster.inner_text().split("\n")[-1].split() == ["CHIPS", "5,000"]
    assert "Señor Fold-a-Lot de Río Grand" in poster.inner_text()
    photo = poster.locator("img")
    assert photo.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [512, 512]
    assert page.evaluate(COLOUR, photo.element_handle()) == "green", "green is the middle third of the picture"
    crop = page.locator(".crop").first
    assert crop.get_attribute("viewBox") == "0 0 900 300"
    kept = crop.locator("rect.crop__kept")
    left, width = (float(kept.get_attribute(name) or 0) for name in ("x", "width"))
    assert left == pytest.approx(300, abs=5)
    assert width == pytest.approx(300, abs=10)
    assert page.get_by_text("cropped to the middle 300 x 300").count() == 1
    rows = page.locator("table").first.inner_text().split("\n")
    _, sent, played = next(row for row in rows if row.startswith("Loudness")).split("\t")
    assert float(sent.split()[0]) < -20
    assert float(played.split()[0]) == pytest.approx(-16, abs=0.7)
    assert page.locator(".sheet").nth(1).get_attribute("data-verdict") == "unfit"
    (fault,) = page.locator(".finding[data-kind=fault]").all_inner_texts()
    assert "there is no such file. Put it into the folder." in " ".join(fault.split())
    silhouette = page.locator(".poster img").nth(1)
    assert silhouette.evaluate("image => image.naturalWidth") > 0


def test_particles_fly_on_a_click_and_the_sound_plays(open_report: Open, report: Path) -> None:
    page = open_report(report)
    win = page.locator(".win").first
    assert win.locator("canvas").count() == 0
    page.set_viewport_size({"width": 360, "height": 300})  # a small page has less to paint while the particles fly
    page.evaluate(WATCH)
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


def test_two_hundred_hostile_texts_stay_plain_text(open_report: Open, tmp_path: Path) -> None:
    """The report has as many elements as a report with harmless texts, inside and outside the sheets."""
    shapes = []
    for number, texts in enumerate((PAYLOADS, ["xx xx", "xx xx"])):
        path = tmp_path / f"{number}.html"
        path.write_text(render_report([hostile_sheet(text) for text in texts], "x", "now", 5000), errors="replace")
        page = open_report(path)
        assert page.evaluate("window.robbed") is None
        assert page.locator(".sheet").count() == len(texts)
        shapes.append(page.evaluate(SHAPE))
    assert shapes[0] == shapes[1]


def hostile_sheet(text: str) -> BotReport:
    trial = Trial(((text, text),), (1, 2), text)
    image = (ASSETS / "particles" / "default.webp").read_bytes()
    seen = PictureFindings(10, 10, text, image)
    findings = (Finding("fault", text), Finding("note", text))
    return BotReport(text, text, text, "unfit", findings, image, image, size=text, picture_findings=seen, trial=trial)
