"""The key fob and a Bumble central that pairs with it: TI's way, and the ways that the fob can be told."""

import asyncio

import keyfob_table as table
import pytest
from bluethroat import PATIENCE, KeyFob
from bumble.core import ProtocolError
from bumble.hci import HCI_Error
from bumble_pairing import KEYBOARD, KEYBOARD_DISPLAY, NONE, QUICK, YES_NO, Person, pairing_device

KEY_MISSING, CONFIRM_VALUE_FAILED = 0x06, 0x04
AUTHENTICATION_REQUIREMENTS, ENCRYPTION_KEY_SIZE, REPEATED_ATTEMPTS = 0x03, 0x06, 0x09
INSUFFICIENT_AUTHENTICATION, INSUFFICIENT_ENCRYPTION = 0x05, 0x0F
BATTERY_LEVEL = next(
    characteristic.value_handle
    for service in table.SERVICES
    for characteristic in service.characteristics
    if characteristic.uuid == "2A19"
)


@pytest.fixture
def bonds(tmp_path):
    return str(tmp_path / "fob.sqlite")


async def connect(fob, central):
    peer = await central.connect(await central.find(table.NAME), QUICK)
    await central.connected()
    await fob.event("connected")
    return peer


async def disconnect(fob, peer):
    await peer.disconnect()
    await fob.event("disconnected")


def typing(central, passkey=0, io=KEYBOARD, sc=True):
    """A person who knows TI's passkey, or thinks to."""
    person = central.pairs_as(Person(io), sc)
    person.typed.set_result(passkey)
    return person


async def pair(fob, central, peer):
    await central.pair(peer)
    keys = await central.paired()
    return await fob.event("paired"), keys


@pytest.mark.parametrize("io", [KEYBOARD, KEYBOARD_DISPLAY])
@pytest.mark.parametrize("sc", [True, False], ids=["younger-central", "old-central"])
async def test_as_it_comes_the_fob_pairs_with_six_zeros(io, sc, bonds):
    async with KeyFob("--bonds", bonds) as fob, pairing_device(fob.hci) as central:
        typing(central, 0, io, sc)
        peer = await connect(fob, central)
        # Its table is open to everybody all the same.
        assert await peer.read(BATTERY_LEVEL) == b"\x64"
        paired, keys = await pair(fob, central, peer)
        assert (await fob.event("passkey"))["passkey"] == "000000"
        assert (paired["method"], paired["authenticated"], paired["secureConnections"]) == ("passkeyEntry", True, False)
        assert (paired["keySize"], paired["bonded"], paired["identity"]) == (16, True, central.identity)
        assert keys.ltk is None and keys.ltk_central.ediv and keys.ltk_central.authenticated
        await disconnect(fob, peer)
        peer = await connect(fob, central)
        await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
        await fob.event("encrypted", on=True, authenticated=True)
        assert await peer.read(BATTERY_LEVEL) == b"\x64"


@pytest.mark.parametrize("io", [NONE, YES_NO])
async def test_a_central_that_cannot_type_is_not_asked(io, bonds):
    async with KeyFob("--bonds", bonds) as fob, pairing_device(fob.hci) as central:
        central.pairs_as(Person(io))
        peer = await connect(fob, central)
        paired, _ = await pair(fob, central, peer)
        assert (paired["method"], paired["authenticated"]) == ("justWorks", False)


async def test_a_bond_without_the_passkey_is_not_replaced_by_a_stranger(bonds):
    """The stranger shows the bonded address. Only the passkey, or the key of the bond, is more than that."""
    async with KeyFob("--require-pairing", "--bonds", bonds) as fob, pairing_device(fob.hci) as central:
        central.pairs_as(Person(NONE))
        peer = await connect(fob, central)
        await pair(fob, central, peer)
        await disconnect(fob, peer)
        async with pairing_device(fob.hci) as stranger:
            for how in ({"sc": True}, {"sc": False}):
                stranger.pairs_as(Person(NONE), **how)
                other = await connect(fob, stranger)
                with pytest.raises(ProtocolError) as error:
                    await stranger.pair(other)
                assert error.value.error_code == AUTHENTICATION_REQUIREMENTS
                assert await other.error_of_read(BATTERY_LEVEL) == INSUFFICIENT_ENCRYPTION
                await disconnect(fob, other)
        # The bond is the old one: its peer comes back without pairing, and without having to wait.
        peer = await connect(fob, central)
        await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
        assert await peer.read(BATTERY_LEVEL) == b"\x64"


async def test_a_fob_takes_no_shorter_keys_than_it_was_told(bonds):
    async with KeyFob("--minimum-key-size", "16", "--bonds", bonds) as fob, pairing_device(fob.hci) as central:
        person = typing(central)
        person.maximum_encryption_key_size = 7
        peer = await connect(fob, central)
        with pytest.raises(ProtocolError) as error:
            await central.pair(peer)
        assert error.value.error_code == ENCRYPTION_KEY_SIZE
        await fob.event("pairingFailed", smpReason=ENCRYPTION_KEY_SIZE)
        assert not peer.connection.is_encrypted


@pytest.mark.parametrize("how", [{"io": KEYBOARD, "sc": False}, {"io": NONE, "sc": True}], ids=["legacy", "just-works"])
async def test_a_fob_for_secure_connections_only_takes_nothing_else(how, bonds):
    async with KeyFob("--sc-only", "--passkey", "654321", "--bonds", bonds) as fob:
        async with pairing_device(fob.hci) as central:
            typing(central, 654321, **how)
            peer = await connect(fob, central)
            with pytest.raises(ProtocolError) as error:
                await central.pair(peer)
            assert error.value.error_code == AUTHENTICATION_REQUIREMENTS
            typing(central, 654321)
            paired, _ = await pair(fob, central, peer)
            assert (paired["authenticated"], paired["secureConnections"], paired["keySize"]) == (True, True, 16)


async def test_a_new_address_for_each_attempt_at_the_passkey_does_not_help(bonds):
    async with KeyFob("--secure-connections", "--passkey", "654321", "--bonds", bonds) as fob:
        reasons = []
        # After seven failures everybody waits for longer than a busy machine takes for the next attempt.
        while REPEATED_ATTEMPTS not in reasons and len(reasons) < 8:
            async with pairing_device(fob.hci, len(reasons) + 1) as central:
                typing(central, 654320)
                peer = await connect(fob, central)
                with pytest.raises(ProtocolError) as error:
                    await central.pair(peer)
                reasons.append(error.value.error_code)
                await disconnect(fob, peer)
        assert reasons[0] == CONFIRM_VALUE_FAILED and reasons[-1] == REPEATED_ATTEMPTS


async def test_another_passkey_is_a_reason(bonds):
    async with KeyFob("--bonds", bonds, "--passkey", "123456") as fob, pairing_device(fob.hci) as central:
        typing(central, 123457)
        peer = await connect(fob, central)
        with pytest.raises(ProtocolError) as error:
            await central.pair(peer)
        assert error.value.error_code == CONFIRM_VALUE_FAILED
        await fob.event("pairingFailed", smpReason=CONFIRM_VALUE_FAILED)
        assert await peer.read(BATTERY_LEVEL) == b"\x64" and not peer.connection.is_encrypted


async def test_a_younger_fob_takes_secure_connections(bonds):
    async with KeyFob("--bonds", bonds, "--secure-connections", "--passkey", "654321") as fob:
        async with pairing_device(fob.hci) as central:
            typing(central, 654321)
            peer = await connect(fob, central)
            paired, keys = await pair(fob, central, peer)
            assert (paired["authenticated"], paired["secureConnections"]) == (True, True)
            assert keys.ltk.authenticated


@pytest.mark.parametrize("private", [False, True], ids=["open-central", "private-central"])
async def test_a_fob_that_wants_pairing_remembers_whom_it_has_paired_with(private, bonds):
    """Over disconnects, changes of the central's address and the sudden end of the fob's process."""
    arguments = ("--require-pairing", "--bonds", bonds)
    kept = None
    async with KeyFob(*arguments) as fob, pairing_device(fob.hci, 1, private) as central:
        typing(central)
        peer = await connect(fob, central)
        assert await peer.read(0x0003) == b"TI BLE Keyfob"
        assert await peer.error_of_read(BATTERY_LEVEL) == INSUFFICIENT_AUTHENTICATION
        assert await peer.error_of_write(table.KEYS_CCCD, b"\1\0") == INSUFFICIENT_AUTHENTICATION
        assert await peer.error_of_write(table.LINK_LOSS_ALERT, b"\1") == INSUFFICIENT_AUTHENTICATION
        # A write without response is dropped, and nothing beeps.
        await peer.write_command(table.IMMEDIATE_ALERT, b"\2")
        await pair(fob, central, peer)
        assert await peer.read(BATTERY_LEVEL) == b"\x64"
        assert fob.since(0, "alert") == []
        await peer.subscribe(table.KEYS_CCCD)
        await disconnect(fob, peer)
        if private:
            await central.rotate()
        peer = await connect(fob, central)
        assert await peer.error_of_read(BATTERY_LEVEL) == INSUFFICIENT_ENCRYPTION
        fob.say("l")
        await fob.event("key", state=0)
        assert peer.values.empty(), "nothing is notified before the link is encrypted"
        await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
        await fob.event("encrypted", on=True)
        fob.say("l")
        # What was subscribed to still is.
        assert (await peer.notification())[0] == table.KEYS
        kept = central.device.keystore
        fob.process.kill()
        await fob.exit_code()

    async with KeyFob(*arguments) as fob, pairing_device(fob.hci, 1, private, bonds=kept) as central:
        peer = await connect(fob, central)
        await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
        assert await peer.read(BATTERY_LEVEL) == b"\x64"
        assert fob.since(0, "paired") == []
        await disconnect(fob, peer)


async def test_a_fob_that_has_lost_the_bond_says_so(bonds, tmp_path):
    async with KeyFob("--require-pairing", "--bonds", bonds) as fob, pairing_device(fob.hci) as central:
        typing(central)
        peer = await connect(fob, central)
        await pair(fob, central, peer)
        await disconnect(fob, peer)
        kept = central.device.keystore
    async with KeyFob("--require-pairing", "--bonds", str(tmp_path / "another.sqlite")) as fob:
        async with pairing_device(fob.hci, bonds=kept) as central:
            typing(central)
            peer = await connect(fob, central)
            with pytest.raises(HCI_Error) as error:
                await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
            assert error.value.error_code == KEY_MISSING
            await fob.event("keyMissing")
            assert await peer.error_of_read(BATTERY_LEVEL) == INSUFFICIENT_AUTHENTICATION
            await pair(fob, central, peer)
            assert await peer.read(BATTERY_LEVEL) == b"\x64"


async def test_a_bond_with_the_passkey_is_not_replaced_by_one_without(bonds):
    async with KeyFob("--require-pairing", "--bonds", bonds) as fob, pairing_device(fob.hci) as central:
        typing(central)
        peer = await connect(fob, central)
        await pair(fob, central, peer)
        await disconnect(fob, peer)
        await central.forget()
        # Somebody who knows the address, or the same central after it has lost its bonds.
        central.pairs_as(Person(NONE), mitm=False)
        peer = await connect(fob, central)
        with pytest.raises(ProtocolError):
            await central.pair(peer)
        assert await peer.error_of_read(BATTERY_LEVEL) == INSUFFICIENT_ENCRYPTION
        await disconnect(fob, peer)
        await asyncio.sleep(3)  # whoever has failed waits for a second of the fob's time, which may be behind ours
        typing(central)
        peer = await connect(fob, central)
        await pair(fob, central, peer)
        assert await peer.read(BATTERY_LEVEL) == b"\x64"


async def test_a_central_that_was_reset_may_bond_anew_under_another_address(bonds):
    """The same identity and another resolving key: it proves the passkey, and nobody can be asked at the fob."""
    async with KeyFob("--require-pairing", "--bonds", bonds) as fob:
        for number in range(2):
            async with pairing_device(fob.hci, 1, private=True) as central:
                central.device.irk = bytes([number + 7]) * 16
                await central.rotate()
                typing(central)
                peer = await connect(fob, central)
                paired, _ = await pair(fob, central, peer)
                assert paired["identity"] == central.identity
                await disconnect(fob, peer)
                await central.rotate()
                peer = await connect(fob, central)
                await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
                assert await peer.read(BATTERY_LEVEL) == b"\x64"
                await disconnect(fob, peer)
