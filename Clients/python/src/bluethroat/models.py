"""What the panel answers with: JSON objects, typed. docs/api.md and /openapi.json of the command say more."""

from __future__ import annotations

from typing import Any, TypedDict


class World(TypedDict):
    """The world as a whole."""

    #: Seconds since it began.
    time: float
    #: Whether time passes only by `Air.advance`.
    isVirtual: bool
    seed: str


class Device(TypedDict):
    """A device as the map shows it; the place is in metres."""

    device: int
    name: str
    #: keyfob, keyfob-phone, central, phone, client (a host at the HCI port) or device.
    kind: str
    x: float
    y: float
    #: The devices that it has connections with.
    links: list[int]


class Keys(TypedDict):
    """Which keys are held down."""

    left: bool
    right: bool


class LEDs(TypedDict):
    """Which LEDs are lit; `alert` blinks in an alert."""

    left: bool
    right: bool
    alert: bool


class Switch(TypedDict):
    """Whether something is on, and can be switched at the moment."""

    isOn: bool
    isEnabled: bool


class Peer(TypedDict, total=False):
    """A connection of a fob."""

    peer: str
    #: In milliseconds.
    interval: float
    latency: int
    isEncrypted: bool
    signalStrength: int
    #: What the peer wants to be notified of.
    subscriptions: list[str]


class FobState(TypedDict):
    """What is seen and heard of a key fob. The API has more: `Air.request("GET", "/api/devices/0")`."""

    device: int
    name: str
    isPowered: bool
    address: str
    x: float
    y: float
    keys: Keys
    leds: LEDs
    #: What sounds at this instant, in hertz.
    tones: list[int]
    #: none, mild or high.
    alert: str
    #: What is in the battery, and what centrals are told, in percent.
    battery: int
    reportedBattery: int
    advertising: Switch
    connections: list[Peer]


class Packet(TypedDict):
    """A packet on the air."""

    number: int
    #: When its preamble began, and how long it was, in seconds.
    time: float
    length: float
    channel: int
    #: The number of the device that sent it.
    device: int
    #: The access address.
    access: int
    #: advertising, scan, connect, data, control or empty.
    kind: str
    #: In one line.
    text: str
    collided: bool
    damaged: bool
    lost: bool
    encrypted: bool


class PacketField(TypedDict, total=False):
    """A field of a packet, or a part with fields in it."""

    name: str
    value: str
    fields: list[Any]


class PacketDetail(TypedDict):
    """A packet with everything that is known of it."""

    number: int
    time: float
    channel: int
    phy: str
    #: In dBm.
    power: int
    device: int
    text: str
    #: The devices that got it.
    receivers: list[int]
    fields: list[PacketField]
    #: Access address to CRC, hexadecimal digits.
    bytes: str


class Sighting(TypedDict, total=False):
    """A device that a central has found."""

    address: str
    name: str
    signalStrength: int


class Attribute(TypedDict, total=False):
    """An attribute that a central has discovered."""

    handle: int
    uuid: str
    name: str
