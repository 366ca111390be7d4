"""Pairing as a central, spoken by hand over a raw link: right where nothing is said, and wrong where a test wants it.

Core 6.0, Vol 3, Part H. The mathematics is Bumble's.
"""

import struct

import raw_hci
from bumble import crypto
from bumble.crypto.cryptography import EccKey
from raw_hci import COMMAND_STATUS, ENCRYPTION_CHANGE, ENCRYPTION_KEY_REFRESH_COMPLETE, SECURITY

REQUEST, RESPONSE, CONFIRM, RANDOM, FAILED, LTK, IDENTIFICATION, IRK, ADDRESS, CSRK = range(1, 11)
SECURITY_REQUEST, PUBLIC_KEY, DHKEY_CHECK, KEYPRESS = 0x0B, 0x0C, 0x0D, 0x0E
DISPLAY_ONLY, YES_NO, KEYBOARD_ONLY, NO_IO, KEYBOARD_DISPLAY = range(5)
BONDING, MITM, SC = 0x01, 0x04, 0x08

# Reasons, 3.5.5.
(
    PASSKEY_ENTRY_FAILED, OOB_NOT_AVAILABLE, AUTHENTICATION_REQUIREMENTS, CONFIRM_VALUE_FAILED, NOT_SUPPORTED,
    KEY_SIZE, COMMAND_NOT_SUPPORTED, UNSPECIFIED, REPEATED_ATTEMPTS, INVALID_PARAMETERS, DHKEY_CHECK_FAILED,
    COMPARISON_FAILED,
) = range(1, 13)  # fmt: skip

LENGTHS = {
    REQUEST: 7, RESPONSE: 7, CONFIRM: 17, RANDOM: 17, FAILED: 2, LTK: 17, IDENTIFICATION: 11, IRK: 17, ADDRESS: 8,
    CSRK: 17, SECURITY_REQUEST: 2, PUBLIC_KEY: 65, DHKEY_CHECK: 17, KEYPRESS: 2,
}  # fmt: skip


class PairingFailed(Exception):
    def __init__(self, reason):
        super().__init__(f"pairing failed: 0x{reason:02X}")
        self.reason = reason


class Initiator:
    """One pairing. `bend` maps the code of a PDU to what is made of it before it is sent."""

    def __init__(self, bearer, own, peer, io=NO_IO, oob=0, auth=BONDING, size=16, keys=(3, 3), passkey=0, bend=None):
        self.bearer, self.host, self.link = bearer, bearer.host, bearer.link
        self.own, self.peer = own, peer  # six bytes of address and its type
        self.request = bytes([REQUEST, io, oob, auth, size, *keys])
        self.passkey = passkey
        self.bend = bend or {}
        self.key = EccKey.generate()
        self.keys = {}
        self.others = []  # PDUs of other channels that came in between

    def send(self, pdu):
        self.bearer.send(self.bend.get(pdu[0], lambda same: same)(pdu), SECURITY)

    async def receive(self, *codes, patience=raw_hci.PATIENCE):
        """The next SMP PDU, which has to be one of these; Pairing Failed is raised."""
        while True:
            channel, pdu = await self.bearer.receive(patience)
            if channel != SECURITY:
                self.others.append((channel, pdu))
                continue
            if pdu[0] == SECURITY_REQUEST and SECURITY_REQUEST not in codes:
                continue
            assert len(pdu) == LENGTHS[pdu[0]], pdu.hex()
            if pdu[0] == FAILED and FAILED not in codes:
                raise PairingFailed(pdu[1])
            assert pdu[0] in codes, f"{pdu.hex()} instead of one of {codes}"
            return pdu

    async def features(self):
        self.send(self.request)
        self.response = await self.receive(RESPONSE)
        self.is_secure = bool(self.request[3] & self.response[3] & SC)
        return self.response

    async def run(self):
        """All of it; the keys of the peer by their codes."""
        await self.features()
        await (self.secure() if self.is_secure else self.legacy())
        await self.encrypt(self.key_in_use)
        await self.distribution()
        return self.keys

    async def legacy(self):
        temporary = self.passkey.to_bytes(16, "little")
        random = crypto.r()

        def confirm(value):
            return crypto.c1(
                temporary, value, self.request, self.response, self.own[6], self.peer[6], self.own[:6], self.peer[:6]
            )

        self.send(bytes([CONFIRM]) + confirm(random))
        theirs = (await self.receive(CONFIRM))[1:]
        self.send(bytes([RANDOM]) + random)
        other = (await self.receive(RANDOM))[1:]
        assert confirm(other) == theirs, "the peer's confirm value is wrong"
        size = min(self.request[4], self.response[4])
        self.key_in_use = crypto.s1(temporary, other, random)[:size].ljust(16, b"\0")

    async def public_keys(self):
        self.x, y = self.key.x[::-1], self.key.y[::-1]
        self.send(bytes([PUBLIC_KEY]) + self.x + y)
        theirs = (await self.receive(PUBLIC_KEY))[1:]
        self.other_x = theirs[:32]
        self.shared = self.key.dh(theirs[:32][::-1], theirs[32:][::-1])[::-1]

    async def secure(self, by_passkey=False):
        await self.public_keys()
        if by_passkey:
            await self.passkey_rounds()
        else:
            theirs = (await self.receive(CONFIRM))[1:]
            self.random = crypto.r()
            self.send(bytes([RANDOM]) + self.random)
            self.other_random = (await self.receive(RANDOM))[1:]
            assert theirs == crypto.f4(self.other_x, self.x, self.other_random, b"\0")
        self.digits = crypto.g2(self.x, self.other_x, self.random, self.other_random) % 1_000_000
        await self.key_check(self.passkey if by_passkey else 0)

    async def passkey_rounds(self):
        for number in range(20):
            bit = bytes([0x80 | self.passkey >> number & 1])
            self.random = crypto.r()
            self.send(bytes([CONFIRM]) + crypto.f4(self.x, self.other_x, self.random, bit))
            theirs = (await self.receive(CONFIRM))[1:]
            self.send(bytes([RANDOM]) + self.random)
            self.other_random = (await self.receive(RANDOM))[1:]
            assert theirs == crypto.f4(self.other_x, self.x, self.other_random, bit)

    async def key_check(self, passkey):
        r = passkey.to_bytes(16, "little")
        check, self.key_in_use = crypto.f5(self.shared, self.random, self.other_random, self.own, self.peer)
        mine = crypto.f6(check, self.random, self.other_random, r, self.request[1:4], self.own, self.peer)
        self.send(bytes([DHKEY_CHECK]) + mine)
        theirs = (await self.receive(DHKEY_CHECK))[1:]
        assert theirs == crypto.f6(check, self.other_random, self.random, r, self.response[1:4], self.peer, self.own)
        size = min(self.request[4], self.response[4])
        self.key_in_use = self.key_in_use[:size].ljust(16, b"\0")

    async def encrypt(self, key, rand=bytes(8), ediv=0):
        """The status with which the link is encrypted."""
        status = await encrypt(self.host, self.link, key, rand, ediv)
        assert status == 0, f"no encryption: 0x{status:02X}"

    async def distribution(self):
        """What the responder gives, then what we give."""
        given, taken = self.response[5], self.response[6]
        wanted = [] if self.is_secure or not taken & 1 else [LTK, IDENTIFICATION]
        wanted += [IRK, ADDRESS] if taken & 2 else []
        wanted += [CSRK] if taken & 4 else []
        for code in wanted:
            self.keys[code] = (await self.receive(code))[1:]
        if given & 1 and not self.is_secure:
            self.send(bytes([LTK]) + b"\x11" * 16)
            self.send(bytes([IDENTIFICATION]) + b"\x22\x22" + b"\x33" * 8)
        if given & 2:
            self.send(bytes([IRK]) + b"\x44" * 16)
            self.send(bytes([ADDRESS]) + bytes([self.own[6]]) + self.own[:6])
        if given & 4:
            self.send(bytes([CSRK]) + b"\x55" * 16)


async def encrypt(host, link, key, rand=bytes(8), ediv=0):
    parameters = struct.pack("<H8sH16s", link.handle, rand, ediv, key)
    code, answer = await host.ask(raw_hci.LE_ENABLE_ENCRYPTION, parameters)
    assert code == COMMAND_STATUS and answer == b"\0"

    def changed(code, body):
        return code in (ENCRYPTION_CHANGE, 0x59, ENCRYPTION_KEY_REFRESH_COMPLETE)

    return (await host.until(lambda: host.take(changed), "word of the encryption"))[0]
