"""MoneyDrop on the page: people, photos, amounts and notices, and money that one phone sends to another."""

import chromium
from bluethroat import Process


async def test_one_phone_finds_the_other_sees_the_photo_and_sends_money(browser):
    arguments = (
        "moneydrop", "demo", "--people", "3", "--seed", "5", "--photo-size", "4000", "--json", "--virtual-time",
        "--hci-listen", "127.0.0.1:0", "--bank-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0",
    )
    async with Process(*arguments) as cafe:
        url = (await cafe.event("panel"))["url"]
        async with chromium.Session(browser) as session, session.page(url) as page:
            await page.until("document.querySelectorAll('.money-phone').length === 3")
            pass_time = "fetch('/api/world/advance', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{\"seconds\": 2}'})"
            anna = ".money-phone[aria-label='Anna']"
            await page.run(f"{pass_time}.then(() => true)")
            await page.until(f"document.querySelector(\"{anna} .balance\").innerText === '100.00 EUR'")
            await page.run(f"document.querySelector(\"{anna} input[role=switch]\").checked || document.querySelector(\"{anna} input[role=switch]\").click()")
            found = f"document.querySelectorAll(\"{anna} .person img:not([hidden])\").length === 2"
            for _ in range(8):
                await page.run(f"{pass_time}.then(() => true)")
            await page.until(found)
            await page.fill(f"{anna} .person input", "7.25")
            await page.click(f"{anna} .person button[type=submit]")
            await page.until(f"document.querySelector(\"{anna} .transfers\").innerText.includes('7.25 EUR')")
            for _ in range(2):
                await page.run(f"{pass_time}.then(() => true)")
            await page.until("[...document.querySelectorAll('.notices .money')].some((one) => one.innerText === 'Anna sent 7.25 EUR')")
