"""What a person meets at desk and phone, as processes on one air: a desk that restarts, answers that come early, a phone that
leaves, a password typed at the desk, a QR code."""

import asyncio
import os
import pty
import re
import signal
import termios
import time

import pytest
import zxingcpp
from bluethroat import PATIENCE, Process, binary, command, started
from panel_client import Panel
from test_workstation import AIR, Scene, desk, users  # noqa: F401: a fixture

ALICE = ("alice", "correct horse")


def phone(tmp_path, *arguments, scene=Process):
    return scene("login", "--vault", str(tmp_path / "vault"), "--bonds", str(tmp_path / "phone"), "--json", *arguments)


async def answer(login, running, *answers):
    """Says what a first visit asks for."""
    await login.event("screen", page="credentials")
    for line in answers:
        login.say(line)
    await login.event("screen", page="code")
    login.say((await running.event("code"))["code"])
    await login.event("screen", page="connected")


async def test_a_desk_that_restarts_with_its_key_is_found_again_and_one_that_is_gone_is_given_up(users, tmp_path):
    async with phone(tmp_path, *AIR, scene=Scene) as login:
        arguments = ("desk", "--id", "4711", "--users", str(users), "--key", str(tmp_path / "key"), "--json", "--no-panel", "--controller", login.hci)
        bonds = ("--bonds", str(tmp_path / "bonds"))
        for number, kept in enumerate((bonds, bonds, ())):
            async with Process(*arguments, *kept) as running:
                await running.event("advertising", on=True)
                if number == 0:
                    await login.event("screen", page="start")
                    login.say("4711")
                    await answer(login, running, *ALICE)
                else:
                    # Another process, another address, or one that has forgotten the phone: one entry is enough.
                    began = time.monotonic()
                    login.say("4711")
                    await login.event("screen", page="connected")
                    assert time.monotonic() - began < 12
                await running.event("logged-in", user="alice")
                login.say("end")
                await login.event("screen", page="start")
        began, mark = time.monotonic(), login.mark()
        login.say("4711")
        await login.event("screen", page="not-found")
        assert 7 < time.monotonic() - began < 14 and login.since(mark, "screen", page="connecting")


async def test_answers_that_come_early_wait_until_they_are_asked_for(users, tmp_path):
    async with desk(users, tmp_path) as running:
        arguments = ("login", "--id", "4711", "--vault", str(tmp_path / "vault"), "--bonds", str(tmp_path / "phone"), "--once")
        async with Process(*arguments, "--no-panel", "--controller", running.hci) as login:
            for line in ALICE:
                login.say(line)
            login.say_no_more()
            code = await login.exit_code()
        assert code == 2 and login.errors == ["there is nobody to answer: standard input has ended"], login.story()
        assert not any(line.startswith("Which desk") for line in login.lines)
        assert login.lines[-1] == "The 6 digits on the desk's monitor:", login.story()
        await running.event("code")


async def test_quit_ends_where_a_name_is_asked_for_and_letters_are_no_digits(users, tmp_path):
    async with desk(users, tmp_path) as running:
        async with phone(tmp_path, "--scan", "bluethroat-desk:4711", "--no-panel", "--controller", running.hci) as login:
            await login.event("screen", page="credentials")
            for line in ALICE:
                login.say(line)
            await login.event("screen", page="code")
            login.say("12ab")
            assert (await login.event("screen", page="code"))["fault"].startswith("The desk shows six digits")
            login.say("quit")
            assert await login.exit_code() == 0
        async with phone(tmp_path, "--id", "4711", "--no-panel", "--controller", running.hci) as login:
            await login.event("screen", page="credentials")
            login.say("quit")
            assert await login.exit_code() == 0


async def test_an_interrupt_at_a_password_leaves_a_terminal_that_shows_what_is_typed(users, tmp_path):
    master, slave = pty.openpty()
    usual = termios.tcgetattr(slave)[3]
    try:
        async with desk(users, tmp_path) as running:
            arguments = ("login", "--id", "4711", "--vault", "-", "--bonds", str(tmp_path / "phone"), "--no-panel")
            pipe = asyncio.subprocess.PIPE
            login = await started(binary(), *arguments, "--controller", running.hci, stdin=slave, stdout=pipe, stderr=pipe)
            said = b""
            while b"User name:" not in said:
                said += await asyncio.wait_for(login.stdout.readline(), PATIENCE)
            os.write(master, b"alice\n")
            while b"Password:" not in said:
                said += await asyncio.wait_for(login.stdout.readline(), PATIENCE)
            assert not termios.tcgetattr(slave)[3] & termios.ECHO
            login.send_signal(signal.SIGINT)
            assert await asyncio.wait_for(login.wait(), PATIENCE) == 0
            assert termios.tcgetattr(slave)[3] == usual
    finally:
        os.close(master)
        os.close(slave)


async def test_a_phone_that_was_out_of_reach_at_once_logs_in_again_when_it_comes_near(users, tmp_path):
    air = ("--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    async with phone(tmp_path, "--near", *air, scene=Scene) as login:
        panel = Panel((await login.event("panel"))["url"])
        arguments = ("--key", str(tmp_path / "key"), "--bonds", str(tmp_path / "bonds"), "--json", "--no-panel", "--controller", login.hci)
        async with Process("desk", "--id", "4711", "--users", str(users), *arguments) as running:
            await running.event("advertising", on=True)
            await login.event("screen", page="start")
            (device,) = [one["device"] for one in (await panel.get("/api/devices"))["devices"] if one["name"] == "Phone"]
            (other,) = [one["device"] for one in (await panel.get("/api/devices"))["devices"] if one["device"] != device]
            await panel.ask("PATCH", f"/api/devices/{other}", {"x": 0.3, "y": 0})
            await panel.ask("PATCH", f"/api/devices/{device}", {"x": 0, "y": 0})
            login.say("4711")
            await answer(login, running, *ALICE)
            await panel.ask("PATCH", f"/api/devices/{device}", {"x": 5000, "y": 0})
            assert "out of reach" in (await login.event("screen", page="start"))["notice"]
            (shown,) = (await panel.get("/api/login"))["phones"]
            assert shown["registry"] == []
            await running.event("logged-out", reason="link-lost")
            await panel.ask("PATCH", f"/api/devices/{device}", {"x": 0, "y": 0})
            await login.event("screen", page="connected")
            await running.event("logged-in", user="alice")


async def test_a_password_typed_at_the_desk_opens_a_session_without_a_phone(users, tmp_path):
    air = ("--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    arguments = ("--users", str(users), "--key", str(tmp_path / "key"), "--bonds", str(tmp_path / "bonds"), "--json")
    async with Scene("desk", "--id", "4711", *arguments, *air) as running:
        panel = Panel((await running.event("panel"))["url"])
        running.say("login alice")
        running.say("correct horse")
        await running.event("logged-in", user="alice")
        # A phone finds the desk taken.
        async with phone(tmp_path, "--id", "4711", "--no-panel", "--controller", running.hci) as login:
            await login.event("screen", page="credentials")
            for line in ALICE:
                login.say(line)
            assert (await login.event("screen", page="start", notice="Somebody else is at desk 4711"))
        running.say("end")
        await running.event("logged-out", reason="at-desk")
        # The panel has the same, and the same brakes.
        (device,) = [one["device"] for one in (await panel.get("/api/login"))["desks"]]
        path = f"/api/login/desks/{device}/actions"
        for _ in range(5):
            await panel.post(path, {"action": "log-in", "user": "alice", "password": "guess"})
            await running.event("rejected", user="alice")
        await running.event("user-closed", user="alice")
        refused = await panel.post(path, {"action": "log-in", "user": "alice", "password": "correct horse"}, status=409)
        assert "has to wait" in str(refused)


async def test_a_phone_that_asks_each_time_keeps_no_credentials(users, tmp_path):
    async with desk(users, tmp_path) as running:
        for visit in range(2):
            async with phone(tmp_path, "--id", "4711", "--ask-each-time", "--once", "--no-panel", "--controller", running.hci) as login:
                await login.event("screen", page="credentials")
                for line in ALICE:
                    login.say(line)
                if visit == 0:
                    await login.event("screen", page="code")
                    login.say((await running.event("code"))["code"])
                await login.event("screen", page="connected")
                login.say("end")
                assert await login.exit_code() == 0
        # What the phone was told is kept, too. One that may keep credentials finds none in this vault, and then keeps them.
        for pages in (["credentials", "connected"], ["connected"]):
            async with phone(tmp_path, "--id", "4711", "--no-ask-each-time", "--once", "--no-panel", "--controller", running.hci) as login:
                for page in pages:
                    await login.event("screen", page=page)
                    for line in ALICE if page == "credentials" else ["end"]:
                        login.say(line)
                assert await login.exit_code() == 0
                assert len(login.since(0, "screen", page="credentials")) == pages.count("credentials")


def read_code(rows):
    """What a decoder that others have written reads in rows of light (True) and dark modules."""
    scale = 6
    picture = b"".join(bytes(255 * light for light in row for _ in range(scale)) * scale for row in rows)
    found = zxingcpp.read_barcodes(memoryview(picture).cast("B", shape=[len(rows) * scale, len(rows[0]) * scale]))
    return [one.text for one in found]


@pytest.mark.parametrize("digits", ["4711", "0000", "9999"])
async def test_the_qr_code_in_the_terminal_and_at_the_panel_is_read_by_another_decoder(digits, users, tmp_path):
    arguments = ("--users", str(users), "--key", str(tmp_path / "key"), "--bonds", str(tmp_path / "bonds"))
    panel = ("--panel-listen", "127.0.0.1:0", "--hci-listen", "127.0.0.1:0")
    async with Process("desk", "--id", digits, "--qr", *arguments, *panel) as running:
        # A line is two rows of modules; the last of 33 rows has half a line to itself.
        await running.until(lambda: sum(line[:1] in ("█", "▀") for line in running.lines) >= 17, "QR code")
        lines = [line for line in running.lines if line[:1] in ("█", "▀")]
        upper = [[letter in "█▀" for letter in line] for line in lines]
        lower = [[letter in "█▄" for letter in line] for line in lines]
        rows = [row for pair in zip(upper, lower) for row in pair][:33]
        assert all(len(row) == 33 for row in rows)
        await running.until(lambda: any("?token=" in line for line in running.lines), "address of the panel")
        url = next(re.search(r"http://\S+", line)[0] for line in running.lines if "?token=" in line)
        (shown,) = (await Panel(url).get("/api/login"))["desks"]
        dark = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", shown["qrCode"])}
        assert [[(x - 4, y - 4) not in dark for x in range(33)] for y in range(33)] == rows
        assert read_code(rows) == [f"bluethroat-desk:{digits}"]


async def test_services_of_others_are_asked_by_no_desk(tmp_path):
    """Who may put a service into the folder lets in whom he likes."""
    folder = tmp_path / "services"
    folder.mkdir()
    (folder / "desk").write_text("auth required pam_permit.so\naccount required pam_permit.so\n")
    (folder / "desk").chmod(0o644)
    arguments = ("desk", "--id", "4711", "--pam", "desk", "--pam-directory", str(folder), "--no-panel", *AIR)
    for path, mode in ((folder, 0o777), (folder, 0o1777), (folder, 0o775), (folder / "desk", 0o666)):
        before = path.stat().st_mode & 0o7777
        path.chmod(mode)
        end = await command(*arguments)
        assert end.code == 1 and len(end.errors) == 1, end.story
        assert end.errors[0].endswith(f"{path} may be written to by others, who could change it: chmod go-w {path}")
        path.chmod(before & 0o755)


async def test_a_password_that_nobody_asked_for_is_not_repeated(users, tmp_path):
    """A script that has answered a first visit answers the next one, too, when the phone knows name and password already."""
    async with desk(users, tmp_path) as running:
        await running.event("advertising", on=True)
        running.say("correct horse")
        await running.event("error")
        async with phone(tmp_path, "--id", "4711", "--controller", running.hci, "--no-panel") as login:
            await answer(login, running, *ALICE)
            for line in ALICE:
                login.say(line)
                assert "digits" in (await login.event("error"))["message"]
        for process in (running, login):
            assert not re.search("correct|horse", "".join(process.lines + process.errors)), process.story()
