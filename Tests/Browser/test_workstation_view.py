"""The text sample and the workstation login on the page, in real time and in virtual time."""

import panel
from bluethroat import Process
from clock import advanced

SERVER = '.text-screen[aria-label="Text"]'
CLIENT = '.text-screen[aria-label="Client"]'


async def test_text_goes_both_ways_between_the_two_screens(scene):
    async with scene("text", "demo") as (demo, session), session.page(demo.panel) as page:
        await page.until_says(f"{CLIENT} .badge", "framed mode")
        await page.fill(f"{CLIENT} .text-form input", "Grüße 🗝")
        await page.click(f"{CLIENT} .text-form button")
        await page.until_says(f"{SERVER} .text-log", "WRITE request: Grüße 🗝")
        await page.click(f'{SERVER} [data-action="send-long-text"]')
        await page.until_says(f"{CLIENT} .text-log", "READ: Mane sol")
        await page.click(f'{CLIENT} [data-action="disconnect"]')
        await page.until_says(f"{CLIENT} .text-log", "Disconnected: YES")


async def test_the_same_in_virtual_time(scene):
    async with scene("text", "demo", "--virtual-time", "--seed", "3") as (demo, session), session.page(demo.panel) as page:
        await page.until(f"document.querySelector({CLIENT!r})")
        await advanced(page, f"document.querySelector({f'{CLIENT} .badge'!r}).innerText === 'framed mode'", 1)
        await page.click(f'{CLIENT} [data-action="send-long-text"]')
        await advanced(page, f"document.querySelector({f'{SERVER} .text-log'!r}).innerText.includes('WRITE request: Mane sol')", 1)


async def test_somebody_logs_in_locks_and_leaves(scene, tmp_path):
    users = tmp_path / "users"
    async with Process("desk", "add-user", "alice", "--users", str(users), "--cost", "10") as adding:
        adding.say("correct horse")
        assert await adding.exit_code() == 0
    phone, desk = ".login-phone", ".card.desk"
    arguments = ("desk", "--id", "4711", "--users", str(users), "--key", str(tmp_path / "key"), "--with-phone", "--bonds", str(tmp_path / "bonds"))
    async with scene(*arguments) as (demo, session), session.page(demo.panel) as page:
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
        await page.click_on(panel.button("Lock the desk", inside=phone))
        await page.until_says(f"{desk} .desk-session", "alice: locked")
        await page.until_says(f"{phone} .logged-in", "locked")
        await page.click_on(panel.button("Log out", inside=phone))
        await page.until_says(phone, "End the session?")
        await page.click_on(panel.button("End it", inside=phone))
        await page.until_says(f"{desk} .desk-session", "Nobody is logged in")
        await page.until_says(phone, "Desk 4711")


async def test_an_office_is_shown_while_its_day_goes_by(scene):
    async with scene("desk", "demo", "--desks", "6", "--people", "5", "--day", "60", "--seed", "1") as (demo, session), session.page(demo.panel) as page:
        await page.until_is("document.querySelectorAll('.card.desk').length", 6)
        await page.until_is("document.querySelectorAll('.login-phone').length", 5)
        await page.until_says("[aria-label='The day so far']", "5 people came")
