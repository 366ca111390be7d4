"""MoneyDrop on the page: people, photos, amounts and notices, and money that one phone sends to another."""

from clock import advanced
from test_pictures import keep

ANNA = ".money-phone[aria-label='Anna']"
LOOK = f'document.querySelector("{ANNA} input[role=switch]")'
TRANSFERS = f'document.querySelector("{ANNA} .transfers").innerText'
CAFE = ("moneydrop", "demo", "--seed", "5", "--photo-size", "4000", "--bank-listen", "127.0.0.1:0")


def photos(count):
    return f'document.querySelectorAll("{ANNA} .person img:not([hidden])").length === {count}'


def notice(text):
    return f"[...document.querySelectorAll('.notices .money')].some((one) => one.innerText === '{text}')"


async def look_around(page):
    if not await page.run(f"{LOOK}.checked"):
        await page.click_on(LOOK)


async def test_one_phone_finds_the_other_sees_the_photo_and_sends_money_as_in_the_picture(scene):
    async with scene(*CAFE, "--people", "3", "--virtual-time") as (cafe, session), session.page(cafe.panel) as page:
        await page.until_is("document.querySelectorAll('.money-phone').length", 3)
        await advanced(page, f'document.querySelector("{ANNA} .balance").innerText === "100.00 EUR"', 1)
        await look_around(page)
        await advanced(page, photos(2), 1)
        await page.fill(f"{ANNA} .person input", "7.25")
        # Twice, as impatient people do.
        form = f'document.querySelector("{ANNA} .person form")'
        await page.run(f"{form}.requestSubmit(), {form}.requestSubmit(), true")
        await advanced(page, f'{TRANSFERS}.includes("7.25 EUR")', 1)
        await advanced(page, notice("Anna sent 7.25 EUR"), 1)
        await page.run("scrollTo(0, 0), true")
        await keep(page, "panel-moneydrop")
        assert await page.run(f'{TRANSFERS}.split("7.25 EUR").length') == 2


async def test_the_same_in_real_time_and_more_than_there_is_is_refused(scene):
    async with scene(*CAFE, "--people", "2") as (cafe, session), session.page(cafe.panel) as page:
        await page.until_is("document.querySelectorAll('.money-phone').length", 2)
        await page.until(f'!{LOOK}.disabled && document.querySelector("{ANNA} .balance").innerText.endsWith("EUR")')
        await look_around(page)
        await page.until(photos(1))
        for amount, answer in [
            ("1000", "1000.00 EUR to Ben: there is not enough money in the account"), ("3.99", "Anna sent 3.99 EUR"),
        ]:
            await page.fill(f"{ANNA} .person input", amount)
            await page.click(f"{ANNA} .person button[type=submit]")
            await page.until(f"document.body.innerText.includes('{answer}')")
