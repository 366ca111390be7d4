"""The login with Bumble on either side: our phone before a desk that was written from docs/workstation.md, and a stranger's
phone before our desk while somebody is logged in there."""

import asyncio
import json
import struct

from bluethroat import PATIENCE, command
from bumble_desk import Desk, told
from bumble_pairing import pairing_device
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from panel_client import Panel
from test_workstation import (  # noqa: F401 (a fixture)
    EXCHANGE,
    Framed,
    Scene,
    Session,
    credentials,
    desk,
    users,
    visitor,
)

ALICE = ("alice", "correct horse")
ACCEPTED, ENDED_HERE, LOCKED, UNLOCKED = b"\x81", b"\x83\x03", b"\x84", b"\x85"
LOCK, UNLOCK, END = b"\x03", b"\x04", b"\x02\x00"


def phone(tmp_path, *arguments, air=("--hci-listen", "127.0.0.1:0", "--no-panel")):
    files = ("--vault", str(tmp_path / "vault"), "--bonds", str(tmp_path / "phone"))
    return Scene("login", *files, "--json", *air, *arguments)


async def first_visit(login, running):
    """Name, password and the digits on the monitor are asked for; afterwards the phone knows the desk."""
    assert await running.greeted()
    code = await running.agree()
    await login.event("screen", page="code")
    login.say(code)
    assert told(await running.hear()) == ALICE
    await running.say(ACCEPTED)
    await login.event("screen", page="connected")


async def choose(login, asks=True):
    login.say("4711")
    if asks:
        await login.event("screen", page="credentials")
        for line in ALICE:
            login.say(line)


async def end(login, running):
    login.say("end")
    assert await running.hear() == END
    await running.say(b"\x83\x01")
    await login.event("screen", page="start")


async def test_our_phone_logs_in_at_a_desk_written_from_the_page_and_finds_it_again_at_another_address(tmp_path):
    key = X25519PrivateKey.generate()
    async with phone(tmp_path) as login:
        await login.event("screen", page="start")
        # Three desks with one key: the same one, restarted, each time at another address and without the phone's bond.
        for number in (1, 2, 3):
            async with pairing_device(login.hci, number) as bumble:
                running = Desk(bumble, key)
                await running.show()
                await choose(login, asks=number == 1)
                if number == 1:
                    await first_visit(login, running)
                else:
                    # One press: neither name nor code is asked for.
                    mark = login.mark()
                    assert not await running.greeted()
                    await running.agree()
                    assert told(await running.hear()) == ALICE
                    await running.say(ACCEPTED)
                    await login.event("screen", page="connected")
                    assert not login.since(mark, "screen", page="credentials") and not login.since(mark, "screen", page="code")
                login.say("lock")
                assert await running.hear() == LOCK
                await running.say(LOCKED)
                login.say("unlock")
                assert await running.hear() == UNLOCK
                await running.say(UNLOCKED)
                await end(login, running)
        # Another desk under the same digits is told of, and gets nothing.
        async with pairing_device(login.hci, 4) as bumble:
            stranger = Desk(bumble, X25519PrivateKey.generate())
            await stranger.show()
            await choose(login, asks=False)
            assert not await stranger.greeted()
            await stranger.send(b"\x02\x00" + X25519PrivateKey.generate().public_key().public_bytes_raw()
                                + stranger.key.public_key().public_bytes_raw() + bytes(16))
            await login.event("screen", page="other-key")
            assert 5 not in stranger.heard


async def test_a_phone_that_asks_each_time_sends_what_was_typed_this_time(tmp_path):
    async with phone(tmp_path, "--ask-each-time") as login:
        await login.event("screen", page="start")
        async with pairing_device(login.hci, 1) as bumble:
            running = Desk(bumble, X25519PrivateKey.generate())
            await running.show()
            await choose(login)
            await first_visit(login, running)
            await end(login, running)
            await running.advertise()
            login.say("4711")
            await login.event("screen", page="credentials")
            for line in ("alice", "another horse"):
                login.say(line)
            assert not await running.greeted()
            await running.agree()
            assert told(await running.hear()) == ("alice", "another horse")
            await running.say(b"\x82\x01\x00\x00")
            assert (await login.event("screen", page="credentials"))["fault"]


async def test_a_phone_that_comes_near_again_logs_in_by_itself_at_a_foreign_desk(tmp_path):
    air = ("--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    async with phone(tmp_path, "--near", air=air) as login:
        panel = Panel((await login.event("panel"))["url"])
        await login.event("screen", page="start")
        async with pairing_device(login.hci, 1) as bumble:
            running = Desk(bumble, X25519PrivateKey.generate())
            await running.show()
            devices = (await panel.get("/api/devices"))["devices"]
            (own,) = [one["device"] for one in devices if one["name"] == "Phone"]
            (other,) = [one["device"] for one in devices if one["device"] != own]
            await panel.ask("PATCH", f"/api/devices/{other}", {"x": 0.3, "y": 0})
            await panel.ask("PATCH", f"/api/devices/{own}", {"x": 0, "y": 0})
            await choose(login)
            await first_visit(login, running)
            peer = await bumble.connected()
            await panel.ask("PATCH", f"/api/devices/{own}", {"x": 5000, "y": 0})
            await login.event("screen", page="start")
            await peer.loss()
            await running.advertise()
            await panel.ask("PATCH", f"/api/devices/{own}", {"x": 0, "y": 0})
            assert not await running.greeted()
            await running.agree()
            assert told(await running.hear()) == ALICE
            await running.say(ACCEPTED)
            await login.event("screen", page="connected")


# A stranger's phone


async def test_a_phone_on_its_way_is_turned_away_where_a_password_was_typed_and_ends_no_session(users, tmp_path):  # noqa: F811
    async with desk(users, tmp_path) as running, visitor(running) as (peer, found):
        running.say("login alice")
        running.say("correct horse")
        await running.event("logged-in", user="alice")
        await peer.connection.pair()
        await peer.subscribe(await found.configuration(EXCHANGE))
        framed = Framed(peer, found[EXCHANGE])
        mark = running.mark()
        # Taken; and what is sealed with no key, a lock or an end among it, is nothing to this desk.
        await framed.send(b"\x01\x02\x01" + b"4711" + bytes(32))
        assert await framed.message() == b"\x06\x02\x00\x00"
        for message in (b"\x05" + END + bytes(16), b"\x05" + LOCK + bytes(16), b"\x05", b"\x02"):
            await framed.send(message)
        running.say("lock")
        await running.event("locked", user="alice")
        assert not running.since(mark, "logged-out") and len(running.since(mark, "locked")) == 1
        running.say("end")
        await running.event("logged-out", reason="at-desk")


async def test_a_program_elsewhere_ends_the_session_of_a_foreign_phone_and_the_log_has_both(users, tmp_path):  # noqa: F811
    log = tmp_path / "desk.log"
    kept = ("--key", str(tmp_path / "key"), "--bonds", str(tmp_path / "bonds"), "--log", str(log), "--json")
    air = ("--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    async with Scene("desk", "--id", "4711", "--users", str(users), *kept, *air) as running, visitor(running) as (peer, found):
        panel = Panel((await running.event("panel"))["url"])
        await peer.connection.pair()
        await peer.subscribe(await found.configuration(EXCHANGE))
        session = Session(Framed(peer, found[EXCHANGE]))
        await session.agree()
        await session.say(credentials(b"alice", b"guess"))
        assert await session.hear() == b"\x82\x01\x00\x00"
        await session.say(credentials(b"alice", b"correct horse"))
        assert await session.hear() == ACCEPTED
        assert (await panel.get("/api/login/sessions/4711"))["user"] == "alice"
        await panel.delete("/api/login/sessions/4711", status=204)
        assert await session.hear() == ENDED_HERE
        await running.event("logged-out", reason="at-desk")
        entries = [json.loads(line.split(" ", 1)[1]) for line in log.read_text().splitlines()]
        assert [entry["event"] for entry in entries] == ["started", "rejected", "logged-in", "logged-out"]
    answer = await command("desk", "verify-log", "--id", "4711", "--key", str(tmp_path / "key"), "--log", str(log))
    assert answer.code == 0, answer.story


async def test_wrong_passwords_of_a_foreign_phone_count_after_the_desk_was_killed(users, tmp_path):  # noqa: F811
    """Four before, one after, and the right one has to wait."""
    for guesses in (4, 1):
        async with desk(users, tmp_path) as running, visitor(running) as (peer, found):
            await peer.connection.pair()
            await peer.subscribe(await found.configuration(EXCHANGE))
            session = Session(Framed(peer, found[EXCHANGE]))
            await session.agree()
            for _ in range(guesses):
                await session.say(credentials(b"alice", b"guess"))
                answer = await session.hear()
                assert answer == (b"\x82\x01\x00\x00" if guesses == 4 else b"\x82\x03" + struct.pack("<H", 30))
            if guesses == 1:
                # That visit is over; in another one the right password has to wait.
                session = Session(session.framed)
                await session.agree()
                await session.say(credentials(b"alice", b"correct horse"))
                answer = await session.hear()
                assert answer[:2] == b"\x82\x03" and 20 < struct.unpack("<H", answer[2:])[0] <= 30
                assert not running.since(0, "logged-in")
            running.process.kill()
            await asyncio.wait_for(running.process.wait(), PATIENCE)
