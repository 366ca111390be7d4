"""`bluethroat keyfob` as a program: its words, its output and its end."""

import asyncio
import fcntl
import os
import pty
import re
import signal
import socket
import struct
import termios

import bluethroat
import captures
import keyfob_table as table
import pytest
from bluethroat import PATIENCE, KeyFob, Process, binary, command, started
from bumble_central import attached

# Output


async def test_the_first_two_objects_are_the_fob_and_where_it_listens():
    async with KeyFob() as fob:
        assert [event["event"] for event in fob.events[:2]] == ["fob", "listening"]
        assert re.fullmatch(r"([0-9A-F]{2}:){5}[0-9A-F]{2}", fob.address)
        assert re.fullmatch(r"tcp:127\.0\.0\.1:[1-9]\d*", fob.hci)


async def test_two_worlds_take_two_ports():
    async with KeyFob() as one, KeyFob() as other:
        assert one.port != other.port


async def test_a_port_without_a_host_is_one_of_this_machine():
    async with KeyFob(hci_listen=":0") as fob:
        assert fob.hci.startswith("tcp:127.0.0.1:")


async def test_without_json_there_is_a_line_each():
    async with Process("keyfob", "--hci-listen", "127.0.0.1:0") as fob:
        await fob.until(lambda: any("HCI listening on tcp:127.0.0.1:" in line for line in fob.lines), "HCI port")
        assert any(re.search(r"([0-9A-F]{2}:){5}[0-9A-F]{2}", line) for line in fob.lines)
        fob.send(signal.SIGTERM)
        assert await fob.exit_code() == 0


async def test_at_a_terminal_its_start_is_said_once():
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    ports = ("--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    try:
        fob = await started(binary(), "keyfob", "--seed", "1", *ports, stdin=slave, stdout=slave, stderr=slave)
        said = b""
        # The picture is there when it has the panel's address.
        while b"/?token=" not in said:
            said += await asyncio.wait_for(asyncio.to_thread(os.read, master, 65536), PATIENCE)
        os.write(master, b"q")
        assert await asyncio.wait_for(fob.wait(), PATIENCE) == 0
        said += await asyncio.to_thread(os.read, master, 65536)
    finally:
        os.close(master)
        os.close(slave)
    assert said.count(b"HCI listening on ") == 1, said
    assert said.count(b"Key fob 78:C5:E5:9B:76:0D") == 1, said


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
