"""The air: where devices are, and every packet with its fields and bytes."""

import panel

ROWS = "document.querySelectorAll('.packets tbody tr')"
DRAWN = "Number(document.querySelector('#timeline').dataset.packets)"


async def test_packets_are_drawn_and_opened_and_the_view_is_paused(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#air") as page:
        await page.until_says("#view", "Click a packet to see its fields and bytes.")
        await panel.advertise(page)
        await page.until(f"{ROWS}.length > 5")
        await page.until(f"{DRAWN} > 5")
        await page.until_says("#rate", "packets/s")
        await page.click(".packets tbody tr")
        await page.until_says("ul.fields", "ADV_IND")
        await page.until_reads("#pause", "Resume")
        raw = await page.text("pre.bytes")
        # The access address of advertising, as it is sent.
        assert raw.split()[1:5] == ["D6", "BE", "89", "8E"]
        # What arrives meanwhile is kept, and shown afterwards.
        await page.until("!document.querySelector('#loading').innerText.match(/[1-9]/)")
        drawn = await page.run(DRAWN)
        arrived = "parseInt(document.querySelector('#arrived').innerText)"
        await page.until(f"{arrived} > 20")
        assert await page.run(DRAWN) == drawn
        more = await page.run(arrived)
        await page.click("#pause")
        await page.until(f"{DRAWN} >= {drawn + more}")
        await page.until("document.querySelector('#skipped').hidden")


async def test_packets_are_filtered_by_kind_and_by_connection(opened):
    async with (
        opened() as (fob, session),
        session.page(fob.panel + "#central") as central,
        session.page(fob.panel + "#air") as page,
    ):
        await panel.connect(central)
        await page.until(f"[...{ROWS}].some((row) => row.innerText.includes('empty'))")
        await page.click_on("document.querySelector('[data-kind=empty]')")
        await page.until(f"{ROWS}.length && ![...{ROWS}].some((row) => row.innerText.includes('empty'))")
        await page.click_on("document.querySelector('[data-kind=empty]')")
        await page.until(f"[...{ROWS}].some((row) => row.innerText.includes('empty'))")
        await page.click_on(f"[...{ROWS}].find((row) => row.innerText.includes('empty'))")
        await page.click_on(panel.button("Follow this connection"))
        await page.until_says("#view", "Clear connection filter")
        await page.until(f"{ROWS}.length > 4 && [...{ROWS}].every((row) => !row.innerText.includes('ADV'))")


async def test_an_encrypted_connection_is_shown_as_encrypted(opened):
    """Nothing is read into ciphertext: neither an opcode in the list nor a field in the details."""
    async with (
        opened() as (fob, session),
        session.page(fob.panel + "#central") as central,
        session.page(fob.panel + "#air") as page,
    ):
        await panel.connect(central)
        await panel.pair(central)
        await panel.read(central, "2A19")
        await panel.value(central, "2A19", "100 %")
        packets = (await page.ask("GET", "/api/air/packets?limit=10000"))["packets"]
        start = next(n for n, one in enumerate(packets) if "LL_START_ENC_REQ" in one["text"])
        access = packets[start]["access"]
        later = [one for one in packets[start + 1 :] if one["access"] == access and one["kind"] != "empty"]
        # What comes after it is encrypted, but for a LL_START_ENC_REQ that has to be sent again.
        secret = [one for one in later if "LL_START_ENC_REQ" not in one["text"]]
        assert len(secret) > 4 and all(one["encrypted"] and "encrypted" in one["text"] for one in secret)
        assert not any(one["encrypted"] for one in packets[: start + 1])
        # Empty PDUs fill the list: they are left out.
        await page.click_on("document.querySelector('[data-kind=empty]')")
        await page.click_on("document.querySelector('[data-kind=advertising]')")
        await panel.read(central, "2A19")
        shown = f"[...{ROWS}].find((row) => row.innerText.includes('encrypted start'))"
        await page.click_on(shown)
        await page.until_says("ul.fields", "Encrypted payload")
        await page.until_says("ul.fields", "MIC")
        assert "ATT" not in await page.text("ul.fields")
        await page.keep("encrypted")


async def test_what_passes_while_the_tab_is_hidden_is_loaded_afterwards(opened):
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel + "#air") as page:
        await hears(page)
        await page.ask("POST", "/api/world/advance", {"seconds": 1})
        await page.until(f"{DRAWN} > 5")
        turn = "Object.defineProperty(document, 'hidden', {{ value: {}, configurable: true }}); document.dispatchEvent(new Event('visibilitychange'))"
        await page.run(turn.format("true"))
        # Away from its event stream, it misses some.
        await page.ask("POST", "/api/world/advance", {"seconds": 5})
        await page.run(turn.format("false"))
        await page.ask("POST", "/api/world/advance", {"seconds": 0.5})
        await page.until_is(DRAWN, await count(page))
        await page.until("document.querySelector('#skipped').hidden")


async def test_whoever_comes_to_the_tab_is_shown_what_the_server_has(opened):
    """A fresh view and one that is entered again, while time stands still and no packet arrives."""
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel) as page:
        for n in range(12):
            await page.ask("POST", "/api/devices", {"kind": "keyfob", "x": n, "y": 1})
        # More than one answer, and more than one batch of events.
        while (there := await count(page)) < 2500:
            await page.ask("POST", "/api/world/advance", {"seconds": 2})
        for view in ("air", "device", "air"):
            await page.run(f"location.hash = '{view}'")
        await page.until_is(DRAWN, there)
        await page.until_is(f"{ROWS}.length", 60)
        await page.until("document.querySelector('#skipped').hidden && document.querySelector('#loading').hidden")
        # The oldest of them can be looked at.
        await page.slide("#position", await page.run("document.querySelector('#position').min"))
        first = (await page.ask("GET", "/api/air/packets?limit=1"))["packets"][0]["time"]
        await page.until(f"{ROWS}.length && Number({ROWS}[0].cells[0].innerText) < {first + 1.01}")
        await page.until_reads("#pause", "Resume")
        await page.keep("position")


async def test_the_position_begins_at_one_place_however_long_it_is(opened):
    output = "document.querySelector('label:has(#position) output')"
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel + "#air") as page:
        places, lengths = set(), set()
        for step, reached in ((5, 5), (7, 12)):
            await page.ask("POST", "/api/world/advance", {"seconds": step})
            await page.until(f"parseFloat({output}.innerText) > {reached - 2}")
            places.add(await page.run(f"{output}.getBoundingClientRect().x"))
            lengths.add(await page.run(f"{output}.innerText.length"))
        assert len(places) == 1 and len(lengths) == 2


# A stream of events whose connection is made when `letIn()` is called.
LATE_STREAM = """(() => {
  const Usual = EventSource;
  window.EventSource = class extends EventTarget {
    constructor(url) {
      super();
      window.letIn = () => {
        this.usual = new Usual(url);
        this.usual.onopen = () => this.onopen();
        for (const topic of new URL(url, location).searchParams.get("topics").split(","))
          this.usual.addEventListener(topic, (event) => this.dispatchEvent(new MessageEvent(topic, { data: event.data })));
      };
    }
    close() { this.usual?.close(); }
  };
  window.EventSource.CLOSED = 2;
})()"""


async def test_packets_from_before_the_stream_began_are_shown(opened):
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel) as page:
        await page.run(LATE_STREAM)
        await page.run("location.hash = '#air'")
        await page.until("window.letIn && document.querySelector('#position')")
        asked = "performance.getEntriesByType('resource').filter((one) => one.name.includes('/api/air/packets') && one.responseEnd).length"
        await page.until(f"{asked} > 0")
        await page.ask("POST", "/api/world/advance", {"seconds": 5})
        await page.run("letIn()")
        await page.until("parseFloat(document.querySelector('label:has(#position) output').innerText) > 4")
        await page.until(f"{ROWS}.length > 10")
        await page.until(f"{DRAWN} > 0")


async def test_packets_that_the_stream_leaves_out_are_loaded(opened):
    """A batch of the event stream has 400 packets at most."""
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel + "#air") as page:
        await hears(page)
        for n in range(12):
            await page.ask("POST", "/api/devices", {"kind": "keyfob", "x": n, "y": 1})
        await page.ask("POST", "/api/world/advance", {"seconds": 1.5})
        await page.until(f"{DRAWN} > 0")
        await page.click("#pause")
        drawn = await page.run(DRAWN)
        for _ in range(4):
            await page.ask("POST", "/api/world/advance", {"seconds": 5})
        there = await count(page)
        assert there - drawn > 4 * 400
        await page.until_is("parseInt(document.querySelector('#arrived').innerText)", there - drawn)
        assert await page.run(DRAWN) == drawn
        await page.click("#pause")
        await page.until_is(DRAWN, there)
        await page.until("document.querySelector('#skipped').hidden")


async def test_packets_that_the_server_has_dropped_are_counted(opened):
    """The page is away while more packets pass than the server keeps."""
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel + "#air") as page:
        await hears(page)
        # Each advertises for half a minute.
        for n in range(120):
            await page.ask("POST", "/api/devices", {"kind": "keyfob", "x": n % 12, "y": n // 12})
        await page.ask("POST", "/api/world/advance", {"seconds": 0.6})
        await page.until_is(DRAWN, await count(page))
        # The page's own requests wait, as if the server were far away; the test's do not.
        await page.run(
            """(() => {
                const fetch = window.fetch;
                let release;
                const gate = new Promise((done) => { release = done; });
                window.letGo = release;
                window.fetch = async (path, ...rest) => {
                    if (String(path).startsWith("/api/air/packets?after=")) await gate;
                    return fetch(path, ...rest);
                };
            })()"""
        )
        drawn = await page.run(DRAWN)
        await page.ask("POST", "/api/world/advance", {"seconds": 1})
        there = len((await page.ask("GET", "/api/air/packets?limit=10000"))["packets"])
        assert drawn + 400 < there < 10_000
        await page.until_is(DRAWN, drawn + 400)
        for _ in range(5):
            await page.ask("POST", "/api/world/advance", {"seconds": 5})
        assert (await page.ask("GET", "/api/air/packets?limit=1"))["first"] > there
        await page.run("letGo()")
        # Those that the page asked for too late: 400 came with the event stream.
        await page.until_reads("#skipped", f"{there - 400 - drawn} not shown")
        await page.until("document.querySelector('#loading').hidden")


async def test_packets_are_opened_one_after_the_other_with_the_keyboard(opened):
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel + "#air") as page:
        await hears(page)
        await page.ask("POST", "/api/world/advance", {"seconds": 2})
        await page.until(f"{DRAWN} > 10")
        await page.run("document.querySelector('#timeline').focus()")
        chosen = "Number(document.querySelector('.packets tr[aria-selected=true]')?.dataset.key)"
        await page.key("ArrowLeft")
        await page.until_says("ul.fields", "ADV_IND")
        last = await page.until(chosen)
        await page.key("ArrowLeft")
        await page.until_is(chosen, last - 1)


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
        await page.until_is("document.querySelectorAll('.map .link').length", 1)
        await page.until_is("document.querySelectorAll('.map .range').length", 2)
        # 2 km wide: whoever is at the edge is far from everybody.
        await page.slide("#zoom", 3)
        await page.drag(".map .thing.keyfob", 200, 0)
        await page.until_is("document.querySelectorAll('.map .link').length", 0)
        await central.until_says("#view", "Nothing is connected.")
        await fob.event("disconnected", reason="connectionTimeout")


async def test_devices_are_moved_with_the_keyboard_too(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#air") as page:
        await page.until("document.querySelector('.map .thing')")
        before = (await page.ask("GET", "/api/devices"))["devices"][0]["x"]
        await page.run("document.querySelector('.map .thing').focus()")
        await page.key("ArrowRight")
        await page.until(f"fetch('/api/devices').then((answer) => answer.json()).then((all) => all.devices[0].x > {before})")


async def test_collisions_damage_and_losses_are_marked_and_counted(opened):
    """Forty fobs in one place: some speak at the same time, and a central that listens gets something else."""
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel + "#air") as page:
        await hears(page)
        for n in range(40):
            await page.ask("POST", "/api/devices", {"kind": "keyfob", "x": n % 5, "y": n // 5})
        central = (await page.ask("POST", "/api/centrals", {}))["central"]
        await page.ask("PUT", f"/api/centrals/{central}/scan", {"isOn": True})
        await page.choose("[aria-label='Time window']", 5)
        for _ in range(12):
            await page.ask("POST", "/api/world/advance", {"seconds": 0.25})
        packets = (await page.ask("GET", "/api/air/packets?limit=10000"))["packets"]
        collided = [one for one in packets if one["collided"]]
        damaged = [one for one in packets if one["damaged"]]
        assert len(collided) > 10 and damaged
        # Each of them is on the page and counted, as none was left out.
        await page.until_is(DRAWN, len(packets))
        await page.until("document.querySelector('#skipped').hidden")
        await page.until_reads("#collided", f"{len(collided)} collided")
        await page.until_reads("#damaged", f"{len(damaged)} damaged")
        # Red is on the timeline, and was not on it while there was nothing but order.
        await page.until(f"{RED} > 20")
        await page.keep("collisions")
        # Errors only, and one of them looked at.
        await page.click("#trouble")
        both = [one["number"] for one in packets if one["collided"] and one["damaged"]]
        trouble = [one["number"] for one in packets if one["collided"] or one["damaged"] or one["lost"]]
        await page.until_is(DRAWN, len(trouble))
        latest = max(set(trouble[-60:]) & set(both))
        await page.click(f".packets tr[data-key='{latest}']")
        await page.until_says("#view", "CRC error at")
        await page.until_says("#view", "another packet was on this channel at the same time")


async def test_what_nobody_gets_is_lost(opened):
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel + "#air") as page:
        await hears(page)
        await page.ask("POST", "/api/world/advance", {"seconds": 2})
        central = (await page.ask("POST", "/api/centrals", {}))["central"]
        await page.ask("POST", "/api/world/advance", {"seconds": 1})
        address = (await page.ask("GET", "/api/devices/0"))["address"]
        await page.ask("POST", f"/api/centrals/{central}/connections?within=5", {"address": address})
        await page.ask("POST", "/api/world/advance", {"seconds": 1})
        await page.until(f"{DRAWN} > 20")
        await page.until_reads("#lost", "0 lost")
        await page.ask("PATCH", "/api/devices/0", {"x": 5000})
        await page.ask("POST", "/api/world/advance", {"seconds": 1})
        await page.until("parseInt(document.querySelector('#lost').innerText) > 5")
        await page.until(f"{RED} > 20")
        lost = [one for one in (await page.ask("GET", "/api/air/packets?limit=10000"))["packets"] if one["lost"]]
        assert {one["kind"] for one in lost} <= {"data", "control", "empty"}
        await page.keep("lost")


async def test_a_device_on_the_map_is_picked_and_taken_away(opened):
    async with opened() as (fob, session), session.page(fob.panel + "#air") as page:
        other = (await page.ask("POST", "/api/devices", {"kind": "keyfob", "x": 3, "y": 2}))["device"]
        await page.click(f"[data-device='{other}'] rect")
        await page.until_says("#picked", "key fob 2")
        await page.until_says("#picked", "at 3.0, 2.0 m")
        await page.click("#remove-device")
        await page.until(f"!document.querySelector('[data-device=\"{other}\"]')")
        await page.until_says("#picked", "Click a device to see more of it.")


# How many pixels of the timeline are of the colour of trouble.
RED = """(() => {
    const canvas = document.querySelector("#timeline");
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let count = 0;
    for (let n = 0; n < data.length; n += 4) if (data[n] > 190 && data[n + 1] < 90 && data[n + 2] < 90 && data[n + 3] > 128) count += 1;
    return count;
})()"""


async def hears(page):
    """From here on it is told of each packet."""
    await page.until("document.querySelector('.map .thing')")


async def count(page):
    """How many packets have been on the air, and are over."""
    packets, after = 0, 0
    while part := (await page.ask("GET", f"/api/air/packets?after={after}&limit=10000"))["packets"]:
        packets, after = packets + len(part), part[-1]["number"]
    return packets
