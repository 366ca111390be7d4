"""Our host pairs with Bumble's, both ways round, by each method that Bumble has; and again, and wrongly.

Ours is `pairing-peer` on a controller of ours, Bumble's on another; the words of both are those of the specification.
"""

import asyncio
import secrets
from contextlib import AsyncExitStack, asynccontextmanager

import captures
import link_sniffer
import pytest
from bluethroat import PATIENCE, KeyFob
from bumble.core import ProtocolError
from bumble.device import Device
from bumble.hci import Address, HCI_Error
from bumble.smp import OobSharedData
from bumble.transport import open_transport
from bumble_pairing import (
    A_PASSKEY,
    DISPLAY,
    IO_NAMES,
    KEYBOARD,
    KEYBOARD_DISPLAY,
    NONE,
    QUICK,
    YES_NO,
    Person,
    configuration,
    pairing_device,
    powered_on,
)
from keyfob_table import NAME
from pairing_peer import AUTHENTICATED, AUTHORIZED, ENCRYPTED, LONG_KEY, OPEN, SECURE, PairingPeer

KEY_MISSING = 0x06
CONFIRM_VALUE_FAILED, AUTHENTICATION_REQUIREMENTS, PAIRING_NOT_SUPPORTED = 0x04, 0x03, 0x05
ENCRYPTION_KEY_SIZE, NUMERIC_COMPARISON_FAILED = 0x06, 0x0C
INSUFFICIENT_AUTHENTICATION, INSUFFICIENT_AUTHORIZATION, SHORT_KEY, INSUFFICIENT_ENCRYPTION = 0x05, 0x08, 0x0C, 0x0F
CENTRAL, PERIPHERAL = "we-are-central", "we-are-peripheral"
BOTH_ROLES = pytest.mark.parametrize("role", [CENTRAL, PERIPHERAL])
BOTH_KINDS = pytest.mark.parametrize("secure", [pytest.param(False, id="legacy"), pytest.param(True, id="secure")])

# Ours and Bumble's, and what becomes of it as central and as peripheral; legacy and with Secure Connections where these
# differ. Core 6.0, Vol 3, Part H, 2.3.5.1, table 2.8.
METHODS = {
    "nobody-is-asked": (NONE, NONE, "just works"),
    "we-type": (KEYBOARD, DISPLAY, "we type"),
    "it-types": (DISPLAY, KEYBOARD, "it types"),
    "both-type": (KEYBOARD, KEYBOARD, "both type"),
    "both-compare": (YES_NO, YES_NO, ("just works", "comparison")),
    "both-can-all": (KEYBOARD_DISPLAY, KEYBOARD_DISPLAY, ("peripheral types", "comparison")),
    "out-of-band": (NONE, NONE, "out of band"),
}


class Pair:
    """Our host and Bumble's, and which of them is the central."""

    def __init__(self, fob, ours, bumble, role):
        self.fob, self.ours, self.bumble, self.role = fob, ours, bumble, role

    async def connect(self, identity=None):
        """Connects; Bumble's end of it. `identity` is by whom the central knows the other, if not by its address."""
        if self.role == CENTRAL:
            await self.bumble.advertise("bumble")
            # Whoever is looked for by identity is found whatever the address.
            await self.ours.connect(identity or self.bumble.device.random_address.to_string(False))
            return await self.bumble.connected()
        await self.ours.advertise()
        address = Address(identity or self.ours.address, Address.RANDOM_DEVICE_ADDRESS)
        peer = await self.bumble.connect(address, QUICK)
        await self.bumble.connected()
        await self.ours.event("connected")
        return peer

    async def disconnect(self, peer):
        await peer.disconnect()
        await self.ours.event("disconnected")

    async def begin(self, peer, **settings):
        """Has the central pair."""
        if self.role == CENTRAL:
            self.ours.do("pair", **settings)
        else:
            if settings:
                await self.ours.set(**settings)
            await self.bumble.pair(peer)

    async def pair(self, peer, **settings):
        """All of it; what either has of it."""
        await self.begin(peer, **settings)
        theirs = await self.bumble.paired()
        await self.ours.event("encryption", on=True)
        return await self.ours.event("paired"), theirs


@asynccontextmanager
async def world(role, *arguments, private=False, offload=False, **settings):
    async with AsyncExitStack() as stack:
        fob = await stack.enter_async_context(KeyFob("--wait", *arguments))
        bumble = await stack.enter_async_context(pairing_device(fob.hci, 1, private, offload=offload))
        ours = await stack.enter_async_context(PairingPeer(fob.hci, private=private, **settings))
        yield Pair(fob, ours, bumble, role)


def expectation(method, secure, role):
    """Each side's capability, and the method that must come of them."""
    ours, theirs, expected = METHODS[method]
    if isinstance(expected, tuple):
        expected = expected[secure]
    we, it = ("central", "peripheral") if role == CENTRAL else ("peripheral", "central")
    return ours, theirs, {"we type": f"{we} types", "it types": f"{it} types"}.get(expected, expected)


async def attend(ours, person, expected, role):
    """The person in front of our device, who sees what Bumble's person sees."""
    if expected == "comparison":
        digits = (await ours.event("compare"))["digits"]
        assert int(digits) == await asyncio.wait_for(person.compared, PATIENCE) and len(digits) == 6
        ours.do("agree")
    elif expected == "both type":
        person.typed.set_result(271828)
        await ours.event("passkeyRequested")
        ours.do("passkey", "271828")
    elif expected in ("central types", "peripheral types"):
        if (expected == "central types") == (role == CENTRAL):
            await ours.event("passkeyRequested")
            ours.do("passkey", f"{await asyncio.wait_for(asyncio.shield(person.shown), PATIENCE):06}")
        else:
            person.typed.set_result(int((await ours.event("passkey"))["digits"]))


@BOTH_ROLES
@BOTH_KINDS
@pytest.mark.parametrize("method", list(METHODS))
async def test_every_method(method, secure, role, tmp_path):
    io, its_io, expected = expectation(method, secure, role)
    air = tmp_path / "air.pcapng"
    async with world(role, "--capture", str(air), io=IO_NAMES[io]) as pair:
        ours, bumble = pair.ours, pair.bumble
        person, oob, settings = Person(its_io), None, {}
        if expected == "out of band" and secure:
            oob = bumble.with_oob(OobSharedData(*await ours.oob()))
            shared = bumble.oob.share()
            settings = {"oob": (shared.c + shared.r).hex()}
        elif expected == "out of band":
            # The flag in the request speaks of Secure Connections where these are offered.
            key = secrets.token_bytes(16)
            oob, settings = bumble.with_oob(temporary_key=key), {"temporary_key": key.hex(), "sc": "never"}
        bumble.pairs_as(person, secure, oob=oob)

        peer = await pair.connect()
        attendance = asyncio.create_task(attend(ours, person, expected, role))
        paired, keys = await pair.pair(peer, **settings)
        await attendance
        authenticated = expected != "just works"
        assert (paired["method"], paired["bonded"]) == (expected, True)
        assert (paired["authenticated"], paired["secureConnections"]) == (authenticated, secure)
        assert paired["keySize"] == 16 and paired["identity"] == bumble.identity
        (bond,) = [event for event in ours.events if event["event"] == "bond"]
        if secure:
            assert keys.ltk.value.hex() == bond["keyAsCentral"] == bond["keyAsPeripheral"] == paired["key"]
            assert keys.ltk.authenticated == authenticated
        else:
            as_central, as_peripheral = keys.ltk_central.value.hex(), keys.ltk_peripheral.value.hex()
            if role == PERIPHERAL:
                assert (as_central, as_peripheral) == (bond["keyAsPeripheral"], bond["keyAsCentral"])
            else:
                assert (as_central, as_peripheral) == (bond["keyAsCentral"], bond["keyAsPeripheral"])
        assert bond["resolvingKey"] == bumble.device.irk.hex()
        assert list(await bumble.bonds()) == [ours.address]
        await pair.disconnect(peer)

        # And again, without pairing: our central encrypts by itself, Bumble's when it is told.
        mark = ours.mark()
        peer = await pair.connect()
        if role == PERIPHERAL:
            await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
        again = await ours.event("encryption", on=True)
        assert (again["authenticated"], again["secureConnections"], again["keySize"]) == (authenticated, secure, 16)
        if role == PERIPHERAL:
            assert await peer.read(ENCRYPTED) == b"value 1"
            assert await (peer.read if authenticated else peer.error_of_read)(AUTHENTICATED) == (
                b"value 2" if authenticated else INSUFFICIENT_AUTHENTICATION
            )
        await pair.disconnect(peer)
        assert ours.since(mark, "connected")[0]["bonded"] and not ours.since(mark, "paired")
        assert bumble.pairings.empty() and bumble.failures.empty()
        assert not [event for event in ours.events if event["event"] in ("error", "pairingFailed", "encryptionFailed")]

    # What was on the air is open to whoever has the key, and to nobody else.
    list(link_sniffer.link(air, bytes.fromhex(again["key"]), number=1))
    with pytest.raises(link_sniffer.WrongKey):
        list(link_sniffer.link(air, bytes(16), number=1))
    assert captures.complaints(air, captures.encrypted_packets(air)) == []


# What goes wrong


@BOTH_ROLES
async def test_different_passkeys_fail_on_both_sides(role):
    io, its_io = (KEYBOARD, DISPLAY) if role == CENTRAL else (DISPLAY, KEYBOARD)
    async with world(role, io=IO_NAMES[io]) as pair:
        person = pair.bumble.pairs_as(Person(its_io), True)
        peer = await pair.connect()
        if role == CENTRAL:
            await pair.begin(peer)
            await pair.ours.event("passkeyRequested")
            pair.ours.do("passkey", f"{A_PASSKEY ^ 1:06}")
        else:
            pairing = asyncio.create_task(pair.begin(peer))
            person.typed.set_result(int((await pair.ours.event("passkey"))["digits"]) ^ 1)
            with pytest.raises(ProtocolError):
                await pairing
        assert (await pair.ours.event("pairingFailed"))["code"] == CONFIRM_VALUE_FAILED
        assert await pair.bumble.failed() == CONFIRM_VALUE_FAILED
        await nothing_is_left(pair, peer)


@BOTH_ROLES
@pytest.mark.parametrize("who", ["we-say-no", "it-says-no"])
async def test_different_digits_fail_on_both_sides(role, who):
    async with world(role, io="display-yes-no") as pair:
        pair.bumble.pairs_as(Person(YES_NO, agrees=who == "we-say-no"), True)
        peer = await pair.connect()
        pairing = asyncio.create_task(pair.begin(peer))
        await pair.ours.event("compare")
        pair.ours.do("refuse" if who == "we-say-no" else "agree")
        failure = await pair.ours.event("pairingFailed")
        reason = await pair.bumble.failed()
        assert failure["code"] == reason and failure["by"] == ("us" if who == "we-say-no" else "peer")
        if who == "we-say-no":
            assert reason == NUMERIC_COMPARISON_FAILED
        await asyncio.gather(pairing, return_exceptions=True)
        await nothing_is_left(pair, peer)


@BOTH_ROLES
@pytest.mark.parametrize(
    ("settings", "secure", "bumble", "reason"),
    [
        ({"sc": "only"}, False, {}, AUTHENTICATION_REQUIREMENTS),
        ({"protection": "required"}, True, {}, AUTHENTICATION_REQUIREMENTS),
        ({"minimum_key_size": 16}, True, {"maximum_encryption_key_size": 7}, ENCRYPTION_KEY_SIZE),
    ],
    ids=["secure-connections-only", "protection-required", "short-key"],
)
async def test_what_we_demand_and_cannot_have(role, settings, secure, bumble, reason):
    async with world(role, io="none", **settings) as pair:
        pair.bumble.pairs_as(Person(NONE, **bumble), secure)
        peer = await pair.connect()
        pairing = asyncio.create_task(pair.begin(peer))
        failure = await pair.ours.event("pairingFailed")
        assert (failure["by"], failure["code"]) == ("us", reason)
        assert await pair.bumble.failed() == reason
        await asyncio.gather(pairing, return_exceptions=True)
        await nothing_is_left(pair, peer)


async def test_a_peripheral_that_does_not_pair_says_so():
    async with world(PERIPHERAL, accepts=False) as pair:
        pair.bumble.pairs_as(Person(NONE))
        peer = await pair.connect()
        with pytest.raises(ProtocolError) as error:
            await pair.begin(peer)
        assert error.value.error_code == PAIRING_NOT_SUPPORTED
        await nothing_is_left(pair, peer)


async def test_a_person_is_asked_before_a_stranger_may_pair():
    for answer in ("agree", "refuse"):
        async with world(PERIPHERAL, consent=True) as pair:
            pair.bumble.pairs_as(Person(NONE))
            peer = await pair.connect()
            pairing = asyncio.create_task(pair.begin(peer))
            await pair.ours.event("consent")
            pair.ours.do(answer)
            if answer == "agree":
                await pairing
                await pair.ours.event("paired")
            else:
                assert await pair.bumble.failed() == PAIRING_NOT_SUPPORTED
                await asyncio.gather(pairing, return_exceptions=True)
                await nothing_is_left(pair, peer)


async def nothing_is_left(pair, peer):
    """No bond, no key; and the link goes on in the clear."""
    assert not peer.connection.is_encrypted
    assert await pair.bumble.bonds() == {} and await pair.ours.count_bonds() == 0
    if pair.role == PERIPHERAL:
        assert await peer.read(OPEN) == b"value 0"
        assert await peer.error_of_read(ENCRYPTED) == INSUFFICIENT_AUTHENTICATION
    await pair.disconnect(peer)
    assert not [event for event in pair.ours.events if event["event"] in ("paired", "encryption", "bond")]


# Bonds


@BOTH_ROLES
@pytest.mark.parametrize("loser", ["we-forget", "it-forgets"])
async def test_a_bond_that_one_has_lost_is_told_and_not_replaced(role, loser):
    """PIN or Key Missing, and the link stays in the clear until somebody decides to pair anew."""
    async with world(role) as pair:
        pair.bumble.pairs_as(Person(NONE))
        peer = await pair.connect()
        await pair.pair(peer)
        await pair.disconnect(peer)
        if loser == "we-forget":
            pair.ours.do("forget")
            await pair.ours.event("bondRemoved")
        else:
            await pair.bumble.forget()
        mark = pair.ours.mark()
        peer = await pair.connect()
        if role == PERIPHERAL and loser == "we-forget":
            with pytest.raises(HCI_Error) as error:
                await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
            assert error.value.error_code == KEY_MISSING
            assert (await pair.ours.event("encryptionFailed"))["code"] == KEY_MISSING
            assert await peer.error_of_read(ENCRYPTED) == INSUFFICIENT_AUTHENTICATION
        elif role == CENTRAL and loser == "it-forgets":
            assert (await pair.ours.event("encryptionFailed"))["code"] == KEY_MISSING
            pair.ours.do("secure", 2)
            # To pair anew is a decision, not a fallback.
            assert "lost the bond" in (await pair.ours.event("error"))["message"]
        elif role == PERIPHERAL:
            # It has no key to encrypt with, and the encrypted value is not for it although it was bonded.
            assert await peer.error_of_read(ENCRYPTED) == INSUFFICIENT_ENCRYPTION
        else:
            await asyncio.sleep(0.3)
        assert not pair.ours.since(mark, "encryption") and not pair.ours.since(mark, "paired")
        assert not peer.connection.is_encrypted
        assert await pair.ours.count_bonds() == (0 if loser == "we-forget" else 1)


async def test_no_pairing_weaker_than_the_bond_takes_its_place():
    async with world(PERIPHERAL, io="display-only") as pair:
        person = pair.bumble.pairs_as(Person(KEYBOARD), True)
        peer = await pair.connect()
        attendance = asyncio.create_task(attend(pair.ours, person, "central types", PERIPHERAL))
        await pair.pair(peer)
        await attendance
        await pair.disconnect(peer)
        bond = pair.ours.since(0, "bond")[-1]["keyAsPeripheral"]

        # Somebody with the same address and no key, who would like to pair without a passkey.
        await pair.bumble.forget()
        for how in ({"sc": True}, {"sc": False}):
            peer = await pair.connect()
            pair.bumble.pairs_as(Person(NONE), mitm=False, **how)
            with pytest.raises(ProtocolError):
                await pair.bumble.pair(peer)
            assert await peer.error_of_read(ENCRYPTED) == INSUFFICIENT_ENCRYPTION
            await pair.disconnect(peer)
        pair.ours.do("bonds")
        assert (await pair.ours.event("bonds"))["count"] == 1
        assert pair.ours.since(0, "bond")[-1]["keyAsPeripheral"] == bond


async def test_a_peripheral_asks_for_security():
    async with world(PERIPHERAL, io="none") as pair:
        pair.bumble.pairs_as(Person(NONE))
        peer = await pair.connect()
        pair.ours.do("request")
        requirements = await asyncio.wait_for(pair.bumble.requests.get(), PATIENCE)
        assert requirements & 0x01, "bonding"
        await pair.pair(peer)


async def test_a_central_is_asked_for_security():
    async with world(CENTRAL, io="none") as pair:
        pair.bumble.pairs_as(Person(NONE))
        peer = await pair.connect()
        pair.bumble.device.request_pairing(peer.connection)
        await pair.ours.event("securityRequested")
        await pair.pair(peer)
        await pair.disconnect(peer)
        # With a bond there is nothing to ask about.
        peer = await pair.connect()
        await pair.ours.event("encryption", on=True)
        pair.bumble.device.request_pairing(peer.connection)
        await asyncio.sleep(0.3)
        assert len(pair.ours.since(0, "securityRequested")) == 1 and len(pair.ours.since(0, "paired")) == 1


# Who may read what


@pytest.mark.parametrize(
    ("io", "sc", "allowed"),
    [
        (NONE, True, {OPEN, ENCRYPTED, LONG_KEY}),
        (KEYBOARD, False, {OPEN, ENCRYPTED, LONG_KEY, AUTHENTICATED}),
        (KEYBOARD, True, {OPEN, ENCRYPTED, LONG_KEY, AUTHENTICATED, SECURE}),
    ],
    ids=["just-works", "legacy-passkey", "secure-passkey"],
)
async def test_values_are_given_to_those_who_have_paired_well_enough(io, sc, allowed):
    async with world(PERIPHERAL, io="display-only") as pair:
        person = pair.bumble.pairs_as(Person(io), sc)
        peer = await pair.connect()
        assert await peer.read(OPEN) == b"value 0"
        for handle in (ENCRYPTED, AUTHENTICATED, SECURE, LONG_KEY):
            assert await peer.error_of_read(handle) == INSUFFICIENT_AUTHENTICATION
            assert await peer.error_of_write(handle, b"x") == INSUFFICIENT_AUTHENTICATION
        assert await peer.error_of_read(AUTHORIZED) == INSUFFICIENT_AUTHORIZATION
        if io == KEYBOARD:
            attendance = asyncio.create_task(attend(pair.ours, person, "central types", PERIPHERAL))
        await pair.pair(peer)
        if io == KEYBOARD:
            await attendance
        for handle in (OPEN, ENCRYPTED, AUTHENTICATED, SECURE, LONG_KEY):
            if handle in allowed:
                assert await peer.read(handle) == b"value %d" % ((handle - 3) // 2)
            else:
                assert await peer.error_of_read(handle) == INSUFFICIENT_AUTHENTICATION
        assert await peer.error_of_read(AUTHORIZED) == INSUFFICIENT_AUTHORIZATION
        pair.ours.do("authorize")
        await pair.ours.event("authorized")
        assert await peer.read(AUTHORIZED) == b"value 4"
        await pair.disconnect(peer)

        # Bonded and not yet encrypted: the key is there, it only has to be used.
        peer = await pair.connect()
        assert await peer.error_of_read(ENCRYPTED) == INSUFFICIENT_ENCRYPTION
        await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
        assert await peer.read(ENCRYPTED) == b"value 1"


async def test_a_peer_that_gives_the_resolving_key_of_another_bond_does_not_become_that_peer(tmp_path):
    """Whoever is bonded with the same device knows its key. The lower address comes first among those that are tried."""
    key = bytes(range(16))

    @asynccontextmanager
    async def peer(number, address, private):
        transport = await asyncio.wait_for(open_transport(fob.hci.replace("tcp:", "tcp-client:", 1)), PATIENCE)
        async with transport:
            settings = configuration(number, private)
            settings.irk = key
            settings.address = Address(address, Address.RANDOM_DEVICE_ADDRESS)
            device = await powered_on(Device.from_config_with_hci(settings, transport.source, transport.sink), None)
            device.pairs_as(Person(NONE))
            yield device

    async def connected(device):
        found = await device.connect(await device.find(NAME), QUICK)
        await device.connected()
        await fob.event("connected")
        return found

    async def left(found):
        await found.disconnect()
        await fob.event("disconnected")

    async with KeyFob("--bonds", str(tmp_path / "bonds")) as fob, peer(2, "C0:00:00:00:00:02", True) as owner:
        found = await connected(owner)
        await owner.pair(found)
        await owner.paired()
        await fob.event("paired")
        await left(found)
        async with peer(1, "C0:00:00:00:00:01", False) as copier:
            found = await connected(copier)
            await copier.pair(found)
            await copier.paired()
            await fob.event("paired")
            await left(found)
        found = await connected(owner)
        await asyncio.wait_for(found.connection.encrypt(), PATIENCE)
        assert found.connection.is_encrypted
