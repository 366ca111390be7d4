"""Waits of XCTest in virtual time: each way to wait as the first of a process, and what is said of those that fail."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(os.environ.get("BLUETHROAT", ROOT / ".build/debug/bluethroat"))
TESTS = Path(os.environ.get("BLUETHROAT_TESTS", COMMAND.parent / "bluethroatPackageTests.xctest"))
SOURCES = ROOT / "Tests/CoreBluetoothMockTestingTests"
WAITS = re.findall(r"^    func (test\w+)\(", (SOURCES / "WaitTests.swift").read_text(), re.MULTILINE)


def run(tmp_path, name, **variables):
    environment = os.environ | {"BLUETHROAT_LOGS": str(tmp_path / "logs")} | variables
    return subprocess.run([TESTS, name], env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("test", WAITS)
def test_a_first_wait_of_a_process_sees_what_is_fulfilled_during_it(tmp_path, test):
    done = run(tmp_path, f"CoreBluetoothMockTestingTests.WaitTests/{test}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"Executed 1 test, with 0 failures\b", done.stdout), done.stdout


def test_there_are_waits_of_each_kind():
    assert len(WAITS) >= 18


@pytest.mark.parametrize(
    ("test", "sentence"),
    [
        ("testTimeout", "not within 7.0 s of the simulation: the bell"),
        ("testTimeoutInOrder", "not within 7.0 s of the simulation: the bell"),
        ("testTimeoutOfAWaiterInOrder", "not within 7.0 s of the simulation: the bell"),
        ("testTimeoutOfATask", "not within 7.0 s of the simulation: the bell"),
        ("testTimeoutOfKeptExpectations", "not within 7.0 s of the simulation: the bell"),
        ("testTimeoutOfAWaiter", "not within 7.0 s of the simulation: the bell"),
        ("testTimeoutWithAHandler", "not within 7.0 s of the simulation: the bell"),
        ("testInverted", "fulfilled, and should not have been: the alarm"),
        ("testInvertedOfATask", "fulfilled, and should not have been: the alarm"),
        ("testInvertedOfKeptExpectations", "fulfilled, and should not have been: the alarm"),
        ("testOrder", "fulfilled in another order: second, where first comes first"),
        ("testOrderOfATask", "fulfilled in another order: second, where first comes first"),
        ("testNothingIsExpected", "nothing is expected that has not been waited for"),
    ],
)
def test_a_wait_that_fails_says_why_and_where(tmp_path, test, sentence):
    done = run(tmp_path, f"CoreBluetoothMockTestingTests.FailingWaits/{test}", BLUETHROAT_FAIL_ON_PURPOSE="1")
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    place = re.search(rf"FailingWaits\.swift:(\d+): error: .*{re.escape(sentence)}", said)
    assert place, said
    line = (SOURCES / "FailingWaits.swift").read_text().splitlines()[int(place[1]) - 1]
    assert re.search(r"\b(wait|fulfillment|waitForExpectations)\(", line), f"line {place[1]}: {line}"
    assert re.search(r"with 1 failure\b", said), said
    # How long it has waited, in the simulation.
    seconds = {"not within": "7.0", "fulfilled,": "2.0", "fulfilled ": "2.0", "nothing is": "0.0"}[sentence[:10]]
    assert f"the air: seed 1, {seconds}" in said
    if test == "testTimeoutOfKeptExpectations":
        assert "told: true" in said


def test_a_kept_expectation_that_nobody_waits_for_fails_the_test(tmp_path):
    name = "CoreBluetoothMockTestingTests.FailingWaits/testWhatIsKeptIsNotWaitedFor"
    done = run(tmp_path, name, BLUETHROAT_FAIL_ON_PURPOSE="1")
    assert done.returncode == 1 and "unwaited expectation" in done.stdout + done.stderr


@pytest.mark.parametrize("test", ["testInOrder", "testWithAHandler"])
def test_a_wait_in_real_time_says_where_it_is(tmp_path, test):
    done = run(tmp_path, f"CoreBluetoothMockTestingTests.FailingRealWaits/{test}", BLUETHROAT_FAIL_ON_PURPOSE="1")
    said = done.stdout + done.stderr
    place = re.search(r"FailingWaits\.swift:(\d+): error: .*the bell", said)
    assert done.returncode == 1 and place, said
    line = (SOURCES / "FailingWaits.swift").read_text().splitlines()[int(place[1]) - 1]
    assert re.search(r"\b(wait|waitForExpectations)\(", line), f"line {place[1]}: {line}"
