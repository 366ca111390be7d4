"""`make` runs each Swift test in one of two passes, and those that wait in real time in the one where nothing else runs."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# What only real time moves on: sockets, threads, run loops, processes, the clock.
REAL_TIME = re.compile(
    r"""\.timeLimit | \bDispatchSemaphore\( | \bThread\.detach | \btimeIntervalSinceNow | \bContinuousClock
    | \bTask\.(sleep|yield) | \busleep\( | \bsocket\( | \bopenpty\( | \bAsyncSocket | \bURLSession
    | \bLive(Loop|Air)\( | \b(HCI|Panel|Bank)Server\.(start|listen) | \bAppClock\.queue | \bDispatchTime | \bawait\ Main(Actor|Model)""",
    re.VERBOSE,
)

# Threads that a test releases itself and waits for without a limit: a busy machine makes it slower, and no more.
WITHOUT_LIMIT = {
    "StudiesTests/StudyFilesTests.swift",
    "WorkstationLoginTests/Users/PAMModule.swift",
    "WorkstationLoginTests/Users/PAMModuleTests.swift",
}


def targets():
    return {folder.name for folder in (ROOT / "Tests").glob("*Tests") if any(folder.rglob("*.swift"))}


def waits_in_real_time(target):
    return any(
        REAL_TIME.search(file.read_text())
        for file in (ROOT / "Tests" / target).rglob("*.swift")
        if file.relative_to(ROOT / "Tests").as_posix() not in WITHOUT_LIMIT
    )


def passes(goal):
    """The test runs of a goal that are no choice of somebody's: (how, pattern) each."""
    goals = [goal, "check-computes", "check-waits"] if goal == "check" else [goal]
    said = subprocess.run(["make", "-n", *goals], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return re.findall(r"(?:\bswift test --skip-build|\btest-built \S+) (--skip|--no-parallel --filter) '([^']*)'", said)


@pytest.mark.parametrize("goal", ["test", "test-swift", "check"])
def test_what_one_pass_leaves_out_is_the_other(goal):
    (skip, left_out), (alone, pattern) = passes(goal)
    assert (skip, alone) == ("--skip", "--no-parallel --filter")
    assert left_out == pattern


def test_the_tests_that_wait_in_real_time_run_alone():
    pattern = re.compile(passes("test")[1][1])
    alone = {target for target in targets() if pattern.search(f"{target}.SomeTests/some()")}
    assert {target for target in targets() - alone if waits_in_real_time(target)} == set()
    named = set(re.findall(r"\w+Tests", pattern.pattern))
    assert named == alone, "a target that is no more"


def test_every_folder_of_tests_is_a_target():
    manifest = (ROOT / "Package.swift").read_text()
    declared = {name + "Tests" for name in re.findall(r'\btests\(\s*of: "([\w-]+)"', manifest)}
    declared |= set(re.findall(r'\.testTarget\(\s*name: "([\w-]+)"', manifest))
    assert declared == targets()


def test_what_make_builds_it_builds_with_the_flags_of_the_traits_in_one_order():
    """SwiftPM has them in the order of a hash, which is another one in each process; then all is compiled again."""
    goals = ["run", "build", "test", "test-interop", "test-examples", "check-steps", "nightly", "bench", "swarm", "fuzz"]
    said = subprocess.run(["make", "-n", *goals], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    builds = re.findall(r"(\S+ )swift (?:build(?! --show-bin-path)|run|test(?! --skip-build)) (?!--package-path Shims)", said)
    assert len(builds) > 10 and set(builds) == {"SWIFT_DETERMINISTIC_HASHING=1 "}
