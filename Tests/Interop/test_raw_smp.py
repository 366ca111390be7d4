"""A central made of bytes in front of our host: pairings that are right in all but one place, and PDUs that belong to
none. What it is told, and that nothing is left of it.
"""

import asyncio
import os
import random
import secrets
import struct
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import raw_hci
import raw_smp
from bluethroat import KeyFob
from bumble import crypto
from bumble.crypto.cryptography import EccKey
from pairing_peer import ENCRYPTED, LONG_KEY, OPEN, SIGNED, PairingPeer
from raw_hci import DISCONNECT, DISCONNECTION_COMPLETE, SECURITY, Bearer, raw_host
from raw_smp import BONDING, MITM, SC, Initiator, PairingFailed, encrypt

INSUFFICIENT_AUTHENTICATION, INSUFFICIENT_ENCRYPTION, SHORT_KEY = 0x05, 0x0F, 0x0C
READ_OPEN = b"\x0a\x03\x00"


def read(handle):
    return struct.pack("<BH", 0x0A, handle)


class Attacker:
    """The central, and our device before it."""

    def __init__(self, host, ours):
        self.host, self.ours = host, ours
        self.bearer = None
        # A static address of its own, as a test may want another.
        self.address = secrets.token_bytes(5) + b"\xc7"

    async def connect(self, same=True):
        if self.bearer is not None:
            await self.disconnect()
        if not same:
            self.address = secrets.token_bytes(5) + b"\xc7"
        await self.ours.advertise()
        await self.host.do(raw_hci.LE_SET_RANDOM_ADDRESS, self.address)
        peer = bytes.fromhex(self.ours.address.replace(":", ""))[::-1]
        await self.host.connect(peer, interval=6, timeout=500, own_type=1, peer_type=1)
        link = await self.host.connection()
        assert link.status == 0
        await self.ours.event("connected")
        self.peer = peer + b"\1"
        self.bearer = Bearer(self.host, link, READ_OPEN)

    async def disconnect(self):
        handle = struct.pack("<H", self.bearer.link.handle)
        assert await self.host.status(DISCONNECT, handle + b"\x13") == 0
        await self.host.event(DISCONNECTION_COMPLETE)
        await self.ours.event("disconnected")
        self.host.forget()
        self.bearer = None

    def pairing(self, **how):
        return Initiator(self.bearer, self.address + b"\1", self.peer, **how)

    async def refusal(self, pairing):
        """Why a pairing failed."""
        with pytest.raises(PairingFailed) as error:
            await pairing.run()
        return error.value.reason

    async def answers(self, *pdus):
        """The reasons that Pairing Failed gives to these PDUs, if any."""
        for pdu in pdus:
            self.bearer.send(pdu, SECURITY)
        self.bearer.send(READ_OPEN)
        reasons = []
        while True:
            channel, pdu = await self.bearer.receive()
            if channel != SECURITY:
                assert pdu[0] == 0x0B
                return reasons
            if pdu[0] == raw_smp.FAILED:
                assert len(pdu) == 2
                reasons.append(pdu[1])

    async def answer(self, *pdus):
        """The one reason; None if they are ignored."""
        reasons = await self.answers(*pdus)
        assert len(reasons) <= 1
        return reasons[0] if reasons else None

    async def nothing_is_left(self):
        assert await self.ours.count_bonds() == 0
        assert not [event for event in self.ours.events if event["event"] in ("paired", "encryption", "bond")]
        await self.bearer.refused(read(ENCRYPTED), INSUFFICIENT_AUTHENTICATION, ENCRYPTED)


@asynccontextmanager
async def attacker(**settings):
    async with AsyncExitStack() as stack:
        fob = await stack.enter_async_context(KeyFob("--wait"))
        host = await stack.enter_async_context(raw_host(fob.port))
        ours = await stack.enter_async_context(PairingPeer(fob.hci, **settings))
        yield Attacker(host, ours)


# Right


@pytest.mark.parametrize("auth", [BONDING, BONDING | SC], ids=["legacy", "secure"])
async def test_a_pairing_by_hand(auth):
    async with attacker() as it:
        await it.connect()
        pairing = it.pairing(auth=auth, keys=(3, 3))
        keys = await pairing.run()
        assert await it.bearer.ask(read(ENCRYPTED)) == b"\x0bvalue 1"
        assert keys[raw_smp.ADDRESS] == b"\1" + it.peer[:6]
        paired = await it.ours.event("paired")
        assert paired["secureConnections"] == bool(auth & SC) and paired["bonded"] is True
        # Once more with what was given.
        await it.connect()
        if auth & SC:
            assert await encrypt(it.host, it.bearer.link, pairing.key_in_use) == 0
        else:
            ediv, rand = struct.unpack("<H8s", keys[raw_smp.IDENTIFICATION])
            assert (ediv, rand) != (0, bytes(8))
            assert await encrypt(it.host, it.bearer.link, keys[raw_smp.LTK], rand, ediv) == 0
        assert await it.bearer.ask(read(ENCRYPTED)) == b"\x0bvalue 1"
        # A key that goes by another name is not there.
        await it.connect()
        assert await encrypt(it.host, it.bearer.link, pairing.key_in_use, b"\x01" * 8, 0x1234) == 0x06


@pytest.mark.parametrize("secure", [False, True], ids=["legacy", "secure"])
@pytest.mark.parametrize("size", [7, 10, 16])
async def test_the_shorter_key_counts(size, secure):
    async with attacker() as it:
        await it.connect()
        keys = await it.pairing(auth=BONDING | (SC if secure else 0), size=size).run()
        paired = await it.ours.event("paired")
        assert paired["keySize"] == size
        assert set(bytes.fromhex(paired["key"])[size:]) <= {0}
        if not secure:
            assert set(keys[raw_smp.LTK][size:]) <= {0}
        assert await it.bearer.ask(read(ENCRYPTED)) == b"\x0bvalue 1"
        if size == 16:
            assert await it.bearer.ask(read(LONG_KEY)) == b"\x0bvalue 5"
        else:
            await it.bearer.refused(read(LONG_KEY), SHORT_KEY, LONG_KEY)


async def test_public_keys_and_passkeys_are_used_once():
    async with attacker(io="display-only") as it:
        shown, keys = set(), set()
        for _ in range(3):
            await it.connect(same=False)
            pairing = it.pairing(io=raw_smp.KEYBOARD_ONLY, auth=BONDING | MITM | SC)
            await pairing.features()
            await pairing.public_keys()
            keys.add(pairing.other_x)
            shown.add((await it.ours.event("passkey"))["digits"])
        assert len(shown) == len(keys) == 3


# Wrong


def flipped(pdu):
    return pdu[:-1] + bytes([pdu[-1] ^ 1])


async def test_random_values_that_were_not_committed_to():
    async with attacker() as it:
        await it.connect()
        for code in (raw_smp.CONFIRM, raw_smp.RANDOM):
            reason = await it.refusal(it.pairing(auth=BONDING, bend={code: flipped}))
            assert reason == raw_smp.CONFIRM_VALUE_FAILED
            await it.nothing_is_left()
            await it.connect(same=False)
        # In Just Works of Secure Connections the initiator commits to nothing; what it says last is checked.
        assert await it.refusal(it.pairing(auth=BONDING | SC, bend={raw_smp.DHKEY_CHECK: flipped})) == 0x0B
        await it.nothing_is_left()


async def test_a_guessed_passkey_fails_in_the_round_that_tells():
    async with attacker(io="display-only") as it:
        for wrong_bit in (0, 7, 19):
            await it.connect(same=False)
            pairing = it.pairing(io=raw_smp.KEYBOARD_ONLY, auth=BONDING | MITM | SC)
            await pairing.features()
            await pairing.public_keys()
            pairing.passkey = int((await it.ours.event("passkey"))["digits"]) ^ 1 << wrong_bit
            with pytest.raises(PairingFailed) as error:
                await pairing.passkey_rounds()
            assert error.value.reason == raw_smp.CONFIRM_VALUE_FAILED
            await it.nothing_is_left()


async def test_public_keys_that_are_none():
    async with attacker() as it:
        good = EccKey.generate()
        x, y = good.x[::-1], good.y[::-1]
        beside = bytes([y[0] ^ 1]) + y[1:]
        for name, key in {"zero": bytes(64), "beside the curve": x + beside, "x twice": x + x}.items():
            await it.connect(same=False)
            bend = {raw_smp.PUBLIC_KEY: lambda _, key=key: bytes([raw_smp.PUBLIC_KEY]) + key}
            reason = await it.refusal(it.pairing(auth=BONDING | SC, bend=bend))
            assert reason in (raw_smp.DHKEY_CHECK_FAILED, raw_smp.INVALID_PARAMETERS), name
            await it.nothing_is_left()


async def test_the_debug_key_is_refused_unless_asked_for():
    debug = EccKey.from_private_key_bytes(
        bytes.fromhex("3f49f6d4a3c55f3874c9b3e3d2103f504aff607beb40b7995899b8a6cd3c1abd")
    )
    for allowed in (False, True):
        async with attacker(debug_key=allowed) as it:
            await it.connect()
            pairing = it.pairing(auth=BONDING | SC)
            pairing.key = debug
            if allowed:
                await pairing.run()
                await it.ours.event("paired")
            else:
                # Which reason, the specification leaves open.
                await it.refusal(pairing)
                await it.nothing_is_left()


async def test_a_public_key_of_an_earlier_pairing_is_refused_or_useless():
    """The responder shows its key only after the initiator has shown one, so all that can be reflected is an old one."""
    async with attacker() as it:
        await it.connect()
        first = it.pairing(auth=BONDING | SC)
        await first.features()
        first.send(bytes([raw_smp.PUBLIC_KEY]) + first.key.x[::-1] + first.key.y[::-1])
        theirs = (await first.receive(raw_smp.PUBLIC_KEY))[1:]
        await it.connect(same=False)
        bend = {raw_smp.PUBLIC_KEY: lambda _: bytes([raw_smp.PUBLIC_KEY]) + theirs}
        with pytest.raises((PairingFailed, AssertionError)):
            await it.pairing(auth=BONDING | SC, bend=bend).run()
        await it.nothing_is_left()


@pytest.mark.parametrize(
    ("settings", "how", "reason"),
    [
        ({}, {"size": 6}, {raw_smp.KEY_SIZE, raw_smp.INVALID_PARAMETERS}),
        ({}, {"size": 17}, {raw_smp.KEY_SIZE, raw_smp.INVALID_PARAMETERS}),
        ({"minimum_key_size": 16}, {"size": 15}, {raw_smp.KEY_SIZE}),
        ({}, {"io": 5}, {raw_smp.INVALID_PARAMETERS}),
        ({}, {"io": 0xFF}, {raw_smp.INVALID_PARAMETERS}),
        ({}, {"oob": 2}, {raw_smp.INVALID_PARAMETERS}),
        ({"sc": "only"}, {"auth": BONDING}, {raw_smp.AUTHENTICATION_REQUIREMENTS}),
        ({"protection": "required"}, {}, {raw_smp.AUTHENTICATION_REQUIREMENTS}),
        ({"accepts": False}, {}, {raw_smp.NOT_SUPPORTED}),
    ],
)
async def test_requests_that_are_refused(settings, how, reason):
    async with attacker(**settings) as it:
        await it.connect()
        assert await it.refusal(it.pairing(**how)) in reason
        await it.nothing_is_left()


async def test_pdus_of_the_wrong_length_or_at_the_wrong_time():
    async with attacker() as it:
        request = bytes([raw_smp.REQUEST, 3, 0, BONDING | SC, 16, 3, 3])
        for code, length in raw_smp.LENGTHS.items():
            await it.connect(same=False)
            # Where there is no pairing: what would begin one is answered, the rest is nobody's.
            for wrong in (length - 1, length + 1):
                reason = await it.answer(bytes([code]).ljust(wrong, b"\0"))
                assert reason == (raw_smp.INVALID_PARAMETERS if code in (1, 0x0B) else None), f"{code:02X}"
            # In the middle of a pairing: it ends.
            if code != raw_smp.FAILED:
                reason = await it.answer(request, bytes([code]).ljust(length + 1, b"\0"))
                assert reason in (raw_smp.INVALID_PARAMETERS, raw_smp.REPEATED_ATTEMPTS), f"{code:02X}"
            await it.connect(same=False)
            if code not in (raw_smp.FAILED, raw_smp.PUBLIC_KEY, raw_smp.KEYPRESS):
                reason = await it.answer(request, bytes([code]).ljust(length, b"\0"))
                assert reason is not None, f"{code:02X} in place of a public key"
        await it.nothing_is_left()


async def test_codes_that_nobody_knows_are_ignored():
    async with attacker() as it:
        await it.connect()
        for code in (0x00, 0x0F, 0x80, 0xFF):
            assert await it.answer(bytes([code])) in (None, raw_smp.COMMAND_NOT_SUPPORTED)
            assert await it.answer(bytes([code]) + bytes(64)) in (None, raw_smp.COMMAND_NOT_SUPPORTED)
        assert await it.answer(b"") is None
        await it.pairing(auth=BONDING | SC).run()


async def test_whoever_failed_has_to_wait_and_waits_longer_each_time():
    async with attacker() as it:
        await it.connect()
        began = asyncio.get_running_loop().time()

        async def fail():
            return await it.refusal(it.pairing(auth=BONDING, bend={raw_smp.RANDOM: flipped}))

        async def fail_until_refused():
            """On a busy machine a wait may be over before the next attempt, whose failure makes it twice as long."""
            for _ in range(8):
                if (reason := await fail()) == raw_smp.REPEATED_ATTEMPTS:
                    return
                assert reason == raw_smp.CONFIRM_VALUE_FAILED
            pytest.fail("nobody is kept waiting")

        assert await fail() == raw_smp.CONFIRM_VALUE_FAILED
        await fail_until_refused()
        # Another connection changes nothing.
        await it.connect()
        await fail_until_refused()
        # Others are not kept waiting.
        mine = it.address
        await it.connect(same=False)
        await it.pairing().run()
        it.address, _ = mine, await it.disconnect()
        await it.connect()
        while (reason := await it.answer(bytes([raw_smp.REQUEST, 3, 0, BONDING, 16, 3, 3]))) == raw_smp.REPEATED_ATTEMPTS:
            await asyncio.sleep(0.05)
        assert reason is None
        assert asyncio.get_running_loop().time() - began > 0.5


async def test_a_pairing_that_rests_for_thirty_seconds_is_the_last_one_on_its_link():
    async with attacker() as it:
        await it.connect()
        pairing = it.pairing(auth=BONDING | SC)
        began = asyncio.get_running_loop().time()
        await pairing.features()
        assert (await it.ours.event("pairingFailed", patience=60))["by"] == "timedOut"
        assert asyncio.get_running_loop().time() - began > 29
        # 3.4: nothing of the Security Manager happens on this link any more. All else goes on.
        request = bytes([raw_smp.REQUEST, 3, 0, BONDING | SC, 16, 3, 3])
        assert await it.answer(request) is None
        await it.nothing_is_left()
        await it.connect(same=False)
        await it.pairing(auth=BONDING | SC).run()


async def test_encryption_without_a_pairing_has_no_key():
    async with attacker() as it:
        await it.connect()
        for rand, ediv in [(bytes(8), 0), (b"\1" * 8, 1)]:
            assert await encrypt(it.host, it.bearer.link, bytes(16), rand, ediv) == 0x06
        # In the middle of one neither, before the key is made.
        pairing = it.pairing(auth=BONDING)
        await pairing.features()
        assert await encrypt(it.host, it.bearer.link, bytes(16)) == 0x06
        await it.nothing_is_left()


async def test_keys_are_taken_over_encrypted_links_only():
    async with attacker() as it:
        await it.connect()
        given = [
            bytes([raw_smp.LTK]) + bytes(16),
            bytes([raw_smp.IDENTIFICATION]) + bytes(10),
            bytes([raw_smp.IRK]) + b"\x44" * 16,
            bytes([raw_smp.ADDRESS]) + b"\1" + it.address,
        ]
        assert await it.answer(*given) is None
        pairing = it.pairing(auth=BONDING)
        await pairing.features()
        await pairing.legacy()
        assert await it.answer(*given) is not None, "the link is not encrypted yet"
        await it.nothing_is_left()


async def test_somebody_with_the_address_of_a_bonded_peer_is_not_that_peer():
    async with attacker() as it:
        await it.connect()
        await it.pairing(auth=BONDING | SC).run()
        await it.ours.event("paired")
        key = it.ours.since(0, "bond")[-1]["keyAsPeripheral"]
        # The address is no secret, the key is.
        await it.connect()
        await it.bearer.refused(read(ENCRYPTED), INSUFFICIENT_ENCRYPTION, ENCRYPTED)
        handle = struct.pack("<H", it.bearer.link.handle)
        code, answer = await it.host.ask(raw_hci.LE_ENABLE_ENCRYPTION, handle + bytes(10) + b"\x99" * 16)
        assert answer == b"\0"
        # Our controller hears that the key is another; the stranger waits for an answer in vain.
        assert (await it.ours.event("disconnected", code=0x3D))["code"] == 0x3D
        await it.host.event(DISCONNECTION_COMPLETE)
        it.bearer = None
        it.host.forget()
        await it.connect()
        it.ours.do("bonds")
        assert (await it.ours.event("bonds"))["count"] == 1
        assert it.ours.since(0, "bond")[-1]["keyAsPeripheral"] == key


async def test_random_pdus_at_any_time_leave_neither_keys_nor_stuck_links():
    seed = os.environ.get("BLUETHROAT_SEED") or secrets.token_hex(4)
    draw = random.Random(seed)
    print(f"BLUETHROAT_SEED={seed} repeats this")
    inputs = int(os.environ.get("BLUETHROAT_FUZZ_INPUTS", "1000")) // 10
    async with attacker() as it:
        await it.connect()
        sent = 0
        while sent < inputs:
            await it.connect(same=False)
            for _ in range(10):
                code = draw.choice([*raw_smp.LENGTHS, draw.randrange(256)])
                length = draw.choice([raw_smp.LENGTHS.get(code, 3), draw.randrange(1, 70)])
                pdu = bytes([code]) + draw.randbytes(length - 1)
                if code == raw_smp.REQUEST and draw.random() < 0.8:
                    pdu = bytes([code, draw.randrange(5), 0, draw.choice([1, 5, 9, 13]), 16, 3, 3])
                it.bearer.send(pdu, SECURITY)
                sent += 1
                # Sometimes on the heels of each other, sometimes not.
                if draw.random() < 0.3:
                    await it.answers()
            await it.answers()
        await it.nothing_is_left()
        await it.connect(same=False)
        await it.pairing(auth=BONDING | SC).run()


# The other way round: our central, and a peripheral made of bytes


@asynccontextmanager
async def victim(**settings):
    """Our central, connected to the attacker and about to pair; its request is in `request`."""
    async with attacker(**settings) as it:
        await it.host.do(raw_hci.LE_SET_RANDOM_ADDRESS, it.address)
        await it.host.advertise(own_type=1)
        address = ":".join(f"{byte:02X}" for byte in reversed(it.address))
        await it.ours.connect(address)
        it.bearer = Bearer(it.host, await it.host.connection())
        it.ours.do("pair")
        it.request = await heard(it)
        assert it.request[0] == raw_smp.REQUEST and len(it.request) == 7
        yield it


async def heard(it):
    """The next SMP PDU of our central."""
    while True:
        channel, pdu = await it.bearer.receive()
        if channel == SECURITY:
            return pdu


async def refused_by_us(it, *pdus):
    for pdu in pdus:
        it.bearer.send(pdu, SECURITY)
    pdu = await heard(it)
    assert pdu[0] == raw_smp.FAILED, pdu.hex()
    failure = await it.ours.event("pairingFailed", by="us")
    assert failure["code"] == pdu[1]
    assert await it.ours.count_bonds() == 0 and not it.ours.since(0, "encryption")
    return pdu[1]


JUST_WORKS = bytes([raw_smp.RESPONSE, raw_smp.NO_IO, 0, BONDING | SC, 16, 3, 3])


async def test_our_central_does_not_take_its_own_public_key_for_anothers():
    async with victim() as it:
        it.bearer.send(JUST_WORKS, SECURITY)
        own = await heard(it)
        assert own[0] == raw_smp.PUBLIC_KEY
        await refused_by_us(it, own)


async def test_our_central_takes_public_keys_on_the_curve_only():
    async with victim() as it:
        it.bearer.send(JUST_WORKS, SECURITY)
        await heard(it)
        reason = await refused_by_us(it, bytes([raw_smp.PUBLIC_KEY]) + b"\1" * 64)
        assert reason in (raw_smp.DHKEY_CHECK_FAILED, raw_smp.INVALID_PARAMETERS)


async def test_our_central_checks_what_was_committed_to():
    key = EccKey.generate()
    async with victim() as it:
        it.bearer.send(JUST_WORKS, SECURITY)
        await heard(it)
        it.bearer.send(bytes([raw_smp.PUBLIC_KEY]) + key.x[::-1] + key.y[::-1], SECURITY)
        it.bearer.send(bytes([raw_smp.CONFIRM]) + bytes(16), SECURITY)
        assert (await heard(it))[0] == raw_smp.RANDOM
        assert await refused_by_us(it, bytes([raw_smp.RANDOM]) + bytes(16)) == raw_smp.CONFIRM_VALUE_FAILED


@pytest.mark.parametrize(
    ("response", "settings", "reasons"),
    [
        ([3, 0, 1, 6, 3, 3], {}, {raw_smp.KEY_SIZE, raw_smp.INVALID_PARAMETERS}),
        ([3, 0, 1, 17, 3, 3], {}, {raw_smp.KEY_SIZE, raw_smp.INVALID_PARAMETERS}),
        ([3, 0, 1, 7, 3, 3], {"minimum_key_size": 8}, {raw_smp.KEY_SIZE}),
        ([5, 0, 9, 16, 3, 3], {}, {raw_smp.INVALID_PARAMETERS}),
        ([3, 0, 1, 16, 3, 3], {"sc": "only"}, {raw_smp.AUTHENTICATION_REQUIREMENTS}),
        ([3, 0, 9, 16, 3, 3], {"protection": "required"}, {raw_smp.AUTHENTICATION_REQUIREMENTS}),
        # Keys that nobody has asked for. 3.6.1.
        ([3, 0, 9, 16, 7, 7], {}, {raw_smp.INVALID_PARAMETERS}),
    ],
)
async def test_answers_that_our_central_refuses(response, settings, reasons):
    async with victim(**settings) as it:
        assert await refused_by_us(it, bytes([raw_smp.RESPONSE, *response])) in reasons


async def test_our_central_has_a_peripheral_begin_nothing():
    async with victim() as it:
        request = bytes([raw_smp.REQUEST, 3, 0, BONDING | SC, 16, 3, 3])
        await refused_by_us(it, request)
        it.bearer.send(request, SECURITY)
        assert (await heard(it)) == bytes([raw_smp.FAILED, raw_smp.COMMAND_NOT_SUPPORTED])


# Signed writes


def signed(key, handle, value, counter):
    """A Signed Write Command. Core 6.0, Vol 3, Part C, 10.4.1, and Part H, 2.4.5."""
    message = struct.pack("<BH", 0xD2, handle) + value + struct.pack("<I", counter)
    code = crypto.aes_cmac(message[::-1], key[::-1])
    return message + code[:8][::-1]


async def test_signed_writes_count_once_and_from_the_signer_only():
    async with attacker(keys=7) as it:
        await it.connect()
        # The key that the initiator gives is fifty-fives.
        await it.pairing(auth=BONDING | SC, keys=(7, 7)).run()
        await it.ours.event("paired")
        key = b"\x55" * 16
        await it.connect()

        async def written(pdu):
            mark = it.ours.mark()
            await it.bearer.ignored(pdu)
            events = it.ours.since(mark, "written")
            return [bytes.fromhex(event["value"]) for event in events]

        assert await written(signed(key, SIGNED, b"one", 0)) == [b"one"]
        assert await written(signed(key, SIGNED, b"one", 0)) == [], "the same once more"
        assert await written(signed(key, SIGNED, b"two", 5)) == [b"two"]
        assert await written(signed(key, SIGNED, b"three", 4)) == [], "a counter from before"
        assert await written(signed(b"\x66" * 16, SIGNED, b"four", 6)) == [], "somebody else's key"
        forged = bytearray(signed(key, SIGNED, b"five", 6))
        forged[3] ^= 1
        assert await written(bytes(forged)) == []
        assert await written(signed(key, OPEN, b"six", 6)) == [], "nothing that takes signed writes"
        assert await written(struct.pack("<BH", 0xD2, SIGNED)) == []
        assert await written(struct.pack("<BH", 0x52, SIGNED) + b"seven") == [], "not signed at all"
        # What was counted stays counted.
        await it.connect()
        assert await written(signed(key, SIGNED, b"eight", 5)) == []
        assert await written(signed(key, SIGNED, b"nine", 0x100)) == [b"nine"]


# What a link has to be like, by whatever request somebody comes


async def test_no_request_gets_around_what_guards_a_value():
    value, other = b"value 1", b"changed"
    protected = struct.pack("<H", ENCRYPTED)
    async with attacker() as it:
        await it.connect()

        async def closed():
            refused = it.bearer.refused
            await refused(b"\x0a" + protected, INSUFFICIENT_AUTHENTICATION, ENCRYPTED)
            await refused(b"\x0c" + protected + b"\0\0", INSUFFICIENT_AUTHENTICATION, ENCRYPTED)
            # By its type: alone it is an error, behind another it ends the list.
            await refused(b"\x08\1\0\xff\xff\x02\xaa", INSUFFICIENT_AUTHENTICATION, ENCRYPTED)
            both = struct.pack("<HH", OPEN, ENCRYPTED)
            for opcode in (0x0E, 0x20):
                await refused(bytes([opcode]) + both, INSUFFICIENT_AUTHENTICATION, ENCRYPTED)
            # Whoever guesses is not told that it was right.
            answer = await it.bearer.ask(b"\x06\1\0\xff\xff\x02\xaa" + value)
            assert answer[0] == 0x01 and answer[1] == 0x06
            await refused(b"\x12" + protected + other, INSUFFICIENT_AUTHENTICATION, ENCRYPTED)
            await refused(b"\x16" + protected + b"\0\0" + other, INSUFFICIENT_AUTHENTICATION, ENCRYPTED)
            assert await it.bearer.ask(b"\x18\1") == b"\x19", "nothing was prepared"
            await it.bearer.ignored(b"\x52" + protected + other)
            assert not it.ours.since(0, "written")

        await closed()
        await it.pairing(auth=BONDING | SC).run()
        assert await it.bearer.ask(read(ENCRYPTED)) == b"\x0b" + value
        # What was prepared on an encrypted link is not carried out on another.
        prepared = b"\x16" + protected + b"\0\0" + other
        assert await it.bearer.ask(prepared) == b"\x17" + prepared[1:]
        await it.connect(same=False)
        assert await it.bearer.ask(b"\x18\1") == b"\x19"
        await closed()
