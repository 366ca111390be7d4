"""`bluethroat attach`, and ports that are shared by accident: what a person sees at a terminal, what a host finds."""

import asyncio
import os
import resource
import signal
import socket
import stat
import subprocess

import keyfob_table as table
import pytest
from bluethroat import PATIENCE, KeyFob, Process, binary, until
from bumble_central import attached
from test_crowds import FewDescriptors


# Flags, and a complete local name.
NAMED = bytes([2, 0x01, 0x06, 6, 0x09]) + b"other"


class Attach(Process):
    """A running `bluethroat attach --json`."""

    def __init__(self, *arguments):
        super().__init__("attach", "--json", "--no-panel", *arguments)

    async def end(self):
        """As Control-C does."""
        self.send(signal.SIGINT)
        return await self.exit_code()


def once(*arguments):
    """A command that is expected to end by itself: exit code, output, errors."""
    done = subprocess.run([binary(), *arguments], capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("kind", ["pty", "unix"])
async def test_hosts_on_a_line_and_on_a_socket_are_on_the_air_of_a_running_fob(kind, tmp_path):
    path = tmp_path / "hci"
    async with KeyFob() as fob, Attach(f"--{kind}", str(path), "--controller", fob.hci) as attach:
        assert await attach.event("controller") == {"event": "controller", "hci": fob.hci}
        assert await attach.event("offered") == {"event": "offered", "hci": f"{kind}:{path}"}
        # Bumble opens a serial line as it opens any other.
        transport = f"serial:{path}" if kind == "pty" else f"unix-client:{path}"
        async with attached(transport) as central:
            assert (await attach.event("attached"))["host"] == 1
            peer = await central.find_and_connect(table.NAME)
            assert await peer.read(0x0003) == b"TI BLE Keyfob"
            await peer.disconnect()
        assert (await attach.event("detached"))["host"] == 1
        assert await attach.end() == 0
        assert not os.path.lexists(path)


async def led_elsewhere(path, device):
    """Whether a link leads to something else by now; one that is not there leads to None."""
    return (os.readlink(path) if os.path.lexists(path) else None) != device


async def test_with_no_descriptor_left_a_path_leads_to_no_line_rather_than_to_somebody_elses(tmp_path):
    path = tmp_path / "hci"
    async with KeyFob() as fob, Attach("--pty", str(path), "--controller", fob.hci) as attach:
        await attach.event("offered")
        process = attach.process.pid
        most = resource.prlimit(process, resource.RLIMIT_NOFILE)
        # What is open stays so, and nothing else can be opened.
        resource.prlimit(process, resource.RLIMIT_NOFILE, (3, most[1]))
        device = os.readlink(path)
        line = os.open(path, os.O_RDWR | os.O_NOCTTY)
        await until(lambda: led_elsewhere(path, device), "another line, or none")
        assert not os.path.lexists(path)
        resource.prlimit(process, resource.RLIMIT_NOFILE, most)
        await until(lambda: led_elsewhere(path, None), "a line again")
        assert os.readlink(path) != device
        LineClient.opening = asyncio.Lock()
        async with LineClient(str(path), attach) as other:
            assert await asyncio.wait_for(other.ask(RESET, len(RESET_DONE)), PATIENCE) == RESET_DONE
        os.close(line)
        assert await attach.end() == 0


async def test_more_places_than_descriptors_is_one_line(tmp_path):
    places = [word for number in range(16) for word in ("--unix", str(tmp_path / f"hci{number}"))]
    async with FewDescriptors("attach", "--no-panel", "--hci-listen", "127.0.0.1:0", *places) as attach:
        assert await attach.exit_code() == 1
        assert "may have 256 descriptors open, enough for 8 places" in attach.story()
        assert os.listdir(tmp_path) == []


class LineClient:
    """A program with a serial line open, as file descriptors have it. Lines are opened one after the other."""

    opening = None

    def __init__(self, path, attach):
        self.path, self.attach = path, attach

    async def __aenter__(self):
        async with self.opening:
            self.descriptor = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            # The path leads to the next line now.
            await self.attach.event("attached")
        return self

    async def ask(self, command, length):
        os.write(self.descriptor, command)
        loop, answer = asyncio.get_running_loop(), b""
        while len(answer) < length:
            ready = loop.create_future()
            loop.add_reader(self.descriptor, lambda ready=ready: ready.done() or ready.set_result(None))
            try:
                await ready
            finally:
                loop.remove_reader(self.descriptor)
            answer += os.read(self.descriptor, length - len(answer))
        return answer

    async def __aexit__(self, *_):
        os.close(self.descriptor)


class SocketClient:
    """A program at a Unix socket."""

    def __init__(self, path, _):
        self.path = path

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_unix_connection(self.path)
        return self

    async def ask(self, command, length):
        self.writer.write(command)
        return await self.reader.readexactly(length)

    async def __aexit__(self, *_):
        self.writer.close()
        await self.writer.wait_closed()


CLIENTS, TIMES = 20, 100
RESET, RESET_DONE = bytes.fromhex("01030c00"), bytes.fromhex("040e0401030c00")
READ_ADDRESS, ADDRESS_IS = bytes.fromhex("01091000"), bytes.fromhex("040e0a01091000")


@pytest.mark.limit(900)
@pytest.mark.parametrize("kind", ["pty", "unix"])
async def test_twenty_clients_come_and_go_a_hundred_times_and_each_has_a_controller_of_its_own(kind, tmp_path):
    path = str(tmp_path / "hci")
    LineClient.opening = asyncio.Lock()
    make = LineClient if kind == "pty" else SocketClient
    present, most = set(), 0

    async def come_and_go(attach, together):
        nonlocal most
        for _ in range(TIMES):
            # All twenty are there before one of them goes.
            async with make(path, attach) as client:
                assert await client.ask(RESET, len(RESET_DONE)) == RESET_DONE
                answer = await client.ask(READ_ADDRESS, len(ADDRESS_IS) + 6)
                address = answer.removeprefix(ADDRESS_IS)
                assert len(address) == 6 and address not in present, (answer, present)
                present.add(address)
                most = max(most, len(present))
                await together.wait()
                present.discard(address)

    async with KeyFob() as fob, Attach(f"--{kind}", path, "--controller", fob.hci) as attach:
        await attach.event("offered")
        together = asyncio.Barrier(CLIENTS)
        async with asyncio.TaskGroup() as group:
            for _ in range(CLIENTS):
                group.create_task(come_and_go(attach, together))

        def of(name):
            return [event["host"] for event in attach.events if event["event"] == name]

        await attach.until(lambda: len(of("detached")) == CLIENTS * TIMES, "the end of each")
        assert most >= CLIENTS and not present
        assert sorted(of("attached")) == sorted(of("detached")) == list(range(1, CLIENTS * TIMES + 1))
        # One more is served as the first was.
        async with make(path, attach) as client:
            assert await client.ask(RESET, len(RESET_DONE)) == RESET_DONE
        assert await attach.end() == 0
    assert not os.path.lexists(path)


async def test_without_an_air_it_has_its_own_at_whose_port_others_are(tmp_path):
    line, place = tmp_path / "line", "127.0.0.1:0"
    async with Attach("--pty", str(line), "--hci-listen", place) as attach:
        port = (await attach.event("listening"))["hci"]
        await attach.event("offered")
        mode = os.stat(line).st_mode
        assert stat.S_ISCHR(mode) and stat.S_IMODE(mode) == 0o600
        async with attached(port, 1) as one, attached(f"serial:{line}", 2) as other:
            await other.device.start_advertising(auto_restart=False, advertising_data=NAMED)
            assert (await one.find("other")).to_string(False) == other.address
        assert await attach.end() == 0
    assert not os.path.lexists(line)


def test_what_cannot_be_had_is_one_line(tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("mine")
    cases = [
        (("--pty", str(taken), "--hci-listen", "127.0.0.1:0"), 1, "there is a file where"),
        (("--pty", "/tmp/hci", "--controller", "tcp:127.0.0.1:1"), 1, "nothing listens on"),
        ((), 2, "--vhci, --pty PATH or --unix PATH"),
        (("--devices", "2", "--pty", "/tmp/hci"), 2, "add --vhci"),
        (("--vhci", "--devices", "0"), 2, "--devices is from 1 to 16"),
        (("--vhci", "--fast", "--for", "1"), 2, "hosts live in real time"),
        (("--pty", "/tmp/hci", "--controller", "tcp:127.0.0.1:1", "--seed", "1"), 2, "leave those options out"),
    ]
    for arguments, code, text in cases:
        status, out, err = once("attach", "--no-panel", *arguments)
        assert (status, text in err, err.count("\n")) == (code, True, 1), (arguments, status, err)
    assert taken.read_text() == "mine"


@pytest.mark.skipif(os.path.exists("/dev/vhci"), reason="this kernel has vhci, and an adapter would be made")
def test_without_vhci_one_line_says_so_and_what_to_do():
    status, out, err = once("attach", "--vhci", "--no-panel", "--hci-listen", "127.0.0.1:0")
    assert status == 1
    assert err.count("\n") == 1
    assert "sudo modprobe hci_vhci" in err and "--pty" in err


async def test_a_second_world_at_a_port_is_told_how_to_join_the_first():
    async with KeyFob() as fob:
        status, _, err = await asyncio.to_thread(once, "sensortag", "--no-panel", "--hci-listen", f"127.0.0.1:{fob.port}")
        assert status == 1
        assert f"another world is at port {fob.port}" in err
        assert f"--controller {fob.hci}" in err
        assert err.count("\n") == 1


async def test_a_port_of_another_program_is_no_controller():
    answer = b"HTTP/1.1 400 Bad Request\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def serve():
            client, _ = server.accept()
            with client:
                client.recv(4)
                client.sendall(answer)
                client.recv(1)

        serving = asyncio.create_task(asyncio.to_thread(serve))
        status, _, err = await asyncio.to_thread(once, "scan", "--hci", f"127.0.0.1:{port}")
        await asyncio.wait_for(serving, PATIENCE)
    assert status == 1
    assert "it speaks HTTP: another program has this address" in err
