"""Bumble's controllers on Bumble's air, for our host to drive: over TCP, a Unix socket or a PTY, and in-process.

Run it to try something by hand; it prints where a controller listens, with a Bumble key fob on the same air:

    .tools/venv/bin/python Tests/Interop/bumble_controllers.py [--port 9000]
    bluethroat inspect Keyfobdemo --hci tcp:127.0.0.1:9000
"""

import argparse
import asyncio
import socket
from contextlib import asynccontextmanager

import keyfob_table as table
from bumble.controller import Controller
from bumble.core import PhysicalTransport
from bumble.device import Device
from bumble.hci import Address, LeFeatureMask
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink
from bumble.transport.tcp_server import open_tcp_server_transport_with_socket
from bumble_central import Central
from bumble_keyfob import BumbleKeyFob

# Bumble's air carries no scan responses, so what is to be found by name has its name in the advertisement.
NAMED_ADVERTISEMENT = table.ADVERTISING_DATA + table.SCAN_RESPONSE


class Air(LocalLink):
    """Bumble's link with one thing mended: it takes the sender of data for its random address, whatever address the
    connection was made with, and so loses what a host with a public address sends."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if transport != PhysicalTransport.LE or connection is None:
            super().send_acl_data(sender_controller, destination_address, transport, data)
        elif receiver is not None:
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, connection.self_address, transport, data)

    def controller(self, public_address, source=None, sink=None, legacy=False):
        controller = Controller(public_address, source, sink, link=self, public_address=public_address)
        if legacy:
            # As it comes, Bumble's controller names extended advertising, has none of its commands, and answers a
            # legacy scan with extended reports.
            controller.le_features &= ~(LeFeatureMask.LE_EXTENDED_ADVERTISING | LeFeatureMask.LE_PERIODIC_ADVERTISING)
        return controller


@asynccontextmanager
async def served_over_tcp(air, port=0, public_address="00:1B:DC:00:00:01", legacy=False):
    """A controller for the first client of a TCP port; yields what `--hci` is given."""
    listener = socket.create_server(("127.0.0.1", port))
    transport = await open_tcp_server_transport_with_socket(listener)
    try:
        air.controller(public_address, transport.source, transport.sink, legacy)
        yield f"tcp:127.0.0.1:{listener.getsockname()[1]}"
    finally:
        transport.server.close()


@asynccontextmanager
async def served_over_unix(air, path, public_address="00:1B:DC:00:00:02", legacy=False):
    transport = await open_transport(f"unix-server:{path}")
    try:
        air.controller(public_address, transport.source, transport.sink, legacy)
        yield f"unix:{path}"
    finally:
        transport.server.close()


@asynccontextmanager
async def served_over_pty(air, path, public_address="00:1B:DC:00:00:03", legacy=False):
    """A controller behind a pseudo-terminal that `path` links to."""
    async with await open_transport(f"pty:{path}") as transport:
        air.controller(public_address, transport.source, transport.sink, legacy)
        yield f"pty:{path}"


async def key_fob(air, address="F0:F1:F2:F3:F4:F5", changed=lambda handle, value: None):
    """A Bumble key fob on the air, advertising."""
    controller = air.controller("00:1B:DC:00:00:0F")
    fob = BumbleKeyFob(controller, AsyncPipeSink(controller), address, changed)
    await fob.start(advertising_data=NAMED_ADVERTISEMENT)
    return fob


async def central(air, address="C0:00:00:00:00:01"):
    """A Bumble central on the air."""
    controller = air.controller("00:1B:DC:00:00:0C", legacy=True)
    device = Device(
        name="central",
        address=Address(address, Address.RANDOM_DEVICE_ADDRESS),
        host=Host(controller, AsyncPipeSink(controller)),
    )
    await device.power_on()
    return Central(device)


async def main():
    parser = argparse.ArgumentParser(description="A Bumble controller with a Bumble key fob on its air.")
    parser.add_argument("--port", type=int, default=9000)
    parser.add_argument("--pty", metavar="PATH", help="a second controller behind a PTY linked to PATH")
    arguments = parser.parse_args()
    air = Air()
    fob = await key_fob(air)
    async with served_over_tcp(air, arguments.port) as hci:
        print(f"{table.NAME} is {fob.address.to_string(False)}; a controller listens on {hci}", flush=True)
        if arguments.pty:
            async with served_over_pty(air, arguments.pty) as other:
                print(f"and another on {other}", flush=True)
                await asyncio.Event().wait()
        await asyncio.Event().wait()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
