"""The report of `highnoon check` in a real browser: one file, media that play, no stranger's text as markup."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request

from broadcast.media.findings import PictureFindings
from broadcast.report import BotReport, Finding, Trial, render
from tests.media.stranger_files import picture, sound, striped, tone
from tests.overlay.support.hostile_texts import PAYLOADS
from tests.support.program import highnoon
from tests.support.submission import write_bot

ASSETS = Path(__file__).parents[2] / "assets"
WATCHED = """() => {
    const sound = document.querySelector("audio");
    sound.addEventListener("timeupdate", () => { if (sound.currentTime > 0.2) window.heard = true; });
    sound.addEventListener("ended", () => { window.heard = true; });
    const pen = new OffscreenCanvas(480, 270).getContext("2d", { willReadFrequently: true });
    const look = () => {
        const canvas = document.querySelector(".win canvas");
        if (canvas) pen.drawImage(canvas, 0, 0, 480, 270);
        window.drawn = pen.getImageData(0, 0, 480, 270).data.some((value) => value > 0);
        if (!window.drawn) requestAnimationFrame(look);
    };
    look();
}"""
"""Records whether the sound is heard and whether particles are drawn, because both are soon over."""
SHAPE = """() => {
    const within = [...document.querySelectorAll(".sheet")].map((sheet) => sheet.querySelectorAll("*").length);
    const beside = document.querySelectorAll(":not(.sheet, .sheet *)").length;
    return [[...new Set(within)], beside - within.length];
}"""
"""How many elements each sheet of a report has, and how many there are besides the sheets and their links."""


@dataclass
class Opened:
    """A report in the browser, what it requested and what it complained about."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith("data:"):
            self.requests.append(request.url)


Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Opened:
    """The one tab in which all reports are opened: a page for each would double the time of the tests."""
    return Opened(browser.new_page())


@pytest.fixture
def open_report(tab: Opened) -> Iterator[Open]:
    """Opens a page from the disk; at the end it must have requested only itself and not complained."""
    opened: list[str] = []
    tab.complaints.clear()
    tab.requests.clear()

    def opening(path: Path) -> Opened:
        opened.append(path.as_uri())
        tab.page.set_viewport_size({"width": 1280, "height": 900})
        tab.page.goto(opened[-1], wait_until="load")
        return tab

    yield opening
    tab.page.goto("about:blank")
    assert tab.complaints == []
    assert tab.requests == opened, "the pages themselves"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real command's report on a bot with everything and one without a face."""
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
    page = open_report(report).page
    poster = page.locator(".poster").first
    assert poster.inner_text().split("\n")[-1].split() == ["CHIPS", "5,000"]
    assert "Señor Fold-a-Lot de Río Grand" in poster.inner_text()
    photo = poster.locator("img")
    assert photo.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [512, 512]
    assert _colour(page, photo.element_handle()) == "green", "the middle third"
    crop = page.locator(".crop").first
    assert crop.get_attribute("viewBox") == "0 0 900 300"
    kept = crop.locator("rect.crop__kept")
    left, width = (float(kept.get_attribute(name) or 0) for name in ("x", "width"))
    assert left == pytest.approx(300, abs=5)
    assert width == pytest.approx(300, abs=10)
    assert page.get_by_text("the middle 300 x 300 are shown").count() == 1
    rows = page.locator("table").first.inner_text().split("\n")
    _, came, played = next(row for row in rows if row.startswith("Loudness")).split("\t")
    assert float(came.split()[0]) < -20
    assert float(played.split()[0]) == pytest.approx(-16, abs=0.7)
    assert page.locator(".sheet").nth(1).get_attribute("data-verdict") == "unfit"
    (fault,) = page.locator(".finding[data-kind=fault]").all_inner_texts()
    assert "there is no such file. Put it into the folder." in " ".join(fault.split())
    assert page.locator(".poster img").nth(1).evaluate("image => image.naturalWidth") > 0, "a silhouette"


def test_particles_fly_on_a_click_and_the_sound_plays(open_report: Open, report: Path) -> None:
    page = open_report(report).page
    win = page.locator(".win").first
    assert win.locator("canvas").count() == 0
    page.set_viewport_size({"width": 360, "height": 300})  # Less is painted while they fly.
    page.evaluate(WATCHED)
    win.get_by_role("button", name="Play").click()
    page.wait_for_function("() => window.heard && window.drawn")
    assert page.evaluate("document.querySelector('audio').duration") == pytest.approx(2.5, abs=0.05)
    win.locator("canvas").wait_for(state="detached")


def test_report_fits_every_screen(open_report: Open, report: Path) -> None:
    page = open_report(report).page
    sticking_out = """() => [...document.querySelectorAll(".poster > p, .finding, h2, .card p")]
        .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"""
    for width in (320, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(sticking_out) == [], width


def test_report_can_be_read_and_heard_without_scripts(browser: Browser, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator(".win button").first.is_hidden()
    assert page.locator(".win__still image").first.is_visible()
    assert page.locator("audio").first.is_visible()
    context.close()


def test_two_hundred_hostile_texts_stay_plain_text(open_report: Open, tmp_path: Path) -> None:
    """Each sheet has as many elements as one of plain text, and nothing new stands beside the sheets."""
    shapes = []
    for number, texts in enumerate((PAYLOADS, ["xx xx", "xx xx"])):
        path = tmp_path / f"{number}.html"
        path.write_text(render([hostile_sheet(text) for text in texts], "x", "now", 5000), errors="replace")
        page = open_report(path).page
        assert page.evaluate("window.robbed") is None
        assert page.locator(".sheet").count() == len(texts)
        shapes.append(page.evaluate(SHAPE))
    assert shapes[0] == shapes[1]


def hostile_sheet(text: str) -> BotReport:
    """A sheet on which every text is `text`."""
    trial = Trial(((text, text),), (1, 2), text)
    image = (ASSETS / "particles" / "default.webp").read_bytes()
    seen = PictureFindings(10, 10, text, image)
    findings = (Finding("fault", text), Finding("note", text))
    return BotReport(text, text, text, "unfit", findings, image, image, size=text, picture_findings=seen, trial=trial)


def _colour(page: Page, image: object) -> str:
    """The main colour in the middle of a picture."""
    look = """(image) => {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 3;
        const pen = canvas.getContext("2d");
        pen.drawImage(image, 0, 0, 3, 3);
        const [red, green, blue] = pen.getImageData(1, 1, 1, 1).data;
        return green > red && green > blue ? "green" : red > blue ? "red" : "blue";
    }"""
    return str(page.evaluate(look, image))
