"""What pairing asks of the person in front of the page: each of its questions, with a Bumble device at the other end."""

import contextlib

import bluethroat
import panel
import pytest
import rules
from bumble_pairing import DISPLAY, KEYBOARD, NONE, YES_NO, Person, pairing_device

NAME = "Lock"
OPEN = "document.querySelector('dialog[open]')"


@contextlib.asynccontextmanager
async def connected(opened, io, **how):
    """A page whose central is connected to a Bumble device with this input and output, and the person beside that."""
    async with opened() as (fob, session), session.page(fob.panel + "#central", **how) as page, pairing_device(fob.hci) as device:
        person = device.pairs_as(Person(io))
        await device.advertise(NAME)
        await panel.connect_to(page, NAME)
        await page.until_says("#connections", "not encrypted")
        yield page, device, person


async def pair(page):
    await page.click_on(panel.button("Pair"))


async def asked(page, kind):
    await page.until_is(f"{OPEN}?.dataset.question", kind)


async def answer(page, word):
    await page.click_on(panel.button(word, inside="dialog"))


async def test_digits_that_both_show_are_compared(opened):
    async with connected(opened, YES_NO) as (page, device, person):
        await pair(page)
        await asked(page, "comparison")
        await page.keep("asks")
        shown = await page.text("dialog .digits")
        assert int(shown) == await person.compared
        await page.click("dialog button.first")
        await device.paired()
        await page.until_says("#connections", "encrypted, authenticated")
        await page.until_says("#connections", "bonded")
        await page.until(f"!{OPEN}")


async def test_digits_that_differ_end_the_pairing(opened):
    async with connected(opened, YES_NO) as (page, device, person):
        await pair(page)
        await asked(page, "comparison")
        await answer(page, "No")
        await device.failed()
        await page.until(f"!{OPEN}")
        await page.until_told("pairing failed")
        await page.until_says(".log tr.failed", "pair")
        await page.until_says("#connections", "not encrypted")
        await page.forgive("status of 502")


async def test_a_passkey_is_shown_until_it_has_been_typed_elsewhere(opened):
    async with connected(opened, KEYBOARD) as (page, device, person):
        await pair(page)
        await asked(page, "passkey-shown")
        await page.keep("asks")
        person.typed.set_result(int(await page.text("dialog .digits")))
        await device.paired()
        await page.until_says("#connections", "encrypted, authenticated")
        await page.until(f"!{OPEN}")


async def test_a_passkey_that_the_device_shows_is_typed(opened):
    async with connected(opened, DISPLAY) as (page, device, person):
        await pair(page)
        await asked(page, "passkey-wanted")
        # The field has the focus, and takes six digits and nothing less.
        await page.until("document.activeElement === document.querySelector('dialog input')")
        await page.keep("asks")
        await page.fill("dialog input", "12")
        await page.click("dialog button.first")
        assert await page.run(f"!!{OPEN}")
        await page.fill("dialog input", f"{await person.shown:06}")
        await page.click("dialog button.first")
        await device.paired()
        await page.until_says("#connections", "encrypted, authenticated")


async def test_escape_is_no(opened):
    async with connected(opened, DISPLAY) as (page, device, person):
        await pair(page)
        await asked(page, "passkey-wanted")
        await page.key("Escape")
        await device.failed()
        await page.until(f"!{OPEN}")
        await page.until_told("pairing failed")
        await page.forgive("status of 502")


@pytest.mark.parametrize("agrees", [True, False], ids=["yes", "no"])
async def test_a_device_that_wants_to_pair_has_to_be_confirmed(opened, agrees):
    async with connected(opened, NONE) as (page, device, person):
        peer = await device.connected()
        peer.connection.request_pairing()
        await asked(page, "consent")
        await page.keep("asks")
        await answer(page, "Yes" if agrees else "No")
        await page.until(f"!{OPEN}")
        if agrees:
            await device.paired()
            await page.until_says("#connections", "bonded")
            assert "authenticated" not in await page.text("#connections")
        else:
            await page.until_says("#connections", "not encrypted")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_a_question_can_be_read_and_reached_by_everybody(opened, dark):
    async with connected(opened, YES_NO, dark=dark) as (page, device, person):
        await pair(page)
        await asked(page, "comparison")
        assert await rules.unnamed(page) == []
        await page.until_is(rules.PALE, [])
        # The dialog is of the page's colours, and fits a phone.
        colour = "getComputedStyle(document.querySelector('{}')).backgroundColor"
        await page.until(f"{colour.format('dialog')} === {colour.format('.card')}")
        await page.look(390, 844, dark)
        await page.until("document.documentElement.clientWidth === 390")
        await page.until("document.querySelector('dialog').getBoundingClientRect().right <= 390")
        await page.keep("narrow")
        await answer(page, "Yes")
        await device.paired()


async def test_what_the_page_has_paired_leaves_nothing_in_the_file_of_bonds(opened, tmp_path):
    file = str(tmp_path / "bonds.sqlite")
    async with opened("--bonds", file) as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.connect_to(page, "Keyfobdemo")
        await pair(page)
        await asked(page, "passkey-wanted")
        await page.fill("dialog input", "000000")
        await page.click("dialog button.first")
        await page.until_says("#connections", "bonded")
        await fob.event("paired", bonded=True)
        listed = await bluethroat.command("bonds", "list", "--bonds", file, "--json")
        assert (listed.code, listed.all("bond")) == (0, []), listed.story
