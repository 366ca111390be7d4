"""A sniffer that was told the keys: what two controllers said to each other, from the frames of a capture alone.

It shares no line with the controllers: AES-CCM is the `cryptography` package's, the key schedule is Bumble's e.
"""

import struct
from dataclasses import dataclass

import captures
from bumble import crypto
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

CENTRAL, PERIPHERAL = 2, 3  # The directions of a link as the radio header of a capture names them.
TERMINATE_IND, ENC_REQ, ENC_RSP, START_ENC_REQ, START_ENC_RSP = 0x02, 0x03, 0x04, 0x05, 0x06
PAUSE_ENC_REQ, PAUSE_ENC_RSP, REJECT_IND, REJECT_EXT_IND, PING_REQ, PING_RSP = 0x0A, 0x0B, 0x0D, 0x11, 0x12, 0x13
UNKNOWN_RSP = 0x07
CONTROL = 0b11


@dataclass
class PDU:
    """One data PDU, sent once however often it was repeated."""

    direction: int
    kind: int  # the LLID
    payload: bytes  # as the Link Layer means it
    on_air: bytes  # as it was sent
    encrypted: bool

    @property
    def opcode(self):
        return self.payload[0] if self.kind == CONTROL and self.payload else None


class Cipher:
    """One session of AES-CCM. Core 6.0, Vol 6, Part E."""

    def __init__(self, long_term_key, request, response):
        # LL_ENC_REQ: Rand, EDIV, SKD_C, IV_C; LL_ENC_RSP: SKD_P, IV_P.
        session_key = crypto.e(long_term_key, request[10:18] + response[:8])
        self.cipher = AESCCM(session_key[::-1], tag_length=4)
        self.vector = request[18:22] + response[8:12]
        self.counters = {CENTRAL: 0, PERIPHERAL: 0}

    def decrypt(self, direction, header, payload):
        number = self.counters[direction] | (1 << 39 if direction == CENTRAL else 0)
        self.counters[direction] += 1
        nonce = number.to_bytes(5, "little") + self.vector
        return self.cipher.decrypt(nonce, payload, bytes([header & 0xE3]))


class WrongKey(AssertionError):
    """A PDU that no given key opens."""


def link(file, *long_term_keys, number=0):
    """The PDUs of a connection in a capture, the first if nothing is said. The keys are those of its encryption starts,
    in their order; at the first start without one it ends.
    """
    keys = list(long_term_keys)
    access_addresses = []
    cipher = request = None
    encrypting = False
    last = {}
    for kind, packet in captures.packets(file):
        if kind != captures.LE_LL_WITH_PHDR:
            continue
        (flags,) = struct.unpack_from("<H", packet, captures.RADIO_HEADER - 2)
        direction, frame = flags >> 7 & 7, packet[captures.RADIO_HEADER :]
        if direction not in (CENTRAL, PERIPHERAL):
            continue
        if frame[:4] not in access_addresses:
            access_addresses.append(frame[:4])
        if access_addresses.index(frame[:4]) != number:
            continue
        header, length = frame[4], frame[5]
        on_air = frame[6 : 6 + length]
        sequence_number = header >> 3 & 1
        if last.get(direction) == sequence_number:
            continue
        last[direction] = sequence_number
        if not on_air:
            continue
        if not encrypting:
            pdu = PDU(direction, header & 3, on_air, on_air, False)
        else:
            try:
                pdu = PDU(direction, header & 3, cipher.decrypt(direction, header, on_air), on_air, True)
            except InvalidTag:
                raise WrongKey(f"{on_air.hex()} from {direction}") from None
        if pdu.opcode == ENC_REQ:
            request = pdu.payload[1:]
        elif pdu.opcode == ENC_RSP:
            cipher = (Cipher(keys.pop(0), request, pdu.payload[1:])) if keys else None
        elif pdu.opcode == START_ENC_REQ:
            encrypting = True
        elif pdu.opcode == PAUSE_ENC_RSP and direction == PERIPHERAL:
            # Encrypted itself; the central's answer is the first that is not.
            encrypting = False
        yield pdu
        if encrypting and cipher is None:
            # Without a key there is nothing more to understand.
            return
