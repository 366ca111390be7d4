"""Pairing: Bumble's hosts on our controllers, and Bumble with our host, both ways round, method by method."""

import asyncio
import secrets
from contextlib import AsyncExitStack, asynccontextmanager

import captures
import link_sniffer
import pytest
from bluethroat import PATIENCE, KeyFob
from bumble.hci import HCI_Error
from bumble_pairing import DISPLAY, KEYBOARD, KEYBOARD_DISPLAY, NONE, QUICK, YES_NO, Person, pairing_device

KEY_MISSING = 0x06
LEGACY, SECURE = pytest.param(False, id="legacy"), pytest.param(True, id="secure")

# Central and peripheral, and what becomes of it: legacy and with Secure Connections. Core 6.0, Vol 3, Part H, 2.3.5.1.
METHODS = {
    "nobody-is-asked": (NONE, NONE, "just works", "just works"),
    "nobody-can-type": (DISPLAY, YES_NO, "just works", "just works"),
    "central-types": (KEYBOARD, DISPLAY, "central types", "central types"),
    "peripheral-types": (DISPLAY, KEYBOARD, "peripheral types", "peripheral types"),
    "both-type": (KEYBOARD, KEYBOARD, "both type", "both type"),
    "both-can-all": (KEYBOARD_DISPLAY, KEYBOARD_DISPLAY, "peripheral types", "comparison"),
    "both-compare": (YES_NO, YES_NO, "just works", "comparison"),
    "out-of-band": (NONE, NONE, "out of band", "out of band"),
}
EACH_METHOD = pytest.mark.parametrize("method", list(METHODS))


@asynccontextmanager
async def two_bumbles(*arguments, private=False):
    """A central and a peripheral, both Bumble's, on controllers of ours."""
    async with AsyncExitStack() as stack:
        fob = await stack.enter_async_context(KeyFob("--wait", *arguments))
        central = await stack.enter_async_context(pairing_device(fob.hci, 1, private))
        peripheral = await stack.enter_async_context(pairing_device(fob.hci, 2, private))
        yield central, peripheral


async def meet(central, peripheral, address=None):
    """The link as either end has it."""
    await peripheral.advertise("bumble 2")
    at_central = await central.connect(address or peripheral.device.random_address, QUICK)
    await central.connected()
    return at_central, await peripheral.connected()


def people(central, peripheral, method, secure):
    """A person at each device, who do what the method asks of them."""
    io, other_io, *methods = METHODS[method]
    expected = methods[secure]
    person, other = Person(io), Person(other_io)
    oob, other_oob = None, None
    if expected == "out of band":
        if secure:
            oob, other_oob = central.with_oob(peripheral.oob.share()), peripheral.with_oob(central.oob.share())
        else:
            key = secrets.token_bytes(16)
            oob, other_oob = central.with_oob(temporary_key=key), peripheral.with_oob(temporary_key=key)
    elif expected == "central types":
        person.looks_at(other)
    elif expected == "peripheral types":
        other.looks_at(person)
    elif expected == "both type":
        person.typed.set_result(271828)
        other.typed.set_result(271828)
    central.pairs_as(person, secure, oob=oob)
    peripheral.pairs_as(other, secure, oob=other_oob)
    return person, other, expected


@EACH_METHOD
@pytest.mark.parametrize("secure", [LEGACY, SECURE])
async def test_bumbles_pair_over_our_controllers(method, secure, tmp_path):
    """What our Link Layer encrypts is what two foreign hosts agreed on; the air is read with the key that they have."""
    air = tmp_path / "air.pcapng"
    async with two_bumbles("--capture", str(air)) as (central, peripheral):
        person, other, expected = people(central, peripheral, method, secure)
        peer, _ = await meet(central, peripheral)
        await central.pair(peer)
        keys, others = await central.paired(), await peripheral.paired()
        assert peer.connection.is_encrypted
        if expected == "comparison":
            assert person.compared.result() == other.compared.result()
        if secure:
            assert keys.ltk.value == others.ltk.value
            assert keys.ltk.authenticated == others.ltk.authenticated == (expected != "just works")
        else:
            assert keys.ltk_central == others.ltk_central and keys.ltk_peripheral == others.ltk_peripheral
        await peer.disconnect()

        # And again, without pairing.
        peer, back = await meet(central, peripheral)
        await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
        assert peer.connection.is_encrypted
        assert await peer.client.discover_services()
        assert back.connection.is_encrypted
        await peer.disconnect()
        assert central.pairings.empty() and peripheral.pairings.empty()

    # A legacy pairing encrypts with a key that nobody keeps, so that session stays closed here.
    key = (keys.ltk or keys.ltk_central).value
    for number in (0, 1) if secure else (1,):
        pdus = list(link_sniffer.link(air, key, number=number))
        assert sum(pdu.encrypted for pdu in pdus) >= 5 and any(not pdu.encrypted for pdu in pdus)
    with pytest.raises(link_sniffer.WrongKey):
        list(link_sniffer.link(air, key[::-1], number=1))
    assert captures.complaints(air, captures.encrypted_packets(air)) == []


async def test_bumbles_find_each_other_again_however_their_addresses_change(tmp_path):
    air = tmp_path / "air.pcapng"
    async with two_bumbles("--capture", str(air), private=True) as (central, peripheral):
        people(central, peripheral, "nobody-is-asked", True)
        peer, _ = await meet(central, peripheral)
        await central.pair(peer)
        await central.paired(), await peripheral.paired()
        await peer.disconnect()
        assert list(await central.bonds()) == [peripheral.identity]
        assert list(await peripheral.bonds()) == [central.identity]
        shown = set()
        for _ in range(2):
            shown |= {await central.rotate(), await peripheral.rotate()}
            # Bumble scans for whoever it is, by itself.
            peer, back = await meet(central, peripheral, peripheral.device.static_address)
            assert peer.connection.peer_address.to_string(False) == peripheral.identity
            assert back.connection.peer_address.to_string(False) == central.identity
            await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
            await peer.disconnect()
        assert len(shown) == 4
    for identity in (central.device.static_address, peripheral.device.static_address):
        assert not any(bytes(identity) in frame for frame in captures.frames(air))


async def test_a_bond_that_bumble_has_lost_leaves_the_link_as_it_is():
    async with two_bumbles() as (central, peripheral):
        people(central, peripheral, "nobody-is-asked", True)
        peer, _ = await meet(central, peripheral)
        await central.pair(peer)
        await central.paired(), await peripheral.paired()
        await peer.disconnect()
        await peripheral.forget()
        peer, _ = await meet(central, peripheral)
        with pytest.raises(HCI_Error) as error:
            await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
        assert error.value.error_code == KEY_MISSING
        assert not peer.connection.is_encrypted
        assert await peer.client.discover_services()
