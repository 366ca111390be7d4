"""`text`, `desk` and `login`: the peripherals' ends in front of Bumble, and the commands in front of each other.

The login's protocol is done here once more, from docs/workstation.md alone, so that the page says enough."""

import asyncio
import contextlib
import hashlib
import hmac
import os
import signal
import struct
import subprocess
import time

import pytest
from bluethroat import PATIENCE, Process, binary, command
from bumble.core import UUID
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR
from bumble.pairing import PairingConfig
from bumble_central import attached
from bumble_pairing import YES_NO, Person, pairing_device
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from login_relay import DESK_SERVICE, EXCHANGE, IDENTITY

TEXT_SERVICE = UUID("BF52E2D6-FF52-43CB-99A0-872FA3DDE94F")
IDENTIFICATION = UUID("F438775D-E605-42B8-ABE7-6E31ED52EA87")
TRANSFER = UUID("A82AE020-E171-42F8-A31C-5F612926F041")
FRAMED = UUID("181FC66E-F77C-4FAB-9204-AA76758B4B76")

AIR = ("--hci-listen", "127.0.0.1:0", "--no-panel")


class Scene(Process):
    """One of the commands with `--json`, up and listening; it ends with the block."""

    async def __aenter__(self):
        await super().__aenter__()
        try:
            self.hci = (await self.event("listening"))["hci"]
        except BaseException as failure:
            await super().__aexit__(failure)
            raise
        return self


def text_server(*arguments):
    return Scene("text", "serve", "--json", *AIR, *arguments)


class Table:
    def __init__(self, peer, service):
        self.peer = peer
        self.found = {one.uuid: one for one in service.characteristics}

    def __getitem__(self, uuid):
        return self.found[uuid].handle

    async def configuration(self, uuid):
        await self.found[uuid].discover_descriptors()
        return next(
            one.handle for one in self.found[uuid].descriptors if one.type == GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR
        )


async def table(peer, service):
    (found,) = await peer.client.discover_service(service)
    await found.discover_characteristics()
    return Table(peer, found)


def begin(number, message, capacity=20):
    """The packets of a message in the framed mode."""
    head = b"\x01" + struct.pack("<II", number, len(message)) + hashlib.sha256(message).digest()[:8]
    room = capacity - len(head)
    packets, rest, count = [head + message[:room]], message[room:], 1
    while rest:
        packets.append(bytes([2, count % 256]) + rest[: capacity - 2])
        rest, count = rest[capacity - 2 :], count + 1
    return packets


class Framed:
    """The framed mode over one characteristic, as docs/workstation.md draws it."""

    def __init__(self, peer, handle):
        self.peer, self.handle, self.number = peer, handle, 1
        self.confirmed = []

    async def send(self, message):
        for packet in begin(self.number, message):
            await self.peer.write_command(self.handle, packet)
        self.number += 1

    async def message(self):
        """The next message, confirmed."""
        body, length = b"", None
        while length is None or len(body) < length:
            handle, packet = await self.peer.notification()
            assert handle == self.handle
            if packet[0] in (3, 4):
                self.confirmed.append(packet)
            elif packet[0] == 1:
                number, length = struct.unpack("<II", packet[1:9])
                digest, body, count = packet[9:17], packet[17:], 1
            else:
                assert packet[:2] == bytes([2, count % 256])
                body, count = body + packet[2:], count + 1
        assert hashlib.sha256(body).digest()[:8] == digest
        await self.peer.write_command(self.handle, b"\x03" + struct.pack("<I", number))
        return body


# The text sample


async def test_bumble_as_the_original_client_gets_the_long_text_in_221_packets():
    async with text_server() as server, attached(server.hci) as central:
        peer = await central.find_and_connect("Text")
        found = await table(peer, TEXT_SERVICE)
        assert await peer.read(found[IDENTIFICATION]) == b"some identificator"
        await peer.subscribe(await found.configuration(TRANSFER))
        await server.event("log", screen="server")
        server.say("long")
        packets = [value for _, value in await peer.notifications(221)]
        assert [len(packet) for packet in packets] == [20] * 220 + [9]
        text = b"".join(packets)
        assert len(text) == 4409 and text.isascii() and text.endswith(b"END")
        # And back, as the original's client cuts it.
        before = len(server.events)
        for packet in packets:
            await peer.write_command(found[TRANSFER], packet)
        await server.event("log", text="WRITE request: " + packets[-1].decode())
        shown = [event["text"].removeprefix("WRITE request: ") for event in server.events[before:] if event["event"] == "log"]
        assert len(shown) == 221 and "".join(shown) == text.decode()
        # Written packets are a line each, and a character that is cut is shown when it is whole.
        for packet in (b"one", "zwei für".encode()[:7], "zwei für".encode()[7:]):
            await peer.write_command(found[TRANSFER], packet)
        for shown in ("one", "zwei f", "ür"):
            await server.event("log", text=f"WRITE request: {shown}")


async def test_bumble_speaks_the_framed_mode_from_what_the_page_says():
    async with text_server() as server, attached(server.hci) as central:
        peer = await central.find_and_connect("Text")
        found = await table(peer, TEXT_SERVICE)
        assert await peer.read(found[FRAMED]) == b"\x01"
        framed = Framed(peer, found[FRAMED])
        # Of one that has not subscribed, and so does not say when it goes, nothing is kept.
        await framed.send(b"lost")
        await peer.subscribe(await found.configuration(FRAMED))
        framed.number = 1
        await framed.send("Grüße, ganz: 🗝".encode() * 20)
        assert (await peer.notification())[1] == b"\x03" + struct.pack("<I", 1)
        await server.event("log", text="WRITE request: " + "Grüße, ganz: 🗝" * 20)
        server.say("send two words")
        assert await framed.message() == b"two words"
        # A packet is missing: refused, and nothing is shown of it.
        packets = begin(9, b"x" * 60)
        for packet in packets[:1] + packets[2:]:
            await peer.write_command(found[FRAMED], packet)
        assert (await peer.notification())[1] == b"\x04" + struct.pack("<I", 9) + b"\x01"
        assert not any("xxx" in event.get("text", "") or "lost" in event.get("text", "") for event in server.events)


async def test_an_original_server_has_no_framed_mode():
    async with text_server("--raw") as server, attached(server.hci) as central:
        peer = await central.find_and_connect("Text")
        assert set((await table(peer, TEXT_SERVICE)).found) == {IDENTIFICATION, TRANSFER}


@pytest.mark.parametrize("raw", [(), ("--raw",)])
async def test_connect_and_serve_in_two_processes(raw):
    async with text_server() as server:
        client = await command("text", "connect", "--controller", server.hci, "--send", "Grüße", "--send-long", "--quit", *raw, "--json", "--no-panel")
        assert client.code == 0, client.story
        assert client.all("log", text="READ: some identificator")
        await server.event("log", text="WRITE request: Grüße")
        shown = [event["text"].removeprefix("WRITE request: ") for event in server.events if event["event"] == "log" and "WRITE" in event["text"]]
        assert len("".join(shown[1:])) == 4409 and shown[-1].endswith("END")
        assert len(shown) == (10 if raw else 2)


async def test_nobody_serves():
    async with text_server("--wait") as server:
        client = await command("text", "connect", "--controller", server.hci, "--send", "x", "--quit", "--timeout", "1", "--no-panel")
        assert client.code == 3 and client.errors == ["no text server was found; is one advertising (bluethroat text serve)?"]


# The login


@pytest.fixture
def users(tmp_path):
    path = tmp_path / "users"
    adding = [binary(), "desk", "add-user", "alice", "--users", str(path), "--cost", "10"]
    subprocess.run(adding, input=b"correct horse\n", check=True, timeout=4 * PATIENCE)
    return path


async def test_a_list_of_users_keeps_what_another_command_has_changed_meanwhile(users):
    """Somebody thinks about a password, while others are taken off the list or get another one; and eight come at once."""

    def run(verb, name, password=b""):
        return [binary(), "desk", verb, name, "--users", str(users), *(["--cost", "10"] if password else [])]

    async def done(*order):
        running = await asyncio.create_subprocess_exec(*run(*order), stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        _, errors = await running.communicate(order[2] if len(order) > 2 else b"")
        assert running.returncode == 0, errors

    def names():
        return {line.split(":")[0] for line in users.read_text().splitlines() if line and line[0] != "#"}

    await done("add-user", "mallory", b"a password\n")
    before = users.read_bytes()
    thinking = await asyncio.create_subprocess_exec(
        *run("add-user", "bob", b"x"), stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    await done("remove-user", "mallory")
    await done("add-user", "alice", b"another password\n")
    thinking.stdin.write(b"a password\n")
    _, errors = await thinking.communicate()
    assert thinking.returncode == 0, errors
    assert names() == {"alice", "bob"}
    old = next(line for line in before.splitlines() if line.startswith(b"alice:"))
    assert old not in users.read_bytes(), "the password is the old one again"
    await asyncio.gather(*(done("add-user", f"user{number}", b"a password\n") for number in range(8)))
    assert names() == {"alice", "bob", *(f"user{number}" for number in range(8))}


def desk(users, tmp_path, *arguments):
    return Scene("desk", "--id", "4711", "--users", str(users), "--key", str(tmp_path / "key"), "--json", "--bonds", str(tmp_path / "bonds"), *AIR, *arguments)


@contextlib.asynccontextmanager
async def visitor(desk, sc=True):
    """Bumble in front of the desk, with its characteristics."""
    async with attached(desk.hci) as central:
        central.device.pairing_config_factory = lambda _: PairingConfig(sc=sc, mitm=True, bonding=True, delegate=Person(YES_NO))
        peer = await central.find_and_connect("GM 4711")
        yield peer, await table(peer, DESK_SERVICE)


async def test_the_digits_are_for_everybody_and_the_rest_for_encrypted_links(users, tmp_path):
    assert (users.stat().st_mode & 0o777) == 0o600 and b"horse" not in users.read_bytes()
    async with desk(users, tmp_path) as running, visitor(running) as (peer, found):
        assert await peer.read(found[IDENTITY]) == b"\x024711"
        assert await peer.error_of_write(await found.configuration(EXCHANGE), b"\x01\x00") == 0x05
        await peer.connection.pair()
        await peer.subscribe(await found.configuration(EXCHANGE))
        framed = Framed(peer, found[EXCHANGE])
        await framed.send(b"\x01\x02\x01" + b"4712" + bytes(32))
        assert await framed.message() == b"\x06\x01\x00\x00"
        await running.event("refused", reason="other-desk")
    assert ((tmp_path / "key").stat().st_mode & 0o777) == 0o600


async def test_legacy_pairing_is_refused(users, tmp_path):
    async with desk(users, tmp_path) as running, visitor(running, sc=False) as (peer, found):
        with pytest.raises(Exception):
            await asyncio.wait_for(peer.connection.pair(), PATIENCE)


async def test_a_stranger_who_shows_a_bonded_phones_address_takes_no_place(users, tmp_path):
    async with desk(users, tmp_path) as running, pairing_device(running.hci) as phone, pairing_device(running.hci) as stranger:
        phone.pairs_as(Person(YES_NO))
        stranger.pairs_as(Person(YES_NO))
        place = await phone.find("GM 4711")
        await phone.pair(peer := await phone.connect(place))
        await phone.paired()
        await peer.connection.disconnect()
        peer = await stranger.connect(place)
        with pytest.raises(Exception, match="PAIRING_NOT_SUPPORTED"):
            await stranger.pair(peer)
        await peer.connection.disconnect()
        # The phone comes back with the key that it has.
        peer = await phone.connect(place)
        await asyncio.wait_for(peer.connection.encrypt(), PATIENCE)
        assert peer.connection.is_encrypted


class Session:
    """The phone's side of the protocol, with other people's cryptography."""

    def __init__(self, framed):
        self.framed = framed

    async def agree(self, identifier=b"4711", wants_code=True):
        own, nonce = X25519PrivateKey.generate(), os.urandom(16)
        public = own.public_key().public_bytes_raw()
        promise = hashlib.sha256(b"bluethroat desk promise" + public + nonce).digest()
        hello = b"\x01\x02" + bytes([wants_code]) + identifier + promise
        await self.framed.send(hello)
        offer = await self.framed.message()
        assert offer[0] == 2 and len(offer) == 82
        reveal = b"\x03" + public + nonce
        await self.framed.send(reveal)
        proof = await self.framed.message()
        counted = b"".join(struct.pack(">H", len(one)) + one for one in (hello, offer, reveal))
        transcript = hashlib.sha256(b"bluethroat desk 2" + counted).digest()
        secret = b"".join(own.exchange(X25519PublicKey.from_public_bytes(key)) for key in (offer[2:34], offer[34:66]))

        def key(purpose):
            return HKDF(hashes.SHA256(), 32, transcript, purpose).derive(secret)

        assert proof == b"\x04" + hmac.digest(key(b"proof"), transcript, "sha256")
        self.transcript = transcript
        self.to_desk, self.to_phone = AESGCM(key(b"to desk")), AESGCM(key(b"to phone"))
        self.sent = self.received = 0
        digest = hashlib.sha256(b"bluethroat desk code" + transcript).digest()
        self.code = f"{int.from_bytes(digest[:8], 'big') % 1_000_000:06}"

    async def say(self, message):
        nonce = bytes(4) + struct.pack("<Q", self.sent)
        self.sent += 1
        await self.framed.send(b"\x05" + self.to_desk.encrypt(nonce, message, self.transcript))

    async def hear(self):
        nonce = bytes(4) + struct.pack("<Q", self.received)
        self.received += 1
        message = await self.framed.message()
        assert message[0] == 5
        return self.to_phone.decrypt(nonce, message[1:], self.transcript)


def credentials(user, password, code=bytes(6)):
    body = b"\x01\x01" + code + bytes([len(user)]) + user + struct.pack("<H", len(password)) + password
    return body.ljust(331, b"\x00")


async def test_a_login_by_a_program_that_was_written_from_the_page(users, tmp_path):
    async with desk(users, tmp_path) as running, visitor(running) as (peer, found):
        await peer.connection.pair()
        await peer.subscribe(await found.configuration(EXCHANGE))
        session = Session(Framed(peer, found[EXCHANGE]))
        await session.agree()
        assert (await running.event("code"))["code"] == session.code
        await session.say(credentials(b"alice", b"wrong"))
        assert await session.hear() == b"\x82\x01\x00\x00"
        await session.say(credentials(b"alice", b"correct horse"))
        assert await session.hear() == b"\x81"
        await running.event("logged-in", desk="4711", user="alice")
        running.say("lock")
        assert await session.hear() == b"\x84"
        await session.say(b"\x04")
        assert await session.hear() == b"\x85"
        await session.say(b"\x02\x00")
        assert await session.hear() == b"\x83\x01"
        await running.event("logged-out", reason="requested")


async def test_a_desk_that_draws_digits_refuses_a_phone_without_the_digits_on_its_monitor(users, tmp_path):
    """The digits that follow from what was said are known to every program; those on the monitor are not."""
    async with desk(users, tmp_path, "--code", "always") as running, visitor(running) as (peer, found):
        await peer.connection.pair()
        await peer.subscribe(await found.configuration(EXCHANGE))
        session = Session(Framed(peer, found[EXCHANGE]))
        await session.agree(wants_code=False)
        first = (await running.event("code"))["code"]
        assert len(first) == 6
        guess = session.code if session.code != first else f"{(int(first) + 1) % 1_000_000:06}"
        before = len(running.events)
        await session.say(credentials(b"alice", b"correct horse", guess.encode()))
        assert await session.hear() == b"\x82\x04\x00\x00"
        # Nothing was checked but the digits, and there are others now.
        assert not any(event["event"] in ("logged-in", "rejected") for event in running.events[before:])
        second = (await running.event("code"))["code"]
        assert second != first
        await session.say(credentials(b"alice", b"correct horse", second.encode()))
        assert await session.hear() == b"\x81"
    async with desk(users, tmp_path, "--code", "always") as running, visitor(running) as (peer, found):
        await peer.connection.pair()
        await peer.subscribe(await found.configuration(EXCHANGE))
        session = Session(Framed(peer, found[EXCHANGE]))
        await session.agree()
        both = (await running.event("code"))["code"]
        assert both.split()[0] == session.code and len(both.split()[1]) == 6
        # Without any it is out of order, whatever the password is.
        await session.say(credentials(b"alice", b"correct horse"))
        assert await session.framed.message() == b"\x06\x04\x00\x00"


async def test_login_and_desk_in_two_processes(users, tmp_path):
    vault = tmp_path / "vault"
    arguments = ("login", "--vault", str(vault), "--id", "4711", "--once", "--json", "--no-panel", "--bonds", str(tmp_path / "phone"))
    async with desk(users, tmp_path) as running:
        async with Process(*arguments, "--controller", running.hci) as login:
            await login.event("screen", page="credentials")
            login.say("alice")
            login.say("correct horse")
            await login.event("screen", page="code")
            login.say((await running.event("code"))["code"])
            await login.event("screen", page="connected", user="alice")
            await running.event("logged-in", user="alice")
            login.say("end")
            assert await login.exit_code() == 0
        await running.event("logged-out", reason="requested")
        assert {path.name: path.stat().st_mode & 0o777 for path in vault.iterdir()} == {"credentials": 0o600, "device-key": 0o600}
        assert not any(b"horse" in path.read_bytes() for path in vault.iterdir())
        # The second time nothing is asked, and the end comes from the desk.
        async with Process(*arguments, "--controller", running.hci) as login:
            await login.event("screen", page="connected")
            running.say("end")
            assert await login.exit_code() == 0
            assert not login.since(0, "screen", page="code")


async def test_a_phone_that_ends_in_order_ends_its_session_at_once(users, tmp_path):
    kept = ("--vault", str(tmp_path / "vault"), "--bonds", str(tmp_path / "phone"))
    async with desk(users, tmp_path) as running:
        for end in (signal.SIGTERM, signal.SIGINT, "quit"):
            async with Process("login", *kept, "--id", "4711", "--json", "--no-panel", "--controller", running.hci) as login:
                if end == signal.SIGTERM:
                    await login.event("screen", page="credentials")
                    login.say("alice")
                    login.say("correct horse")
                    await login.event("screen", page="code")
                    login.say((await running.event("code"))["code"])
                await login.event("screen", page="connected", user="alice")
                await running.event("logged-in", user="alice")
                began = time.monotonic()
                login.say("quit") if end == "quit" else login.send(end)
                await running.event("logged-out", reason="link-lost")
                # The supervision timeout is 6 s.
                assert time.monotonic() - began < 5, end
                await login.process.wait()


async def test_a_wrong_password_from_a_pipe_is_the_desks_no(users, tmp_path):
    async with desk(users, tmp_path) as running:
        async with Process(
            "login", "--vault", "-", "--id", "4711", "--once", "--no-panel", "--bonds", str(tmp_path / "phone"), "--controller", running.hci
        ) as login:
            login.say("alice")
            login.say("wrong")
            login.say((await running.event("code"))["code"])
            login.process.stdin.write_eof()
            assert await login.exit_code() == 1, login.story()
            assert len(login.errors) == 1 and "wrong" in login.errors[0]


async def test_a_login_with_nobody_to_answer_ends(users, tmp_path):
    async with desk(users, tmp_path) as running:
        arguments = ("--vault", str(tmp_path / "vault"), "--bonds", str(tmp_path / "phone"), "--controller", running.hci, "--no-panel")
        answer = await command("login", "--id", "4711", "--once", *arguments)
        assert answer.code == 2 and answer.errors == ["there is nobody to answer: standard input has ended"], answer.story
        # What is kept is nobody else's; where it is, it is said.
        (tmp_path / "vault" / "device-key").chmod(0o644)
        answer = await command("login", "--id", "4711", "--once", *arguments)
        assert answer.code == 1 and len(answer.errors) == 1 and "device-key is open to others (mode 644)" in answer.errors[0], answer.story


def copies_in_memory(process, text):
    """How often a text is in the writable memory of a process."""
    found = 0
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        for line in maps:
            span, mode = line.split()[:2]
            if not mode.startswith("rw"):
                continue
            first, last = (int(end, 16) for end in span.split("-"))
            with contextlib.suppress(OSError, OverflowError):
                memory.seek(first)
                found += memory.read(last - first).count(text)
    return found


async def test_a_desk_leaves_no_core_dump_and_keeps_no_password_in_its_memory(users, tmp_path):
    async with desk(users, tmp_path) as running, visitor(running) as (peer, found):
        process = running.process.pid
        limits = open(f"/proc/{process}/limits").read()
        assert any(line.split()[:6] == ["Max", "core", "file", "size", "1", "1"] for line in limits.splitlines()), limits
        await peer.connection.pair()
        await peer.subscribe(await found.configuration(EXCHANGE))
        session = Session(Framed(peer, found[EXCHANGE]))
        await session.agree()
        await running.event("code")
        wrong = b"marker:" + os.urandom(8).hex().encode()
        for password, answer in ((wrong, b"\x82\x01\x00\x00"), (b"correct horse", b"\x81")):
            await session.say(credentials(b"alice", password))
            assert await session.hear() == answer
        if os.geteuid() != 0:
            # Not dumpable: what is in /proc belongs to root, and other processes cannot read the memory.
            assert os.stat(f"/proc/{process}/mem").st_uid == 0
            with pytest.raises(PermissionError):
                open(f"/proc/{process}/mem", "rb")
            return
        # Root can look.
        assert copies_in_memory(process, b"logged-in") > 0 or copies_in_memory(process, b"alice") > 0
        assert copies_in_memory(process, wrong) == 0
        assert copies_in_memory(process, b"correct horse") == 0


async def test_a_login_leaves_no_core_dump(tmp_path):
    arguments = ("--vault", str(tmp_path / "vault"), "--bonds", str(tmp_path / "phone"), "--json", *AIR)
    async with Process("login", *arguments) as login:
        await login.event("screen", page="start")
        limits = open(f"/proc/{login.process.pid}/limits").read()
        assert any(line.split()[:6] == ["Max", "core", "file", "size", "1", "1"] for line in limits.splitlines()), limits


@pytest.mark.parametrize(
    "arguments, line",
    [
        (("desk", "--id", "47"), '"47" is no desk; a desk has four digits, such as 4711'),
        (("desk", "--id", "4711"), "say who may log in: --users FILE or --pam SERVICE, one of the two"),
        (("desk", "--id", "4711", "--users", "/nowhere"), "/nowhere cannot be read; make it with bluethroat desk add-user"),
        (("desk", "add-user", "a:b", "--users", "x"), "a user name has no colon"),
        (("desk", "demo", "--desks", "0"), "an office has 1 to 500 desks"),
        (("desk", "demo", "--fast", "--capture", "day.pcapng"), "a day with --fast is not recorded"),
        (("login", "--vault", ""), "--vault wants the name of a folder, or -"),
        (("login", "--away-below", "5"), "a signal's strength is from -120 to 0 dBm"),
        (("login", "--once"), "--once wants a desk: --id DIGITS"),
        (("text", "connect", "--quit"), "--quit wants something to --send before"),
    ],
)
async def test_wrong_usage_is_one_line(arguments, line):
    answer = await command(*arguments)
    assert answer.code == 2 and len(answer.errors) == 1 and line in answer.errors[0], answer.story


async def test_a_day_in_the_office_at_once():
    answer = await command("desk", "demo", "--desks", "4", "--people", "4", "--day", "60", "--fast", "--seed", "7", "--json")
    day = answer.one("day")
    assert answer.code == 0 and day["over"] and day["gone"] == 4 and day["loggedIn"] == 0 and day["logins"] >= 4
    assert day["come"] == 4 and day["frames"] > day["collidedFrames"] > 0 and day["lostReceptions"] >= 0
