"""A host under test: Bumble, in the event loop of the test."""

import contextlib

from bumble.device import Device, Peer
from bumble.gatt import GATT_BATTERY_LEVEL_CHARACTERISTIC, Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.core import UUID
from bumble.transport import open_transport

BATTERY, KEYS = UUID("2A19"), UUID("FFE1")


@contextlib.asynccontextmanager
async def host_on(air, address="F0:F1:F2:F3:F4:F5"):
    """A host that is powered on, on a controller of the air."""
    async with await open_transport(air.hci.bumble) as hci:
        host = Device.with_hci("host", Address(address), hci.source, hci.sink)
        await host.power_on()
        yield host


async def connected(air, host, address=None):
    """The peer of a connection, with its characteristics."""
    peer = Peer(await air.run(host.connect(address or air.fob.bumble)))
    await air.run(peer.discover_services())
    await air.run(peer.discover_characteristics())
    return peer


def characteristic(peer, uuid):
    (found,) = peer.get_characteristics_by_uuid(uuid)
    return found


def lamp(values):
    """A service with a value that can be read and written, and a battery level that notifies."""
    value = Characteristic(
        UUID("A5E1"),
        Characteristic.Properties.READ | Characteristic.Properties.WRITE,
        Characteristic.READABLE | Characteristic.WRITEABLE,
        CharacteristicValue(read=lambda _: values[-1], write=lambda _, new: values.append(bytes(new))),
    )
    level = Characteristic(
        GATT_BATTERY_LEVEL_CHARACTERISTIC,
        Characteristic.Properties.READ | Characteristic.Properties.NOTIFY,
        Characteristic.READABLE,
        b"\x64",
    )
    return Service(UUID("A5E0"), [value, level]), level
