"""The other way round: our host on a controller nobody here wrote, talking to hosts nobody here wrote."""

import asyncio

import bumble_controllers
import keyfob_table as table
import pytest
from bluethroat import PATIENCE, KeyFob, Process, command
from bumble_controllers import Air, served_over_pty, served_over_tcp, served_over_unix
from bumble.hci import Address
from bumble_pairing import KEYBOARD, NONE, QUICK, Person, on_foreign_air
from inspected_table import expect_the_table
from pairing_peer import PairingPeer

FOB = "F0:F1:F2:F3:F4:F5"


def serving(kind, air, folder, legacy=False):
    if kind == "tcp":
        return served_over_tcp(air, legacy=legacy)
    if kind == "unix":
        return served_over_unix(air, folder / "hci.socket", legacy=legacy)
    return served_over_pty(air, folder / "hci.pty", legacy=legacy)


@pytest.mark.parametrize("kind", ["tcp", "unix", "pty"])
@pytest.mark.parametrize("legacy", [True, False], ids=["legacy-reports", "extended-reports"])
async def test_our_central_inspects_a_bumble_peripheral(kind, legacy, tmp_path):
    air = Air()
    await bumble_controllers.key_fob(air, FOB)
    async with serving(kind, air, tmp_path, legacy) as hci:
        answer = await command("inspect", table.NAME, "--hci", hci, "--json")
        assert answer.code == 0, answer.story
        report = answer.one("report")
        assert (report["address"], report["addressType"], report["name"]) == (FOB, "random", table.NAME)
        assert answer.one("connected")["peer"] == FOB
        expect_the_table(answer, FOB)
        assert answer.events[-1]["event"] == "disconnected"


async def test_our_central_scans_on_a_bumble_controller():
    air = Air()
    await bumble_controllers.key_fob(air, FOB)
    async with served_over_tcp(air) as hci:
        answer = await command("scan", "--timeout", "2", "--hci", hci, "--json")
        assert answer.code == 0, answer.story
        report = answer.all("report")[0]
        assert report["address"] == FOB and report["connectable"] is True
        assert report["data"] == bumble_controllers.NAMED_ADVERTISEMENT.hex()
        assert report["services"] == ["1803", "1802", "1804"]


async def test_our_central_reads_and_writes_on_a_bumble_controller():
    air = Air()
    changes = []
    await bumble_controllers.key_fob(air, FOB, lambda handle, value: changes.append((handle, value)))
    async with served_over_tcp(air) as hci:
        answer = await command("read", FOB, "2A00", "--hci", hci, "--json")
        assert (answer.code, answer.one("value")["value"]) == (0, b"TI BLE Keyfob".hex()), answer.story

    async with served_over_tcp(air) as hci:
        answer = await command("write", FOB, "1803/2A06", "02", "--hci", hci, "--json")
        assert (answer.code, answer.one("written")["response"]) == (0, True), answer.story
    assert changes == [(table.LINK_LOSS_ALERT, b"\x02")]

    async with served_over_tcp(air) as hci:
        answer = await command("write", FOB, "1802/2A06", "01", "--without-response", "--hci", hci, "--json")
        assert (answer.code, answer.one("written")["response"]) == (0, False), answer.story
    assert changes[1:] == [(table.IMMEDIATE_ALERT, b"\x01")]


async def test_our_central_subscribes_on_a_bumble_controller():
    air = Air()
    fob = await bumble_controllers.key_fob(air, FOB)
    async with served_over_tcp(air) as hci:
        async with Process("subscribe", FOB, "FFE1", "--count", "2", "--hci", hci, "--json") as central:
            await central.event("subscribed", uuid="FFE1", handle=table.KEYS, kind="notification")
            await fob.notify(table.KEYS, b"\x01")
            await fob.notify(table.KEYS, b"\x00")
            assert [(await central.event("notification"))["value"] for _ in range(2)] == ["01", "00"]
            assert await central.exit_code() == 0


@pytest.mark.parametrize("kind", ["tcp", "unix", "pty"])
async def test_our_key_fob_on_a_bumble_controller_serves_a_bumble_central(kind, tmp_path):
    air = Air()
    central = await bumble_controllers.central(air)
    async with serving(kind, air, tmp_path) as hci:
        async with KeyFob("--controller", hci, hci_listen=None) as fob:
            assert fob.hci == hci
            await fob.event("advertising", on=True)
            async with central.scanning():
                report = await central.report(lambda report: report.address.to_string(False) == fob.address)
            assert bytes(report.data) == table.ADVERTISING_DATA

            peer = await central.connect(report.address)
            assert (await fob.event("connected"))["peer"] == central.address
            attributes = await peer.client.discover_attributes()
            assert [(a.handle, a.type.to_hex_str()) for a in attributes] == list(table.attributes())
            assert [(handle, await peer.read(handle)) for handle, _ in table.values(fob.address)] == list(
                table.values(fob.address)
            )
            for handle in table.refused():
                assert await peer.error_of_read(handle) == 0x02

            await peer.subscribe(table.KEYS_CCCD)
            fob.say("l")
            assert await peer.notifications(2) == [(table.KEYS, b"\x01"), (table.KEYS, b"\x00")]
            await peer.write_command(table.IMMEDIATE_ALERT, b"\x02")
            await fob.event("alert", level="high", source="immediate")
            await peer.disconnect()
            await fob.event("disconnected")
            await fob.event("alert", level="none")
            await fob.event("advertising", on=True)

            peer = await central.connect(report.address)
            assert await peer.read(table.KEYS_CCCD) == b"\x00\x00"
            await peer.disconnect()


async def test_a_controller_that_goes_away_is_one_line():
    async def hang_up(reader, writer):
        await reader.readexactly(4)
        writer.transport.abort()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        answer = await command("keyfob", "--controller", f"tcp:127.0.0.1:{port}", "--json")
        assert answer.code == 1
        assert len(answer.errors) == 1


@pytest.mark.parametrize(
    "hci",
    [
        "tcp:127.0.0.1:1",
        "unix:/nowhere/hci.socket",
        "pty:/nowhere/pty",
        "serial:/dev/nothing,115200",
        "user-channel:hci99",
    ],
)
@pytest.mark.parametrize("verb", [["scan", "--hci"], ["keyfob", "--controller"]], ids=["scan", "keyfob"])
async def test_a_controller_that_is_not_there_is_one_line(verb, hci):
    answer = await command(*verb, hci, "--json")
    assert answer.code == 1, answer.story
    assert len(answer.errors) == 1
    assert hci.partition(":")[2].partition(",")[0] in answer.errors[0]


async def test_a_controller_that_never_answers_is_given_up():
    async def silence(reader, writer):
        await reader.read()
        writer.close()

    async with await asyncio.start_server(silence, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        answer = await command("scan", "--timeout", "1", "--hci", f"tcp:127.0.0.1:{port}", "--json")
        assert answer.code == 1
        assert len(answer.errors) == 1


@pytest.mark.parametrize("secure", [False, True], ids=["legacy", "secure"])
@pytest.mark.parametrize("role", ["we-are-central", "we-are-peripheral"])
async def test_our_host_pairs_on_a_bumble_controller(role, secure):
    air = Air()
    bumble = await on_foreign_air(air, 5)
    bumble.pairs_as(Person(NONE), secure)
    async with served_over_tcp(air, legacy=True) as hci, PairingPeer(hci) as ours:
        for again in (False, True):
            if role == "we-are-central":
                await bumble.advertise("bumble 5")
                await ours.connect(bumble.identity)
                if not again:
                    ours.do("pair")
            else:
                await ours.advertise()
                peer = await bumble.connect(Address(ours.address, Address.RANDOM_DEVICE_ADDRESS), QUICK)
                await (peer.connection.encrypt() if again else bumble.pair(peer))
            encrypted = await ours.event("encryption", on=True)
            assert (encrypted["secureConnections"], encrypted["keySize"]) == (secure, 16)
            if not again:
                await bumble.paired()
                assert (await ours.event("paired"))["identity"] == bumble.identity
            await (await bumble.connected()).disconnect()
            await ours.event("disconnected")


async def test_our_key_fob_pairs_on_a_bumble_controller(tmp_path):
    air = Air()
    central = await on_foreign_air(air, 5)
    person = central.pairs_as(Person(KEYBOARD))
    person.typed.set_result(0)
    async with served_over_tcp(air) as hci:
        bonds = str(tmp_path / "bonds.sqlite")
        async with KeyFob("--controller", hci, "--require-pairing", "--bonds", bonds, hci_listen=None) as fob:
            address = Address(fob.address, Address.PUBLIC_DEVICE_ADDRESS)
            peer = await central.connect(address, QUICK)
            assert await peer.error_of_read(table.TX_POWER) == 0x05
            await central.pair(peer)
            assert (await fob.event("paired"))["authenticated"] is True
            assert await peer.read(table.TX_POWER) == b"\0"
            await peer.disconnect()
            await fob.event("disconnected")
            peer = await central.connect(address, QUICK)
            await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
            assert await peer.read(table.TX_POWER) == b"\0"
