"""How quick the panel is: `python Tests/Browser/measure.py` prints what docs/panel.md has.

Not a test: figures of a busy machine say little.
"""

import asyncio
import contextlib
import json
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Interop"))

import chromium  # noqa: E402
from bluethroat import KeyFob  # noqa: E402

NOW = "performance.timeOrigin + performance.now()"
FOBS = 45


async def to_the_next_frame(page):
    """From the press of a key to the frame that shows it, in milliseconds: in this page, without the server."""
    await page.run(
        """(() => {
            const key = document.querySelector('[data-side="left"]');
            window.took = [];
            key.addEventListener("pointerdown", (event) => {
                const look = () => key.classList.contains("down")
                    ? requestAnimationFrame(() => took.push(performance.now() - event.timeStamp)) : requestAnimationFrame(look);
                look();
            });
        })()"""
    )
    for n in range(1, 31):
        await page.click('[data-side="left"]')
        await page.until(f"took.length === {n}")
    return statistics.median(await page.run("took"))


async def to_another_tab(one, other):
    """From the battery's slider in one tab to the text in another: through server, world and event stream."""
    took = []
    for percent in range(20, 50):
        seen = asyncio.create_task(
            other.run(
                f"""new Promise((done) => {{
                    const look = () => document.querySelector("#battery-text").innerText === "{percent} %"
                        ? done({NOW}) : requestAnimationFrame(look);
                    look();
                }})"""
            )
        )
        start = await one.run(
            f"""(() => {{
                const slider = document.querySelector("#battery");
                slider.value = "{percent}";
                slider.dispatchEvent(new Event("input"));
                return {NOW};
            }})()"""
        )
        took.append(await seen - start)
    return statistics.median(took)


async def frames(page, seconds=5):
    """Frames a second, and the longest wait for one in milliseconds."""
    times = await page.run(
        f"""new Promise((done) => {{
            const times = [];
            const look = (time) => {{
                times.push(time);
                if (time - times[0] > {seconds * 1000}) done(times); else requestAnimationFrame(look);
            }};
            requestAnimationFrame(look);
        }})"""
    )
    return (len(times) - 1) / (times[-1] - times[0]) * 1000, max(b - a for a, b in zip(times, times[1:]))


async def main():
    browser = chromium.Chromium()
    try:
        async with fob_and_session(browser, "--personality", "phone") as (url, session):
            async with session.page(url) as one, session.page(url) as other:
                await other.until("document.querySelector('#battery-text').innerText === '80 %'")
                print(f"key to its frame: {await to_the_next_frame(one):.0f} ms", flush=True)
                print(f"slider to another tab: {await to_another_tab(one, other):.0f} ms", flush=True)
        async with fob_and_session(browser) as (url, session), session.page(url + "#air") as page:
            for n in range(FOBS):
                body = json.dumps(json.dumps({"kind": "keyfob", "x": n % 6, "y": n // 6}))
                await page.run(
                    "fetch('/api/devices', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
                    f" body: {body} }}).then((answer) => answer.text())"
                )
            rate = "parseInt(document.querySelector('#rate').innerText)"
            await page.until(f"{rate} >= 1000", 25)
            a_second, longest = await frames(page)
            print(f"{await page.run(rate)} packets a second: {a_second:.0f} frames a second, the longest wait {longest:.0f} ms")
            await page.keep("busy")
    finally:
        browser.close()


@contextlib.asynccontextmanager
async def fob_and_session(browser, *arguments):
    async with KeyFob("--panel-listen", "127.0.0.1:0", *arguments) as fob, chromium.Session(browser) as session:
        yield (await fob.event("panel"))["url"], session


if __name__ == "__main__":
    asyncio.run(main())
