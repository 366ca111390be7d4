"""Apps that only import CoreBluetooth, each a process of its own: with each other, with Bumble, on its controller."""

import asyncio
import signal

import pytest
from app_peer import INCOMING, OUTGOING, PSM, SECRET, SECRET_VALUE, SERVICE, AppPeer, Publisher, payload
from bluethroat import KeyFob, effort, lasting_port
from bumble.core import AdvertisingData
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble_controllers import Air, served_over_tcp
from bumble_pairing import NONE, QUICK, Person, on_foreign_air, pairing_device

# Data on a busy machine.
LONG = 60.0


async def both_ways(publisher, central, count):
    received = await central.event("received", LONG)
    assert (received["bytes"], received["intact"]) == (count, True)
    received = await publisher.event("received", LONG)
    assert (received["bytes"], received["intact"]) == (count, True)


@pytest.mark.parametrize("loop", ["queue=main loop=dispatch", "queue=main loop=run", "queue=private loop=dispatch"])
async def test_two_apps_in_two_processes_pass_4_kb_both_ways(loop):
    how = dict(word.split("=") for word in loop.split())
    async with KeyFob("--wait") as fob, AppPeer("publish", fob.hci, **how) as publisher:
        await publisher.event("advertising", LONG)
        async with AppPeer("central", fob.hci, **how) as central:
            assert (await central.event("discovered", LONG))["name"] in ("app-peer", "")
            assert (await central.event("subscribed", LONG))["chunk"] > 100
            await both_ways(publisher, central, 4096)
            assert await central.exit_code(LONG) == 0
            assert (central.errors, publisher.errors) == ([], [])
        await publisher.event("unsubscribed", LONG)


async def test_a_program_without_any_setting_has_an_air_of_its_own():
    async with AppPeer("central") as central:
        assert (await central.event("state", LONG))["state"] == 5
        assert central.errors == []


async def test_an_app_that_was_killed_is_restored_by_its_next_run(tmp_path):
    """Two runs of one program; the second publishes nothing, and has what the first had."""
    kept = {
        "BLUETHROAT_BACKGROUND_MODES": "bluetooth-peripheral",
        "BLUETHROAT_RESTORATION": str(tmp_path / "restoration.json"),
    }
    async with KeyFob("--wait") as fob:
        async with AppPeer("publish", fob.hci, kept, restore="tag") as first:
            await first.event("advertising", LONG)
            assert not [event for event in first.events if event["event"] == "restored"]
            first.send(signal.SIGKILL)
            assert await first.exit_code(LONG) == -signal.SIGKILL
            assert first.errors == []
        async with AppPeer("publish", fob.hci, kept, restore="tag") as second:
            restored = await second.event("restored", LONG)
            assert restored["services"] == ["B1E70001-7E11-4A5C-9D20-0B1A5E1F0001"] and restored["name"] == "app-peer"
            assert len(restored["characteristics"]) == 3
            async with AppPeer("central", fob.hci) as central:
                assert (await central.event("subscribed", LONG))["chunk"] > 100
                await both_ways(second, central, 4096)
                assert await central.exit_code(LONG) == 0
            assert second.errors == [] and "advertising" not in [event["event"] for event in second.events]
            assert [event["event"] for event in second.events].index("restored") == 0


@pytest.mark.parametrize("vanishing", [False, True])
async def test_an_app_that_is_killed_has_ended_its_connections(vanishing):
    async with KeyFob("--wait", *["--clients-vanish"][: vanishing]) as fob, AppPeer("publish", fob.hci) as publisher:
        await publisher.event("advertising", LONG)
        # It never gets all that it waits for, and so stays.
        async with AppPeer("central", fob.hci, bytes=100_000) as central:
            await central.event("subscribed", LONG)
            publisher.send(signal.SIGKILL)
            lost = await central.event("disconnected", LONG)
            # connectionTimeout, peripheralDisconnected
            assert lost["code"] == (6 if vanishing else 7)


async def test_without_background_modes_an_app_is_not_restored_and_hears_why(tmp_path):
    async with KeyFob("--wait") as fob, AppPeer("publish", fob.hci, restore="tag") as app:
        await app.event("advertising", LONG)
        assert '"bluetooth-peripheral" background mode' in await app.error_line(LONG)
    modes = {"BLUETHROAT_BACKGROUND_MODES": "bluetooth-peripheral"}
    async with KeyFob("--wait") as fob, AppPeer("publish", fob.hci, modes, restore="tag") as app:
        await app.event("advertising", LONG)
        assert app.errors == []


async def test_an_app_ends_when_it_is_interrupted():
    async with KeyFob("--wait") as fob:
        for hci in (None, fob.hci):
            async with AppPeer("publish", hci) as publisher:
                await publisher.event("advertising", LONG)
                publisher.send(signal.SIGINT)
                assert await publisher.exit_code() == -signal.SIGINT


@pytest.mark.parametrize(
    "variables",
    [
        {"BLUETHROAT_HCI": "tcp:127.0.0.1:1"},
        {"BLUETHROAT_HCI": "unix:/nowhere/hci.socket"},
        {"BLUETHROAT_HCI": "user-channel:hci99"},
        {"BLUETHROAT_HCI": "usb:0"},
        {"BLUETHROAT_PASSKEY": "12"},
        {"BLUETHROAT_BACKGROUND_MODES": "audio"},
        {"BLUETHROAT_RESTORATION": "/tmp/alone.json"},
        {"BLUETHROAT_BONDS": "/proc/nothing/bonds.sqlite"},
        {"BLUETHROAT_CAPTURE": "/nowhere/air.pcapng"},
    ],
    ids=lambda variables: next(iter(variables)) + "=" + next(iter(variables.values())),
)
async def test_a_setting_that_is_wrong_is_one_line_and_no_bluetooth(variables):
    async with AppPeer("central", variables.pop("BLUETHROAT_HCI", None), variables) as central:
        assert (await central.event("state", LONG))["state"] == 2
        assert len(central.errors) == 1 and " error bluethroat: " in central.errors[0] and "there is no Bluetooth: " in central.errors[0]


async def test_a_controller_that_never_answers_is_given_up():
    async def silence(reader, writer):
        await reader.read()
        writer.close()

    async with await asyncio.start_server(silence, "127.0.0.1", 0) as server:
        async with AppPeer("central", f"tcp:127.0.0.1:{server.sockets[0].getsockname()[1]}") as central:
            assert (await central.event("state", LONG))["state"] == 2
            assert len(central.errors) == 1


async def test_an_app_goes_on_when_the_world_is_started_again():
    port = lasting_port()
    async with KeyFob("--wait", hci_listen=f"127.0.0.1:{port}") as fob:
        central = AppPeer("central", fob.hci)
        await central.__aenter__()
        await central.event("state", LONG, state=5)
    try:
        await central.event("state", LONG, state=1)
        async with KeyFob("--wait", hci_listen=f"127.0.0.1:{port}"):
            await central.event("state", LONG, state=5)
            assert len(central.errors) == 1
    finally:
        await central.__aexit__(None)


FILE = effort(2 << 20, 500_000)
VERY_LONG = 180.0


async def test_two_apps_in_two_processes_pass_a_file_over_a_channel():
    async with KeyFob("--wait") as fob:
        async with AppPeer("publish", fob.hci, channel_receives=FILE, channel_sends=1000) as publisher:
            await publisher.event("advertising", LONG)
            async with AppPeer("central", fob.hci, channel_sends=FILE, channel_receives=1000) as central:
                channel = await central.event("channel", VERY_LONG)
                assert (channel["received"], channel["intact"]) == (1000, True)
                channel = await publisher.event("channel", LONG)
                assert (channel["received"], channel["intact"]) == (FILE, True)
                assert await central.exit_code(LONG) == 0


# With Bumble


async def discovered(peer):
    """The characteristics of the publisher's service, by their UUID."""
    await asyncio.wait_for(peer.connection.gatt_client.discover_services(), LONG)
    service = next(found for found in peer.client.services if found.uuid == SERVICE)
    found = await asyncio.wait_for(service.discover_characteristics(), LONG)
    for characteristic in found:
        await asyncio.wait_for(characteristic.discover_descriptors(), LONG)
    return {characteristic.uuid: characteristic for characteristic in found}


async def find(central):
    """The app that advertises the service."""

    def advertises(report):
        uuids = AdvertisingData.from_bytes(report.data).get(
            AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS
        )
        return SERVICE in (uuids or [])

    async with central.scanning():
        return (await central.report(advertises, LONG)).address


async def exchange_as_central(central, publisher, count=4096):
    """Bumble's half of what two apps do."""
    peer = await central.connect(await find(central), QUICK, LONG)
    await asyncio.wait_for(peer.client.request_mtu(247), LONG)
    found = await discovered(peer)
    cccd = found[OUTGOING].get_descriptor(GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR)
    await peer.subscribe(cccd.handle)
    await publisher.event("subscribed", LONG)
    rest = payload(count)
    while rest:
        await peer.write(found[INCOMING].handle, rest[:244]) if len(rest) <= 244 else await peer.write_command(
            found[INCOMING].handle, rest[:244]
        )
        rest = rest[244:]
    received = bytearray()
    while len(received) < count:
        received += (await peer.notification(LONG))[1]
    assert bytes(received) == payload(count)
    assert (await publisher.event("received", LONG))["intact"] is True
    return peer, found


async def exchange_as_peripheral(bumble, central, count=4096, psm=None, after=None):
    publisher = Publisher(bumble.device, count, psm)
    await publisher.advertise()
    peer = await bumble.connected()
    await central.event("subscribed", LONG)
    await publisher.send(peer.connection)
    received = await central.event("received", LONG)
    assert (received["bytes"], received["intact"]) == (count, True)
    if after:
        await after
    assert await central.exit_code(LONG) == 0
    assert bytes(publisher.received) == payload(count)


async def arrived(received, count):
    while len(received) < count:
        await asyncio.sleep(0.05)
    assert bytes(received) == payload(count)


@pytest.mark.parametrize("secret", [0, 1], ids=["open", "pairing"])
async def test_an_app_as_central_and_a_bumble_peripheral(secret):
    async with KeyFob("--wait") as fob, pairing_device(fob.hci, 7) as bumble:
        bumble.pairs_as(Person(NONE))
        async with AppPeer("central", fob.hci, secret=secret) as central:
            await exchange_as_peripheral(bumble, central)
            if secret:
                assert central.since(0, "secret")[0]["value"] == SECRET_VALUE.decode()
                await bumble.paired()


async def test_an_app_as_peripheral_and_a_bumble_central():
    async with KeyFob("--wait") as fob, pairing_device(fob.hci, 7) as bumble:
        bumble.pairs_as(Person(NONE))
        async with AppPeer("publish", fob.hci) as publisher:
            await publisher.event("advertising", LONG)
            peer, found = await exchange_as_central(bumble, publisher)
            assert await peer.error_of_read(found[SECRET].handle) == 0x05
            await bumble.pair(peer)
            assert await peer.read(found[SECRET].handle) == SECRET_VALUE


async def test_a_bumble_central_finds_an_app_again_that_was_killed_and_restored(tmp_path):
    """The second run publishes nothing; the service of the first is there again, at the same handles."""
    kept = {
        "BLUETHROAT_BACKGROUND_MODES": "bluetooth-peripheral",
        "BLUETHROAT_RESTORATION": str(tmp_path / "restoration.json"),
    }
    async with KeyFob("--wait") as fob, pairing_device(fob.hci, 7) as bumble:
        async with AppPeer("publish", fob.hci, kept, restore="tag") as first:
            await first.event("advertising", LONG)
            peer = await bumble.connect(await find(bumble), QUICK, LONG)
            handles = {uuid: one.handle for uuid, one in (await discovered(peer)).items()}
            first.send(signal.SIGKILL)
            assert await first.exit_code(LONG) == -signal.SIGKILL
            await peer.loss()
        async with AppPeer("publish", fob.hci, kept, restore="tag") as second:
            await second.event("restored", LONG)
            _, found = await exchange_as_central(bumble, second)
            assert {uuid: one.handle for uuid, one in found.items()} == handles
            assert second.errors == [] and not second.since(0, "advertising")


async def test_an_app_sends_a_file_to_bumble_over_a_channel():
    async with KeyFob("--wait") as fob, pairing_device(fob.hci, 7) as bumble:
        received, channels = bytearray(), asyncio.Queue()

        def opened(channel):
            channel.sink = received.extend
            channels.put_nowait(channel)

        server = bumble.device.create_l2cap_server(LeCreditBasedChannelSpec(psm=0x90), opened)

        async def take():
            channel = await channels.get()
            await arrived(received, FILE)
            await channel.disconnect()

        async with AppPeer("central", fob.hci, channel_sends=FILE) as central:
            await exchange_as_peripheral(bumble, central, psm=server.psm, after=take())
            assert central.since(0, "channel")[0]["sent"] == FILE


async def test_bumble_sends_a_file_to_an_app_over_a_channel():
    async with KeyFob("--wait") as fob, pairing_device(fob.hci, 7) as bumble:
        async with AppPeer("publish", fob.hci, channel_receives=FILE, channel_sends=5000) as publisher:
            await publisher.event("advertising", LONG)
            peer, found = await exchange_as_central(bumble, publisher)
            psm = int.from_bytes(await peer.read(found[PSM].handle), "little")
            spec = LeCreditBasedChannelSpec(psm=psm)
            channel = await asyncio.wait_for(peer.connection.create_l2cap_channel(spec), LONG)
            received = bytearray()
            channel.sink = received.extend
            channel.write(payload(FILE))
            end = await publisher.event("channel", VERY_LONG)
            assert (end["received"], end["sent"], end["intact"]) == (FILE, 5000, True)
            await arrived(received, 5000)


async def test_bonds_are_kept_where_the_process_is_told_to(tmp_path):
    variables = {"BLUETHROAT_BONDS": str(tmp_path / "bonds.sqlite")}
    async with KeyFob("--wait") as fob, pairing_device(fob.hci, 7) as bumble:
        bumble.pairs_as(Person(NONE))
        publisher = Publisher(bumble.device)
        for again in (False, True):
            async with AppPeer("central", fob.hci, variables, secret=1) as central:
                await publisher.advertise()
                peer = await bumble.connected()
                await central.event("subscribed", LONG)
                await publisher.send(peer.connection)
                assert (await central.event("secret", LONG))["value"] == SECRET_VALUE.decode()
                assert await central.exit_code(LONG) == 0
                assert central.errors == []
            await peer.loss()
            if not again:
                await bumble.paired()
        assert bumble.pairings.empty()


async def test_an_app_knows_a_peripheral_by_the_same_identifier_in_each_run():
    async with KeyFob("--wait") as fob, pairing_device(fob.hci, 7) as bumble:
        publisher = Publisher(bumble.device)
        identifiers = []
        for _ in range(2):
            async with AppPeer("central", fob.hci) as central:
                await publisher.advertise()
                peer = await bumble.connected()
                identifiers.append((await central.event("discovered", LONG))["identifier"])
                await central.event("subscribed", LONG)
                await publisher.send(peer.connection)
                assert await central.exit_code(LONG) == 0
            await peer.loss()
        assert identifiers[0] == identifiers[1]


# On Bumble's controllers


@pytest.mark.parametrize("legacy", [True, False], ids=["legacy-reports", "extended-reports"])
async def test_an_app_as_central_on_a_bumble_controller(legacy):
    air = Air()
    bumble = await on_foreign_air(air, 5)
    async with served_over_tcp(air, legacy=legacy) as hci, AppPeer("central", hci) as central:
        await exchange_as_peripheral(bumble, central)


async def test_an_app_as_peripheral_on_a_bumble_controller():
    air = Air()
    bumble = await on_foreign_air(air, 5)
    bumble.pairs_as(Person(NONE))
    async with served_over_tcp(air) as hci, AppPeer("publish", hci) as publisher:
        await publisher.event("advertising", LONG)
        peer, found = await exchange_as_central(bumble, publisher)
        assert await peer.error_of_read(found[SECRET].handle) == 0x05
        await bumble.pair(peer)
        assert await peer.read(found[SECRET].handle) == SECRET_VALUE
