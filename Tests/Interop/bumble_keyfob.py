"""A Bumble peripheral with the key fob's table: a stranger for our central to talk to.

It is also the yardstick of Benchmarks/bumble_pair.py, and what the tests of this folder try themselves out on.
It answers as the fob does; it has no keys, buzzer or battery of its own.
"""

from bumble import att
from bumble.core import UUID
from bumble.device import Device, DeviceConfiguration
from bumble.gatt import Characteristic, Descriptor, Service
from bumble.hci import Address
from bumble.host import Host

import keyfob_table as table

READ_NOT_PERMITTED, WRITE_NOT_PERMITTED, INVALID_LENGTH, INVALID_VALUE = 0x02, 0x03, 0x0D, 0x80


def refuse(code):
    def answer(*_):
        raise att.ATT_Error(error_code=code)

    return answer


class Value(att.AttributeValue):
    """A value with the permissions and checks of one characteristic of the table."""

    def __init__(self, characteristic, initial, changed):
        self.bytes = initial
        readable = characteristic.value is not table.Refused
        writable = characteristic.properties & (table.WRITE | table.WRITE_WITHOUT_RESPONSE)
        highest = {"2A06": 2, "FFA1": 0xFF}.get(characteristic.uuid)

        def write(_, value):
            if len(value) != 1:
                raise att.ATT_Error(error_code=INVALID_LENGTH)
            if value[0] > highest:
                raise att.ATT_Error(error_code=INVALID_VALUE)
            self.bytes = bytes(value)
            changed(characteristic.value_handle, self.bytes)

        super().__init__(
            read=(lambda _: self.bytes) if readable else refuse(READ_NOT_PERMITTED),
            write=write if writable and highest else refuse(WRITE_NOT_PERMITTED),
        )


class BumbleKeyFob:
    """A device on a Bumble controller or any other HCI source and sink, advertising as the key fob does."""

    def __init__(self, source, sink, address="F0:F1:F2:F3:F4:F5", changed=lambda handle, value: None):
        config = DeviceConfiguration(gap_service_enabled=False, gatt_service_enabled=False)
        self.device = Device(
            name=table.NAME,
            address=Address(address, Address.RANDOM_DEVICE_ADDRESS),
            config=config,
            host=Host(source, sink),
        )
        self.values = {}
        self.characteristics = {}
        for service in table.SERVICES:
            self.device.add_service(
                Service(
                    UUID(service.uuid),
                    [self._characteristic(entry, address, changed) for entry in service.characteristics],
                )
            )

    def _characteristic(self, entry, address, changed):
        initial = table.system_id(address) if entry.value is table.SystemID else entry.value
        value = Value(entry, initial if isinstance(initial, bytes) else bytes(1), changed)
        everything = att.Attribute.READABLE | att.Attribute.WRITEABLE
        descriptors = [
            Descriptor(UUID(descriptor.uuid), everything, att.AttributeValue(
                read=lambda _, bytes=descriptor.value: bytes, write=refuse(WRITE_NOT_PERMITTED)
            ))
            for descriptor in entry.descriptors
        ]  # fmt: skip
        characteristic = Characteristic(
            UUID(entry.uuid), Characteristic.Properties(entry.properties), everything, value, descriptors
        )
        # Bumble would put a CCCD behind the other descriptors; the fob has it in front.
        for descriptor in descriptors:
            if descriptor.type == UUID(table.CCCD):
                descriptor.value = self.device.gatt_server.make_descriptor_value(characteristic)
        self.values[entry.value_handle] = value
        self.characteristics[entry.value_handle] = characteristic
        return characteristic

    @property
    def address(self):
        return self.device.random_address

    async def start(self, advertising_data=table.ADVERTISING_DATA, scan_response=table.SCAN_RESPONSE):
        await self.device.power_on()
        await self.device.start_advertising(
            advertising_data=advertising_data,
            scan_response_data=scan_response,
            advertising_interval_min=100,
            advertising_interval_max=100,
            auto_restart=True,
        )

    async def notify(self, handle, value):
        """Sends a value to whoever has subscribed to it."""
        await self.device.notify_subscribers(self.characteristics[handle], value)
