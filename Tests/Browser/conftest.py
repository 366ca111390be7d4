"""A browser for each worker; each test has a profile of its own in it."""

import signal
from pathlib import Path

import pytest

import chromium
from bluethroat import KeyFob, Process

pytest.register_assert_rewrite("panel", "rules")

HERE = Path(__file__).parent
# Seconds. It is not the page's fault if its machine is busy.
LIMIT = 240


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent == HERE and not item.get_closest_marker("limit"):
            item.add_marker(pytest.mark.limit(LIMIT))


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


@pytest.fixture
def scene(browser):
    """The same for any command with a live world: `async with scene("overflow", "demo") as (demo, session):`."""
    return lambda *arguments: Opened(browser, (), Scene(*arguments))


class Scene(Process):
    """Leaving the block ends it with SIGTERM and checks how it went."""

    def __init__(self, *arguments):
        super().__init__(*arguments, "--json", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")

    async def __aexit__(self, failure, *rest):
        try:
            if self.process.returncode is None and not failure:
                self.send(signal.SIGTERM)
                assert await self.exit_code() == 0, f"it did not end cleanly\n{self.story()}"
        finally:
            await super().__aexit__(failure, *rest)


class Opened:
    def __init__(self, browser, arguments, fob=None):
        self.fob = fob or KeyFob("--panel-listen", "127.0.0.1:0", *arguments)
        self.session = chromium.Session(browser)

    async def __aenter__(self):
        await self.fob.__aenter__()
        self.fob.panel = (await self.fob.event("panel"))["url"]
        await self.session.__aenter__()
        return self.fob, self.session

    async def __aexit__(self, *failure):
        await self.session.__aexit__(*failure)
        await self.fob.__aexit__(*failure)
