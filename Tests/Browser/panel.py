"""What people do on the panel, in words."""

import keyfob_table as table

LEFT = '[data-side="left"]'
RIGHT = '[data-side="right"]'


def button(text, inside=""):
    """The button with this label."""
    return f"[...document.querySelectorAll({f'{inside} button'!r})].find((one) => one.innerText === {text!r})"


async def advertise(page, device=0):
    """Has a fob begin to advertise: it does so for half a minute at a time, which a busy machine needs to open a page."""
    for is_on in (False, True):
        await page.ask("PUT", f"/api/devices/{device}/advertising", {"isOn": is_on})


async def scan(page):
    """Scans until the fob is found."""
    await advertise(page)
    await page.click("#scan")
    await page.until_says(".sighting", table.NAME)


async def connect(page):
    """Scans, and connects to the fob, however often that takes."""
    await scan(page)
    there, failures = "!!document.querySelector('.characteristic')", "document.querySelectorAll('.log .failed').length"
    for attempt in range(5):
        await page.click(".sighting button:enabled")
        await page.until(f"{there} || {failures} > {attempt}")
        if await page.run(there):
            return
        await advertise(page)
    raise AssertionError(f"it does not connect\n{await page.text()}")


def row(uuid, service=None):
    inside = f'[data-service="{service}"] ' if service else ""
    return f'{inside}[data-uuid="{uuid}"]'


async def read(page, uuid, service=None):
    await page.click(f'{row(uuid, service)} button[aria-label^="Read"]')


async def subscribe(page, uuid, service=None):
    button = f"{row(uuid, service)} button[data-subscribe]"
    await page.click(button)
    await page.until_is(f"document.querySelector('{button}')?.getAttribute('aria-pressed')", "true")


async def write(page, uuid, text, form="hex", service=None):
    """Answered when the log has how it ended."""
    where = row(uuid, service)
    count = "[...document.querySelectorAll('.log tbody tr')].filter((one) => /write/.test(one.cells[2].innerText) && one.cells[1].innerText !== '…').length"
    before = await page.run(count)
    await page.choose(f"{where} select", form)
    await page.fill(f"{where} .writer input", text)
    await page.click(f"{where} .writer button[type=submit]")
    await page.until(f"{count} > {before}")


async def pair(page):
    """Pairs with the fob that is connected; its passkey is 000000."""
    await page.click_on(button("Pair"))
    await page.fill("dialog input", "000000")
    await page.click("dialog button.first")
    await page.until_says("#connections", "encrypted, authenticated")


async def value(page, uuid, text, service=None):
    """Waits until the value reads like this."""
    await page.until_reads(f"{row(uuid, service)} .value", text)


async def connect_to(page, name):
    """Scans until this device is there, and connects to it."""
    await page.click("#scan")
    device = f"[...document.querySelectorAll('.sighting')].find((one) => one.querySelector('h3').innerText.includes({name!r}))"
    await page.click_on(f"{device}?.querySelector('button:enabled')")
    await page.until("document.querySelector('.characteristic')")
