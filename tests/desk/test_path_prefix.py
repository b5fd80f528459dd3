"""All pages work behind a path prefix, whether or not nginx removes the prefix `/poker/` when it forwards."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from server.paths import ROOT_PATH, root_path
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.support.nginx import nginx

_PROXY = """location /poker/ {{
  proxy_pass {address}{path}; proxy_http_version 1.1; proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
}}"""
_UPGRADE = "map $http_upgrade $connection_upgrade { default upgrade; '' close; }"
_LINK = re.compile(r'(?:href|src|action|data-root|content(?=="http))="([^"#]+)')
_START = ("", "control", "setup", "booth", "overlay", "projector", "recordings", "bots/", "verify", "guide", "nothing")


@pytest.fixture(params=["/", ""], ids=["nginx strips it", "nginx keeps it"])
def prefixed(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of all pages, "http://127.0.0.1:1234/poker/"."""
    monkeypatch.setenv(ROOT_PATH, "/poker")
    with DeskServer(tmp_path / "media", contest_events(), speed=0) as server:
        proxy = _PROXY.format(address=server.address, path=request.param)
        with nginx(tmp_path / "nginx", proxy, more=_UPGRADE) as address:
            yield f"{address}/poker/"


def test_every_link_of_every_page_stays_below_the_prefix_and_is_served(prefixed: str) -> None:
    with httpx.Client(timeout=60, follow_redirects=True, headers={"accept": "text/html"}) as web:
        assert str(web.get(f"{prefixed}control?token={TOKENS.control}").url) == f"{prefixed}control"
        waiting, seen = [urljoin(prefixed, path) for path in _START], set()
        while waiting:
            address = waiting.pop()
            if address in seen:
                continue
            seen.add(address)
            answer = web.get(address)
            assert answer.status_code == 200 or address.endswith(("nothing", "register")), address
            assert str(answer.url).startswith(prefixed), (address, answer.url)
            if "html" not in answer.headers["content-type"]:
                continue
            for link in map(unescape, _LINK.findall(answer.text)):
                target = urljoin(str(answer.url), link)
                if link.startswith(("/", "http://", "https://")) and urlsplit(target).netloc in prefixed:
                    assert target.startswith(prefixed), (address, link)
                if target.startswith(prefixed) and "logout" not in target:
                    waiting.append(target.partition("#")[0])
        assert len(seen) > 60


@pytest.mark.parametrize("wrong", ["poker", "/po ker", "//evil.example", "/a/../b", "/a?b", "/\u00e9"])
def test_malformed_root_path_is_refused_at_startup(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOT_PATH, wrong)
    with pytest.raises(ValueError, match="must be a path like /poker"):
        root_path()
