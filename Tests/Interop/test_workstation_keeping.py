"""What outlives a desk: what it has counted, and its log, which a program that was written from docs/workstation.md looks
through once more; and what a program elsewhere can ask a desk over HTTP."""

import asyncio
import base64
import contextlib
import hmac
import json
import random
import re
import shlex
import shutil

import pytest
from bluethroat import ROOT, Process, command, effort
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from panel_client import Panel
from test_workstation import AIR, Scene, desk, users  # noqa: F401: a fixture

PASSWORD = "correct horse"


async def typed(running, user, password):
    running.say(f"login {user}")
    running.say(password)


async def verify(tmp_path, *arguments):
    return await command("desk", "verify-log", "--id", "4711", "--key", str(tmp_path / "key"), "--log", str(tmp_path / "log"), *arguments)


# Tries and locks


async def test_a_name_that_has_to_wait_has_to_wait_after_the_desk_was_killed_and_started_again(users, tmp_path):
    async with desk(users, tmp_path) as running:
        for _ in range(5):
            await typed(running, "alice", "guess")
            await running.event("rejected", user="alice")
        assert (await running.event("user-closed"))["seconds"] == 30
        running.process.kill()
        await running.process.wait()
    for _ in range(2):
        async with desk(users, tmp_path) as running:
            await typed(running, "alice", PASSWORD)
            assert re.search(r"too many failures of alice, who has to wait (30|2\d) s", (await running.event("error"))["message"])


async def test_four_wrong_passwords_and_four_restarts_are_four_failures(users, tmp_path):
    for _ in range(4):
        async with desk(users, tmp_path) as running:
            await typed(running, "alice", "guess")
            await running.event("rejected", user="alice")
            running.process.kill()
    async with desk(users, tmp_path) as running:
        await typed(running, "alice", "guess")
        await running.event("user-closed", user="alice")


async def test_a_count_that_was_forged_or_damaged_is_one_line_and_no_more_tries(users, tmp_path):
    key = tmp_path / "key"
    async with desk(users, tmp_path) as running:
        for _ in range(5):
            await typed(running, "alice", "guess")
            await running.event("rejected", user="alice")
    sound = json.loads(key.read_bytes())
    nothing = base64.b64encode(b'{"desk":{"age":0,"failures":0,"wait":0},"held":0,"users":{}}').decode()
    without = {name: value for name, value in sound.items() if name != "seal"}
    for forged in ({**sound, "failures": nothing}, {**sound, "failures": ""}, {**sound, "seal": ""}, without):
        key.write_text(json.dumps(forged))
        answer = await command("desk", "--id", "4711", "--users", str(users), "--key", str(key), *AIR)
        assert answer.code == 1 and len(answer.errors) == 1 and str(key) in answer.errors[0], answer.story
        assert json.loads(key.read_bytes()) == forged
    key.write_text(json.dumps(sound))
    async with desk(users, tmp_path) as running:
        await typed(running, "alice", PASSWORD)
        assert "has to wait" in (await running.event("error"))["message"]


async def test_a_second_desk_with_the_same_key_is_told_that_there_is_a_first(users, tmp_path):
    async with desk(users, tmp_path):
        answer = await command("desk", "--id", "4711", "--users", str(users), "--key", str(tmp_path / "key"), *AIR)
        assert answer.code == 1 and answer.errors[0].startswith("another desk has the key"), answer.story


# The log


def linked(key, log):
    """The entries of a log whose lines follow upon each other, and the last link, as the page says."""
    secret = base64.b64decode(json.loads(key.read_bytes())["key"])
    code = HKDF(hashes.SHA256(), 32, None, b"bluethroat desk log 1").derive(secret)
    link, entries = bytes(32), []
    for line in log.read_bytes().splitlines():
        stated, _, entry = line.partition(b" ")
        link = hmac.digest(code, b"line" + link + entry, "sha256")
        assert stated.decode() == link.hex(), line
        entries.append(json.loads(entry))
    head = b"%d %s" % (len(entries), link.hex().encode())
    seal = hmac.digest(code, b"head %d " % len(entries) + link, "sha256").hex().encode()
    return entries, head + b" " + seal + b"\n"


async def test_logins_refusals_and_log_outs_are_in_a_log_that_a_program_written_from_the_page_can_check(users, tmp_path):
    log = tmp_path / "log"
    for _ in range(2):
        async with desk(users, tmp_path, "--log", str(log)) as running:
            await typed(running, "alice", "guess")
            await running.event("rejected")
            await typed(running, "alice", PASSWORD)
            await running.event("logged-in")
            running.say("end")
            await running.event("logged-out")
            # While the desk runs, too.
            answer = await verify(tmp_path)
            assert answer.code == 0 and "none changed, cut, moved or added" in answer.lines[0], answer.story
    entries, head = linked(tmp_path / "key", log)
    assert [entry["event"] for entry in entries] == ["started", "rejected", "logged-in", "logged-out"] * 2
    assert [entry["number"] for entry in entries] == list(range(1, 9))
    assert {entry.get("user") for entry in entries} == {None, "alice"} and entries[3]["reason"] == "at-desk"
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry["time"]) for entry in entries)
    assert (tmp_path / "log.head").read_bytes() == head
    assert PASSWORD not in log.read_text() and "guess" not in log.read_text()
    for file in (log, tmp_path / "log.head"):
        assert file.stat().st_mode & 0o777 == 0o600


async def test_a_desk_that_ends_in_order_ends_its_session_in_the_log_too(users, tmp_path):
    log = tmp_path / "log"
    for end in ("quit", None):
        async with desk(users, tmp_path, "--log", str(log)) as running:
            await typed(running, "alice", PASSWORD)
            await running.event("logged-in")
            running.say(end) if end else running.process.terminate()
            assert await running.exit_code() == 0, running.story()
    entries, _ = linked(tmp_path / "key", log)
    assert [entry["event"] for entry in entries] == ["started", "logged-in", "logged-out"] * 2


EDITS = {
    "changed": (lambda lines: lines[:2] + [lines[2].replace(b"alice", b"carol")] + lines[3:], "line 3 was changed"),
    "cut": (lambda lines: lines[:1] + lines[3:], "entries 2 to 3 were cut out before line 2"),
    "cut off": (lambda lines: lines[:-1], "entry 4 was cut off at the end"),
    "emptied": (lambda lines: [], "entries 1 to 4 were cut off at the end"),
    "added": (lambda lines: lines[:2] + [lines[1]] + lines[2:], "line 3 was added"),
    "added at the end": (lambda lines: lines + [lines[2]], "line 5 was added"),
    "reordered": (lambda lines: [lines[0], lines[2], lines[1], lines[3]], "line 2 is out of order"),
}


async def test_an_edited_log_is_told_with_its_first_edited_line_and_no_desk_goes_on_with_it(users, tmp_path):
    log, head = tmp_path / "log", tmp_path / "elsewhere" / "head"
    head.parent.mkdir(mode=0o700)
    files = ("--log", str(log), "--log-head", str(head))
    async with desk(users, tmp_path, *files) as running:
        await typed(running, "alice", "guess")
        await running.event("rejected")
        await typed(running, "alice", PASSWORD)
        await running.event("logged-in")
        running.say("end")
        await running.event("logged-out")
    sound, sealed = log.read_bytes(), head.read_bytes()

    async def refused(words):
        answer = await verify(tmp_path, "--log-head", str(head))
        assert answer.code == 1 and len(answer.errors) == 1 and words in answer.errors[0], answer.story
        before = log.read_bytes()
        begun = await command("desk", "--id", "4711", "--users", str(users), "--key", str(tmp_path / "key"), *files, *AIR)
        assert begun.code == 1 and len(begun.errors) == 1 and words in begun.errors[0], begun.story
        assert log.read_bytes() == before

    for edit, words in EDITS.values():
        log.write_bytes(b"".join(edit(sound.splitlines(keepends=True))))
        await refused(words)
    log.write_bytes(sound)
    head.write_bytes(sealed.replace(b"4 ", b"3 ", 1))
    await refused("its head was changed")
    head.unlink()
    await refused("its head is missing")
    head.write_bytes(sealed)
    head.chmod(0o600)
    # What a crash, or a full disk, leaves is no tampering, and the next start puts it right.
    log.write_bytes(sound + b"0123456789abcdef")
    answer = await verify(tmp_path, "--log-head", str(head))
    assert answer.code == 0 and "line 5 has no end" in answer.lines[0], answer.story
    async with desk(users, tmp_path, *files):
        pass
    answer = await verify(tmp_path, "--log-head", str(head))
    assert answer.code == 0 and "5 entries, none changed" in answer.lines[0], answer.story


async def test_a_log_and_its_head_that_were_both_removed_or_put_back_are_told(users, tmp_path):
    log, head = tmp_path / "log", tmp_path / "log.head"
    pairs = []
    for _ in range(2):
        async with desk(users, tmp_path, "--log", str(log)):
            pass
        pairs.append((log.read_bytes(), head.read_bytes()))
    arguments = ("--id", "4711", "--users", str(users), "--key", str(tmp_path / "key"))

    async def refused(words):
        for answer in (await verify(tmp_path), await command("desk", *arguments, "--log", str(log), *AIR)):
            assert answer.code == 1 and len(answer.errors) == 1 and words in answer.errors[0], answer.story

    log.write_bytes(pairs[0][0])
    head.write_bytes(pairs[0][1])
    await refused("entry 2 was cut off at the end")
    log.unlink()
    head.unlink()
    await refused("entries 1 to 2 were cut off at the end")
    # Nor by another name of its folder.
    (tmp_path / "link").symlink_to(tmp_path)
    log = tmp_path / "link/log"
    answer = await command("desk", *arguments, "--log", str(log), *AIR)
    assert answer.code == 1 and "entries 1 to 2 were cut off at the end" in answer.errors[0], answer.story
    # Another log may begin at any time.
    async with desk(users, tmp_path, "--log", str(tmp_path / "next")):
        pass


async def test_wrong_files_for_a_log_are_one_line(users, tmp_path):
    missing = await verify(tmp_path)
    assert missing.code == 3 and "name the desk's key with --key" in missing.errors[0], missing.story
    async with desk(users, tmp_path, "--log", str(tmp_path / "log")):
        answer = await command("desk", "--id", "4712", "--users", str(users), "--key", str(tmp_path / "other"), "--log", str(tmp_path / "log"), *AIR)
        assert answer.code == 1 and answer.errors[0].startswith("another desk has the log"), answer.story
    nothing = await command("desk", "verify-log", "--id", "4711", "--key", str(tmp_path / "key"), "--log", str(tmp_path / "typo"))
    assert nothing.code == 3 and len(nothing.errors) == 1, nothing.story
    assert not (tmp_path / "typo").exists()
    foreign = await command("desk", "verify-log", "--id", "4711", "--key", str(tmp_path / "other"), "--log", str(tmp_path / "log"))
    assert foreign.code == 1 and "line 1 was changed" in foreign.errors[0], foreign.story
    # A head that cannot be used makes no log.
    (tmp_path / "head").symlink_to(tmp_path / "log.head")
    new = ("--log", str(tmp_path / "new"), "--log-head", str(tmp_path / "head"))
    refused = await command("desk", "--id", "4711", "--users", str(users), "--key", str(tmp_path / "key"), *new, *AIR)
    assert refused.code == 1 and len(refused.errors) == 1 and "head is a symbolic link" in refused.errors[0], refused.story
    assert not (tmp_path / "new").exists()


async def come_and_go(running):
    """Somebody logs in and out at the desk, until it is no more."""
    while True:
        await typed(running, "alice", PASSWORD)
        await running.event("logged-in", user="alice")
        running.say("end")
        await running.event("logged-out", user="alice")


def came_and_went(running):
    return sum(event["event"] in ("logged-in", "logged-out") for event in running.events)


async def test_a_desk_killed_at_any_moment_leaves_a_log_with_every_login_that_nobody_seems_to_have_edited(users, tmp_path):
    moments, logins = random.Random(4711), 0
    for _ in range(effort(100, 10)):
        last = moments.randint(1, 6)
        async with desk(users, tmp_path, "--log", str(tmp_path / "log")) as running:
            person = asyncio.create_task(come_and_go(running))
            await running.until(lambda: came_and_went(running) >= last, f"{last} logins and log-outs")
            # The desk goes on meanwhile, with what is said to it in these turns.
            for _ in range(moments.randrange(5)):
                await asyncio.sleep(0)
            running.process.kill()
            with contextlib.suppress(AssertionError, ConnectionError):
                await person
        logins += sum(event["event"] == "logged-in" for event in running.events)
        answer = await verify(tmp_path)
        assert answer.code == 0, answer.story
        entries = [json.loads(line[65:]) for line in (tmp_path / "log").read_bytes().splitlines() if line.endswith(b"}")]
        assert sum(entry["event"] == "logged-in" for entry in entries) >= logins


# A program elsewhere


SESSION = "/api/login/sessions/4711"


@contextlib.asynccontextmanager
async def desk_with_panel(users, tmp_path):
    """A desk at which alice is logged in, and what it can be asked over HTTP."""
    arguments = ("--users", str(users), "--key", str(tmp_path / "key"), "--bonds", str(tmp_path / "bonds"), "--json")
    air = ("--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    async with Scene("desk", "--id", "4711", *arguments, *air) as running:
        panel = Panel((await running.event("panel"))["url"])
        await typed(running, "alice", PASSWORD)
        await running.event("logged-in", user="alice")
        yield running, panel


ALICE = {"desk": "4711", "user": "alice", "isLocked": False}


async def test_a_program_with_the_token_sees_who_is_logged_in_and_logs_them_out(users, tmp_path):
    async with desk_with_panel(users, tmp_path) as (running, panel):
        assert await panel.get(SESSION) == ALICE
        running.say("lock")
        await running.event("locked", user="alice")
        assert await panel.get(SESSION) == ALICE | {"isLocked": True}
        await panel.delete(SESSION, status=204)
        assert (await running.event("logged-out", user="alice"))["reason"] == "at-desk"
        nobody = await panel.get(SESSION)
        assert nobody["desk"] == "4711" and nobody.get("user") is None and not nobody["isLocked"]
        assert "nobody is logged in" in str(await panel.delete(SESSION, status=409))
        for other in ("4712", "0", "4711x", "%2e%2e"):
            await panel.get(f"/api/login/sessions/{other}", status=404)
            await panel.delete(f"/api/login/sessions/{other}", status=404)
        # Logging in over the network: name and password are checked as those typed at the desk.
        (shown,) = (await panel.get("/api/login"))["desks"]
        actions = f"/api/login/desks/{shown['device']}/actions"
        await panel.post(actions, {"action": "log-in", "user": "alice", "password": "guess"})
        await running.event("rejected", user="alice")
        await panel.post(actions, {"action": "log-in", "user": "alice", "password": PASSWORD})
        await running.event("logged-in", user="alice")
        assert await panel.get(SESSION) == ALICE


async def test_without_the_token_or_with_a_wrong_one_nobody_is_seen_and_nobody_logged_out(users, tmp_path):
    async with desk_with_panel(users, tmp_path) as (running, panel):
        token, before = panel.token, running.mark()
        for wrong in (None, "Bearer ", "Bearer wrong", f"Bearer {token[:-1]}", f"Bearer {token}x", f"Basic {token}", token):
            panel.token = None
            headers = {} if wrong is None else {"authorization": wrong}
            for method in ("GET", "DELETE"):
                answer = await panel.raw(panel.request(method, SESSION, **headers))
                assert (answer.status, answer.json["error"]) == (401, "token-needed"), (wrong, method)
                assert b"alice" not in answer.body
        panel.token = token
        assert await panel.get(SESSION) == ALICE and not running.since(before, "logged-out")


async def test_requests_that_are_not_finished_log_nobody_out_and_keep_nobody_else_away(users, tmp_path):
    async with desk_with_panel(users, tmp_path) as (running, panel):
        before = running.mark()
        whole = panel.request("DELETE", SESSION)
        with_body = panel.request("DELETE", SESSION, b'{"some":"thing"}')
        waiting = []
        for pieces in (whole[:1], whole[:20], whole[:-2], whole[:-1], with_body[:-10], with_body[:-1]):
            for _ in range(4):
                _, writer = await panel.open()
                writer.write(pieces)
                await writer.drain()
                waiting.append(writer)
        # All of them wait, and this one is answered.
        assert await panel.get(SESSION) == ALICE
        for writer in waiting:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
        assert await panel.get(SESSION) == ALICE and not running.since(before, "logged-out")
        await panel.delete(SESSION)
        await running.event("logged-out", user="alice")


async def test_the_commands_of_the_page_work_as_they_stand(users, tmp_path):
    if shutil.which("curl") is None:
        pytest.skip("there is no curl")
    page = (ROOT / "docs/workstation.md").read_text()
    (commands,) = re.findall(r"^```sh remote\n(.*?)^```$", page, re.M | re.S)
    usual = "panel=http://127.0.0.1:6480\ntoken=2gx5k0a7wmv0c1qj93hd8zr4ep\n"
    assert usual in commands
    async with desk_with_panel(users, tmp_path) as (running, panel):
        here = f"panel=http://{panel.authority}\ntoken={shlex.quote(panel.token)}\n"
        shell = await asyncio.create_subprocess_exec(
            "bash", "-c", "set -eu\n" + commands.replace(usual, here), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        output, errors = await shell.communicate()
        assert shell.returncode == 0 and b'"user":"alice"' in output, (output, errors)
        await running.event("logged-out", user="alice", reason="at-desk")


async def test_a_phone_without_a_vault_keeps_nothing_but_bonds(users, tmp_path):
    async with desk(users, tmp_path) as running:
        home = tmp_path / "home"
        home.mkdir(mode=0o700)
        arguments = ("login", "--id", "4711", "--vault", "-", "--once", "--bonds", str(home / "bonds"), "--json", "--no-panel")
        for _ in range(2):
            async with Process(*arguments, "--controller", running.hci) as login:
                await login.event("screen", page="credentials")
                login.say("alice")
                login.say(PASSWORD)
                # It knows no desk, either: the digits are asked for each time.
                await login.event("screen", page="code")
                login.say((await running.event("code"))["code"])
                await login.event("screen", page="connected")
                login.say("end")
                assert await login.exit_code() == 0
            assert all(file.name.startswith("bonds") for file in home.iterdir())
            assert not (tmp_path / "-").exists()
