"""A Bumble peripheral that is a desk of the login, written from docs/workstation.md with other people's cryptography."""

import asyncio
import hashlib
import hmac
import os
import struct

from bluethroat import PATIENCE
from bumble.att import Attribute, AttributeValue
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR, Characteristic, Descriptor, Service
from bumble_pairing import YES_NO, Person
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from login_relay import DESK_SERVICE, EXCHANGE, IDENTITY, advertise_as_desk
from test_workstation import begin

CONFIGURATION = GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR


def told(credentials):
    """Name and password in the phone's message, which is as long whatever they are."""
    assert credentials[0] == 1 and len(credentials) == 331, credentials
    length = credentials[8]
    user, rest = credentials[9 : 9 + length], credentials[9 + length :]
    (length,) = struct.unpack_from("<H", rest)
    assert not any(rest[2 + length :])
    return user.decode(), rest[2 : 2 + length].decode()


class Desk:
    """One that tells the test what the phone says, and says what the test wants."""

    def __init__(self, bumble, key, digits="4711"):
        self.bumble, self.key, self.digits = bumble, key, digits
        self.messages = asyncio.Queue()
        self.heard = []  # the kinds of messages, of all visits
        self._begin_anew()

    def _begin_anew(self):
        self.number, self.body, self.length = 1, b"", None
        self.sent = self.received = 0

    async def advertise(self):
        await advertise_as_desk(self.bumble.device, self.digits)

    async def show(self):
        self.bumble.pairs_as(Person(YES_NO))
        encrypted = Attribute.WRITEABLE | Attribute.WRITE_REQUIRES_ENCRYPTION
        properties = Characteristic.Properties.NOTIFY | Characteristic.Properties.WRITE_WITHOUT_RESPONSE
        configuration = Descriptor(CONFIGURATION, Attribute.READABLE | encrypted)
        take = AttributeValue(write=lambda _, packet: self._take(bytes(packet)))
        self.exchange = Characteristic(EXCHANGE, properties, encrypted, take, [configuration])
        configuration.value = self.bumble.device.gatt_server.make_descriptor_value(self.exchange)
        readable = (Characteristic.Properties.READ, Attribute.READABLE, b"\x02" + self.digits.encode())
        self.bumble.device.add_service(Service(DESK_SERVICE, [Characteristic(IDENTITY, *readable), self.exchange]))
        await self.advertise()

    # The framed mode

    def _take(self, packet):
        if packet[0] == 1:
            self.message, self.length = struct.unpack_from("<II", packet, 1)
            self.body = packet[17:]
        elif packet[0] == 2:
            self.body += packet[2:]
        if packet[0] in (1, 2) and len(self.body) == self.length:
            self.messages.put_nowait((self.message, self.body))

    async def _notify(self, packet):
        await self.bumble.device.notify_subscribers(self.exchange, packet)

    async def send(self, message):
        for packet in begin(self.number, message):
            await self._notify(packet)
        self.number += 1

    async def message_of(self, kind):
        number, body = await asyncio.wait_for(self.messages.get(), PATIENCE)
        await self._notify(b"\x03" + struct.pack("<I", number))
        self.heard.append(body[0])
        assert body[0] == kind, body
        return body

    # The login

    async def greeted(self):
        """Hears hello; whether the phone needs the code."""
        self._begin_anew()
        self.hello = await self.message_of(1)
        assert self.hello[1] == 2 and self.hello[3:7] == self.digits.encode() and len(self.hello) == 39
        return bool(self.hello[2])

    async def agree(self):
        """Offer, reveal, proof; the six digits that a monitor would show."""
        own = X25519PrivateKey.generate()
        keys = [one.public_key().public_bytes_raw() for one in (own, self.key)]
        offer = b"\x02\x00" + keys[0] + keys[1] + os.urandom(16)
        await self.send(offer)
        reveal = await self.message_of(3)
        assert self.hello[7:] == hashlib.sha256(b"bluethroat desk promise" + reveal[1:]).digest()
        counted = b"".join(struct.pack(">H", len(one)) + one for one in (self.hello, offer, reveal))
        self.transcript = transcript = hashlib.sha256(b"bluethroat desk 2" + counted).digest()
        phone = X25519PublicKey.from_public_bytes(reveal[1:33])
        secret = own.exchange(phone) + self.key.exchange(phone)

        def key(purpose):
            return HKDF(hashes.SHA256(), 32, transcript, purpose).derive(secret)

        self.to_desk, self.to_phone = AESGCM(key(b"to desk")), AESGCM(key(b"to phone"))
        await self.send(b"\x04" + hmac.digest(key(b"proof"), transcript, "sha256"))
        digest = hashlib.sha256(b"bluethroat desk code" + transcript).digest()
        return f"{int.from_bytes(digest[:8], 'big') % 1_000_000:06}"

    async def hear(self):
        sealed = await self.message_of(5)
        nonce = bytes(4) + struct.pack("<Q", self.received)
        self.received += 1
        return self.to_desk.decrypt(nonce, sealed[1:], self.transcript)

    async def say(self, message):
        nonce = bytes(4) + struct.pack("<Q", self.sent)
        self.sent += 1
        await self.send(b"\x05" + self.to_phone.encrypt(nonce, message, self.transcript))
