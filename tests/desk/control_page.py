"""The control desk in a browser: the first desk of every test opens in the same page, for a new one is dear."""

from playwright.sync_api import Browser, Page, expect

from tests.desk.desk_server import TOKENS, DeskServer


class DeskPages:
    """The desks of one file of tests, and all that their pages complained of."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._complaints: list[str] = []
        self._first = self._empty()
        self._others: list[Page] = []
        self._is_free = True

    def open(
        self,
        server: DeskServer,
        name: str = "",
        *,
        token: str = TOKENS.control,
        width: int = 1280,
        height: int = 720,
        preview: bool | None = False,
    ) -> Page:
        """Opens `/control` by its token, as an operator of a name; returns the page once it is connected.

        The preview is a whole page of the show in a frame. With None the desk decides whether it is on.
        """
        page = self._first if self._is_free else self._another()
        self._is_free = False
        page.set_viewport_size({"width": width, "height": height})
        kept = {"operator": name} | ({} if preview is None else {"preview": "on" if preview else "off"})
        with page.add_init_script("".join(f"localStorage['highnoon:{key}'] = {kept[key]!r};" for key in kept)):
            page.goto(f"{server.address}/control?token={token}")
            page.wait_for_selector("body[data-wire='up']")
        return page

    def leave(self) -> list[str]:
        """Closes every desk; returns the complaints of their pages."""
        for page in self._others:
            page.context.close()
        self._others.clear()
        self._first.goto("about:blank")
        self._first.context.clear_cookies()
        self._is_free = True
        complaints, self._complaints = self._complaints, []
        return complaints

    def _another(self) -> Page:
        self._others.append(self._empty())
        return self._others[-1]

    def _empty(self) -> Page:
        page = self._browser.new_context().new_page()
        page.on("pageerror", lambda error: self._complaints.append(str(error)))
        page.on("dialog", lambda dialog: self._complaints.append(dialog.message))
        return page


def sees_answer(desk: Page, words: str) -> None:
    """Waits until the desk says that this was done."""
    expect(desk.locator("#said")).to_contain_text(words)
