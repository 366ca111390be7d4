"""A world whose time passes only when it is told to, from the page; and with it what is too quick to be seen otherwise."""

import panel
from clock import TIME, advance, advanced, now, shown

RECORD_TONES = """
    window.heard = [];
    const schedule = AudioParam.prototype.setTargetAtTime;
    AudioParam.prototype.setTargetAtTime = function (value, start, constant) {
        heard.push(["volume", value, start]);
        return schedule.call(this, value, start, constant);
    };
    const start = AudioScheduledSourceNode.prototype.start;
    OscillatorNode.prototype.start = function (...rest) {
        heard.push(["start", this.frequency.value]);
        return start.apply(this, rest);
    };
    OscillatorNode.prototype.stop = function (...rest) {
        heard.push(["stop", this.frequency.value]);
        return AudioScheduledSourceNode.prototype.stop.apply(this, rest);
    };
"""


async def test_time_stands_still_until_it_is_advanced(opened):
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel) as page:
        await page.until("!document.querySelector('#virtual').hidden")
        await page.until_says("#time-hint", "It stands still until you let it pass.")
        await page.until_is(TIME, "00:00:00.000")
        await page.fill("#time-span", "2.5")
        await page.click("#advance-time")
        await page.until_is(TIME, "00:00:02.500")
        await page.until_reads("#state", "Advertising")
        await page.fill("#time-span", "60")
        await page.key("Enter")
        await page.until_is(TIME, "00:01:02.500")
        # Its limited period is over.
        await page.until_reads("#state", "Not advertising")
        await page.keep("stands")


async def test_time_runs_and_stops(opened):
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel) as page:
        await page.click("#run-time")
        await page.until(f"{TIME} > '00:00:01'")
        await page.until_says("#time-hint", "It passes as fast as in life.")
        await page.click("#run-time")
        await page.until_reads("#run-time", "Run")
        # It says so when nothing is under way any more.
        await page.until_says("#time-hint", "It stands still")
        stopped = await now(page)
        await page.until_is(TIME, shown(stopped))
        assert await now(page) == stopped


async def test_real_time_has_no_such_buttons(opened):
    async with opened() as (fob, session), session.page(fob.panel) as page:
        await page.until(f"{TIME} > '00:00:00'")
        await page.until("document.querySelector('#virtual').hidden")


async def test_a_central_waits_for_time_to_pass_and_the_page_says_so(opened):
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel + "#central") as page:
        await page.click("#scan")
        await advanced(page, "!!document.querySelector('.sighting button:enabled')")
        await page.click(".sighting button")
        await page.until_says("#time-hint", "Something is waiting for an answer: let time pass.")
        await advanced(page, "!!document.querySelector('.characteristic')")
        await page.until_says("#connections", "Simple Keys")


async def test_an_alarm_beeps_200_ms_of_each_second_and_flashes_50(opened):
    """What is heard and seen in each 50 ms of three seconds of the high alarm, then of the mild one."""
    async with opened("--virtual-time") as (fob, session), session.page(fob.panel + "#central") as page, session.page(fob.panel) as device:
        await device.run(RECORD_TONES)
        await page.click("#scan")
        await advanced(page, "!!document.querySelector('.sighting button:enabled')")
        await page.click(".sighting button")
        await advanced(page, "!!document.querySelector('.characteristic')")
        for level, hertz in ((2, 4096), (1, 250)):
            await device.run("heard.length = 0")
            await page.fill(f"{panel.row('2A06', '1802')} .writer input", f"0{level}")
            await page.click(f"{panel.row('2A06', '1802')} .writer button[type=submit]")
            sounds = f"document.querySelector('#tone').innerText === '♪ {hertz} Hz'"
            await advanced(device, sounds, 0.05)
            tones, lights = [], []
            for _ in range(60):
                look = await device.ask("GET", "/api/devices/0")
                tones.append(look["tones"] == [hertz])
                lights.append(look["leds"]["alert"])
                # The page shows what is so.
                await device.until_is(sounds, tones[-1])
                await device.until_is("document.querySelector('[data-led=alert]').classList.contains('lit')", lights[-1])
                await advance(device, 0.05)
            # Four of twenty pieces of each second, give or take the one in which it begins.
            beeps = [[one for one in tones[n : n + 20] if one] for n in (20, 40)]
            assert [len(beep) for beep in beeps] == [4, 4], tones
            assert sum(lights[20:40]) == sum(lights[40:60]) == 1, lights
            heard = await device.run("heard")
            starts = [one for one in heard if one[0] == "start"]
            assert len(starts) >= 3 and {one[1] for one in starts} == {hertz}
            assert len([one for one in heard if one[0] == "stop"]) >= 2
        # Muted, nothing is heard of it, and it is still seen.
        await device.click("#mute")
        await device.until_reads("#mute", "Unmute")
        await device.run("heard.length = 0")
        await advanced(device, sounds, 0.05)
        assert not [one for one in await device.run("heard") if one[0] == "start"]


async def test_the_phones_alarm_is_cut_into_beeps_by_the_page(opened):
    arguments = ("--virtual-time", "--personality", "phone")
    async with opened(*arguments) as (fob, session), session.page(fob.panel + "#central") as page, session.page(fob.panel) as device:
        await device.run(RECORD_TONES)
        await page.click("#scan")
        await advanced(page, "!!document.querySelector('.sighting button:enabled')")
        await page.click(".sighting button")
        await advanced(page, "!!document.querySelector('.characteristic')")
        await page.fill(f"{panel.row('2A06', '1802')} .writer input", "01")
        await page.click(f"{panel.row('2A06', '1802')} .writer button[type=submit]")
        await advanced(device, "document.querySelector('#tone').innerText === '♪ 250 Hz'", 0.05)
        heard = await device.until("heard.length > 10 && heard")
        assert ["start", 250] in heard
        volumes = [(value, start) for kind, value, start in (one for one in heard if one[0] == "volume")]
        loud = [start for value, start in volumes if value > 0]
        quiet = [start for value, start in volumes if value == 0]
        assert [round(end - start, 3) for start, end in zip(loud, quiet)] == [0.2] * len(loud)
        assert [round(b - a, 3) for a, b in zip(loud, loud[1:])] == [1.0] * (len(loud) - 1)
