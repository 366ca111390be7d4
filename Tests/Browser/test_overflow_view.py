"""The overflow area on the panel: what is on the air, what is believed of it, and what is hidden from whom."""

from rules import PALE, TOO_WIDE, unnamed
from test_pictures import keep
from test_virtual_time import advance

DEMO = ("overflow", "demo", "--seed", "3")


def in_phone(device, rest):
    return f'.overflow-phone[data-device="{device}"] {rest}'


def text(device, rest):
    return f"document.querySelector('{in_phone(device, rest)}')?.innerText"


def bits(device, kind):
    """How many bits of a phone's grid look like this."""
    return f"document.querySelectorAll('{in_phone(device, f'.bit.{kind}')}').length"


async def test_two_phones_believe_each_other_as_in_the_picture(scene):
    payloads = ("--payload", "01020304", "--payload", "A1B2C3D4")
    async with scene(*DEMO, *payloads) as (demo, session), session.page(demo.panel) as page:
        # Without a key fob the page opens with this view.
        await page.until("document.querySelector('nav [data-view=overflow][aria-current=page]')")
        await page.until(f"{bits(0, 'own')} === 9 && {text(0, '.badge')} === 'in the background'")
        for device, payload in ((0, "A1 B2 C3 D4"), (1, "01 02 03 04")):
            await page.until(f"{text(device, '.belief-payload')} === '{payload}'")
            await page.until(f"{text(device, '.belief .badge')} === 'believed'")
            await page.until(f"document.querySelector('{in_phone(device, '.chips .badge.green')}')")
        for words in ("9 of 128 bits are set", "AA 01 02 03 04"):
            await page.until(f"document.querySelector('{in_phone(0, 'svg')}').getAttribute('aria-label').includes({words!r})")
        await keep(page, "panel-overflow")
        assert await unnamed(page) == []
        await page.until_is(PALE, [])


async def test_of_a_crowd_each_card_shows_some_and_scrolls(scene):
    async with scene(*DEMO, "--phones", "20", "--virtual-time") as (demo, session), session.page(demo.panel) as page:
        await advance(page, 15)
        await page.until("document.querySelectorAll('.overflow-phone').length === 20")
        for device in (0, 19):
            await page.until(f"document.querySelectorAll('{in_phone(device, '.belief')}').length === 19")
            await page.until(f"{text(device, '.belief-payload')} === '01 02 03 04'")
            box = f"document.querySelector('{in_phone(device, '.beliefs')}')"
            await page.until(f"{box}.clientHeight < 300 && {box}.scrollHeight > 3 * {box}.clientHeight")
        assert await page.run(TOO_WIDE) == []


async def test_a_dark_screen_hides_the_others_and_the_rule_is_named(scene):
    async with scene(*DEMO) as (demo, session), session.page(demo.panel, width=390, height=844, dark=True) as page:
        await page.until(f"{text(1, '.belief-payload')} === '01 02 03 04'")
        await page.click_on(f"document.querySelector('{in_phone(1, 'input[role=switch]')}')")
        await page.until(f"{text(1, '.deaf')}?.includes('its screen is dark')")
        await page.until(f"{text(1, '.hidden-reports li')}?.includes('× phone 1: its screen is dark')")
        await page.until_is(TOO_WIDE, [])
        await page.until_is(PALE, [])
        await page.keep("dark")


async def test_bits_of_another_app_are_pollution_which_the_other_phone_finds_out(scene):
    async with scene(*DEMO) as (demo, session), session.page(demo.panel) as page:
        await page.until(f"{bits(0, 'own')} === 9")
        # Byte 9, in the second bank.
        await page.fill(in_phone(0, "form input"), "76")
        await page.click_on(f"document.querySelector('{in_phone(0, 'form button')}')")
        await page.until(f"{bits(0, 'foreign')} === 1 || {bits(0, 'own')} === 10")
        await page.until(f"{text(1, '.chips')}?.includes('bank 1: polluted')")
        await page.click_on(f"document.querySelector('{in_phone(0, 'form button')}')")
        await page.until(f"{text(1, '.chips')}?.includes('bank 1: clean')")
