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
                await other.click(".packets tbody tr")
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
        assert await page.run(rules.PALE) == []
        await page.keep("wide", whole=True)
        await page.look(390, 844, dark)
        await page.until("document.documentElement.clientWidth === 390")
        assert await page.run(rules.TOO_WIDE) == []
        await page.keep("narrow", whole=True)


async def test_the_theme_is_changed_and_kept(opened):
    async with opened() as (fob, session), session.page(fob.panel) as page:
        background = "getComputedStyle(document.body).backgroundColor"
        before = await page.run(background)
        await page.click("#theme")
        await page.until(f"{background} !== '{before}'")
        after = await page.run(background)
        await page.reload()
        assert await page.run(background) == after
