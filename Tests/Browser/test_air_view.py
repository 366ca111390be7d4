"""The air: where devices are, and every packet with its fields and bytes."""

import panel

ROWS = "document.querySelectorAll('.packets tbody tr')"


def says(text):
    """The button with this label."""
    return f"[...document.querySelectorAll('button')].find((one) => one.innerText === {text!r})"


async def test_packets_are_drawn_and_opened_and_the_view_is_paused(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#air") as page:
        await page.until_says("#view", "Click a packet to see its fields and bytes.")
        await page.until(f"{ROWS}.length > 5")
        await page.until("Number(document.querySelector('#timeline').dataset.packets) > 5")
        await page.until_says("#rate", "a second")
        await page.click(".packets tbody tr")
        await page.until_says("ul.fields", "ADV_IND")
        assert await page.text("#pause") == "Resume"
        raw = await page.text("pre.bytes")
        # The access address of advertising, as it is sent.
        assert raw.split()[1:5] == ["D6", "BE", "89", "8E"]
        await page.until("!document.querySelector('#skipped').hidden")
        drawn = await page.run("document.querySelector('#timeline').dataset.packets")
        count = "parseInt(document.querySelector('#skipped').innerText)"
        await page.until(f"{count} > {await page.run(count)}")
        assert await page.run("document.querySelector('#timeline').dataset.packets") == drawn
        await page.click("#pause")
        await page.until(f"document.querySelector('#timeline').dataset.packets !== '{drawn}'")


async def test_packets_are_filtered_by_kind_and_by_connection(opened):
    async with (
        opened() as (fob, session),
        session.page(fob.panel + "#central") as central,
        session.page(fob.panel + "#air") as page,
    ):
        await panel.connect(central)
        await page.until(f"[...{ROWS}].some((row) => row.innerText.includes('empty'))")
        await page.run("document.querySelector('[data-kind=empty]').click()")
        await page.until(f"{ROWS}.length && ![...{ROWS}].some((row) => row.innerText.includes('empty'))")
        await page.run("document.querySelector('[data-kind=empty]').click()")
        await page.until(f"[...{ROWS}].some((row) => row.innerText.includes('empty'))")
        await page.run(f"[...{ROWS}].find((row) => row.innerText.includes('empty')).click()")
        await page.until(says("Follow this connection"))
        await page.run(f"{says('Follow this connection')}.click()")
        await page.until_says("#view", "Follow all")
        await page.until(f"{ROWS}.length > 4 && [...{ROWS}].every((row) => !row.innerText.includes('ADV'))")


async def test_the_air_is_downloaded_for_wireshark(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#air") as page:
        await page.until(f"{ROWS}.length > 5")
        first = await page.run(
            "fetch(document.querySelector('a[download]').href).then((answer) => answer.arrayBuffer())"
            ".then((bytes) => [...new Uint8Array(bytes.slice(0, 4))])"
        )
        assert bytes(first) == bytes.fromhex("0a0d0d0a")


async def test_a_fob_dragged_out_of_range_on_the_map_loses_the_link(opened):
    async with (
        opened() as (fob, session),
        session.page(fob.panel + "#central") as central,
        session.page(fob.panel + "#air") as page,
    ):
        await panel.connect(central)
        await page.until("document.querySelectorAll('.map .link').length === 1")
        await page.until("document.querySelectorAll('.map .range').length === 2")
        # 2 km wide: whoever is at the edge is far from everybody.
        await page.slide("#zoom", 3)
        await page.drag(".map .thing.keyfob", 200, 0)
        await page.until("document.querySelectorAll('.map .link').length === 0")
        await central.until_says("#view", "Nothing is connected.")
        await fob.event("disconnected", reason="connectionTimeout")


async def test_devices_are_moved_with_the_keyboard_too(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#air") as page:
        await page.until("document.querySelector('.map .thing')")
        await page.run("document.querySelector('.map .thing').focus()")
        await page.key("ArrowRight")
        await page.until(
            "fetch('/api/devices').then((answer) => answer.json()).then((all) => window.at = all.devices[0].x) && window.at > 1"
        )
