"""The text sample and the workstation login on the page, in real time and in virtual time."""

import contextlib

import chromium
import pytest
from bluethroat import Process


@pytest.fixture
def shown(browser):
    """`async with shown("text", "demo") as (process, page):` a command with its panel, and a page that shows it."""

    @contextlib.asynccontextmanager
    async def show(*arguments):
        places = ("--json", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
        async with Process(*arguments, *places) as process, chromium.Session(browser) as session:
            url = (await process.event("panel"))["url"]
            async with session.page(url) as page:
                yield process, page

    return show


SERVER = '.text-screen[aria-label="Text"]'
CLIENT = '.text-screen[aria-label="Client"]'


async def test_text_goes_both_ways_between_the_two_screens(shown):
    async with shown("text", "demo") as (_, page):
        await page.until_says(f"{CLIENT} .badge", "framed mode")
        await page.fill(f"{CLIENT} .text-form input", "Grüße 🗝")
        await page.click(f"{CLIENT} .text-form button")
        await page.until_says(f"{SERVER} .text-log", "WRITE request: Grüße 🗝")
        await page.click(f'{SERVER} [data-action="send-long-text"]')
        await page.until_says(f"{CLIENT} .text-log", "READ: Mane sol")
        await page.click(f'{CLIENT} [data-action="disconnect"]')
        await page.until_says(f"{CLIENT} .text-log", "Disconnected: YES")


async def test_the_same_in_virtual_time(shown):
    async with shown("text", "demo", "--virtual-time", "--seed", "3") as (process, page):
        await page.until(f"document.querySelector({CLIENT!r})")
        advance = "fetch('/api/world/advance', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({seconds: 5})}).then((answer) => answer.status)"
        assert await page.run(advance) == 200
        await page.until_says(f"{CLIENT} .badge", "framed mode")
        await page.click(f'{CLIENT} [data-action="send-long-text"]')
        assert await page.run(advance) == 200
        await page.until_says(f"{SERVER} .text-log", "WRITE request: Mane sol")


async def test_somebody_logs_in_locks_and_leaves(shown, tmp_path):
    users = tmp_path / "users"
    async with Process("desk", "add-user", "alice", "--users", str(users), "--cost", "10") as adding:
        adding.say("correct horse")
        assert await adding.exit_code() == 0
    phone, desk = ".login-phone", ".card.desk"
    arguments = ("desk", "--id", "4711", "--users", str(users), "--key", str(tmp_path / "key"), "--with-phone", "--bonds", str(tmp_path / "bonds"))
    async with shown(*arguments) as (process, page):
        await page.until_says(phone, "Near: 4711")
        await page.fill(f'{phone} input[placeholder="Desk, four digits"]', "4711")
        await page.click(f"{phone} form button")
        await page.until(f"document.querySelector('{phone} input[type=password][placeholder=Password]')")
        await page.fill(f'{phone} input[placeholder="User"]', "alice")
        await page.fill(f'{phone} input[placeholder="Password"]', "correct horse")
        await page.click(f"{phone} form button")
        await page.until(f"""document.querySelector('{phone} input[placeholder="Six digits"]')""")
        await page.until(f"document.querySelector('{desk} .desk-code:not([hidden])')")
        code = (await page.text(f"{desk} .desk-code")).removeprefix("Code ")
        await page.fill(f'{phone} input[placeholder="Six digits"]', code)
        await page.click(f"{phone} form button")
        await page.until_says(f"{phone} .logged-in", "alice at desk 4711")
        await page.until_says(f"{desk} .desk-session", "alice is logged in")
        press = "[...document.querySelectorAll('.login-phone button')].find((one) => one.innerText === {!r}).click()"
        await page.run(press.format("Lock the desk"))
        await page.until_says(f"{desk} .desk-session", "alice: locked")
        await page.until_says(f"{phone} .logged-in", "locked")
        await page.run(press.format("Log out"))
        await page.until_says(phone, "End the session?")
        await page.run(press.format("End it"))
        await page.until_says(f"{desk} .desk-session", "Nobody is logged in")
        await page.until_says(phone, "Desk 4711")


async def test_an_office_is_shown_while_its_day_goes_by(shown):
    async with shown("desk", "demo", "--desks", "6", "--people", "5", "--day", "60", "--seed", "1") as (process, page):
        await page.until("document.querySelectorAll('.card.desk').length === 6")
        await page.until("document.querySelectorAll('.login-phone').length === 5")
        await page.until_says("[aria-label='The day so far']", "5 people came")
