"""The controllers behind the HCI port, command by command: each answered in full, well formed or not."""

import struct

import pytest
import raw_hci
from bluethroat import KeyFob
from raw_hci import COMMAND_COMPLETE, COMMAND_STATUS, advertising_parameters, create_connection, raw_host, raw_hosts

INVALID_PARAMETERS, UNKNOWN_COMMAND, UNKNOWN_CONNECTION, DISALLOWED = 0x12, 0x01, 0x02, 0x0C

# Opcode: length of parameters; of return parameters, or None if it is answered with Command Status; bit in the mask.
COMMANDS = {
    raw_hci.DISCONNECT: (3, None, (0, 5)),
    raw_hci.READ_REMOTE_VERSION: (2, None, (2, 7)),
    raw_hci.SET_EVENT_MASK: (8, 1, (5, 6)),
    raw_hci.RESET: (0, 1, (5, 7)),
    raw_hci.READ_TRANSMIT_POWER_LEVEL: (3, 4, (10, 2)),
    raw_hci.SET_EVENT_MASK_PAGE_2: (8, 1, (22, 2)),
    raw_hci.READ_LOCAL_VERSION: (0, 9, (14, 3)),
    raw_hci.READ_LOCAL_SUPPORTED_COMMANDS: (0, 65, None),
    raw_hci.READ_LOCAL_SUPPORTED_FEATURES: (0, 9, (14, 5)),
    raw_hci.READ_BUFFER_SIZE: (0, 8, (14, 7)),
    raw_hci.READ_BD_ADDR: (0, 7, (15, 1)),
    raw_hci.READ_RSSI: (2, 4, (15, 5)),
    raw_hci.LE_SET_EVENT_MASK: (8, 1, (25, 0)),
    raw_hci.LE_READ_BUFFER_SIZE: (0, 4, (25, 1)),
    raw_hci.LE_READ_LOCAL_FEATURES: (0, 9, (25, 2)),
    raw_hci.LE_SET_RANDOM_ADDRESS: (6, 1, (25, 4)),
    raw_hci.LE_SET_ADVERTISING_PARAMETERS: (15, 1, (25, 5)),
    raw_hci.LE_READ_ADVERTISING_TX_POWER: (0, 2, (25, 6)),
    raw_hci.LE_SET_ADVERTISING_DATA: (32, 1, (25, 7)),
    raw_hci.LE_SET_SCAN_RESPONSE_DATA: (32, 1, (26, 0)),
    raw_hci.LE_SET_ADVERTISING_ENABLE: (1, 1, (26, 1)),
    raw_hci.LE_SET_SCAN_PARAMETERS: (7, 1, (26, 2)),
    raw_hci.LE_SET_SCAN_ENABLE: (2, 1, (26, 3)),
    raw_hci.LE_CREATE_CONNECTION: (25, None, (26, 4)),
    raw_hci.LE_CREATE_CONNECTION_CANCEL: (0, 1, (26, 5)),
    raw_hci.LE_READ_ACCEPT_LIST_SIZE: (0, 2, (26, 6)),
    raw_hci.LE_CLEAR_ACCEPT_LIST: (0, 1, (26, 7)),
    raw_hci.LE_ADD_TO_ACCEPT_LIST: (7, 1, (27, 0)),
    raw_hci.LE_REMOVE_FROM_ACCEPT_LIST: (7, 1, (27, 1)),
    raw_hci.LE_CONNECTION_UPDATE: (14, None, (27, 2)),
    raw_hci.LE_SET_HOST_CHANNEL_CLASSIFICATION: (5, 1, (27, 3)),
    raw_hci.LE_READ_CHANNEL_MAP: (2, 8, (27, 4)),
    raw_hci.LE_READ_REMOTE_FEATURES: (2, None, (27, 5)),
    raw_hci.LE_ENCRYPT: (32, 17, (27, 6)),
    raw_hci.LE_RAND: (0, 9, (27, 7)),
    raw_hci.LE_READ_SUPPORTED_STATES: (0, 9, (28, 3)),
    raw_hci.LE_PARAMETER_REQUEST_REPLY: (14, 3, (33, 4)),
    raw_hci.LE_PARAMETER_REQUEST_NEGATIVE_REPLY: (3, 3, (33, 5)),
    raw_hci.LE_SET_DATA_LENGTH: (6, 3, (33, 6)),
    raw_hci.LE_READ_DEFAULT_DATA_LENGTH: (0, 5, (33, 7)),
    raw_hci.LE_WRITE_DEFAULT_DATA_LENGTH: (4, 1, (34, 0)),
    raw_hci.LE_READ_MAXIMUM_DATA_LENGTH: (0, 9, (35, 3)),
    raw_hci.LE_READ_TRANSMIT_POWER: (0, 3, (38, 7)),
}

# Commands about a connection, and what follows the handle.
OF_A_CONNECTION = {
    raw_hci.DISCONNECT: b"\x13",
    raw_hci.READ_REMOTE_VERSION: b"",
    raw_hci.READ_TRANSMIT_POWER_LEVEL: b"\0",
    raw_hci.READ_RSSI: b"",
    raw_hci.LE_CONNECTION_UPDATE: struct.pack("<HHHHHH", 12, 12, 0, 100, 0, 0),
    raw_hci.LE_READ_CHANNEL_MAP: b"",
    raw_hci.LE_READ_REMOTE_FEATURES: b"",
    raw_hci.LE_PARAMETER_REQUEST_REPLY: struct.pack("<HHHHHH", 12, 12, 0, 100, 0, 0),
    raw_hci.LE_PARAMETER_REQUEST_NEGATIVE_REPLY: b"\x3b",
    raw_hci.LE_SET_DATA_LENGTH: struct.pack("<HH", 251, 2120),
}


def check_answer(opcode, answer, hint):
    code, returned = answer
    expected = COMMANDS[opcode][1]
    assert code == (COMMAND_STATUS if expected is None else COMMAND_COMPLETE), f"0x{opcode:04X} {hint}"
    assert len(returned) == (expected or 1), f"0x{opcode:04X} {hint} returned {returned.hex()}"


async def mask_of(host):
    mask = await host.do(raw_hci.READ_LOCAL_SUPPORTED_COMMANDS)
    return {(octet, bit) for octet in range(64) for bit in range(8) if mask[octet] >> bit & 1}


async def test_what_the_mask_names_is_answered_and_nothing_else():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        named = await mask_of(host)
        known = {opcode: row for opcode, row in COMMANDS.items() if row[2] is None or row[2] in named}
        # The mask may grow beyond this list, but nothing hosts count on may leave it.
        assert {row[2] for row in COMMANDS.values() if row[2]} <= named
        for opcode, (length, _, _) in known.items():
            check_answer(opcode, await host.ask(opcode, bytes(length)), "all zero")
        await host.start()
        if len(named) == len(known) - 1:
            others = [group << 10 | number for group in range(64) for number in (*range(0x90), 0x3FF)]
            others = [opcode for opcode in others if opcode and opcode not in known]
            for opcode in others:
                assert await host.ask(opcode) == (COMMAND_STATUS, bytes([UNKNOWN_COMMAND])), f"0x{opcode:04X}"


async def test_a_command_of_the_wrong_length_is_an_error_with_all_its_return_parameters():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        for opcode, (length, _, _) in COMMANDS.items():
            for wrong in {0, 1, 2, length - 1, length + 1, length + 7, 255} - {length, -1}:
                answer = await host.ask(opcode, bytes(wrong))
                check_answer(opcode, answer, f"of {wrong} bytes")
                assert answer[1][0] == INVALID_PARAMETERS, f"0x{opcode:04X} of {wrong} bytes"


@pytest.mark.parametrize("handle", [0x0000, 0x0EFF])
async def test_a_connection_that_is_not_there_is_unknown(handle):
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        for opcode, rest in OF_A_CONNECTION.items():
            code, returned = await host.ask(opcode, struct.pack("<H", handle) + rest)
            assert returned[0] == UNKNOWN_CONNECTION, f"0x{opcode:04X}"
            if code == COMMAND_COMPLETE:
                assert returned[1:3] == struct.pack("<H", handle), f"0x{opcode:04X}"


async def test_the_arithmetic_is_right():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        # FIPS 197, C.1, with the least significant byte first as everything in HCI.
        key, plaintext = bytes(range(16)), bytes.fromhex("00112233445566778899aabbccddeeff")
        ciphertext = await host.do(raw_hci.LE_ENCRYPT, key[::-1] + plaintext[::-1])
        assert ciphertext[::-1].hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"
        assert len({await host.do(raw_hci.LE_RAND) for _ in range(20)}) == 20


async def test_what_hosts_must_find():
    async with KeyFob("--wait") as fob, raw_hosts(fob.port, 2) as (host, other):
        assert (await host.do(raw_hci.READ_LOCAL_SUPPORTED_FEATURES)).hex() == "0000000060000000"
        # No maker whose firmware a host would load.
        assert (await host.do(raw_hci.READ_LOCAL_VERSION))[4:6] == b"\xff\xff"
        length, count = struct.unpack("<HB", await host.do(raw_hci.LE_READ_BUFFER_SIZE))
        assert 27 <= length <= 251 and count > 0
        assert await host.do(raw_hci.LE_READ_MAXIMUM_DATA_LENGTH) == struct.pack("<HHHH", 251, 2120, 251, 2120)
        assert await host.do(raw_hci.LE_READ_DEFAULT_DATA_LENGTH) == struct.pack("<HH", 27, 328)
        assert host.address != other.address and any(host.address)


async def test_the_same_seed_gives_the_same_addresses_and_never_the_same_secrets():
    async def drawn(seed):
        async with KeyFob("--wait", seed=seed) as fob, raw_hosts(fob.port, 2) as hosts:
            return [host.address for host in hosts], [await host.do(raw_hci.LE_RAND) for host in hosts]

    (one, secrets), (same, others), (another, _) = [await drawn(seed) for seed in (7, 7, 8)]
    assert one == same != another
    # Whoever knows the seed of a live world does not know its keys.
    assert len({*secrets, *others}) == 4


# Each with what it must be refused with; the first of a pair is valid but for one field.
REFUSALS = {
    "advertising faster than 20 ms": (0x2006, advertising_parameters(least=0x1F)),
    "advertising slower than 10.24 s": (0x2006, advertising_parameters(most=0x4001)),
    "advertising from slow to fast": (0x2006, advertising_parameters(least=0x30, most=0x20)),
    "an advertising type 5": (0x2006, advertising_parameters(kind=5)),
    "an own address type 4": (0x2006, advertising_parameters(own_type=4)),
    "no channel": (0x2006, advertising_parameters(channels=0)),
    "a fourth channel": (0x2006, advertising_parameters(channels=8)),
    "a filter policy 4": (0x2006, advertising_parameters(policy=4)),
    "directed at nobody": (0x2006, advertising_parameters(kind=1, peer_type=0xFF)),
    "32 bytes of advertising data": (0x2008, bytes([32]) + bytes(31)),
    "32 bytes of scan response": (0x2009, bytes([32]) + bytes(31)),
    "enabling by two": (0x200A, b"\2"),
    "a scan type 2": (0x200B, struct.pack("<BHHBB", 2, 16, 16, 0, 0)),
    "a scan window beyond its interval": (0x200B, struct.pack("<BHHBB", 0, 16, 17, 0, 0)),
    "a scan interval of 1.875 ms": (0x200B, struct.pack("<BHHBB", 0, 3, 3, 0, 0)),
    "a scan filter policy 4": (0x200B, struct.pack("<BHHBB", 0, 16, 16, 0, 4)),
    "an interval of 6.25 ms": (0x200D, create_connection(interval=5)),
    "an interval beyond 4 s": (0x200D, create_connection(interval=3201, timeout=3200)),
    "an interval from long to short": (0x200D, create_connection(interval=24, most=12)),
    "a latency of 500": (0x200D, create_connection(latency=500, timeout=3200)),
    "a timeout of 90 ms": (0x200D, create_connection(timeout=9)),
    "a timeout beyond 32 s": (0x200D, create_connection(timeout=3201)),
    "a timeout too short for the latency": (0x200D, create_connection(interval=80, latency=4, timeout=100)),
    "an initiator's filter policy 2": (0x200D, create_connection(policy=2)),
    "an accept list entry of type 2": (0x2011, b"\2" + bytes(6)),
    "no channels": (0x2014, bytes(5)),
    "26 bytes of data": (0x2024, struct.pack("<HH", 26, 328)),
    "252 bytes of data": (0x2024, struct.pack("<HH", 252, 2120)),
    "327 us of data": (0x2024, struct.pack("<HH", 27, 327)),
}


async def test_values_out_of_range_are_refused():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        for name, (opcode, parameters) in REFUSALS.items():
            # Intervals may be refused as unsupported, too. 7.8.5.
            assert await host.status(opcode, parameters) in (INVALID_PARAMETERS, 0x11), name


async def test_commands_have_their_time():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        assert await host.status(raw_hci.LE_SET_ADVERTISING_ENABLE, b"\0") == 0, "off while off"
        assert await host.status(raw_hci.LE_SET_SCAN_ENABLE, b"\0\0") == 0, "off while off"
        assert await host.status(raw_hci.LE_CREATE_CONNECTION_CANCEL) == DISALLOWED
        own_random = advertising_parameters(own_type=1)
        await host.do(raw_hci.LE_SET_ADVERTISING_PARAMETERS, own_random)
        assert await host.status(raw_hci.LE_SET_ADVERTISING_ENABLE, b"\1") == INVALID_PARAMETERS, "no random address yet"

        await host.advertise()
        assert await host.status(raw_hci.LE_SET_ADVERTISING_PARAMETERS, advertising_parameters()) == DISALLOWED
        assert await host.status(raw_hci.LE_SET_RANDOM_ADDRESS, bytes(5) + b"\xc0") == DISALLOWED
        assert await host.status(raw_hci.LE_SET_ADVERTISING_DATA, b"\3\2\1\6" + bytes(28)) == 0
        await host.stop_advertising()
        assert await host.status(raw_hci.LE_SET_RANDOM_ADDRESS, bytes(5) + b"\xc0") == 0

        await host.scan()
        scan_parameters = struct.pack("<BHHBB", 0, 16, 16, 0, 0)
        assert await host.status(raw_hci.LE_SET_SCAN_PARAMETERS, scan_parameters) == DISALLOWED
        assert await host.status(raw_hci.LE_SET_RANDOM_ADDRESS, bytes(5) + b"\xc1") == DISALLOWED
        await host.stop_scanning()

        await host.connect(b"\1\2\3\4\5\6")
        assert await host.status(raw_hci.LE_CREATE_CONNECTION, create_connection(b"\1\2\3\4\5\6")) == DISALLOWED
        assert await host.status(raw_hci.LE_CREATE_CONNECTION_CANCEL) == 0
        assert (await host.connection()).status == 0x02
        assert await host.status(raw_hci.LE_CREATE_CONNECTION_CANCEL) == DISALLOWED


async def test_the_accept_list_has_the_size_it_says():
    async with KeyFob("--wait") as fob, raw_host(fob.port) as host:
        (size,) = await host.do(raw_hci.LE_READ_ACCEPT_LIST_SIZE)
        for number in range(size):
            await host.do(raw_hci.LE_ADD_TO_ACCEPT_LIST, bytes([0, number]) + bytes(5))
        assert await host.status(raw_hci.LE_ADD_TO_ACCEPT_LIST, bytes([0, size]) + bytes(5)) == 0x07
        await host.do(raw_hci.LE_REMOVE_FROM_ACCEPT_LIST, bytes([0, 0]) + bytes(5))
        await host.do(raw_hci.LE_ADD_TO_ACCEPT_LIST, bytes([0, size]) + bytes(5))
        await host.do(raw_hci.LE_CLEAR_ACCEPT_LIST)
