"""Keys, alerts, battery, accelerometer and Tx power, as a central and a program at the fob's side see them."""

import asyncio
import statistics

import keyfob_table as table
import pytest
from bluethroat import PATIENCE, KeyFob
from bumble import att
from bumble_central import attached

INVALID_LENGTH, INVALID_VALUE, INVALID_OFFSET, NOT_LONG = 0x0D, 0x80, 0x07, 0x0B


async def settled(fob, central):
    """Connected, with the fob's own word for it, and nothing before that counts any more."""
    peer = await central.find_and_connect(table.NAME)
    assert (await fob.event("connected"))["peer"] == central.address
    fob.forget()
    return peer


# Validation


@pytest.mark.parametrize(
    ("handle", "value", "code"),
    [
        (table.LINK_LOSS_ALERT, b"", INVALID_LENGTH),
        (table.LINK_LOSS_ALERT, b"\x01\x00", INVALID_LENGTH),
        (table.LINK_LOSS_ALERT, b"\x03", INVALID_VALUE),
        (table.LINK_LOSS_ALERT, b"\xff", INVALID_VALUE),
        (table.IMMEDIATE_ALERT, b"\x01\x00", INVALID_LENGTH),
        (table.IMMEDIATE_ALERT, b"\x03", INVALID_VALUE),
        (table.ACCELEROMETER_ENABLE, b"", INVALID_LENGTH),
        (table.ACCELEROMETER_ENABLE, b"\x01\x00", INVALID_LENGTH),
        (table.ACCELEROMETER_ENABLE, b"\x02", INVALID_VALUE),
        (table.KEYS_CCCD, b"\x01", INVALID_LENGTH),
        (table.KEYS_CCCD, b"\x01\x00\x00", INVALID_LENGTH),
        (table.KEYS_CCCD, b"\x02\x00", INVALID_VALUE),
        (table.KEYS_CCCD, b"\x00\x01", INVALID_VALUE),
    ],
)
async def test_a_value_out_of_range_is_refused_and_nothing_changes(handle, value, code):
    async with KeyFob("--as-source") as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        before = None if handle == table.IMMEDIATE_ALERT else await peer.read(handle)
        mark = fob.mark()
        assert await peer.error_of_write(handle, value) == code
        if before is not None:
            assert await peer.read(handle) == before
        # A key that is heard of shows that everything before it has been.
        fob.say("r")
        await fob.event("key", state=0)
        assert fob.since(mark, "alert") == fob.since(mark, "accelerometer") == fob.since(mark, "subscribed") == []


@pytest.mark.parametrize("handle", [table.LINK_LOSS_ALERT, table.ACCELEROMETER_ENABLE, table.KEYS_CCCD])
async def test_a_prepared_write_behind_the_start_is_refused(handle):
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        part = att.ATT_Prepare_Write_Request(attribute_handle=handle, value_offset=1, part_attribute_value=b"\x01")
        answer = await peer.request(part)
        if isinstance(answer, att.ATT_Prepare_Write_Response):
            # Queued without a look at the offset, as the specification allows: then it is refused when it is due.
            answer = await peer.request(att.ATT_Execute_Write_Request(flags=1))
        assert isinstance(answer, att.ATT_Error_Response)
        assert answer.error_code in (NOT_LONG, INVALID_OFFSET)
        assert await peer.read(handle) == bytes(2 if handle == table.KEYS_CCCD else 1)


@pytest.mark.parametrize(
    "handle",
    [0x0003, 0x0012, table.BATTERY, table.TX_POWER, 0x0037, table.X, table.KEYS, 0x0035, 0x0031, 0x0001, 0x0002],
)
async def test_what_is_not_writable_is_refused(handle):
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        assert await peer.error_of_write(handle, b"\x00") == 0x03


async def test_accepted_values_are_read_back():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        for handle, values in [
            (table.LINK_LOSS_ALERT, [b"\x01", b"\x02", b"\x00"]),
            (table.ACCELEROMETER_ENABLE, [b"\x01", b"\x00"]),
            (table.KEYS_CCCD, [b"\x01\x00", b"\x00\x00"]),
            (table.TX_POWER_CCCD, [b"\x01\x00", b"\x00\x00"]),
        ]:
            for value in values:
                await peer.write(handle, value)
                assert await peer.read(handle) == value


# Keys


async def test_left_and_right_clicks_are_notified():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.subscribe(table.KEYS_CCCD)
        await fob.event("subscribed", uuid="FFE1", handle=table.KEYS, on=True)

        fob.say("l")
        assert await peer.notifications(2) == [(table.KEYS, b"\x01"), (table.KEYS, b"\x00")]
        fob.say("r")
        assert await peer.notifications(2) == [(table.KEYS, b"\x02"), (table.KEYS, b"\x00")]

        pressed = [await fob.event("key") for _ in range(4)]
        assert [event["state"] for event in pressed] == [1, 0, 2, 0]
        # A click is down for 200 ms.
        assert 0.15 <= pressed[1]["time"] - pressed[0]["time"] <= 0.45


async def test_both_keys_held_are_three():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.subscribe(table.KEYS_CCCD)
        seen = []
        for words in ["l down", "r down", "l up", "r up"]:
            fob.say(words)
            seen.append(await peer.notification())
        assert seen == [(table.KEYS, state) for state in (b"\x01", b"\x03", b"\x02", b"\x00")]


async def test_without_a_subscription_nothing_is_notified_and_it_ends_with_the_connection():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.subscribe(table.KEYS_CCCD)
        await peer.disconnect()

        peer = await settled(fob, central)
        assert await peer.read(table.KEYS_CCCD) == b"\x00\x00"
        fob.say("r")
        await fob.event("key", state=0)
        await peer.subscribe(table.KEYS_CCCD)
        fob.say("l down")
        # The first thing heard is the left key: the right one was not sent.
        assert await peer.notification() == (table.KEYS, b"\x01")


# Tx power


async def test_the_left_key_toggles_the_tx_power_while_connected():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.subscribe(table.TX_POWER_CCCD)

        fob.say("l")
        assert await peer.notification() == (table.TX_POWER, b"\xfa")
        assert (await fob.event("txPower"))["dBm"] == -6
        assert await peer.read(table.TX_POWER) == b"\xfa"
        await fob.event("key", state=0)

        fob.say("l")
        assert await peer.notification() == (table.TX_POWER, b"\x00")
        assert (await fob.event("txPower"))["dBm"] == 0
        assert await peer.read(table.TX_POWER) == b"\x00"


async def test_a_key_moved_while_the_left_one_is_held_toggles_it_again():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.subscribe(table.TX_POWER_CCCD)
        for words, value in [("l down", b"\xfa"), ("r down", b"\x00"), ("r up", b"\xfa")]:
            fob.say(words)
            assert await peer.notification() == (table.TX_POWER, value)


async def test_tx_power_goes_before_the_key_state():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.subscribe(table.TX_POWER_CCCD)
        await peer.subscribe(table.KEYS_CCCD)
        fob.say("l down")
        assert await peer.notifications(2) == [(table.TX_POWER, b"\xfa"), (table.KEYS, b"\x01")]


async def test_the_radio_really_sends_with_less_power():
    async def rssi(central, fob):
        while not central.reports.empty():
            central.reports.get_nowait()
        async with central.scanning():
            of_fob = [
                await central.report(lambda report: report.address.to_string(False) == fob.address) for _ in range(8)
            ]
            return statistics.mean(report.rssi for report in of_fob)

    async with KeyFob() as fob, attached(fob.hci) as central:
        before = await rssi(central, fob)
        peer = await settled(fob, central)
        fob.say("l")
        await fob.event("txPower", dBm=-6)
        await peer.disconnect()
        assert await rssi(central, fob) < before - 3


async def test_left_does_not_touch_the_power_and_right_toggles_advertising_while_alone():
    async with KeyFob() as fob:
        await fob.event("advertising", on=True)
        fob.say("l")
        await fob.event("key", state=1)
        await fob.event("key", state=0)
        fob.say("r")
        await fob.event("advertising", on=False)
        fob.say("r")
        await fob.event("advertising", on=True)
        assert fob.since(0, "txPower") == []


async def test_right_does_not_touch_advertising_while_connected():
    async with KeyFob() as fob, attached(fob.hci) as central:
        await settled(fob, central)
        mark = fob.mark()
        fob.say("r")
        await fob.event("key", state=2)
        await fob.event("key", state=0)
        assert fob.since(mark, "advertising", on=True) == []


# Battery


async def test_the_battery_is_measured_every_ten_seconds_and_notified_when_it_has_fallen():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.subscribe(table.BATTERY_CCCD)

        fob.say("b 80")
        assert await peer.notification() == (table.BATTERY, b"\x50")
        first = await fob.event("battery", percent=80)

        fob.say("b 60")
        assert await peer.notification() == (table.BATTERY, b"\x3c")
        second = await fob.event("battery", percent=60)
        # The clock of the measurement is the fob's, whenever the battery itself changed.
        assert second["time"] - first["time"] == pytest.approx(10, abs=0.5)


async def test_a_read_measures_at_once_and_a_battery_never_recovers():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        assert await peer.read(table.BATTERY) == b"\x64"
        await fob.obey("b 20")
        assert await peer.read(table.BATTERY) == b"\x14"
        await fob.obey("b 90")
        assert await peer.read(table.BATTERY) == b"\x14"


# Accelerometer


async def test_the_accelerometer_reports_each_axis_that_moved_more_than_five_counts():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        for cccd in (table.X_CCCD, table.Y_CCCD, table.Z_CCCD):
            await peer.subscribe(cccd)
        await fob.obey("t 0 0 0")
        await peer.write(table.ACCELEROMETER_ENABLE, b"\x01")
        await fob.event("accelerometer", enabled=True)

        # X, then Y, then Z.
        fob.say("t 10 -20 56")
        assert await peer.notifications(3) == [(table.X, b"\x0a"), (table.Y, b"\xec"), (table.Z, b"\x38")]
        # Five counts are not more than five; X alone has moved enough.
        fob.say("t 4 -25 51")
        assert await peer.notification() == (table.X, b"\x04")
        # Compared with what was reported last, not with the last sample.
        fob.say("t 4 -26 50")
        assert await peer.notifications(2) == [(table.Y, b"\xe6"), (table.Z, b"\x32")]

        await peer.write(table.ACCELEROMETER_ENABLE, b"\x00")
        await fob.event("accelerometer", enabled=False)
        await fob.obey("t 100 100 100")
        # Off, it keeps what it reported; on again, the difference is heard.
        await peer.write(table.ACCELEROMETER_ENABLE, b"\x01")
        assert await peer.notifications(3) == [(table.X, b"\x64"), (table.Y, b"\x64"), (table.Z, b"\x64")]


async def test_only_subscribed_axes_are_notified():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.subscribe(table.Y_CCCD)
        await fob.obey("t 0 0 0")
        await peer.write(table.ACCELEROMETER_ENABLE, b"\x01")
        fob.say("t 50 50 50")
        assert await peer.notification() == (table.Y, b"\x32")
        fob.say("t -50 -50 -50")
        assert await peer.notification() == (table.Y, b"\xce")


async def test_acceleration_in_g_is_turned_into_counts():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.subscribe(table.X_CCCD)
        await fob.obey("t 0 0 0")
        await peer.write(table.ACCELEROMETER_ENABLE, b"\x01")
        fob.say("tg 1 0 0")
        handle, value = await peer.notification()
        # 56 counts for the sensor of the CC2540 fob, 64 for that of the CC2541.
        assert handle == table.X and value in (b"\x38", b"\x40")


async def test_disconnecting_switches_the_accelerometer_off():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.write(table.ACCELEROMETER_ENABLE, b"\x01")
        await fob.event("accelerometer", enabled=True)
        await peer.disconnect()
        await fob.event("accelerometer", enabled=False)
        peer = await settled(fob, central)
        assert await peer.read(table.ACCELEROMETER_ENABLE) == b"\x00"


# Alerts


@pytest.mark.parametrize(
    ("value", "level", "lowest", "highest"), [(b"\x01", "mild", 240, 260), (b"\x02", "high", 4000, 4200)]
)
async def test_an_immediate_alert_sounds_and_is_stopped(value, level, lowest, highest):
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.write_command(table.IMMEDIATE_ALERT, value)
        await fob.event("alert", level=level, source="immediate")

        beeps = [await fob.event("beep") for _ in range(4)]
        assert [beep["on"] for beep in beeps] == [True, False, True, False]
        assert lowest <= beeps[0]["hertz"] <= highest
        # 200 ms on, 800 ms off.
        assert beeps[1]["time"] - beeps[0]["time"] == pytest.approx(0.2, abs=0.05)
        assert beeps[2]["time"] - beeps[0]["time"] == pytest.approx(1.0, abs=0.05)

        await peer.write_command(table.IMMEDIATE_ALERT, b"\x00")
        await fob.event("alert", level="none")


async def test_a_high_alert_lights_one_led_and_flashes_the_other():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.write_command(table.IMMEDIATE_ALERT, b"\x02")
        await fob.event("led", name="LED1", on=True)
        flash = await fob.event("led", name="LED2", on=True)
        # 5 % of a second.
        assert (await fob.event("led", name="LED2", on=False))["time"] - flash["time"] == pytest.approx(0.05, abs=0.02)


async def test_a_mild_alert_flashes_as_a_high_one_does():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.write_command(table.IMMEDIATE_ALERT, b"\x01")
        await fob.event("alert", level="mild")
        await fob.event("led", name="LED1", on=True)
        await fob.event("led", name="LED2", on=True)
        await fob.event("led", name="LED2", on=False)


async def test_as_tis_source_has_it_a_mild_alert_lights_nothing():
    async with KeyFob("--as-source", "mildAlertLights") as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        mark = fob.mark()
        await peer.write_command(table.IMMEDIATE_ALERT, b"\x01")
        for _ in range(2):
            await fob.event("beep", on=True)
        assert fob.since(mark, "led", name="LED2", on=True) == []
        # LED1 shines for a second at power-up, and may have been at it.
        assert [event["on"] for event in fob.since(0, "led", name="LED1")][-1:] in ([], [False])


async def test_ten_beeps_and_then_silence_until_the_level_is_written_again():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.write_command(table.IMMEDIATE_ALERT, b"\x01")
        first = await fob.event("beep", on=True)
        for _ in range(9):
            await fob.event("beep", on=True)
        last = await fob.event("beep", on=False)
        while last["time"] - first["time"] < 9:
            last = await fob.event("beep", on=False)
        assert last["time"] - first["time"] == pytest.approx(9.2, abs=0.1)

        # The alert is still on; the same level again starts another ten.
        mark = fob.mark()
        await peer.write_command(table.IMMEDIATE_ALERT, b"\x01")
        again = await fob.event("beep", on=True)
        assert fob.since(0, "alert", level="none") == []
        assert fob.since(mark, "beep")[0] == again


async def test_the_left_key_stops_an_alert():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.write_command(table.IMMEDIATE_ALERT, b"\x02")
        await fob.event("alert", level="high")
        fob.say("l")
        await fob.event("alert", level="none")


async def test_an_ordinary_disconnect_stops_an_immediate_alert():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.write_command(table.IMMEDIATE_ALERT, b"\x02")
        await fob.event("alert", level="high")
        await peer.disconnect()
        await fob.event("alert", level="none")


async def test_a_write_request_to_the_immediate_alert_is_accepted_too():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.write(table.IMMEDIATE_ALERT, b"\x02")
        await fob.event("alert", level="high", source="immediate")


async def test_a_wrong_write_command_changes_nothing_and_answers_nothing():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        mark = fob.mark()
        for value in (b"\x03", b"\x01\x00", b""):
            await peer.write_command(table.IMMEDIATE_ALERT, value)
        # Commands and requests keep their order on a bearer.
        await peer.write(table.ACCELEROMETER_ENABLE, b"\x01")
        await fob.event("accelerometer", enabled=True)
        assert fob.since(mark, "alert") == []


# Link loss


@pytest.mark.parametrize(("value", "level"), [(b"\x01", "mild"), (b"\x02", "high")])
async def test_out_of_range_the_supervision_timeout_sounds_the_link_loss_alert(value, level):
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        await peer.write(table.LINK_LOSS_ALERT, value)
        mark = fob.mark()
        fob.say("d 100000")

        assert await peer.loss() == 0x08
        lost = await fob.event("disconnected")
        assert (lost["peer"], lost["code"], lost["reason"]) == (central.address, 0x08, "connectionTimeout")
        await fob.event("alert", level=level, source="linkLoss")
        await fob.event("beep", on=True)
        await fob.event("advertising", on=True)
        assert fob.since(mark, "alert", source="immediate") == []

        # Back in range it is found again, still with its level, and a connection ends the alarm.
        fob.say("d 1")
        mark = fob.mark()
        peer = await settled(fob, central)
        await fob.until(lambda: fob.since(mark, "alert", level="none"), "end of the alert")
        assert await peer.read(table.LINK_LOSS_ALERT) == value


async def test_link_loss_without_a_level_is_silent():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        # An answer, too, that the connection is established: out of range before that, it would be lost as one that
        # never was (0x3E).
        assert await peer.read(table.LINK_LOSS_ALERT) == b"\0"
        fob.say("d 100000")
        await peer.loss()
        await fob.event("disconnected", code=0x08)
        await fob.event("advertising", on=True)
        assert fob.since(0, "alert", source="linkLoss") == []


async def test_an_ordinary_disconnect_is_no_link_loss_and_advertising_resumes():
    async with KeyFob() as fob, attached(fob.hci) as central:
        await fob.event("advertising", on=True)
        peer = await settled(fob, central)
        await peer.write(table.LINK_LOSS_ALERT, b"\x02")
        await peer.disconnect()
        lost = await fob.event("disconnected")
        assert (lost["code"], lost["reason"]) == (0x13, "remoteUserTerminatedConnection")
        await fob.event("advertising", on=True)

        peer = await settled(fob, central)
        assert fob.since(0, "alert", source="linkLoss") == []
        # What was written lasts until it is written again.
        assert await peer.read(table.LINK_LOSS_ALERT) == b"\x02"


async def test_a_central_whose_process_ends_has_ended_its_connection():
    async with KeyFob() as fob:
        async with attached(fob.hci) as central:
            peer = await settled(fob, central)
            await peer.write(table.LINK_LOSS_ALERT, b"\x02")
        await fob.event("disconnected", code=0x13)
        await fob.event("advertising", on=True)
        assert fob.since(0, "alert", source="linkLoss") == []


async def test_a_central_that_vanishes_is_a_link_loss():
    async with KeyFob("--clients-vanish") as fob:
        async with attached(fob.hci) as central:
            peer = await settled(fob, central)
            await peer.write(table.LINK_LOSS_ALERT, b"\x02")
        await fob.event("disconnected", code=0x08)
        await fob.event("alert", level="high", source="linkLoss")


async def test_the_end_of_advertising_ends_a_link_loss_alert():
    async with KeyFob() as fob, attached(fob.hci) as central:
        await fob.event("advertising", on=True)
        peer = await settled(fob, central)
        await peer.write(table.LINK_LOSS_ALERT, b"\x02")
        fob.say("d 100000")
        await fob.event("alert", level="high", source="linkLoss")
        started = await fob.event("advertising", on=True)
        ended = await fob.event("advertising", on=False, patience=2 * PATIENCE)
        assert ended["time"] - started["time"] == pytest.approx(30.72, abs=0.2)
        await fob.event("alert", level="none")


async def test_one_central_at_a_time():
    async with KeyFob() as fob, attached(fob.hci, 1) as first, attached(fob.hci, 2) as second:
        peer = await settled(fob, first)
        async with second.scanning():
            # Connected, it does not advertise: a bounded wait is all there is to prove a silence with.
            with pytest.raises(TimeoutError):
                await second.report(lambda report: report.address.to_string(False) == fob.address, patience=1)
        await peer.disconnect()
        await settled(fob, second)


async def test_the_fob_asks_for_its_parameters_five_seconds_after_connecting():
    """80 to 800 steps of 1.25 ms, no latency, 10 s: a central at 30 ms is outside of that."""
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await settled(fob, central)
        updated = asyncio.get_running_loop().create_future()
        connection = peer.connection
        connection.on(connection.EVENT_CONNECTION_PARAMETERS_UPDATE, lambda: updated.set_result(None))
        async with asyncio.timeout(PATIENCE):
            await updated
        assert 100 <= connection.parameters.connection_interval <= 1000
        assert connection.parameters.peripheral_latency == 0
        assert connection.parameters.supervision_timeout == 10_000
        assert await peer.read(table.BATTERY) == b"\x64"
