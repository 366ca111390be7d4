"""Chromium without a window, driven over the DevTools protocol."""

import asyncio
import base64
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

# How long a promise of the page may take on a busy machine, in seconds.
PATIENCE = 15.0
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
        deadline = time.monotonic() + 60
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


class Refused(Exception):
    """Chromium did not do what it was told."""


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
        return await asyncio.wait_for(self._waiting[number], 60)

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
        await asyncio.wait_for(complete.wait(), 60)

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
        for domain in ("Page", "Runtime", "Log", "Network"):
            await page.tell(f"{domain}.enable")
        await page.tell("Emulation.setFocusEmulationEnabled", enabled=True)
        await page.look(width, height, dark)
        await page.tell("Page.navigate", url=url)
        await page.until("document.readyState === 'complete' && document.getElementById('view')?.children.length")
        return page


class Page:
    """A tab."""

    def __init__(self, owner, target, session):
        self.owner = owner
        self.target = target
        self.session = session
        self.complaints = []
        self.requests = []

    async def tell(self, method, **parameters):
        return await self.owner.tell(method, self.session, **parameters)

    def heard(self, method, about):
        match method:
            case "Runtime.exceptionThrown":
                details = about["exceptionDetails"]
                self.complaints.append(details.get("exception", {}).get("description") or details["text"])
            case "Runtime.consoleAPICalled" if about["type"] in ("error", "warning", "assert"):
                self.complaints.append(" ".join(str(one.get("value", one.get("description"))) for one in about["args"]))
            case "Log.entryAdded" if about["entry"]["level"] in ("error", "warning"):
                self.complaints.append(f"{about['entry']['text']} ({about['entry'].get('url', '')})")
            case "Network.requestWillBeSent":
                self.requests.append(about["request"]["url"])

    def forgive(self, part):
        """What was provoked on purpose is no complaint; it has to be there."""
        assert any(part in complaint for complaint in self.complaints), f"nobody complained about {part}"
        self.complaints = [complaint for complaint in self.complaints if part not in complaint]

    async def run(self, script):
        """The value of an expression, or of its promise."""
        answer = await self.tell("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if details := answer.get("exceptionDetails"):
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    async def until(self, condition, patience=PATIENCE):
        """Waits until an expression holds, looking with each frame the page draws; answers its value."""
        deadline = time.monotonic() + patience
        script = f"""new Promise((done) => {{
            const end = performance.now() + {{left}};
            const look = () => {{
                const found = {condition};
                const value = found instanceof Node ? true : found;
                if (value || performance.now() > end) done(value);
                else requestAnimationFrame(look);
            }};
            look();
        }})"""
        while (left := deadline - time.monotonic()) > 0:
            try:
                if value := await self.run(script.replace("{left}", str(left * 1000))):
                    return value
            except Refused:
                # The page was replaced by the next one.
                await asyncio.sleep(0)
        raise AssertionError(f"not within {patience:g} s: {condition}\nThe page says:\n{await self.text()}")

    async def text(self, selector="body"):
        return await self.run(f"document.querySelector({json.dumps(selector)})?.innerText")

    async def until_says(self, selector, text):
        """Waits until an element's text contains this."""
        await self.until(f"document.querySelector({json.dumps(selector)})?.innerText.includes({json.dumps(text)})")

    # Hands

    async def middle(self, selector):
        """Where an element is, scrolled into view."""
        where = await self.until(
            f"""(() => {{
                const element = document.querySelector({json.dumps(selector)});
                if (!element) return null;
                element.scrollIntoView({{ block: "center", inline: "center", behavior: "instant" }});
                const box = element.getBoundingClientRect();
                return box.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
            }})()"""
        )
        return where

    async def mouse(self, kind, x, y, buttons=0, touches=1):
        await self.tell(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, clickCount=touches if kind != "mouseMoved" else 0,
            button="left" if kind != "mouseMoved" or buttons else "none", buttons=buttons,
        )  # fmt: skip

    async def press(self, selector):
        x, y = await self.middle(selector)
        await self.mouse("mouseMoved", x, y)
        await self.mouse("mousePressed", x, y, 1)
        return x, y

    async def release(self, x, y):
        await self.mouse("mouseReleased", x, y)

    async def click(self, selector):
        await self.release(*await self.press(selector))

    async def drag(self, selector, dx, dy, steps=8, hold=False):
        x, y = await self.press(selector)
        for step in range(1, steps + 1):
            await self.mouse("mouseMoved", x + dx * step / steps, y + dy * step / steps, 1)
        if not hold:
            await self.release(x + dx, y + dy)
        return x + dx, y + dy

    async def key(self, code, kind=None, modifiers=0):
        """A key of the keyboard: down and up, or one of them."""
        names = {"Space": " ", "Enter": "Enter", "Tab": "Tab"}
        key = names.get(code) or (code[3:].lower() if code.startswith("Key") else code)
        numbers = {"Space": 32, "Enter": 13, "Tab": 9, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        number = numbers.get(code) or ord(key.upper()[0])
        for type in [kind] if kind else ["rawKeyDown", "keyUp"]:
            await self.tell(
                "Input.dispatchKeyEvent", type=type, code=code, key=key, windowsVirtualKeyCode=number,
                modifiers=modifiers,
            )  # fmt: skip

    async def slide(self, selector, value):
        """Moves a slider as a person would: the page hears of it."""
        await self.middle(selector)
        await self.run(
            f"""(() => {{
                const slider = document.querySelector({json.dumps(selector)});
                slider.value = {json.dumps(str(value))};
                slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
                slider.dispatchEvent(new Event("change", {{ bubbles: true }}));
            }})()"""
        )

    async def fill(self, selector, text):
        await self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        await self.run(f"document.querySelector({json.dumps(selector)}).select?.()")
        await self.tell("Input.insertText", text=text)

    # Eyes

    async def look(self, width, height, dark=False):
        await self.tell(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.tell("Emulation.setEmulatedMedia", features=[theme])

    async def screenshot(self, path, whole=False):
        """A picture, of what is seen or of the whole page."""
        picture = await self.tell("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **(
            {"clip": {**(await self.tell("Page.getLayoutMetrics"))["cssContentSize"], "scale": 1}} if whole else {}
        ))  # fmt: skip
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(base64.b64decode(picture["data"]))

    async def keep(self, name, whole=False):
        """A picture among the artefacts, named after the test."""
        test = os.environ.get("PYTEST_CURRENT_TEST", "page").split("::")[-1].split(" ")[0]
        with contextlib.suppress(Refused, TimeoutError):
            await self.screenshot(ARTEFACTS / f"{test}-{name}.png", whole)

    async def reload(self):
        await self.tell("Page.reload")
        await self.until("document.readyState === 'complete' && document.getElementById('view')?.children.length")

    async def close(self):
        await self.owner.tell("Target.closeTarget", targetId=self.target)


ARTEFACTS = Path(__file__).parent / ".artefacts"
