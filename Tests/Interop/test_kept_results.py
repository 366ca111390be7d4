"""Studies whose kept results, study files and result files were put there by somebody else."""

import asyncio
import json
import os
import pathlib
import signal
import subprocess

import pytest
from bluethroat import PATIENCE, binary, command

STUDY = """
length: 1 s
worlds: 2
devices:
  beacons: {kind: advertiser, count: 3}
  receiver: {kind: scanner}
measure: [received, collisions]
"""
LARGEST = (1 << 63) - 1


def hashed(text):
    """The checksum of a kept result: FNV-1a of 64 bits, twice with other beginnings."""
    digits = ""
    for value in (0xCBF29CE484222325, 0x84222325CBF29CE4):
        for byte in text:
            value = (value ^ byte) * 0x100000001B3 % (1 << 64)
        digits += f"{value:016x}"
    return digits


def forge(folder, change):
    """Changes every result that is kept, and makes the checksums right."""
    for path in pathlib.Path(folder).iterdir():
        key, _, result = path.read_text().split("\n", 2)
        outcome = json.loads(result)
        change(outcome)
        text = json.dumps(outcome, sort_keys=True, separators=(",", ":"))
        path.write_text(f"{key}\n{hashed(text.encode())}\n{text}")


def refused(answer, folder):
    assert answer.code == 1 and len(answer.errors) == 1, answer.story
    assert all(json.loads(line)["event"] == "error" for line in answer.lines), answer.story
    assert str(folder) in answer.errors[0] and answer.errors[0].endswith("is computed again"), answer.story


@pytest.mark.parametrize(
    "change",
    [
        {"transmissions": LARGEST},
        {"transmissions": -1},
        {"values": []},
        {"values": [1.0, 2.0]},
        {"values": [1e308] * 4},
        {"values": [1.01, 0.5, 0.5, 0.5]},
        {"values": [0.5, 0.5, 0.5, -0.01]},
    ],
    ids=str,
)
async def test_a_study_does_not_believe_a_result_that_cannot_be(tmp_path, change):
    (tmp_path / "study.yaml").write_text(STUDY)
    study = ("study", str(tmp_path / "study.yaml"), "--resume", str(tmp_path / "kept"))
    first = await command(*study, "--csv", "-")
    assert first.code == 0, first.story
    assert (await command(*study, "--csv", "-")).lines == first.lines
    forge(tmp_path / "kept", lambda outcome: outcome.update(change))
    for output in (("--csv", "-"), ("--json",), ()):
        refused(await command(*study, *output), tmp_path / "kept")


@pytest.mark.parametrize(
    "change",
    [
        *({name: number} for name in ("mistakes", "changes", "transmissions", "meetings") for number in (LARGEST, -1)),
        {"waited": LARGEST},
        {"waits": [-LARGEST]},
        {"got": [-1] * 5},
        {"got": [LARGEST] * 5},
        {"heard": [], "got": []},
    ],
    ids=str,
)
async def test_a_study_of_a_crowd_does_not_believe_a_result_that_cannot_be(tmp_path, change):
    study = ("overflow", "study", "--minutes", "0.3", "--area", "60", "--phones", "5", "--worlds", "2")
    study += ("--resume", str(tmp_path / "kept"))
    first = await command(*study)
    assert first.code == 0, first.story
    assert (await command(*study)).lines == first.lines
    forge(tmp_path / "kept", lambda outcome: outcome.update(change))
    refused(await command(*study), tmp_path / "kept")


@pytest.mark.parametrize("place", ["the study", "the results"])
async def test_one_signal_ends_a_study_that_waits_at_a_pipe(tmp_path, place):
    pipe, study = tmp_path / "pipe", tmp_path / "study.yaml"
    os.mkfifo(pipe)
    study.write_text(STUDY)
    arguments = [study, "--csv", pipe] if place == "the results" else [pipe]
    process = subprocess.Popen([binary(), "study", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # It is there once its thread sleeps in the call that opens the pipe.
    while not any("wait_for_partner" in status_of(thread) for thread in threads_of(process.pid)):
        assert process.poll() is None
        await asyncio.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    output, errors = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
    assert process.returncode == 1 and errors == b"interrupted\n" and not output, (process.returncode, errors)


def threads_of(process):
    return pathlib.Path(f"/proc/{process}/task").iterdir()


def status_of(thread):
    try:
        return (thread / "wchan").read_text()
    except OSError:
        return ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two users")
async def test_results_do_not_go_into_a_pipe_of_another_user(tmp_path):
    pipe, study = tmp_path / "pipe", tmp_path / "study.yaml"
    os.mkfifo(pipe)
    os.chown(pipe, 65534, 65534)
    study.write_text(STUDY)
    answer = await command("study", str(study), "--csv", str(pipe))
    assert answer.code == 1 and answer.errors == [
        f"cannot write {pipe}: it is a pipe of another user; choose another file"
    ], answer.story
    # One that is open already is what the command was given, be it by `sudo`.
    reader, writer = os.pipe()
    os.fchown(writer, 65534, 65534)
    given = subprocess.run([binary(), "study", study, "--csv", "/dev/stdout"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    with open(reader, "rb") as output:
        assert given.returncode == 0 and output.read().startswith(b"worlds,seed,"), given


async def test_what_is_wrong_in_a_study_is_said_in_a_line_of_bounded_length(tmp_path):
    path = tmp_path / "study.yaml"
    for value in ("x" * 100_000, "9" * 100_000, "x" + "\u0301" * 100_000):
        path.write_text(STUDY.replace("count: 3", f"count: {value}"))
        answer = await command("study", str(path))
        assert answer.code in (1, 2) and len(answer.errors) == 1 and len(answer.errors[0]) < 800, answer.code
        assert answer.errors[0].startswith(f"{path}:"), answer.errors[0][:200]


async def test_a_unit_where_there_is_none_is_told_to_the_end(tmp_path):
    path = tmp_path / "study.yaml"
    for value, unit in ("1 s", "s"), ("1 kkk", "kkk"), ("0x10", "x10"):
        path.write_text(STUDY.replace("count: 3", f"count: {value}"))
        answer = await command("study", str(path))
        assert len(answer.errors) == 1 and f"{unit} is one too much: it has no unit; give a number" in answer.errors[0]


async def test_a_kept_result_is_small_however_long_the_ways_of_its_devices_are(tmp_path):
    path, ways, kept = tmp_path / "study.yaml", tmp_path / "ways.csv", tmp_path / "kept"
    path.write_text(STUDY.replace("count: 3", f"count: 1, walk: trace, trace: {ways}"))
    ways.write_text("".join(f"a,{number},{number % 50},1\n" for number in range(5_000)))
    study = ("study", str(path), "--csv", "-", "--resume", str(kept))
    first = await command(*study)
    assert first.code == 0 and all(file.stat().st_size < 2_000 for file in kept.iterdir()), first.story
    assert (await command(*study)).lines == first.lines and len(list(kept.iterdir())) == 2
    # Other ways are another study.
    ways.write_text(ways.read_text() + "a,5000,7,7\n")
    assert (await command(*study)).code == 0 and len(list(kept.iterdir())) == 4


async def test_a_folder_in_the_place_of_a_study_is_called_one(tmp_path):
    answer = await command("study", str(tmp_path))
    assert answer.errors == [f"cannot read {tmp_path}: it is a directory"], answer.story
