"""`bluethroat keyfob` as a program: its words, its output, its end, and the strangers at its HCI port."""

import asyncio
import os
import re
import signal
import socket
import struct
from contextlib import AsyncExitStack

import bluethroat
import captures
import keyfob_table as table
import pytest
from bluethroat import KeyFob, Process, command
from bumble import hci
from bumble_central import attached

RESET = bytes(hci.HCI_Reset_Command())


# Output


async def test_the_first_two_objects_are_the_fob_and_where_it_listens():
    async with KeyFob() as fob:
        assert [event["event"] for event in fob.events[:2]] == ["fob", "listening"]
        assert re.fullmatch(r"([0-9A-F]{2}:){5}[0-9A-F]{2}", fob.address)
        assert re.fullmatch(r"tcp:127\.0\.0\.1:[1-9]\d*", fob.hci)


async def test_two_worlds_take_two_ports():
    async with KeyFob() as one, KeyFob() as other:
        assert one.port != other.port


async def test_without_json_there_is_a_line_each():
    async with Process("keyfob", "--hci-listen", "127.0.0.1:0") as fob:
        await fob.until(lambda: any("HCI listening on tcp:127.0.0.1:" in line for line in fob.lines), "HCI port")
        assert any(re.search(r"([0-9A-F]{2}:){5}[0-9A-F]{2}", line) for line in fob.lines)
        fob.send(signal.SIGTERM)
        assert await fob.exit_code() == 0


async def test_every_change_says_when():
    async with KeyFob() as fob, attached(fob.hci) as central:
        await central.find_and_connect(table.NAME)
        fob.say("l")
        await fob.event("key", state=0)
        times = [event["time"] for event in fob.events[2:]]
        assert all(isinstance(time, (int, float)) for time in times)
        assert times == sorted(times)


async def test_advertising_starts_at_launch_and_waits_if_told_to():
    async with KeyFob() as fob:
        await fob.event("advertising", on=True)
        await fob.event("led", name="LED2", on=True)
    async with KeyFob("--wait") as fob:
        fob.say("nonsense")
        await fob.event("error")
        assert fob.since(0, "advertising") == []
        fob.say("a")
        await fob.event("advertising", on=True)
        fob.say("a")
        await fob.event("advertising", on=False)


async def test_the_same_seed_is_the_same_fob():
    async with KeyFob(seed=5) as one, KeyFob(seed=5) as other:
        assert one.address == other.address


# Words


@pytest.mark.parametrize(
    "words", ["nonsense", "l sideways", "b", "b eighty", "b 101", "b -1", "t 1 2", "t 1 2 200", "tg x y z", "d", "d -5"]
)
async def test_an_unknown_word_is_one_line_and_changes_nothing(words):
    async with KeyFob("--wait") as fob, attached(fob.hci):
        mark = fob.mark()
        fob.say(words)
        assert (await fob.event("error"))["message"] == await fob.error_line()
        # The next word is heard, and nothing happened in between.
        fob.say("l down")
        await fob.event("key", state=1)
        assert {event["event"] for event in fob.events[mark:]} <= {"error", "key", "led"}
        assert len(fob.since(mark, "error")) == len(fob.errors) == 1


async def test_empty_lines_and_spaces_do_not_matter():
    async with KeyFob("--wait") as fob:
        for words in ["", "   ", "  l   down  ", "l up\r"]:
            fob.say(words)
        assert (await fob.event("key"))["state"] == 1
        assert (await fob.event("key"))["state"] == 0
        assert fob.since(0, "error") == []


async def test_bytes_that_are_no_text_are_an_unknown_word():
    async with KeyFob("--wait") as fob:
        fob.process.stdin.write(b"\xff\xfe\x00\n" + b"x" * 100_000 + b"\n")
        await fob.event("error")
        await fob.event("error")
        fob.say("l down")
        await fob.event("key", state=1)


async def test_q_ends_it():
    async with KeyFob() as fob:
        fob.say("q")
        assert await fob.exit_code() == 0


async def test_the_end_of_standard_input_is_not_the_end():
    async with KeyFob() as fob:
        fob.say_no_more()
        async with attached(fob.hci) as central:
            peer = await central.find_and_connect(table.NAME)
            assert await peer.read(table.BATTERY) == b"\x64"


async def test_no_standard_input_at_all_is_fine():
    process = await asyncio.create_subprocess_exec(
        "/bin/sh",
        "-c",
        'exec "$0" keyfob --hci-listen 127.0.0.1:0 --json <&-',
        bluethroat.binary(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(bluethroat.PATIENCE):
            assert b'"fob"' in await process.stdout.readline()
            assert b'"listening"' in await process.stdout.readline()
            process.terminate()
            await process.stdout.read()
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


# The end


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_signals_end_it_cleanly(number):
    async with KeyFob() as fob, attached(fob.hci) as central:
        await central.find_and_connect(table.NAME)
        await fob.event("connected")
        fob.send(number)
        assert await fob.exit_code() == 0
        assert fob.errors == []


async def test_an_interrupt_closes_the_captures(tmp_path):
    air, log = tmp_path / "air.pcapng", tmp_path / "hci.btsnoop"
    async with KeyFob("--capture", str(air), "--btsnoop", str(log)) as fob, attached(fob.hci) as central:
        await central.find_and_connect(table.NAME)
        await fob.event("connected")
        fob.send(signal.SIGINT)
        assert await fob.exit_code() == 0
    assert captures.frames(air)
    assert captures.btsnoop_packets(log) > 0


async def test_a_capture_that_cannot_be_written_is_one_line():
    answer = await command("keyfob", "--hci-listen", "127.0.0.1:0", "--capture", "/nowhere/air.pcapng", "--json")
    assert answer.code == 1
    assert len(answer.errors) == 1 and "/nowhere/air.pcapng" in answer.errors[0]


async def test_a_port_that_is_taken_is_one_line():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = await command("keyfob", "--hci-listen", f"127.0.0.1:{port}", "--json")
    assert answer.code == 1
    assert len(answer.errors) == 1 and str(port) in answer.errors[0]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--hci-listen", "nowhere"],
        ["--hci-listen", "127.0.0.1:99999"],
        ["--distance", "far"],
        ["--distance", "-1"],
        ["--seed", "x"],
        ["--sideways"],
        ["--controller", "pigeon:coo"],
    ],
)
async def test_wrong_usage_is_two(arguments):
    answer = await command("keyfob", *arguments, "--json")
    assert answer.code == 2
    assert answer.errors and answer.lines == []


# Strangers


@pytest.mark.limit(120)
async def test_twenty_hosts_at_once_each_find_the_fob_and_take_turns_with_it():
    async with KeyFob() as fob, AsyncExitStack() as stack:
        centrals = await asyncio.gather(
            *(stack.enter_async_context(attached(fob.hci, number)) for number in range(1, 21))
        )
        addresses = await asyncio.gather(*(central.find(table.NAME, patience=30) for central in centrals))
        assert {address.to_string(False) for address in addresses} == {fob.address}

        for central in centrals:
            peer = await central.connect(addresses[0])
            assert (await fob.event("connected"))["peer"] == central.address
            assert await peer.read(0x0003) == b"TI BLE Keyfob"
            await peer.disconnect()
            await fob.event("disconnected")


async def test_hosts_on_the_same_air_reach_each_other():
    """Two strangers, our controllers under both: one advertises, the other connects and reads."""
    from bumble_keyfob import BumbleKeyFob
    from bumble.transport import open_transport

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
        writer.write(GARBAGE[name])
        writer.write_eof()
        # It is hung up on, whatever it was still told; a reset by the other side is a way to hang up.
        try:
            await asyncio.wait_for(reader.read(), bluethroat.PATIENCE)
        except ConnectionError:
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
        # One more is answered, so the others have been seen off; none of them left a socket behind.
        async with attached(fob.hci) as central:
            await central.find(table.NAME)
            assert len(os.listdir(f"/proc/{fob.process.pid}/fd")) <= descriptors + 4
