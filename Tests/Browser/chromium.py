"""Chromium without a window, driven over the DevTools protocol."""

import asyncio
import contextlib
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import websockets
from page import PATIENCE, Page, Refused

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def program():
    """The browser under test: CHROMIUM, or the first that is installed; None if there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Chromium:
    """A running browser, with a profile of its own that goes when it goes."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="bluethroat-chromium-")
        self.log = open(Path(self.profile, "log"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [
                program(), "--headless=new", "--remote-debugging-port=0", f"--user-data-dir={self.profile}",
                # Containers run as root and have a small /dev/shm.
                "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--mute-audio",
                "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-sync",
                "--disable-component-update", "--disable-features=Translate,MediaRouter",
                "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
                "--autoplay-policy=no-user-gesture-required", "about:blank",
            ],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        self.address = self._address()

    def _address(self):
        """Chromium writes where it listens into its profile."""
        file = Path(self.profile, "DevToolsActivePort")
        deadline = time.monotonic() + 2 * PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                port, path = file.read_text().split()
                return f"ws://127.0.0.1:{port}{path}"
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.05)
        self.log.seek(0)
        said = self.log.read()[-2000:]
        self.close()
        raise RuntimeError(f"{program()} does not start:\n{said}")

    def close(self):
        # Its helpers are in its group.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, 9)
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)


class Session:
    """A connection to the browser and a profile in it that nobody else sees: storage is empty at first."""

    def __init__(self, browser):
        self.browser = browser
        self._numbers = itertools.count(1)
        self._waiting = {}
        self._pages = {}
        # Called with what the browser as a whole says.
        self.listener = lambda method, about: None

    async def __aenter__(self):
        self._socket = await websockets.connect(self.browser.address, max_size=None, ping_interval=None)
        self._reader = asyncio.create_task(self._read())
        self.context = (await self.tell("Target.createBrowserContext", disposeOnDetach=True))["browserContextId"]
        return self

    async def __aexit__(self, failure, *_):
        with contextlib.suppress(Refused, TimeoutError):
            await self.tell("Target.disposeBrowserContext", browserContextId=self.context)
        await self._socket.close()
        self._reader.cancel()

    async def tell(self, method, session=None, **parameters):
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        await self._socket.send(json.dumps(message))
        return await asyncio.wait_for(self._waiting[number], 2 * PATIENCE)

    async def _read(self):
        async for text in self._socket:
            message = json.loads(text)
            if future := self._waiting.pop(message.get("id"), None):
                if future.done():
                    continue
                if "error" in message:
                    future.set_exception(Refused(message["error"].get("message", "no reason")))
                else:
                    future.set_result(message.get("result", {}))
            elif page := self._pages.get(message.get("sessionId")):
                page.heard(message["method"], message.get("params", {}))
            elif "method" in message and "sessionId" not in message:
                self.listener(message["method"], message.get("params", {}))

    @contextlib.asynccontextmanager
    async def traced(self, *categories):
        """What the browser's own tracing sees meanwhile: a list of events that is filled at the end."""
        events, complete = [], asyncio.Event()

        def hear(method, about):
            if method == "Tracing.dataCollected":
                events.extend(about["value"])
            elif method == "Tracing.tracingComplete":
                complete.set()

        self.listener = hear
        config = {"recordMode": "recordAsMuchAsPossible", "includedCategories": list(categories), "excludedCategories": ["*"]}
        await self.tell("Tracing.start", transferMode="ReportEvents", traceConfig=config)
        yield events
        await self.tell("Tracing.end")
        await asyncio.wait_for(complete.wait(), PATIENCE)

    @contextlib.asynccontextmanager
    async def page(self, url, width=1280, height=900, dark=False):
        """A tab. It must not complain on the console while it is open."""
        page = await self.open(url, width, height, dark)
        try:
            yield page
        except BaseException:
            await page.keep("failed")
            print("\n".join(page.complaints))
            raise
        assert page.complaints == [], f"the console has to stay clean: {page.complaints}"
        await page.close()

    async def open(self, url, width=1280, height=900, dark=False):
        # A window for each: what is hidden draws nothing.
        target = (
            await self.tell(
                "Target.createTarget", url="about:blank", browserContextId=self.context, newWindow=True,
                width=width, height=height,
            )
        )["targetId"]  # fmt: skip
        session = (await self.tell("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        page = self._pages[session] = Page(self, target, session)
        await page.show(url, width, height, dark)
        return page
