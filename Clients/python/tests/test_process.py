"""The command is found, says clearly why it does not come up, and never outlives the tests."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import bluethroat
from bluethroat.process import find_command


def is_there(number):
    """Whether a process runs; one that nobody has waited for does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def command_of(air):
    """The process of the command itself, whose parent is the keeper."""
    keeper = air._process._process.pid
    (number,) = Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()
    return int(number)


def gone(*numbers):
    end = time.monotonic() + 30
    while any(map(is_there, numbers)):
        assert time.monotonic() < end, "the command outlives whoever has started it"
        time.sleep(0.02)
    return True


def test_the_command_ends_with_its_block():
    with bluethroat.Air() as air:
        number = command_of(air)
        assert air.is_running and is_there(number)
    assert not air.is_running and not is_there(number)
    assert air.events[0]["event"] == "fob"


def test_the_command_ends_with_a_process_that_is_killed(tmp_path):
    script = (
        "import os, sys, time\nfrom pathlib import Path\nimport bluethroat\n"
        "air = bluethroat.Air().start()\nkeeper = air._process._process.pid\n"
        "print(keeper, Path(f'/proc/{keeper}/task/{keeper}/children').read_text(), flush=True)\n"
        "time.sleep(1000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        numbers = [int(number) for number in process.stdout.readline().split()]
        assert len(numbers) == 2 and all(map(is_there, numbers))
        os.kill(process.pid, signal.SIGKILL)
    assert gone(*numbers)


def test_a_command_that_does_not_end_is_killed(tmp_path, monkeypatch):
    script = tmp_path / "bluethroat"
    script.write_text(
        f"#!{sys.executable}\nimport signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        'print(\'{"event":"listening","hci":"tcp:127.0.0.1:1"}\', flush=True)\n'
        'print(\'{"event":"panel","url":"http://127.0.0.1:2/?token=x","token":"x"}\', flush=True)\n'
        "time.sleep(1000)\n"
    )
    script.chmod(0o755)
    with bluethroat.Air(script) as air:
        keeper, number = air._process._process.pid, command_of(air)
        # Less patience than the keeper's, so that the test is quick: the group is killed here.
        air._process.end(patience=0.5)
        assert gone(keeper)
        os.kill(number, signal.SIGKILL)


def test_a_taken_port_is_one_clear_error():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for option in ("hci_port", "panel_port"):
            with pytest.raises(bluethroat.PortTaken) as error:
                bluethroat.Air(**{option: port}).start()
            assert str(error.value) == (
                f"127.0.0.1:{port} is taken by another program; end that, or let a free port be picked with port 0"
            )


def test_a_missing_command_is_one_clear_error(tmp_path, monkeypatch):
    with pytest.raises(bluethroat.CommandMissing, match="^command names /nowhere/bluethroat, and there is no program"):
        bluethroat.Air("/nowhere/bluethroat")
    monkeypatch.setenv("BLUETHROAT", "/nowhere/bluethroat")
    with pytest.raises(bluethroat.CommandMissing, match="^BLUETHROAT names /nowhere/bluethroat"):
        bluethroat.Air()
    monkeypatch.delenv("BLUETHROAT")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(bluethroat.CommandMissing, match="build it .make build., install it .make install., or name it"):
        find_command(start=tmp_path / "bluethroat/process.py")


def test_the_command_is_the_one_named_or_built_or_on_the_path(tmp_path, monkeypatch):
    def program(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
        return str(path)

    here = tmp_path / "checkout/Clients/python/src/bluethroat/process.py"
    (tmp_path / "checkout/Sources/Tools/bluethroat").mkdir(parents=True)
    monkeypatch.delenv("BLUETHROAT", raising=False)
    installed = program(tmp_path / "bin/bluethroat")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_command(start=here) == installed
    built = program(tmp_path / "checkout/.build/debug/bluethroat")
    assert find_command(start=here) == built
    released = program(tmp_path / "checkout/.build/release/bluethroat")
    os.utime(built, (1, 1))
    assert find_command(start=here) == released
    monkeypatch.setenv("BLUETHROAT", program(tmp_path / "named"))
    assert find_command(start=here) == str(tmp_path / "named")
    assert find_command(program(tmp_path / "first"), start=here) == str(tmp_path / "first")


def test_a_build_in_a_folder_above_an_installed_package_is_not_started(tmp_path, monkeypatch):
    """Who may write there, as all users may in /tmp, would have their program run by the tests of others."""
    monkeypatch.delenv("BLUETHROAT", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    (tmp_path / "Sources/Tools/bluethroat").mkdir(parents=True)
    for kind in ("release", "debug"):
        program = tmp_path / f".build/{kind}/bluethroat"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    for place in ("venv/lib/python3/site-packages/bluethroat", "src/bluethroat", "other/Clients/python/src/bluethroat"):
        with pytest.raises(bluethroat.CommandMissing):
            find_command(start=tmp_path / place / "process.py")


def test_what_the_command_says_about_wrong_arguments_is_the_error():
    with pytest.raises(bluethroat.CommandEnded, match="--no-such-option"):
        bluethroat.Air(arguments=["--no-such-option"]).start()


def test_a_command_that_has_ended_is_told():
    with bluethroat.Air() as air:
        os.kill(command_of(air), signal.SIGKILL)
        with pytest.raises(bluethroat.CommandEnded, match="^the panel at 127.0.0.1:.* does not answer"):
            while True:
                air.world()


def test_an_air_that_was_not_started_says_so():
    with pytest.raises(bluethroat.BluethroatError, match="was not started"):
        bluethroat.Air().hci
