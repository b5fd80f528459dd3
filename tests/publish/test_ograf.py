"""OGraf graphics (web components for TV) match OGraf's types, obey any renderer, and show what a replay shows."""

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Frame, ViewportSize

from broadcast.publish.ograf import GRAPHICS, MANIFEST_ENDING, STAGE_PAGE
from server.app.recordings.archive import add_archive
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.show_server import ShowServer
from tests.support.program import ROOT, Program, files_below, highnoon
from tests.support.programs.disks import DISK_BYTES
from tests.support.programs.nginx import nginx, static_host
from tests.support.published import files_in

RECORDING = ROOT / "tests" / "data" / "contests" / "quick-draw.jsonl"
NODE_MODULES = ROOT / "static" / "node_modules"
ROUNDS, INSTANTS, INSTANTS_AT_ONCE = 5, 100, 25
"""How many rounds there are, how many moments of the show each round compares, and how many it compares at a time."""
WINDOW: ViewportSize = {"width": 480, "height": 270}
"""A quarter of the usual width and height, because painting takes most of the time."""
DONE = {"statusCode": 200}
MARKUP = "<img src=x onerror=alert(1)> & <script>"
REPLAY_SELECTORS = {
    "lower-third": ".third", "standings": ".scene--standings", "table": ".scene--table", "champion": ".scene--champion",
}  # fmt: skip
"""For each graphic except `storyline`, the part of a replay's picture that must look like the graphic."""
_OPACITY = "() => Number(getComputedStyle(document.querySelector('.stage')).opacity)"
_WORDS = "() => document.querySelector('.third__caption')?.textContent ?? ''"
# Returns what is visible, as HTML without file paths. Hidden parts are left out, because their content may be old.
_VISIBLE = """(root) => {
  const copy = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && node !== root) return "";
    const image = node.tagName === "IMG" ? node.src.split("/").pop() : "";
    const marks = Object.entries(node.dataset).filter(([name]) => name !== "of").map((each) => each.join("=")).sort();
    const inner = node.namespaceURI.endsWith("svg") ? node.outerHTML : [...node.childNodes].map(copy).join("");
    return `<${node.getAttribute("class")} ${marks} ${image}>${inner}</>`;
  };
  return copy(root);
}"""
# Returns what a replay shows at each of `times`: the number of the last entry (event on air), and each of `parts`.
_READ_REPLAY = f"""async ([times, parts]) => {{
  const all = [];
  for (const atMs of times) {{
    await window.highnoon.head.seekTime(atMs);
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const found = parts.map((part) => document.querySelector(`.stage ${{part}}`));
    all.push({{ seq: window.highnoon.state().seq, drawn: found.map((each) => each ? ({_VISIBLE})(each) : "") }});
  }}
  return all;
}}"""
# Returns what a graphic shows: the number of the last entry, the content of `part`, and the opacity.
_READ_GRAPHIC = f"""(part, stage = document) => {{
  const root = stage.querySelector(".stage"), found = root.querySelector(part);
  const {{ opacity }} = getComputedStyle(root);
  return {{ seq: Number(root.dataset.seq ?? 0), drawn: found ? ({_VISIBLE})(found) : "", opacity: Number(opacity) }};
}}"""
# Returns what graphic number `number` shows at each of `times`.
_READ_GRAPHIC_AT_TIMES = f"""async ([times, part, number]) => {{
  const [all, graphic] = [[], renderer.graphics[number]];
  for (const timestamp of times) {{
    const {{ statusCode }} = await graphic.goToTime({{ timestamp }});
    const stage = graphic.querySelector("iframe").contentDocument;
    all.push({{ statusCode, ...({_READ_GRAPHIC})(part, stage) }});
  }}
  return all;
}}"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("host") / "any" / "path" / "graphics"
    assert highnoon("ograf", str(RECORDING), "--out", str(folder)).returncode == 0
    return folder


def manifest_of(folder: Path, name: str) -> dict[str, Any]:
    return dict(json.loads((folder / f"{name}{MANIFEST_ENDING}").read_text()))


@contextmanager
def file_server(folder: Path, headers: str = "") -> Iterator[str]:
    """Serves a folder and a renderer's page without any code of High Noon. Yields the address."""
    (folder / "renderer.html").write_text("<!doctype html><link rel=icon href=data:,><title>Renderer</title><body>")
    with nginx(folder / "nginx", static_host(folder) + headers) as address:
        yield address


@pytest.fixture(scope="module")
def host(package: Path) -> Iterator[str]:
    """The address of the package, on a host that lets pages of every site read it."""
    with file_server(package.parents[2], "add_header Access-Control-Allow-Origin *;") as address:
        yield f"{address}/any/path/graphics"


class Renderer:
    """The page of a renderer (a program that plays graphics), with a layer for each loaded graphic of a package."""

    def __init__(self, browser: Browser, address: str, package: str) -> None:
        self.package = package
        self.complaints: list[str] = []
        self.page = browser.new_context(viewport=WINDOW).new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)
        self.page.goto(address)
        self.page.evaluate(Path(__file__).with_name("renderer.js").read_text("utf-8"))

    def load(self, name: str, **parameters: Any) -> Any:
        """Loads a graphic on a new layer. Returns the graphic's answer."""
        return self.page.evaluate("(parameters) => renderer.load(...parameters)", [self.package, name, parameters])

    def call(self, method: str, number: int = 0, **parameters: Any) -> Any:
        return self.page.evaluate(f"(parameters) => renderer.graphics[{number}].{method}(parameters)", parameters)

    def run(self, script: str) -> Any:
        """Evaluates an expression in which `graphics` lists the loaded graphics. Returns its value."""
        return self.page.evaluate(f"async () => {{ const {{ graphics }} = renderer; return {script}; }}")

    @property
    def stages(self) -> list[Frame]:
        return [frame for frame in self.page.frames if STAGE_PAGE in frame.url]  # each graphic draws in such a frame

    def read_stage(self) -> dict[str, Any]:
        return dict(self.stages[0].evaluate(_READ_GRAPHIC, ".stage > :not(.backdrop)"))

    def leave(self) -> None:
        self.page.context.close()
        assert not self.complaints


@pytest.fixture
def renderer(host: str, browser: Browser, tmp_path: Path) -> Iterator[Renderer]:
    """A renderer on an origin of its own. The renderer's page may load only itself and the package."""
    sources = f"default-src 'self' {host.partition('/any')[0]} data:"
    with file_server(tmp_path, f'add_header Content-Security-Policy "{sources}";') as address:
        opened = Renderer(browser, f"{address}/renderer.html", host)
        yield opened
        opened.leave()


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_graphics_always_draw_what_a_replay_draws(seed: int, host: str, browser: Browser, tmp_path: Path) -> None:
    renderer = Renderer(browser, f"{host.partition('/any/')[0]}/renderer.html", host)
    for number, name in enumerate(REPLAY_SELECTORS):
        assert renderer.load(name, renderType="non-realtime") == DONE
        renderer.call("playAction", number)
    compared_counts = dict.fromkeys(REPLAY_SELECTORS, 0)
    server = ShowServer(tmp_path / "media")
    (tmp_path / "recordings").mkdir()
    (tmp_path / "recordings/x.jsonl").write_bytes(RECORDING.read_bytes())
    add_archive(server.studio, tmp_path / "recordings")
    with server:
        replay = browser.new_context(viewport=WINDOW).new_page()
        replay.goto(f"{server.address}/replay/x?debug&still&motion=off&shape=wide")
        replay.wait_for_function("() => document.body.dataset.ready && window.highnoon")
        end, dice = replay.evaluate("() => window.highnoon.film.end"), random.Random(seed)
        instants = [*(end * (number + dice.random()) / (INSTANTS - 1) for number in range(INSTANTS - 1)), end]
        for times in (instants[first : first + INSTANTS_AT_ONCE] for first in range(0, INSTANTS, INSTANTS_AT_ONCE)):
            replayed = replay.evaluate(_READ_REPLAY, [times, [*REPLAY_SELECTORS.values()]])
            for part, name in enumerate(REPLAY_SELECTORS):
                rendered = renderer.page.evaluate(_READ_GRAPHIC_AT_TIMES, [times, REPLAY_SELECTORS[name], part])
                for at_ms, graphic, expected in zip(times, rendered, replayed, strict=True):
                    assert (graphic["statusCode"], graphic["seq"]) == (200, expected["seq"]), (name, at_ms)
                    if drawn := expected["drawn"][part]:
                        compared_counts[name] += 1
                        assert (graphic["drawn"], graphic["opacity"]) == (drawn, 1), (name, at_ms)
        replay.context.close()
    assert compared_counts["lower-third"] == INSTANTS
    assert compared_counts["table"] > INSTANTS / 3
    assert min(compared_counts.values()) >= 1, "even the champion, which is shown only at the end, must be compared"
    renderer.leave()


def test_components_and_manifests_match_the_types_of_ograf(package: Path, tmp_path: Path) -> None:
    """With the types of the npm package `ograf`, tsc finds errors only in the two lines that are meant to be wrong."""
    if not (NODE_MODULES / "ograf").is_dir():
        pytest.skip("npm's packages are not installed: make setup")
    names = [path.name.removesuffix(MANIFEST_ENDING) for path in package.glob(f"*{MANIFEST_ENDING}")]
    assert sorted(names) == sorted(GRAPHICS)
    manifests = {name: manifest_of(package, name) for name in GRAPHICS}
    lines = ['import type { GraphicsAPI, GraphicsManifest } from "ograf";']
    for number, (name, manifest) in enumerate(manifests.items()):
        lines += [f'import Class{number} from "{package}/static/js/ograf/{name}.js";']
        lines += [f"export const graphic{number}: new () => GraphicsAPI.Graphic = Class{number};"]
        lines += [f"export const manifest{number}: GraphicsManifest = {json.dumps(manifest)};"]
    invalid_manifest = {**manifests["table"], "supportsRealTime": "yes"}
    lines += ["// @ts-expect-error", f"export const invalid: GraphicsManifest = {json.dumps(invalid_manifest)};"]
    bare_class = "export const bare: new () => GraphicsAPI.Graphic = class extends HTMLElement {};"
    (tmp_path / "judge.ts").write_text("\n".join([*lines, "// @ts-expect-error", bare_class]))
    options = json.loads((ROOT / "static" / "tsconfig.json").read_text())["compilerOptions"]
    options["paths"] = {"ograf": [str(NODE_MODULES / "ograf")]}
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["judge.ts"]}))
    command = ["node", str(NODE_MODULES / "typescript" / "bin" / "tsc"), "--project", str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stdout == ""


def test_live_graphic_follows_the_show_of_its_server(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "any" / "graphics"
    with ShowServer(tmp_path / "media") as server, file_server(tmp_path) as address:
        assert highnoon("ograf", "--server", f"{server.address}?channel=friday", "--out", str(folder)).returncode == 0
        script = SCENES["betting"]()
        air = server.channel("friday", script.entries[:-1])
        assert manifest_of(folder, "table")["supportsNonRealTime"] is False
        renderer, urls = Renderer(browser, f"{address}/renderer.html", f"{address}/any/graphics"), list[str]()
        renderer.page.on("request", lambda request: urls.append(request.url))
        assert renderer.load("table") == DONE
        assert "only in real time" in renderer.load("table", renderType="non-realtime")["statusMessage"]
        renderer.call("playAction", skipAnimation=True)
        for entries in ((), script.entries[-1:]):
            server.put(air, entries)
            shows_entry = "(seq) => document.querySelector('.stage').dataset.seq === String(seq)"
            renderer.stages[0].wait_for_function(shows_entry, arg=air.last_seq)
        assert renderer.read_stage()["opacity"] == 1
        assert renderer.stages[0].locator(".seat").count() == 6
        hosts = {urlsplit(url).netloc for url in urls if not url.startswith("data:")}
        assert hosts == {urlsplit(address).netloc, urlsplit(server.address).netloc}
        renderer.leave()


def test_killed_command_leaves_a_whole_package_or_none(package: Path, tmp_path: Path) -> None:
    out = tmp_path / "graphics"
    words = ("ograf", str(RECORDING), "--out", str(out))
    process = Program(*words)
    process.poll_until(lambda: any(path.match(f"*{MANIFEST_ENDING}") for path in files_below(tmp_path)))
    process.close()
    assert not out.exists() or files_in(out) == files_in(package)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    assert highnoon(*words).returncode == 0
    assert files_in(out) == files_in(package)


def test_graphic_ends_after_its_only_step_and_loads_nothing_else(package: Path, renderer: Renderer) -> None:
    assert manifest_of(package, "table")["supportsNonRealTime"] is True
    assert renderer.load("table", data={"hand": 2, "speed": 8, "theme": "plain"}) == DONE
    assert renderer.read_stage()["opacity"] == 0, "a graphic must paint nothing before it is played"
    assert renderer.call("playAction", skipAnimation=True) == {**DONE, "currentStep": 0}
    first = renderer.read_stage()
    assert first["opacity"] == 1
    has_advanced = "(seq) => Number(document.querySelector('.stage').dataset.seq) > seq + 3"
    renderer.stages[0].wait_for_function(has_advanced, arg=first["seq"])
    assert renderer.call("goToTime", timestamp=0)["statusCode"] == 400
    assert renderer.call("stopAction", skipAnimation=True) == DONE
    assert renderer.read_stage()["opacity"] == 0
    assert renderer.call("playAction", goto=0) == {**DONE, "currentStep": 0}
    assert renderer.call("playAction", goto=7, skipAnimation=True) == DONE, "there is no step 7: the graphic must end"
    assert renderer.read_stage()["opacity"] == 0
    assert renderer.call("customAction", id="dance")["statusMessage"] == "there is no action dance"
    renderer.call("dispose")
    assert renderer.stages == []
    assert renderer.call("updateAction", data={})["statusCode"] == 400


def test_schedule_decides_what_is_shown_at_any_time(renderer: Renderer) -> None:
    assert renderer.load("storyline", renderType="non-realtime", data={"text": "First"}) == DONE
    plays = enumerate(({}, {"goto": 1}, {"delta": 1}), 4)
    actions = [(number * 1000, {"type": "playAction", "params": parameters}) for number, parameters in plays]
    actions += [
        (3000, {"type": "stopAction", "params": {}}),
        (1000, {"type": "playAction", "params": {}}),
        (2000, {"type": "updateAction", "params": {"data": {"text": "Second"}}}),
    ]
    schedule = [{"timestamp": number, "action": action} for number, action in actions]
    assert renderer.call("setActionsSchedule", schedule=schedule) == DONE
    words_at = {}
    for at_ms in (3500, 500, 6500, 2500, 5500, 1500, 4500):
        assert renderer.call("goToTime", timestamp=at_ms) == DONE
        words = renderer.stages[0].locator(".third__caption").inner_text()
        words_at[at_ms] = words if renderer.read_stage()["opacity"] else ""
    visible = {1500: "First", 2500: "Second", 4500: "Second", 6500: "Second"}
    assert words_at == {500: "", 3500: "", 5500: "", **visible}, "there is only step 0, so step 1 must end the graphic"
    assert renderer.call("setActionsSchedule")["statusMessage"] == "schedule should be a list of actions"


def test_data_that_cannot_be_shown_is_refused_and_changes_nothing(renderer: Renderer) -> None:
    impossible = [
        ({"text": "x" * 201}, "text should be a text of at most 200 characters"),
        ({"text": ["<b>"]}, "text should be a text of at most 200 characters"),
        ({"hand": 1.5}, "hand should be a whole number from 0 to 1000000"),
        ({"speed": 1e9}, "speed should be a number from 0.25 to 8"),
        ({"theme": "pink"}, "theme should be western or plain"),
        ({"background": 1}, "background should be true or false"),
        ([1], "data should be an object"),
    ]
    assert renderer.load("storyline", data={"text": MARKUP, "unknown": "x" * 10_000}) == DONE
    for data, reason in impossible:
        assert renderer.load("storyline", data=data) == {"statusCode": 400, "statusMessage": reason}
        assert renderer.call("updateAction", data=data) == {"statusCode": 400, "statusMessage": reason}
    renderer.call("playAction", skipAnimation=True)
    assert renderer.stages[0].locator(".third__caption").inner_text() == MARKUP
    assert renderer.stages[0].locator(".stage script, .stage img").count() == 0


def test_impossible_package_is_refused_with_the_reason_and_leaves_nothing(package: Path, small_disk: Path) -> None:
    def refusal(*words: str | Path) -> str:
        command = highnoon("ograf", *map(str, words))
        assert command.returncode != 0
        return command.stderr

    new = small_disk.with_name("new")
    assert "is not an empty folder" in refusal(RECORDING, "--out", package)
    assert "should be the address of a server such as" in refusal("--server", "file:///etc", "--out", new)
    assert "is not a High Noon recording" in refusal(package / STAGE_PAGE, "--out", new)
    assert not new.exists()
    assert "is where a disk is mounted" in refusal(RECORDING, "--out", small_disk)
    (small_disk / "another show").write_bytes(bytes(DISK_BYTES * 3 // 4))
    assert "No space left on device" in refusal(RECORDING, "--out", small_disk / "graphics")
    assert [path.name for path in small_disk.iterdir()] == ["another show"]


def test_two_instances_on_another_origin_do_not_disturb_each_other(renderer: Renderer) -> None:
    assert renderer.load("storyline", data={"text": "First"}) == DONE
    assert renderer.load("storyline", data={"text": "Second"}) == DONE
    assert renderer.page.evaluate("customElements.get('high-noon.storyline.recording') !== undefined")
    renderer.run("Promise.all(graphics.map((each) => each.playAction({ skipAnimation: true })))")
    assert renderer.run("graphics[0].updateAction({ data: { text: 'Third' }, skipAnimation: true })") == DONE
    assert sorted(frame.evaluate(_WORDS) for frame in renderer.stages) == ["Second", "Third"]
    assert renderer.run("graphics[0].stopAction({ skipAnimation: true })") == DONE
    assert {frame.evaluate(_WORDS): frame.evaluate(_OPACITY) for frame in renderer.stages} == {"Third": 0, "Second": 1}
    assert renderer.run("graphics[0].dispose({})") == DONE
    assert [frame.evaluate(_WORDS) for frame in renderer.stages] == ["Second"]
    assert renderer.page.evaluate("Object.keys(window).filter((key) => /noon|stage/i.test(key))") == []
    assert renderer.run("graphics[1].playAction()") == DONE, "after its only step, a graphic must report no step"


def test_element_answers_outside_a_page_and_draws_after_entering_one(renderer: Renderer) -> None:
    for kind in ("realtime", "non-realtime"):
        load_it = f"element.load({{ renderType: '{kind}' }})"
        answers = renderer.page.evaluate(
            f"""async (folder) => {{
              const element = document.createElement(await renderer.define(folder, "storyline"));
              renderer.graphics = [element];
              return [await {load_it}, await element.updateAction({{ data: {{ text: "Outside" }} }}),
                await element.playAction({{}}), await element.setActionsSchedule({{ schedule: [] }})];
            }}""",
            renderer.package,
        )
        assert answers == [DONE, DONE, {**DONE, "currentStep": 0}, DONE]
        for _ in range(2):
            renderer.page.evaluate("() => renderer.layer().append(renderer.graphics[0])")
            assert renderer.run("graphics[0].updateAction({ data: {} })") == DONE
            [stage] = renderer.stages
            assert (stage.evaluate(_WORDS), stage.evaluate(_OPACITY)) == ("Outside", 1), (
                "a move to a new layer must not change the graphic"
            )
        renderer.run("graphics[0].dispose({})")


def test_last_action_wins_if_a_renderer_does_not_wait_for_answers(renderer: Renderer) -> None:
    assert renderer.load("table", data={"hand": 3}) == DONE
    play_and_stop = "graphics[0].playAction({ skipAnimation: true }), graphics[0].stopAction({ skipAnimation: true })"
    for _ in range(3):
        assert renderer.run(f"Promise.all([{play_and_stop}])") == [{**DONE, "currentStep": 0}, DONE]
        assert [stage.evaluate(_OPACITY) for stage in renderer.stages] == [0]
    load = "graphics[0].load({ renderType: 'realtime', data: { hand: 3 } })"
    update = "graphics[0].updateAction({ data: { theme: 'plain' } })"
    play = "graphics[0].playAction({ skipAnimation: true })"
    assert renderer.run(f"Promise.all([{load}, {update}, {play}])") == [DONE, DONE, {**DONE, "currentStep": 0}]
    [stage] = renderer.stages
    assert stage.evaluate("() => document.documentElement.dataset.theme") == "plain"
    assert stage.evaluate(_OPACITY) == 1
    answers = renderer.run(f"Promise.all([{load}, graphics[0].dispose({{}})])")
    assert answers == [{"statusCode": 500, "statusMessage": "the graphic was removed"}, DONE]
