#!/usr/bin/env python3
"""What a pair of Bumble devices does in one process: the yardstick for our figures, taken in the same run.

Two hosts on two of Bumble's controllers on its in-process link, and nothing else: no sockets, no real radio, no waiting
for an advertising interval. Prints one JSON object a line, {"bench": …, "unit": …, "value": …, "stack": "bumble"}.

    .tools/venv/bin/python Benchmarks/bumble_pair.py [--seconds 2] [--cpu-time] [--only read,discovery]
"""

import argparse
import asyncio
import gc
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Tests" / "Interop"))

import keyfob_table as table  # noqa: E402
from bumble import att  # noqa: E402
from bumble.controller import Controller  # noqa: E402
from bumble.core import UUID  # noqa: E402
from bumble.device import Device  # noqa: E402
from bumble.gatt import Characteristic, Service  # noqa: E402
from bumble.hci import Address  # noqa: E402
from bumble.host import Host  # noqa: E402
from bumble.link import LocalLink  # noqa: E402
from bumble.pairing import PairingConfig  # noqa: E402
from bumble.transport.common import AsyncPipeSink  # noqa: E402
from bumble_keyfob import BumbleKeyFob  # noqa: E402

SIZES = (20, 244)
# Sent before looking whether it has all arrived: enough to keep Bumble's queues full.
BATCH = 64

ADDRESSES = ("00:1B:DC:00:00:01", "00:1B:DC:00:00:02")

SERVICE, READABLE, NOTIFYING, WRITABLE = (UUID(f"B1E7000{number}-0000-4000-8000-00805F9B34FB") for number in range(4))


class Pair:
    """A central and a key fob with one more service, each on a controller of its own."""

    def __init__(self):
        link = LocalLink()
        central, peripheral = (Controller(name, link=link, public_address=name) for name in ADDRESSES)
        for controller in (central, peripheral):
            # As long as a data packet can be, so that long values are not cut up between host and controller.
            controller.le_acl_data_packet_length = 251
        self.fob = BumbleKeyFob(peripheral, AsyncPipeSink(peripheral))
        self.central = Device(
            address=Address("C0:00:00:00:00:01", Address.RANDOM_DEVICE_ADDRESS),
            host=Host(central, AsyncPipeSink(central)),
        )
        self.connection = None

    async def power_on(self):
        await self.central.power_on()
        await self.fob.device.power_on()

    async def connect(self):
        # The initiator is ready when the only advertisement it needs is sent.
        connecting = asyncio.ensure_future(self.central.connect(self.fob.address))
        while self.central.host.pending_command or not self.central.is_le_connecting:
            await asyncio.sleep(0)
        await self.fob.device.start_advertising(advertising_interval_min=20, advertising_interval_max=20)
        self.connection = await connecting
        return self.connection.gatt_client

    async def disconnect(self):
        gone = asyncio.get_running_loop().create_future()
        [other] = self.fob.device.connections.values()
        other.once(other.EVENT_DISCONNECTION, lambda _: gone.set_result(None))
        await self.connection.disconnect()
        await gone


async def discover(client):
    services = await client.discover_services()
    for service in services:
        for characteristic in await client.discover_characteristics([], service):
            await client.discover_descriptors(characteristic)
    return services


async def rate(seconds, clock, step):
    """How often a second `step` happens; it returns how many it has done. The first is for warming up.

    Of ten rounds the best counts, here as in ours: the machine may have other things to do in one of them.
    """
    await step()
    best = 0
    for _ in range(10):
        done, start = 0, clock()
        while (elapsed := clock() - start) < seconds / 10:
            done += await step()
        best = max(best, done / elapsed)
    return best


class Arrivals:
    """Counts arrivals and says when a batch is complete."""

    def __init__(self):
        self.count = 0
        self.complete = asyncio.Event()

    def one_more(self, *_):
        self.count += 1
        if self.count == BATCH:
            self.complete.set()

    async def batch(self, send):
        self.count = 0
        self.complete.clear()
        for _ in range(BATCH):
            await send()
        await self.complete.wait()
        return BATCH


def report(bench, unit, value):
    print(json.dumps({"bench": bench, "unit": unit, "value": round(value, 1), "stack": "bumble"}), flush=True)


async def values(seconds, clock, wanted):
    """Reads, notifications and write commands, at each size."""
    pair = Pair()
    arrived = Arrivals()
    stored = bytes(max(SIZES))
    readable = Characteristic(
        READABLE, Characteristic.READ, att.Attribute.READABLE, att.AttributeValue(read=lambda _: stored)
    )
    notifying = Characteristic(NOTIFYING, Characteristic.NOTIFY, att.Attribute.READABLE, stored)
    writable = Characteristic(
        WRITABLE,
        Characteristic.WRITE_WITHOUT_RESPONSE,
        att.Attribute.WRITEABLE,
        att.AttributeValue(write=arrived.one_more),
    )
    pair.fob.device.add_service(Service(SERVICE, [readable, notifying, writable]))
    await pair.power_on()
    client = await pair.connect()
    await client.request_mtu(517)
    await discover(client)
    [proxy] = client.get_characteristics_by_uuid(NOTIFYING)
    await proxy.subscribe(arrived.one_more)
    [peripheral] = pair.fob.device.connections.values()
    server = pair.fob.device.gatt_server

    async def measure_notifications(size, bench):
        value = bytes(size)

        async def notify():
            return await arrived.batch(lambda: server.notify_subscriber(peripheral, notifying, value))

        report(bench, "notifications/s", await rate(seconds, clock, notify))

    for size in SIZES:
        stored = bytes(size)

        async def read():
            value = await client.read_value(readable.handle, no_long_read=True)
            assert len(value) == size
            return 1

        async def write():
            return await arrived.batch(lambda: client.write_value(writable.handle, stored))

        if wanted(f"read.{size}"):
            report(f"read.{size}", "round trips/s", await rate(seconds, clock, read))
        if wanted(f"notification.{size}"):
            await measure_notifications(size, f"notification.{size}")
        if wanted(f"writeCommand.{size}"):
            report(f"writeCommand.{size}", "commands/s", await rate(seconds, clock, write))

    # Bumble's controllers say that the link is encrypted and leave it as it is.
    if any(wanted(f"encryptedNotification.{size}") for size in SIZES):
        await pair.connection.pair()
    for size in SIZES:
        if wanted(f"encryptedNotification.{size}"):
            await measure_notifications(size, f"encryptedNotification.{size}")


async def pairings(seconds, clock, wanted):
    """LE Secure Connections, Just Works, with bonding: connect, pair, disconnect, since no link can be paired twice."""
    if not wanted("pairing"):
        return
    pair = Pair()
    for device in (pair.central, pair.fob.device):
        device.pairing_config_factory = lambda _: PairingConfig(sc=True, mitm=False, bonding=True)
    await pair.power_on()

    async def cycle():
        await pair.connect()
        [other] = pair.fob.device.connections.values()
        paired = asyncio.get_running_loop().create_future()
        other.once(other.EVENT_PAIRING, paired.set_result)
        await pair.connection.pair()
        await paired
        assert pair.connection.is_encrypted
        await pair.disconnect()
        return 1

    report("pairing", "pairings/s", await rate(seconds, clock, cycle))


async def discoveries(seconds, clock, wanted):
    """The table of nine services, over one connection and with a new one each time."""
    pair = Pair()
    await pair.power_on()

    if wanted("discovery"):
        client = await pair.connect()

        async def again():
            client.services.clear()
            assert len(await discover(client)) == len(table.SERVICES)
            return 1

        report("discovery", "discoveries/s", await rate(seconds, clock, again))
        await pair.disconnect()

    if wanted("connectDiscoverDisconnect"):

        async def cycle():
            assert len(await discover(await pair.connect())) == len(table.SERVICES)
            await pair.disconnect()
            return 1

        report("connectDiscoverDisconnect", "cycles/s", await rate(seconds, clock, cycle))


def resident_bytes():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def memory(count, wanted):
    """What a process grows by for each connected pair that has been discovered."""
    if not wanted("memoryPerPair"):
        return
    pairs = []

    async def one_more():
        pair = Pair()
        await pair.power_on()
        await discover(await pair.connect())
        pairs.append(pair)

    # The first few pay for what is imported late and kept for all.
    for _ in range(5):
        await one_more()
    before = resident_bytes()
    for _ in range(count):
        await one_more()
    report("memoryPerPair", "bytes", (resident_bytes() - before) / count)


async def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each rate is measured")
    parser.add_argument("--cpu-time", action="store_true", help="time of the processor, not of the wall clock")
    parser.add_argument("--pairs", type=int, default=50, help="connected pairs for memoryPerPair")
    parser.add_argument("--only", default="", metavar="PREFIX,…", help="benches whose names begin like this")
    arguments = parser.parse_args()
    clock = time.process_time if arguments.cpu_time else time.perf_counter
    prefixes = tuple(arguments.only.split(","))

    def wanted(bench):
        return bench.startswith(prefixes)

    await memory(arguments.pairs, wanted)
    await values(arguments.seconds, clock, wanted)
    await discoveries(arguments.seconds, clock, wanted)
    await pairings(arguments.seconds, clock, wanted)


if __name__ == "__main__":
    asyncio.run(main())
