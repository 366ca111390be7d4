"""An app that is written with futures, on the page: its phone, who has connected, and what they say to each other."""

import panel
from test_pictures import keep

ROWS = "[...document.querySelectorAll('.packets tbody tr')]"
NOTIFICATION = f"{ROWS}.find((row) => row.innerText.includes('Notification'))"
ENABLE, DATA = "F000AA12-0451-4000-B000-000000000000", "F000AA11-0451-4000-B000-000000000000"


async def test_the_air_of_a_sensortag_has_its_devices_and_its_notifications_as_in_the_picture(scene):
    async with (
        scene("sensortag", "--seed", "1") as (tag, session),
        session.page(tag.panel + "#central", width=1200, height=860) as central,
        session.page(tag.panel + "#air", width=1200, height=1180) as air,
    ):
        await panel.connect_to(central, "SensorTag")
        await panel.subscribe(central, DATA)
        await panel.write(central, ENABLE, "01")
        # They begin at one place.
        await air.drag(".map .thing:last-of-type", 130, -70, steps=4)
        # What a connection says when it has nothing to say is left out.
        await air.click_on("document.querySelector('[data-kind=empty]')")
        await air.until(f"!!{NOTIFICATION}")
        await air.click_on(NOTIFICATION)
        await air.until_says("ul.fields", "Notification")
        await air.until("document.querySelector('.map line.link')")
        await air.run("scrollTo(0, 0)")
        await keep(air, "panel-futures")
