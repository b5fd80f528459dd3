"""OGraf graphics work in renderers of other makers: on other origins, several at once, moved, rushed, disposed of."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page

from broadcast.publish.ograf import STAGE_PAGE
from tests.publish.test_ograf import DONE, RECORDING, WINDOW, file_server
from tests.support.program import highnoon

LAYERS = (Path(__file__).parent / "layers.js").read_text(encoding="utf-8")
POLICY = "add_header Content-Security-Policy \"default-src 'self' {}\";"
"""A renderer's page that loads nothing but itself and the package."""
_SHOWN = "() => Number(getComputedStyle(document.querySelector('.stage')).opacity)"
_WORDS = "() => document.querySelector('.third__caption')?.textContent ?? ''"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a package's folder, on a host that lets pages of every site read it."""
    root = tmp_path_factory.mktemp("packages")
    assert highnoon("ograf", str(RECORDING), "--out", str(root / "graphics")).returncode == 0
    with file_server(root, "add_header Access-Control-Allow-Origin *;") as address:
        yield f"{address}/graphics"


@pytest.fixture
def page(package: str, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A renderer's page on an origin of its own. It must not complain about anything."""
    package_host, complaints = package.removesuffix("/graphics"), list[str]()
    with file_server(tmp_path, POLICY.format(f"{package_host} data:")) as address:
        page = browser.new_context(viewport=WINDOW).new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(f"{address}/renderer.html")
        page.evaluate(LAYERS)
        yield page
        page.context.close()
    assert not complaints


def load(page: Page, package: str, name: str, data: Any = None) -> Any:
    return page.evaluate("([folder, name, data]) => layers.load(folder, name, data)", [package, name, data])


def call(page: Page, script: str) -> Any:
    """Runs a script in which `elements` are the graphics; returns its result."""
    return page.evaluate(f"async () => {{ const {{ elements }} = layers; return {script}; }}")


def stages(page: Page) -> list[Frame]:
    return [frame for frame in page.frames if STAGE_PAGE in frame.url]


def test_two_instances_on_two_layers_of_another_origin_do_not_disturb_each_other(package: str, page: Page) -> None:
    assert load(page, package, "storyline", {"text": "First"}) == DONE
    assert load(page, package, "storyline", {"text": "Second"}) == DONE
    assert page.evaluate("customElements.get('high-noon.storyline.recording') !== undefined")
    call(page, "Promise.all(elements.map((each) => each.playAction({ skipAnimation: true })))")
    assert call(page, "elements[0].updateAction({ data: { text: 'Third' }, skipAnimation: true })") == DONE
    assert sorted(frame.evaluate(_WORDS) for frame in stages(page)) == ["Second", "Third"]
    assert call(page, "elements[0].stopAction({ skipAnimation: true })") == DONE
    assert {frame.evaluate(_WORDS): frame.evaluate(_SHOWN) for frame in stages(page)} == {"Third": 0, "Second": 1}
    assert call(page, "elements[0].dispose({})") == DONE
    assert [frame.evaluate(_WORDS) for frame in stages(page)] == ["Second"]
    assert page.evaluate("Object.keys(window).filter((key) => /noon|stage/i.test(key))") == []
    assert call(page, "elements[1].playAction()") == DONE, "the next step is the end, which has no number"


def test_element_answers_outside_a_page_and_draws_once_it_is_in_one(package: str, page: Page) -> None:
    for kind in ("realtime", "non-realtime"):
        load_it = f"element.load({{ renderType: '{kind}' }})"
        answers = page.evaluate(
            f"""async (folder) => {{
              const element = document.createElement(await layers.define(folder, "storyline"));
              layers.elements = [element];
              return [await {load_it}, await element.updateAction({{ data: {{ text: "Outside" }} }}),
                await element.playAction({{}}), await element.setActionsSchedule({{ schedule: [] }})];
            }}""",
            package,
        )
        assert answers == [DONE, DONE, {**DONE, "currentStep": 0}, DONE]
        for _ in range(2):
            page.evaluate("() => layers.layer().append(layers.elements[0])")
            assert call(page, "elements[0].updateAction({ data: {} })") == DONE
            [stage] = stages(page)
            assert (stage.evaluate(_WORDS), stage.evaluate(_SHOWN)) == ("Outside", 1), "also after a move"
        call(page, "elements[0].dispose({})")


def test_last_action_decides_if_a_renderer_does_not_wait_for_answers(package: str, page: Page) -> None:
    assert load(page, package, "table", {"hand": 3}) == DONE
    hurried = "elements[0].playAction({ skipAnimation: true }), elements[0].stopAction({ skipAnimation: true })"
    for _ in range(3):
        assert call(page, f"Promise.all([{hurried}])") == [{**DONE, "currentStep": 0}, DONE]
        assert [stage.evaluate(_SHOWN) for stage in stages(page)] == [0]
    waiting = "elements[0].load({ renderType: 'realtime', data: { hand: 3 } })"
    sooner = "elements[0].updateAction({ data: { theme: 'plain' } }), elements[0].playAction({ skipAnimation: true })"
    assert call(page, f"Promise.all([{waiting}, {sooner}])") == [DONE, DONE, {**DONE, "currentStep": 0}]
    [stage] = stages(page)
    assert stage.evaluate("() => document.documentElement.dataset.theme") == "plain"
    assert stage.evaluate(_SHOWN) == 1
    taken = call(page, f"Promise.all([{waiting}, elements[0].dispose({{}})])")
    assert taken == [{"statusCode": 500, "statusMessage": "the graphic was removed"}, DONE]
