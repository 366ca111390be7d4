"""Every byte that the demo of each of the five systems prints with `--json` and a seed is as it is on record.

`BLUETHROAT_RECORD=write` and `-n 0` write the record anew; the message of that commit says what differs, and why."""

import asyncio
import hashlib
import os

import pytest
from bluethroat import ROOT, binary

RECORD = ROOT / "Tests" / "Records" / "json.tsv"
# All in virtual time: equal inputs, equal bytes.
COMMANDS = {
    "keyfob": "keyfob --fast --seed 1 --script Examples/alarm.words --json",
    "futures": "sensortag --fast --seed 1 --for 60 --json",
    "overflow": "overflow demo --fast --seed 1 --for 60 --json",
    "moneydrop": "moneydrop demo --fast --seed 1 --for 60 --people 3 --photo-size 4000 --evening 12.50 --json",
    "workstation": "desk demo --fast --seed 1 --for 90 --day 60 --desks 3 --people 3 --json",
}


def records(text):
    """By system: the command, the SHA-256 of what it prints, and how many lines that is."""
    _, *rows = [line.split("\t") for line in text.splitlines()]
    return {name: (command, digest, int(lines)) for name, command, digest, lines in rows}


def written(found):
    return "".join(f"{name}\t{command}\t{digest}\t{lines}\n" for name, (command, digest, lines) in found.items())


async def printed(command, home):
    """What a command prints. It finds nothing of somebody's at home, and keeps nothing there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BLUETHROAT_", "XDG_"))}
    process = await asyncio.create_subprocess_exec(
        binary(),
        *command.split(),
        cwd=ROOT,
        env=kept | {"HOME": str(home)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    assert (process.returncode, errors) == (0, b""), errors.decode()
    return output


def row(command, output):
    return command, hashlib.sha256(output).hexdigest(), output.count(b"\n")


@pytest.mark.limit(300)
@pytest.mark.parametrize("name", COMMANDS)
async def test_what_a_demo_prints_as_json_with_a_seed_is_as_recorded(name, tmp_path):
    found = row(COMMANDS[name], await printed(COMMANDS[name], tmp_path))
    if os.environ.get("BLUETHROAT_RECORD") == "write":
        known = records(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
        all_rows = {system: found if system == name else known.get(system) for system in COMMANDS}
        body = written({system: one for system, one in all_rows.items() if one})
        RECORD.write_text("system\tcommand\tsha256\tlines\n" + body, encoding="utf-8")
    assert records(RECORD.read_text(encoding="utf-8"))[name] == found


def test_each_system_is_on_record_and_no_other():
    assert list(records(RECORD.read_text(encoding="utf-8"))) == list(COMMANDS)


def test_one_byte_that_differs_is_another_record():
    assert row("a", b"{}\n") != row("a", b"{ }\n")
    assert records("system\tcommand\tsha256\tlines\n" + written({"keyfob": row("a", b"{}\n")})) == {"keyfob": row("a", b"{}\n")}
