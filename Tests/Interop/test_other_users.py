"""What another user of the machine can read and do: each line of the tables in docs/security.md, tried as `nobody`.

A test names the lines that it is about (`row`), and `test_each_line_of_the_tables_has_a_test` reads the page."""

import asyncio
import base64
import ipaddress
import json
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import keyfob_table as table
import pytest
from bluethroat import PATIENCE, ROOT, KeyFob, Process, binary, command, lasting_port, started, until
from crowds import connect
from panel_client import Panel
from test_crowds import COMPLETE, RESET, FewDescriptors, on, reset
from test_private_files import STUDY

NOBODY = 65534

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user: run these tests as root")

# Which tests a line of the tables has, by what stands in its first cell.
ROWS = {}


def row(*cells):
    """Notes that a test is about these lines. Only root can run it."""

    def note(test):
        for cell in cells:
            ROWS.setdefault(cell, []).append(test.__name__)
        return as_root(test)

    return note


HCI_TCP = "HCI port, TCP (`--hci-listen`, 127.0.0.1:6402)"
HCI_UNIX = "HCI port, Unix (`--hci-listen unix:PATH`, `attach --unix PATH`)"
HCI_LINES = "HCI port, serial lines (`--hci-listen pty:PATH`, `attach --pty PATH`)"
ADAPTERS = "adapters of the kernel (`attach --vhci`)"
CONTROLLERS = "a port, socket or line that `--hci` or `--controller` leads to, where this user's program was expected"
PANEL = "panel (127.0.0.1:6480)"
BANK_BEFORE = "the bank's port, before the bank has it"
BANK = "bank (127.0.0.1:6404)"
MPI_PORTS = "ports of Open MPI (`--ranks mpi`)"
TOKEN = "panel's token (`--panel-token-file`, environment)"
MEMORY = "a command's memory and environment"
BONDS = "bond file, what is exported from it (`bonds export --output`), and what was put aside (`*.damaged-1`)"
CAPTURES = "captures (`--capture`, `--btsnoop`)"
SECRETS = (
    "vault, device key, wallet and the photos beside it, receipts (`--receipt`), books, list of users, key of a desk, its log "
    "and head"
)
CARRIED = "what was carried over (`--own-oob`, `--oob`), a password file"
LOCKS = "locks (`*.lock`)"
FOLDER_OF_BONDS = "the folder of a bond file"
NAMES = "names of such files, sockets and lines in a folder for all, such as `/tmp`"
RESULTS = "results (`--csv`, `--svg`)"
KEPT = "kept results (`--resume`)"
READ_ONLY = "what is only read (a study, its traces, a script, a photo)"
MPI_FILES = "files of Open MPI (`--ranks mpi`)"
OUTPUT = "standard output and standard error"

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


@pytest.fixture
def place():
    """A folder that all users can enter and list, for files that they must not read. In `all` everybody may make files."""
    path = Path(tempfile.mkdtemp(prefix="bluethroat-place-"))
    path.chmod(0o755)
    (path / "all").mkdir()
    (path / "all").chmod(0o777)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="module")
def program():
    """The command where another user can start it: it may have been built in a folder that others cannot enter."""
    with tempfile.TemporaryDirectory(prefix="bluethroat-program-") as folder:
        Path(folder).chmod(0o755)
        yield shutil.copy(binary(), folder)


async def as_another(program, *arguments):
    """What a Python program prints that runs as another user."""
    running = await asyncio.to_thread(
        subprocess.run,
        ["/usr/bin/python3", "-c", program, *map(str, arguments)],
        user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert running.returncode == 0, running.stderr
    return running.stdout.strip()


@asynccontextmanager
async def another_runs(program, *arguments):
    """The same, while the block runs."""
    running = await started(
        "/usr/bin/python3", "-c", program, *map(str, arguments), user=NOBODY, group=NOBODY, extra_groups=[], cwd="/"
    )
    try:
        yield running
    finally:
        if running.returncode is None:
            running.kill()
        await running.communicate()


async def line_of(running):
    return (await asyncio.wait_for(running.stdout.readline(), PATIENCE)).decode().strip()


class Theirs(Process):
    """The command, run by another user."""

    def __init__(self, program, home, *arguments, user=NOBODY):
        self.home = str(home)
        ids = ("--reuid", str(user), "--regid", str(user), "--clear-groups")
        super().__init__(*ids, "env", "-C", "/", program, *arguments)

    @staticmethod
    def program():
        return "setpriv"

    def environment(self):
        return {"HOME": self.home, "PATH": os.environ["PATH"]}


SAY = """
import socket, sys
family, place, said = int(sys.argv[1]), sys.argv[2], bytes.fromhex(sys.argv[3])
one = socket.socket(socket.AddressFamily(family))
one.settimeout(20)
try:
    one.connect(("127.0.0.1", int(place)) if place.isdigit() else place)
    one.sendall(said)
    heard = b""
    while piece := one.recv(65536):
        heard += piece
        if len(heard) >= int(sys.argv[4]):
            break
    print(heard.hex())
except OSError as error:
    print(type(error).__name__)
"""

# Offers controllers at ports, a socket and a serial line, accepts at once or never, and prints what hosts say to it.
OFFER = """
import os, pty, select, socket, sys, time
folder, accepts = sys.argv[1], sys.argv[2] == "accepts"
ports = []
for address in ("127.0.0.1", "::", "::ffff:0.0.0.0"):
    ports.append(socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET))
    ports[-1].bind((address, 0))
one = socket.socket(socket.AF_UNIX)
one.bind(folder + "/hci")
os.chmod(folder + "/hci", 0o666)
ours, theirs = pty.openpty()
os.symlink(os.ttyname(theirs), folder + "/line")
os.chmod(os.ttyname(theirs), 0o666)
for each in (*ports, one):
    each.listen()
print(*(port.getsockname()[1] for port in ports), flush=True)
listening, heard = [*ports, one] if accepts else [], b""
reading = [ours, sys.stdin]
while True:
    for ready in select.select(listening + reading, [], [])[0]:
        if ready in listening:
            reading.append(ready.accept()[0])
            continue
        if ready is sys.stdin:
            print(heard.hex(), flush=True)
            sys.exit()
        said = os.read(ready if ready is ours else ready.fileno(), 4096)
        heard += said
        if not said:
            reading.remove(ready)
"""

# Tries what must not be possible with files of others, and prints what was.
TRY = """
import errno, fcntl, os, stat, sys
folder, *paths = sys.argv[1:]
own = folder + "/own"
files = {
    "read": lambda path: open(path, "rb"),
    "change": lambda path: open(path, "r+b"),
    "empty": lambda path: open(path, "wb"),
    "lock": lambda path: fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB),
    "open to all": lambda path: os.chmod(path, 0o666),
    "read by another name": lambda path: (os.link(path, own + "-name"), open(own + "-name", "rb")),
    "put another in its place": lambda path: os.rename(own, path),
    "remove": os.remove,
}
folders = {
    "list": os.listdir,
    "make a file": lambda path: open(path + "/own", "wb"),
    "open to all": lambda path: os.chmod(path, 0o777),
    "remove": os.rmdir,
}
for path in paths:
    try:
        ways = folders if stat.S_ISDIR(os.stat(path).st_mode) else files
    except PermissionError:
        ways = files
    for name, way in ways.items():
        open(own, "wb").close()
        try:
            way(path)
            print(name, path)
        except OSError as error:
            # Nor is there a way from one file system to another.
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EXDEV):
                raise
"""

# Says something, many times at once, prints how often it was answered, and goes when it is told to.
FILL = """
import socket, sys
port, count, said, length = int(sys.argv[1]), int(sys.argv[2]), bytes.fromhex(sys.argv[3]), int(sys.argv[4])
all = []
for _ in range(count):
    one = socket.create_connection(("127.0.0.1", port), 20)
    one.sendall(said)
    all.append(one)
print(sum(len(one.recv(length, socket.MSG_WAITALL)) == length for one in all), flush=True)
sys.stdin.readline()
"""

# Passes on what comes to one port to another one and back, and prints what was said, a line for each connection.
PASS_ON = """
import socket, sys, threading
here, there = int(sys.argv[1]), int(sys.argv[2])
listener = socket.create_server(("127.0.0.1", here))
print("here", flush=True)

def carry(source, sink, heard=None):
    try:
        while piece := source.recv(65536):
            if heard is not None:
                heard += piece
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass

def serve(client):
    bank, heard, back = socket.create_connection(("127.0.0.1", there)), bytearray(), bytearray()
    answers = threading.Thread(target=carry, args=(bank, client, back), daemon=True)
    answers.start()
    carry(client, bank, heard)
    answers.join(20)
    print(heard.hex(), back.hex(), flush=True)

while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
"""

# Tries to read, and prints what came of it.
LOOK = """
import sys
for path in sys.argv[1:]:
    try:
        print(open(path, "rb").read(1))
    except PermissionError:
        print("refused")
"""

# Holds the lock of a folder until it is told to end.
HOLD = """
import fcntl, os, sys
fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.readline()
"""

# Makes what others may want to make.
MAKE = """
import os, sys
kind, *paths = sys.argv[1:]
for path in paths:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        os.symlink(path + "-elsewhere", path)
    else:
        with open(path, "w") as file:
            file.write("theirs")
        os.chmod(path, 0o600)
"""


async def say(place, said, most=1 << 20):
    """What is heard by another user that says something."""
    family = socket.AF_INET if str(place).isdigit() else socket.AF_UNIX
    return await as_another(SAY, int(family), place, said.hex(), most)


async def command_line(*arguments, env=None):
    """A command that ends by itself."""
    return await asyncio.to_thread(
        subprocess.run,
        [binary(), *arguments],
        env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip


async def nothing_works(place, *paths):
    """Whether another user can do nothing with files and folders that there are."""
    before = {path: os.lstat(path) for path in paths}
    assert await as_another(TRY, place / "all", *paths) == ""
    for path in paths:
        assert (os.lstat(path).st_uid, os.lstat(path).st_mode) == (before[path].st_uid, before[path].st_mode), path


async def nothing_is_readable(place, *names):
    """Whether all files that there are have been made, and another user can do nothing with any of them."""
    paths = [path for path in place.rglob("*") if place / "all" not in (path, *path.parents)]
    assert set(names) <= {path.name for path in paths}, paths
    for path in paths:
        assert path.stat().st_mode & 0o077 == 0, f"{path.name}: {path.stat().st_mode:o}"
    await nothing_works(place, *paths)


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
        for where in (*tcp, f"unix:{folder}/hci", f"pty:{folder}/line", f"serial:{folder}/line"):
            attach = ("attach", "--controller", where, "--unix", str(place / "own"))
            for command in (("scan", "--hci", where, "--bonds", bonds), attach):
                running = await command_line(*command)
                assert running.returncode != 0 and running.stdout == "", running
                assert "another user's (ID 65534), who would learn the keys of all links" in running.stderr, running
                assert len(running.stderr.splitlines()) == 1, running
        offer.stdin.write(b"\n")
        assert await line_of(offer) == "", "what was said to the other user"


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
            lines = (await relay.communicate())[0].decode().splitlines()
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


def make_users(path):
    adding = subprocess.run(
        [binary(), "desk", "add-user", "alice", "--users", path, "--cost", "10"],
        input="correct horse\ncorrect horse\n", text=True, capture_output=True,
    )  # fmt: skip
    assert adding.returncode == 0, adding.stderr


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


# Files


@row(BONDS, CAPTURES, SECRETS, LOCKS)
async def test_no_file_that_a_command_makes_can_be_read_or_changed(place):
    names = {name: str(place / name) for name in ("air.pcapng", "hci.btsnoop", "bonds", "books", "users", "wallet")}
    vault = place / "vault"
    make_users(names["users"])
    arguments = ("--capture", names["air.pcapng"], "--btsnoop", names["hci.btsnoop"], "--bonds", names["bonds"])
    async with KeyFob(*arguments) as fob:
        login = ("login", "--vault", str(vault), "--bonds", names["bonds"] + "-of-login", "--json", "--no-panel")
        async with Process(*login, "--controller", fob.hci) as phone:
            await phone.event("screen")
        where = ("--bank-listen", "127.0.0.1:0", "--hci-listen", "127.0.0.1:0", "--no-panel", "--json")
        files = ("--wallet", names["wallet"], "--books", names["books"])
        async with Process("moneydrop", "receive", "--name", "Anna", *files, *where) as one:
            await one.event("findable")
            await nothing_is_readable(place, *names, "users.lock", "wallet.lock")


@row(SECRETS, LOCKS)
async def test_the_key_the_log_and_the_head_of_a_desk_are_for_its_user_alone(place):
    make_users(place / "users")
    # A new key is made in a folder for one user only.
    place.chmod(0o700)
    names = {option: str(place / option) for option in ("key", "log", "head")}
    files = ("--users", str(place / "users"), "--key", names["key"], "--log", names["log"], "--log-head", names["head"])
    async with Process("desk", "--id", "4711", *files, "--hci-listen", "127.0.0.1:0", "--no-panel", "--json") as desk:
        await desk.event("listening")
        place.chmod(0o755)
        desk.say("login alice")
        desk.say("a guess")
        await desk.event("rejected", user="alice")
        await nothing_is_readable(place, *names, "key.lock", "users.lock")
        # Nothing was taken away, and the desk goes on writing.
        desk.say("login alice")
        desk.say("correct horse")
        await desk.event("logged-in", user="alice")
        answer = await command("desk", "verify-log", "--id", "4711", *files[2:])
        assert answer.code == 0, answer.story
        await nothing_is_readable(place, *names, "key.lock", "users.lock")


@row(SECRETS, LOCKS)
async def test_photos_and_receipts_are_for_their_user_alone(place):
    (place / "anna.jpg").write_bytes(os.urandom(3_000))
    (place / "anna.jpg").chmod(0o600)
    receive = ("moneydrop", "receive", "--name", "Anna", "--no-panel", "--json", "--photo", str(place / "anna.jpg"))
    places = ("--hci-listen", "127.0.0.1:0", "--bank-listen", "127.0.0.1:0", "--receipt", str(place / "anna.txt"))
    async with Process(*receive, *places) as anna:
        where = ("--controller", (await anna.event("listening"))["hci"], "--bank", (await anna.event("bank"))["url"])
        await anna.event("findable")
        files = ("--wallet", str(place / "ben"), "--receipt", str(place / "ben.svg"))
        paid = await command("moneydrop", "send", "--to", "Anna", "--amount", "1", "--name", "Ben", *files, *where, "--json")
        assert paid.code == 0, paid.story
        photo = Path(paid.one("photo", bytes=3_000)["file"])
        assert photo.parent == place / "ben.photos" and photo.read_bytes() == (place / "anna.jpg").read_bytes()
        await anna.event("receipt")
        await nothing_is_readable(place, "anna.txt", "ben.svg", "ben", "ben.lock", "ben.photos", photo.name)


@row(BONDS, CARRIED)
async def test_bonds_exports_damaged_files_and_out_of_band_data_are_for_their_user_alone(place):
    bonds, keys, own = place / "bonds", place / "keys", place / "own"
    async with KeyFob("--bonds", str(place / "of-the-fob")) as fob:
        paired = await command("pair", table.NAME, "--passkey", "0", "--bond", "--hci", fob.hci, "--bonds", str(bonds))
        assert paired.code == 0, paired.story
        exported = await command("bonds", "export", "--keys", "--output", str(keys), "--bonds", str(bonds))
        assert exported.code == 0 and "longTermKey" in keys.read_text(), exported.story
        # It is written before the device is looked for, which cannot use it.
        await command("pair", table.NAME, "--own-oob", str(own), "--hci", fob.hci, "--bonds", str(bonds))
        assert "random" in own.read_text()
        await nothing_is_readable(place, "bonds", "keys", "own", "of-the-fob")
    bonds.write_bytes(bonds.read_bytes()[:100] + b"\xa7" * 4_000)
    listed = await command("bonds", "list", "--bonds", str(bonds))
    assert "was moved to" in "".join(listed.errors), listed.story
    await nothing_is_readable(place, "bonds.damaged-1")


@row(FOLDER_OF_BONDS)
async def test_who_may_list_the_folder_of_bonds_can_keep_them_from_being_opened(place):
    """By a lock on the folder itself, which commands hold while they open such a file. In a folder for one user nobody can."""
    async with KeyFob("--bonds", str(place / "bonds")):
        pass
    listed = ("bonds", "list", "--bonds", str(place / "bonds"))
    async with another_runs(HOLD, place) as other:
        assert await line_of(other) == "held"
        answer = await command(*listed)
        assert answer.code == 1 and len(answer.errors) == 1 and str(place / "bonds") in answer.errors[0], answer.story
    assert (await command(*listed)).code in (0, 3)
    place.chmod(0o700)
    async with another_runs(HOLD, place) as other:
        assert await line_of(other) == ""
        assert (await command(*listed)).code in (0, 3)
    place.chmod(0o755)


HERE = "--no-panel --hci-listen 127.0.0.1:0"
DESK = f"desk --id 4711 --users {{}}/users --key {{}}/../own/key {HERE}"
# What is begun with a name in a folder for all, and which name another user has by then.
TAKEN = {
    "socket": ("keyfob --no-panel --hci-listen unix:{}/name", "name"),
    "line": ("keyfob --no-panel --hci-listen pty:{}/name", "name"),
    "attached line": (f"attach {HERE} --pty {{}}/name", "name"),
    "capture": (f"keyfob {HERE} --capture {{}}/name", "name"),
    "token": ("keyfob --hci-listen 127.0.0.1:0 --panel-listen 127.0.0.1:0 --panel-token-file {}/name", "name"),
    "bonds": (f"keyfob {HERE} --bonds {{}}/name", "name"),
    "what is beside bonds": (f"keyfob {HERE} --bonds {{}}/name", "name-journal"),
    "bonds that are made": ("pair Keyfobdemo --passkey 0 --bond --bonds {}/name --hci", "name.new"),
    "out-of-band data": ("pair Keyfobdemo --own-oob {}/name --hci", "name"),
    "wallet's lock": (f"moneydrop receive --name Anna {HERE} --bank-listen 127.0.0.1:0 --wallet {{}}/name", "name.lock"),
    "wallet that is made": (f"moneydrop receive --name Anna {HERE} --bank-listen 127.0.0.1:0 --wallet {{}}/name", "name.new"),
    "books": ("moneydrop bank --bank-listen 127.0.0.1:0 --books {}/name", "name"),
    "list of users": ("desk add-user alice --cost 10 --users {}/name", "name"),
    "lock of a list": ("desk add-user alice --cost 10 --users {}/name", "name.lock"),
    "log": (f"{DESK} --log {{}}/name", "name"),
    "head": (f"{DESK} --log {{}}/name", "name.head"),
}


@row(NAMES)
@pytest.mark.parametrize("kind", ["file", "link", "pipe"])
@pytest.mark.parametrize("what", TAKEN)
async def test_who_has_a_name_first_keeps_a_command_from_beginning_and_no_more(place, program, what, kind):
    """In such a folder nobody but root may take away what is another's: so this is done by a third user."""
    shared, own = place / "all", place / "own"
    own.mkdir(mode=0o700)
    shared.chmod(0o1777)
    make_users(shared / "users")
    for path in (own, *shared.iterdir()):
        os.chown(path, NOBODY - 1, NOBODY - 1)
    words, name = TAKEN[what]
    arguments = words.replace("{}", str(shared)).split()
    await as_another(MAKE, kind, shared / name)
    before = os.lstat(shared / name)
    async with AsyncExitStack() as stack:
        if arguments[-1] == "--hci":
            arguments.append((await stack.enter_async_context(KeyFob())).hci)
        answer = await asyncio.to_thread(
            subprocess.run, [program, *arguments],
            user=NOBODY - 1, group=NOBODY - 1, extra_groups=[], cwd="/", env={"HOME": str(own), "PATH": os.environ["PATH"]},
            input="correct horse\n", capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
    assert answer.returncode in (1, 2) and len(answer.stderr.splitlines()) == 1, answer
    assert str(shared / "name") in answer.stderr, answer
    after = os.lstat(shared / name)
    assert (after.st_ino, after.st_uid) == (before.st_ino, NOBODY)
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert not os.path.lexists(shared / f"{name}-elsewhere"), "a link of another user was followed"


@row(NAMES)
async def test_the_next_link_to_a_serial_line_has_no_name_that_another_user_could_have_first(place, program):
    shared = place / "all"
    shared.chmod(0o1777)
    path = shared / "hci"
    async with Theirs(program, shared, "keyfob", "--no-panel", "--json", "--hci-listen", f"pty:{path}", user=NOBODY - 1) as fob:
        await fob.event("listening")
        await as_another(MAKE, "file", f"{path}.{fob.process.pid}")
        for _ in range(3):
            await on(f"pty:{path}", reset)
            assert os.path.lexists(path)


@row(RESULTS)
async def test_results_are_as_the_umask_allows_and_go_through_nothing_of_others(place):
    study, shared = place / "study.yaml", place / "all"
    study.write_text(STUDY)
    for mask, seen in ((0o022, "read"), (0o077, "")):
        results = place / f"results-{mask:o}"
        umask = ["sh", "-c", f'umask {mask:o}; exec "$@"', "sh"]
        running = await asyncio.to_thread(
            subprocess.run, [*umask, binary(), "study", study, "--csv", results, "--svg", f"{results}.svg"], capture_output=True
        )
        assert running.returncode == 0, running
        for path in (results, f"{results}.svg"):
            assert await as_another(TRY, shared, path) == (f"{seen} {path}\nlock {path}" if seen else "")
    shared.chmod(0o1777)
    for kind, words in (("link", "it is a link of another user"), ("pipe", "it is a pipe of another user")):
        await as_another(MAKE, kind, shared / kind)
        answer = await command("study", str(study), "--csv", str(shared / kind))
        assert answer.code == 1 and len(answer.errors) == 1 and words in answer.errors[0], answer.story
        assert not os.path.lexists(shared / f"{kind}-elsewhere")


@row(KEPT)
async def test_a_kept_result_of_another_user_is_not_believed(place):
    study, kept = place / "study.yaml", place / "all" / "kept"
    study.write_text(STUDY)
    words = ("study", str(study), "--csv", "-", "--resume", str(kept))
    first = await command(*words)
    assert first.code == 0, first.story
    (file,) = kept.iterdir()
    kept.chmod(0o777)
    # Its bytes are sound; whose they are is not.
    again = "import os, sys\nwas = open(sys.argv[1]).read(); os.remove(sys.argv[1]); open(sys.argv[1], 'w').write(was)"
    await as_another(again, file)
    answer = await command(*words)
    assert answer.code == 1 and f"{file} is another user's: remove it, and it is computed again" in answer.errors[0], answer.story


@row(READ_ONLY)
async def test_what_another_user_gives_to_be_read_is_read_as_far_as_such_a_file_goes(place):
    shared = place / "all"
    write = "import sys\nopen(sys.argv[1], 'w').write(sys.argv[2])"
    await as_another(write, shared / "study.yaml", STUDY)
    await as_another(write, shared / "script", "@1 q\n")
    assert (await command("study", str(shared / "study.yaml"), "--csv", "-")).code == 0
    assert (await command("keyfob", "--fast", "--for", "1", "--script", str(shared / "script"))).code == 0
    fill = "import sys\nopen(sys.argv[1], 'w').write('# ' * 600_000)"
    for name in ("study.yaml", "script"):
        await as_another(fill, shared / name)
    await as_another("import sys\nopen(sys.argv[1], 'w').truncate(300 << 20)", shared / "photo")
    for words in (
        ("study", str(shared / "study.yaml")),
        ("keyfob", "--fast", "--for", "1", "--script", str(shared / "script")),
        ("moneydrop", "receive", "--name", "Anna", "--no-panel", "--photo", str(shared / "photo")),
    ):
        answer = await command(*words)
        assert answer.code in (1, 2) and len(answer.errors) == 1 and "longer than" in answer.errors[0], answer.story


@row(OUTPUT)
async def test_output_in_a_file_for_all_has_the_panels_token_for_all(place):
    """Which the page warns of: where output goes is the shell's affair."""
    log = place / "log"
    words = ("keyfob", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    with log.open("w") as file:
        fob = await asyncio.create_subprocess_exec(
            binary(), *words, stdin=asyncio.subprocess.PIPE, stdout=file, stderr=subprocess.STDOUT
        )
    try:
        found = await until(lambda: address_in(log), "the panel's address")
        panel = Panel(found)
        read = "import sys\nprint(open(sys.argv[1]).read())"
        log.chmod(0o644)
        assert panel.token in await as_another(read, log)
        heard = bytes.fromhex(await say(panel.port, panel.request("GET", "/api/world")))
        assert heard.startswith(b"HTTP/1.1 200 ")
        log.chmod(0o600)
        await nothing_works(place, log)
    finally:
        fob.kill()
        await fob.communicate()


async def address_in(log):
    found = re.search(r"http://\S+\?token=\S+", log.read_text())
    return found and found[0]
