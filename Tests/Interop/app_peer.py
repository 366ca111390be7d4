"""`app-peer`: apps that only import CoreBluetooth, as programs; and what Bumble needs to stand in for either of them."""

import os

from bluethroat import Process, beside
from bumble.core import UUID
from bumble.gatt import Characteristic, CharacteristicValue, Service

SERVICE, OUTGOING, INCOMING, SECRET = (
    UUID(f"B1E7000{number}-7E11-4A5C-9D20-0B1A5E1F0001") for number in (1, 2, 3, 4)
)
SECRET_VALUE = b"between us"

# What Apple's documentation proposes for a characteristic that says where a channel can be opened.
PSM = UUID("ABDD3056-28FA-441D-A470-55A75A52553A")


def payload(count):
    """Bytes that both ends can check."""
    return bytes((index * 31 + (index >> 8)) & 0xFF for index in range(count))


class AppPeer(Process):
    """`app-peer publish` or `app-peer central`; its Bluetooth is where `hci` says, or nowhere in particular."""

    def __init__(self, role, hci=None, variables=None, **settings):
        super().__init__(role, *(f"{name.replace('_', '-')}={value}" for name, value in settings.items()))
        self.variables = {**os.environ, **(variables or {})}
        self.variables.pop("BLUETHROAT_HCI", None)
        if hci:
            self.variables["BLUETHROAT_HCI"] = hci

    @staticmethod
    def program():
        return beside("app-peer")

    def environment(self):
        return self.variables


class Publisher:
    """The publisher's service on a Bumble device."""

    def __init__(self, device, count=4096, psm=None):
        self.device = device
        self.count = count
        self.received = bytearray()
        everything = Characteristic.READABLE | Characteristic.WRITEABLE
        self.outgoing = Characteristic(OUTGOING, Characteristic.Properties.NOTIFY, Characteristic.READABLE, b"")
        self.incoming = Characteristic(
            INCOMING,
            Characteristic.Properties.WRITE | Characteristic.Properties.WRITE_WITHOUT_RESPONSE,
            everything,
            CharacteristicValue(write=lambda _, value: self.received.extend(value)),
        )
        self.secret = Characteristic(
            SECRET, Characteristic.Properties.READ, Characteristic.READ_REQUIRES_ENCRYPTION, SECRET_VALUE
        )
        more = []
        if psm:
            value = psm.to_bytes(2, "little")
            more = [Characteristic(PSM, Characteristic.Properties.READ, Characteristic.READABLE, value)]
        device.add_service(Service(SERVICE, [self.outgoing, self.incoming, self.secret, *more]))

    async def advertise(self):
        uuid = SERVICE.to_bytes()
        data = b"\x02\x01\x06" + bytes([len(uuid) + 1, 0x07]) + uuid
        await self.device.start_advertising(
            advertising_data=data, advertising_interval_min=30, advertising_interval_max=30, auto_restart=False
        )

    async def send(self, connection):
        """All that there is, in chunks as long as the connection takes."""
        rest = payload(self.count)
        while rest:
            length = connection.att_mtu - 3
            await self.device.notify_subscriber(connection, self.outgoing, rest[:length])
            rest = rest[length:]
