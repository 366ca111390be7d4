"""The server goes away, and another comes back at its place: the page says so, and goes on."""

import contextlib
import json
import random
import socket

import chromium
import panel
from bluethroat import KeyFob


def free_port():
    """One that nobody is given who asks for any, so that it is still free a moment later."""
    while True:
        port = random.randrange(20000, 30000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


async def test_a_panel_that_goes_away_is_said_and_one_that_is_back_is_used(browser, tmp_path):
    port = free_port()
    # Both have the same token.
    where = ("--panel-listen", f"127.0.0.1:{port}", "--panel-token-file", str(tmp_path / "token"))
    async with chromium.Session(browser) as session:
        async with KeyFob(*where) as fob:
            url = (await fob.event("panel"))["url"]
            device, central = await session.open(url), await session.open(url + "#central")
            await panel.connect(central)
            await device.until_reads("#state", "Connected")
            for page in (device, central):
                await page.until("document.querySelector('#offline').hidden")
        for page in (device, central):
            await page.until("!document.querySelector('#offline').hidden")
            await page.until_says("#offline", "The connection to the panel is lost; trying again")
        await device.keep("offline")
        # What one does meanwhile is not lost without a word.
        await central.click("#scan")
        await central.until_told("Is bluethroat still running?")
        async with KeyFob(*where, seed=2) as fob:
            await fob.event("panel")
            for page in (device, central):
                # Browsers wait some seconds before they try again.
                await page.until("document.querySelector('#offline').hidden")
            await device.until_says("#state", "dvertising")
            # That world knows nothing of this central: it is a new one there.
            await central.until("!document.querySelector('[data-connection]')")
            await panel.connect(central)
            await device.until_reads("#state", "Connected")
            for page in (device, central):
                # All that was complained about is that nobody was there.
                others = [one for one in page.complaints if "ERR_" not in one and "404" not in one]
                assert others == [], json.dumps(others)
                await page.close()
