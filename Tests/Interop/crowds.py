"""Clients of a port that never finish what they say, many at once, in processes of their own."""

import asyncio
import contextlib
import fcntl
import json
import os
import resource
import socket
import sys
import time

# Seconds within which a client that never finishes has to be gone: ten that it is given, and a busy machine.
DROPPED_WITHIN = 20
# How long one waits that is not dropped.
PATIENCE = 2 * DROPPED_WITHIN


def room_for(count):
    """Whether a process may have so many descriptors more; this one is let have them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard == resource.RLIM_INFINITY or hard > count + 200


class Crowd:
    """Clients that connect, say the beginning of something, and wait for the end."""

    def __init__(self, place, beginnings, slow=b""):
        # What each of them says; None says `slow`, one byte a second.
        self.plan = {"place": place, "beginnings": [None if one is None else one.hex() for one in beginnings], "slow": slow.hex()}
        # How long each was there, in seconds.
        self.stays = []
        self.processes = []

    async def __aenter__(self):
        return self

    async def come(self, count, processes=1):
        for number in range(processes):
            plan = self.plan | {"count": count // processes, "host": f"127.0.{number + 1}."}
            pipe = asyncio.subprocess.PIPE
            process = await asyncio.create_subprocess_exec(sys.executable, __file__, stdin=pipe, stdout=pipe, limit=1 << 24)
            process.stdin.write(json.dumps(plan).encode())
            process.stdin.close()
            self.processes.append(process)

    async def gone(self):
        """When all have been dropped."""
        for process in self.processes:
            self.stays += json.loads(await asyncio.wait_for(process.stdout.read(), 200))

    async def __aexit__(self, *_):
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def connect(place, local_addr=None):
    """Both ends of a connection: to a TCP port of this machine, to `unix:PATH`, or on a serial line, `pty:PATH`."""
    if isinstance(place, int):
        return await asyncio.open_connection("127.0.0.1", place, local_addr=local_addr)
    kind, path = place.split(":", 1)
    async with asyncio.timeout(PATIENCE):
        return await (at_socket(path) if kind == "unix" else on_line(path))


async def at_socket(path):
    client = socket.socket(socket.AF_UNIX)
    client.setblocking(False)
    try:
        while True:
            # Where the queue is full a program that may block waits for its place in it.
            with contextlib.suppress(BlockingIOError):
                client.connect(path)
                return await asyncio.open_unix_connection(sock=client)
            await asyncio.sleep(0.01)
    except BaseException:
        client.close()
        raise


class Line:
    """The writing end of a serial line."""

    def __init__(self, descriptor, transport, turn):
        self.descriptor, self.transport, self.turn = descriptor, transport, turn

    def write(self, said):
        # The number of one that is closed may be somebody else's by now.
        if not self.transport.is_closing():
            os.write(self.descriptor, said)
        # A port has few lines: who has opened one and not spoken loses it to so many that open theirs.
        self.turn.close()

    def close(self):
        self.turn.close()
        self.transport.close()


async def on_line(path):
    """Opens the line at a path when all that came before have one: two that open a line in the same instant share it.

    The next one opens its line when this one has written for the first time."""
    turn = await asyncio.to_thread(turn_at, path)
    try:
        while True:
            # There is none as long as the command has no descriptors left.
            with contextlib.suppress(OSError):
                device = os.readlink(path)
                descriptor = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
                break
            await asyncio.sleep(0.01)
        while leads_to(path, device):
            await asyncio.sleep(0.001)
        reader = asyncio.StreamReader()
        made = asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", buffering=0)
        )
        return reader, Line(descriptor, (await made)[0], turn)
    except BaseException:
        turn.close()
        raise


def turn_at(path):
    file = open(f"{path}.turn", "w")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def leads_to(path, device):
    try:
        return os.readlink(path) == device
    except FileNotFoundError:
        return False


async def one(number, plan, stays):
    beginning = plan["beginnings"][number % len(plan["beginnings"])]
    with contextlib.suppress(OSError):
        reader, writer = await connect(plan["place"], (f"{plan['host']}{2 + number % 200}", 0))
        began = time.monotonic()
        try:
            slow = iter(()) if beginning is not None else iter(bytes.fromhex(plan["slow"]))
            writer.write(bytes.fromhex(beginning or ""))
            end = asyncio.create_task(reader.read())
            while not end.done() and time.monotonic() - began < PATIENCE:
                await asyncio.wait([end], timeout=1 if beginning is None else PATIENCE)
                if not end.done() and (byte := next(slow, None)) is not None:
                    writer.write(bytes([byte]))
            end.cancel()
            await asyncio.gather(end, return_exceptions=True)
        finally:
            stays.append(time.monotonic() - began)
            writer.close()


async def main(plan):
    room_for(plan["count"])
    stays, tasks = [], []
    for first in range(0, plan["count"], 100):
        last = min(first + 100, plan["count"])
        tasks += [asyncio.create_task(one(number, plan, stays)) for number in range(first, last)]
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    print(json.dumps(stays))


if __name__ == "__main__":
    asyncio.run(main(json.load(sys.stdin)))
