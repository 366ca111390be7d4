"""What people do on the panel, in words."""

LEFT = '[data-side="left"]'
RIGHT = '[data-side="right"]'


async def connect(page):
    """Scans, and connects to the fob."""
    await page.click("#scan")
    await page.until("document.querySelector('.sighting button:enabled')")
    await page.click(".sighting button")
    await page.until("document.querySelector('.characteristic')")


def row(uuid, service=None):
    inside = f'[data-service="{service}"] ' if service else ""
    return f'{inside}[data-uuid="{uuid}"]'


async def read(page, uuid, service=None):
    await page.click(f'{row(uuid, service)} button[aria-label^="Read"]')


async def subscribe(page, uuid, service=None):
    button = f"{row(uuid, service)} button[data-subscribe]"
    await page.click(button)
    await page.until(f"document.querySelector('{button}').getAttribute('aria-pressed') === 'true'")


async def write(page, uuid, text, form="hex", service=None):
    """Answered when the log has it."""
    where = row(uuid, service)
    count = "document.querySelectorAll('.log tbody tr').length"
    before = await page.run(count)
    await page.fill(f"{where} .writer input", text)
    await page.run(
        f"(s => {{ s.value = '{form}'; s.dispatchEvent(new Event('change')); }})(document.querySelector('{where} select'))"
    )
    await page.click(f"{where} .writer button[type=submit]")
    await page.until(f"{count} > {before}")


async def value(page, uuid, text, service=None):
    """Waits until the value reads like this."""
    await page.until(f"document.querySelector('{row(uuid, service)} .value')?.innerText === {text!r}")


async def connect_to(page, name):
    """Scans until this device is there, and connects to it."""
    await page.click("#scan")
    device = f"[...document.querySelectorAll('.sighting')].find((one) => one.querySelector('h3').innerText.includes({name!r}))"
    await page.until(f"{device}?.querySelector('button:enabled')")
    await page.run(f"{device}.querySelector('button').click()")
    await page.until("document.querySelector('.characteristic')")
