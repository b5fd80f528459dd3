"""When esbuild's bundle of the pages' scripts and sheets is served, and what is joined without it."""

import re
import subprocess
from pathlib import Path

import pytest

from broadcast.web.bundle import FOLDER, SOURCES, bundle_of, bundled, digest, joined
from server.paths import ASSETS, STATIC, TEMPLATES
from tests.support.esbuild import needs_esbuild
from tests.support.in_node import NODE


@pytest.fixture
def static(tmp_path: Path) -> Path:
    (tmp_path / "css").mkdir()
    (tmp_path / "js").mkdir()
    (tmp_path / "js/main.js").write_text("export const noon = 12;\n")
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / SOURCES).write_text(digest(tmp_path))
    return tmp_path


def test_bundle_of_the_present_sources_is_used(static: Path) -> None:
    assert bundle_of(static) == static / FOLDER


@pytest.mark.parametrize(("name", "text"), [("js/main.js", ""), ("css/late.css", "p {}"), (f"{FOLDER}/{SOURCES}", "")])
def test_bundle_of_other_sources_is_not_used(static: Path, name: str, text: str) -> None:
    (static / name).write_text(text)
    assert bundle_of(static) is None


def test_bundle_may_be_missing(tmp_path: Path) -> None:
    assert bundle_of(tmp_path) is None


@needs_esbuild
def test_every_module_and_sheet_of_a_page_is_bundled_whole() -> None:
    assert bundle_of(STATIC), "run: make bundle"
    named = re.compile(r'(?:type="module" src|rel="stylesheet" href)="[^"]*?static/([^"]*)"')
    names = {name for path in TEMPLATES.rglob("*.html") for name in named.findall(path.read_text(encoding="utf-8"))}
    assert {"js/desk/main.js", "css/overlay/tall.css"} < names
    for name in (*names, "js/verify/page/worker.js"):
        made = bundled(STATIC / name)
        assert made != STATIC / name, name
        assert not re.findall(r"(?:^|[;}])(?:import|export)(?![.\w])|@import", made.read_text(encoding="utf-8")), name


def test_files_without_a_bundle_are_served_as_they_are() -> None:
    for path in (STATIC / "js/verify/shuffle.js", STATIC / "art/wood.svg", ASSETS / "favicon.ico"):
        assert bundled(path) == path


def test_joined_script_does_what_its_modules_do(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/star.js").write_text("export const POINTS = 5;\nexport function star() {\n  return POINTS;\n}\n")
    (tmp_path / "sun.js").write_text(
        'import {\n  POINTS,\n  star,\n} from "./parts/star.js";\n\nexport class Sun {\n  rays = POINTS + star();\n}\n'
    )
    (tmp_path / "main.js").write_text(
        'import { star } from "./parts/star.js";\nimport { Sun } from "./sun.js";\n\nconsole.log(star(), new Sun());\n'
    )
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "joined.js").write_text(joined(tmp_path / "main.js"))
    outputs = [subprocess.check_output([NODE, tmp_path / name], text=True) for name in ("main.js", "joined.js")]
    assert outputs == ["5 Sun { rays: 10 }\n"] * 2
    assert "import" not in (tmp_path / "joined.js").read_text()


def test_joined_sheet_has_its_imports_in_order(tmp_path: Path) -> None:
    (tmp_path / "all.css").write_text('@import "one.css";\n@import "two.css";\n\nb {\n}\n')
    (tmp_path / "one.css").write_text("i {\n}\n")
    (tmp_path / "two.css").write_text('@import "one.css";\n\np {\n}\n')
    assert [line for line in joined(tmp_path / "all.css").splitlines() if "{" in line] == ["i {", "p {", "b {"]
