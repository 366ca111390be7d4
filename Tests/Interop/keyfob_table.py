"""TI's key fob as a table: what a central must find, handle by handle and byte by byte.

Written down from the firmware's attribute tables, not from this project's Swift, so that the two can disagree. Where TI's
guide and the article of 2013 say of a value that it is read and the firmware refuses it, the table has the value, and
`UNREADABLE_ON_THE_BOARD` the handle: that is what `--as-source` brings back.
"""

from dataclasses import dataclass

READ, WRITE_WITHOUT_RESPONSE, WRITE, NOTIFY, INDICATE = 0x02, 0x04, 0x08, 0x10, 0x20

PRIMARY_SERVICE, CHARACTERISTIC = "2800", "2803"
CCCD, USER_DESCRIPTION, REPORT_REFERENCE = "2902", "2901", "2908"

NAME = "Keyfobdemo"
ADVERTISING_DATA = bytes.fromhex("0201050702031802180418")
SCAN_RESPONSE = bytes.fromhex("0b094b6579666f6264656d6f")


class Refused:
    """Stands for a value the fob declares and does not let anybody read: ATT error 0x02."""


class SystemID:
    """Stands for the value made of the fob's own address."""


@dataclass(frozen=True)
class Descriptor:
    handle: int
    uuid: str
    value: bytes


@dataclass(frozen=True)
class Characteristic:
    handle: int
    uuid: str
    properties: int
    value: object
    descriptors: tuple[Descriptor, ...] = ()

    @property
    def value_handle(self):
        return self.handle + 1

    @property
    def declaration(self):
        """The bytes of the declaration's own value: properties, value handle, UUID."""
        return bytes([self.properties]) + self.value_handle.to_bytes(2, "little") + uuid_bytes(self.uuid)


@dataclass(frozen=True)
class Service:
    handle: int
    end: int
    uuid: str
    characteristics: tuple[Characteristic, ...]


def uuid_bytes(uuid):
    return bytes.fromhex(uuid)[::-1]


def cccd(handle):
    return Descriptor(handle, CCCD, b"\x00\x00")


def description(handle, text):
    return Descriptor(handle, USER_DESCRIPTION, text)


SERVICES = (
    Service(0x0001, 0x000B, "1800", (
        Characteristic(0x0002, "2A00", READ, b"TI BLE Keyfob"),
        Characteristic(0x0004, "2A01", READ, b"\x00\x00"),
        Characteristic(0x0006, "2A02", READ, b"\x00"),
        Characteristic(0x0008, "2A03", READ | WRITE, bytes(6)),
        Characteristic(0x000A, "2A04", READ, bytes.fromhex("5000a0000000e803")),
    )),
    Service(0x000C, 0x000F, "1801", (
        Characteristic(0x000D, "2A05", INDICATE, Refused, (cccd(0x000F),)),
    )),
    Service(0x0010, 0x0022, "180A", (
        Characteristic(0x0011, "2A23", READ, SystemID),
        Characteristic(0x0013, "2A24", READ, b"Model Number"),
        Characteristic(0x0015, "2A25", READ, b"Serial Number"),
        Characteristic(0x0017, "2A26", READ, b"Firmware Revision"),
        Characteristic(0x0019, "2A27", READ, b"Hardware Revision"),
        Characteristic(0x001B, "2A28", READ, b"Software Revision"),
        Characteristic(0x001D, "2A29", READ, b"Manufacturer Name"),
        Characteristic(0x001F, "2A2A", READ, bytes.fromhex("fe006578706572696d656e74616c")),
        Characteristic(0x0021, "2A50", READ, bytes.fromhex("010d0000001001")),
    )),
    Service(0x0023, 0x0025, "1803", (
        Characteristic(0x0024, "2A06", READ | WRITE, b"\x00"),
    )),
    Service(0x0026, 0x0028, "1802", (
        Characteristic(0x0027, "2A06", WRITE_WITHOUT_RESPONSE, Refused),
    )),
    Service(0x0029, 0x002C, "1804", (
        Characteristic(0x002A, "2A07", READ | NOTIFY, b"\x00", (cccd(0x002C),)),
    )),
    Service(0x002D, 0x0031, "180F", (
        Characteristic(0x002E, "2A19", READ | NOTIFY, b"\x64", (
            cccd(0x0030), Descriptor(0x0031, REPORT_REFERENCE, b"\x04\x01"),
        )),
    )),
    Service(0x0032, 0x0044, "FFA0", (
        Characteristic(0x0033, "FFA1", READ | WRITE, b"\x00", (description(0x0035, b"Accel Enable"),)),
        Characteristic(0x0036, "FFA2", READ, b"\x14\x00", (description(0x0038, b"Accel Range"),)),
        Characteristic(0x0039, "FFA3", NOTIFY, b"\x00", (
            cccd(0x003B), description(0x003C, b"Accel X-Coordinate"),
        )),
        Characteristic(0x003D, "FFA4", NOTIFY, b"\x00", (
            cccd(0x003F), description(0x0040, b"Accel Y-Coordinate"),
        )),
        Characteristic(0x0041, "FFA5", NOTIFY, b"\x00", (
            cccd(0x0043), description(0x0044, b"Accel Z-Coordinate"),
        )),
    )),
    Service(0x0045, 0x0049, "FFE0", (
        Characteristic(0x0046, "FFE1", NOTIFY, b"\x00", (
            cccd(0x0048), description(0x0049, b"Key Press State"),
        )),
    )),
)  # fmt: skip

CHARACTERISTICS = tuple(characteristic for service in SERVICES for characteristic in service.characteristics)

# Value handles the tests speak of by name.
LINK_LOSS_ALERT = 0x0025
IMMEDIATE_ALERT = 0x0028
TX_POWER, TX_POWER_CCCD = 0x002B, 0x002C
BATTERY, BATTERY_CCCD = 0x002F, 0x0030
ACCELEROMETER_ENABLE = 0x0034
X, X_CCCD = 0x003A, 0x003B
Y, Y_CCCD = 0x003E, 0x003F
Z, Z_CCCD = 0x0042, 0x0043
KEYS, KEYS_CCCD = 0x0047, 0x0048
SERVICE_CHANGED_CCCD = 0x000F
RECONNECTION_ADDRESS = 0x0009
UNREADABLE_ON_THE_BOARD = [RECONNECTION_ADDRESS, X, Y, Z, KEYS]


def system_id(address):
    """a0 a1 a2 00 00 a3 a4 a5 for the address a5:a4:a3:a2:a1:a0."""
    octets = bytes.fromhex(address.replace(":", ""))[::-1]
    return octets[:3] + b"\x00\x00" + octets[3:]


def attributes():
    """Every attribute as (handle, type), in handle order."""
    for service in SERVICES:
        yield service.handle, PRIMARY_SERVICE
        for characteristic in service.characteristics:
            yield characteristic.handle, CHARACTERISTIC
            yield characteristic.value_handle, characteristic.uuid
            for descriptor in characteristic.descriptors:
                yield descriptor.handle, descriptor.uuid


def values(address):
    """Every readable value as (handle, bytes): declarations, values, descriptors, in handle order."""
    for service in SERVICES:
        yield service.handle, uuid_bytes(service.uuid)
        for characteristic in service.characteristics:
            yield characteristic.handle, characteristic.declaration
            if characteristic.value is SystemID:
                yield characteristic.value_handle, system_id(address)
            elif isinstance(characteristic.value, bytes):
                yield characteristic.value_handle, characteristic.value
            for descriptor in characteristic.descriptors:
                yield descriptor.handle, descriptor.value


def refused():
    """Handles of values that cannot be read."""
    return [characteristic.value_handle for characteristic in CHARACTERISTICS if characteristic.value is Refused]


# A slip in the table above is found here, when it is imported.
assert [handle for handle, _ in attributes()] == list(range(0x0001, 0x004A))
assert all(
    (service.characteristics[-1].descriptors or (service.characteristics[-1],))[-1].handle
    + (0 if service.characteristics[-1].descriptors else 1)
    == service.end
    for service in SERVICES
)
assert system_id("78:C5:E5:9B:76:0D") == bytes.fromhex("0d769b0000e5c578")
