"""What another user of the machine can read and do: each line of the tables in docs/security.md, tried as `nobody`.

A test names the lines that it is about (`row`), and `test_each_line_of_the_tables_has_a_test` reads the page. Most lines about
files are in test_other_users_files.py; here are ports, memory, other machines and Open MPI."""

import asyncio
import base64
import ipaddress
import json
import os
import re
import shutil
import stat
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

# Its tests note their lines as well.
import test_other_users_files  # noqa: F401
from bluethroat import PATIENCE, ROOT, KeyFob, Process, binary, command, lasting_port, started, until
from crowds import connect
from other_users import (
    ADAPTERS,
    ARGUMENTS,
    BANK,
    BANK_BEFORE,
    CARRIED,
    CONTROLLERS,
    FILL,
    HCI_LINES,
    HCI_TCP,
    HCI_UNIX,
    KEPT,
    LOOK,
    MEMORY,
    MPI_FILES,
    MPI_PORTS,
    NOBODY,
    OFFER,
    PANEL,
    PASS_ON,
    RESULTS,
    ROWS,
    SAY,
    TOKEN,
    TRY,
    Theirs,
    another_runs,
    as_another,
    command_line,
    line_of,
    make_users,
    nothing_works,
    place,
    program,
    row,
    say,
)
from panel_client import Panel
from test_crowds import COMPLETE, RESET, FewDescriptors, on, reset

# Tests elsewhere, below Tests: `file::test`, or a file.
ELSEWHERE = {
    HCI_TCP: ["Interop/test_cli_security.py::test_the_port_is_open_to_other_machines_only_on_request"],
    HCI_LINES: ["Interop/test_attach.py::test_hosts_on_a_line_and_on_a_socket_are_on_the_air_of_a_running_fob"],
    ADAPTERS: ["LinuxHost/recipes/2-vhci.sh"],
    PANEL: ["Interop/test_panel_safety.py::test_without_the_token_nothing_is_read_and_nothing_done"],
    BANK_BEFORE: ["MoneyBankTests/BankPortThiefTests.swift::forgeries"],
    MPI_PORTS: ["RanksTests/AirEventTests.swift::roundTrip"],
    MEMORY: ["Interop/test_private_files.py::test_the_memory_of_who_holds_passwords_cannot_be_read_by_its_own_user"],
    CARRIED: ["Interop/test_private_files.py::test_what_others_may_read_or_write_is_refused_in_one_line_and_left_alone"],
    RESULTS: [
        "Interop/test_kept_results.py::test_results_do_not_go_into_a_pipe_of_another_user",
        "StudiesTests/StudyFilesTests.swift::foreignLink",
    ],
    KEPT: [
        "Interop/test_kept_results.py::test_a_study_does_not_believe_a_result_that_cannot_be",
        "StudiesTests/OutcomeFolderTests.swift::foreignOutcomes",
    ],
}


def rows_of_the_page():
    """What stands in the first cell of each line of the section's tables."""
    page = (ROOT / "docs" / "security.md").read_text()
    section = page.partition("\n## Who may do what on one machine\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| (.*?) +\|", section, re.MULTILINE)
    return [line for line in lines if line != "what"]


def test_each_line_of_the_tables_has_a_test():
    rows = rows_of_the_page()
    assert len(rows) == len(set(rows)) > 20, "the tables are not where they were"
    assert set(rows) - set(ROWS) - set(ELSEWHERE) == set(), "lines without a test"
    assert (set(ROWS) | set(ELSEWHERE)) - set(rows) == set(), "tests of lines that are not there"
    for names in ELSEWHERE.values():
        for name in names:
            file, _, test = name.partition("::")
            path = ROOT / "Tests" / file
            assert path.is_file(), name
            assert not test or re.search(rf"\b(def|func) {test}\b", path.read_text()), name


# Ports


# Scanning, passive, for all that advertise.
SCAN = bytes.fromhex(
    "01030c00" "01010c08ffffffffffffff3f" "010120081f00000000000000" "010b200700100010000000" "010c20020100"
)


@row(HCI_TCP)
async def test_the_port_for_hosts_is_open_on_tcp():
    async with KeyFob() as fob:
        assert await say(fob.port, RESET, len(COMPLETE)) == COMPLETE.hex()
        # Another user has a controller on that air: they hear what advertises there.
        heard = bytes.fromhex(await say(fob.port, SCAN, 200))
        assert bytes.fromhex(fob.address.replace(":", ""))[::-1] in heard


@row(HCI_TCP)
async def test_another_user_can_take_all_places_of_the_port():
    async with FewDescriptors("keyfob", "--no-panel", "--hci-listen", "127.0.0.1:0", "--json") as fob:
        port = int((await fob.event("listening"))["hci"].rpartition(":")[2])
        # So many connections has a port where a process may have 256 descriptors.
        async with another_runs(FILL, port, 48, RESET.hex(), len(COMPLETE)) as other:
            assert await line_of(other) == "48"
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await on(port, reset)
            other.stdin.write(b"\n")
            await other.wait()

        async def is_served():
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                await on(port, reset)
                return True

        await until(is_served, "served when they have gone")


def offering(command, kind, path):
    """A command that offers controllers at a path."""
    if command == "attach":
        return ("attach", "--no-panel", "--json", "--hci-listen", "127.0.0.1:0", f"--{kind}", str(path))
    return ("keyfob", "--json", "--hci-listen", f"{kind}:{path}")


@row(HCI_UNIX)
@pytest.mark.parametrize("command", ["keyfob", "attach"])
async def test_the_socket_for_hosts_is_for_its_user_alone(place, command):
    path = place / "hci"
    async with Process(*offering(command, "unix", path)) as process:
        assert (await process.event("offered" if command == "attach" else "listening"))["hci"] == f"unix:{path}"
        assert stat.S_ISSOCK(path.stat().st_mode) and path.stat().st_mode & 0o777 == 0o600
        assert await say(path, RESET) == "PermissionError"
        await nothing_works(place, path)
        # Whatever becomes of the file's mode, the user ID is looked at.
        path.chmod(0o666)
        assert await say(path, RESET) in ("", "BrokenPipeError", "ConnectionResetError")
        await on(f"unix:{path}", reset)


@row(HCI_LINES)
@pytest.mark.parametrize("command", ["keyfob", "attach"])
async def test_serial_lines_are_for_their_user_alone(place, command):
    path = place / "hci"
    async with Process(*offering(command, "pty", path)) as process:
        assert (await process.event("offered" if command == "attach" else "listening"))["hci"] == f"pty:{path}"
        # The line that can be opened next, and one that a program of ours has open.
        used = os.readlink(path)
        reader, writer = await connect(f"pty:{path}")
        for device in (used, os.readlink(path)):
            found = os.stat(device)
            assert stat.S_ISCHR(found.st_mode) and found.st_mode & 0o777 == 0o600 and found.st_uid == os.geteuid()
        await nothing_works(place, path, used, os.readlink(path))
        await asyncio.wait_for(reset(reader, writer), PATIENCE)
        writer.close()


@row(CONTROLLERS)
@pytest.mark.parametrize("manner", ["accepts", "waits"])
async def test_what_another_user_offers_is_no_controller_for_our_keys(place, manner):
    folder = place / "all"
    async with another_runs(OFFER, folder, manner) as offer:
        ports = [int(word) for word in (await line_of(offer)).split()]
        bonds = str(place / "bonds")
        tcp = [f"tcp:127.0.0.1:{port}" for port in ports] + [f"tcp:[::ffff:127.0.0.1]:{ports[0]}", f"tcp:[::1]:{ports[1]}"]
        lines = [f"{kind}:{path}" for kind in ("pty", "serial") for path in (f"{folder}/line", os.readlink(folder / "line"))]
        for where in (*tcp, f"unix:{folder}/hci", *lines):
            attach = ("attach", "--controller", where, "--unix", str(place / "own"))
            for command in (("scan", "--hci", where, "--bonds", bonds), attach):
                running = await command_line(*command)
                assert running.returncode != 0 and running.stdout == "", running
                assert "another user's (ID 65534), who would learn the keys of all links" in running.stderr, running
                assert len(running.stderr.splitlines()) == 1, running
        offer.stdin.write(b"\n")
        assert await line_of(offer) == "", "what was said to the other user"


@row(CONTROLLERS)
async def test_a_link_of_another_user_to_a_line_of_ours_is_not_followed(place):
    ours, line = os.openpty()
    link = place / "all" / "link"
    await as_another("import os, sys; os.symlink(sys.argv[1], sys.argv[2])", os.ttyname(line), link)
    for kind in ("pty", "serial"):
        running = await command_line("scan", "--hci", f"{kind}:{link}", "--timeout", "1")
        assert running.returncode == 1 and "another user's (ID 65534)" in running.stderr, running
    os.set_blocking(ours, False)
    with pytest.raises(BlockingIOError):
        os.read(ours, 1)
    os.close(line)
    os.close(ours)


def their_fob(program, home):
    return Theirs(program, home, "keyfob", "--hci-listen", "127.0.0.1:0", "--no-panel", "--json")


@row(CONTROLLERS)
async def test_who_became_root_by_sudo_uses_their_own_controllers(place, program):
    async with their_fob(program, place / "all") as fob:
        where = (await fob.event("listening"))["hci"]
        for name, code in (("SUDO_UID", 0), ("PKEXEC_UID", 0), ("ANOTHER_UID", 1)):
            running = await command_line("scan", "--hci", where, "--timeout", "1", env={name: str(NOBODY)})
            assert running.returncode == code, running


@row(CONTROLLERS)
async def test_who_became_root_by_su_uses_their_own_controllers(place, program):
    """Linux keeps who has logged in, whatever they have become since."""
    scan = 'echo "$1" >/proc/self/loginuid && shift && exec "$@"'
    if subprocess.run(["sh", "-c", scan, "sh", str(NOBODY), "true"], capture_output=True).returncode:
        pytest.skip("nobody can be logged in here: /proc/self/loginuid cannot be written")
    async with their_fob(program, place / "all") as fob:
        where = (await fob.event("listening"))["hci"]
        for user, code in ((NOBODY, 0), (NOBODY - 1, 1)):
            arguments = (binary(), "scan", "--hci", where, "--timeout", "1")
            running = await asyncio.to_thread(
                subprocess.run, ["sh", "-c", scan, "sh", str(user), *arguments], stdin=subprocess.DEVNULL, timeout=PATIENCE
            )
            assert running.returncode == code, (user, running)


@row(PANEL, TOKEN)
async def test_the_panel_answers_nothing_without_its_token(place):
    token = place / "token"
    arguments = ("--panel-listen", "127.0.0.1:0", "--panel-token-file", str(token))
    async with KeyFob(*arguments) as fob:
        panel = Panel((await fob.event("panel"))["url"])
        secret, panel.token = panel.token, None
        for method, target, body in (
            ("GET", "/", b""), ("GET", "/api/world", b""), ("GET", "/api/events", b""),
            ("GET", "/api/captures/0/hci.btsnoop", b""), ("GET", "/api/captures/air.pcapng", b""),
            ("PUT", "/api/devices/0/keys", b'{"left":true,"right":false}'), ("DELETE", "/api/devices/0", b""),
        ):  # fmt: skip
            heard = bytes.fromhex(await say(panel.port, panel.request(method, target, body)))
            assert heard.startswith(b"HTTP/1.1 401 ") and b"token-needed" in heard, (method, target, heard)
        # Neither the list of processes nor the file has it for others.
        assert secret not in Path(f"/proc/{fob.process.pid}/cmdline").read_text()
        await nothing_works(place, token)
        panel.token = secret
        assert (await panel.get("/api/devices"))["devices"][0]["device"] == 0


class WithToken(KeyFob):
    secret = "a-token-of-the-environment"

    def environment(self):
        return {**os.environ, "BLUETHROAT_PANEL_TOKEN": self.secret}


@row(TOKEN, MEMORY)
async def test_a_token_in_the_environment_is_for_its_user_alone(place):
    async with WithToken("--panel-listen", "127.0.0.1:0") as fob:
        panel = Panel((await fob.event("panel"))["url"])
        assert panel.token == fob.secret and (await panel.get("/api/devices"))["devices"]
        process = Path(f"/proc/{fob.process.pid}")
        assert fob.secret in (process / "environ").read_text()
        paths = [process / name for name in ("environ", "mem", "maps", "auxv", "fd/1", "cmdline")]
        heard = (await as_another(LOOK, *paths)).splitlines()
        # Only what stands in the list of processes.
        assert heard[:-1] == ["refused"] * (len(paths) - 1) and heard[-1] != "refused", heard
        assert fob.secret not in (process / "cmdline").read_text()


@row(ARGUMENTS)
async def test_arguments_are_in_the_list_of_processes_and_the_fobs_passkey_is_one():
    async with KeyFob("--passkey", "271828", "--require-authentication") as fob:
        listed = await as_another("import sys; print(open(sys.argv[1]).read())", f"/proc/{fob.process.pid}/cmdline")
        assert "271828" in listed.split("\0")
        # With it another user pairs as whoever was told it.
        paired = await command("pair", fob.address, "--passkey", "271828", "--hci", fob.hci)
        assert paired.code == 0, paired.story


def request(name, body, secret=None):
    """A question to the bank, as bytes."""
    words = f"authorization: Basic {base64.b64encode(secret.encode()).decode()}\r\n" if secret else ""
    head = f"POST /v1/{name} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n{words}"
    return (head + f"connection: close\r\ncontent-length: {len(body)}\r\n\r\n{body}").encode()


@row(BANK)
async def test_the_bank_opens_accounts_and_shows_none_without_its_secret():
    async with Process("moneydrop", "bank", "--bank-listen", "127.0.0.1:0", "--json") as process:
        port = int((await process.event("bank"))["url"].rpartition(":")[2])
        opened = bytes.fromhex(await say(port, request("open", '{"name":"Eve","currency":"EUR"}')))
        assert opened.startswith(b"HTTP/1.1 200 ")
        account = json.loads(opened.partition(b"\r\n\r\n")[2])["credentials"]["account"]
        heard = bytes.fromhex(await say(port, request("balance", "{}", f"{account}:wrong")))
        assert heard.startswith(b"HTTP/1.1 401 ")


class Purse:
    """People with a bank at a port that others may take, on one air."""

    def __init__(self, place):
        self.place, self.port = place, lasting_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def bank(self, port=None):
        words = ("--books", str(self.place / "books"), "--bank-listen", f"127.0.0.1:{port or self.port}", "--json")
        return Process("moneydrop", "bank", *words)

    def wallet(self, name):
        return ("--name", name, "--wallet", str(self.place / name), "--bank", self.url, "--json")

    def account(self, name):
        return json.loads((self.place / name).read_text())["account"]

    def anna(self, fob):
        return Process("moneydrop", "receive", "--no-panel", "--controller", fob.hci, *self.wallet("anna"))

    async def pay(self, fob, name, *arguments):
        words = ("--to", "Anna", "--amount", "1", "--controller", fob.hci, "--timeout", "20")
        return await command("moneydrop", "send", *words, *self.wallet(name), *arguments)


@row(BANK_BEFORE)
async def test_who_has_the_banks_port_is_the_bank_of_new_accounts_only(place, program):
    purse = Purse(place)
    async with KeyFob() as fob:
        async with purse.bank() as bank, purse.anna(fob) as anna:
            await bank.event("bank")
            await anna.event("findable")
            paid = await purse.pay(fob, "ben")
            assert paid.code == 0, paid.story
        before = (place / "ben").read_bytes()
        # The bank ends, and another user has its port before it is back.
        bank = ("moneydrop", "bank", "--bank-listen", f"127.0.0.1:{purse.port}", "--json")
        async with Theirs(program, place / "all", *bank) as thief:
            await thief.event("bank")
            refused = await purse.pay(fob, "ben")
            assert refused.code == 2 and len(refused.errors) == 1, refused.story
            assert f"the wallet {place / 'ben'} is of another bank than the one at {purse.url}" in refused.errors[0], refused.story
            assert (place / "ben").read_bytes() == before
            # Who has no account yet opens one there.
            await purse.pay(fob, "carl", "--timeout", "1")
            assert purse.account("carl")["bankKey"] != purse.account("ben")["bankKey"]


@row(BANK_BEFORE)
async def test_who_passes_on_what_the_bank_is_asked_reads_nothing_of_it(place):
    purse, other = Purse(place), lasting_port()
    async with KeyFob() as fob, purse.bank(other) as bank:
        await bank.event("bank")
        async with another_runs(PASS_ON, purse.port, other) as relay:
            assert await line_of(relay) == "here"
            async with purse.anna(fob) as anna:
                await anna.event("findable")
                # An account is opened in the clear; what follows is not.
                assert (await purse.pay(fob, "ben")).code == 0
                await anna.event("received")
                paid = await purse.pay(fob, "ben")
                assert paid.code == 0, paid.story
                await anna.event("received")
            account, transfer = purse.account("ben")["credentials"], paid.one("transfer", state="told")["id"]
            relay.terminate()
            # The last line may be cut off.
            *lines, _ = (await relay.communicate())[0].decode().split("\n")
        exchanges = [[bytes.fromhex(part) for part in line.split(" ")] for line in lines]
        assert exchanges
        sealed = []
        for said, heard in exchanges:
            for head, body in re.findall(rb"POST /v1/([a-z-]+) HTTP/1\.1\r\n.*?\r\n\r\n(\{.*?\})(?=POST|$)", said, re.DOTALL):
                if head in (b"open", b"bank"):
                    continue
                assert b"sealed" in body, body
                sealed.append((head.decode(), body.decode()))
            if b"POST /v1/open " not in said:
                for secret in (account["secret"], account["account"], transfer):
                    assert secret.encode() not in said + heard
            assert b"uthorization" not in said
        assert {"token", "transfer"} & {name for name, _ in sealed}, exchanges
        # What was heard can be asked once more, and nothing else.
        for name, body in sealed[:3]:
            others = {"balance", "incoming", "transfer"} - {name}
            for ask in others:
                heard = bytes.fromhex(await say(other, request(ask, body)))
                assert heard.startswith(b"HTTP/1.1 401 "), (name, ask, heard)


# Other machines

# Begins a command in a network of its own, in which this machine has another address besides those of the loopback.
ALONE = """
import ctypes, fcntl, os, socket, struct, sys
if ctypes.CDLL(None, use_errno=True).unshare(0x40000000):
    sys.exit("no network of its own")
one = socket.socket()
fcntl.ioctl(one, 0x8914, struct.pack("16sh22x", b"lo", 0x49))
address = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton("192.0.2.7"))
fcntl.ioctl(one, 0x8916, struct.pack("16s16s8x", b"lo:1", address))
one.close()
os.execv(sys.argv[1], sys.argv[1:])
"""

FROM_ELSEWHERE = """
import socket, sys
for port in map(int, sys.argv[2:]):
    try:
        socket.create_connection((sys.argv[1], port), 5).close()
        print("connected")
    except ConnectionRefusedError:
        print("refused")
"""


class Alone(Process):
    """A command in a network of its own."""

    def __init__(self, *arguments):
        super().__init__("-c", ALONE, binary(), *arguments)

    @staticmethod
    def program():
        return "/usr/bin/python3"


def listening(process):
    """The addresses and ports at which a process listens, or takes packets."""
    own = set()
    for name in os.listdir(f"/proc/{process}/fd"):
        with suppress(FileNotFoundError):
            own.add(os.readlink(f"/proc/{process}/fd/{name}"))
    found = []
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/{process}/net/{kind}").read_text().splitlines()[1:]:
            fields = line.split()
            if f"socket:[{fields[9]}]" in own and (kind.startswith("udp") or fields[3] == "0A"):
                address, port = fields[1].split(":")
                # Numbers of 32 bits in the order of the machine.
                words = [bytes.fromhex(address[start : start + 8])[::-1] for start in range(0, len(address), 8)]
                found.append((ipaddress.ip_address(b"".join(words)), int(port, 16)))
    return found


async def from_elsewhere(process, address, *ports):
    """What becomes of connections to a process's ports within its network."""
    call = ["nsenter", "-t", str(process), "-n", "/usr/bin/python3", "-c", FROM_ELSEWHERE, address, *map(str, ports)]
    calling = await asyncio.to_thread(subprocess.run, call, capture_output=True, text=True, timeout=PATIENCE)
    assert calling.returncode == 0, calling.stderr
    return calling.stdout.split()


def may_be_alone():
    return subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode == 0


# Each command that has ports of its own if nothing is said, and which.
OPENS = {
    ("keyfob",): {6402, 6480},
    ("sensortag",): {6402, 6480},
    ("ibeacon", "--uuid", "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5", "--major", "1", "--minor", "2"): {6402, 6480},
    ("text", "serve"): {6402, 6480},
    ("text", "demo"): {6402, 6480},
    ("overflow", "demo"): {6402, 6480},
    ("desk", "--id", "4711", "--users", "users", "--key", "own/key"): {6402, 6480},
    ("attach", "--unix", "hci"): {6402, 6480},
    ("moneydrop", "receive", "--name", "Anna"): {6402, 6404, 6480},
    ("moneydrop", "demo"): {6402, 6404, 6480},
    ("moneydrop", "bank"): {6404},
}


@row(HCI_TCP, PANEL, BANK)
@pytest.mark.parametrize("command", OPENS, ids=lambda command: "-".join(command[:2]))
async def test_no_port_can_be_reached_from_another_machine(place, monkeypatch, command):
    if not may_be_alone():
        pytest.skip("no process may have a network of its own here")
    monkeypatch.chdir(place)
    if command[0] == "desk":
        make_users(place / "users")
    async with Alone(*command, "--json") as process:

        async def has_its_ports():
            assert process.process.returncode is None, process.story()
            return {port for _, port in listening(process.process.pid)} >= OPENS[command]

        await until(has_its_ports, "listening at its ports")
        found = listening(process.process.pid)
        assert {port for _, port in found} == OPENS[command] and all(address.is_loopback for address, _ in found), found
        ports = sorted(OPENS[command])
        assert await from_elsewhere(process.process.pid, "192.0.2.7", *ports) == ["refused"] * len(ports)
        assert await from_elsewhere(process.process.pid, "127.0.0.1", *ports) == ["connected"] * len(ports)


@row(HCI_TCP, PANEL, BANK)
async def test_ports_can_be_reached_from_another_machine_where_that_was_asked_for():
    if not may_be_alone():
        pytest.skip("no process may have a network of its own here")
    async with Alone("keyfob", "--hci-listen", "0.0.0.0:6402", "--expose-hci", "--panel-listen", "192.0.2.7:6480", "--json") as fob:
        await fob.event("panel")
        assert {(str(address), port) for address, port in listening(fob.process.pid)} == {("0.0.0.0", 6402), ("192.0.2.7", 6480)}
        assert await from_elsewhere(fob.process.pid, "192.0.2.7", 6402, 6480) == ["connected"] * 2
        ask = b"GET /api/world HTTP/1.1\r\nhost: 192.0.2.7:6480\r\nconnection: close\r\n\r\n"
        for port, said, heard in ((6402, RESET, COMPLETE), (6480, ask, b"HTTP/1.1 401 ")):
            program = SAY.replace('"127.0.0.1"', '"192.0.2.7"')
            words = ("/usr/bin/python3", "-c", program, "2", str(port), said.hex(), str(len(heard)))
            call = ["nsenter", "-t", str(fob.process.pid), "-n", *words]
            calling = await asyncio.to_thread(subprocess.run, call, capture_output=True, text=True, timeout=PATIENCE)
            assert bytes.fromhex(calling.stdout).startswith(heard), calling
    # A bank has no such option.
    refused = await command("moneydrop", "bank", "--bank-listen", "0.0.0.0:0")
    assert refused.code == 2 and "can be reached from other machines" in refused.errors[0], refused.story


# Open MPI


@row(MPI_PORTS, MPI_FILES)
async def test_open_mpi_listens_at_all_addresses_and_keeps_its_files_to_its_user(place):
    if not shutil.which("mpirun") or "(Open MPI) 4." not in (await asyncio.to_thread(version_of_mpi)):
        pytest.skip("there is no Open MPI 4")
    shared = place / "all"
    environment = dict(os.environ, TMPDIR=str(shared), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    running = await started("mpirun", "-n", "1", "sleep", "60", env=environment)
    try:

        async def is_there():
            found = list(shared.glob("ompi.*/pid.*/contact.txt"))
            return found if any(address.is_unspecified for address, _ in listening(running.pid)) else None

        contact = (await until(is_there, "a session and its ports"))[0]
        ports = {port for address, port in listening(running.pid) if address.is_unspecified}
        connect = "import socket, sys\nfor port in sys.argv[1:]: socket.create_connection(('127.0.0.1', int(port)), 5); print('in')"
        assert (await as_another(connect, *ports)).split() == ["in"] * len(ports)
        # Some of the files would be open to all; their folder is not.
        folder = contact.parents[1]
        assert folder.stat().st_mode & 0o777 == 0o700
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert files
        assert await as_another(TRY, shared, *files) == ""
    finally:
        running.terminate()
        await running.communicate()


def version_of_mpi():
    return subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
