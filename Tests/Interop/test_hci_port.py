"""The HCI port of a running world, which strangers attach to: many of them, rude ones, dead ones, mad ones."""

import asyncio
import contextlib
import os
import pathlib
import random
import re
import signal
import socket
import struct
import threading
import time
from contextlib import AsyncExitStack

import keyfob_table as table
import pytest
from bluethroat import PATIENCE, KeyFob, Process, until
from bumble import hci
from bumble.transport import open_transport
from bumble_central import attached
from bumble_keyfob import BumbleKeyFob
from crowds import connect
from panel_client import Panel, read_answer

RESET = bytes(hci.HCI_Reset_Command())


async def test_twenty_hosts_at_once_each_find_the_fob_and_take_turns_with_it():
    async with KeyFob() as fob, AsyncExitStack() as stack:
        centrals = await asyncio.gather(
            *(stack.enter_async_context(attached(fob.hci, number)) for number in range(1, 21))
        )
        addresses = await asyncio.gather(*(central.find(table.NAME) for central in centrals))
        assert {address.to_string(False) for address in addresses} == {fob.address}

        for central in centrals:
            peer = await central.connect(addresses[0])
            assert (await fob.event("connected"))["peer"] == central.address
            assert await peer.read(0x0003) == b"TI BLE Keyfob"
            await peer.disconnect()
            await fob.event("disconnected")


async def test_hosts_on_the_same_air_reach_each_other():
    """Two strangers, our controllers under both: one advertises, the other connects and reads."""
    async with KeyFob("--wait") as world, attached(world.hci) as central:
        async with await open_transport(world.hci.replace("tcp:", "tcp-client:")) as transport:
            fob = BumbleKeyFob(transport.source, transport.sink, address="F0:00:00:00:00:77")
            await fob.start()
            peer = await central.find_and_connect(table.NAME)
            assert [(handle, await peer.read(handle)) for handle, _ in table.values("F0:00:00:00:00:77")] == list(
                table.values("F0:00:00:00:00:77")
            )
            await peer.subscribe(table.KEYS_CCCD)
            await fob.notify(table.KEYS, b"\x03")
            assert await peer.notification() == (table.KEYS, b"\x03")
            await peer.disconnect()


GARBAGE = {
    "noise": bytes(range(256)) * 64,
    "unknown packet type": b"\x7f" + RESET,
    "an event from the host": b"\x04\x0e\x04\x01\x03\x0c\x00",
    "text": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "data for no connection": b"\x02\xff\x0f\x04\x00\x00\x00\x04\x00" + RESET,
    "data longer than any buffer": b"\x02\x00\x00\xff\xff" + bytes(0xFFFF),
}


async def still_served(fob, witness):
    """The fob and a host that was there before are none the worse."""
    assert await witness.read(table.BATTERY) == b"\x64"
    fob.say("r")
    await fob.event("key", state=2)
    async with attached(fob.hci, 99) as newcomer:
        async with newcomer.scanning():
            pass
    assert fob.since(0, "disconnected") == []


@pytest.mark.parametrize("name", GARBAGE)
async def test_garbage_loses_only_its_own_controller(name):
    async with KeyFob() as fob, attached(fob.hci) as central:
        witness = await central.find_and_connect(table.NAME)
        reader, writer = await asyncio.open_connection("127.0.0.1", fob.port)
        # It is hung up on, whatever it was still told; a reset by the other side is a way to hang up, and it may come
        # before we have said that we have nothing more to say.
        try:
            writer.write(GARBAGE[name])
            writer.write_eof()
            await asyncio.wait_for(reader.read(), PATIENCE)
        except OSError:
            pass
        writer.close()
        await still_served(fob, witness)


@pytest.mark.parametrize("length", range(1, len(RESET)))
async def test_a_client_that_vanishes_in_the_middle_of_a_packet_is_forgotten(length):
    async with KeyFob() as fob, attached(fob.hci) as central:
        witness = await central.find_and_connect(table.NAME)
        _, writer = await asyncio.open_connection("127.0.0.1", fob.port)
        writer.write(RESET[:length])
        await writer.drain()
        writer.transport.abort()
        await still_served(fob, witness)


async def test_a_client_that_resets_the_connection_while_scanning_is_forgotten():
    async with KeyFob() as fob, attached(fob.hci) as central:
        witness = await central.find_and_connect(table.NAME)
        stranger = socket.create_connection(("127.0.0.1", fob.port))
        stranger.sendall(
            RESET
            + bytes(hci.HCI_LE_Set_Event_Mask_Command(le_event_mask=bytes([0xFF] * 8)))
            + bytes(hci.HCI_LE_Set_Scan_Enable_Command(le_scan_enable=1, filter_duplicates=0))
        )
        await asyncio.get_running_loop().run_in_executor(None, stranger.recv, 1)
        # Linger for no time: the kernel sends a reset instead of a farewell.
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        stranger.close()
        await still_served(fob, witness)


async def test_a_client_that_never_reads_does_not_hold_up_the_others():
    """It asks and asks and takes no answer; everybody else's world goes on."""
    question = bytes(hci.HCI_Read_Local_Supported_Commands_Command())
    async with KeyFob() as fob, attached(fob.hci) as central:
        witness = await central.find_and_connect(table.NAME)
        with socket.socket() as stranger:
            stranger.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            stranger.connect(("127.0.0.1", fob.port))
            stranger.setblocking(False)
            # As much as it will swallow: then either it has stopped listening to this client or it has answered it all.
            try:
                async with asyncio.timeout(3):
                    await asyncio.get_running_loop().sock_sendall(stranger, question * 50_000)
            except (TimeoutError, ConnectionError):
                pass
            await still_served(fob, witness)


async def test_hosts_come_and_go():
    async with KeyFob() as fob:
        descriptors = len(os.listdir(f"/proc/{fob.process.pid}/fd"))
        for number in range(30):
            async with attached(fob.hci, number):
                pass
        # None of them leaves a socket behind.
        async with attached(fob.hci) as central:
            await central.find(table.NAME)

            async def are_closed():
                return len(os.listdir(f"/proc/{fob.process.pid}/fd")) <= descriptors + 4

            await until(are_closed, "the sockets of those who have left closed")


# Madness: packets that are well framed and mean nothing, or something.

# Opcodes and the lengths of their parameters, for what a host does most.
COMMANDS = {
    0x0406: 3, 0x041D: 2, 0x0C01: 8, 0x0C03: 0, 0x0C31: 1, 0x0C33: 7, 0x0C63: 8, 0x1001: 0, 0x1002: 0, 0x1003: 0,
    0x1005: 0, 0x1009: 0, 0x1405: 2, 0x2001: 8, 0x2002: 0, 0x2003: 0, 0x2005: 6, 0x2006: 15, 0x2007: 0, 0x2008: 32,
    0x2009: 32, 0x200A: 1, 0x200B: 7, 0x200C: 2, 0x200D: 25, 0x200E: 0, 0x200F: 0, 0x2010: 0, 0x2011: 7, 0x2012: 7,
    0x2013: 14, 0x2014: 5, 0x2015: 2, 0x2016: 2, 0x2017: 32, 0x2018: 0, 0x2019: 28, 0x201A: 18, 0x201B: 2, 0x201C: 0,
    0x2020: 14, 0x2021: 3, 0x2022: 6, 0x2023: 0, 0x2024: 4, 0x2027: 39, 0x2029: 0, 0x202D: 1, 0x202F: 0, 0x2030: 2,
    0x2031: 3, 0x2032: 7, 0x2060: 0,
}  # fmt: skip


# One that no mad host sends.
LAST = 0xFEED


def octets(stream, count):
    """Bytes with a leaning to the small and the extreme, which is where meaning and mistakes are."""
    return bytes(stream.choice((0, 1, 2, 3, 0x10, 0x20, 0x7F, 0xFF, stream.randrange(256))) for _ in range(count))


def packet(stream):
    kind = stream.random()
    if kind < 0.9:
        opcode, length = stream.choice(list(COMMANDS.items()))
        if stream.random() < 0.1:
            opcode = min(stream.randrange(0x10000), LAST - 1)
        if stream.random() < 0.1:
            length = stream.randrange(64)
        return b"\x01" + struct.pack("<HB", opcode, length) + octets(stream, length)
    length = stream.randrange(64)
    handle = stream.choice((0, 1, 2, stream.randrange(0x10000)))
    return b"\x02" + struct.pack("<HH", handle, length) + octets(stream, length)


@pytest.mark.parametrize("seed", range(1, 5))
async def test_a_mad_host_harms_nobody(seed):
    """Replayed with BLUETHROAT_FUZZ_INPUTS and the seed in the test's name."""
    inputs = int(os.environ.get("BLUETHROAT_FUZZ_INPUTS", 100_000)) // 4
    stream = random.Random(seed)
    async with KeyFob() as fob, attached(fob.hci) as central:
        witness = await central.find_and_connect(table.NAME)
        reader, writer = await asyncio.open_connection("127.0.0.1", fob.port)

        last_answer = bytes.fromhex("040f040101") + struct.pack("<H", LAST)

        async def listen():
            heard = b""
            while last_answer not in heard:
                more = await reader.read(1 << 16)
                assert more, "well framed packets are no reason to hang up"
                heard = heard[-len(last_answer) :] + more

        listening = asyncio.create_task(listen())
        for _ in range(inputs // 100):
            writer.write(b"".join(packet(stream) for _ in range(100)))
            await writer.drain()
            assert not listening.done(), listening.exception()
        # Everything before it has been dealt with when the last question is answered: there is no such command.
        writer.write(b"\x01" + struct.pack("<HB", LAST, 0))
        async with asyncio.timeout(2 * PATIENCE):
            await listening
        writer.close()
        await still_served(fob, witness)


def resident_kibibytes(running):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{running.process.pid}/status").read_text())[1])


async def test_a_host_that_sends_more_than_is_done_is_not_read_meanwhile():
    """What waits of one host is bounded, and others are served."""
    async with KeyFob("--wait") as fob:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(fob.hci.rsplit(":", 1)[1]))

        async def swallow():
            while await reader.read(1 << 16):
                pass

        reading = asyncio.create_task(swallow())
        end = time.monotonic() + 3
        while time.monotonic() < end:
            writer.write(RESET * 4096)
            try:
                await asyncio.wait_for(writer.drain(), 1)
            except TimeoutError:
                continue
        assert resident_kibibytes(fob) < 200_000
        reading.cancel()
        writer.transport.abort()
        # What was read of it by then is no matter of others.
        await reset_at(fob.port, 5)
        async with attached(fob.hci):
            pass


async def reset_at(port, limit):
    """A host that comes and asks one question; answers how long that took."""
    began = time.monotonic()
    async with asyncio.timeout(limit):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(RESET)
        assert (await reader.readexactly(7)) == bytes.fromhex("040e0401030c00")
    writer.close()
    return time.monotonic() - began


async def world_at(panel, limit):
    """One question to the panel; answers how long that took."""
    began = time.monotonic()
    async with asyncio.timeout(limit):
        reader, writer = await asyncio.open_connection("127.0.0.1", panel.port)
        writer.write(panel.request("GET", "/api/world"))
        assert (await read_answer(reader)).status == 200
    writer.close()
    return time.monotonic() - began


DHKEY = bytes.fromhex("01252000012620") + bytes([64]) + bytes.fromhex(
    "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b"
)
# A build for debugging on a busy machine; without turns it is half a minute.
AT_ONCE = 8


@pytest.mark.parametrize("commands", [RESET * 1000, DHKEY * 100], ids=["cheap", "dear"])
async def test_two_hundred_hosts_that_do_not_wait_for_answers_delay_nobody_while_they_are_there_and_when_they_have_left(commands):
    async with KeyFob("--wait", "--panel-listen", "127.0.0.1:0") as fob:
        panel = Panel((await fob.event("panel"))["url"])
        is_over = threading.Event()
        hosts = [socket.create_connection(("127.0.0.1", fob.port)) for _ in range(200)]

        def flood():
            for host in hosts:
                host.setblocking(False)
                host.send(RESET)
            while not is_over.wait(0.05):
                for host in hosts:
                    with contextlib.suppress(BlockingIOError):
                        host.recv(1 << 16)
                    with contextlib.suppress(BlockingIOError):
                        host.send(commands)
            for host in hosts:
                host.close()

        flooding = asyncio.create_task(asyncio.to_thread(flood))
        try:
            await asyncio.sleep(1)
            for _ in range(5):
                await asyncio.gather(reset_at(fob.port, AT_ONCE), world_at(panel, AT_ONCE))
                await asyncio.sleep(0.2)
        finally:
            is_over.set()
            await flooding
        await asyncio.gather(reset_at(fob.port, AT_ONCE), world_at(panel, AT_ONCE))
        assert resident_kibibytes(fob) < 200_000

        async def only_the_fob_is_there():
            reader, writer = await panel.open()
            writer.write(panel.request("GET", "/api/devices"))
            devices = (await read_answer(reader)).json
            writer.close()
            return len(devices) == 1

        await until(only_the_fob_is_there, "the controllers of all others gone")


async def test_a_host_that_takes_nothing_of_what_it_is_sent_is_dropped_within_seconds_at_each_door(tmp_path):
    """It asks as much as is read of it, which is little as long as it takes no answers."""
    doors = {f"{kind}:{tmp_path}/{kind}": kind for kind in ("unix", "pty")}
    options = [word for place, kind in doors.items() for word in (f"--{kind}", place.partition(":")[2])]
    listen = ("--hci-listen", "127.0.0.1:0", "--no-panel")
    async with KeyFob() as fob, Process("attach", *listen, *options, "--json") as attach:
        for _ in doors:
            await attach.event("offered")
        before = resident_kibibytes(fob)
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.connect(("127.0.0.1", fob.port))
        deaf.setblocking(False)
        ends = [await connect(place) for place in doors]
        for reader, _ in ends:
            reader._transport.pause_reading()
        question = bytes(hci.HCI_Read_Local_Supported_Commands_Command())

        def ask():
            """Until it is hung up on, but not for long after that."""
            end = time.monotonic() + 60
            while time.monotonic() < end:
                try:
                    deaf.send(question * 1000)
                except BlockingIOError:
                    time.sleep(0.05)
                except OSError:
                    return True
            return False

        asking = asyncio.to_thread(ask)

        async def ask_at_door(writer):
            while True:
                with contextlib.suppress(BlockingIOError, OSError):
                    writer.write(question * 100)
                await asyncio.sleep(0.05)

        others = [asyncio.create_task(ask_at_door(writer)) for _, writer in ends]
        assert await asking, "a host that never reads is still there"
        assert resident_kibibytes(fob) - before < 20_000
        for _ in doors:
            gone = await attach.event("detached")
            assert gone["hci"] in doors and "does not read" in gone["reason"], gone
        for task in others:
            task.cancel()
        for _, writer in ends:
            writer.close()
        deaf.close()
        await reset_at(fob.port, AT_ONCE)


async def test_a_controller_that_sends_more_than_is_done_is_not_read_meanwhile():
    """What waits of a controller is bounded, however fast it reports what nobody has asked for."""
    report = bytes.fromhex("043e0c02010000c0c0c0c0c0c000c0")
    over, sent = asyncio.Event(), 0

    async def flood(reader, writer):
        """For a while that is shorter than a host waits for an answer, or until all is taken that comes."""
        nonlocal sent
        await reader.readexactly(4)
        end = time.monotonic() + 2
        while time.monotonic() < end and sent < 1 << 28:
            writer.write(report * 4096)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(writer.drain(), 0.5)
            sent += 4096 * len(report)
        over.set()
        with contextlib.suppress(ConnectionError):
            await reader.read()

    server = await asyncio.start_server(flood, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, Process("keyfob", "--controller", f"tcp:127.0.0.1:{port}", "--no-panel") as fob:
        await asyncio.wait_for(over.wait(), PATIENCE)
        assert fob.process.returncode is None
        assert 1 << 20 < sent < 1 << 28, "it was no flood, or all was taken"
        assert resident_kibibytes(fob) < 200_000
        fob.process.send_signal(signal.SIGINT)
        await asyncio.wait_for(fob.process.wait(), PATIENCE)
