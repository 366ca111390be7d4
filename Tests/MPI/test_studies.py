"""Studies as commands on processes that MPI joins: the same results as without, also in more than one go.

Run by `make test-mpi`, which builds the command with the trait MPI: MPI_BLUETHROAT is its path.
"""

import csv
import io
import os
import signal
import subprocess
import time

import pytest
from launching import mpirun

PROGRAM = os.environ.get("MPI_BLUETHROAT", ".build-mpi/debug/bluethroat")
STUDY = """
length: 2 s
worlds: 3
seed: 5
area: {width: 30 m, height: 30 m}
devices:
  beacon: {kind: advertiser, count: 6}
  phone: {kind: scanner, walk: waypoint}
vary: {beacon.interval: [100 ms, 200 ms]}
measure: [received, discovery, collisions]
"""
TOWN = """
length: 1 s
warmup: 0.5 s
worlds: 2
area: {width: 300 m, height: 20 m}
devices:
  beacon: {kind: advertiser, count: 20, walk: waypoint, speed: 10 m/s}
  fob: {kind: keyfob, count: 6, place: line, distance: 50 m}
  phone: {kind: scanner, count: 3, walk: streets, speed: 20 m/s}
  reader: {kind: central, count: 6, to: fob, traffic: read, place: line, x: 30 m, distance: 50 m}
measure: [received, discovery, connect, roundtrip, energy]
"""
CROWD = ("overflow", "study", "--phones", "6,9", "--worlds", "2", "--minutes", "0.1", "--area", "60", "--seed", "4")
DIVIDED = ("overflow", "study", "--phones", "30", "--worlds", "1", "--minutes", "0.1", "--area", "400", "--scanners", "3", "--seed", "4")


def results(folder):
    """Of each file of results its text, by its ending."""
    return {path.suffix: path.read_text() for path in sorted(folder.iterdir()) if path.suffix in (".csv", ".svg")}


def files(folder):
    folder.mkdir(exist_ok=True)
    return ("--csv", folder / "a.csv", "--svg", folder / "a.svg")


def alone(folder, *arguments):
    """What one process writes, and prints."""
    run = subprocess.run([PROGRAM, *arguments, *files(folder)], capture_output=True, text=True, check=True)
    return run.stdout, results(folder)


def together(folder, count, *arguments):
    process = mpirun(count, PROGRAM, *arguments, *files(folder), "--ranks", "mpi", "--threads", "1")
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return out, results(folder)


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "study.yaml"
    path.write_text(STUDY)
    return ("study", path)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_study_prints_and_writes_the_same_on_any_number_of_processes(study, tmp_path, count):
    once = alone(tmp_path / "alone", *study)
    assert len(once[1][".csv"].splitlines()) == 3 and "<svg" in once[1][".svg"]
    assert together(tmp_path / "together", count, *study) == once


@pytest.mark.parametrize("count", [2, 4])
def test_a_study_of_crowds_is_the_same_on_processes(tmp_path, count):
    assert together(tmp_path / "together", count, *CROWD) == alone(tmp_path / "alone", *CROWD)


@pytest.mark.parametrize("air", ["exact", "crowd"])
def test_a_world_that_processes_divide_is_the_same_for_any_number_of_them(tmp_path, air):
    divided = (*DIVIDED, "--divide", "--air", air)
    one, *others = [together(tmp_path / str(count), count, *divided) for count in (1, 2, 3, 4)]
    assert all(other == one for other in others)
    assert alone(tmp_path / "threads", *divided, "--ranks", "3") == one


def test_any_world_of_a_file_that_processes_divide_is_the_same_for_any_number_of_them(tmp_path):
    path = tmp_path / "town.yaml"
    path.write_text(TOWN)
    divided = ("study", path, "--divide")
    one, *others = [together(tmp_path / str(count), count, *divided) for count in (1, 2, 3, 4)]
    assert all(other == one for other in others)
    assert alone(tmp_path / "threads", *divided, "--ranks", "3") == one
    row = next(csv.DictReader(io.StringIO(one[1][".csv"])))
    names = [name for name in row if name.startswith(("connect.share", "roundtrip.mean"))]
    assert len(names) >= 2 and all(float(row[name]) > 0 for name in names), row


def test_what_processes_have_finished_is_kept_and_serves_any_number_of_them(study, tmp_path):
    kept = tmp_path / "kept"
    resume = ("--resume", kept)
    few = together(tmp_path / "few", 3, *study, "--worlds", "2", *resume)
    assert few == alone(tmp_path / "few alone", *study, "--worlds", "2")
    worlds = {path.name: path.stat().st_mtime_ns for path in kept.iterdir()}
    assert len(worlds) == 4
    more = together(tmp_path / "more", 2, *study, *resume)
    assert more == alone(tmp_path / "more alone", *study)
    assert len(list(kept.iterdir())) == 6
    assert worlds == {name: (kept / name).stat().st_mtime_ns for name in worlds}, "what was there is not computed again"


def test_a_study_that_is_interrupted_goes_on_where_it_was(study, tmp_path):
    # Of two groups; so many that they are not all computed before the signal arrives.
    worlds = 160
    kept = tmp_path / "kept"
    long = (*study, "--worlds", str(worlds), "--resume", kept)
    process = mpirun(3, PROGRAM, *long, *files(tmp_path / "first"), "--ranks", "mpi", "--threads", "1")
    end = time.monotonic() + 120
    while not kept.is_dir() or len(list(kept.iterdir())) < 4:
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode != 0 and results(tmp_path / "first") == {}
    # None is half written.
    found = [path for path in kept.iterdir() if not path.name.startswith(".")]
    assert 4 <= len(found) < 2 * worlds
    assert together(tmp_path / "second", 4, *long) == alone(tmp_path / "alone", *study, "--worlds", str(worlds))


@pytest.mark.parametrize("arguments", [["study", "wrong.yaml"], ["study", "missing.yaml"], ["study", "--worlds", "no"], ["overflow", "study", "--phones", "x"]])
def test_what_is_wrong_for_all_is_told_once(arguments, tmp_path):
    (tmp_path / "wrong.yaml").write_text("lenght: 1 s\n")
    process = mpirun(3, os.path.abspath(PROGRAM), *arguments, "--ranks", "mpi", cwd=tmp_path)
    out, errors = process.communicate(timeout=120)
    assert process.returncode != 0 and out == ""
    assert len([line for line in errors.splitlines() if line.strip()]) == 1, errors


def test_what_is_wrong_for_one_is_told_by_it(study, tmp_path):
    script = f"test $OMPI_COMM_WORLD_RANK != 1 || cd {tmp_path / 'elsewhere'}; exec {os.path.abspath(PROGRAM)} study study.yaml --ranks mpi"
    (tmp_path / "elsewhere").mkdir()
    process = mpirun(3, "/bin/sh", "-c", script, cwd=tmp_path)
    out, errors = process.communicate(timeout=120)
    assert process.returncode != 0 and out == ""
    assert errors.splitlines() == ["cannot read study.yaml: there is no such file, or it may not be read"]
