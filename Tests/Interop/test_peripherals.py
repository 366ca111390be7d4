"""`bluethroat sensortag` and `bluethroat ibeacon`: phones whose apps are written with futures, before Bumble centrals."""

import asyncio
import struct

import bumble_controllers
import captures
import pytest
from bluethroat import PATIENCE, Service, command
from bumble.core import UUID
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR
from bumble_central import attached
from bumble_controllers import Air, served_over_tcp

GROUP = "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5"


class Scene(Service):
    """A command with a live world of its own, up and listening; or on a controller."""

    def __init__(self, *arguments, controller=None):
        where = ("--controller", controller) if controller else ("--hci-listen", "127.0.0.1:0")
        super().__init__(*arguments, *where, "--no-panel", "--seed", "1", "--json")
        self.hci = None

    async def __aenter__(self):
        await super().__aenter__()
        try:
            self.hci = (await self.event("controller" if "--controller" in self.arguments else "listening"))["hci"]
            await self.event("advertising")
        except BaseException as failure:
            await super().__aexit__(failure)
            raise
        return self


def tag_uuid(digits):
    return UUID(f"F000{digits}-0451-4000-B000-000000000000")


async def characteristics(peer):
    """All that the peer has, by UUID, with their descriptors."""
    await asyncio.wait_for(peer.client.discover_services(), PATIENCE)
    found = {}
    for service in peer.client.services:
        for characteristic in await asyncio.wait_for(service.discover_characteristics(), PATIENCE):
            found[characteristic.uuid] = characteristic
    return found


async def configuration(characteristic):
    await asyncio.wait_for(characteristic.discover_descriptors(), PATIENCE)
    return characteristic.get_descriptor(GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR).handle


async def test_a_bumble_central_reads_an_accelerometer_switches_it_on_and_sets_its_period(tmp_path):
    air = tmp_path / "air.pcapng"
    async with Scene("sensortag", "--capture", str(air)) as tag, attached(tag.hci) as bumble:
        peer = await bumble.find_and_connect("SensorTag")
        found = await characteristics(peer)
        data, enabled, period = (found[tag_uuid(digits)] for digits in ("AA11", "AA12", "AA13"))
        assert await peer.read(data.handle) == bytes([0xC0, 0xE0, 0xA0])
        assert await peer.read(enabled.handle) == b"\x00" and await peer.read(period.handle) == b"\x64"
        await peer.subscribe(await configuration(data))
        # A setting is one byte, and one that means something.
        assert await peer.error_of_write(enabled.handle, [1, 0]) == 0x0D
        assert await peer.error_of_write(enabled.handle, []) == 0x0D
        assert await peer.error_of_write(enabled.handle, [2]) == 0x06
        assert await peer.read(enabled.handle) == b"\x00"
        await peer.write(period.handle, [10])
        await peer.write(enabled.handle, [1])
        assert (await tag.event("configured", setting=1))["interval"] == 0.1
        values = await peer.notifications(11)
        assert {value for _, value in values} == {bytes([0, 0, 0xC0])}
        tag.say("a 0.5 -0.25 1")
        wanted = struct.pack("3b", -32, 16, 64)
        async with asyncio.timeout(PATIENCE):
            while (await peer.notification())[1] != wanted:
                pass
        await peer.write(enabled.handle, [0])
        await tag.event("configured", setting=0)
        await peer.disconnect()
        assert tag.errors == []
    # Ten periods of a tenth of a second on the air, however long they were for us.
    times = captures.notification_times(air)
    assert times[10] - times[0] == pytest.approx(1, abs=0.1)


async def test_words_set_what_a_sensor_tag_measures_and_what_they_cannot_be_is_one_line():
    async with Scene("sensortag", "--name", "Tag 7") as tag, attached(tag.hci) as bumble:
        for word, expected in [
            ("fly", "say a X Y Z"),
            ("a 1 2", "say a X Y Z"),
            ("a 5 0 0", "1.97 g"),
            ("set thermometer x=1", "there is no sensor thermometer"),
            ("set temperature objectRaw=1", "raw numbers"),
            ("set temperature objectRaw", "say a X Y Z"),
            ("move sideways", "say a X Y Z"),
        ]:
            tag.say(word)
            assert expected in (await tag.event("error"))["message"], word
        tag.say("set temperature objectRaw=500 ambientRaw=2560")
        tag.say("key two")
        peer = await bumble.find_and_connect("Tag 7")
        found = await characteristics(peer)
        assert await peer.read(found[tag_uuid("AA01")].handle) == struct.pack("<2h", 500, 2560)
        await peer.subscribe(await configuration(found[UUID(0xFFE1)]))
        tag.say("key one")
        tag.say("key none")
        assert [value for _, value in await peer.notifications(2)] == [b"\x01", b"\x00"]
        tag.say("q")
        assert await tag.exit_code() == 0


async def test_a_bumble_scanner_and_scan_see_the_ibeacon():
    words = ("ibeacon", "--uuid", GROUP, "--major", "7", "--minor", "258")
    async with Scene(*words) as beacon, attached(beacon.hci) as bumble:
        expected = bytes.fromhex("02011a1aff4c000215" + GROUP.replace("-", "") + "00070102c5")
        async with bumble.scanning():
            await bumble.report(lambda report: report.data == expected)
        answer = await command("scan", "--hci", beacon.hci, "--json", "--timeout", "3")
        said = [report["messages"] for report in answer.all("report") if "messages" in report]
        assert said[-1] == [
            {"kind": "iBeacon", "uuid": GROUP, "major": 7, "minor": 258, "power": -59, "data": expected[9:].hex()}
        ]
        answer = await command("scan", "--hci", beacon.hci, "--timeout", "3")
        assert any(f"{{iBeacon {GROUP}, major 7, minor 258, -59 dBm}}" in line for line in answer.lines), answer.story


async def test_an_ibeacon_claims_the_power_that_it_is_told_to():
    async with Scene("ibeacon", "--uuid", GROUP.lower(), "--major", "0", "--minor", "65535", "--power=-70") as beacon:
        answer = await command("scan", "--hci", beacon.hci, "--json", "--timeout", "3")
        said = [report["messages"][0] for report in answer.all("report") if "messages" in report]
        assert (said[-1]["minor"], said[-1]["power"]) == (65535, -70)


async def test_a_sensor_tag_on_a_bumble_controller():
    air = Air()
    bumble = await bumble_controllers.central(air)
    async with served_over_tcp(air) as hci, Scene("sensortag", controller=hci) as tag:
        # Bumble's air carries no scan responses, where the name is.
        service = bytes(tag_uuid("AA10"))
        async with bumble.scanning():
            address = (await bumble.report(lambda report: service in report.data)).address
        peer = await bumble.connect(address)
        found = await characteristics(peer)
        await peer.write(found[tag_uuid("AA13")].handle, [10])
        await peer.subscribe(await configuration(found[tag_uuid("AA11")]))
        await peer.write(found[tag_uuid("AA12")].handle, [1])
        assert {value for _, value in await peer.notifications(5)} == {bytes([0, 0, 0xC0])}
        assert await peer.error_of_write(found[tag_uuid("AA12")].handle, [1, 1]) == 0x0D
        assert tag.errors == []


async def test_an_ibeacon_on_a_bumble_controller():
    air = Air()
    bumble = await bumble_controllers.central(air)
    words = ("ibeacon", "--uuid", GROUP, "--major", "1", "--minor", "2")
    async with served_over_tcp(air) as hci, Scene(*words, controller=hci):
        expected = bytes.fromhex("02011a1aff4c000215" + GROUP.replace("-", "") + "00010002c5")
        async with bumble.scanning():
            await bumble.report(lambda report: report.data == expected)


@pytest.mark.parametrize(
    "words",
    [
        ["ibeacon"],
        ["ibeacon", "--uuid", "5A4B", "--major", "1", "--minor", "1"],
        ["ibeacon", "--uuid", GROUP, "--major", "65536", "--minor", "1"],
        ["ibeacon", "--uuid", GROUP, "--major", "-1", "--minor", "1"],
        ["ibeacon", "--uuid", GROUP, "--major", "1", "--minor", "1", "--power=-129"],
        ["sensortag", "--motion", "flying"],
        ["sensortag", "--name", ""],
        ["sensortag", "--hci-listen", "0.0.0.0:0"],
    ],
    ids=" ".join,
)
async def test_wrong_usage_is_one_line(words):
    answer = await command(*words)
    assert answer.code == 2 and len(answer.errors) == 1, answer.story
