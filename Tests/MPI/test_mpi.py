"""A world on processes that MPI joins: the same as on threads, and what happens when one of them fails.

Run by `make test-mpi`, which builds the program with the trait MPI: RANK_TOWN is its path.
"""

import os
import re
import shutil
import signal
import subprocess
import time

import launching
import pytest

PROGRAM = os.environ.get("RANK_TOWN", ".build-mpi/release/rank-town")
CROWD = ["air=crowd", "seed=4", "side=600", "beacons=150", "scanners=8", "pairs=6", "seconds=2"]
TOWN = ["seed=4", "side=150", "beacons=30", "scanners=6", "pairs=3", "seconds=2"]


def mpirun(count, *arguments):
    return launching.mpirun(count, PROGRAM, "ranks=mpi", *arguments)


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


def test_a_rank_that_is_killed_ends_all_with_one_line_that_says_which_and_by_what():
    process = mpirun(3, *TOWN, "dies=1")
    out, errors = process.communicate(timeout=120)
    assert process.returncode != 0
    assert "digest" not in out
    lines = [line for line in errors.splitlines() if line.startswith("rank-town:")]
    assert lines == ["rank-town: rank 1 of 0 to 2 has failed: it was ended by signal 9 (Killed)"], errors


def ranks_of(process):
    """The processes that `mpirun` has started, and theirs, by their numbers."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout
    parents = {int(pid): int(parent) for pid, parent, state in map(str.split, listed.splitlines()) if state[0] != "Z"}
    watches = [pid for pid, parent in parents.items() if parent == process.pid]
    return {watch: [pid for pid, parent in parents.items() if parent == watch] for watch in watches}


def until(condition, patience=30):
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


LONG = ["seed=4", "side=150", "beacons=100", "scanners=20", "pairs=3", "seconds=10000"]


@pytest.mark.parametrize("signal_of", [signal.SIGKILL, signal.SIGXCPU])
def test_a_rank_that_somebody_kills_is_named_and_none_is_left(signal_of):
    process = mpirun(3, *LONG)
    until(lambda: [len(ranks) for ranks in ranks_of(process).values()] == [1, 1, 1])
    victims = [ranks[0] for ranks in ranks_of(process).values()]
    time.sleep(1)
    os.kill(victims[1], signal_of)
    out, errors = process.communicate(timeout=60)
    assert process.returncode != 0 and out == ""
    lines = [line for line in errors.splitlines() if line.startswith("rank-town:")]
    assert len(lines) == 1
    assert re.fullmatch(rf"rank-town: rank \d of 0 to 2 has failed: it was ended by signal {signal_of.value} .*", lines[0])
    until(lambda: not any(os.path.exists(f"/proc/{victim}/exe") for victim in victims))


def test_a_run_that_is_interrupted_or_whose_watches_are_killed_leaves_no_process():
    for end in ["interrupt", "kill"]:
        process = mpirun(3, *LONG)
        until(lambda process=process: [len(ranks) for ranks in ranks_of(process).values()] == [1, 1, 1])
        watches = ranks_of(process)
        time.sleep(1)
        if end == "interrupt":
            process.send_signal(signal.SIGINT)
        else:
            os.kill(list(watches)[0], signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        assert process.returncode != 0
        assert "has failed" not in errors, errors
        ranks = [rank for ranks in watches.values() for rank in ranks]
        until(lambda ranks=ranks: not any(os.path.exists(f"/proc/{rank}/exe") for rank in ranks))


@pytest.mark.limit(900)
def test_what_eight_ranks_cost_is_predicted_from_one_to_four():
    if not shutil.which("valgrind"):
        pytest.skip("instructions are counted with valgrind; install it")
    costs = os.path.join(os.path.dirname(__file__), "../../Scripts/rank-costs")
    town = ["--beacons", "600", "--scanners", "16", "--side", "1600", "--seconds", "0.1"]
    run = subprocess.run([costs, PROGRAM, *town], capture_output=True, text=True, timeout=800)
    assert run.returncode == 0, run.stderr
    print(run.stdout)
    work, told = (float(number) for number in re.findall(r"^8 ranks, .*\(([-+.\d]+) %\)$", run.stdout, re.M))
    # The regions of eight are as narrow as the band around them, where the model says a little less than there is.
    assert abs(work) < 25 and abs(told) < 5
