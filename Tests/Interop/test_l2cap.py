"""`l2cap listen` and `l2cap connect`: with each other, and with Bumble's credit-based channels at either end."""

import asyncio
import json
import os
import signal
from contextlib import asynccontextmanager

import pytest
from bluethroat import PATIENCE, KeyFob, binary, effort, started
from bumble.core import AdvertisingData
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble_central import attached

# Twenty seconds of LE 1M, and as much again for a busy machine.
LONG = 90.0


class Pipe:
    """One `bluethroat l2cap` whose standard output is data and whose JSON lines come on standard error."""

    def __init__(self, *arguments):
        self.arguments = arguments
        self.received = bytearray()
        self.lines = []
        self.news = asyncio.Event()

    async def __aenter__(self):
        self.process = await started(binary(), "l2cap", *self.arguments, "--json")
        self.readers = [asyncio.create_task(self.read_output()), asyncio.create_task(self.read_errors())]
        return self

    async def __aexit__(self, failure, *_):
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        await asyncio.gather(*self.readers)
        if failure:
            print(self.arguments, len(self.received), *self.lines, sep="\n")

    async def read_output(self):
        while data := await self.process.stdout.read(1 << 16):
            self.received += data
            self.news.set()

    async def read_errors(self):
        while line := await self.process.stderr.readline():
            self.lines.append(json.loads(line))
            self.news.set()

    async def until(self, condition, patience=PATIENCE):
        async with asyncio.timeout(patience):
            while not (result := condition()):
                self.news.clear()
                await self.news.wait()
            return result

    async def event(self, name, patience=PATIENCE):
        return await self.until(lambda: next((line for line in self.lines if line["event"] == name), None), patience)

    async def write(self, data):
        self.process.stdin.write(data)
        await self.process.stdin.drain()

    def end_input(self):
        self.process.stdin.close()

    async def exit_code(self, patience=PATIENCE):
        code = await asyncio.wait_for(self.process.wait(), patience)
        await asyncio.gather(*self.readers)
        return code


def listener(fob, *arguments, name="Pipe"):
    return Pipe("listen", "--name", name, "--hci", fob.hci, *arguments)


def connector(fob, psm, *arguments, name="Pipe"):
    return Pipe("connect", name, "--psm", str(psm), "--hci", fob.hci, *arguments)


# Each with the other


async def test_the_end_of_input_closes_the_channel_behind_all_that_was_said():
    data = os.urandom(200_000)
    async with KeyFob("--wait") as fob, listener(fob, "--no-input") as far:
        psm = (await far.event("listening"))["psm"]
        assert psm == 0x80
        async with connector(fob, psm) as near:
            opened = await near.event("channelOpened")
            assert opened["psm"] == psm and opened["peerMTU"] == 4504 and opened["peerMPS"] == 1502
            await near.write(data)
            near.end_input()
            assert await near.exit_code(LONG) == 0
            closed = await near.event("channelClosed")
            assert closed["sent"] == len(data) and closed["received"] == 0
        assert await far.exit_code() == 0
        assert bytes(far.received) == data
        assert (await far.event("channelClosed"))["received"] == len(data)


async def test_data_goes_both_ways_at_once():
    one, other = os.urandom(6_000), os.urandom(20_000)
    async with KeyFob("--wait") as fob, listener(fob, "--psm", "0x25") as far:
        await far.event("listening")
        async with connector(fob, 0x25, "--mtu", "100", "--mps", "50", "--credits", "3") as near:
            assert (await far.event("channelOpened"))["peerMTU"] == 100
            await asyncio.gather(near.write(one), far.write(other))
            await near.until(lambda: len(near.received) == len(other), LONG)
            await far.until(lambda: len(far.received) == len(one), LONG)
            far.end_input()
            assert await near.exit_code() == 0
            assert await far.exit_code() == 0
            assert bytes(near.received) == other and bytes(far.received) == one


async def test_no_such_psm_is_one_and_the_listener_goes_on():
    async with KeyFob("--wait") as fob, listener(fob) as far:
        psm = (await far.event("listening"))["psm"]
        async with connector(fob, psm + 1) as near:
            assert await near.exit_code(2 * PATIENCE) == 1
            assert "no service listens" in (await near.event("error"))["message"]
        async with connector(fob, psm) as near:
            await near.write(b"hello")
            await far.until(lambda: bytes(far.received) == b"hello")


async def test_nobody_of_that_name_is_three():
    async with KeyFob("--wait") as fob, connector(fob, 128, "--timeout", "1", name="Nobody") as near:
        assert await near.exit_code() == 3


async def test_control_c_closes_the_channel():
    async with KeyFob("--wait") as fob, listener(fob) as far:
        psm = (await far.event("listening"))["psm"]
        async with connector(fob, psm) as near:
            await near.event("channelOpened")
            near.process.send_signal(signal.SIGINT)
            assert await near.exit_code() == 1
        assert await far.exit_code() == 0
        assert (await far.event("channelClosed"))["reason"] == "closed by the peer"


async def test_a_lost_peer_is_one():
    async with KeyFob("--wait", "--clients-vanish") as fob, listener(fob) as far:
        psm = (await far.event("listening"))["psm"]
        async with connector(fob, psm) as near:
            await near.event("channelOpened")
            await far.event("channelOpened")
            far.process.kill()
            assert await near.exit_code(2 * PATIENCE) == 1
            assert "lost" in (await near.event("error"))["message"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["connect", "Pipe"],
        ["connect", "Pipe", "--psm", "0"],
        ["connect", "Pipe", "--psm", "256"],
        ["connect", "Pipe", "--psm", "0x80", "--mtu", "22"],
        ["listen", "--mps", "65534"],
        ["listen", "--credits", "0"],
        ["listen", "--name", "x" * 27],
    ],
)
async def test_what_makes_no_sense_is_wrong_usage(arguments):
    process = await started(binary(), "l2cap", *arguments, stdin=asyncio.subprocess.DEVNULL)
    _, said = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 2 and said.count(b"\n") == 1


# With Bumble


async def test_bumble_opens_a_channel_and_both_send():
    data = os.urandom(100_000)
    async with KeyFob("--wait") as fob, listener(fob) as far:
        psm = (await far.event("listening"))["psm"]
        async with attached(fob.hci) as central:
            peer = await central.find_and_connect("Pipe")
            channel = await asyncio.wait_for(
                peer.connection.create_l2cap_channel(LeCreditBasedChannelSpec(psm=psm)), PATIENCE
            )
            received = bytearray()
            channel.sink = received.extend
            channel.write(data)
            await far.write(data)
            await far.until(lambda: len(far.received) == len(data), LONG)
            async with asyncio.timeout(LONG):
                while len(received) < len(data):
                    await asyncio.sleep(0.05)
            assert bytes(far.received) == data and bytes(received) == data
            await asyncio.wait_for(channel.disconnect(), PATIENCE)
            assert await far.exit_code() == 0


async def test_megabytes_go_to_bumble_in_real_time():
    data = os.urandom(effort(2_000_000, 500_000))
    async with KeyFob("--wait") as fob, bumble_listener(fob) as (psm, channels, received):
        async with connector(fob, psm, name="Bumble") as near:
            await near.write(data)
            near.end_input()
            assert await near.exit_code(LONG) == 0
            assert (await near.event("channelClosed"))["sent"] == len(data)
            assert bytes(received) == data


async def test_megabytes_come_from_bumble_in_real_time():
    data = os.urandom(effort(2_000_000, 500_000))
    async with KeyFob("--wait") as fob, bumble_listener(fob) as (psm, channels, _):
        async with connector(fob, psm, "--no-input", name="Bumble") as near:
            channel = await asyncio.wait_for(channels.get(), PATIENCE * 2)
            channel.write(data)
            await near.until(lambda: len(near.received) == len(data), LONG)
            assert bytes(near.received) == data
            await asyncio.wait_for(channel.disconnect(), PATIENCE)
            assert await near.exit_code() == 0


async def test_bumble_refuses_a_psm_that_it_does_not_have():
    async with KeyFob("--wait") as fob, bumble_listener(fob) as (psm, _, _):
        async with connector(fob, psm + 1, name="Bumble") as near:
            assert await near.exit_code(2 * PATIENCE) == 1
            assert "opened no channel" in (await near.event("error"))["message"]


@asynccontextmanager
async def bumble_listener(fob):
    """A Bumble peripheral that takes one channel: its PSM, the channels as they come, and what they brought."""
    async with attached(fob.hci, number=2) as peripheral:
        channels = asyncio.Queue()
        received = bytearray()

        def opened(channel):
            channel.sink = received.extend
            channels.put_nowait(channel)

        server = peripheral.device.create_l2cap_server(LeCreditBasedChannelSpec(psm=0x90), opened)
        data = AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b"Bumble")])
        peripheral.device.advertising_data = bytes(data)
        await peripheral.device.start_advertising(auto_restart=True)
        yield server.psm, channels, received
