"""Browser pages that tests reuse, because a page in a new profile takes twice as long."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, CDPSession, Page

from tests.support.programs.browsers import Browsers


class ReusedPages:
    """Pages of one browser. Before reuse, a page loses its storage, scripts, listeners and handlers of requests.

    But a page remembers that it was clicked, and which files it has loaded. A test must open a `fresh` page if these
    memories would disturb the test, or if the test changes the page's clock.
    """

    def __init__(self, browsers: Browsers) -> None:
        self._browsers = browsers
        self._available_profiles: dict[bool, list[BrowserContext]] = {False: [], True: []}
        self._sessions: dict[BrowserContext, CDPSession] = {}
        self._used_pages: dict[Page, bool] = {}
        self._fresh_profiles: list[BrowserContext] = []
        self._undo_steps = ExitStack()

    def open(
        self,
        viewport: dict[str, int],
        is_mobile: bool = False,
        has_touch: bool = False,
        *,
        beside: Page | None = None,
        fresh: bool = False,
        script: str = "",
        **listeners: Callable[[Any], None],
    ) -> Page:
        """Opens a blank page. With `beside`, the page has the same profile and size as the page `beside`.

        `script` runs before the scripts of each document. Each listener is passed under the name of its event.
        """
        is_phone = is_mobile and has_touch
        assert is_phone or not (is_mobile or has_touch)
        if beside:
            context, is_phone = beside.context, self._used_pages[beside]
        else:
            available = [] if fresh else self._available_profiles[is_phone]
            if not available:
                available.append(self._browsers.open_profile(is_mobile=is_phone, has_touch=is_phone))
            context = available.pop()
        if fresh:
            self._fresh_profiles.append(context)
        page = next((unused for unused in context.pages if unused not in self._used_pages), None) or context.new_page()
        self._used_pages[page] = is_phone
        page.set_viewport_size((beside and beside.viewport_size) or viewport)  # type: ignore[arg-type]
        if script:
            self._undo_steps.callback(page.add_init_script(script).close)
        for event, listener in listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]
            self._undo_steps.callback(page.remove_listener, event, listener)
        return page

    def leave(self) -> None:
        """Closes fresh pages. Makes all other pages available again, and clears the storage of their sites."""
        self._undo_steps.close()
        while self._fresh_profiles:
            self._fresh_profiles.pop().close()
        profiles = {page.context: is_phone for page, is_phone in self._used_pages.items() if not page.is_closed()}
        self._used_pages.clear()
        for context, is_phone in profiles.items():
            origins = {"{0.scheme}://{0.netloc}".format(urlsplit(page.url)) for page in context.pages}
            for page in context.pages:
                page.unroute_all()
                page.goto("about:blank")
                page.mouse.move(-1, -1)
            if context not in self._sessions:
                self._sessions[context] = context.new_cdp_session(context.pages[0])
            storage = {"storageTypes": "cookies,local_storage"}
            for origin in origins:
                self._sessions[context].send("Storage.clearDataForOrigin", {"origin": origin, **storage})
            self._available_profiles[is_phone].append(context)
