"""Privacy in our controllers, asked for with bare commands: what is on the air for strangers, and for friends."""

import asyncio
import struct

import captures
import pytest
import raw_hci
from bluethroat import KeyFob
from bumble import crypto
from raw_hci import (
    A_WHILE,
    ADV_DIRECT_LOW,
    ADV_IND,
    ADV_NONCONN,
    COMMAND_COMPLETE,
    CONNECTION_COMPLETE,
    DIRECTED_ADVERTISING_REPORT,
    DISCONNECTION_COMPLETE,
    ENHANCED_CONNECTION_COMPLETE,
    LE_META,
    NO_ADDRESS,
    REPORT_DIRECT,
    REPORT_IND,
    REPORT_SCAN_RESPONSE,
    advertising_parameters,
    kinds,
    listen_to_everything,
    raw_host,
    raw_hosts,
)

UNKNOWN, FULL, DISALLOWED, INVALID_PARAMETERS, NEVER_ESTABLISHED = 0x02, 0x07, 0x0C, 0x12, 0x3E
NO_KEY = bytes(16)
KEY_A, KEY_B, KEY_C = (bytes([number]) * 16 for number in (0xA1, 0xB2, 0xC3))
STATIC = b"\1\2\3\4\5\xc6"
PRIVATE_OR_PUBLIC, PRIVATE_OR_RANDOM = 2, 3
PUBLIC, RANDOM, PUBLIC_IDENTITY, RANDOM_IDENTITY = range(4)
NETWORK_PRIVACY, DEVICE_PRIVACY = 0, 1

# Opcode: length of parameters; of return parameters; bit in the mask.
COMMANDS = {
    raw_hci.LE_ADD_TO_RESOLVING_LIST: (39, 1, (34, 3)),
    raw_hci.LE_REMOVE_FROM_RESOLVING_LIST: (7, 1, (34, 4)),
    raw_hci.LE_CLEAR_RESOLVING_LIST: (0, 1, (34, 5)),
    raw_hci.LE_READ_RESOLVING_LIST_SIZE: (0, 2, (34, 6)),
    raw_hci.LE_READ_PEER_RESOLVABLE_ADDRESS: (7, 7, (34, 7)),
    raw_hci.LE_READ_LOCAL_RESOLVABLE_ADDRESS: (7, 7, (35, 0)),
    raw_hci.LE_SET_ADDRESS_RESOLUTION_ENABLE: (1, 1, (35, 1)),
    raw_hci.LE_SET_RESOLVABLE_ADDRESS_TIMEOUT: (2, 1, (35, 2)),
    raw_hci.LE_SET_PRIVACY_MODE: (8, 1, (39, 2)),
}


def is_resolvable(address):
    return address[5] >> 6 == 0b01


def resolves(address, key):
    """Whether an address was made with a key. Core 6.0, Vol 6, Part B, 1.3.2.3."""
    return is_resolvable(address) and crypto.ah(key, address[3:])[:3] == address[:3]


def entry(peer, peer_key, local_key, peer_type=PUBLIC):
    return bytes([peer_type]) + peer + peer_key + local_key


def identity(host, kind=PUBLIC):
    return bytes([kind]) + host.address


async def know(host, peer, peer_key, local_key, peer_type=PUBLIC, address=None):
    """Puts a peer into the resolving list, which is in use from then on."""
    await host.do(
        raw_hci.LE_ADD_TO_RESOLVING_LIST, entry(address or peer.address, peer_key, local_key, peer_type)
    )
    await host.do(raw_hci.LE_SET_ADDRESS_RESOLUTION_ENABLE, b"\1")


def addresses(reports):
    return {(report.address_type, report.address) for report in reports}


# The commands


async def test_the_mask_names_the_commands_and_each_is_answered_in_its_form():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        mask = await host.do(raw_hci.READ_LOCAL_SUPPORTED_COMMANDS)
        for opcode, (length, returned, (octet, bit)) in COMMANDS.items():
            assert mask[octet] >> bit & 1, f"0x{opcode:04X} is not in the mask"
            for wrong in {0, 1, length - 1, length + 1, 255} - {length, -1}:
                hint = f"0x{opcode:04X} of {wrong} bytes"
                code, answer = await host.ask(opcode, bytes(wrong))
                assert code == COMMAND_COMPLETE and len(answer) == returned, hint
                assert answer[0] == INVALID_PARAMETERS, hint
        features = int.from_bytes(await host.do(raw_hci.LE_READ_LOCAL_FEATURES), "little")
        assert features >> 6 & 1, "LL Privacy"


async def test_the_resolving_list_has_the_size_it_says_and_each_peer_once():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        (size,) = await host.do(raw_hci.LE_READ_RESOLVING_LIST_SIZE)
        assert size >= 1

        def peer(number):
            return bytes([number, 0, 0, 0, 0, 0])

        def key(number):
            return bytes([number + 1]) * 16

        for number in range(size):
            await host.do(raw_hci.LE_ADD_TO_RESOLVING_LIST, entry(peer(number), key(number), KEY_A))
        assert (await host.do(raw_hci.LE_READ_RESOLVING_LIST_SIZE)) == bytes([size]), "what it can hold"
        more = entry(peer(size), key(size), KEY_A)
        assert await host.status(raw_hci.LE_ADD_TO_RESOLVING_LIST, more) == FULL
        await host.do(raw_hci.LE_REMOVE_FROM_RESOLVING_LIST, b"\0" + peer(0))
        # The same address again, and the same key for another address. 7.8.38.
        for again in [entry(peer(1), key(size), KEY_A), entry(peer(size), key(1), KEY_A)]:
            assert await host.status(raw_hci.LE_ADD_TO_RESOLVING_LIST, again) == INVALID_PARAMETERS
        # The same six bytes of the other kind are another address.
        await host.do(raw_hci.LE_ADD_TO_RESOLVING_LIST, entry(peer(1), key(size), KEY_A, RANDOM))
        assert await host.status(raw_hci.LE_REMOVE_FROM_RESOLVING_LIST, b"\0" + peer(0)) == UNKNOWN
        await host.do(raw_hci.LE_CLEAR_RESOLVING_LIST)
        assert await host.status(raw_hci.LE_REMOVE_FROM_RESOLVING_LIST, b"\0" + peer(1)) == UNKNOWN
        # Peers without a key may be many.
        for number in range(2):
            await host.do(raw_hci.LE_ADD_TO_RESOLVING_LIST, entry(peer(number), NO_KEY, KEY_A))
        await host.do(raw_hci.RESET)
        assert await host.status(raw_hci.LE_REMOVE_FROM_RESOLVING_LIST, b"\0" + peer(0)) == UNKNOWN


async def test_values_out_of_range_are_refused():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        await host.do(raw_hci.LE_ADD_TO_RESOLVING_LIST, entry(STATIC, KEY_A, KEY_B, RANDOM))
        refusals = {
            "an identity of type 2": (raw_hci.LE_ADD_TO_RESOLVING_LIST, entry(STATIC, KEY_C, KEY_B, 2)),
            "resolution by two": (raw_hci.LE_SET_ADDRESS_RESOLUTION_ENABLE, b"\2"),
            "a timeout of nothing": (raw_hci.LE_SET_RESOLVABLE_ADDRESS_TIMEOUT, struct.pack("<H", 0)),
            "more than an hour": (raw_hci.LE_SET_RESOLVABLE_ADDRESS_TIMEOUT, struct.pack("<H", 0x0E11)),
            "a privacy mode 2": (raw_hci.LE_SET_PRIVACY_MODE, b"\1" + STATIC + b"\2"),
        }
        for name, (opcode, parameters) in refusals.items():
            assert await host.status(opcode, parameters) == INVALID_PARAMETERS, name
        for seconds in (1, 0x0E10, 0x384):
            await host.do(raw_hci.LE_SET_RESOLVABLE_ADDRESS_TIMEOUT, struct.pack("<H", seconds))
        for mode in (DEVICE_PRIVACY, NETWORK_PRIVACY):
            await host.do(raw_hci.LE_SET_PRIVACY_MODE, b"\1" + STATIC + bytes([mode]))


async def test_a_peer_that_is_not_in_the_list_is_unknown():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        for opcode, rest in {
            raw_hci.LE_REMOVE_FROM_RESOLVING_LIST: b"",
            raw_hci.LE_READ_PEER_RESOLVABLE_ADDRESS: b"",
            raw_hci.LE_READ_LOCAL_RESOLVABLE_ADDRESS: b"",
            raw_hci.LE_SET_PRIVACY_MODE: b"\0",
        }.items():
            code, answer = await host.ask(opcode, b"\1" + STATIC + rest)
            assert (code, answer[0], len(answer)) == (COMMAND_COMPLETE, UNKNOWN, COMMANDS[opcode][1]), f"0x{opcode:04X}"


async def test_the_list_is_left_alone_while_it_is_in_use():
    changes = {
        raw_hci.LE_ADD_TO_RESOLVING_LIST: entry(b"\1\0\0\0\0\0", KEY_B, KEY_C),
        raw_hci.LE_REMOVE_FROM_RESOLVING_LIST: b"\1" + STATIC,
        raw_hci.LE_CLEAR_RESOLVING_LIST: b"",
        raw_hci.LE_SET_PRIVACY_MODE: b"\1" + STATIC + b"\1",
    }
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        await host.do(raw_hci.LE_ADD_TO_RESOLVING_LIST, entry(STATIC, KEY_A, KEY_B, RANDOM))

        async def refused(what, resolving):
            # 7.8.44: resolution itself is never switched while something is under way.
            enable = bytes([not resolving])
            assert await host.status(raw_hci.LE_SET_ADDRESS_RESOLUTION_ENABLE, enable) == DISALLOWED, what
            if resolving:
                for opcode, parameters in changes.items():
                    assert await host.status(opcode, parameters) == DISALLOWED, f"0x{opcode:04X} while {what}"
            await host.do(raw_hci.LE_SET_RESOLVABLE_ADDRESS_TIMEOUT, struct.pack("<H", 900))

        for resolving in (True, False):
            await host.do(raw_hci.LE_SET_ADDRESS_RESOLUTION_ENABLE, bytes([resolving]))
            await host.advertise(ADV_NONCONN)
            await refused("advertising", resolving)
            await host.stop_advertising()
            await host.scan()
            await refused("scanning", resolving)
            await host.stop_scanning()
            await host.connect(b"\1\2\3\4\5\6")
            await refused("connecting", resolving)
            await host.do(raw_hci.LE_CREATE_CONNECTION_CANCEL)
            assert (await host.connection()).status == 0x02
        # Without resolution the list may change under an advertiser.
        await host.advertise(ADV_NONCONN)
        for opcode, parameters in changes.items():
            if opcode != raw_hci.LE_SET_PRIVACY_MODE:
                await host.do(opcode, parameters)


# On the air


@pytest.mark.parametrize("own_type", [PRIVATE_OR_PUBLIC, PRIVATE_OR_RANDOM])
async def test_a_private_advertiser_shows_an_address_that_only_friends_can_resolve(own_type):
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 3) as (advertiser, friend, stranger):
        await know(advertiser, friend, KEY_B, KEY_A)
        await advertiser.do(raw_hci.LE_SET_RANDOM_ADDRESS, STATIC)
        mine = (PUBLIC, advertiser.address) if own_type == PRIVATE_OR_PUBLIC else (RANDOM, STATIC)
        await know(friend, advertiser, KEY_A, KEY_B, mine[0], mine[1])
        await advertiser.advertise(ADV_IND, b"\2\1\6", own_type=own_type, peer=friend.address, response=b"\3\x09ab")
        seen = await stranger.heard(wanted=bool)
        assert len(addresses(seen)) == 1
        ((kind, address),) = addresses(seen)
        assert kind == RANDOM and resolves(address, KEY_A)
        local = await advertiser.do(raw_hci.LE_READ_LOCAL_RESOLVABLE_ADDRESS, identity(friend))
        assert local == address
        # The friend is told who it is: an identity address, as its type says. It asks with a private address itself.
        for active in (False, True):
            expected = {REPORT_IND, REPORT_SCAN_RESPONSE} if active else {REPORT_IND}
            seen = await friend.heard(
                wanted=lambda reports: kinds(reports) >= expected, active=active, own_type=PRIVATE_OR_PUBLIC
            )
            assert addresses(seen) == {(mine[0] + 2, mine[1])}
            assert kinds(seen) == expected
        assert await friend.do(raw_hci.LE_READ_PEER_RESOLVABLE_ADDRESS, bytes([mine[0]]) + mine[1]) == address
        # Without resolution the friend sees what strangers see.
        await friend.do(raw_hci.LE_SET_ADDRESS_RESOLUTION_ENABLE, b"\0")
        assert addresses(await friend.heard(wanted=bool)) == {(RANDOM, address)}


async def test_without_an_entry_or_a_key_there_is_no_private_address():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, scanner):
        await know(advertiser, scanner, KEY_B, NO_KEY)
        await advertiser.do(raw_hci.LE_SET_RANDOM_ADDRESS, STATIC)
        for peer in (b"\x09" * 6, scanner.address):
            for own_type, seen in [
                (PRIVATE_OR_PUBLIC, (PUBLIC, advertiser.address)),
                (PRIVATE_OR_RANDOM, (RANDOM, STATIC)),
            ]:
                await advertiser.advertise(ADV_NONCONN, b"\2\1\6", own_type=own_type, peer=peer)
                assert addresses(await scanner.heard(wanted=bool)) == {seen}
                await advertiser.stop_advertising()


async def test_the_address_changes_when_its_time_is_over():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 3) as (advertiser, friend, stranger):
        await know(advertiser, friend, KEY_B, KEY_A)
        await know(friend, advertiser, KEY_A, KEY_B)
        await advertiser.do(raw_hci.LE_SET_RESOLVABLE_ADDRESS_TIMEOUT, struct.pack("<H", 1))
        await advertiser.advertise(ADV_IND, b"\2\1\6", own_type=PRIVATE_OR_PUBLIC, peer=friend.address)
        await friend.scan(duplicates=True)
        began = asyncio.get_running_loop().time()
        seen = await stranger.heard(wanted=lambda reports: len(addresses(reports)) >= 4)
        passed = asyncio.get_running_loop().time() - began
        await friend.stop_scanning()
        order = list(dict.fromkeys(report.address for report in seen))
        assert 4 <= len(order) <= passed + 3 and all(resolves(address, KEY_A) for address in order)
        # Each for its time and never again.
        changes = [a.address for a, b in zip(seen, seen[1:]) if a.address != b.address]
        assert len(changes) == len(order) - 1
        assert addresses(friend.reports()) == {(PUBLIC_IDENTITY, advertiser.address)}


async def test_the_plain_event_has_no_word_for_identities():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (central, peripheral):
        await know(peripheral, central, KEY_B, KEY_A)
        await know(central, peripheral, KEY_A, KEY_B)
        await peripheral.advertise(ADV_IND, own_type=PRIVATE_OR_PUBLIC, peer=central.address)
        await central.connect(peripheral.address, own_type=PRIVATE_OR_PUBLIC, peer_type=PUBLIC_IDENTITY)
        for host, key in [(central, KEY_A), (peripheral, KEY_B)]:
            link = await host.connection()
            assert (link.subevent, link.status, link.peer_type) == (CONNECTION_COMPLETE, 0, RANDOM)
            assert resolves(link.peer, key)


async def test_friends_meet_without_an_identity_on_the_air(tmp_path):
    air = tmp_path / "air.pcapng"
    async with KeyFob("--wait", "--capture", str(air)) as fob, raw_hosts(fob.port, 2) as (central, peripheral):
        await listen_to_everything(central, peripheral)
        await know(peripheral, central, KEY_B, KEY_A)
        await know(central, peripheral, KEY_A, KEY_B)
        await peripheral.advertise(ADV_IND, own_type=PRIVATE_OR_PUBLIC, peer=central.address, response=b"\3\x09ab")
        # An active scan first, which sends requests.
        answered = {"wanted": lambda reports: REPORT_SCAN_RESPONSE in kinds(reports)}
        await central.heard(active=True, own_type=PRIVATE_OR_PUBLIC, **answered)
        await central.connect(peripheral.address, own_type=PRIVATE_OR_PUBLIC, peer_type=PUBLIC_IDENTITY)
        ours, theirs = await central.connection(), await peripheral.connection()
        for link, other, mine, its in [(ours, peripheral, KEY_B, KEY_A), (theirs, central, KEY_A, KEY_B)]:
            assert link.subevent == ENHANCED_CONNECTION_COMPLETE and link.status == 0 and len(link.body) == 31
            assert (link.peer_type, link.peer) == (PUBLIC_IDENTITY, other.address)
            assert resolves(link.local_private, mine) and resolves(link.peer_private, its)
        assert (ours.local_private, ours.peer_private) == (theirs.peer_private, theirs.local_private)
        assert (ours.role, theirs.role) == (0, 1)
        central.send(ours.handle, b"hello")
        assert (await peripheral.acl())[2] == b"hello"
        read = await central.do(raw_hci.LE_READ_PEER_RESOLVABLE_ADDRESS, identity(peripheral))
        assert read == ours.peer_private
    for frame in captures.frames(air):
        assert central.address not in frame and peripheral.address not in frame
    assert captures.complaints(air) == []


async def test_without_privacy_the_enhanced_event_has_no_private_addresses():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (central, peripheral):
        await listen_to_everything(central, peripheral)
        ours, theirs = await raw_hci.linked(central, peripheral)
        for link, other in [(ours, peripheral), (theirs, central)]:
            assert link.subevent == ENHANCED_CONNECTION_COMPLETE
            assert (link.peer_type, link.peer) == (PUBLIC, other.address)
            assert link.local_private == link.peer_private == NO_ADDRESS


async def test_a_private_address_from_its_host_is_resolved_just_the_same():
    """The peer's host rotates by itself, as Bumble's does; only our controller knows a list."""
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (central, peripheral):
        await listen_to_everything(central, peripheral)
        await know(central, peripheral, KEY_A, NO_KEY)
        prand = b"\x12\x34\x56"
        private = crypto.ah(KEY_A, prand)[:3] + prand
        assert resolves(private, KEY_A)
        await peripheral.do(raw_hci.LE_SET_RANDOM_ADDRESS, private)
        await peripheral.advertise(own_type=RANDOM)
        assert addresses(await central.heard(wanted=bool)) == {(PUBLIC_IDENTITY, peripheral.address)}
        await central.connect(peripheral.address, peer_type=PUBLIC_IDENTITY)
        ours, theirs = await central.connection(), await peripheral.connection()
        assert (ours.peer_type, ours.peer, ours.peer_private) == (PUBLIC_IDENTITY, peripheral.address, private)
        assert ours.local_private == NO_ADDRESS
        assert (theirs.peer_type, theirs.peer) == (PUBLIC, central.address)
        assert theirs.local_private == theirs.peer_private == NO_ADDRESS


# Who is let in


async def test_the_accept_list_knows_friends_by_their_identity():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 3) as (advertiser, scanner, other):
        await listen_to_everything(scanner)
        await know(advertiser, scanner, KEY_B, KEY_A)
        await know(scanner, advertiser, KEY_A, KEY_B)
        await other.advertise(ADV_NONCONN, b"\2\1\6")
        await advertiser.advertise(ADV_IND, b"\2\1\6", own_type=PRIVATE_OR_PUBLIC, peer=scanner.address)
        assert await scanner.heard(policy=1) == [], "nobody is in the list"
        await scanner.do(raw_hci.LE_ADD_TO_ACCEPT_LIST, identity(advertiser))
        assert addresses(await scanner.heard(wanted=bool, policy=1)) == {(PUBLIC_IDENTITY, advertiser.address)}
        # Whoever is in the list, by address and key, is who is connected to.
        await scanner.connect(NO_ADDRESS, policy=1, own_type=PRIVATE_OR_PUBLIC)
        link = await scanner.connection()
        assert (link.status, link.peer_type, link.peer) == (0, PUBLIC_IDENTITY, advertiser.address)


async def test_an_advertiser_lets_in_friends_only():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 3) as (advertiser, friend, stranger):
        await listen_to_everything(advertiser, friend, stranger)
        await know(advertiser, friend, KEY_B, KEY_A)
        await know(friend, advertiser, KEY_A, KEY_B)
        await advertiser.do(raw_hci.LE_ADD_TO_ACCEPT_LIST, identity(friend))
        # Scan and connect requests from the list only.
        await advertiser.advertise(
            ADV_IND, b"\2\1\6", own_type=PRIVATE_OR_PUBLIC, peer=friend.address, policy=3, response=b"\3\x09ab"
        )
        seen = await stranger.heard(wanted=bool, active=True)
        assert kinds(seen) == {REPORT_IND}
        private = seen[0].address
        await stranger.connect(private, peer_type=RANDOM)
        # An initiator cannot know that it was not listened to.
        if (await stranger.connection()).status == 0:
            assert (await stranger.event(DISCONNECTION_COMPLETE))[3] == NEVER_ESTABLISHED
        assert not advertiser.waiting(LE_META, ENHANCED_CONNECTION_COMPLETE)
        both = {REPORT_IND, REPORT_SCAN_RESPONSE}
        seen = await friend.heard(
            wanted=lambda reports: kinds(reports) >= both, active=True, own_type=PRIVATE_OR_PUBLIC
        )
        assert kinds(seen) == both
        await friend.connect(advertiser.address, own_type=PRIVATE_OR_PUBLIC, peer_type=PUBLIC_IDENTITY)
        assert (await friend.connection()).status == 0
        link = await advertiser.connection()
        assert (link.peer_type, link.peer) == (PUBLIC_IDENTITY, friend.address)


async def test_who_has_a_key_is_not_believed_without_it():
    """Network privacy mode: an identity address that should have been hidden may be anybody's. Vol 6, Part B, 6."""
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, scanner):
        await know(scanner, advertiser, KEY_A, KEY_B)
        await advertiser.advertise(ADV_IND, b"\2\1\6")
        assert await scanner.heard() == []
        await scanner.connect(advertiser.address)
        await asyncio.sleep(A_WHILE)
        await scanner.do(raw_hci.LE_CREATE_CONNECTION_CANCEL)
        assert (await scanner.connection()).status == 0x02

        await scanner.do(raw_hci.LE_SET_PRIVACY_MODE, identity(advertiser) + bytes([DEVICE_PRIVACY]))
        assert addresses(await scanner.heard(wanted=bool)) == {(PUBLIC, advertiser.address)}
        await scanner.connect(advertiser.address)
        assert (await scanner.connection()).status == 0


async def test_a_peer_whose_key_is_zero_is_believed():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, scanner):
        await know(scanner, advertiser, NO_KEY, KEY_B)
        await advertiser.advertise(ADV_IND, b"\2\1\6")
        assert addresses(await scanner.heard(wanted=bool)) == {(PUBLIC, advertiser.address)}


@pytest.mark.parametrize("mode", [NETWORK_PRIVACY, DEVICE_PRIVACY])
async def test_an_advertiser_believes_an_initiator_by_its_privacy_mode(mode):
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, central):
        await know(advertiser, central, KEY_B, KEY_A)
        await advertiser.do(raw_hci.LE_SET_PRIVACY_MODE, identity(central) + bytes([mode]))
        await advertiser.advertise(ADV_IND, own_type=PRIVATE_OR_PUBLIC, peer=central.address)
        private = (await central.heard(wanted=bool))[0].address
        await central.connect(private, peer_type=RANDOM)
        if mode == DEVICE_PRIVACY:
            assert (await central.connection()).status == 0
            assert (await advertiser.connection()).peer == central.address
        else:
            if (await central.connection()).status == 0:
                assert (await central.event(DISCONNECTION_COMPLETE))[3] == NEVER_ESTABLISHED
            assert not advertiser.waiting(LE_META)


# Directed


async def test_directed_advertising_hides_who_is_meant(tmp_path):
    air = tmp_path / "air.pcapng"
    async with KeyFob("--wait", "--capture", str(air)) as fob, raw_hosts(fob.port, 3) as (advertiser, meant, other):
        await listen_to_everything(advertiser, meant, other)
        await know(advertiser, meant, KEY_B, KEY_A)
        await know(meant, advertiser, KEY_A, KEY_B)
        await advertiser.advertise(ADV_DIRECT_LOW, own_type=PRIVATE_OR_PUBLIC, peer=meant.address)
        seen = await meant.heard(wanted=bool, own_type=PRIVATE_OR_PUBLIC)
        assert addresses(seen) == {(PUBLIC_IDENTITY, advertiser.address)}
        assert kinds(seen) == {REPORT_DIRECT}
        # Not for others; and with the extended policy, for a host that resolves by itself.
        assert await other.heard() == []
        assert not other.waiting(LE_META, DIRECTED_ADVERTISING_REPORT)
        await other.scan(duplicates=True, policy=2)
        body = await other.le_event(DIRECTED_ADVERTISING_REPORT)
        await other.stop_scanning()
        assert len(body) == 18 and body[1:3] == b"\1\1"
        assert body[3] == RANDOM and resolves(body[4:10], KEY_A)
        assert body[10] == RANDOM and resolves(body[11:17], KEY_B)
        assert -110 < struct.unpack("b", body[17:])[0] < 0
        assert not other.reports()

        await meant.connect(advertiser.address, own_type=PRIVATE_OR_PUBLIC, peer_type=PUBLIC_IDENTITY)
        ours, theirs = await meant.connection(), await advertiser.connection()
        assert (ours.status, theirs.status) == (0, 0)
        assert (theirs.peer_type, theirs.peer) == (PUBLIC_IDENTITY, meant.address)
    for frame in captures.frames(air):
        assert advertiser.address not in frame and meant.address not in frame


async def test_directed_reports_are_told_to_those_who_want_to_know():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (advertiser, other):
        await know(advertiser, other, KEY_B, KEY_A)
        await advertiser.advertise(ADV_DIRECT_LOW, own_type=PRIVATE_OR_PUBLIC, peer=other.address)
        await other.scan(duplicates=True, policy=2)
        await asyncio.sleep(A_WHILE)
        assert not other.waiting(LE_META), "bit 10 is not set after a reset"


# Two at once


async def test_each_friend_is_shown_an_address_of_its_own_key():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 4) as (advertiser, first, second, stranger):
        await know(advertiser, first, KEY_B, KEY_A)
        await know(advertiser, second, KEY_C, bytes(range(16)))
        for friend, key in [(first, KEY_A), (second, bytes(range(16)))]:
            await advertiser.advertise(ADV_NONCONN, b"\2\1\6", own_type=PRIVATE_OR_PUBLIC, peer=friend.address)
            ((kind, address),) = addresses(await stranger.heard(wanted=bool))
            assert kind == RANDOM and resolves(address, key)
            await advertiser.stop_advertising()


async def test_the_own_address_types_are_four():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        for own_type, status in [(0, 0), (2, 0), (4, INVALID_PARAMETERS), (255, INVALID_PARAMETERS)]:
            parameters = advertising_parameters(own_type=own_type)
            assert await host.status(raw_hci.LE_SET_ADVERTISING_PARAMETERS, parameters) == status
        # No entry fits and there is no random address to fall back on. 7.8.9.
        await host.do(raw_hci.LE_SET_ADVERTISING_PARAMETERS, advertising_parameters(own_type=PRIVATE_OR_RANDOM))
        assert await host.status(raw_hci.LE_SET_ADVERTISING_ENABLE, b"\1") == INVALID_PARAMETERS
