"""What another user of the machine can read and do: each line of the table in docs/security.md, tried as `nobody`."""

import asyncio
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from bluethroat import PATIENCE, KeyFob, Process, binary
from panel_client import Panel
from test_crowds import COMPLETE, RESET

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user: run these tests as root")

NOBODY = 65534


@pytest.fixture
def place():
    """A folder that all users can enter and list, for files that they must not read."""
    path = Path(tempfile.mkdtemp(prefix="bluethroat-place-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


async def as_another(program, *arguments):
    """What a Python program prints that runs as another user."""
    running = await asyncio.to_thread(
        subprocess.run,
        ["/usr/bin/python3", "-c", program, *map(str, arguments)],
        user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert running.returncode == 0, running.stderr
    return running.stdout.strip()


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

READ = """
import sys
for path in sys.argv[1:]:
    for mode in ("rb", "r+b"):
        try:
            open(path, mode).close()
            print(path, mode)
        except PermissionError:
            pass
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


@asynccontextmanager
async def as_nobody_keyfob():
    """The port of a key fob that another user runs."""
    # The program may be in a folder that others cannot enter.
    with tempfile.TemporaryDirectory(prefix="bluethroat-program-") as folder:
        Path(folder).chmod(0o755)
        program = shutil.copy(binary(), folder)
        fob = await asyncio.create_subprocess_exec(
            program, "keyfob", "--hci-listen", "127.0.0.1:0", "--no-panel", "--json",
            user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", env={"HOME": folder, "PATH": os.environ["PATH"]},
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            while (event := json.loads(await asyncio.wait_for(fob.stdout.readline(), PATIENCE)))["event"] != "listening":
                pass
            yield int(event["hci"].rpartition(":")[2])
        finally:
            if fob.returncode is None:
                fob.kill()
            await fob.wait()


async def nothing_is_readable(folder, *names):
    """Whether all files that there are have been made, and none of them can be opened by another user."""
    files = [path for path in folder.rglob("*") if not path.is_dir()]
    assert set(names) <= {path.name for path in files}, files
    for path in files:
        assert path.stat().st_mode & 0o077 == 0, f"{path.name}: {path.stat().st_mode:o}"
    assert await as_another(READ, *files) == ""


async def test_the_port_for_hosts_is_open_on_tcp():
    async with KeyFob() as fob:
        assert await say(fob.port, RESET, len(COMPLETE)) == COMPLETE.hex()


async def test_the_socket_for_hosts_is_for_its_user_alone(place):
    path = place / "hci"
    async with Process("keyfob", "--hci-listen", f"unix:{path}", "--json") as fob:
        assert (await fob.event("listening"))["hci"] == f"unix:{path}"
        assert path.stat().st_mode & 0o777 == 0o600
        assert await say(path, RESET) == "PermissionError"
        # Whatever becomes of the file's mode, the user ID is looked at.
        path.chmod(0o666)
        assert await say(path, RESET) in ("", "BrokenPipeError", "ConnectionResetError")
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(RESET)
        assert await asyncio.wait_for(reader.readexactly(len(COMPLETE)), PATIENCE) == COMPLETE
        writer.close()


@pytest.mark.parametrize("manner", ["accepts", "waits"])
async def test_what_another_user_offers_is_no_controller_for_our_keys(place, manner):
    folder = place / "public"
    folder.mkdir()
    folder.chmod(0o777)
    offer = await asyncio.create_subprocess_exec(
        "/usr/bin/python3", "-c", OFFER, str(folder), manner,
        user=NOBODY, group=NOBODY, extra_groups=[], cwd="/",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        ports = [int(word) for word in (await offer.stdout.readline()).split()]
        bonds = str(place / "bonds")
        tcp = [f"tcp:127.0.0.1:{port}" for port in ports] + [f"tcp:[::ffff:127.0.0.1]:{ports[0]}", f"tcp:[::1]:{ports[1]}"]
        for where in (*tcp, f"unix:{folder}/hci", f"pty:{folder}/line", f"serial:{folder}/line"):
            for command in (("scan", "--hci", where, "--bonds", bonds), ("attach", "--controller", where, "--unix", str(place / "own"))):
                running = await command_line(*command)
                assert running.returncode != 0 and running.stdout == "", running
                assert "another user's (ID 65534), who would learn the keys of all links" in running.stderr, running
                assert len(running.stderr.splitlines()) == 1, running
        offer.stdin.write(b"\n")
        assert await asyncio.wait_for(offer.stdout.readline(), PATIENCE) == b"\n", "what was said to the other user"
    finally:
        if offer.returncode is None:
            offer.kill()
        await offer.wait()


async def test_who_became_root_by_sudo_uses_their_own_controllers(place):
    async with as_nobody_keyfob() as port:
        for name, code in (("SUDO_UID", 0), ("PKEXEC_UID", 0), ("ANOTHER_UID", 1)):
            running = await command_line("scan", "--hci", f"127.0.0.1:{port}", "--timeout", "1", env={name: str(NOBODY)})
            assert running.returncode == code, running


async def test_who_became_root_by_su_uses_their_own_controllers(place):
    """Linux keeps who has logged in, whatever they have become since."""
    scan = 'echo "$1" >/proc/self/loginuid && shift && exec "$@"'
    if subprocess.run(["sh", "-c", scan, "sh", str(NOBODY), "true"], capture_output=True).returncode:
        pytest.skip("nobody can be logged in here: /proc/self/loginuid cannot be written")
    async with as_nobody_keyfob() as port:
        for user, code in ((NOBODY, 0), (NOBODY - 1, 1)):
            arguments = (binary(), "scan", "--hci", f"127.0.0.1:{port}", "--timeout", "1")
            running = await asyncio.to_thread(
                subprocess.run, ["sh", "-c", scan, "sh", str(user), *arguments], stdin=subprocess.DEVNULL, timeout=PATIENCE
            )
            assert running.returncode == code, (user, running)


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
        assert await as_another(READ, token, f"/proc/{fob.process.pid}/environ") == ""
        panel.token = secret
        assert (await panel.get("/api/devices"))["devices"][0]["device"] == 0


async def test_the_bank_opens_accounts_and_shows_none_without_its_secret():
    async with Process("moneydrop", "bank", "--bank-listen", "127.0.0.1:0", "--json") as process:
        port = int((await process.event("bank"))["url"].rpartition(":")[2])

        def request(name, body, secret=None):
            words = f"authorization: Basic {base64.b64encode(secret.encode()).decode()}\r\n" if secret else ""
            head = f"POST /v1/{name} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n{words}"
            return (head + f"connection: close\r\ncontent-length: {len(body)}\r\n\r\n{body}").encode()

        opened = bytes.fromhex(await say(port, request("open", '{"name":"Eve","currency":"EUR"}')))
        assert opened.startswith(b"HTTP/1.1 200 ")
        account = json.loads(opened.partition(b"\r\n\r\n")[2])["credentials"]["account"]
        heard = bytes.fromhex(await say(port, request("balance", "{}", f"{account}:wrong")))
        assert heard.startswith(b"HTTP/1.1 401 ")


async def test_no_file_that_a_command_makes_can_be_read_or_changed(place):
    names = {name: str(place / name) for name in ("air.pcapng", "hci.btsnoop", "bonds", "books", "users", "wallet")}
    vault = place / "vault"
    adding = subprocess.run(
        [binary(), "desk", "add-user", "alice", "--users", names["users"], "--cost", "10"],
        input="correct horse\ncorrect horse\n", text=True, capture_output=True,
    )  # fmt: skip
    assert adding.returncode == 0, adding.stderr
    arguments = ("--capture", names["air.pcapng"], "--btsnoop", names["hci.btsnoop"], "--bonds", names["bonds"])
    async with KeyFob(*arguments) as fob:
        login = ("login", "--vault", str(vault), "--bonds", names["bonds"] + "-of-login", "--json", "--no-panel")
        async with Process(*login, "--controller", fob.hci) as phone:
            await phone.event("screen")
        where = ("--bank-listen", "127.0.0.1:0", "--hci-listen", "127.0.0.1:0", "--no-panel", "--json")
        async with Process("moneydrop", "receive", "--name", "Anna", "--wallet", names["wallet"], "--books", names["books"], *where) as one:
            await one.event("findable")
            await nothing_is_readable(place, *names)
