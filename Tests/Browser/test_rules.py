"""Each view, filled with what there can be, for people who see badly, hear badly or use no mouse."""

import contextlib

import panel
import pytest
import rules

VIEWS = ("device", "central", "air")


@contextlib.asynccontextmanager
async def filled(opened, view, **how):
    """A view of a world in which somebody is connected."""
    async with opened() as (fob, session), session.page(fob.panel + "#central", **how) as page:
        await panel.connect(page)
        await panel.subscribe(page, "FFE1")
        await panel.read(page, "2A19")
        await panel.value(page, "2A19", "100 %")
        await page.run("document.querySelectorAll('details').forEach((one) => one.open = true)")
        if view == "central":
            yield page
            return
        async with session.page(f"{fob.panel}#{view}", **how) as other:
            if view == "device":
                await other.until_says("#peers", "Key Press State")
            else:
                await other.until("document.querySelectorAll('.packets tbody tr').length > 5")
                # The list moves under a hand that is slow.
                await other.click_on("document.querySelector('.packets tbody tr')")
                await other.until("document.querySelector('ul.fields')")
            yield other


@pytest.mark.parametrize("view", VIEWS)
async def test_every_control_has_a_name_and_is_reached_and_shown_by_tab(opened, view):
    async with filled(opened, view) as page:
        assert await rules.unnamed(page) == []
        assert await page.run(rules.REPEATED_IDS) == []
        assert await page.run(rules.PICTURES_WITHOUT_TEXT) == []
        count, missed, invisible = await rules.reached_by_tab(page)
        assert count > 10
        assert missed == []
        assert invisible == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
async def test_text_stands_out_and_nothing_is_wider_than_a_phone(opened, view, dark):
    async with filled(opened, view, dark=dark) as page:
        await page.until_is(rules.PALE, [])
        await page.keep("wide", whole=True)
        await page.look(390, 844, dark)
        await page.until("document.documentElement.clientWidth === 390")
        await page.until_is(rules.TOO_WIDE, [])
        await page.keep("narrow", whole=True)


async def test_the_theme_is_changed_and_kept(opened):
    async with opened() as (fob, session), session.page(fob.panel) as page:
        background = "getComputedStyle(document.body).backgroundColor"
        before = await page.run(background)
        await page.click("#theme")
        await page.until(f"{background} !== '{before}'")
        after = await page.run(background)
        await page.reload()
        await page.until_is(background, after)


@pytest.mark.parametrize("width", [1280, 390])
async def test_nothing_jumps_when_something_happens(opened, width):
    """The fob's view while centrals come, write, subscribe and go; and the other views while it is touched."""
    async with (
        opened() as (fob, session),
        session.page(fob.panel, width=width, height=900) as device,
        session.page(fob.panel + "#air", width=width, height=900) as air,
        session.page(fob.panel + "#central", width=width, height=900) as central,
    ):
        pages = (device, air, central)
        for page in pages:
            await page.run(rules.WATCH_SHIFTS)
        await panel.connect(central)
        await device.until("document.querySelector('#peers dl')")
        await air.until("document.querySelector('.map circle')")
        for page in pages:
            await rules.forget_shifts(page)
        await panel.subscribe(central, "FFE1")
        await panel.write(central, "FFA1", "01")
        await panel.subscribe(central, "FFA3")
        # What is read or comes by itself has its place.
        await panel.read(central, "2A19")
        await panel.value(central, "2A19", "100 %")
        await device.drag(".fob-stage svg > text", 60, 0, steps=1)
        await panel.value(central, "FFA3", "40 counts")
        await central.until(f"Number(document.querySelector('{panel.row('FFA3')} canvas').dataset.points) > 0")
        await panel.write(central, "2A06", "2", form="u8", service="1802")
        await device.until_says("#tone", "4096 Hz")
        await device.until_reads("#tone", "alert: high")
        await panel.write(central, "2A06", "0", form="u8", service="1802")
        await device.until("document.querySelector('#tone').hidden")
        assert await rules.shifts(central) == []
        # Whoever disconnects wants the services to go, and on a slow machine that takes longer than a browser forgives.
        await central.click_on(panel.button("Disconnect", inside="#connections"))
        await device.until_says("#peers", "No central is connected")
        for page in (device, air):
            assert await rules.shifts(page) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_virtual_time_and_what_is_empty_can_be_read_and_reached(opened, dark):
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel, dark=dark) as page:
        await page.until("!document.querySelector('#virtual').hidden")
        await page.until_reads("#state", "Not advertising")
        await page.run(rules.WATCH_SHIFTS)
        await rules.forget_shifts(page)
        assert await rules.unnamed(page) == []
        await page.until_is(rules.PALE, [])
        count, missed, invisible = await rules.reached_by_tab(page)
        assert count > 10 and missed == [] and invisible == []
        await page.click("#take-away")
        await page.until_says("#view", "There is no key fob in this world. Add one above.")
        await page.until_is(rules.PALE, [])
        await page.look(390, 844, dark)
        await page.until("document.documentElement.clientWidth === 390")
        await page.until_is(rules.TOO_WIDE, [])
        assert await rules.shifts(page) == []
        await page.keep("empty")
