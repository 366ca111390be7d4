"""How quick the panel is, and what it costs: `make bench-panel` prints what docs/panel.md has.

Times and frames are those of Chromium's own tracing. Not a test: figures of a busy machine say little.
"""

import asyncio
import contextlib
import json
import os
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Interop"))

import chromium  # noqa: E402
from bluethroat import KeyFob  # noqa: E402

FOBS = 45
ROUNDS = 30
EVENTS = ("devtools.timeline", "disabled-by-default-devtools.timeline.frame", "blink.user_timing")

# Marks in the trace when an element says or looks like this for the first time from now on.
MARK = """(() => {{
    const look = () => {{
        if (!({condition})) return;
        observer.disconnect();
        performance.mark({name});
    }};
    const observer = new MutationObserver(look);
    observer.observe(document.body, {{ subtree: true, childList: true, attributes: true, characterData: true }});
}})()"""

TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def marks(events, name):
    return [one["ts"] for one in events if one["cat"] == "blink.user_timing" and one["name"] == name]


def inputs(events, kind):
    """When each input of this kind happened, as the trace has it."""
    return [
        one["ts"] for one in events
        if one["name"] == "EventTiming" and one["ph"] == "b" and one["args"]["data"]["type"] == kind
    ]  # fmt: skip


def frames(events):
    """When frames were drawn, by the page that drew them."""
    drawn = {}
    for one in events:
        if one["name"] == "DrawFrame":
            drawn.setdefault((one["pid"], one["args"]["layerTreeId"]), []).append(one["ts"])
    return [sorted(times) for times in drawn.values()]


def after(times, instant):
    return min((one for one in times if one >= instant), default=None)


async def key_to_its_frame(session, page):
    """From the press of a key to the frame that shows it pressed, in milliseconds."""
    pressed = "document.querySelector('[data-side=left]').classList.contains('down')"
    async with session.traced(*EVENTS) as events:
        for n in range(ROUNDS):
            await page.run(MARK.format(condition=pressed, name=f"'pressed {n}'"))
            await page.click('[data-side="left"]')
            await page.until(f"performance.getEntriesByName('pressed {n}').length && !({pressed})")
            await page.run(TWO_FRAMES)
    return median(events, "pointerdown", "pressed")


async def key_to_the_leds_frame(session, page):
    """The same to the frame that shows the LED lit, which the app on the simulated phone lights: there and back."""
    lit = "document.querySelector('[data-led=left]').classList.contains('lit')"
    async with session.traced(*EVENTS) as events:
        for n in range(ROUNDS):
            await page.run(MARK.format(condition=lit, name=f"'lit {n}'"))
            where = await page.press('[data-side="left"]')
            await page.until(f"performance.getEntriesByName('lit {n}').length")
            await page.release(*where)
            await page.until(f"!({lit})")
            await page.run(TWO_FRAMES)
    return median(events, "pointerdown", "lit")


async def slider_to_another_tab(session, one, other):
    """From the battery's slider in one tab to the frame with the figure in another."""
    text = "document.querySelector('#battery-text').innerText"
    async with session.traced(*EVENTS) as events:
        for n in range(ROUNDS):
            await other.run(MARK.format(condition=f"{text} === 'Battery Level: {20 + n}'", name=f"'there {n}'"))
            await one.run(f"performance.mark('moved {n}')")
            await one.slide("#battery", 20 + n)
            await other.until(f"performance.getEntriesByName('there {n}').length")
            await other.run(TWO_FRAMES)
    took = []
    for n in range(ROUNDS):
        start, there = marks(events, f"moved {n}")[0], marks(events, f"there {n}")[0]
        took.append(next_frame(events, there) - start)
    return statistics.median(took) / 1000


def next_frame(events, instant):
    return min(one for one in (after(times, instant) for times in frames(events)) if one)


def median(events, kind, name):
    took = []
    for n in range(ROUNDS):
        shown = marks(events, f"{name} {n}")[0]
        start = max(one for one in inputs(events, kind) if one <= shown)
        took.append(next_frame(events, shown) - start)
    return statistics.median(took) / 1000


async def busy_frames(session, page, seconds=5):
    """Frames a second, and the longest wait for one in milliseconds."""
    async with session.traced("disabled-by-default-devtools.timeline.frame") as events:
        await asyncio.sleep(seconds)
    # Those of the page that drew most: the one that is looked at.
    times = max(frames(events), key=len)
    gaps = [b - a for a, b in zip(times, times[1:])]
    return (len(times) - 1) / (times[-1] - times[0]) * 1e6, max(gaps) / 1000


async def idle(session, fob, seconds=10):
    """Shares of a core, of the server and of all of the browser, while nobody does anything."""

    async def browser():
        processes = (await session.tell("SystemInfo.getProcessInfo"))["processInfo"]
        return sum(one["cpuTime"] for one in processes)

    def server():
        fields = Path(f"/proc/{fob.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    began, before = time.monotonic(), (server(), await browser())
    await asyncio.sleep(seconds)
    after = (server(), await browser())
    took = time.monotonic() - began
    return [(b - a) / took for a, b in zip(before, after)]


async def main():
    browser = chromium.Chromium()
    try:
        async with opened(browser, "--personality", "phone") as (fob, url, session):
            async with session.page(url) as one, session.page(url) as other:
                for page in (one, other):
                    await page.until("document.querySelector('#battery-text')?.innerText === 'Battery Level: 80'")
                print(f"key to the frame that shows it: {await key_to_its_frame(session, one):.0f} ms", flush=True)
                print(f"key to the frame with the LED: {await key_to_the_leds_frame(session, one):.0f} ms", flush=True)
                print(f"slider to another tab's frame: {await slider_to_another_tab(session, one, other):.0f} ms", flush=True)
        async with opened(browser) as (fob, url, session), session.page(url) as page:
            await page.until("document.querySelector('#battery-text')?.innerText")
            await asyncio.sleep(3)
            server, all_of_it = await idle(session, fob)
            print(f"idle: the server {server:.1%} of a core, the browser {all_of_it:.1%}", flush=True)
        async with opened(browser) as (fob, url, session), session.page(url + "#air") as page:
            for n in range(FOBS):
                body = json.dumps(json.dumps({"kind": "keyfob", "x": n % 6, "y": n // 6}))
                await page.run(
                    "fetch('/api/devices', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
                    f" body: {body} }}).then((answer) => answer.text())"
                )
            rate = "parseInt(document.querySelector('#rate').innerText)"
            await page.until(f"{rate} >= 1000", 25)
            a_second, longest = await busy_frames(session, page)
            print(f"{await page.run(rate)} packets a second: {a_second:.0f} frames a second, the longest wait {longest:.0f} ms")
            await page.keep("busy")
    finally:
        browser.close()


@contextlib.asynccontextmanager
async def opened(browser, *arguments):
    async with KeyFob("--panel-listen", "127.0.0.1:0", *arguments) as fob, chromium.Session(browser) as session:
        yield fob, (await fob.event("panel"))["url"], session


if __name__ == "__main__":
    asyncio.run(main())
