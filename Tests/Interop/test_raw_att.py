"""The fob's attributes and signals asked with PDUs of every shape, most of which no stack would send."""

import struct
from contextlib import asynccontextmanager

import pytest
from bluethroat import KeyFob
from raw_hci import ATT, DISCONNECT, DISCONNECTION_COMPLETE, SIGNALLING, Bearer, raw_host

INVALID_HANDLE, READ_NOT_PERMITTED, WRITE_NOT_PERMITTED, INVALID_PDU = 0x01, 0x02, 0x03, 0x04
NOT_SUPPORTED, INVALID_OFFSET, QUEUE_FULL, NOT_FOUND, NOT_LONG = 0x06, 0x07, 0x09, 0x0A, 0x0B
INVALID_LENGTH, UNSUPPORTED_GROUP, TI_INVALID_VALUE = 0x0D, 0x10, 0x80

LEVEL, LAST = 0x0025, 0x0049
READ_LEVEL = b"\x0a\x25\x00"


@asynccontextmanager
async def bearer():
    async with KeyFob("--no-parameter-request", "--as-source") as fob, raw_host(fob.port) as host:
        await host.connect(bytes.fromhex(fob.address.replace(":", ""))[::-1], timeout=500)
        yield Bearer(host, await host.connection(), READ_LEVEL)


# A well formed request of each kind.
REQUESTS = {
    0x02: b"\x02\x17\x00",
    0x04: b"\x04\x01\x00\xff\xff",
    0x06: b"\x06\x01\x00\xff\xff\x00\x28",
    0x08: b"\x08\x01\x00\xff\xff\x00\x28",
    0x0A: READ_LEVEL,
    0x0C: b"\x0c\x25\x00\x00\x00",
    0x0E: b"\x0e\x03\x00\x05\x00",
    0x10: b"\x10\x01\x00\xff\xff\x00\x28",
    0x12: b"\x12\x25\x00",
    0x16: b"\x16\x25\x00\x00\x00",
    0x18: b"\x18\x00",
    0x20: b"\x20\x03\x00\x05\x00",
}
# The last field of these takes any number of bytes.
OPEN_ENDED = {0x06, 0x12, 0x16}


async def test_a_request_of_the_wrong_length_is_an_invalid_pdu():
    async with bearer() as fob:
        for opcode, request in REQUESTS.items():
            for length in range(1, len(request)):
                await fob.refused(request[:length], INVALID_PDU, 0)
            if opcode not in OPEN_ENDED:
                await fob.refused(request + b"\x00", INVALID_PDU, 0)
        assert (await fob.ask(READ_LEVEL)) == b"\x0b\x00"


async def test_what_is_no_request_is_refused_or_ignored():
    async with bearer() as fob:
        for opcode in (0x14, 0x1F, 0x24, 0x2A, 0x3E, 0x80, 0xBE):
            await fob.refused(bytes([opcode, 1, 2, 3]), NOT_SUPPORTED, 0)
        for opcode in (0x01, 0x03, 0x05, 0x0B, 0x13, 0x17, 0x19, 0x1B, 0x1E, 0x23, 0x40, 0x52, 0x7F, 0xD2, 0xFF):
            await fob.ignored(bytes([opcode]))
            await fob.ignored(bytes([opcode]) + b"\x25\x00\x02")
        await fob.ignored(b"")
        # A write command that the fob would refuse changes nothing.
        await fob.ignored(b"\x52\x25\x00\x03")
        await fob.ignored(b"\x52\x03\x00X")


async def test_handles_and_ranges_that_are_not_there():
    async with bearer() as fob:
        for handle in (0, LAST + 1, 0xFFFF):
            wanted = struct.pack("<H", handle)
            await fob.refused(b"\x0a" + wanted, INVALID_HANDLE, handle)
            await fob.refused(b"\x0c" + wanted + b"\0\0", INVALID_HANDLE, handle)
            await fob.refused(b"\x12" + wanted + b"\0", INVALID_HANDLE, handle)
            await fob.refused(b"\x16" + wanted + b"\0\0\0", INVALID_HANDLE, handle)
            await fob.refused(b"\x0e\x03\x00" + wanted, INVALID_HANDLE, handle)
        for opcode, rest in ((0x04, b""), (0x06, b"\0\x28\1\2"), (0x08, b"\0\x28"), (0x10, b"\0\x28")):
            for first, last in ((0, 0xFFFF), (0, 0), (5, 4), (0xFFFF, 1)):
                await fob.refused(struct.pack("<BHH", opcode, first, last) + rest, INVALID_HANDLE, first)
            for first, last in ((LAST + 1, 0xFFFF), (0xFFFF, 0xFFFF)):
                await fob.refused(struct.pack("<BHH", opcode, first, last) + rest, NOT_FOUND, first)


async def test_searches():
    async with bearer() as fob:
        for group in (b"\x03\x28", b"\x02\x28", b"\x00\x2a", bytes(16)):
            await fob.refused(b"\x10\x01\x00\xff\xff" + group, UNSUPPORTED_GROUP, 1)
        await fob.refused(b"\x10\x01\x00\xff\xff\x01\x28", NOT_FOUND, 1)
        # The long form of a short UUID is the same UUID.
        base = bytes.fromhex("fb349b5f8000008000100000")
        name = b"\x09\x0f\x03\x00TI BLE Keyfob"
        assert await fob.ask(b"\x08\x01\x00\xff\xff\x00\x2a") == name
        assert await fob.ask(b"\x08\x01\x00\xff\xff" + base + b"\x00\x2a\x00\x00") == name
        # A value that cannot be read ends a search by type with its handle.
        await fob.refused(b"\x08\x01\x00\xff\xff\xe1\xff", READ_NOT_PERMITTED, 0x0047)
        assert await fob.ask(b"\x08\x01\x00\xff\xff\x06\x2a") == b"\x09\x03\x25\x00\x00"


async def test_offsets():
    async with bearer() as fob:
        assert await fob.ask(b"\x0c\x03\x00\x0d\x00") == b"\x0d", "the end of a value is a place in it"
        await fob.refused(b"\x0c\x03\x00\x0e\x00", INVALID_OFFSET, 3)
        for handle in (LEVEL, 0x002F, 0x0034):
            await fob.refused(struct.pack("<BHH", 0x0C, handle, 1), NOT_LONG, handle)
        await fob.refused(b"\x0c\x47\x00\x00\x00", READ_NOT_PERMITTED, 0x47)


async def test_several_values_at_once():
    async with bearer() as fob:
        assert await fob.ask(b"\x0e\x03\x00\x05\x00") == b"\x0fTI BLE Keyfob\0\0"
        assert await fob.ask(b"\x20\x03\x00\x05\x00") == b"\x21\x0d\0TI BLE Keyfob\2\0\0\0"
        await fob.refused(b"\x0e\x03\x00\x28\x00", READ_NOT_PERMITTED, 0x28)


async def test_prepared_writes_are_all_or_nothing():
    async with bearer() as fob:
        prepare = b"\x16\x25\x00\x00\x00\x02"
        assert await fob.ask(prepare) == b"\x17" + prepare[1:]
        assert await fob.ask(READ_LEVEL) == b"\x0b\x00", "not yet"
        assert await fob.ask(b"\x18\x00") == b"\x19"
        assert await fob.ask(b"\x18\x01") == b"\x19"
        assert await fob.ask(READ_LEVEL) == b"\x0b\x00", "cancelled"
        await fob.ask(prepare)
        # The second of two is refused, so the first is not carried out either.
        await fob.ask(b"\x16\x34\x00\x00\x00\x07")
        await fob.refused(b"\x18\x01", TI_INVALID_VALUE, 0x34)
        assert await fob.ask(READ_LEVEL) == b"\x0b\x00", "nothing"
        await fob.ask(prepare)
        assert await fob.ask(b"\x18\x01") == b"\x19"
        assert await fob.ask(READ_LEVEL) == b"\x0b\x02"
        await fob.refused(b"\x18\x02", INVALID_PDU, 0)
        await fob.refused(b"\x16\x03\x00\x00\x00x", WRITE_NOT_PERMITTED, 3)
        for _ in range(2000):
            if (answer := await fob.ask(prepare))[0] == 1:
                break
        assert answer == b"\x01\x16\x25\x00" + bytes([QUEUE_FULL])
        assert await fob.ask(b"\x18\x00") == b"\x19"
        assert (await fob.ask(prepare))[0] == 0x17


async def test_the_mtu_is_at_least_23_and_requests_are_answered_in_order():
    async with bearer() as fob:
        # Longer than the MTU: not a write at all.
        await fob.refused(b"\x12\x25\x00" + bytes(40), INVALID_PDU, 0)
        assert struct.unpack("<BH", await fob.ask(b"\x02\x05\x00")) >= (3, 23)
        assert len(await fob.ask(b"\x0a\x20\x00")) == 1 + 14
        for handle in (3, 5, 7):
            fob.send(struct.pack("<BH", 0x0A, handle))
        answers = [(await fob.receive())[1] for _ in range(3)]
        assert answers == [b"\x0bTI BLE Keyfob", b"\x0b\0\0", b"\x0b\0"]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (b"\x7f\x05\x00\x00", b"\x01\x05\x02\x00\x00\x00"),
        # A peripheral is not asked for parameters.
        (b"\x12\x06\x08\x00" + struct.pack("<HHHH", 24, 24, 0, 100), b"\x01\x06\x02\x00\x00\x00"),
        # Longer than the channel's 23 bytes.
        (b"\x7f\x07\x20\x00" + bytes(32), b"\x01\x07\x04\x00\x01\x00\x17\x00"),
    ],
    ids=["unknown", "for the other role", "too long"],
)
async def test_a_signal_that_is_not_understood_is_rejected(command, answer):
    async with bearer() as fob:
        fob.send(command, SIGNALLING)
        assert await fob.receive() == (SIGNALLING, answer)


async def test_what_deserves_no_answer_gets_none():
    async with bearer() as fob:
        for signal in (b"", b"\x12", b"\x7f\x00\x00\x00", b"\x01\x09\x02\x00\x00\x00", b"\x13\x0a\x02\x00\x00\x00"):
            await fob.ignored(signal, SIGNALLING)
        for channel in (0x0000, 0x0001, 0x0007, 0x0040, 0xFFFF):
            await fob.ignored(READ_LEVEL, channel)


async def test_fragments_are_put_together_and_broken_ones_thrown_away():
    async with bearer() as fob:
        handle, whole = fob.link.handle, struct.pack("<HH", len(READ_LEVEL), ATT) + READ_LEVEL
        for place in range(len(whole)):
            fob.host.send(handle, whole[place : place + 1], 1 if place else 0)
        assert await fob.receive() == (ATT, b"\x0b\x00")
        for broken in ([whole[:5]], [whole[:3]], [whole + b"\x00"], [whole[:5], whole[5:] + b"\x00"], [b"", whole]):
            for place, bytes_ in enumerate(broken):
                fob.host.send(handle, bytes_, 1 if place else 0)
            assert await fob.ask(READ_LEVEL) == b"\x0b\x00"


async def test_a_connection_begins_afresh_but_for_the_link_loss_level():
    async with KeyFob("--no-parameter-request", "--as-source") as fob, raw_host(fob.port) as host:
        address = bytes.fromhex(fob.address.replace(":", ""))[::-1]
        for configured, level in ((b"\x0b\0\0", b"\x0b\0"), (b"\x0b\0\0", b"\x0b\2")):
            await host.connect(address)
            peer = Bearer(host, await host.connection())
            assert await peer.ask(b"\x0a\x48\x00") == configured
            assert await peer.ask(READ_LEVEL) == level
            assert await peer.ask(b"\x12\x48\x00\1\0") == await peer.ask(b"\x12\x25\x00\2") == b"\x13"
            await peer.ask(b"\x16\x25\x00\0\0\0")
            await host.status(DISCONNECT, struct.pack("<HB", peer.link.handle, 0x13))
            await host.event(DISCONNECTION_COMPLETE)
