"""Bumble devices that pair: with a person beside each, addresses that rotate, and bonds that can be lost."""

import asyncio
import dataclasses
from contextlib import asynccontextmanager

from bluethroat import PATIENCE
from bumble.device import ConnectionParametersPreferences, Device, DeviceConfiguration
from bumble.hci import Address, HCI_LE_Set_Random_Address_Command
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.pairing import OobContext, OobLegacyContext, PairingConfig, PairingDelegate
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink
from bumble_central import Central, Peer

NONE, KEYBOARD, DISPLAY, YES_NO, KEYBOARD_DISPLAY = (
    PairingDelegate.NO_OUTPUT_NO_INPUT,
    PairingDelegate.KEYBOARD_INPUT_ONLY,
    PairingDelegate.DISPLAY_OUTPUT_ONLY,
    PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
    PairingDelegate.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT,
)

# Names of the command line.
IO_NAMES = {
    NONE: "none",
    KEYBOARD: "keyboard-only",
    DISPLAY: "display-only",
    YES_NO: "display-yes-no",
    KEYBOARD_DISPLAY: "keyboard-display",
}

# Twenty rounds of a passkey are eighty PDUs.
QUICK = ConnectionParametersPreferences(
    connection_interval_min=7.5, connection_interval_max=7.5, max_latency=0, supervision_timeout=2000
)

# Bumble takes the passkey 000000 for none, so that is never drawn for it.
A_PASSKEY = 123456


class Person(PairingDelegate):
    """Somebody in front of a Bumble device, who does as the test says and remembers what there was to see."""

    def __init__(self, io=NONE, passkey=A_PASSKEY, agrees=True, **how):
        super().__init__(io, **how)
        self.passkey = passkey  # what the device shows, if it does
        self.agrees = agrees
        self.shown = asyncio.get_running_loop().create_future()
        self.compared = asyncio.get_running_loop().create_future()
        # What this person types, once it is known.
        self.typed = asyncio.get_running_loop().create_future()

    async def generate_passkey(self):
        return self.passkey

    async def display_number(self, number, digits):
        self.shown.set_result(number)

    async def get_number(self):
        return await self.typed

    async def compare_numbers(self, number, digits):
        self.compared.set_result(number)
        return self.agrees if isinstance(self.agrees, bool) else await self.agrees

    def looks_at(self, other):
        """Types what another person's device shows."""
        other.shown.add_done_callback(lambda shown: self.typed.set_result(shown.result()))


class Bonds(MemoryKeyStore):
    """Bumble's key store. Of the keys of a legacy pairing Bumble, as a peripheral, hands out the one it was given
    where the one is wanted that it gave; here it finds its own in both places."""

    async def get(self, name):
        keys = await super().get(name)
        if keys and keys.ltk_central and keys.ltk_central.ediv == 0:
            # What Bumble has given has no diversifier.
            keys = dataclasses.replace(keys, ltk_peripheral=keys.ltk_central)
        return keys


class PairingDevice(Central):
    """A Bumble device, central or peripheral, that pairs as it is told to."""

    def __init__(self, device):
        super().__init__(device)
        self.pairings = asyncio.Queue()  # the keys of each that succeeded
        self.failures = asyncio.Queue()  # the reason of each that did not
        self.connections = asyncio.Queue()
        self.requests = asyncio.Queue()  # what a peripheral has asked for with a Security Request
        self.identity = device.static_address.to_string(False)
        self.oob = OobContext()
        device.on(Device.EVENT_CONNECTION, self._connected)

    def _connected(self, connection):
        connection.on(connection.EVENT_PAIRING, self.pairings.put_nowait)
        connection.on(connection.EVENT_PAIRING_FAILURE, self.failures.put_nowait)
        connection.on(connection.EVENT_SECURITY_REQUEST, self.requests.put_nowait)
        self.connections.put_nowait(Peer(connection))

    def pairs_as(self, person, sc=True, mitm=None, bonding=True, oob=None):
        """From now on. Protection is asked for by whoever has a display or keys, unless it is said."""
        if mitm is None:
            mitm = person.io_capability != NONE
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc, mitm, bonding, person, PairingConfig.AddressType.RANDOM, oob
        )
        return person

    def with_oob(self, data=None, temporary_key=None):
        """Out-of-band settings: the peer's data, or the key of legacy pairing."""
        legacy = OobLegacyContext(temporary_key) if temporary_key else None
        return PairingConfig.OobConfig(self.oob, data, legacy)

    async def advertise(self, name, **how):
        data = b"\x02\x01\x06" + bytes([len(name) + 1, 9]) + name.encode()
        await self.device.start_advertising(
            advertising_data=data, advertising_interval_min=30, advertising_interval_max=30, auto_restart=False, **how
        )

    async def connected(self):
        """The next connection, made by whichever side."""
        return await asyncio.wait_for(self.connections.get(), PATIENCE)

    async def pair(self, peer):
        await asyncio.wait_for(peer.connection.pair(), 2 * PATIENCE)

    async def paired(self, patience=2 * PATIENCE):
        return await asyncio.wait_for(self.pairings.get(), patience)

    async def failed(self, patience=2 * PATIENCE):
        return int(await asyncio.wait_for(self.failures.get(), patience))

    async def bonds(self):
        return dict(await self.device.keystore.get_all())

    async def forget(self):
        """Loses all bonds."""
        await self.device.keystore.delete_all()
        await self.device.refresh_resolving_list()

    async def rotate(self):
        """Takes another resolvable private address. Bumble's own way of it sends the old one once more."""
        address = Address.generate_private_address(self.device.irk)
        await self.device.send_sync_command(HCI_LE_Set_Random_Address_Command(random_address=address))
        self.device.random_address = address
        return address.to_string(False)


def configuration(number, private=False, offload=False):
    """Each number is another address, and another identity. With `offload` its controller resolves addresses."""
    return DeviceConfiguration(
        name=f"bumble {number}",
        address=Address(f"C0:00:00:00:{number >> 8:02X}:{number & 0xFF:02X}", Address.RANDOM_DEVICE_ADDRESS),
        irk=bytes([number & 0xFF]) * 16,
        le_privacy_enabled=private,
        le_rpa_timeout=0,
        identity_address_type=Address.RANDOM_DEVICE_ADDRESS,
        address_resolution_offload=offload,
    )


async def powered_on(device, bonds=None):
    device.keystore = Bonds() if bonds is None else bonds
    await asyncio.wait_for(device.power_on(), PATIENCE)
    return PairingDevice(device)


@asynccontextmanager
async def pairing_device(hci, number=1, private=False, bonds=None, offload=False):
    """A Bumble host on `tcp:HOST:PORT`, powered on."""
    transport = await asyncio.wait_for(open_transport(hci.replace("tcp:", "tcp-client:", 1)), PATIENCE)
    async with transport:
        config = configuration(number, private, offload)
        yield await powered_on(Device.from_config_with_hci(config, transport.source, transport.sink), bonds)


async def on_foreign_air(air, number=1):
    """A Bumble host on a controller of Bumble's."""
    controller = air.controller(f"00:1B:DC:00:01:{number:02X}", legacy=True)
    host = Host(controller, AsyncPipeSink(controller))
    return await powered_on(Device(config=configuration(number), host=host))

