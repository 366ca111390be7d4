"""A world on processes that MPI joins: the same as on threads, and what happens when one of them fails.

Run by `make test-mpi`, which builds the program with the trait MPI: RANK_TOWN is its path.
"""

import os
import re
import subprocess

import pytest

PROGRAM = os.environ.get("RANK_TOWN", ".build-mpi/release/rank-town")
CROWD = ["air=crowd", "seed=4", "side=600", "beacons=150", "scanners=8", "pairs=6", "seconds=2"]
TOWN = ["seed=4", "side=150", "beacons=30", "scanners=6", "pairs=3", "seconds=2"]


def mpirun(count, *arguments, quiet=True):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    # Processes that wait for each other leave the processor to others: there are more of them than processors.
    command = ["mpirun", *(["--quiet"] if quiet else []), "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(count)]
    return subprocess.Popen(
        [*command, PROGRAM, "ranks=mpi", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )


def outcome(text):
    """The line that must not depend on ranks."""
    return re.search(r"^digest .*$", text, re.M).group(0)


@pytest.fixture(scope="module")
def alone():
    return outcome(subprocess.run([PROGRAM, "ranks=1", *TOWN], capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_processes_compute_the_same_world_as_one_thread(count, alone):
    process = mpirun(count, *TOWN)
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert outcome(out) == alone
    assert len(re.findall(r"^rank \d+ windows", out, re.M)) == count


def test_a_crowd_is_the_same_on_processes_and_in_one_thread():
    one = outcome(subprocess.run([PROGRAM, "ranks=1", *CROWD], capture_output=True, text=True, check=True).stdout)
    for count in [2, 4]:
        process = mpirun(count, *CROWD)
        out, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        assert outcome(out) == one


def test_threads_compute_the_same_world(alone):
    for count in ["2", "4", "8"]:
        run = subprocess.run([PROGRAM, f"ranks={count}", *TOWN], capture_output=True, text=True, check=True)
        assert outcome(run.stdout) == alone


def test_a_rank_that_fails_ends_all_with_one_line_that_says_which_and_why():
    process = mpirun(3, *TOWN, "fails=1")
    out, errors = process.communicate(timeout=120)
    assert process.returncode != 0
    assert out == ""
    lines = [line for line in errors.splitlines() if line.startswith("rank-town:")]
    assert lines == ["rank-town: rank 1 of 0 to 2 has failed: it was told to"]


def test_a_rank_that_is_killed_ends_all_and_mpirun_names_it():
    process = mpirun(3, *TOWN, "dies=1", quiet=False)
    out, errors = process.communicate(timeout=120)
    assert process.returncode != 0
    assert "digest" not in out
    assert re.search(r"process rank 1 .* signal 9", errors), errors
