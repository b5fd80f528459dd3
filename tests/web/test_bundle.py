"""The bundle of the pages' scripts and style sheets is served only if esbuild made it from the current sources."""

import re
from pathlib import Path

import pytest

from broadcast.web.bundle import FOLDER, SOURCES, bundle_of, bundled, digest
from server.paths import STATIC, TEMPLATES
from tests.support.esbuild import needs_esbuild


@pytest.fixture
def static(tmp_path: Path) -> Path:
    (tmp_path / "css").mkdir()
    (tmp_path / "js").mkdir()
    (tmp_path / "js/main.js").write_text("export const noon = 12;\n")
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / SOURCES).write_text(digest(tmp_path))
    return tmp_path


def test_bundle_of_the_current_sources_is_used(static: Path) -> None:
    assert bundle_of(static) == static / FOLDER


@pytest.mark.parametrize(("name", "text"), [("js/main.js", ""), ("css/late.css", "p {}"), (f"{FOLDER}/{SOURCES}", "")])
def test_bundle_of_other_sources_is_not_used(static: Path, name: str, text: str) -> None:
    (static / name).write_text(text)
    assert bundle_of(static) is None


@needs_esbuild
def test_every_module_and_sheet_of_a_page_is_bundled_whole() -> None:
    assert bundle_of(STATIC), "run: make bundle"
    named = re.compile(r'(?:type="module" src|rel="stylesheet" href)="[^"]*?static/([^"]*)"')
    names = {name for path in TEMPLATES.rglob("*.html") for name in named.findall(path.read_text(encoding="utf-8"))}
    assert {"js/desk/main.js", "css/overlay/tall.css"} < names
    for name in (*names, "js/verify/page/worker.js"):
        bundle = bundled(STATIC / name)
        assert bundle != STATIC / name, name
        assert not re.findall(r"(?:^|[;}])(?:import|export)(?![.\w])|@import", bundle.read_text(encoding="utf-8")), name
