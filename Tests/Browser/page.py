"""A tab, with eyes and hands. What arrives by itself is waited for and never looked at once: see `until`."""

import asyncio
import base64
import contextlib
import json
import os
import time
from pathlib import Path

# How long a promise of the page may take on a busy machine, in seconds.
PATIENCE = 60.0
ARTEFACTS = Path(__file__).parent / ".artefacts"

# How many times slower than this machine the page's own is, and how long its requests take beside in milliseconds, so
# that what a busy machine does to it now and then is done to it always.
SLOWNESS = float(os.environ.get("BLUETHROAT_SLOW_PAGE") or 1)
LATENCY = 150 if SLOWNESS > 1 else 0

READY = "document.readyState === 'complete' && document.getElementById('view')?.children.length > 0"

# What the page tells in passing is gone a few seconds later: it is kept for `until_told`.
KEEP_TOASTS = """
    window.told = [];
    addEventListener("DOMContentLoaded", () => {
        const keep = (records) => records.forEach((one) => one.addedNodes.forEach((node) => told.push(node.textContent)));
        new MutationObserver(keep).observe(document.getElementById("toasts"), { childList: true });
    });
"""

# Looks after each change of the page and with each frame, so that nothing that was so for a moment is missed.
LOOK = """(async () => {
    const end = performance.now() + %(left)s;
    let look = () => {};
    const observer = new MutationObserver(() => look());
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    try {
        while (true) {
            const found = await (%(condition)s);
            if (found || performance.now() > end) return found instanceof Node ? true : found;
            await new Promise((done) => { look = done; requestAnimationFrame(done); });
        }
    } finally {
        observer.disconnect();
    }
})()"""

# Where an element is, scrolled into view, once it stands still and nothing lies over it.
MIDDLE = """(async () => {
    const element = document.querySelector(%(selector)s);
    if (!element || element.disabled) return null;
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const middle = () => {
        const box = element.getBoundingClientRect();
        return box.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
    };
    const before = JSON.stringify(middle());
    for (let n = 0; n < 2; n += 1) await new Promise(requestAnimationFrame);
    const place = middle();
    if (!place || !element.isConnected || JSON.stringify(place) !== before) return null;
    const hit = document.elementFromPoint(...place);
    return (element.ownerSVGElement ?? element).contains(hit) ? place : null;
})()"""


class Refused(Exception):
    """Chromium did not do what it was told."""


def element(selector):
    return f"document.querySelector({json.dumps(selector)})"


class Page:
    """A tab."""

    def __init__(self, owner, target, session):
        self.owner = owner
        self.target = target
        self.session = session
        self.requests = []
        self._complaints = []
        self._forgiven = []
        self._complained = asyncio.Event()

    async def show(self, url, width, height, dark):
        for domain in ("Page", "Runtime", "Log", "Network"):
            await self.tell(f"{domain}.enable")
        await self.tell("Emulation.setFocusEmulationEnabled", enabled=True)
        if SLOWNESS > 1:
            await self.tell("Emulation.setCPUThrottlingRate", rate=SLOWNESS)
            await self.tell(
                "Network.emulateNetworkConditions", offline=False, latency=LATENCY, downloadThroughput=-1, uploadThroughput=-1
            )
        await self.tell("Page.addScriptToEvaluateOnNewDocument", source=KEEP_TOASTS)
        await self.look(width, height, dark)
        await self.tell("Page.navigate", url=url)
        await self.until(READY)

    async def tell(self, method, **parameters):
        return await self.owner.tell(method, self.session, **parameters)

    def heard(self, method, about):
        match method:
            case "Runtime.exceptionThrown":
                details = about["exceptionDetails"]
                self._complain(details.get("exception", {}).get("description") or details["text"])
            case "Runtime.consoleAPICalled" if about["type"] in ("error", "warning", "assert"):
                self._complain(" ".join(str(one.get("value", one.get("description"))) for one in about["args"]))
            case "Log.entryAdded" if about["entry"]["level"] in ("error", "warning"):
                self._complain(f"{about['entry']['text']} ({about['entry'].get('url', '')})")
            case "Network.requestWillBeSent":
                self.requests.append(about["request"]["url"])

    def _complain(self, text):
        self._complaints.append(text)
        self._complained.set()

    @property
    def complaints(self):
        """What it complained about on the console, but for what was forgiven."""
        return [one for one in self._complaints if not any(part in one for part in self._forgiven)]

    async def forgive(self, part):
        """What was provoked on purpose is no complaint; it has to come."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while not any(part in one for one in self._complaints):
                    self._complained.clear()
                    await self._complained.wait()
        assert any(part in one for one in self._complaints), f"nobody complained about {part}"
        self._forgiven.append(part)

    async def run(self, script):
        """The value of an expression, or of its promise, as it is at this moment."""
        answer = await self.tell("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if details := answer.get("exceptionDetails"):
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    async def ask(self, method, path, body=None):
        """What the panel answers if the page asks it; that has to go well."""
        options = {"method": method}
        if body is not None:
            options |= {"headers": {"Content-Type": "application/json"}, "body": json.dumps(body)}
        status, answer = await self.run(
            f"fetch({json.dumps(path)}, {json.dumps(options)}).then(async (answer) => [answer.status, await answer.json()])"
        )
        assert status == 200, answer
        return answer

    # What has to become so

    async def until(self, condition, patience=PATIENCE):
        """Waits until an expression, or its promise, holds; answers its value."""
        deadline = time.monotonic() + patience
        while (left := deadline - time.monotonic()) > 0:
            try:
                if value := await self.run(LOOK % {"left": left * 1000, "condition": condition}):
                    return value
            except Refused:
                # The page was replaced by the next one.
                await asyncio.sleep(0)
        raise AssertionError(f"not within {patience:g} s: {condition}\nThe page says:\n{await self.text()}")

    async def until_is(self, expression, value, patience=PATIENCE):
        """Waits until an expression has this value."""
        try:
            await self.until(f"JSON.stringify({expression}) === JSON.stringify({json.dumps(value)})", patience)
        except AssertionError as failure:
            raise AssertionError(f"it is {await self.run(expression)!r} instead of {value!r}\n{failure}") from None

    async def until_reads(self, selector, text):
        """Waits until an element's text is this."""
        await self.until_is(f"{element(selector)}?.innerText", text)

    async def until_says(self, selector, text, patience=PATIENCE):
        """Waits until an element's text contains this."""
        await self.until(f"{element(selector)}?.innerText.includes({json.dumps(text)})", patience)

    async def until_told(self, text):
        """Waits until the page has told this in passing, be it gone again or not."""
        await self.until(f"told.some((one) => one.includes({json.dumps(text)}))")

    async def text(self, selector="body"):
        """What an element reads at this moment: for what stands there already and stays."""
        return await self.run(f"{element(selector)}?.innerText")

    # Hands

    async def middle(self, selector):
        """Where an element is, scrolled into view, once it stands still and can be hit."""
        return await self.until(MIDDLE % {"selector": json.dumps(selector)})

    async def mouse(self, kind, x, y, buttons=0, touches=1):
        await self.tell(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, clickCount=touches if kind != "mouseMoved" else 0,
            button="left" if kind != "mouseMoved" or buttons else "none", buttons=buttons,
        )  # fmt: skip

    async def press(self, selector):
        x, y = await self.middle(selector)
        await self.mouse("mouseMoved", x, y)
        # It may have moved on meanwhile; what is under the mouse stays.
        while (place := await self.middle(selector)) != [x, y]:
            x, y = place
            await self.mouse("mouseMoved", x, y)
        await self.mouse("mousePressed", x, y, 1)
        return x, y

    async def release(self, x, y):
        await self.mouse("mouseReleased", x, y)

    async def click(self, selector):
        await self.release(*await self.press(selector))

    async def click_on(self, found):
        """Clicks on the element of an expression in the moment in which it is there: for lists that move."""
        await self.until(
            f"((found) => {{ if (!found || found.disabled) return false; found.click(); return true; }})({found})"
        )

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
            # Enter submits a form as the character that it is, too.
            text = {"text": "\r"} if code == "Enter" and type == "rawKeyDown" else {}
            await self.tell(
                "Input.dispatchKeyEvent", type="keyDown" if text else type, code=code, key=key, windowsVirtualKeyCode=number,
                modifiers=modifiers, **text,
            )  # fmt: skip

    async def slide(self, selector, value):
        """Moves a slider as a person would: the page hears of it."""
        await self.middle(selector)
        await self.choose(selector, value)

    async def choose(self, selector, value):
        """Gives a slider or a menu this value."""
        await self.until(
            f"""((field) => {{
                if (!field || field.disabled) return false;
                field.value = {json.dumps(str(value))};
                field.dispatchEvent(new Event("input", {{ bubbles: true }}));
                field.dispatchEvent(new Event("change", {{ bubbles: true }}));
                return true;
            }})({element(selector)})"""
        )

    async def fill(self, selector, text):
        """Types a text instead of what is in a field."""
        focus = "if (!field || field.disabled) return false; field.focus(); field.select?.(); return document.activeElement === field;"
        await self.until(f"((field) => {{ {focus} }})({element(selector)})")
        await self.tell("Input.insertText", text=text)
        await self.until_is(f"{element(selector)}?.value", text)

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
        # What is asked before the old page has gone is no answer.
        await self.run("window.isOld = true")
        await self.tell("Page.reload")
        await self.until(f"!window.isOld && {READY}")

    async def close(self):
        await self.owner.tell("Target.closeTarget", targetId=self.target)
