"""Controllers that hear each other: advertising, scanning and connecting as their hosts see it, without a stack."""

import asyncio
import struct

import pytest
import raw_hci
from bluethroat import KeyFob, until
from raw_hci import (
    A_WHILE,
    ADV_DIRECT_HIGH,
    ADV_DIRECT_LOW,
    ADV_IND,
    ADV_NONCONN,
    ADV_SCAN,
    CONNECTION_COMPLETE,
    CONNECTION_UPDATE_COMPLETE,
    DATA_BUFFER_OVERFLOW,
    DATA_LENGTH_CHANGE,
    DISCONNECT,
    DISCONNECTION_COMPLETE,
    LE_META,
    NO_ADDRESS,
    PARAMETER_REQUEST,
    REPORT_DIRECT,
    REPORT_IND,
    REPORT_NONCONN,
    REPORT_SCAN,
    REPORT_SCAN_RESPONSE,
    handle_bytes,
    kinds,
    linked,
    raw_host,
    raw_hosts,
)

RANDOM = b"\1\2\3\4\5\xc6"


@pytest.mark.parametrize(
    ("kind", "passive", "active"),
    [
        (ADV_IND, {REPORT_IND}, {REPORT_IND, REPORT_SCAN_RESPONSE}),
        (ADV_SCAN, {REPORT_SCAN}, {REPORT_SCAN, REPORT_SCAN_RESPONSE}),
        (ADV_NONCONN, {REPORT_NONCONN}, {REPORT_NONCONN}),
    ],
)
async def test_each_advertising_type_is_reported_as_what_it_is(kind, passive, active):
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, scanner):
        await advertiser.advertise(kind, b"\2\1\6", response=b"\3\x09ab")
        assert kinds(await scanner.heard(advertiser.address, wanted=bool)) == passive
        reports = await scanner.heard(advertiser.address, wanted=lambda reports: kinds(reports) >= active, active=True)
        assert kinds(reports) == active
        for report in reports:
            assert report.data == (b"\3\x09ab" if report.type == REPORT_SCAN_RESPONSE else b"\2\1\6")
            assert -100 < report.rssi < 0


async def test_directed_advertising_is_for_one():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 3) as (advertiser, meant, other):
        await advertiser.advertise(ADV_DIRECT_LOW, peer=meant.address)
        reports = await meant.heard(advertiser.address, wanted=bool)
        assert kinds(reports) == {REPORT_DIRECT} and all(report.data == b"" for report in reports)
        assert await other.heard(advertiser.address) == []
        await other.connect(advertiser.address)
        await meant.connect(advertiser.address)
        assert (await meant.connection()).status == 0
        assert (await advertiser.connection()).peer == meant.address
        assert not other.waiting(LE_META, CONNECTION_COMPLETE)


async def test_high_duty_directed_advertising_gives_up_after_1_28_seconds():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, scanner):
        await scanner.scan(duplicates=True)
        began = asyncio.get_running_loop().time()
        await advertiser.advertise(ADV_DIRECT_HIGH, peer=scanner.address)
        assert (await advertiser.connection()).status == 0x3C
        assert asyncio.get_running_loop().time() - began > 0.5
        # At least one event in 3.75 ms.
        assert len(scanner.reports(advertiser.address)) > 200
        # It is over: parameters can be set.
        await advertiser.advertise(ADV_DIRECT_HIGH, peer=scanner.address)
        await scanner.connect(advertiser.address)
        assert (await scanner.connection()).status == (await advertiser.connection()).status == 0


@pytest.mark.parametrize("channels", [0b001, 0b010, 0b100])
async def test_one_channel_is_enough(channels):
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, scanner):
        await advertiser.advertise(ADV_IND, b"\2\1\6", channels=channels)
        assert await scanner.heard(advertiser.address, wanted=bool)
        await scanner.connect(advertiser.address)
        assert (await scanner.connection()).status == 0


async def test_a_tenth_of_the_time_hears_about_a_tenth():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 3) as (advertiser, always, seldom):
        await advertiser.advertise(ADV_NONCONN, b"\2\1\6")
        # Both at the same time, which is what a second is on this air.
        await seldom.scan(duplicates=True, interval=160, window=16)
        heard = await always.heard(
            advertiser.address, wanted=lambda reports: len(reports) > 80, interval=160, window=160
        )
        await seldom.stop_scanning()
        assert 0 < len(seldom.reports(advertiser.address)) < len(heard) / 3


async def test_duplicates_are_filtered_until_scanning_is_enabled_again():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, scanner):
        await advertiser.advertise(ADV_IND, b"\2\1\6", response=b"\2\x09A")
        for _ in range(2):
            reports = await scanner.heard(
                advertiser.address, wanted=lambda reports: len(reports) > 1, active=True, duplicates=False
            )
            assert sorted(report.type for report in reports) == [REPORT_IND, REPORT_SCAN_RESPONSE]
        # Enabled again while it is enabled is enabled again, too.
        await scanner.scan()
        await scanner.report()
        await scanner.do(raw_hci.LE_SET_SCAN_ENABLE, b"\1\1")
        await scanner.report()


@pytest.mark.parametrize("length", [0, 3, 31])
async def test_padding_is_not_advertised(length):
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, scanner):
        await advertiser.advertise()
        await advertiser.do(raw_hci.LE_SET_ADVERTISING_DATA, bytes([length]) + b"\xee" * 31)
        await advertiser.do(raw_hci.LE_SET_SCAN_RESPONSE_DATA, bytes([length]) + b"\xdd" * 31)
        both = {REPORT_IND, REPORT_SCAN_RESPONSE}
        reports = await scanner.heard(advertiser.address, wanted=lambda reports: kinds(reports) >= both, active=True)
        assert kinds(reports) == both
        assert {report.data for report in reports} == {b"\xee" * length, b"\xdd" * length}


@pytest.mark.parametrize("policy", range(4))
async def test_an_advertiser_lets_through_whom_its_policy_names(policy):
    """Bit 0 of the policy filters scan requests, bit 1 connection requests."""
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 3) as (advertiser, listed, stranger):
        await advertiser.do(raw_hci.LE_ADD_TO_ACCEPT_LIST, b"\0" + listed.address)
        await advertiser.advertise(ADV_IND, b"\2\1\6", policy=policy, response=b"\2\x09A")
        changed = await advertiser.status(raw_hci.LE_CLEAR_ACCEPT_LIST) if policy else 0x0C
        assert changed == 0x0C, "not while it is in use"
        for scanner, answered in ((listed, True), (stranger, not policy & 1)):
            answer = {REPORT_SCAN_RESPONSE} if answered else set()
            reports = await scanner.heard(
                advertiser.address, wanted=lambda reports: kinds(reports) >= answer, active=True
            )
            assert (REPORT_SCAN_RESPONSE in kinds(reports)) == answered
        if policy & 2:
            # The request went out, and nobody follows it.
            await stranger.connect(advertiser.address)
            link = await stranger.connection()
            assert link.status == 0
            gone = await stranger.event(DISCONNECTION_COMPLETE)
            assert gone == b"\0" + handle_bytes(link) + b"\x3e"
            assert not advertiser.waiting(LE_META, CONNECTION_COMPLETE)
            await listed.connect(advertiser.address)
        else:
            await stranger.connect(advertiser.address)
        assert (await advertiser.connection()).status == 0


async def test_scanners_and_initiators_use_the_list_too():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 3) as (central, listed, other):
        await listed.advertise()
        await other.advertise()
        await central.do(raw_hci.LE_ADD_TO_ACCEPT_LIST, b"\0" + listed.address)
        await central.scan(duplicates=True, policy=1)
        first = await central.report()
        await asyncio.sleep(A_WHILE)
        assert await central.status(raw_hci.LE_CLEAR_ACCEPT_LIST) == 0x0C
        await central.stop_scanning()
        assert {report.address for report in [first, *central.reports()]} == {listed.address}
        await central.connect(NO_ADDRESS, policy=1)
        assert (await central.connection()).peer == listed.address


async def test_random_addresses_are_used_and_told_as_such():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, central):
        await advertiser.do(raw_hci.LE_SET_RANDOM_ADDRESS, RANDOM)
        await central.do(raw_hci.LE_SET_RANDOM_ADDRESS, RANDOM[::-1][:5] + b"\xc1")
        await advertiser.advertise(own_type=1)
        reports = await central.heard(RANDOM, wanted=bool)
        assert reports and {report.address_type for report in reports} == {1}
        await central.connect(RANDOM, peer_type=0)
        await asyncio.sleep(A_WHILE)
        await central.do(raw_hci.LE_CREATE_CONNECTION_CANCEL)
        assert (await central.connection()).status == 0x02, "a public address is another one"
        await central.connect(RANDOM, peer_type=1, own_type=1)
        ours, theirs = await central.connection(), await advertiser.connection()
        assert (ours.role, ours.peer_type, ours.peer) == (0, 1, RANDOM)
        assert (theirs.role, theirs.peer_type, theirs.peer) == (1, 1, RANDOM[::-1][:5] + b"\xc1")


@pytest.mark.parametrize("kind", [ADV_SCAN, ADV_NONCONN])
async def test_what_is_not_connectable_is_not_connected_to(kind):
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, central):
        await advertiser.advertise(kind)
        await central.connect(advertiser.address)
        await asyncio.sleep(A_WHILE)
        assert not central.waiting(LE_META, CONNECTION_COMPLETE)


async def test_masked_events_do_not_come():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, scanner):
        await advertiser.advertise()
        await scanner.do(raw_hci.LE_SET_EVENT_MASK, struct.pack("<Q", 0x1D))
        assert await scanner.heard(advertiser.address) == []
        await scanner.do(raw_hci.LE_SET_EVENT_MASK, struct.pack("<Q", 0x1F))
        await scanner.do(raw_hci.SET_EVENT_MASK, struct.pack("<Q", 0x1FFF_FFFF_FFFF_FFFF))
        assert await scanner.heard(advertiser.address) == []
        await scanner.do(raw_hci.SET_EVENT_MASK, b"\xff" * 8)
        assert await scanner.heard(advertiser.address, wanted=bool)


@pytest.mark.parametrize(("mask", "subevent", "length"), [(0x1F, 0x01, 19), (0x3FF, 0x0A, 31)])
async def test_the_connection_complete_is_the_one_the_host_asked_for(mask, subevent, length):
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (central, peripheral):
        for host in (central, peripheral):
            await host.do(raw_hci.LE_SET_EVENT_MASK, struct.pack("<Q", mask))
        for link in await linked(central, peripheral, interval=24, latency=3, timeout=300):
            assert (link.subevent, len(link.body)) == (subevent, length)
            assert (link.interval, link.latency, link.timeout) == (24, 3, 300)


async def test_what_each_side_learns_of_the_other():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        for host, link in zip(hosts, await linked(*hosts)):
            handle = handle_bytes(link)
            assert await host.status(raw_hci.LE_READ_REMOTE_FEATURES, handle) == 0
            features = await host.le_event(raw_hci.REMOTE_FEATURES_COMPLETE)
            assert features[1:4] == b"\0" + handle
            assert await host.status(raw_hci.READ_REMOTE_VERSION, handle) == 0
            version = await host.event(raw_hci.READ_REMOTE_VERSION_COMPLETE)
            assert version[:3] == b"\0" + handle and version[4:6] == b"\xff\xff"
            assert (await host.do(raw_hci.LE_READ_CHANNEL_MAP, handle)).hex() == handle.hex() + "ffffffff1f"
            (rssi,) = struct.unpack("b", (await host.do(raw_hci.READ_RSSI, handle))[2:])
            assert -100 < rssi < 0


@pytest.mark.parametrize("reason", [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B])
async def test_each_side_learns_why_a_link_ended(reason):
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        for quitter in (0, 1):
            links = await linked(*hosts)
            parameters = handle_bytes(links[quitter]) + bytes([reason])
            assert await hosts[quitter].status(DISCONNECT, parameters) == 0
            expected = [bytes([0]) + handle_bytes(link) + bytes([reason]) for link in links]
            expected[quitter] = expected[quitter][:3] + b"\x16"
            assert [await host.event(DISCONNECTION_COMPLETE) for host in hosts] == expected
            assert await hosts[quitter].status(DISCONNECT, parameters) == 0x02


@pytest.mark.parametrize("timeout", [20, 150])
async def test_a_peer_that_is_gone_is_noticed_after_the_supervision_timeout(timeout):
    async with KeyFob("--wait", "--clients-vanish") as fob, raw_host(fob.port) as central:
        async with raw_host(fob.port) as peripheral:
            link, theirs = await linked(central, peripheral, timeout=timeout)
            # Else it might go before the connection is established, and that has another name.
            peripheral.send(theirs.handle, b"established")
            await central.acl()
            began = asyncio.get_running_loop().time()
        # What is never acknowledged occupies its buffers until then.
        for _ in range(12):
            central.send(link.handle, bytes(251))
        assert await central.event(DISCONNECTION_COMPLETE) == b"\0" + handle_bytes(link) + b"\x08"
        # Not before; how much later is a matter of how busy the machine is, too.
        assert asyncio.get_running_loop().time() - began > timeout / 100 - 1
        async with raw_host(fob.port) as peripheral:
            link, _ = await linked(central, peripheral)
            central.credits.clear()
            for _ in range(12):
                central.send(link.handle, bytes(251))
            await central.until(lambda: central.credits.get(link.handle) == 12 or None, "all buffers again")
            assert not central.waiting(DATA_BUFFER_OVERFLOW)


async def test_reset_ends_links_and_scans_without_a_word():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (central, peripheral):
        link, theirs = await linked(central, peripheral, timeout=50)
        peripheral.send(theirs.handle, b"established")
        await central.acl()
        await central.scan()
        await central.do(raw_hci.RESET)
        central.forget()
        assert await central.status(raw_hci.LE_READ_CHANNEL_MAP, handle_bytes(link)) == 0x02
        assert (await peripheral.event(DISCONNECTION_COMPLETE))[3] == 0x08
        assert central.events == []
        await central.start()
        await linked(central, peripheral)


async def test_a_connection_is_updated_by_either_side():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        links = await linked(*hosts)

        def update(link, interval, latency, timeout):
            return handle_bytes(link) + struct.pack("<HHHHHH", interval, interval, latency, timeout, 0, 0)

        async def updated(host):
            return struct.unpack("<BHHHH", (await host.le_event(CONNECTION_UPDATE_COMPLETE))[1:])

        assert await central.status(raw_hci.LE_CONNECTION_UPDATE, update(links[0], 24, 2, 200)) == 0
        for host, link in zip(hosts, links):
            assert await updated(host) == (0, link.handle, 24, 2, 200)

        # The central's host is asked.
        assert await peripheral.status(raw_hci.LE_CONNECTION_UPDATE, update(links[1], 40, 1, 300)) == 0
        asked = await central.le_event(PARAMETER_REQUEST)
        assert struct.unpack("<HHHHH", asked[1:]) == (links[0].handle, 40, 40, 1, 300)
        await central.do(raw_hci.LE_PARAMETER_REQUEST_REPLY, update(links[0], 40, 1, 300))
        for host, link in zip(hosts, links):
            assert await updated(host) == (0, link.handle, 40, 1, 300)

        # It says no.
        assert await peripheral.status(raw_hci.LE_CONNECTION_UPDATE, update(links[1], 80, 0, 300)) == 0
        await central.le_event(PARAMETER_REQUEST)
        await central.do(raw_hci.LE_PARAMETER_REQUEST_NEGATIVE_REPLY, handle_bytes(links[0]) + b"\x3b")
        assert (await updated(peripheral))[0] == 0x3B
        assert not central.waiting(LE_META, CONNECTION_UPDATE_COMPLETE)
        late = await central.status(raw_hci.LE_PARAMETER_REQUEST_NEGATIVE_REPLY, handle_bytes(links[0]) + b"\x3b")
        assert late == 0x0C, "nothing is being asked"

        # It does not want to be asked.
        await central.do(raw_hci.LE_SET_EVENT_MASK, struct.pack("<Q", 0x1F))
        assert await peripheral.status(raw_hci.LE_CONNECTION_UPDATE, update(links[1], 80, 0, 300)) == 0
        assert (await updated(peripheral))[0] == 0x1A


async def test_channels_the_host_calls_bad_are_left():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        links = await linked(*hosts)
        few = b"\x0f\0\0\0\x10"
        await central.do(raw_hci.LE_SET_HOST_CHANNEL_CLASSIFICATION, few)
        for host, link in zip(hosts, links):

            async def is_so(host=host, link=link):
                return await host.do(raw_hci.LE_READ_CHANNEL_MAP, handle_bytes(link)) == handle_bytes(link) + few

            await until(is_so, "the channel map of both")
        central.send(links[0].handle, b"still here")
        assert await peripheral.acl() == (links[1].handle, 2, b"still here")


async def test_data_of_any_length_arrives_and_is_accounted_for():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        links = await linked(*hosts)
        for host, link in zip(hosts, links):
            changed = handle_bytes(link) + struct.pack("<HH", 251, 2120)
            assert await host.do(raw_hci.LE_SET_DATA_LENGTH, changed) == handle_bytes(link)
        for host, link in zip(hosts, links):
            whole = struct.pack("<BHHHHH", DATA_LENGTH_CHANGE, link.handle, 251, 2120, 251, 2120)
            await host.le_event(DATA_LENGTH_CHANGE, lambda body: body == whole)
        payloads = [bytes([number]) * length for number, length in enumerate((1, 27, 28, 250, 251, 251) * 2)]
        for sender, receiver in ((0, 1), (1, 0)):
            for payload in payloads:
                hosts[sender].send(links[sender].handle, payload)
            for payload in payloads:
                # A central may send the beginning of a packet at the end of an event, and the rest in the next.
                handle, boundary, data = await hosts[receiver].acl()
                assert (handle, boundary) == (links[receiver].handle, 2)
                while len(data) < len(payload):
                    handle, boundary, rest = await hosts[receiver].acl()
                    assert (handle, boundary) == (links[receiver].handle, 1)
                    data += rest
                assert data == payload
            credits = hosts[sender].credits
            await hosts[sender].until(lambda: credits.get(links[sender].handle) == 12 or None, "completed packets")


async def test_more_data_than_there_are_buffers_is_an_overflow():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (central, peripheral):
        link, _ = await linked(central, peripheral)
        for number in range(60):
            central.send(link.handle, bytes([number]) * 27)
        await central.event(DATA_BUFFER_OVERFLOW)
        await central.until(lambda: central.credits.get(link.handle, 0) >= 12 or None, "completed packets")
        received = [await peripheral.acl() for _ in range(12)]
        assert [data[0] for _, _, data in received] == list(range(12)), "what came in time is in order"
        central.send(link.handle, b"after")
        while (await peripheral.acl())[2] != b"after":
            pass


async def test_thirty_two_links_and_no_more():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 34) as (central, *peripherals, late):
        links = [await linked(central, peripheral, interval=80, timeout=1000) for peripheral in peripherals]
        assert len({ours.handle for ours, _ in links}) == 32
        await late.advertise()
        assert await central.status(raw_hci.LE_CREATE_CONNECTION, raw_hci.create_connection(late.address)) == 0x09
        for number, (peripheral, (_, theirs)) in enumerate(zip(peripherals, links)):
            peripheral.send(theirs.handle, bytes([number]))
        arrived = sorted([await central.acl() for _ in links])
        assert arrived == sorted((ours.handle, 2, bytes([number])) for number, (ours, _) in enumerate(links))
        assert not central.waiting(DISCONNECTION_COMPLETE)


async def test_one_controller_does_everything_at_once():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 3) as (middle, below, above):
        await middle.scan(duplicates=True)
        down, _ = await linked(middle, below)
        _, up = await linked(above, middle)
        await middle.advertise(ADV_NONCONN, b"\2\1\6")
        assert await above.heard(middle.address, wanted=bool)
        await below.advertise(ADV_NONCONN, b"\2\1\6")
        middle.reports()
        await middle.report(lambda report: report.address == below.address)
        middle.send(down.handle, b"down")
        middle.send(up.handle, b"up")
        assert (await below.acl())[2] == b"down" and (await above.acl())[2] == b"up"
        assert await middle.status(raw_hci.LE_CREATE_CONNECTION, raw_hci.create_connection(below.address)) == 0x0B
