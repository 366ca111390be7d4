"""Another user of the machine, `nobody`, and what that user tries; with the lines of the tables in docs/security.md."""

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from bluethroat import PATIENCE, Process, binary, started

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
ARGUMENTS = "a command's arguments"
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
BESIDE = "the name of the journal beside bonds or books in such a folder (`FILE-journal`, `FILE-wal`), while a command has them open"
RESULTS = "results (`--csv`, `--svg`)"
KEPT = "kept results (`--resume`)"
READ_ONLY = "what is only read (a study, its traces, a script, a photo)"
MPI_FILES = "files of Open MPI (`--ranks mpi`)"
OUTPUT = "standard output and standard error"


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
alone = threading.Lock()

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
    with alone:
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


# Has a journal beside somebody's database, as if a crash had left it: it says that pages were what is in a file of one's own.
LAY = """
import os, struct, sys
own, journal = sys.argv[1:]
pages, size, nonce = open(own, "rb").read(), 4096, 0x1234
count = len(pages) // size
laid = (bytes.fromhex("d9d505f920a163d7") + struct.pack(">5I", count, nonce, count, 512, size)).ljust(512, b"\\0")
for number in range(count):
    page = pages[number * size:][:size]
    laid += struct.pack(">I", number + 1) + page + struct.pack(">I", nonce + sum(page[size - 200:0:-200]) & 0xFFFFFFFF)
os.umask(0)
with open(journal + ".own", "wb") as file:
    file.write(laid)
os.chmod(journal + ".own", 0o666)
os.rename(journal + ".own", journal)
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


def make_users(path):
    adding = subprocess.run(
        [binary(), "desk", "add-user", "alice", "--users", path, "--cost", "10"],
        input="correct horse\ncorrect horse\n", text=True, capture_output=True,
    )  # fmt: skip
    assert adding.returncode == 0, adding.stderr
