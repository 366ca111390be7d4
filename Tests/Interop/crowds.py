"""Clients of a port that never finish what they say, many at once, in processes of their own."""

import asyncio
import contextlib
import json
import resource
import sys
import time
from pathlib import Path

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

    def __init__(self, port, beginnings, slow=b""):
        # What each of them says; None says `slow`, one byte a second.
        self.plan = {"port": port, "beginnings": [None if one is None else one.hex() for one in beginnings], "slow": slow.hex()}
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


async def one(number, plan, stays):
    beginning = plan["beginnings"][number % len(plan["beginnings"])]
    place = (f"{plan['host']}{2 + number % 200}", 0)
    with contextlib.suppress(OSError):
        reader, writer = await asyncio.open_connection("127.0.0.1", plan["port"], local_addr=place)
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
