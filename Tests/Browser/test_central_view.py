"""The page as a central: found, connected, read, written, subscribed, paired, and a log of it all."""

import json
import time

import keyfob_table as table
import panel
from bumble.core import UUID
from bumble.gatt import Characteristic, Descriptor, Service
from bumble_pairing import pairing_device
from clock import advance
from panel import LEFT


async def test_a_key_pressed_in_one_tab_is_seen_in_the_other(opened):
    """What a newcomer does first."""
    async with opened() as (fob, session), session.page(fob.panel) as device, session.page(fob.panel + "#central") as page:
        await page.until_says("#view", "Press Scan to see who advertises.")
        await panel.connect(page)
        await page.until_says("#connections", "Simple Keys")
        await panel.subscribe(page, "FFE1")
        await device.press(LEFT)
        await panel.value(page, "FFE1", "left")
        await device.key("KeyR", "rawKeyDown")
        await panel.value(page, "FFE1", "both")


async def test_tilting_the_fob_moves_the_chart_of_whoever_subscribed(opened):
    async with opened() as (fob, session), session.page(fob.panel) as device, session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        await panel.write(page, "FFA1", "01")
        await panel.subscribe(page, "FFA3")
        await device.until_says("#accelerometer-state", "on")
        # In one go: less than six counts more would not be notified.
        await device.drag(".fob-stage svg > text", 60, 0, steps=1)
        chart = f"document.querySelector('{panel.row('FFA3')} canvas')"
        await page.until(f"Number({chart}?.dataset.points) >= 1")
        # 60 of 120 pixels are an eighth of a turn: 40 of 56 counts.
        await panel.value(page, "FFA3", "40 counts")
        await device.until("document.querySelector('#acceleration')?.ariaLabel.includes('X 40,')")
        await device.drag(".fob-stage svg > text", -90, 0, steps=1)
        await page.until(f"Number({chart}?.dataset.points) >= 2")
        # What was drawn is not one colour.
        pixels = "new Uint32Array({0}.getContext('2d').getImageData(0, 0, {0}.width, {0}.height).data.buffer)"
        await page.until(f"new Set({pixels.format(chart)}).size > 3")


DRAWN = """
import("./js/chart.js").then(async ({ Chart, label }) => {
  const canvas = document.body.appendChild(document.createElement("canvas"));
  canvas.style.cssText = "display: block; width: 200px; height: 80px";
  const written = [];
  const pen = canvas.getContext("2d");
  pen.fillText = (text, x, y) => written.push([text, y]);
  const chart = new Chart(canvas);
  [LEAST, GREATEST].forEach((value, time) => chart.add(time, [value]));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const pixels = pen.getImageData(0, 0, canvas.width, canvas.height).data;
  let blue = 0;
  for (let n = 0; n < pixels.length; n += 4) blue += pixels[n] < 100 && pixels[n + 2] > 200 && pixels[n + 3] > 200;
  chart.end();
  canvas.remove();
  return { blue, written };
})
"""


async def test_a_chart_draws_any_numbers_that_a_device_may_send(opened):
    """By the exponent of a presentation format, or as a float: alike, far apart, and next to nothing."""
    pairs = [("5", "5"), ("1e127", "1e127"), ("-1.7e308", "1.7e308"), ("1e-128", "2e-128"), ("0", "0.001"), ("-7", "654321")]
    async with opened() as (fob, session), session.page(fob.panel) as page:
        for least, greatest in pairs:
            drawn = await page.run(DRAWN.replace("LEAST", least).replace("GREATEST", greatest))
            labels = [text for text, _ in drawn["written"]]
            assert drawn["blue"] > 20, (least, greatest, drawn)
            assert len(set(labels)) == 3 and all(0 < len(text) <= 8 for text in labels), (least, greatest, labels)
            assert all(0 < place < 90 for _, place in drawn["written"]), (least, greatest, drawn)


async def test_an_alert_raised_in_the_central_view_lights_the_fob(opened):
    async with opened() as (fob, session), session.page(fob.panel) as device, session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        await panel.write(page, "2A06", "2", form="u8", service="1802")
        await device.until("document.querySelector('[data-led=alert]').classList.contains('lit')")
        await device.until("document.querySelector('#tone').innerText.includes('4096 Hz')")
        await device.key("KeyL")
        await device.until("document.querySelector('#tone').hidden")


async def test_values_are_read_and_decoded_and_each_operation_is_logged(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        await panel.read(page, "2A19")
        await panel.value(page, "2A19", "100 %")
        for word in ("scan", "connect", "discover", "read"):
            await page.until_says(".log tbody", word)
        row = "[...document.querySelectorAll('.log tbody tr')].find((row) => row.innerText.includes('100 %')).innerText"
        await page.until_says(".log tbody", "100 %")
        row = await page.run(row)
        assert "read" in row and "Battery Level" in row and " ms" in row and float(row.split()[0]) > 0
        # What is refused says why, and is marked.
        await panel.write(page, "2A06", "07", service="1803")
        await page.until_says(".log tr.failed", "0x80")
        await page.forgive("status of 502")


async def test_a_refused_write_is_marked_in_its_row_and_a_good_one_shows_what_was_written(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        row = panel.row("2A06", "1803")
        await page.until_says(row, "0x0025")
        await panel.write(page, "2A06", "07", service="1803")
        await page.until_reads(f"{row} .problem", "Write failed: Peer returned ATT error 0x80 (application error)")
        await page.until(f"document.querySelector('{row}').classList.contains('failed')")
        await page.forgive("status of 502")
        await page.keep("refused")
        # Nothing lies over the button, and nothing else is told.
        assert await page.run("told.length") == 0
        await panel.write(page, "2A06", "02", service="1803")
        await page.until_reads(f"{row} .problem", "")
        await page.until_reads(f"{row} .origin", "written, not read")
        await panel.value(page, "2A06", "high", service="1803")
        assert not await page.run(f"document.querySelector('{row}').classList.contains('failed')")
        await page.keep("written")
        # What is read takes its place.
        await panel.read(page, "2A06", service="1803")
        await page.until(f"document.querySelector('{row} .origin').hidden")
        # Nobody confirms this one, and it cannot be read.
        row = panel.row("2A06", "1802")
        await panel.write(page, "2A06", "00", service="1802")
        await page.until_reads(f"{row} .origin", "sent without response")
        # It is there after a reload, too.
        await page.reload()
        await page.until_reads(f"{row} .origin", "sent without response")


async def test_a_read_that_is_refused_does_not_keep_the_others_from_being_read(opened):
    async with opened("--require-pairing") as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        await page.click_on(panel.button("Read all"))
        await page.until("[...document.querySelectorAll('.characteristic .problem')].some((one) => one.innerText.includes('Read failed: Peer returned ATT error 0x'))")
        await page.until_says(panel.row("2A00"), "TI BLE Keyfob")
        await page.forgive("status of 502")


async def test_the_age_of_a_scan_result_grows_after_the_scan_and_while_the_device_is_off(opened):
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel + "#central") as page:
        await page.until("document.querySelector('#hci')?.href")
        await advance(page, 1)
        await page.click("#scan")
        await page.until_reads("#scan", "Stop")
        await advance(page, 1)
        await page.until_says(".sighting", "now")
        await page.click("#scan")
        await page.until_reads("#scan", "Scan")
        await advance(page, 8)
        await page.until_says(".sighting", "8 s ago")
        # It is off, and the scan goes on.
        await page.ask("PUT", "/api/devices/0/power", {"isOn": False})
        await page.click("#scan")
        await advance(page, 20)
        await page.until_says(".sighting", "28 s ago")


async def test_a_central_that_hears_nothing_is_told_why(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as one, session.page(fob.panel + "#central") as other:
        await panel.connect(one)
        await other.click("#scan")
        await other.until_says("#view", "The key fob is connected to a central.")
        assert "switch Advertise on" not in await other.text("#view")
        await one.ask("PUT", "/api/devices/0/power", {"isOn": False})
        await other.until_says("#view", "The key fob is off")


async def test_a_tab_that_is_closed_ends_its_connection(opened):
    async with opened() as (fob, session), session.page(fob.panel) as device:
        async with session.page(fob.panel + "#central") as page:
            await panel.connect(page)
            await device.until_is("document.querySelectorAll('#peers dl').length", 1)
            # A reload takes longer than nothing, and keeps it.
            await page.reload()
            await page.until("document.querySelector('.characteristic')")
            assert fob.since(0, "disconnected") == []
        closed = time.monotonic()
        event = await fob.event("disconnected")
        # Well before the panel gives a silent page up, and by a word of the central: the fob does not wait for a timeout.
        assert time.monotonic() - closed < 40 and event["reason"] == "remoteUserTerminatedConnection"
        await device.until("fetch('/api/devices').then((answer) => answer.json()).then((all) => all.devices.length === 1)")


async def test_a_tab_that_shows_another_view_keeps_its_connection(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        uses = "performance.getEntriesByType('resource').filter((one) => /api.centrals.\\d+$/.test(one.name)).length"
        await page.run("location.hash = '#air'")
        before = await page.run(uses)
        await page.until(f"{uses} > {before}")
        await page.run("location.hash = '#central'")
        await page.until("document.querySelector('.characteristic')")


async def test_what_cannot_be_a_value_is_told_before_it_is_sent(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        before = len(page.requests)
        await page.fill(f"{panel.row('FFA1')} .writer input", "1")
        await page.click(f"{panel.row('FFA1')} .writer button")
        await page.until_reads(f"{panel.row('FFA1')} .problem", "Hexadecimal digits come in pairs, such as 01 or 0A FF.")
        assert not [url for url in page.requests[before:] if "attributes" in url]


async def test_the_scan_list_is_filtered_by_name_service_and_strength(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.scan(page)
        await page.until_says(".sighting", "Immediate Alert")
        await page.until_says(".sighting", "dBm")
        count = "document.querySelectorAll('.sighting').length"
        for words, expected in (("keyfob", 1), ("link loss", 1), ("1803", 1), ("heart", 0)):
            await page.fill("#filter", words)
            await page.until_is(count, expected)
        await page.until_says("#view", "No device passes the filter.")
        await page.fill("#filter", "k")
        await page.until_is(count, 1)
        await page.slide("#strength", -30)
        await page.until_is(count, 0)


async def test_an_advertisement_is_decoded_field_by_field(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.scan(page)
        await page.run("document.querySelector('.sighting details').open = true")
        for text in ("Flags", "BR/EDR not supported", "Link Loss (1803)", "03 18 02 18 04 18", "Name"):
            await page.until_says(".sighting details", text)


async def test_the_table_is_exported_as_json(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        await panel.read(page, "2A19")
        await panel.value(page, "2A19", "100 %")
        await page.run(
            """(() => {
                const create = URL.createObjectURL;
                URL.createObjectURL = (blob) => { blob.text().then((text) => window.kept = text); return create(blob); };
            })()"""
        )
        await page.click_on(panel.button("Export JSON"))
        exported = json.loads(await page.until("window.kept"))
        assert [service["uuid"] for service in exported["services"]] == [service.uuid for service in table.SERVICES]
        assert [one["value"] for one in exported["values"] if one["handle"] == 0x2F] == ["64"]


async def test_pairing_asks_for_the_passkey_in_a_dialog(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        await page.click_on(panel.button("Pair"))
        await page.until_says("dialog", "Which six digits does the device show?")
        await page.keep("asks")
        await page.fill("dialog input", "000000")
        await page.click("dialog button.first")
        await page.until_says("#connections", "encrypted, authenticated")
        await page.until("!document.querySelector('dialog')")


async def test_a_reload_keeps_the_connection_and_its_values(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        await panel.subscribe(page, "FFE1")
        await panel.read(page, "2A19")
        await panel.value(page, "2A19", "100 %")
        before = await page.run("sessionStorage.getItem('central')")
        await page.reload()
        await panel.value(page, "2A19", "100 %")
        await page.until_reads(f"{panel.row('FFE1')} button[data-subscribe]", "Unsubscribe")
        await page.until_says(".log", "discover")
        assert await page.run("sessionStorage.getItem('central')") == before
        assert fob.since(0, "disconnected") == []


async def test_two_tabs_are_two_centrals_that_agree_about_the_fob(opened):
    async with (
        opened("--personality", "phone") as (fob, session),
        session.page(fob.panel + "#central") as one,
        session.page(fob.panel + "#central") as other,
    ):
        for page in (one, other):
            await panel.connect(page)
            await panel.subscribe(page, "2A19")
        ids = [await page.run("sessionStorage.getItem('central')") for page in (one, other)]
        assert ids[0] != ids[1]
        devices = (await one.ask("GET", "/api/devices"))["devices"]
        assert [device["kind"] for device in devices].count("central") == 2
        await one.run("location.hash = '#device'")
        await one.until_is("document.querySelectorAll('#peers dl').length", 2)
        await one.slide("#battery", 57)
        await panel.value(other, "2A19", "57 %")
        await other.run("location.hash = '#device'")
        await other.until_is("document.querySelector('#battery')?.value", "57")


async def test_a_link_that_is_lost_is_said(opened):
    async with opened() as (fob, session), session.page(fob.panel) as device, session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        await device.slide("#distance", 100)
        await page.until_says("#view", "Nothing is connected.")
        await page.until_told("lost")
        await page.until_says(".log", "connection timeout")


async def test_who_scans_in_vain_is_told_what_to_do(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await page.ask("PUT", "/api/devices/0/advertising", {"isOn": False})
        await page.until_says("#view", "Press Scan to see who advertises.")
        await page.click("#scan")
        await page.until_says("#view", "switch Advertise on in the Device tab")
        await page.click("#view .empty a")
        await page.click("#advertise")
        await page.run("history.back()")
        await page.until_says(".sighting", table.NAME)


async def test_descriptors_are_there_by_name_with_what_they_say(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await panel.connect(page)
        # What a characteristic says of itself is read when it is found.
        await page.until_says(panel.row("FFA1"), "“Accel Enable”")
        await page.run(f"document.querySelector('{panel.row('FFE1')} .descriptors').open = true")
        row = f"{panel.row('FFE1')} [data-descriptor='2902']"
        await page.until_says(row, "Client Characteristic Configuration")
        await page.click(f"{row} button")
        await page.until_says(row, "off")
        await panel.subscribe(page, "FFE1")
        await page.click(f"{row} button")
        await page.until_says(row, "notifications")
        await page.until_says(row, "01 00")
        await page.run(f"document.querySelector('{panel.row('2A19')} .descriptors').open = true")
        row = f"{panel.row('2A19')} [data-descriptor='2908']"
        await page.click(f"{row} button")
        await page.until_says(row, "report 4, input")


async def test_a_value_is_read_as_its_presentation_format_says_and_drawn(opened):
    thermometer = "F000AA01-0451-4000-B000-000000000000"
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page, pairing_device(fob.hci) as device:
        # Hundredths of a degree Celsius, 16 bits with a sign.
        celsius = Descriptor(UUID.from_16_bits(0x2904), Descriptor.READABLE, bytes.fromhex("0EFE2F27010000"))
        label = Descriptor(UUID.from_16_bits(0x2901), Descriptor.READABLE, b"Outdoors")
        properties = Characteristic.Properties.READ | Characteristic.Properties.NOTIFY
        value = Characteristic(UUID(thermometer), properties, Characteristic.READABLE, bytes.fromhex("7EFE"), [celsius, label])
        device.device.add_service(Service(UUID("F000AA00-0451-4000-B000-000000000000"), [value]))
        await device.advertise("Weather")
        await panel.connect_to(page, "Weather")
        await page.until_says(panel.row(thermometer), "“Outdoors”")
        await panel.read(page, thermometer)
        await panel.value(page, thermometer, "-3.86 °C")
        await panel.subscribe(page, thermometer)
        for text, number in (("21.50 °C", 2150), ("22.25 °C", 2225)):
            await device.device.notify_subscribers(value, number.to_bytes(2, "little"))
            await panel.value(page, thermometer, text)
        await page.until(f"document.querySelector('{panel.row(thermometer)} canvas')?.ariaLabel.includes('22.25')")


async def test_the_hci_of_the_tabs_own_central_is_downloaded(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        await page.until("document.querySelector('#hci')?.href")
        start = await page.run(
            "fetch(document.querySelector('#hci').href).then((answer) => answer.text()).then((text) => text.slice(0, 7))"
        )
        assert start == "btsnoop"


async def test_a_tab_that_is_duplicated_is_another_central(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#central") as page:
        own = "sessionStorage.getItem('central')"
        first = await page.until(own)
        # What a duplicate takes along.
        async with session.page(fob.panel) as other:
            await other.run(f"sessionStorage.setItem('central', {first!r})")
            await other.run("location.hash = '#central'")
            await other.until(f"{own} && {own} !== {first!r}")
            await page.reload()
            # The address of the log has this tab's number.
            await page.until(f"document.querySelector('#hci')?.href.includes('/captures/' + {own} + '/')")
            assert await page.run(own) == first
