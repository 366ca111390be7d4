"""The pictures in the documentation show what there is: these tests take them."""

import os
import shutil
from pathlib import Path

import panel
from bluethroat import ROOT
from page import ARTEFACTS
from panel import LEFT


async def keep(page, name):
    """Among the artefacts, and where BLUETHROAT_PICTURES says."""
    picture = ARTEFACTS / f"{name}.png"
    await page.screenshot(picture)
    if folder := os.environ.get("BLUETHROAT_PICTURES"):
        Path(ROOT, folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, Path(ROOT, folder, picture.name))


async def test_picture_of_several_fobs(opened):
    async with opened("--fobs", "3") as (fob, session), session.page(fob.panel, width=1200, height=860) as page:
        await page.until_is("document.querySelectorAll('.fob-tab').length", 3)
        key = ".fob-tab:nth-child(2) [data-card-key=left]"
        where = await page.press(key)
        await fob.event("key", fob=2, state=1)
        await page.until_is(f"document.querySelector('{key}').ariaPressed", "true")
        await page.run("scrollTo(0, 0)")
        await keep(page, "panel-fobs")
        await page.release(*where)


async def test_pictures_of_the_device_and_of_the_central(opened):
    async with (
        opened() as (fob, session),
        session.page(fob.panel, width=1200, height=860) as device,
        session.page(fob.panel + "#central", width=1200, height=860, dark=True) as central,
    ):
        await panel.connect(central)
        await panel.write(central, "FFA1", "01")
        for uuid in ("FFA3", "FFA4", "FFA5", "FFE1"):
            await panel.subscribe(central, uuid)
        # A figure in the air, as long as it takes to be seen on the chart.
        for turn, (dx, dy) in enumerate([(70, 20), (-60, 60), (-90, -40), (30, -80), (80, 30), (-20, 15)]):
            await device.drag(".fob-stage svg > text", dx, dy, steps=12)
            points = "Number(document.querySelector('#acceleration').dataset.points)"
            await device.until(f"{points} >= {20 * (turn + 1)}")
        await device.press(LEFT)
        await device.key("KeyR", "rawKeyDown")
        await panel.value(central, "FFE1", "both")
        await device.until_says("#peers", "Key Press State")
        await device.run("scrollTo(0, 0)")
        await keep(device, "panel-device")
        await central.run("document.querySelector('[data-service=FFA0]').scrollIntoView(); scrollBy(0, -80)")
        await keep(central, "panel-central")
