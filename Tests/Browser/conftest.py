"""A browser for each worker; each test has a profile of its own in it."""

import pytest

import chromium
from bluethroat import KeyFob

pytest.register_assert_rewrite("panel", "rules")


@pytest.fixture(scope="session")
def browser():
    if not chromium.program():
        pytest.fail("no Chromium: install the Debian package chromium, or set CHROMIUM", pytrace=False)
    running = chromium.Chromium()
    yield running
    running.close()


@pytest.fixture
def opened(browser):
    """`async with opened("--personality", "phone") as (fob, session):` a fob with its panel, and a browser."""
    return lambda *arguments: Opened(browser, arguments)


class Opened:
    def __init__(self, browser, arguments):
        self.fob = KeyFob("--panel-listen", "127.0.0.1:0", *arguments)
        self.session = chromium.Session(browser)

    async def __aenter__(self):
        await self.fob.__aenter__()
        self.fob.panel = (await self.fob.event("panel"))["url"]
        await self.session.__aenter__()
        return self.fob, self.session

    async def __aexit__(self, *failure):
        await self.session.__aexit__(*failure)
        await self.fob.__aexit__(*failure)
