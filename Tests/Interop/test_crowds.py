"""Each listening port, with 256 descriptors and many clients that never finish a message: its good client is served."""

import asyncio
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from bluethroat import PATIENCE, Process, binary, effort
from crowds import DROPPED_WITHIN, Crowd, connect, room_for
from panel_client import Panel, read_answer

CROWD = 1200
RESET, COMPLETE = bytes.fromhex("01030c00"), bytes.fromhex("040e0401030c00")


class FewDescriptors(Process):
    """A command that may have so many descriptors and no more."""

    def __init__(self, *arguments, descriptors=256):
        super().__init__("-c", f'ulimit -n {descriptors}; exec "$@"', "bash", binary(), *arguments)

    @staticmethod
    def program():
        return "/bin/bash"


async def on(place, ask):
    """One connection for one question."""
    reader, writer = await connect(place)
    try:
        return await asyncio.wait_for(ask(reader, writer), DROPPED_WITHIN)
    finally:
        writer.close()


async def reset(reader, writer):
    writer.write(RESET)
    assert await reader.readexactly(len(COMPLETE)) == COMPLETE


class HCI:
    """A good client of the HCI port, of a socket or of serial lines: one link that lasts, and one more for each question."""

    def __init__(self, events):
        kind, where = events["listening"]["hci"].split(":", 1)
        self.place = int(where.rpartition(":")[2]) if kind == "tcp" else f"{kind}:{where}"
        self.beginnings = [b"", RESET[:2], bytes.fromhex("02400008000400") + b"\0", None]
        self.slow = bytes.fromhex("0240000002") + bytes(600)

    async def begin(self):
        self.reader, self.writer = await connect(self.place)
        await reset(self.reader, self.writer)

    async def ask(self):
        await asyncio.wait_for(reset(self.reader, self.writer), DROPPED_WITHIN)
        await on(self.place, reset)

    async def end(self):
        self.writer.close()


class PanelPort:
    """A good client of the panel: an event stream, and a connection for each question."""

    def __init__(self, events):
        self.panel = Panel(events["panel"]["url"])
        self.place = self.panel.port
        self.request = self.panel.request("GET", "/api/world")
        put = self.panel.request("PUT", "/api/devices/0/keys", b"", content_type="application/json", content_length="20")
        self.beginnings = [b"", self.request[:30], put + b'{"left":', None]
        self.slow = self.request[:-2] + b"x: " + b"y" * 600

    async def begin(self):
        self.reader, self.writer = await connect(self.place)
        self.writer.write(self.panel.request("GET", "/api/events?topics=world", connection="keep-alive"))
        assert (await self.reader.readline()).startswith(b"HTTP/1.1 200")

    async def ask(self):
        async def world(reader, writer):
            writer.write(self.request)
            return await read_answer(reader)

        assert (await on(self.place, world)).status == 200
        assert not self.reader.at_eof(), "the event stream has ended"

    async def end(self):
        self.writer.close()


class Bank:
    """A good client of the bank."""

    def __init__(self, events):
        self.place = urlsplit(events["bank"]["url"]).port
        body = json.dumps({"name": "Anna", "currency": "EUR"}).encode()
        head = f"POST /v1/open HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        self.request = head.encode() + b"connection: close\r\n\r\n" + body
        self.beginnings = [b"", self.request[:30], self.request[:-5], head.encode() + b"x: " + b"y" * 20_000, None]
        self.slow = head.encode() + b"x: " + b"y" * 600

    async def begin(self):
        pass

    async def ask(self):
        async def bank(reader, writer):
            writer.write(self.request.replace(b"/v1/open", b"/v1/bank"))
            return await read_answer(reader)

        assert (await on(self.place, bank)).status == 200

    async def end(self):
        pass


GOOD = {"hci": HCI, "panel": PanelPort, "bank": Bank}
HERE = ("--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0", "--bank-listen", "127.0.0.1:0")
COMMAND = ("moneydrop", "receive", "--name", "Anna", "--json", *HERE)


async def events_of(process):
    return {name: await process.event(name) for name in ("listening", "panel", "bank")}


async def serve_throughout(good, crowd, count, processes=1):
    """Asks again and again while many come and until the last of them has gone; answers how long the longest took."""
    await crowd.come(count, processes)
    everyone = asyncio.create_task(crowd.gone())
    longest, served = 0, 0
    while not everyone.done():
        began = time.monotonic()
        await good.ask()
        longest = max(longest, time.monotonic() - began)
        served += 1
        await asyncio.wait([everyone], timeout=0.05)
    await everyone
    assert served > 0
    return longest, served


async def withstand(good, name, turns=1):
    """A good client is served while a crowd comes that finishes nothing, and all of the crowd are dropped in time."""
    for turn in range(turns):
        async with Crowd(good.place, good.beginnings, good.slow) as crowd:
            longest, served = await serve_throughout(good, crowd, CROWD)
            all_are_dropped(crowd, CROWD)
            print(f"{name} {turn}: {served} questions answered, the slowest in {longest:.2f} s; "
                  f"{len(crowd.stays)} clients, the last gone after {max(crowd.stays):.1f} s")  # fmt: skip
            assert longest < DROPPED_WITHIN / 2


def all_are_dropped(crowd, count):
    assert len(crowd.stays) > count * 9 // 10, len(crowd.stays)
    assert max(crowd.stays) < DROPPED_WITHIN, max(crowd.stays)


@pytest.mark.limit(240)
@pytest.mark.parametrize("port", GOOD)
async def test_with_few_descriptors_and_a_crowd_that_finishes_nothing_the_good_client_is_served(port):
    if not room_for(CROWD + 100):
        pytest.skip(f"this process may not have {CROWD} descriptors")
    async with FewDescriptors(*COMMAND) as process:
        good = GOOD[port](await events_of(process))
        await good.begin()
        await withstand(good, port, turns=2)
        await good.ask()
        await good.end()
        process.send(signal.SIGTERM)
        assert await process.exit_code() == 0, process.story()[-2000:]


KEYFOB = ("keyfob", "--no-panel", "--json", "--hci-listen")
ATTACH = ("attach", "--no-panel", "--json", "--hci-listen", "127.0.0.1:0")


@pytest.mark.limit(240)
@pytest.mark.parametrize(
    "command, option, kind",
    [(KEYFOB, "unix:", "unix"), (KEYFOB, "pty:", "pty"), (ATTACH, "--unix", "unix"), (ATTACH, "--pty", "pty")],
    ids=["keyfob-unix", "keyfob-pty", "attach-unix", "attach-pty"],
)
async def test_with_few_descriptors_and_a_crowd_at_a_socket_or_on_lines_the_good_client_is_served(command, option, kind, tmp_path):
    """A crowd on lines opens one after the other, as the page says."""
    if not room_for(CROWD + 100):
        pytest.skip(f"this process may not have {CROWD} descriptors")
    path = str(tmp_path / "hci")
    words = (*command, option, path) if option.startswith("--") else (*command, option + path)
    async with FewDescriptors(*words) as process:
        good = HCI({"listening": await process.event("offered" if command is ATTACH else "listening")})
        assert good.place == f"{kind}:{path}"
        await good.begin()
        await withstand(good, " ".join(words))
        await good.ask()
        await good.end()
        process.send(signal.SIGTERM)
        assert await process.exit_code() == 0, process.story()[-2000:]
    assert not os.path.lexists(path)


@pytest.mark.limit(240)
async def test_a_crowd_at_each_port_at_once():
    if not room_for(2 * CROWD + 100):
        pytest.skip(f"this process may not have {2 * CROWD} descriptors")
    async with FewDescriptors(*COMMAND) as process:
        events = await events_of(process)
        goods = [make(events) for make in GOOD.values()]
        for good in goods:
            await good.begin()
        crowds = [Crowd(good.place, good.beginnings, good.slow) for good in goods]

        async def one(good, crowd):
            async with crowd:
                await serve_throughout(good, crowd, CROWD // 2)
                all_are_dropped(crowd, CROWD // 2)

        await asyncio.gather(*(one(good, crowd) for good, crowd in zip(goods, crowds)))
        for good in goods:
            await good.ask()
            await good.end()
        process.send(signal.SIGTERM)
        assert await process.exit_code() == 0, process.story()[-2000:]


@pytest.mark.limit(280)
@pytest.mark.parametrize("port", GOOD)
async def test_ten_thousand_connections_at_one_port(port):
    """Usually fewer; all of them in `make nightly`."""
    wanted = effort(10_000, 2_500)
    count = wanted if room_for(wanted + 100) else 1_500 if room_for(1_600) else 0
    if not count:
        pytest.skip("this process may not have 1,600 descriptors")
    async with Process(*COMMAND) as process:
        good = GOOD[port](await events_of(process))
        await good.begin()
        async with Crowd(good.place, [b""]) as crowd:
            longest, served = await serve_throughout(good, crowd, count, processes=4)
            print(f"{port}: {len(crowd.stays)} of {count} connected, {served} questions answered, the slowest in {longest:.2f} s")
            assert len(crowd.stays) > count * 9 // 10 and longest < DROPPED_WITHIN
        await good.end()
        process.send(signal.SIGTERM)
        assert await process.exit_code() == 0, process.story()[-2000:]


QUESTION = b"POST /v1/bank HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
WHOLE = QUESTION + b"content-length: 2\r\n\r\n{}"
CHUNKED = QUESTION + b"transfer-encoding: chunked\r\n\r\n"
# What each of many clients says first, and then as fast as it is taken.
FLOODS = {
    "questions": {"again": WHOLE * 150},
    "questions-and-an-end": {"first": WHOLE * 850, "ends": True},
    "small-chunks-and-an-end": {"first": CHUNKED + b"1\r\n \r\n" * 20_000, "ends": True},
    "questions-in-turns": {"first": WHOLE, "again": WHOLE, "in_turns": True},
    "unread-answers": {"again": WHOLE * 150, "reads": False, "once": True, "count": 40},
    "small-chunks": {"first": CHUNKED, "again": b"1\r\n \r\n" * 500},
    "extensions": {"first": CHUNKED + b"1;", "again": b"a" * 8192},
    "behind-a-refusal": {"first": CHUNKED.replace(b"/v1", b"/v2"), "again": b"1\r\n \r\n" * 500},
}


@pytest.mark.parametrize("flood", FLOODS)
async def test_with_few_descriptors_a_flood_at_the_bank_keeps_nobody_from_it(flood):
    async with FewDescriptors(*COMMAND) as process:
        good = Bank(await events_of(process))
        plan = {"first": b"", "again": b"", "reads": True, "in_turns": False, "ends": False, "once": False, "count": 60} | FLOODS[flood]
        plan |= {name: plan[name].hex() for name in ("first", "again")}
        plan |= {"port": good.place, "parent": os.getpid()}
        pipe = asyncio.subprocess.PIPE
        clients = await asyncio.create_subprocess_exec(
            sys.executable, str(Path(__file__).parent / "floods.py"), stdin=pipe, stdout=pipe, limit=1 << 24
        )
        try:
            clients.stdin.write(json.dumps(plan).encode())
            clients.stdin.close()
            await asyncio.wait_for(clients.stdout.readline(), PATIENCE)
            stays = asyncio.create_task(clients.stdout.read())
            longest, served, came = 0, 0, time.monotonic()
            while not stays.done():
                began = time.monotonic()
                await good.ask()
                longest, served = max(longest, time.monotonic() - began), served + 1
                # Long enough that each of them has been served, and has come again.
                is_enough = not plan["once"] and served >= 5 and time.monotonic() - came > 2
                if is_enough or time.monotonic() - came > PATIENCE:
                    with contextlib.suppress(ProcessLookupError):
                        clients.send_signal(signal.SIGTERM)
                await asyncio.wait([stays], timeout=0.05)
            stays = json.loads(await stays)
        finally:
            with contextlib.suppress(ProcessLookupError):
                clients.kill()
            await clients.wait()
        print(f"{flood}: {served} questions answered, the slowest in {longest:.2f} s; {len(stays)} clients, {max(stays):.1f} s at most")
        # A tenth of a second in most of them, on a machine that has nothing else to do.
        assert longest < DROPPED_WITHIN / 2
        assert max(stays) < DROPPED_WITHIN


async def test_a_command_whose_table_of_open_files_is_full_lives_on_and_serves_when_there_is_room():
    async with Process("keyfob", "--hci-listen", "127.0.0.1:0", "--json") as fob:
        port = int((await fob.event("listening"))["hci"].rpartition(":")[2])
        await fob.event("advertising")
        process = fob.process.pid
        _, most = resource.prlimit(process, resource.RLIMIT_NOFILE)
        resource.prlimit(process, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{process}/fd")), most))
        # They wait in the kernel's queue; the fob goes on with its own life, which has timers.
        connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(5)]
        await fob.event("led", PATIENCE, name="LED1", on=False)
        fob.process.stdin.write(b"no such word\n")
        await fob.event("error", PATIENCE)
        assert fob.process.returncode is None
        resource.prlimit(process, resource.RLIMIT_NOFILE, (most, most))
        await on(port, reset)
        for reader, writer in connections:
            await asyncio.wait_for(reset(reader, writer), DROPPED_WITHIN)
            writer.close()


def test_a_command_has_opened_what_its_timers_need_before_it_needs_them():
    # On Linux Dispatch has a descriptor for the timers of each clock, and traps where it cannot open one.
    command = subprocess.Popen(
        [binary(), "keyfob", "--hci-listen", "127.0.0.1:0", "--no-panel", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        # Its port is open then, and what NIO opens is there.
        while json.loads(command.stdout.readline())["event"] != "listening":
            pass
        files = [os.readlink(f"/proc/{command.pid}/fd/{number}") for number in os.listdir(f"/proc/{command.pid}/fd")]
        # Each loop of NIO has one with its epoll; those of Dispatch's clocks come on top of them.
        timers, polls = (sum(word in file for file in files) for word in ("timerfd", "eventpoll"))
        assert polls >= 1 and timers > polls, files
    finally:
        command.kill()
        command.wait()
