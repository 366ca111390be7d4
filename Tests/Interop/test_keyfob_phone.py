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


async def test_a_read_of_any_value_is_answered():
    async with phone_and_central() as (fob, _, peer, table):
        found = {}
        for group in table.services:
            # The phone's own services are not the app's; Service Changed can only be indicated.
            if short(group.uuid) in ("1800", "1801"):
                continue
            for characteristic in group.characteristics:
                # Bumble gives up after 30 s; a phone that answers needs a moment for all of them.
                found[short(group.uuid), short(characteristic.uuid)] = await peer.read(characteristic.handle)
        for uuid in ("FFA3", "FFA4", "FFA5"):
            assert found["FFA0", uuid] == b"\x00"
        assert found["FFA0", "FFAA"] == bytes(3)
        assert found["FFE0", "FFE1"] == found["1802", "2A06"] == found["1803", "2A06"] == b"\x00"
        fob.say("r down")
        await fob.event("key", state=2)
        assert await peer.read(table.value("FFE0", "FFE1")) == b"\x02"
        await fob.obey("tg 0.5 -1 1")
        await peer.subscribe(table.configuration("FFA0", "FFA5"))
        await peer.write(table.value("FFA0", "FFA1"), b"\x01")
        assert await peer.notification() == (table.value("FFA0", "FFA5"), b"\x7f")
        read = [await peer.read(table.value("FFA0", uuid)) for uuid in ("FFA3", "FFA4", "FFA5", "FFAA")]
        assert read == [b"\x3f", b"\x81", b"\x7f", b"\x3f\x81\x7f"]


async def test_as_its_source_has_it_such_a_read_is_refused_and_not_left_alone():
    async with phone_and_central("--as-source", "readableValues") as (_, _, peer, table):
        for service, uuid in (("FFA0", "FFA3"), ("FFA0", "FFAA"), ("FFE0", "FFE1"), ("1802", "2A06")):
            assert await peer.error_of_read(table.value(service, uuid)) == 0x02
        assert await peer.read(table.value("180F", "2A19")) == b"\x50"


@pytest.mark.parametrize(
    ("arguments", "services"),
    [
        ([], "0503a0ffe0ff"),
        (["--as-article"], "0503a0ffe0ff"),
        (["--as-source", "advertisedServices"], "0903e0ffa0ff02180f18"),
        (["--as-source"], "0903e0ffa0ff02180f18"),
    ],
)
async def test_it_advertises_its_name_and_services_for_as_long_as_its_switch_is_on(arguments, services):
    async with KeyFob("--personality", "phone", "--wait", *arguments) as fob, attached(fob.hci) as central:
        await fob.event("status", text="Bluetooth Powered On - Ready", colour="green")
        fob.say("a")
        await fob.event("advertising", on=True)
        async with central.scanning(active=False):
            report = await central.report(lambda report: b"Keyfobdemo" in report.data)
        assert report.data == bytes.fromhex("02011a" + services + "0b09") + b"Keyfobdemo"
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


async def test_an_alert_lasts_ten_seconds_and_the_left_key_quiets_both_tones():
    async with phone_and_central() as (fob, _, peer, table):
        alert = table.value("1802", "2A06")
        await peer.write(alert, b"\x02")
        began = (await fob.event("tone", name="high", on=True))["time"]
        await peer.write(alert, b"\x01")
        low = (await fob.event("tone", name="low", on=True))["time"]
        assert 9.9 < (await fob.event("tone", name="high", on=False))["time"] - began < 10.1
        assert 9.9 < (await fob.event("tone", name="low", on=False))["time"] - low < 10.1
        await peer.write(alert, b"\x02")
        await fob.event("tone", name="high", on=True)
        await peer.write(alert, b"\x01")
        began = (await fob.event("tone", name="low", on=True))["time"]
        fob.say("l")
        for name in ("low", "high"):
            assert (await fob.event("tone", name=name, on=False))["time"] - began < 5
        await fob.event("alert", level="none")
        await fob.event("led", name="alert", on=False)


async def test_as_its_source_has_it_alerts_sound_and_end_by_themselves_by_hand_and_with_the_connection():
    async with phone_and_central("--as-source") as (fob, _, peer, table):
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


async def test_as_the_article_has_it_there_is_no_link_loss_and_an_alert_outlives_its_central():
    async with phone_and_central("--as-article") as (fob, _, peer, table):
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
        assert 9.9 < (await fob.event("tone", name="low", on=False))["time"] - began < 10.1


@pytest.mark.parametrize("limited", [False, True])
async def test_in_the_background(limited):
    arguments = ["--ios6-limits", "backgroundServices"] if limited else []
    async with KeyFob("--personality", "phone", *arguments) as fob, attached(fob.hci) as central:
        fob.say("background")
        await fob.event("background", on=True)
        peer = await central.find_and_connect(NAME)
        possible = [APP_SERVICES[:3], APP_SERVICES[:4]] if limited else [APP_SERVICES]
        assert (await discovered(peer)).uuids[2:] in possible
        fob.say("foreground")
        await fob.event("background", on=False)
        await peer.read(3)
        assert (await discovered(peer)).uuids[2:] in possible


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
        (["--as-source", "leftKey"], "leftKey"),
        (["--as-source", "nothing"], "readableValues"),
        (["--personality", "phone", "--as-source", "enable"], "advertisedServices"),
        (["--as-article", "--as-source"], "contradict"),
    ],
)
async def test_what_the_other_fob_is_told_is_refused(arguments, word):
    end = await command("keyfob", *arguments)
    assert end.code == 2 and word in end.errors[-1]


async def test_a_value_can_be_written_in_the_connection_in_which_others_are_heard():
    async with KeyFob("--personality", "phone") as fob:
        await fob.event("advertising", on=True)
        await fob.obey("tg 0.5 -1 1")
        words = ["--write", "FFA1=01", "--write", "1803/2A06=02", "--count", "3", "--hci", fob.hci, "--json"]
        answer = await command("subscribe", NAME, "FFA3", *words)
        assert answer.code == 0, answer.story
        assert [event["value"] for event in answer.all("written")] == ["01", "02"]
        assert [event["value"] for event in answer.all("notification")] == ["3f"] * 3
        names = [event["event"] for event in answer.events]
        assert names.index("written") < names.index("subscribed") < names.index("notification")
        assert (await fob.event("accelerometer"))["enabled"] is True
