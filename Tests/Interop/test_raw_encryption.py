"""Encryption between our controllers, asked for with bare commands and read back from the air with the key alone."""

import asyncio
import os
import random
import secrets
import struct

import captures
import link_sniffer
import pytest
import raw_hci
from bluethroat import KeyFob
from bumble.crypto.cryptography import EccKey
from link_sniffer import CENTRAL, PERIPHERAL
from raw_hci import (
    A_WHILE,
    AUTHENTICATED_PAYLOAD_TIMEOUT_EXPIRED,
    COMMAND_COMPLETE,
    COMMAND_STATUS,
    DHKEY_COMPLETE,
    DISCONNECTION_COMPLETE,
    ENCRYPTION_CHANGE,
    ENCRYPTION_KEY_REFRESH_COMPLETE,
    LE_META,
    LONG_TERM_KEY_REQUEST,
    P256_PUBLIC_KEY_COMPLETE,
    handle_bytes,
    linked,
    listen_to_everything,
    raw_host,
    raw_hosts,
)

LTK, OTHER_LTK = bytes(range(0x10, 0x20)), bytes(range(0x30, 0x40))
RAND, EDIV = bytes(range(0xA0, 0xA8)), 0x2A74
UNKNOWN_CONNECTION, KEY_MISSING, DISALLOWED, INVALID_PARAMETERS, MIC_FAILURE = 0x02, 0x06, 0x0C, 0x12, 0x3D

# Opcode: length of parameters; of return parameters, or None if it is answered with Command Status; bit in the mask.
COMMANDS = {
    raw_hci.READ_AUTHENTICATED_PAYLOAD_TIMEOUT: (2, 5, (32, 4)),
    raw_hci.WRITE_AUTHENTICATED_PAYLOAD_TIMEOUT: (4, 3, (32, 5)),
    raw_hci.LE_ENABLE_ENCRYPTION: (28, None, (28, 0)),
    raw_hci.LE_LONG_TERM_KEY_REPLY: (18, 3, (28, 1)),
    raw_hci.LE_LONG_TERM_KEY_NEGATIVE_REPLY: (2, 3, (28, 2)),
    raw_hci.LE_READ_LOCAL_P256_PUBLIC_KEY: (0, None, (34, 1)),
    raw_hci.LE_GENERATE_DHKEY: (64, None, (34, 2)),
    raw_hci.LE_GENERATE_DHKEY_V2: (65, None, (41, 2)),
}

OF_A_CONNECTION = {
    raw_hci.READ_AUTHENTICATED_PAYLOAD_TIMEOUT: b"",
    raw_hci.WRITE_AUTHENTICATED_PAYLOAD_TIMEOUT: struct.pack("<H", 3000),
    raw_hci.LE_ENABLE_ENCRYPTION: bytes(26),
    raw_hci.LE_LONG_TERM_KEY_REPLY: bytes(16),
    raw_hci.LE_LONG_TERM_KEY_NEGATIVE_REPLY: b"",
}

# The debug keys, Core 6.0, Vol 3, Part H, 2.3.5.6.1, least significant byte first.
DEBUG_PRIVATE = bytes.fromhex("3f49f6d4a3c55f3874c9b3e3d2103f504aff607beb40b7995899b8a6cd3c1abd")[::-1]
DEBUG_X = bytes.fromhex("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6")[::-1]
DEBUG_Y = bytes.fromhex("dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b")[::-1]


async def enable(central, link, key=LTK, rand=RAND, ediv=EDIV):
    parameters = handle_bytes(link) + rand + struct.pack("<H", ediv) + key
    return await central.ask(raw_hci.LE_ENABLE_ENCRYPTION, parameters)


async def key_request(peripheral, link, rand=RAND, ediv=EDIV):
    body = await peripheral.le_event(LONG_TERM_KEY_REQUEST)
    assert body == bytes([LONG_TERM_KEY_REQUEST]) + handle_bytes(link) + rand + struct.pack("<H", ediv)


def encryption(host):
    """An Encryption Change of either version, or a refresh, as (status, handle, enabled or None)."""

    def look():
        body = host.take(lambda code, _: code == ENCRYPTION_CHANGE)
        if body is not None:
            assert len(body) == 4
            return struct.unpack("<BHB", body)
        body = host.take(lambda code, _: code == 0x59)
        if body is not None:
            assert len(body) == 5 and body[4] in (0, 16)
            return struct.unpack("<BHB", body[:4])
        body = host.take(lambda code, _: code == ENCRYPTION_KEY_REFRESH_COMPLETE)
        if body is not None:
            assert len(body) == 3
            return (*struct.unpack("<BH", body), None)
        return None

    return host.until(look, "word of the encryption")


async def encrypt(hosts, links, key=LTK, again=False):
    """Encrypts a link, or does so anew; both hosts hear of it."""
    central, peripheral = hosts
    assert await enable(central, links[0], key) == (COMMAND_STATUS, b"\0")
    await key_request(peripheral, links[1])
    answered = await peripheral.ask(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + key)
    assert answered == (COMMAND_COMPLETE, b"\0" + handle_bytes(links[1]))
    for host, link in zip(hosts, links):
        assert await encryption(host) == (0, link.handle, None if again else 1)


async def disconnected(host, link, patience=raw_hci.PATIENCE):
    body = await host.event(DISCONNECTION_COMPLETE, patience=patience)
    assert body[0] == 0 and body[1:3] == handle_bytes(link)
    return body[3]


async def next_packet(host, link, length):
    """A packet of this length, from as many pieces as it was sent in."""
    whole = b""
    while len(whole) < length or not whole:
        number, flag, piece = await host.acl()
        assert (number, flag) == (link.handle, 1 if whole else 2)
        whole += piece
    return whole


async def exchange(hosts, links, payloads):
    """Sends both ways and sees all of it arrive, once and in order."""
    for host, link in zip(hosts, links):
        for payload in payloads:
            host.send(link.handle, payload)
    for host, link in zip(hosts, links):
        for payload in payloads:
            assert await next_packet(host, link, len(payload)) == payload
    assert not any(host.data for host in hosts)


# The commands


async def test_the_mask_names_the_commands_and_each_is_answered_in_its_form():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        mask = await host.do(raw_hci.READ_LOCAL_SUPPORTED_COMMANDS)
        for opcode, (length, returned, (octet, bit)) in COMMANDS.items():
            assert mask[octet] >> bit & 1, f"0x{opcode:04X} is not in the mask"
            for wrong in {0, 1, length - 1, length + 1, 255} - {length, -1}:
                code, answer = await host.ask(opcode, bytes(wrong))
                hint = f"0x{opcode:04X} of {wrong} bytes"
                assert code == (COMMAND_STATUS if returned is None else COMMAND_COMPLETE), hint
                assert len(answer) == (returned or 1) and answer[0] == INVALID_PARAMETERS, hint
            await asyncio.sleep(0.05)
        assert not host.waiting(LE_META), "what a command was refused does not happen later"


@pytest.mark.parametrize("number", [0x0000, 0x0EFF])
async def test_a_connection_that_is_not_there_is_unknown(number):
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        for opcode, rest in OF_A_CONNECTION.items():
            code, returned = await host.ask(opcode, struct.pack("<H", number) + rest)
            assert returned[0] == UNKNOWN_CONNECTION, f"0x{opcode:04X}"
            if code == COMMAND_COMPLETE:
                assert returned[1:3] == struct.pack("<H", number), f"0x{opcode:04X}"


async def test_the_features_say_what_there_is():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        features = int.from_bytes(await host.do(raw_hci.LE_READ_LOCAL_FEATURES), "little")
        for bit, name in [(0, "LE Encryption"), (4, "LE Ping"), (2, "Extended Reject Indication")]:
            assert features >> bit & 1, name


# Starting


async def test_both_hosts_hear_that_the_link_is_encrypted():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        links = await linked(*hosts)
        await encrypt(hosts, links)
        await exchange(hosts, links, [b"secret"])


async def test_without_page_2_a_change_is_told_in_its_first_version_and_a_refresh_only_if_wanted():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        # As after a reset: neither Encryption Change [v2] nor the refresh.
        for host in hosts:
            await host.do(raw_hci.SET_EVENT_MASK, struct.pack("<Q", 0x00001FFFFFFFFFFF | 1 << 61))
        await hosts[0].do(raw_hci.SET_EVENT_MASK, struct.pack("<Q", (0x00001FFFFFFFFFFF | 1 << 61) & ~(1 << 7)))
        links = await linked(*hosts)
        assert (await enable(hosts[0], links[0]))[1] == b"\0"
        await key_request(hosts[1], links[1])
        await hosts[1].do(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + LTK)
        assert await encryption(hosts[1]) == (0, links[1].handle, 1)
        await exchange(hosts, links, [b"secret"])
        assert not hosts[0].waiting(ENCRYPTION_CHANGE), "the central has masked it"

        await hosts[0].do(raw_hci.SET_EVENT_MASK, b"\xff" * 8)
        assert (await enable(hosts[0], links[0]))[1] == b"\0"
        await key_request(hosts[1], links[1])
        await hosts[1].do(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + LTK)
        assert await encryption(hosts[0]) == (0, links[0].handle, None)
        await exchange(hosts, links, [b"still secret"])
        assert not hosts[1].waiting(ENCRYPTION_KEY_REFRESH_COMPLETE), "the peripheral has masked it"


async def test_a_host_that_cannot_be_asked_has_no_key():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        await peripheral.do(raw_hci.LE_SET_EVENT_MASK, struct.pack("<Q", 0x1F & ~(1 << 4)))
        links = await linked(*hosts)
        assert (await enable(central, links[0]))[1] == b"\0"
        status, number, enabled = await encryption(central)
        assert (status, number, enabled) == (KEY_MISSING, links[0].handle, 0)
        assert not peripheral.waiting(LE_META, LONG_TERM_KEY_REQUEST)


async def test_without_a_key_the_link_stays_as_it_was():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        links = await linked(*hosts)
        for _ in range(2):
            assert (await enable(central, links[0]))[1] == b"\0"
            await key_request(peripheral, links[1])
            answered = await peripheral.ask(raw_hci.LE_LONG_TERM_KEY_NEGATIVE_REPLY, handle_bytes(links[1]))
            assert answered == (COMMAND_COMPLETE, b"\0" + handle_bytes(links[1]))
            assert await encryption(central) == (KEY_MISSING, links[0].handle, 0)
            await exchange(hosts, links, [b"everybody may hear this"])
        await encrypt(hosts, links)
        await exchange(hosts, links, [b"and this only two"])
        assert not peripheral.waiting(ENCRYPTION_CHANGE)


@pytest.mark.parametrize("side", ["central", "peripheral"])
async def test_different_keys_end_the_link_with_a_mic_failure(side):
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        links = await linked(*hosts)
        assert (await enable(central, links[0], LTK if side == "central" else OTHER_LTK))[1] == b"\0"
        await key_request(peripheral, links[1])
        key = OTHER_LTK if side == "central" else LTK
        await peripheral.do(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + key)
        for host, link in zip(hosts, links):
            host.send(link.handle, b"for nobody to read")
        assert await disconnected(peripheral, links[1]) == MIC_FAILURE
        # The peripheral leaves without a word, so the central waits for the supervision timeout.
        assert await disconnected(central, links[0]) in (0x08, MIC_FAILURE)
        assert not central.data and not peripheral.data
        for host in hosts:
            assert all(body[0] != 0 for body in host.waiting(ENCRYPTION_CHANGE)), "no link was encrypted"
        # Nothing is left of it.
        links = await linked(*hosts)
        await encrypt(hosts, links)
        await exchange(hosts, links, [b"again"])


async def test_who_may_ask_for_what():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        links = await linked(*hosts)
        assert await enable(peripheral, links[1]) == (COMMAND_STATUS, bytes([DISALLOWED])), "only a central"
        for host, link in zip(hosts, links):
            for opcode, key in [(raw_hci.LE_LONG_TERM_KEY_REPLY, LTK), (raw_hci.LE_LONG_TERM_KEY_NEGATIVE_REPLY, b"")]:
                refused = await host.ask(opcode, handle_bytes(link) + key)
                assert refused == (COMMAND_COMPLETE, bytes([DISALLOWED]) + handle_bytes(link)), "nobody has asked"
        assert (await enable(central, links[0]))[1] == b"\0"
        assert (await enable(central, links[0]))[1] == b"\0", "while it is being started, once more waits"
        assert await enable(central, links[0]) == (COMMAND_STATUS, bytes([DISALLOWED])), "and no third time"
        await key_request(peripheral, links[1])
        await peripheral.do(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + LTK)
        for host, link in zip(hosts, links):
            assert await encryption(host) == (0, link.handle, 1)
        await key_request(peripheral, links[1])
        await peripheral.do(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + LTK)
        assert await peripheral.status(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + LTK) == DISALLOWED
        for host, link in zip(hosts, links):
            assert await host.event(ENCRYPTION_KEY_REFRESH_COMPLETE) == b"\0" + handle_bytes(link)
        await exchange(hosts, links, [b"none of it hurt"])


async def test_a_key_that_comes_after_the_link_has_ended_is_for_nobody():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        links = await linked(*hosts)
        assert (await enable(central, links[0]))[1] == b"\0"
        await key_request(peripheral, links[1])
        assert await central.status(raw_hci.DISCONNECT, handle_bytes(links[0]) + b"\x13") == 0
        assert await disconnected(central, links[0]) == 0x16
        assert await disconnected(peripheral, links[1]) in (0x13, 0x08)
        late = await peripheral.status(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + LTK)
        assert late == UNKNOWN_CONNECTION


# Data around it


async def test_data_sent_before_during_and_after_arrives_once_and_in_order():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        await listen_to_everything(*hosts)
        links = await linked(*hosts)
        payloads = [bytes([number]) * length for number, length in enumerate((27, 1, 26, 27, 5))]
        await exchange(hosts, links, payloads[:2])
        assert (await enable(central, links[0]))[1] == b"\0"
        await key_request(peripheral, links[1])
        for host, link in zip(hosts, links):
            for payload in payloads[2:4]:
                host.send(link.handle, payload)
        await asyncio.sleep(0.1)
        for host in hosts:
            assert not host.data, "between request and start nothing but control PDUs is sent"
        await peripheral.do(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + LTK)
        for host, link in zip(hosts, links):
            assert await encryption(host) == (0, link.handle, 1)
            host.send(link.handle, payloads[4])
        for host, link in zip(hosts, links):
            for payload in payloads[2:]:
                assert await host.acl() == (link.handle, 2, payload)
            await host.until(lambda: host.credits[link.handle] == 5 or None, "completed packets")


async def test_long_packets_are_encrypted_too():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        links = await linked(*hosts)
        await encrypt(hosts, links)
        await exchange(hosts, links, [bytes([number]) * length for number, length in enumerate((1, 27, 28, 251, 250))])
        for host, link in zip(hosts, links):
            await host.do(raw_hci.LE_SET_DATA_LENGTH, handle_bytes(link) + struct.pack("<HH", 251, 2120))
        await asyncio.sleep(A_WHILE)
        await exchange(hosts, links, [bytes([number]) * length for number, length in enumerate((251, 1, 250, 251, 27))])


async def test_procedures_go_on_below_the_encryption():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        links = await linked(*hosts)
        await encrypt(hosts, links)
        update = handle_bytes(links[0]) + struct.pack("<HHHHHH", 24, 24, 0, 200, 0, 0)
        assert await central.status(raw_hci.LE_CONNECTION_UPDATE, update) == 0
        for host in hosts:
            body = await host.le_event(raw_hci.CONNECTION_UPDATE_COMPLETE)
            assert body[1] == 0 and struct.unpack_from("<H", body, 4)[0] == 24
        for host, link in zip(hosts, links):
            assert await host.status(raw_hci.LE_READ_REMOTE_FEATURES, handle_bytes(link)) == 0
            assert (await host.le_event(raw_hci.REMOTE_FEATURES_COMPLETE))[1] == 0
            assert await host.status(raw_hci.READ_REMOTE_VERSION, handle_bytes(link)) == 0
            assert (await host.event(raw_hci.READ_REMOTE_VERSION_COMPLETE))[0] == 0
        await exchange(hosts, links, [b"still here"])
        assert await central.status(raw_hci.DISCONNECT, handle_bytes(links[0]) + b"\x13") == 0
        assert await disconnected(central, links[0]) == 0x16
        assert await disconnected(peripheral, links[1]) == 0x13


# Anew


async def test_keys_can_be_changed_while_encrypted():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        await listen_to_everything(*hosts)
        links = await linked(*hosts)
        await encrypt(hosts, links)
        for key in (OTHER_LTK, LTK, LTK):
            await exchange(hosts, links, [b"one", b"two"])
            await encrypt(hosts, links, key, again=True)
        await exchange(hosts, links, [b"three"])
        for host in hosts:
            assert not host.waiting(ENCRYPTION_CHANGE) and not host.waiting(0x59)


async def test_an_encrypted_link_is_never_kept_without_a_key():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        links = await linked(*hosts)
        await encrypt(hosts, links)
        assert (await enable(central, links[0]))[1] == b"\0"
        await key_request(peripheral, links[1])
        for host, link in zip(hosts, links):
            host.send(link.handle, b"not in plain")
        await peripheral.do(raw_hci.LE_LONG_TERM_KEY_NEGATIVE_REPLY, handle_bytes(links[1]))
        reasons = [await disconnected(host, link) for host, link in zip(hosts, links)]
        assert KEY_MISSING in reasons and set(reasons) <= {KEY_MISSING, 0x16, 0x13}, reasons
        assert not central.data and not peripheral.data


async def test_different_keys_the_second_time_end_the_link_as_well():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        central, peripheral = hosts
        links = await linked(*hosts)
        await encrypt(hosts, links)
        assert (await enable(central, links[0], LTK))[1] == b"\0"
        await key_request(peripheral, links[1])
        await peripheral.do(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + OTHER_LTK)
        assert await disconnected(peripheral, links[1]) == MIC_FAILURE
        assert await disconnected(central, links[0]) in (0x08, MIC_FAILURE)


# On the air


async def test_the_air_can_be_read_with_the_key_and_only_with_it(tmp_path):
    air = tmp_path / "air.pcapng"
    draw = random.Random(4)
    first = [draw.randbytes(length) for length in (1, 27, 60, 120)]
    second = [draw.randbytes(length) for length in (251, 2, 33)]
    async with KeyFob("--wait", "--capture", str(air)) as fob, raw_hosts(fob.port, 2) as hosts:
        links = await linked(*hosts)
        await exchange(hosts, links, [b"in plain words"])
        await encrypt(hosts, links)
        await exchange(hosts, links, first)
        for host, link in zip(hosts, links):
            await host.do(raw_hci.LE_SET_DATA_LENGTH, handle_bytes(link) + struct.pack("<HH", 251, 2120))
        await asyncio.sleep(0.2)
        await encrypt(hosts, links, OTHER_LTK, again=True)
        await exchange(hosts, links, second)
        assert await hosts[0].status(raw_hci.DISCONNECT, handle_bytes(links[0]) + b"\x13") == 0
        assert await disconnected(hosts[1], links[1]) == 0x13

    pdus = list(link_sniffer.link(air, LTK, OTHER_LTK))
    for direction in (CENTRAL, PERIPHERAL):
        mine = [pdu for pdu in pdus if pdu.direction == direction]
        sent = b"".join(pdu.payload for pdu in mine if pdu.kind != link_sniffer.CONTROL)
        assert sent == b"in plain words" + b"".join(first) + b"".join(second)
        plain = [pdu for pdu in mine if not pdu.encrypted]
        assert b"".join(pdu.payload for pdu in plain if pdu.kind != link_sniffer.CONTROL) == b"in plain words"
    # In the order of figures 5.1 and 5.2: who says what of the encryption, and what of it is encrypted.
    spoken = [
        (pdu.direction, pdu.opcode, pdu.encrypted)
        for pdu in pdus
        if pdu.opcode in (0x03, 0x04, 0x05, 0x06, 0x0A, 0x0B, link_sniffer.TERMINATE_IND)
    ]
    start = [
        (CENTRAL, link_sniffer.ENC_REQ, False),
        (PERIPHERAL, link_sniffer.ENC_RSP, False),
        (PERIPHERAL, link_sniffer.START_ENC_REQ, False),
        (CENTRAL, link_sniffer.START_ENC_RSP, True),
        (PERIPHERAL, link_sniffer.START_ENC_RSP, True),
    ]
    pause = [
        (CENTRAL, link_sniffer.PAUSE_ENC_REQ, True),
        (PERIPHERAL, link_sniffer.PAUSE_ENC_RSP, True),
        (CENTRAL, link_sniffer.PAUSE_ENC_RSP, False),
    ]
    assert spoken == [*start, *pause, *start, (CENTRAL, link_sniffer.TERMINATE_IND, True)]
    request = next(pdu.payload for pdu in pdus if pdu.opcode == link_sniffer.ENC_REQ)
    assert request[1:11] == RAND + struct.pack("<H", EDIV)
    # Diversifiers and vectors are drawn anew for every start, by both sides.
    drawn = [
        part
        for pdu in pdus
        if pdu.opcode in (link_sniffer.ENC_REQ, link_sniffer.ENC_RSP)
        for payload in [pdu.payload[11:] if pdu.opcode == link_sniffer.ENC_REQ else pdu.payload[1:]]
        for part in (payload[:8], payload[8:])
    ]
    assert len(set(drawn)) == len(drawn) == 8
    # Every encrypted PDU is four bytes longer on the air.
    assert all(len(pdu.on_air) == len(pdu.payload) + (4 if pdu.encrypted else 0) for pdu in pdus)

    with pytest.raises(link_sniffer.WrongKey):
        list(link_sniffer.link(air, OTHER_LTK, LTK))
    for payload in (*first, *second):
        if len(payload) > 20:
            assert not any(payload[:20] in frame for frame in captures.frames(air))


async def test_the_same_words_never_look_the_same(tmp_path):
    air = tmp_path / "air.pcapng"
    async with KeyFob("--wait", "--capture", str(air)) as fob, raw_hosts(fob.port, 2) as hosts:
        links = await linked(*hosts)
        await encrypt(hosts, links)
        for _ in range(5):
            await exchange(hosts, links, [b"the same words"] * 4)
        assert await hosts[0].status(raw_hci.DISCONNECT, handle_bytes(links[0]) + b"\x13") == 0
        await disconnected(hosts[1], links[1])
    said = [pdu.on_air for pdu in link_sniffer.link(air, LTK) if pdu.payload == b"the same words"]
    assert len(said) == len(set(said)) == 40


# Authenticated payload timeout and LE Ping


async def test_the_authenticated_payload_timeout_can_be_read_and_set():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        links = await linked(*hosts)
        for host, link in zip(hosts, links):
            read = await host.do(raw_hci.READ_AUTHENTICATED_PAYLOAD_TIMEOUT, handle_bytes(link))
            assert read == handle_bytes(link) + struct.pack("<H", 3000), "30 s unless told"
            written = await host.ask(raw_hci.WRITE_AUTHENTICATED_PAYLOAD_TIMEOUT, handle_bytes(link) + b"\x20\x03")
            assert written == (COMMAND_COMPLETE, b"\0" + handle_bytes(link))
            read = await host.do(raw_hci.READ_AUTHENTICATED_PAYLOAD_TIMEOUT, handle_bytes(link))
            assert read == handle_bytes(link) + b"\x20\x03"
            refused = await host.ask(raw_hci.WRITE_AUTHENTICATED_PAYLOAD_TIMEOUT, handle_bytes(link) + b"\0\0")
            assert refused == (COMMAND_COMPLETE, bytes([INVALID_PARAMETERS]) + handle_bytes(link))
            read = await host.do(raw_hci.READ_AUTHENTICATED_PAYLOAD_TIMEOUT, handle_bytes(link))
            assert read == handle_bytes(link) + b"\x20\x03"


async def test_pings_keep_a_silent_link_authenticated(tmp_path):
    air = tmp_path / "air.pcapng"
    async with KeyFob("--wait", "--capture", str(air)) as fob, raw_hosts(fob.port, 2) as hosts:
        await listen_to_everything(*hosts)
        links = await linked(*hosts)
        # 0.4 s at one side, and a link that says nothing for more than a second.
        await hosts[0].do(raw_hci.WRITE_AUTHENTICATED_PAYLOAD_TIMEOUT, handle_bytes(links[0]) + struct.pack("<H", 40))
        await asyncio.sleep(0.6)
        assert not hosts[0].waiting(AUTHENTICATED_PAYLOAD_TIMEOUT_EXPIRED), "a plain link has no payload to authenticate"
        await encrypt(hosts, links)
        await asyncio.sleep(1.5)
        for host in hosts:
            assert not host.waiting(AUTHENTICATED_PAYLOAD_TIMEOUT_EXPIRED)
        await exchange(hosts, links, [b"still here"])
        assert await hosts[0].status(raw_hci.DISCONNECT, handle_bytes(links[0]) + b"\x13") == 0
        await disconnected(hosts[1], links[1])
    pdus = list(link_sniffer.link(air, LTK))
    pings = [pdu for pdu in pdus if pdu.opcode == link_sniffer.PING_REQ]
    assert 2 <= len(pings) <= 10 and all(pdu.encrypted and pdu.direction == CENTRAL for pdu in pings)
    answers = [pdu for pdu in pdus if pdu.opcode == link_sniffer.PING_RSP]
    assert len(answers) == len(pings) and all(pdu.direction == PERIPHERAL for pdu in answers)


@pytest.mark.parametrize("role", ["central", "peripheral"])
async def test_a_peer_that_sends_nothing_authenticated_is_reported(role):
    """The peer vanishes with its controller; until the supervision timeout the host hears of the other one."""
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        await listen_to_everything(*hosts)
        links = await linked(*hosts, timeout=150)
        mine = 0 if role == "central" else 1
        host, link, peer = hosts[mine], links[mine], hosts[1 - mine]
        await host.do(raw_hci.WRITE_AUTHENTICATED_PAYLOAD_TIMEOUT, handle_bytes(link) + struct.pack("<H", 50))
        await encrypt(hosts, links)
        peer.write(raw_hci.RESET)
        for _ in range(2):
            assert await host.event(AUTHENTICATED_PAYLOAD_TIMEOUT_EXPIRED) == handle_bytes(link)
        assert await disconnected(host, link) == 0x08


async def test_the_expiry_is_told_to_those_who_want_to_know():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        links = await linked(*hosts, timeout=100)
        await hosts[0].do(raw_hci.WRITE_AUTHENTICATED_PAYLOAD_TIMEOUT, handle_bytes(links[0]) + struct.pack("<H", 30))
        await encrypt(hosts, links)
        hosts[1].write(raw_hci.RESET)
        assert await disconnected(hosts[0], links[0]) == 0x08
        # Page 2 of the mask has no bit set after a reset. Vol 4, Part E, 7.3.69.
        assert not hosts[0].waiting(AUTHENTICATED_PAYLOAD_TIMEOUT_EXPIRED)


# Elliptic curves


async def public_key(host):
    assert await host.ask(raw_hci.LE_READ_LOCAL_P256_PUBLIC_KEY) == (COMMAND_STATUS, b"\0")
    body = await host.le_event(P256_PUBLIC_KEY_COMPLETE)
    assert len(body) == 66 and body[1] == 0
    return body[2:34], body[34:66]


async def secret(host, x, y, version=1, kind=b""):
    """What the controller makes of a public key: (status, secret)."""
    opcode = raw_hci.LE_GENERATE_DHKEY if version == 1 else raw_hci.LE_GENERATE_DHKEY_V2
    code, answer = await host.ask(opcode, x + y + kind)
    assert code == COMMAND_STATUS
    if answer != b"\0":
        return answer[0], None
    body = await host.le_event(DHKEY_COMPLETE)
    assert len(body) == 34
    return body[1], body[2:]


async def test_two_controllers_share_a_secret():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (host, other):
        await listen_to_everything(host, other)
        keys, others = await public_key(host), await public_key(other)
        assert keys != others
        status, shared = await secret(host, *others)
        assert status == 0
        assert await secret(other, *keys) == (0, shared)
        assert await secret(other, *keys, version=2, kind=b"\0") == (0, shared)
        # A stranger's, computed by somebody else's library.
        stranger = EccKey.generate()
        assert await secret(host, stranger.x[::-1], stranger.y[::-1]) == (
            0,
            stranger.dh(keys[0][::-1], keys[1][::-1])[::-1],
        )
        # A new key every time it is asked for, and the secret is made of the last one.
        renewed = await public_key(host)
        assert renewed != keys
        status, anew = await secret(host, *others)
        assert (status, anew != shared) == (0, True)
        assert await secret(other, *renewed) == (0, anew)


async def test_the_debug_key_is_the_one_in_the_specification():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        await listen_to_everything(host)
        x, y = await public_key(host)
        assert (x, y) != (DEBUG_X, DEBUG_Y)
        debug = EccKey.from_private_key_bytes(DEBUG_PRIVATE[::-1])
        assert (debug.x[::-1], debug.y[::-1]) == (DEBUG_X, DEBUG_Y)
        expected = debug.dh(x[::-1], y[::-1])[::-1]
        assert await secret(host, DEBUG_X, DEBUG_Y) == (0, expected)
        # With the debug key as our own: what the stranger finds with the debug public key.
        stranger = EccKey.generate()
        shared = stranger.dh(DEBUG_X[::-1], DEBUG_Y[::-1])[::-1]
        assert await secret(host, stranger.x[::-1], stranger.y[::-1], version=2, kind=b"\1") == (0, shared)
        status, nothing = await secret(host, stranger.x[::-1], stranger.y[::-1], version=2, kind=b"\2")
        assert (status, nothing) == (INVALID_PARAMETERS, None)


PRIME = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF


def little(number):
    return number.to_bytes(32, "little")


async def test_a_point_beside_the_curve_gives_no_secret():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        await listen_to_everything(host)
        await public_key(host)
        x, y = DEBUG_X, DEBUG_Y
        flipped = bytes([y[0] ^ 1]) + y[1:]
        number = int.from_bytes(x, "little")
        for name, point in {
            "zero": (bytes(32), bytes(32)),
            "x alone": (x, bytes(32)),
            "beside": (x, flipped),
            "the wrong way round": (y, x),
            "most significant first": (x[::-1], y[::-1]),
            "the prime": (little(PRIME), y),
            "all ones": (b"\xff" * 32, b"\xff" * 32),
            "x and the prime": (little(number + PRIME) if number + PRIME < 1 << 256 else little(PRIME + 5), y),
        }.items():
            for version, kind in [(1, b""), (2, b"\0"), (2, b"\1")]:
                status, key = await secret(host, *point, version=version, kind=kind)
                assert status == INVALID_PARAMETERS, f"{name}: {status:02X}"
                assert key in (None, b"\xff" * 32), name
        # None of it has harmed the key pair.
        assert (await secret(host, x, y))[0] == 0


async def test_elliptic_events_are_told_to_those_who_want_to_know():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        assert await host.ask(raw_hci.LE_READ_LOCAL_P256_PUBLIC_KEY) == (COMMAND_STATUS, b"\0")
        await asyncio.sleep(0.2)
        assert await host.ask(raw_hci.LE_GENERATE_DHKEY, DEBUG_X + DEBUG_Y) == (COMMAND_STATUS, b"\0")
        await asyncio.sleep(0.2)
        assert not host.waiting(LE_META), "bits 7 and 8 are not set after a reset"


# Between everything else


def everything_else(draw):
    """What either host may ask of a link, as (opcode, parameters after the handle)."""
    length, interval = draw.choice([(27, 328), (100, 912), (251, 2120)]), draw.choice([6, 8, 12])
    return [
        (raw_hci.READ_REMOTE_VERSION, b""),
        (raw_hci.LE_READ_REMOTE_FEATURES, b""),
        (raw_hci.LE_SET_DATA_LENGTH, struct.pack("<HH", *length)),
        (raw_hci.LE_CONNECTION_UPDATE, struct.pack("<HHHHHH", interval, interval, 0, 300, 0, 0)),
    ]


async def test_keys_change_between_everything_else_that_a_link_does():
    """Both hosts send, ask and change things meanwhile: the link lives, and every word arrives in its order."""
    seed = os.environ.get("BLUETHROAT_SEED") or secrets.token_hex(4)
    print(f"BLUETHROAT_SEED={seed} repeats this")
    draw = random.Random(seed)
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as hosts:
        await listen_to_everything(*hosts)
        links = await linked(*hosts, interval=6, timeout=300)
        sent = {host: b"" for host in hosts}

        async def changed(host, link):
            """Waits for the end of the procedure, and grants every wish for other parameters on the way."""

            def news(code, body):
                wish = code == LE_META and body[0] == raw_hci.PARAMETER_REQUEST
                return wish or code in (ENCRYPTION_CHANGE, 0x59, ENCRYPTION_KEY_REFRESH_COMPLETE)

            while (body := await host.until(lambda: host.take(news), "word of the encryption"))[0] != 0:
                assert body[0] == raw_hci.PARAMETER_REQUEST, body.hex()
                await grant(host, link, body)

        async def grant(host, link, body):
            # The link may have got other parameters in the meantime.
            await host.ask(raw_hci.LE_PARAMETER_REQUEST_REPLY, handle_bytes(link) + body[3:11] + bytes(4))

        async def asked_for_key(host, link):
            """The same until the key is asked for: a central's wish for other parameters is the host's to grant, and
            encryption begins when it has been."""

            def news(code, body):
                return code == LE_META and body[0] in (raw_hci.PARAMETER_REQUEST, LONG_TERM_KEY_REQUEST)

            while (body := await host.until(lambda: host.take(news), "the request for the key"))[0] != LONG_TERM_KEY_REQUEST:
                await grant(host, link, body)

        for _ in range(int(os.environ.get("BLUETHROAT_FUZZ_INPUTS", "1000")) // 50):
            key = draw.randbytes(16)
            orders = [(0, raw_hci.LE_ENABLE_ENCRYPTION, RAND + struct.pack("<H", EDIV) + key)]
            for side in (0, 1):
                orders += [(side, *order) for order in draw.sample(everything_else(draw), draw.randrange(4))]
            draw.shuffle(orders)
            for side, opcode, parameters in orders:
                for host, link in zip(hosts, links):
                    if draw.random() < 0.4:
                        sent[host] += (payload := draw.randbytes(draw.randrange(1, 28)))
                        host.send(link.handle, payload)
                status = await hosts[side].status(opcode, handle_bytes(links[side]) + parameters)
                # What waits for something of the same kind may be refused.
                assert status == 0 or opcode != raw_hci.LE_ENABLE_ENCRYPTION and status in (DISALLOWED, 0x3A)
            await asked_for_key(hosts[1], links[1])
            if draw.random() < 0.5:
                await asyncio.sleep(draw.random() / 20)
            await hosts[1].do(raw_hci.LE_LONG_TERM_KEY_REPLY, handle_bytes(links[1]) + key)
            for host, link in zip(hosts, links):
                await changed(host, link)
        for host, other in (hosts, reversed(hosts)):
            whole = sent[other]
            await host.until(lambda: sum(len(data) for *_, data in host.data) >= len(whole) or None, "all data")
            assert b"".join(data for *_, data in host.data) == whole
            assert not host.waiting(DISCONNECTION_COMPLETE)
