"""A world whose time passes only when it is told to, as tests of the page tell it."""

TIME = "document.querySelector('#clock').innerText"


def shown(seconds):
    """A time as the page shows it."""
    thousandths = int(seconds * 1000 + 0.5)
    minutes, rest = divmod(thousandths, 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02}.{rest % 1000:03}"


async def now(page):
    return (await page.ask("GET", "/api/world"))["time"]


async def advance(page, seconds):
    """Lets time pass, and waits until the page shows what is so then: the time is what it hears last."""
    after = (await page.ask("POST", "/api/world/advance", {"seconds": seconds}))["time"]
    await page.until_is(TIME, shown(after))


async def advanced(page, promise, seconds=0.1, limit=400):
    """Lets time pass until the page shows that something is so; what it has asked for may take longer than a step."""
    for _ in range(limit):
        if await page.run(promise):
            return
        await advance(page, seconds)
    raise AssertionError(f"not within {limit * seconds} s of the world: {promise}\nThe page says:\n{await page.text()}")
