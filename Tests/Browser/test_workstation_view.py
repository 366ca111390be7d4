"""The text sample and the workstation login on the page, in real time and in virtual time."""

import contextlib

import panel
import pytest
from bluethroat import Process
from clock import advanced
from test_pictures import keep

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


PHONE, DESK = ".login-phone", ".card.desk"


@pytest.fixture
def office(scene, tmp_path):
    """`async with office() as page:` a desk and a phone beside it."""

    @contextlib.asynccontextmanager
    async def opened(*arguments, **window):
        users = tmp_path / "users"
        async with Process("desk", "add-user", "alice", "--users", str(users), "--cost", "10") as adding:
            adding.say("correct horse")
            assert await adding.exit_code() == 0
        files = ("--users", str(users), "--key", str(tmp_path / "key"), "--bonds", str(tmp_path / "bonds"))
        async with scene("desk", "--id", "4711", *files, "--with-phone", *arguments) as (demo, session), session.page(demo.panel, **window) as page:
            yield page

    return opened


def field(label):
    return f'{PHONE} input[placeholder="{label}"]'


def says(selector, text):
    return f"document.querySelector({selector!r})?.innerText.includes({text!r})"


async def press(page, label, inside=PHONE):
    await page.click_on(panel.button(label, inside=inside))


@pytest.mark.parametrize("time", ["real", "virtual"])
async def test_somebody_logs_in_as_in_the_picture_locks_and_leaves(office, time):
    arguments = ("--virtual-time", "--seed", "4") if time == "virtual" else ()
    async with office(*arguments, width=720, height=600) as page:

        async def until(promise):
            await (advanced(page, promise, 0.5) if time == "virtual" else page.until(promise))

        await until(says(PHONE, "Near: 4711"))
        await page.fill(field("Desk, four digits"), "4711")
        await press(page, "Log in")
        await page.fill(field("User"), "alice")
        await page.fill(field("Password"), "correct horse")
        await press(page, "Log in")
        await until(f"!!(document.querySelector({field('Six digits')!r}) && document.querySelector('{DESK} .desk-code:not([hidden])'))")
        if time == "real":
            await page.run("scrollTo(0, 0), true")
            await keep(page, "panel-login")
        code = (await page.text(f"{DESK} .desk-code")).removeprefix("Code ")
        await page.fill(field("Six digits"), code)
        await press(page, "That is my desk")
        await until(says(f"{PHONE} .logged-in", "alice at desk 4711"))
        await until(says(f"{DESK} .desk-session", "alice is logged in"))
        await press(page, "Lock the desk")
        await until(says(f"{DESK} .desk-session", "alice: locked"))
        await until(says(f"{PHONE} .logged-in", "locked"))
        await press(page, "Log out")
        await until(says(PHONE, "End the session?"))
        await press(page, "End it")
        await until(says(f"{DESK} .desk-session", "Nobody is logged in"))
        # From now on one press is enough; and the desk can end it, too.
        await press(page, "Desk 4711")
        await until(says(f"{PHONE} .logged-in", "alice at desk 4711"))
        await until(says(f"{DESK} .desk-session", "alice is logged in"))
        await press(page, "Log out", inside=DESK)
        await until(says(PHONE, "The session was ended at the desk"))


async def test_a_desk_that_is_not_there_is_searched_and_a_pin_locks_the_phone(office):
    async with office("--virtual-time", "--seed", "5") as page:
        await advanced(page, says(PHONE, "Near: 4711"), 0.5)
        await page.fill(field("Desk, four digits"), "0042")
        await press(page, "Log in")
        await page.until_says(PHONE, "Looking for desk 0042")
        await advanced(page, says(PHONE, "Desk 0042 is not near."), 1)
        await press(page, "Back")
        await page.click(f"{PHONE} summary")
        await page.fill(field("PIN, 4 to 12 digits"), "2580")
        await press(page, "Set a PIN")
        await press(page, "Lock")
        await page.fill(field("PIN"), "1111")
        await press(page, "Unlock")
        await page.until_says(PHONE, "Wrong PIN; 9 tries are left")
        await page.fill(field("PIN"), "2580")
        await press(page, "Unlock")
        await page.until(f"document.querySelector({field('Desk, four digits')!r})")


async def test_an_office_is_shown_while_its_day_goes_by(scene):
    async with scene("desk", "demo", "--desks", "6", "--people", "5", "--day", "60", "--seed", "1") as (demo, session), session.page(demo.panel) as page:
        await page.until_is("document.querySelectorAll('.card.desk').length", 6)
        await page.until_is("document.querySelectorAll('.login-phone').length", 5)
        await page.until_says("[aria-label='The day so far']", "of 5 people have come")
        await page.until_says("[aria-label='The day so far']", "of them while another was on the same channel")
