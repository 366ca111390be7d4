"""tshark reads pairings and what is encrypted after them: each PDU by its name, and nothing of the rest in plain."""

import asyncio

import captures
import link_sniffer
import pytest
from bluethroat import PATIENCE, KeyFob
from bumble_pairing import DISPLAY, KEYBOARD, QUICK, Person, pairing_device

# Codes of the Security Manager as they go over the air in the clear, until the link is encrypted.
LEGACY = ["0x01", "0x02", "0x03", "0x03", "0x04", "0x04"]
SECURE = ["0x01", "0x02", "0x0c", "0x0c", *["0x03", "0x03", "0x04", "0x04"] * 20, "0x0d", "0x0d"]
# What follows, which only the hosts see: keys.
LEGACY_KEYS = ["0x06", "0x07", "0x08", "0x09"] * 2
SECURE_KEYS = ["0x08", "0x09"] * 2
ENCRYPTION_STARTS = ["0x03", "0x04", "0x05"]


async def session(air, log, secure):
    """Two Bumble hosts pair with a passkey, say something, and do it again with what they have kept."""
    async with KeyFob("--wait", "--capture", str(air)) as fob:
        async with pairing_device(fob.hci, 1) as central, pairing_device(fob.hci, 2) as peripheral:
            person, other = Person(KEYBOARD), Person(DISPLAY)
            person.looks_at(other)
            central.pairs_as(person, secure)
            peripheral.pairs_as(other, secure)
            for number in range(2):
                await peripheral.advertise("bumble 2")
                peer = await central.connect(peripheral.device.random_address, QUICK)
                if number == 0:
                    await central.pair(peer)
                    keys, _ = await central.paired(), await peripheral.paired()
                else:
                    await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
                await peer.client.discover_services()
                await peer.disconnect()
            return keys


@pytest.fixture(scope="module", params=[False, True], ids=["legacy", "secure"])
def recorded(request, tmp_path_factory):
    air = tmp_path_factory.mktemp("captures") / "air.pcapng"

    async def run():
        async with asyncio.timeout(10 * PATIENCE):
            return await session(air, None, request.param)

    return air, request.param, asyncio.run(run())


def hosts(air):
    """The interfaces of the two hosts, the central's first. Whatever else tries the port is recorded, too."""
    found = sorted({int(number) for number in captures.values(air, "frame.interface_id", "btsmp && !btle")})
    assert len(found) == 2
    return found


def test_tshark_knows_every_pdu_of_the_pairing(recorded):
    air, secure, _ = recorded
    on_air = captures.values(air, "btsmp.opcode", "btle && btsmp")
    assert on_air == (SECURE if secure else LEGACY)
    for interface in hosts(air):
        hci = captures.values(air, "btsmp.opcode", f"frame.interface_id == {interface} && btsmp")
        assert hci == (SECURE + SECURE_KEYS if secure else LEGACY + LEGACY_KEYS)
    flags = captures.values(air, "btsmp.sc_flag", "btle && btsmp.opcode == 1")
    assert flags == (["1"] if secure else ["0"])


def test_the_keys_in_the_hci_are_those_that_the_hosts_kept(recorded):
    air, secure, keys = recorded
    central, _ = hosts(air)
    given = captures.values(air, "btsmp.id_resolving_key", f"frame.interface_id == {central} && btsmp.opcode == 8")
    assert keys.irk.value.hex() in [value.replace(":", "") for value in given] or len(given) == 2
    commands = captures.values(air, "bthci_cmd.le_long_term_key", f"frame.interface_id == {central}")
    assert len(commands) == 2, "one key for each session"


def test_each_session_starts_encryption_in_the_clear_and_goes_on_encrypted(recorded):
    air, secure, keys = recorded
    # Of the three PDUs in the clear tshark reads every field.
    for opcode in ENCRYPTION_STARTS:
        assert captures.count(air, f"btle.control_opcode == {opcode}") >= 2
    key = (keys.ltk or keys.ltk_central).value
    for number in (0, 1) if secure else (1,):
        assert sum(pdu.encrypted for pdu in link_sniffer.link(air, key, number=number)) > 4
    # Nothing of ATT is to be seen once a link is encrypted, and all of it is on the other side of the controllers.
    assert captures.count(air, f"frame.interface_id == {hosts(air)[0]} && btatt.opcode == 0x10") >= 2


def test_tshark_finds_no_fault(recorded):
    air, *_ = recorded
    assert captures.complaints(air, captures.encrypted_packets(air)) == []
