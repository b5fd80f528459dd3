"""The control desk in a browser. The first desk of each test reuses a page, because new pages are expensive."""

from playwright.sync_api import Browser, Page, expect

from tests.desk.desk_server import TOKENS, DeskServer


class DeskPages:
    """The desks of one test file, and all errors of their pages."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._errors: list[str] = []
        self._first = self._empty()
        self._others: list[Page] = []
        self._is_free = True

    def open(self, server: DeskServer, name: str = "", *, token: str = TOKENS.control) -> Page:
        """Opens `/control` without its preview, for an operator with `name`; returns the page once it is connected."""
        page = self._first if self._is_free else self._another()
        self._is_free = False
        page.set_viewport_size({"width": 1280, "height": 720})
        stored = {"operator": name, "preview": "off"}
        with page.add_init_script("".join(f"localStorage['highnoon:{key}'] = {stored[key]!r};" for key in stored)):
            page.goto(f"{server.address}/control?token={token}")
            page.wait_for_selector("body[data-wire='up']")
        return page

    def leave(self) -> list[str]:
        """Closes every desk; returns the errors of their pages."""
        for page in self._others:
            page.context.close()
        self._others.clear()
        self._first.goto("about:blank")
        self._first.context.clear_cookies()
        self._is_free = True
        errors, self._errors = self._errors, []
        return errors

    def _another(self) -> Page:
        self._others.append(self._empty())
        return self._others[-1]

    def _empty(self) -> Page:
        page = self._browser.new_context().new_page()
        page.on("pageerror", lambda error: self._errors.append(str(error)))
        page.on("dialog", lambda dialog: self._errors.append(dialog.message))
        return page


def sees_answer(desk: Page, words: str) -> None:
    expect(desk.locator("#said")).to_contain_text(words)
