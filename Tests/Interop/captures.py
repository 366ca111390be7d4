"""What tshark makes of a capture, and what the bytes of the file say without it."""

import struct
import subprocess

LE_LL_WITH_PHDR, H4_WITH_PHDR = 256, 201
INTERFACE_DESCRIPTION, ENHANCED_PACKET, SECTION_HEADER = 1, 6, 0x0A0D0D0A

# LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: ten bytes of radio in front of the access address, the last two are flags.
RADIO_HEADER, CRC_FLAGS = 10, 0x0C00


def tshark(file, *arguments):
    """Runs tshark over a file with two passes, so that reassembly sees everything; its lines of output."""
    run = subprocess.run(
        ["tshark", "-n", "-2", "-r", str(file), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    complaints = [line for line in run.stderr.splitlines() if "Running as user" not in line]
    assert run.returncode == 0 and complaints == [], "\n".join(complaints)
    return run.stdout.splitlines()


def count(file, display_filter):
    return len(tshark(file, "-Y", display_filter, "-T", "fields", "-e", "frame.number"))


def values(file, field, display_filter=None):
    """The values of a field in every packet that has it, in order."""
    where = ["-Y", f"({display_filter}) && {field}" if display_filter else field]
    return [line for line in tshark(file, *where, "-T", "fields", "-e", field) if line]


def notification_times(file):
    """When each ATT notification was on the air, in seconds by the clock of the air."""
    return [float(time) for time in values(file, "frame.time_relative", "btle && btatt.opcode == 0x1b")]


def complaints(file, ignoring=()):
    """Packets tshark cannot make sense of, with what it says about them; but for those with these numbers."""
    lines = tshark(
        file, "-Y", "_ws.malformed || _ws.expert.severity >= 8388608 || btsnoop.malformed_frame",
        "-T", "fields", "-e", "frame.number", "-e", "_ws.col.Protocol", "-e", "_ws.col.Info",
        "-e", "_ws.expert.message",
    )  # fmt: skip
    return [line for line in lines if int(line.split("\t")[0]) not in ignoring]


def encrypted_packets(file):
    """Numbers of the packets on the air that belong to an encrypted link, from its LL_START_ENC_REQ on. tshark reads
    them as if they were not: it has no key, and does not know where encryption starts.
    """
    started, numbers = set(), set()
    for number, (kind, packet) in enumerate(packets(file), 1):
        if kind != LE_LL_WITH_PHDR:
            continue
        frame = packet[RADIO_HEADER:]
        if frame[:4] in started:
            numbers.add(number)
        elif frame[4] & 3 == 3 and frame[5:7] == b"\x01\x05":
            started.add(frame[:4])
    return numbers


def pcapng_blocks(data):
    """The blocks of a pcapng file as (type, body); one that is cut short is an error."""
    assert struct.unpack_from("<I", data)[0] == SECTION_HEADER
    place = 0
    while place < len(data):
        kind, length = struct.unpack_from("<II", data, place)
        assert length % 4 == 0 and length >= 12 and place + length <= len(data), "a block is cut short"
        assert struct.unpack_from("<I", data, place + length - 4)[0] == length
        yield kind, data[place + 8 : place + length - 4]
        place += length


def link_types(file):
    return [
        struct.unpack_from("<H", body)[0]
        for kind, body in pcapng_blocks(file.read_bytes())
        if kind == INTERFACE_DESCRIPTION
    ]


def packets(file):
    """The packets of a pcapng file as (link type, bytes)."""
    kinds = link_types(file)
    for kind, body in pcapng_blocks(file.read_bytes()):
        if kind == ENHANCED_PACKET:
            interface, _, _, captured, original = struct.unpack_from("<IIIII", body)
            assert captured == original
            yield kinds[interface], body[20 : 20 + captured]


def frames(file):
    """The frames on the air, without their radio headers."""
    return [packet[RADIO_HEADER:] for kind, packet in packets(file) if kind == LE_LL_WITH_PHDR]


def crc24(bytes_, initial):
    """The CRC of a PDU as it stands on the air. Core 6.0, Vol 6, Part B, 3.1.1."""
    register = initial
    for byte in bytes_:
        for bit in range(8):
            feedback = (register >> 23 ^ byte >> bit) & 1
            register = register << 1 & 0xFFFFFF ^ (0x00065B if feedback else 0)
    # The register leaves with its highest position first, octets go with their lowest bit first.
    return bytes(int(f"{register >> shift & 0xFF:08b}"[::-1], 2) for shift in (16, 8, 0))


def without_crc_flags(file, copy):
    """A copy of a capture which no longer says that its CRCs are good, so that tshark computes them itself."""
    data = bytearray(file.read_bytes())
    kinds = link_types(file)
    place = 0
    for kind, body in list(pcapng_blocks(bytes(data))):
        if kind == ENHANCED_PACKET and kinds[struct.unpack_from("<I", body)[0]] == LE_LL_WITH_PHDR:
            flags = place + 8 + 20 + RADIO_HEADER - 2
            struct.pack_into("<H", data, flags, struct.unpack_from("<H", data, flags)[0] & ~CRC_FLAGS)
        place += len(body) + 12
    copy.write_bytes(data)
    return copy


def btsnoop_packets(file):
    """Counts the packets of a btsnoop file with H4 framing; a record that is cut short is an error."""
    data = file.read_bytes()
    assert struct.unpack_from(">8sII", data) == (b"btsnoop\0", 1, 1002)
    place, packets = 16, 0
    while place < len(data):
        original, included = struct.unpack_from(">II", data, place)
        assert original == included
        place += 24 + included
        packets += 1
    assert place == len(data), "a record is cut short"
    return packets
