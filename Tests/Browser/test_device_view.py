"""The fob on the page: what is done to it there arrives at centrals, and what they do is seen."""

import keyfob_table as table
import panel
from bumble.core import UUID
from bumble_central import attached
from panel import LEFT, RIGHT

KEYS, KEYS_CONFIGURATION = 0x0047, 0x0048
BATTERY = 0x002F
ALERT = 0x0028
IN_BATTERY = "(await fetch('/api/devices/0').then((answer) => answer.json())).battery"
TONE = "document.querySelector('#tone').innerText"

# What is so for a moment only.
RECORD_ALERTS = f"""new MutationObserver(() => {{
    if ({TONE} !== tones.at(-1)) tones.push({TONE});
    if (document.querySelector("[data-led=alert]").classList.contains("lit")) flashes.push(performance.now());
}}).observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }})"""


async def met(central, page):
    """A central connects to the fob."""
    await panel.advertise(page)
    return await central.find_and_connect(table.NAME)


async def test_both_keys_held_with_the_mouse_and_the_keyboard_are_three(opened):
    async with opened() as (fob, session), attached(fob.hci) as central, session.page(fob.panel) as page:
        peer = await met(central, page)
        await peer.subscribe(KEYS_CONFIGURATION)
        where = await page.press(LEFT)
        assert await peer.notification() == (KEYS, b"\x01")
        await page.key("KeyR", "rawKeyDown")
        assert await peer.notification() == (KEYS, b"\x03")
        for side in (LEFT, RIGHT):
            await page.until_is(f"document.querySelector('{side}').getAttribute('aria-pressed')", "true")
        await page.release(*where)
        assert await peer.notification() == (KEYS, b"\x02")
        await page.key("KeyR", "keyUp")
        assert await peer.notification() == (KEYS, b"\x00")


async def test_keys_are_pressed_with_fingers_and_with_the_space_bar_too(opened):
    async with opened() as (fob, session), attached(fob.hci) as central, session.page(fob.panel) as page:
        peer = await met(central, page)
        await peer.subscribe(KEYS_CONFIGURATION)
        fingers = []
        for finger, (side, expected) in enumerate([(LEFT, b"\x01"), (RIGHT, b"\x03")]):
            x, y = await page.middle(side)
            fingers.append({"x": x, "y": y, "id": finger})
            await page.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers)
            assert await peer.notification() == (KEYS, expected)
        await page.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        # Both fingers go at once; the page hears of one after the other.
        while (await peer.notification())[1] != b"\x00":
            pass
        await page.run(f"document.querySelector('{RIGHT}').focus()")
        await page.key("Space", "rawKeyDown")
        assert await peer.notification() == (KEYS, b"\x02")
        # Whoever goes elsewhere lets go.
        await page.run("document.activeElement.blur()")
        assert await peer.notification() == (KEYS, b"\x00")


async def test_whoever_reloads_or_closes_the_page_lets_go_of_its_keys(opened):
    async with opened() as (fob, session), session.page(fob.panel) as other:
        page = await session.open(fob.panel)
        held = f"document.querySelector('{LEFT}').getAttribute('aria-pressed') === 'true'"
        for leave in (page.reload, page.close):
            await page.until_says("#state", "dvertising")
            await page.key("KeyL", "rawKeyDown")
            await other.until(held)
            await leave()
            await other.until(f"!({held})")


async def test_the_phones_battery_slider_notifies_at_once(opened):
    async with opened("--personality", "phone") as (fob, session), session.page(fob.panel) as page:
        await page.until_reads("#battery-text", "Battery Level: 80")
        async with attached(fob.hci) as central:
            peer = await met(central, page)
            (battery,) = await peer.client.discover_service(UUID.from_16_bits(0x180F))
            await battery.discover_characteristics()
            (level,) = battery.characteristics
            await peer.subscribe(level.handle + 1)
            await page.slide("#battery", 42)
            assert await peer.notification() == (level.handle, bytes([42]))
            await page.until_reads("#battery-text", "Battery Level: 42")
            await page.until_reads("#battery-measured", "")


async def test_the_hardwares_slider_shows_what_is_in_the_battery_and_centrals_what_was_measured(opened):
    async with opened() as (fob, session), attached(fob.hci) as central, session.page(fob.panel) as page:
        peer = await met(central, page)
        await page.slide("#battery", 40)
        # The page says it at once, the fob a moment later.
        await page.until_reads("#battery-text", "Battery Level: 40")
        await page.until(f"{IN_BATTERY} === 40")
        assert await peer.read(BATTERY) == bytes([40])
        await page.until_says("#battery-measured", "measured: 40 %")
        # A level only goes down, whatever is put in.
        await page.slide("#battery", 90)
        await page.until(f"{IN_BATTERY} === 90")
        await page.reload()
        await page.until_reads("#battery-text", "Battery Level: 90")
        assert await peer.read(BATTERY) == bytes([40])
        await page.until_says("#battery-measured", "measured: 40 %")


async def test_an_alert_from_outside_lights_the_led_and_sounds(opened):
    async with opened() as (fob, session), attached(fob.hci) as central, session.page(fob.panel) as page:
        peer = await met(central, page)
        await page.until_reads("#state", "Connected")
        seen = "({ tones: tones.join(), flashes: flashes.length })"
        await page.run(f"window.tones = []; window.flashes = []; {RECORD_ALERTS}")
        await peer.write_command(ALERT, b"\x02")
        # 200 ms of sound, 800 ms of silence, and again; which of it is written down before the other is all one.
        beeps = "♪ 4096 Hz,alert: high,♪ 4096 Hz"
        await page.until(f"{seen}.tones.includes({beeps!r}) && {seen}.flashes > 0")
        await page.click("#mute")
        await page.until_reads("#mute", "Unmute")
        await peer.write_command(ALERT, b"\x00")
        await page.until("document.querySelector('#tone').hidden")


async def test_who_is_connected_is_told_and_what_they_subscribed_to(opened):
    async with opened() as (fob, session), attached(fob.hci) as central, session.page(fob.panel) as page:
        await page.until_says("#peers", "No central is connected. Scan with bluethroat scan or open the Central tab.")
        peer = await met(central, page)
        await page.until_says("#peers", central.address)
        await page.until_says("#peers", "nothing yet")
        await peer.subscribe(KEYS_CONFIGURATION)
        await page.until_says("#peers", "Key Press State")
        await page.until_says("#peers", "dBm")


async def test_a_fob_out_of_range_loses_the_link(opened):
    async with opened() as (fob, session), attached(fob.hci) as central, session.page(fob.panel) as page:
        peer = await met(central, page)
        await page.until_says("#peers", central.address)
        await page.slide("#distance", 100)
        await page.until_says("#distance-text", "1000 m")
        await page.until_says("#peers", "No central is connected")
        await peer.disconnected
        assert (await fob.event("disconnected"))["reason"] == "connectionTimeout"


async def test_advertising_is_switched(opened):
    async with opened() as (fob, session), session.page(fob.panel) as page:
        await panel.advertise(page)
        for is_on in (True, False, True):
            await fob.event("advertising", on=is_on)
        await page.until("document.querySelector('#advertise').checked")
        await page.click("#advertise")
        await fob.event("advertising", on=False)
        await page.until("!document.querySelector('#advertise').checked")
        await page.click("#advertise")
        await fob.event("advertising", on=True)


async def test_several_fobs_are_switched_between(opened):
    async with opened() as (fob, session), session.page(fob.panel) as page:
        await page.until("document.querySelector('#fob-name')?.innerText")
        first = await page.text("#fob-name")
        await page.click("#add")
        await page.until_is("document.querySelectorAll('.device-tabs .choose').length", 2)
        await page.until_is("document.querySelector('.fob-tab:last-child .choose').ariaPressed", "true")
        await page.until("document.querySelector('#advertise').checked")
        await page.slide("#battery", 33)
        await page.until_says("#battery-text", "33")
        await page.click(".fob-tab:first-child .choose")
        await page.until_says("#battery-text", "100")
        await page.until_reads("#fob-name", first)
        await page.click(".fob-tab:last-child .choose")
        await page.until_says("#battery-text", "33")
        await page.click("#take-away")
        await page.until_is("document.querySelectorAll('.fob-tab').length", 0)
        await page.until_says("#battery-text", "100")


async def test_each_of_several_fobs_has_a_card_with_its_own_keys(opened):
    async with opened("--fobs", "3") as (fob, session), session.page(fob.panel) as page:
        cards = "[...document.querySelectorAll('.fob-tab')]"
        names = f"{cards}.map((one) => one.querySelector('.choose').innerText)"
        await page.until_is(names, ["key fob 1", "key fob 2", "key fob 3"])
        addresses = {event["address"] for event in fob.events if event["event"] == "fob"}
        shown = f"{cards}.map((one) => one.querySelector('.mono').innerText)"
        assert len(addresses) == 3 and set(await page.run(shown)) == addresses
        # The key on a card is that fob's, whichever is shown as a whole.
        second = ".fob-tab:nth-child(2)"
        where = await page.press(f"{second} [data-card-key=left]")
        assert (await fob.event("key", state=1))["fob"] == 2
        await page.release(*where)
        assert (await fob.event("key", state=0))["fob"] == 2
        await page.until_reads("#fob-name", "key fob 1")
        # The keyboard is for the fob that is shown.
        await page.click(".fob-tab:nth-child(3) .choose")
        await page.until_reads("#fob-name", "key fob 3")
        await page.key("KeyR", "rawKeyDown")
        assert (await fob.event("key", state=2))["fob"] == 3
        await page.until_is(f"{cards}.map((one) => one.querySelector('[data-card-key=right]').ariaPressed)", ["false", "false", "true"])
        await page.key("KeyR", "keyUp")
        assert (await fob.event("key", state=0))["fob"] == 3


async def test_the_last_one_is_taken_away_and_a_phone_put_there(opened):
    async with opened() as (fob, session), session.page(fob.panel) as page:
        await page.until("document.querySelector('#fob-name')?.innerText")
        await page.click("#take-away")
        await page.until_says("#view", "There is no key fob in this world. Add one above.")
        await page.click("#add-phone")
        await page.until_says("#state", "Bluetooth Powered On - Ready")
        await page.until_says("#view", "Key fob simulator on a phone")
        await page.until("document.querySelector('#advertise').checked")


STATE = "getComputedStyle(document.querySelector('#state')).color"


async def test_the_phones_state_has_the_apps_words_and_colours(opened):
    async with opened("--personality", "phone") as (fob, session), session.page(fob.panel) as page:
        await page.until_reads("#state", "Bluetooth Powered On - Ready")
        await page.until("document.querySelector('#state').classList.contains('green')")
        green = await page.run(STATE)
        await page.until_reads("#transmit-power", "Transmit Power= 0 dBm")
        await page.click("#power")
        await page.until_reads("#state", "Bluetooth Powered Off")
        await page.until("document.querySelector('#state').classList.contains('red')")
        assert await page.run(STATE) != green
        # As in the app, it can be switched only while Bluetooth is on.
        await page.until("document.querySelector('#advertise').disabled")
        await page.click("#power")
        await page.until_reads("#state", "Bluetooth Powered On - Ready")
        await page.until("!document.querySelector('#advertise').disabled")
        # The left button changes the power of its transmitter.
        await page.release(*await page.press(LEFT))
        await page.until_reads("#transmit-power", "Transmit Power= -6 dBm")


async def test_a_battery_that_is_taken_out_takes_the_link_and_put_in_starts_anew(opened):
    async with opened() as (fob, session), attached(fob.hci) as central, session.page(fob.panel) as page:
        peer = await met(central, page)
        await page.until_reads("#state", "Connected")
        await page.click("#power")
        await page.until_reads("#state", "No battery")
        await page.until_says("#peers", "No central is connected")
        await peer.disconnected
        # What is pressed then says what to do.
        await page.release(*await page.press(LEFT))
        await page.until_told("the fob has no battery")
        await page.click("#power")
        await page.until_reads("#state", "Advertising")
        await met(central, page)
        await page.forgive("status of 409")


async def test_the_left_key_of_a_connected_fob_changes_its_power_on_the_page(opened):
    async with opened() as (fob, session), attached(fob.hci) as central, session.page(fob.panel) as page:
        await met(central, page)
        await page.until_reads("#state", "Connected")
        await page.until_reads("#transmit-power", "Transmit Power= 0 dBm")
        await page.release(*await page.press(LEFT))
        await page.until_reads("#transmit-power", "Transmit Power= -6 dBm")


async def test_the_hci_of_a_fob_is_downloaded_as_btsnoop(opened):
    async with opened() as (fob, session), session.page(fob.panel) as page:
        await page.until("document.querySelector('#hci')?.href")
        start = await page.run(
            "fetch(document.querySelector('#hci').href).then((answer) => answer.text()).then((text) => text.slice(0, 7))"
        )
        assert start == "btsnoop"
        assert await page.run("document.querySelector('#hci').hasAttribute('download')")


async def test_advertise_cannot_be_switched_where_that_would_do_nothing(opened):
    async with opened() as (fob, session), session.page(fob.panel) as page, session.page(fob.panel + "#central") as central:
        advertise = "document.querySelector('#advertise')"
        await page.until(f"{advertise} && !{advertise}.disabled")
        await panel.connect(central)
        await page.until(f"{advertise}.disabled && !{advertise}.checked")
        await page.until_reads("#advertise-hint", "Advertise cannot be switched while a central is connected.")
        await page.keep("connected")
        refused = "fetch('/api/devices/0/advertising', { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{\"isOn\":true}' })"
        assert await page.run(f"{refused}.then((answer) => answer.status)") == 409
        await page.forgive("status of 409")
        await central.click_on(panel.button("Disconnect"))
        await page.until(f"!{advertise}.disabled")
        await page.until_reads("#advertise-hint", "")
        await page.click("#power")
        await page.until_reads("#advertise-hint", "Advertise cannot be switched while the device is off.")
        await page.until(f"{advertise}.disabled")
