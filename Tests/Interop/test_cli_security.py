"""`pair`, `bonds` and a key fob that wants to be paired with, as docs/cli.md and docs/cli-json.md promise them."""

import asyncio
import json
import os
import pty
import re
import resource
import secrets
import signal
import stat
import subprocess
import termios
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import keyfob_table as table
import pytest
from bluethroat import PATIENCE, KeyFob, Process, binary, command, started
from bumble.pairing import OobData, OobSharedData
from bumble_pairing import DISPLAY, KEYBOARD, NONE, YES_NO, Person, pairing_device
from other_users import as_root, program  # noqa: F401

BATTERY = "2A19"
INSUFFICIENT_AUTHENTICATION, KEY_MISSING = 0x05, 0x06
PASSKEY_ENTRY_FAILED, AUTHENTICATION_REQUIREMENTS, CONFIRM_VALUE_FAILED = 0x01, 0x03, 0x04
COMPARISON_FAILED, REPEATED_ATTEMPTS = 0x0C, 0x09


class Home:
    """The bond files of a fob and of the centrals, each their own, as on two machines."""

    def __init__(self, folder):
        self.folder = folder
        self.fob_bonds = str(folder / "fob.sqlite")
        self.bonds = str(folder / "central.sqlite")

    def fob(self, *arguments, **how):
        return KeyFob("--require-pairing", "--bonds", self.fob_bonds, *arguments, **how)

    async def run(self, fob, *arguments, **how):
        return await command(*arguments, "--hci", fob.hci, "--bonds", self.bonds, "--json", **how)

    async def pair(self, fob, *arguments, device=table.NAME, **how):
        return await self.run(fob, "pair", device, *arguments, **how)

    async def list(self, bonds=None):
        answer = await command("bonds", "list", "--bonds", bonds or self.bonds, "--json")
        assert answer.code == 0, answer.story
        return answer.all("bond")


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


# The fob


@pytest.mark.parametrize("verb", [("read", BATTERY), ("subscribe", "FFE1"), ("write", "1803/2A06", "01")])
async def test_a_fob_that_wants_pairing_says_so_and_the_command_says_how(home, verb):
    async with home.fob() as fob:
        answer = await home.run(fob, verb[0], table.NAME, *verb[1:])
        assert answer.code == 1, answer.story
        assert answer.one("error")["attError"] == INSUFFICIENT_AUTHENTICATION
        assert len(answer.errors) == 1
        assert f"bluethroat pair {table.NAME} --bond --hci {fob.hci}" in answer.errors[0]
        assert not os.path.exists(home.bonds), "looking for bonds makes no file"


async def test_what_the_fob_is_everybody_may_know(home):
    async with home.fob() as fob:
        answer = await home.run(fob, "read", table.NAME, "2A00")
        assert answer.one("value")["decoded"] == "TI BLE Keyfob", answer.story


@pytest.mark.parametrize(
    ("arguments", "method"),
    [
        (("--io", "keyboard-only", "--passkey", "0"), "passkeyEntry"),
        (("--io", "keyboard-display", "--passkey", "000000"), "passkeyEntry"),
        (("--passkey", "0", "--mitm"), "passkeyEntry"),
        (("--passkey", "0", "--legacy"), "passkeyEntry"),
        (("--io", "display-only"), "justWorks"),
        (("--io", "display-yes-no"), "justWorks"),
        (("--io", "none"), "justWorks"),
    ],
    ids=lambda value: "".join(value) if isinstance(value, tuple) else value,
)
async def test_each_way_to_pair_with_the_fob(home, arguments, method):
    async with home.fob() as fob:
        answer = await home.pair(fob, *arguments)
        assert answer.code == 0, answer.story
        paired = answer.one("paired", peer=fob.address, name=table.NAME)
        assert (paired["method"], paired["authenticated"]) == (method, method != "justWorks")
        # TI's chip is older than Secure Connections.
        assert (paired["secureConnections"], paired["keySize"], paired["bonded"]) == (False, 16, False)
        heard = await fob.event("paired", method=method, bonded=False)
        assert heard["authenticated"] == paired["authenticated"]
        assert await home.list() == []
        refused = await home.run(fob, "read", table.NAME, BATTERY)
        assert refused.one("error")["attError"] == INSUFFICIENT_AUTHENTICATION, refused.story


async def test_a_younger_fob_pairs_with_secure_connections(home):
    async with home.fob("--secure-connections") as fob:
        answer = await home.pair(fob, "--passkey", "0", "--sc-only", "--bond")
        assert answer.code == 0, answer.story
        paired = answer.one("paired")
        assert paired["secureConnections"] is True and paired["authenticated"] is True and paired["bonded"] is True


async def test_what_the_fob_cannot_do_is_a_reason(home):
    async with home.fob() as fob:
        for arguments in [("--sc-only",), ("--mitm", "--io", "display-only")]:
            answer = await home.pair(fob, *arguments)
            assert answer.code == 1, answer.story
            assert answer.one("error")["smpReason"] == AUTHENTICATION_REQUIREMENTS
            await fob.event("pairingFailed", smpReason=AUTHENTICATION_REQUIREMENTS)


async def test_a_wrong_passkey_is_a_reason(home):
    async with home.fob("--passkey", "123456") as fob:
        answer = await home.pair(fob, "--passkey", "123457")
        assert answer.code == 1, answer.story
        assert answer.one("error")["smpReason"] == CONFIRM_VALUE_FAILED
        assert len(answer.errors) == 1 and "passkey is wrong" in answer.errors[0]
        assert (await fob.event("passkey"))["passkey"] == "123456"
        await fob.event("pairingFailed", smpReason=CONFIRM_VALUE_FAILED)
        # Another command is another central; all wait for a second that want to try this passkey.
        answer = await home.pair(fob, "--passkey", "123456")
        for _ in range(20):
            if answer.code == 0:
                break
            assert answer.one("error")["smpReason"] == REPEATED_ATTEMPTS
            assert "wait a while" in answer.errors[0]
            answer = await home.pair(fob, "--passkey", "123456")
        assert answer.code == 0, answer.story


async def test_a_fob_may_want_more_than_just_works(home):
    async with home.fob("--require-authentication") as fob:
        assert (await home.pair(fob, "--io", "none", "--bond")).code == 0
        answer = await home.run(fob, "read", table.NAME, BATTERY)
        assert answer.code == 1, answer.story
        assert answer.one("error")["attError"] == INSUFFICIENT_AUTHENTICATION
        assert "--mitm" in answer.errors[0]
        assert (await home.pair(fob, "--passkey", "0", "--mitm", "--bond")).code == 0
        assert (await home.run(fob, "read", table.NAME, BATTERY)).code == 0


# Bonds


async def test_a_bond_outlives_both_programs(home):
    async with home.fob() as fob:
        answer = await home.pair(fob, "--passkey", "0", "--bond")
        assert answer.code == 0, answer.story
        assert answer.one("paired")["bonded"] is True
        first = (await fob.event("paired", bonded=True))["peer"]
    async with home.fob(seed=2) as fob:
        answer = await home.run(fob, "read", table.NAME, BATTERY)
        assert answer.code == 0, answer.story
        assert answer.one("value")["value"] == "64"
        assert answer.one("encrypted")["authenticated"] is True
        connected = await fob.event("connected")
        await fob.event("encrypted", on=True, authenticated=True)
        assert (await fob.event("recognised"))["identity"] == (await home.list())[0]["local"]
        # The same central under another address: nobody else can follow it.
        assert connected["addressType"] == "random" and connected["peer"] != first
        assert fob.since(0, "paired") == []
        inspected = await home.run(fob, "inspect", fob.address)
        assert inspected.code == 0, inspected.story
        assert "attError" not in next(c for c in inspected.all("characteristic") if c["uuid"] == BATTERY)


async def test_a_subscription_outlives_the_connection(home):
    async with home.fob() as fob:
        assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0
        arguments = ("subscribe", table.NAME, "FFE1", "--count", "1", "--hci", fob.hci, "--bonds", home.bonds, "--json")
        async with Process(*arguments) as subscribe:
            await subscribe.event("subscribed")
            fob.say("l")
            assert await subscribe.exit_code() == 0
        # Who has no bond is forgotten with the connection.
        answer = await home.run(fob, "read", table.NAME, "FFE0/FFE1/2902")
        assert answer.one("value")["value"] == "0100", answer.story


async def test_bonds_are_listed_exported_and_removed(home, tmp_path):
    async with home.fob() as fob:
        assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0
        (bond,) = await home.list()
        assert (bond["peer"], bond["name"], bond["as"]) == (fob.address, table.NAME, "central")
        assert (bond["authenticated"], bond["keySize"]) == (True, 16)
        (other,) = await home.list(home.fob_bonds)
        assert (other["peer"], other["as"]) == (bond["local"], "keyfob")

    for path in (home.bonds, home.fob_bonds):
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    text = await command("bonds", "list", "--bonds", home.bonds)
    assert table.NAME in text.lines[0] and bond["peer"] in text.lines[0]

    public = await command("bonds", "export", "--bonds", home.bonds, "--json")
    assert public.code == 0 and not any("Key" in key and key != "keySize" for key in public.one("bond"))
    refused = await command("bonds", "export", "--keys", "--bonds", home.bonds)
    assert refused.code == 2 and refused.lines == []
    output = tmp_path / "keys.json"
    exported = await command("bonds", "export", table.NAME, "--keys", "--output", str(output), "--bonds", home.bonds)
    assert exported.code == 0, exported.story
    assert stat.S_IMODE(output.stat().st_mode) == 0o600
    keys = json.loads(output.read_text())
    assert len(keys["longTermKeyAsCentral"]) == 32 and len(keys["identityResolvingKey"]) == 32
    again = await command("bonds", "export", "--keys", "--output", str(output), "--bonds", home.bonds)
    assert again.code == 2 and "is there already" in again.errors[0]

    nobody = await command("bonds", "remove", "Somebody else", "--bonds", home.bonds)
    assert nobody.code == 3 and len(nobody.errors) == 1
    removed = await command("bonds", "remove", table.NAME, "--bonds", home.bonds, "--json")
    assert removed.code == 0 and removed.one("bondRemoved")["peer"] == bond["peer"]
    none = await command("bonds", "list", "--bonds", home.bonds)
    assert (none.code, none.lines) == (0, []) and "no bonds" in none.errors[0]


async def test_a_bond_lost_by_the_fob_is_told_and_nothing_is_read(home):
    async with home.fob() as fob:
        assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0
    os.unlink(home.fob_bonds)
    async with home.fob() as fob:
        for device in (table.NAME, fob.address):
            answer = await home.run(fob, "read", device, "2A00")
            assert answer.code == 1, answer.story
            assert answer.one("error")["hciError"] == KEY_MISSING
            assert "has lost its bond" in answer.errors[0] and "bonds remove" in answer.errors[0]
            assert answer.all("value") == [], "not even what everybody may read"
            await fob.event("keyMissing")
        # Every verb refuses what has the bonded address and not its key.
        for verb, *arguments in (["inspect"], ["write", "1803/2A06", "01"], ["subscribe", "FFE1"]):
            answer = await home.run(fob, verb, fob.address, *arguments)
            assert answer.code == 1 and answer.one("error")["hciError"] == KEY_MISSING, answer.story
            assert not answer.all("value") and not answer.all("service") and not answer.all("characteristic")
        assert fob.since(0, "alert") == []
        assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0
        assert (await home.run(fob, "read", table.NAME, BATTERY)).code == 0


async def test_a_world_with_a_seed_begins_without_bonds(home):
    for _ in range(2):
        async with KeyFob("--require-pairing") as fob:
            answer = await home.run(fob, "read", table.NAME, BATTERY)
            assert answer.code == 1, answer.story
            assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0
            assert (await home.run(fob, "read", table.NAME, BATTERY)).code == 0


async def test_a_running_fob_notices_that_a_bond_was_removed(home):
    async with home.fob() as fob:
        assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0
        assert (await home.run(fob, "read", table.NAME, BATTERY)).code == 0
        assert (await command("bonds", "remove", "--all", "--bonds", home.fob_bonds)).code == 0
        answer = await home.run(fob, "read", table.NAME, BATTERY)
        assert answer.code == 1 and answer.all("value") == [], answer.story
        await fob.event("bondRemoved")
        assert await home.list(home.fob_bonds) == []
        assert (await home.run(fob, "read", table.NAME, BATTERY)).one("error")["hciError"] == KEY_MISSING
        assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0


async def test_a_bond_lost_by_the_central_is_paired_anew(home):
    async with home.fob() as fob:
        assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0
        assert (await command("bonds", "remove", "--all", "--bonds", home.bonds)).code == 0
        answer = await home.run(fob, "read", table.NAME, BATTERY)
        assert answer.code == 1 and answer.one("error")["attError"] == INSUFFICIENT_AUTHENTICATION
        assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0
        assert (await home.run(fob, "read", table.NAME, BATTERY)).code == 0


async def test_a_damaged_file_is_moved_aside_and_told(home, tmp_path):
    garbage = b"SQLite format 3\0, and nonsense behind it"
    for path in (home.bonds, home.fob_bonds):
        with open(path, "wb") as file:
            file.write(garbage)
        os.chmod(path, 0o600)
    listed = await command("bonds", "list", "--bonds", home.bonds, "--json")
    assert listed.code == 0, listed.story
    assert "damaged" in listed.one("warning")["message"] and len(listed.errors) == 1
    assert (tmp_path / "central.sqlite.damaged-1").read_bytes() == garbage
    async with home.fob() as fob:
        assert "was damaged" in await fob.error_line()
        assert (tmp_path / "fob.sqlite.damaged-1").read_bytes() == garbage
        assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0


async def test_bonds_that_cannot_be_kept_are_an_error_before_anything_is_done(home):
    async with home.fob() as fob:
        mark = fob.mark()
        for path in ("/proc/nowhere/bonds.sqlite", "/dev/null", str(home.folder)):
            answer = await command(
                "pair", table.NAME, "--passkey", "0", "--bond", "--bonds", path, "--hci", fob.hci, "--json"
            )
            assert answer.code == 1 and len(answer.errors) == 1, answer.story
            assert path.split("/bonds")[0] in answer.errors[0]
        assert fob.since(mark, "connected") == []
    answer = await command("keyfob", "--hci-listen", "127.0.0.1:0", "--bonds", "/dev/null", "--json")
    assert answer.code == 1 and "/dev/null" in answer.errors[0]


# Questions


@asynccontextmanager
async def bumble_peripheral(fob, person, private=False, **how):
    async with pairing_device(fob.hci, 7, private) as device:
        device.pairs_as(person, **how)
        await device.advertise("Bumble 7")
        yield device


async def asking(home, fob, *arguments, device="Bumble 7"):
    return Process("pair", device, *arguments, "--hci", fob.hci, "--bonds", home.bonds, "--json")


@pytest.mark.parametrize(
    ("said", "code"), [(["y"], 0), (["perhaps", " Yes "], 0), (["n"], 1)], ids=["yes", "only-then-yes", "no"]
)
async def test_digits_are_compared_by_whoever_sits_there(home, said, code):
    async with home.fob("--wait") as fob, bumble_peripheral(fob, Person(YES_NO)) as device:
        person = device.pairs_as(Person(YES_NO))
        async with await asking(home, fob, "--io", "display-yes-no") as pair:
            digits = (await pair.event("comparison"))["digits"]
            assert digits == f"{await person.compared:06}"
            for line in said:
                pair.say(line)
            assert await pair.exit_code() == code, pair.story()
            if code == 0:
                paired = await pair.event("paired", method="numericComparison")
                assert paired["authenticated"] is True and paired["secureConnections"] is True
            else:
                assert (await pair.event("error"))["smpReason"] == COMPARISON_FAILED
                assert await device.failed() == COMPARISON_FAILED


async def test_yes_without_looking(home):
    async with home.fob("--wait") as fob, bumble_peripheral(fob, Person(YES_NO)):
        answer = await home.pair(fob, "--io", "display-yes-no", "--yes", device="Bumble 7")
        assert answer.code == 0 and answer.one("paired")["method"] == "numericComparison", answer.story


async def test_a_passkey_is_typed_here(home):
    async with home.fob("--wait") as fob, bumble_peripheral(fob, Person(DISPLAY, passkey=700_007)):
        async with await asking(home, fob, "--io", "keyboard-only") as pair:
            await pair.event("passkeyWanted")
            pair.say("seven")
            pair.say("700007")
            assert await pair.exit_code() == 0, pair.story()
            assert (await pair.event("paired"))["method"] == "passkeyEntry"


async def test_a_passkey_is_shown_here(home):
    async with home.fob("--wait") as fob, bumble_peripheral(fob, Person(KEYBOARD)) as device:
        person = device.pairs_as(Person(KEYBOARD))
        async with await asking(home, fob, "--io", "display-only") as pair:
            shown = (await pair.event("passkey"))["passkey"]
            person.typed.set_result(int(shown))
            assert await pair.exit_code() == 0, pair.story()


async def test_nobody_there_to_answer_is_two(home):
    async with home.fob() as fob:
        answer = await home.pair(fob)
        assert answer.code == 2, answer.story
        assert len(answer.errors) == 1 and "--passkey" in answer.errors[0]
        # The fob is not left waiting.
        await fob.event("pairingFailed", smpReason=PASSKEY_ENTRY_FAILED)


async def test_an_interrupted_question_leaves_nobody_waiting(home):
    async with home.fob() as fob:
        async with await asking(home, fob, device=table.NAME) as pair:
            await pair.event("passkeyWanted")
            pair.send(signal.SIGINT)
            assert await pair.exit_code() == 1
            assert "interrupted" in pair.errors[-1]
        await fob.event("pairingFailed", smpReason=PASSKEY_ENTRY_FAILED)
        await fob.event("advertising", on=True)


async def test_a_terminal_is_asked_in_words(home):
    async with home.fob() as fob:
        controller, terminal = pty.openpty()
        pairing = ("pair", table.NAME, "--hci", fob.hci, "--bonds", home.bonds)
        process = await started(binary(), *pairing, stdin=terminal, stderr=terminal)
        os.close(terminal)
        os.set_blocking(controller, False)
        said = b""
        async with asyncio.timeout(PATIENCE):
            while b"show?" not in said:
                await asyncio.sleep(0.02)
                try:
                    said += os.read(controller, 4096)
                except BlockingIOError:
                    pass
            os.write(controller, b"000000\n")
            output = (await process.communicate())[0].decode()
        os.close(controller)
        assert process.returncode == 0
        assert output.startswith(f"paired with {table.NAME}") and "authenticated, legacy" in output


# Others


async def test_a_bonded_peer_is_found_by_its_name_after_its_address_has_changed(home):
    person = Person(YES_NO)
    async with home.fob("--wait") as fob, bumble_peripheral(fob, person, private=True) as device:
        answer = await home.pair(fob, "--io", "display-yes-no", "--yes", "--bond", device="Bumble 7")
        assert answer.code == 0, answer.story
        paired = answer.one("paired")
        assert paired["identity"] == device.identity and paired["peer"] != device.identity
        await device.paired()
        before = device.device.random_address.to_string(False)
        await device.device.stop_advertising()
        now = await device.rotate()
        assert now != before
        # Without a name in its advertisement.
        await device.device.start_advertising(
            advertising_data=b"\x02\x01\x06",
            advertising_interval_min=30,
            advertising_interval_max=30,
            auto_restart=True,
        )
        for name in ("Bumble 7", device.identity):
            answer = await home.run(fob, "read", name, "2A00")
            assert answer.code == 0, answer.story
            # Ours may be a controller that tells the identity in its place.
            assert answer.one("report")["address"] in (now, device.identity)
            assert answer.one("report")["identity"] == device.identity
            assert answer.one("encrypted")["authenticated"] is True


async def test_two_commands_at_once_are_one_central(home):
    async with home.fob("--wait") as fob:
        async with pairing_device(fob.hci, 7) as one, pairing_device(fob.hci, 8) as other:
            on_air = set()
            for device, name in ((one, "Bumble 7"), (other, "Bumble 8")):
                # Once it has paired, Bumble calls the central by its identity.
                device.device.on("connection", lambda connection: on_air.add(str(connection.peer_address)))
                device.pairs_as(Person(NONE))
                await device.advertise(name)
            # Neither finds the file; one of them makes it, and the identity.
            answers = await asyncio.gather(
                *(home.pair(fob, "--io", "none", "--bond", device=name) for name in ("Bumble 7", "Bumble 8"))
            )
            for answer in answers:
                assert answer.code == 0, answer.story
            bonds = await home.list()
            assert {bond["name"] for bond in bonds} == {"Bumble 7", "Bumble 8"}
            assert len({bond["local"] for bond in bonds}) == 1
            assert len(on_air) == 2, "and yet never under the same address"


async def test_somebody_who_bears_a_bonded_name_is_not_taken_for_it(home):
    async with home.fob() as fob:
        assert (await home.pair(fob, "--passkey", "0", "--bond")).code == 0
    async with home.fob("--wait") as fob, pairing_device(fob.hci, 8) as twin:
        await twin.advertise(table.NAME)
        answer = await home.run(fob, "read", table.NAME, "2A00", "--timeout", "5")
        assert answer.code == 3, answer.story
        assert "somebody else" in answer.errors[0] and twin.identity in answer.errors[0]
        assert (await home.run(fob, "read", twin.identity, "2A00")).code == 0


@pytest.mark.parametrize("both_ways", [True, False])
async def test_out_of_band_data_of_secure_connections(home, tmp_path, both_ways):
    theirs, ours = tmp_path / "theirs.txt", tmp_path / "ours.json"
    async with home.fob("--wait") as fob, pairing_device(fob.hci, 7) as device:
        theirs.write_text(bytes(OobData(shared_data=device.oob.share()).to_ad()).hex())
        theirs.chmod(0o600)
        async with await asking(home, fob, "--oob", str(theirs), "--own-oob", str(ours)) as pair:
            data = bytes.fromhex((await pair.event("outOfBand"))["data"])
            assert stat.S_IMODE(ours.stat().st_mode) == 0o600
            written = json.loads(ours.read_text())
            assert bytes.fromhex(written["confirm"]) in data and bytes.fromhex(written["random"]) in data
            shared = OobSharedData(bytes.fromhex(written["confirm"]), bytes.fromhex(written["random"]))
            device.pairs_as(Person(NONE), oob=device.with_oob(shared if both_ways else None))
            await device.advertise("Bumble 7")
            assert await pair.exit_code() == 0, pair.story()
            paired = await pair.event("paired")
            assert (paired["method"], paired["authenticated"]) == ("outOfBand", True)


async def test_the_temporary_key_of_legacy_pairing(home, tmp_path):
    key, file = secrets.token_bytes(16), tmp_path / "key.json"
    file.write_text(json.dumps({"temporaryKey": key.hex()}))
    file.chmod(0o600)
    async with home.fob("--wait") as fob, pairing_device(fob.hci, 7) as device:
        device.pairs_as(Person(NONE), sc=False, oob=device.with_oob(temporary_key=key))
        await device.advertise("Bumble 7")
        answer = await home.pair(fob, "--legacy", "--oob", str(file), device="Bumble 7")
        assert answer.code == 0, answer.story
        paired = answer.one("paired")
        assert (paired["method"], paired["secureConnections"]) == ("outOfBand", False)


# Usage


@pytest.mark.parametrize(
    "arguments",
    [
        ["pair"],
        ["pair", "fob", "--io", "telepathy"],
        ["pair", "fob", "--legacy", "--sc-only"],
        ["pair", "fob", "--sc-only", "--io", "none"],
        ["pair", "fob", "--mitm", "--io", "none"],
        ["pair", "fob", "--passkey", "1234567"],
        ["pair", "fob", "--passkey", "secret"],
        ["pair", "fob", "--passkey", "1", "--io", "none"],
        ["pair", "fob", "--minimum-key-size", "6"],
        ["pair", "fob", "--maximum-key-size", "17"],
        ["pair", "fob", "--minimum-key-size", "12", "--maximum-key-size", "8"],
        ["pair", "fob", "--sc-only", "--maximum-key-size", "8"],
        ["bonds", "remove"],
        ["bonds", "remove", "fob", "--all"],
        ["bonds", "export", "--keys"],
        ["bonds", "sell"],
        ["keyfob", "--passkey", "-1"],
        ["keyfob", "--hci-listen", "0.0.0.0:0"],
        ["keyfob", "--hci-listen", "192.168.1.1:6402"],
    ],
    ids=" ".join,
)
async def test_wrong_usage_is_one_line_and_two(arguments):
    answer = await command(*arguments)
    assert (answer.code, answer.lines) == (2, []), answer.story
    assert len(answer.errors) == 1 and "--help" in answer.errors[0]


@pytest.mark.parametrize("text", ["", "zz", "0322", '{"confirm":"00"}', '{"random":"' + "00" * 16 + '"}', "{"])
async def test_out_of_band_files_that_make_no_sense(tmp_path, text):
    file = tmp_path / "oob"
    file.write_text(text)
    file.chmod(0o600)
    answer = await command("pair", "fob", "--oob", str(file))
    assert answer.code == 2 and len(answer.errors) == 1 and str(file) in answer.errors[0], answer.story
    file.write_text('{"temporaryKey":"' + "00" * 16 + '"}')
    answer = await command("pair", "fob", "--oob", str(file))
    assert answer.code == 2 and "add --legacy" in answer.errors[0], answer.story
    missing = await command("pair", "fob", "--oob", str(tmp_path / "missing"))
    assert missing.code == 2 and "missing" in missing.errors[0]


async def test_the_port_is_open_to_other_machines_only_on_request():
    async with KeyFob("--expose-hci", hci_listen="0.0.0.0:0") as fob:
        assert fob.hci.startswith("tcp:0.0.0.0:")
        assert "without a password" in await fob.error_line()
    for loopback in ("localhost:0", "127.0.0.2:0", ":0"):
        async with KeyFob(hci_listen=loopback) as fob:
            assert fob.errors == []


async def test_no_name_is_printed_for_a_port_at_which_another_user_may_have_the_first_address():
    """`localhost` is ::1, too: who opened that name could show the panel's token to whoever listens there."""
    async with KeyFob("--panel-listen", "localhost:0", hci_listen="localhost:0") as fob:
        assert fob.hci.startswith("tcp:127.0.0.1:")
        assert (await fob.event("panel"))["url"].startswith("http://127.0.0.1:")
    async with Process("moneydrop", "bank", "--bank-listen", "localhost:0", "--json") as bank:
        assert (await bank.event("bank"))["url"].startswith("http://127.0.0.1:")


class Limited(Process):
    """A command that begins with other limits of the shell's: what `ulimit` is told."""

    def __init__(self, limits, *arguments):
        super().__init__("-c", f'{limits}; exec "$@"', "bash", binary(), *arguments)

    @staticmethod
    def program():
        return "/bin/bash"

    def limit(self, name):
        """The soft and the hard limit of this name, as the kernel says them."""
        for line in open(f"/proc/{self.process.pid}/limits"):
            if line.startswith(name):
                return line[len(name) :].split()[:2]


FOB = ("keyfob", "--hci-listen", "127.0.0.1:0", "--no-panel", "--json")


@pytest.mark.skipif(resource.getrlimit(resource.RLIMIT_CORE)[1] == 0, reason="core dumps are forbidden here anyway")
async def test_no_command_leaves_a_core_dump_with_keys_in_it():
    async with Limited('ulimit -S -c "$(ulimit -H -c)"', *FOB) as fob:
        await fob.event("listening")
        # At 0 the kernel would still begin a program that takes dumps, where there is one.
        assert fob.limit("Max core file size") == ["1", "1"]


async def test_a_command_with_a_password_shows_its_memory_to_nobody_when_it_crashes(tmp_path):
    # Swift's runtime would start a program that is given all memory, and prints what registers point to; anybody of this user can
    # send the signal.
    arguments = ["desk", "add-user", "alice", "--users", str(tmp_path / "users")]
    crashes = [signal.SIGSEGV, signal.SIGABRT, signal.SIGQUIT]

    def reads(process):
        """Whether it waits, with the signals as they stay."""
        words = dict(line.split(":\t", 1) for line in Path(f"/proc/{process.pid}/status").read_text().splitlines() if ":\t" in line)
        # SIGQUIT is caught all the time, and ends the command as if it were not.
        return words["State"].startswith("S") and not any(int(words["SigCgt"], 16) >> number - 1 & 1 for number in crashes[:2])

    for crash in crashes:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            binary(), *arguments, stdin=pipe, stdout=pipe, stderr=pipe, env=os.environ | {"SWIFT_BACKTRACE": "enable=yes"}
        )
        async with asyncio.timeout(PATIENCE):
            while not reads(process):
                await asyncio.sleep(0.02)
            process.send_signal(crash)
            output, error = await process.communicate()
        assert (process.returncode, output, error) == (-crash, b"", b"")


async def test_a_terminal_shows_again_what_is_typed_however_a_command_is_ended_or_stopped_that_asks_for_a_password(tmp_path):
    arguments = ["desk", "add-user", "alice", "--users", str(tmp_path / "users")]

    async def until_it_echoes(descriptor, wanted):
        async with asyncio.timeout(PATIENCE):
            while bool(termios.tcgetattr(descriptor)[3] & termios.ECHO) != wanted:
                await asyncio.sleep(0.02)

    # A shell has the terminal when the command is over, and gives it to one that was stopped when it has read a line.
    words = ["bash", "--norc", "-c", 'set -m; "$@"; read; fg; exec sleep 1000', "bash", binary(), *arguments]
    for number in (signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP):
        shell, terminal = pty.fork()
        if shell == 0:
            os.execvp("bash", words)
        try:
            await until_it_echoes(terminal, False)
            child = int(Path(f"/proc/{shell}/task/{shell}/children").read_text())
            os.kill(child, number)
            await until_it_echoes(terminal, True)
            if number == signal.SIGTSTP:
                os.write(terminal, b"\n")
                await until_it_echoes(terminal, False)
                os.kill(child, signal.SIGTERM)
                await until_it_echoes(terminal, True)
        finally:
            os.kill(shell, signal.SIGKILL)
            os.waitpid(shell, 0)
            os.close(terminal)


@pytest.mark.parametrize("number", [None, signal.SIGTSTP])
async def test_a_terminal_without_a_shell_shows_again_what_is_typed_when_a_command_is_over(tmp_path, number):
    # It is nobody's controlling terminal, or that of a group that nobody could continue, which the kernel does not stop.
    shell, terminal = pty.fork() if number else (None, None)
    arguments = [binary(), "desk", "add-user", "alice", "--users", str(tmp_path / "users")]
    if shell == 0:
        os.execv(arguments[0], arguments)
    if shell is None:
        terminal, typed = pty.openpty()
        process = await started(*arguments, stdin=typed, stderr=typed, start_new_session=True)
    try:
        async with asyncio.timeout(PATIENCE):
            while termios.tcgetattr(terminal)[3] & termios.ECHO:
                await asyncio.sleep(0.02)
            if shell:
                os.kill(shell, number)
                # It is shown for a moment, while the command expects to be stopped.
                await asyncio.sleep(0.5)
                assert not termios.tcgetattr(terminal)[3] & termios.ECHO
            else:
                process.terminate()
                await process.wait()
                assert termios.tcgetattr(terminal)[3] & termios.ECHO
                os.close(typed)
    finally:
        if shell:
            os.kill(shell, signal.SIGKILL)
            os.waitpid(shell, 0)
        os.close(terminal)


async def test_a_command_raises_its_limit_of_open_files_as_far_as_it_may():
    async with Limited("ulimit -S -n 300; ulimit -H -n 1000", *FOB) as fob:
        await fob.event("listening")
        assert fob.limit("Max open files") == ["1000", "1000"]


async def with_fewer_threads(*words):
    """Standard error of a command under each limit of processes that is too low for it, from 1 on; code 1 each time."""
    said = {}
    for limit in range(1, 40):
        # Root is not limited; nobody else has this user's processes.
        ended = await asyncio.to_thread(
            subprocess.run, ["prlimit", f"--nproc={limit}:{limit}", *words],
            user=64_321, group=64_321, extra_groups=[], cwd="/", capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        if ended.returncode == 0:
            assert len(said) > 2, said
            return said
        assert ended.returncode == 1, (limit, ended.stderr)
        said[limit] = ended.stderr
    raise AssertionError(said)


TOO_FEW_THREADS = "too few threads may be begun; raise the limit of processes with ulimit -u, or that of the container\n"


@as_root
async def test_a_command_that_may_begin_too_few_threads_says_so_in_a_line(program):
    said = await with_fewer_threads(program, "keyfob", "--for", "1", *FOB[1:4])
    assert set(said.values()) == {TOO_FEW_THREADS}, said


@as_root
async def test_a_study_with_more_ranks_than_threads_may_be_begun_says_so_and_does_not_wait_for_them(program):
    study = [program, "overflow", "study", "--phones", "2", "--minutes", "0.1", "--worlds", "1", "--ranks", "8"]
    lines = set((await with_fewer_threads(*study)).values()) - {TOO_FEW_THREADS}
    # Some limits are too low for ranks alone.
    assert lines and all(
        line.startswith("rank ") and " has failed: no more threads may be begun; " in line and line.count("\n") == 1
        for line in lines
    ), lines


async def test_no_command_opens_a_socket_that_has_no_file_and_no_port():
    # What is only a name in the kernel (unix(7), abstract) has no mode: every user of the machine reaches it.
    async with Limited(":", *FOB[:3], "--panel-listen", "127.0.0.1:0", "--json") as fob:
        await fob.event("listening")
        descriptors = Path(f"/proc/{fob.process.pid}/fd")
        own = set()
        for one in descriptors.iterdir():
            if found := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(one)):
                own.add(found[1])
        assert own
        # Num RefCount Protocol Flags Type St Inode Path
        named = [line.split() for line in open("/proc/net/unix") if len(line.split()) > 7]
        assert [words for words in named if words[6] in own] == []


async def test_a_hangup_that_was_ignored_before_ends_nothing():
    # As nohup has it. What the process says of its signals is in /proc.
    for ignores in (True, False):
        wanted = signal.SIG_IGN if ignores else signal.SIG_DFL
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            binary(), *FOB, stdin=pipe, stdout=pipe, stderr=pipe,
            preexec_fn=lambda wanted=wanted: signal.signal(signal.SIGHUP, wanted),
        )
        try:
            async with asyncio.timeout(PATIENCE):
                await process.stdout.readline()
                status = Path(f"/proc/{process.pid}/status").read_text()
                mask = int(next(line for line in status.splitlines() if line.startswith("SigIgn:")).split()[1], 16)
                assert bool(mask & 1 << (signal.SIGHUP - 1)) == ignores
                process.send_signal(signal.SIGTERM)
                await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (FOB, b"b 50\n"),
        (("text", "serve", *FOB[1:3]), b"clear\n"),
        (("sensortag", *FOB[1:3]), b"move still\n"),
    ],
)
async def test_words_without_end_fill_no_memory_and_hold_up_no_interrupt(arguments, word):
    process = await started(binary(), *arguments, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)

    async def pour():
        with suppress(BrokenPipeError, ConnectionResetError):
            while True:
                process.stdin.write(word * 10_000)
                await process.stdin.drain()

    def resident():
        status = Path(f"/proc/{process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1])

    pouring = asyncio.create_task(pour())
    try:
        async with asyncio.timeout(PATIENCE):
            # What is read is obeyed, and not more is read.
            await asyncio.sleep(3)
            assert resident() < 150_000
            process.send_signal(signal.SIGINT)
            await process.wait()
        assert process.returncode == 0
    finally:
        pouring.cancel()
        if process.returncode is None:
            process.kill()
