"""MoneyDrop on the page: people, photos, amounts and notices, and money that one phone sends to another."""

from clock import advanced

ANNA = ".money-phone[aria-label='Anna']"


async def test_one_phone_finds_the_other_sees_the_photo_and_sends_money(scene):
    arguments = ("--people", "3", "--seed", "5", "--photo-size", "4000", "--virtual-time", "--bank-listen", "127.0.0.1:0")
    async with scene("moneydrop", "demo", *arguments) as (cafe, session), session.page(cafe.panel) as page:
        await page.until_is("document.querySelectorAll('.money-phone').length", 3)
        await advanced(page, f'document.querySelector("{ANNA} .balance").innerText === "100.00 EUR"', 1)
        look = f'document.querySelector("{ANNA} input[role=switch]")'
        if not await page.run(f"{look}.checked"):
            await page.click_on(look)
        await advanced(page, f'document.querySelectorAll("{ANNA} .person img:not([hidden])").length === 2', 1)
        await page.fill(f"{ANNA} .person input", "7.25")
        await page.click(f"{ANNA} .person button[type=submit]")
        await advanced(page, f'document.querySelector("{ANNA} .transfers").innerText.includes("7.25 EUR")', 1)
        await advanced(page, "[...document.querySelectorAll('.notices .money')].some((one) => one.innerText === 'Anna sent 7.25 EUR')", 1)
