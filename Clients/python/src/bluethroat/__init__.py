"""Bluetooth LE devices in software, for tests of firmware and Bluetooth hosts.

`Air` starts the command `bluethroat`, says where a host finds a controller, and does over the control panel's HTTP API
what a person at the panel does: presses keys, moves devices, lets virtual time pass, reads packets. With pytest, the
fixture `air` has one that has been started, and ends it.
"""

from .air import Air, Central, Fob, HCIAddress, Link
from .errors import BluethroatError, CommandEnded, CommandMissing, PanelRefused, PortTaken
from .models import Attribute, Device, FobState, Packet, PacketDetail, PacketField, Sighting, World

__version__ = "0.2.0"

__all__ = [
    "Air",
    "Attribute",
    "BluethroatError",
    "Central",
    "CommandEnded",
    "CommandMissing",
    "Device",
    "Fob",
    "FobState",
    "HCIAddress",
    "Link",
    "Packet",
    "PacketDetail",
    "PacketField",
    "PanelRefused",
    "PortTaken",
    "Sighting",
    "World",
]
