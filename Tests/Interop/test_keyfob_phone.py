"""`bluethroat keyfob --personality phone`: a phone that plays a key fob, with Bumble in front of it."""

import asyncio
import contextlib

import captures
import pytest
from bluethroat import PATIENCE, KeyFob, command
from bumble.gatt import Characteristic
from bumble_central import attached

NAME = "Keyfobdemo"
APP_SERVICES = ["FFE0", "180F", "FFA0", "1804", "1802", "180A", "1803"]
UNLIKELY = 0x0E


def short(uuid):
    return uuid.to_hex_str().upper()


class Table:
    """What Bumble has discovered."""

    def __init__(self, services):
        self.services = services

    @property
    def uuids(self):
        return [short(service.uuid) for service in self.services]

    def characteristic(self, service, uuid):
        return next(
            found
            for group in self.services
            if short(group.uuid) == service
            for found in group.characteristics
            if short(found.uuid) == uuid
        )

    def value(self, service, uuid):
        return self.characteristic(service, uuid).handle

    def configuration(self, service, uuid):
        """The client configuration stands right behind each value here."""
        return self.value(service, uuid) + 1


async def discovered(peer):
    services = await asyncio.wait_for(peer.client.discover_services(), PATIENCE)
    for service in services:
        await asyncio.wait_for(peer.client.discover_characteristics((), service), PATIENCE)
    return Table(services)


@contextlib.asynccontextmanager
async def phone_and_central(*arguments):
    async with KeyFob("--personality", "phone", *arguments) as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(NAME)
        await fob.event("connected", peer=central.address)
        yield fob, central, peer, await discovered(peer)


async def test_seven_services_behind_the_phones_own():
    async with phone_and_central() as (fob, _, peer, table):
        assert table.uuids == ["1800", "1801", *APP_SERVICES]
        assert await peer.read(table.value("1800", "2A00")) == b"iPhone"
        assert await peer.read(table.value("1800", "2A01")) == b"\x40\x00"
        assert await peer.read(table.value("180A", "2A29")) == b"MANUFACTURER NAME"
        assert await peer.read(table.value("180A", "2A23")) == bytes.fromhex("0d769b0000e5c578")
        assert await peer.read(table.value("FFA0", "FFA2")) == b"\x14\x00"
        assert fob.events[0]["personality"] == "phone"


async def test_it_advertises_its_name_and_four_services_for_as_long_as_its_switch_is_on():
    async with KeyFob("--personality", "phone", "--wait") as fob, attached(fob.hci) as central:
        await fob.event("status", text="Bluetooth Powered On - Ready", colour="green")
        fob.say("a")
        await fob.event("advertising", on=True)
        async with central.scanning(active=False):
            report = await central.report(lambda report: b"Keyfobdemo" in report.data)
        assert report.data == bytes.fromhex("02011a0903e0ffa0ff02180f180b09") + b"Keyfobdemo"
        fob.say("a")
        await fob.event("advertising", on=False)


async def test_buttons_and_the_slider_are_notified():
    async with phone_and_central() as (fob, _, peer, table):
        await peer.subscribe(table.configuration("180F", "2A19"))
        await peer.subscribe(table.configuration("FFE0", "FFE1"))
        await fob.event("subscribed", uuid="FFE1", on=True)
        battery, keys = table.value("180F", "2A19"), table.value("FFE0", "FFE1")
        for percent in (79, 0, 100):
            fob.say(f"b {percent}")
            assert await peer.notification() == (battery, bytes([percent]))
        assert await peer.read(battery) == b"\x64"
        fob.say("l")
        assert await peer.notifications(2) == [(keys, b"\x01"), (keys, b"\x00")]
        assert await peer.read(table.value("1804", "2A07")) == b"\xfa"
        fob.say("r down")
        assert await peer.notification() == (keys, b"\x02")
        assert (await fob.event("led", name="right"))["on"] is True


async def test_the_accelerometer_streams_fifteen_times_a_second_until_it_is_told_to_stop(tmp_path):
    air = tmp_path / "air.pcapng"
    async with phone_and_central("--capture", str(air)) as (fob, _, peer, table):
        await fob.obey("tg 0.5 -1 1")
        for uuid in ("FFA5", "FFA4", "FFA3", "FFAA"):
            await peer.subscribe(table.configuration("FFA0", uuid))
        enable = table.value("FFA0", "FFA1")
        await peer.write(enable, b"\x07")
        assert await peer.read(enable) == b"\x01"
        seen = await peer.notifications(4 * 30)
        sample = [("FFAA", b"\x3f\x81\x7f"), ("FFA3", b"\x3f"), ("FFA4", b"\x81"), ("FFA5", b"\x7f")]
        assert seen == [(table.value("FFA0", uuid), value) for uuid, value in sample] * 30
        fob.say("about")
        await fob.event("accelerometer", enabled=False)
        assert await peer.read(enable) == b"\x00"
    # Two seconds of the air, however long they were for us.
    times = captures.notification_times(air)
    assert times[4 * 30 - 1] - times[3] == pytest.approx(29 / 15, abs=0.1)


async def test_alerts_sound_and_end_by_themselves_by_hand_and_with_the_connection():
    async with phone_and_central() as (fob, _, peer, table):
        alert = table.value("1802", "2A06")
        await peer.write(alert, b"\x02")
        assert (await fob.event("alert"))["level"] == "high"
        began = (await fob.event("tone", name="high", on=True))["time"]
        assert 4.2 < (await fob.event("tone", name="high", on=False))["time"] - began < 4.4
        await peer.write(alert, b"\x01")
        await fob.event("alert", level="mild", source="immediate")
        fob.say("l")
        await fob.event("tone", name="low", on=False)
        await peer.write_command(alert, b"\x01")
        await fob.event("alert", level="mild")
        await peer.disconnect()
        await fob.event("disconnected")
        await fob.event("alert", level="none")


async def test_a_lost_link_sounds_the_level_that_was_written():
    async with phone_and_central() as (fob, _, peer, table):
        await peer.write(table.value("1803", "2A06"), b"\x02")
        fob.say("d 100000")
        await fob.event("disconnected", reason="connectionTimeout")
        assert (await fob.event("alert"))["source"] == "linkLoss"
        await fob.event("tone", name="high", on=True)


async def test_with_the_limits_of_ios_6_there_is_no_link_loss_and_an_alert_outlives_its_central():
    async with phone_and_central("--ios6-limits") as (fob, _, peer, table):
        assert table.uuids == ["1800", "1801", *APP_SERVICES[:-1]]
        alert = table.characteristic("1802", "2A06")
        assert alert.properties == Characteristic.Properties.WRITE
        # Not delivered.
        await peer.write_command(alert.handle, b"\x02")
        assert await peer.error_of_read(table.value("1800", "2A00")) == UNLIKELY
        assert fob.since(0, "alert") == []
        await peer.write(alert.handle, b"\x01")
        began = (await fob.event("tone", name="low", on=True))["time"]
        await peer.disconnect()
        await fob.event("disconnected")
        assert 4.8 < (await fob.event("tone", name="low", on=False))["time"] - began < 5.1


@pytest.mark.parametrize("limited", [False, True])
async def test_in_the_background(limited):
    arguments = ["--ios6-limits", "backgroundServices"] if limited else []
    async with KeyFob("--personality", "phone", *arguments) as fob, attached(fob.hci) as central:
        fob.say("background")
        await fob.event("background", on=True)
        peer = await central.find_and_connect(NAME)
        expected = APP_SERVICES[:4] if limited else APP_SERVICES
        assert (await discovered(peer)).uuids[2:] == expected
        fob.say("foreground")
        await fob.event("background", on=False)
        await peer.read(3)
        assert (await discovered(peer)).uuids[2:] == APP_SERVICES


async def test_our_own_command_as_a_central():
    async with KeyFob("--personality", "phone") as fob:
        where = ["--hci", fob.hci]
        await fob.event("advertising", on=True)
        assert NAME in "\n".join((await command("scan", NAME, *where)).lines)
        table = "\n".join((await command("inspect", NAME, *where)).lines)
        for line in ("FFAA Accelerometer X, Y and Z", "1803 Link Loss", "MODEL NUMBER", "80 %"):
            assert line in table
        assert (await command("read", NAME, "2A19", *where)).lines == ["80 %"]
        assert (await command("write", NAME, "1803/2A06", "2", "--number", *where)).code == 0
        assert (await command("read", NAME, "1803/2A06", *where)).lines == ["high"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--personality", "phone", "--firmware", "1.3"], "--firmware"),
        (["--personality", "phone", "--ios6-limits", "linkloss"], "linkloss"),
        (["--ios6-limits"], "--personality phone"),
    ],
)
async def test_what_the_other_fob_is_told_is_refused(arguments, word):
    end = await command("keyfob", *arguments)
    assert end.code == 2 and word in end.errors[-1]
