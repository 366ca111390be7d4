"""A test of an app that fails leaves behind what was on the air: as an attachment, and as files that it names."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(os.environ.get("BLUETHROAT", ROOT / ".build/debug/bluethroat"))
TESTS = Path(os.environ.get("BLUETHROAT_TESTS", COMMAND.parent / "bluethroatPackageTests.xctest"))


def run(tmp_path, *arguments):
    """The test binary, asked to fail, and what it said."""
    environment = os.environ | {"BLUETHROAT_FAIL_ON_PURPOSE": "1", "BLUETHROAT_LOGS": str(tmp_path / "logs")}
    done = subprocess.run([TESTS, *arguments], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout + done.stderr


def tshark(capture, *arguments):
    done = subprocess.run(["tshark", "-n", "-2", "-r", capture, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def assert_is_whole(capture, advertiser):
    """A capture that tshark can make sense of, with a name in it that was advertised."""
    assert tshark(capture, "-Y", "_ws.malformed || btle.crc.incorrect") == []
    names = tshark(capture, "-Y", "btle", "-T", "fields", "-e", "btcommon.eir_ad.entry.device_name")
    assert advertiser in names
    interfaces = set(tshark(capture, "-T", "fields", "-e", "frame.interface_name"))
    # And what apps were told, where one was told anything.
    assert interfaces - {"apps"} == {"air", "hci0", "hci1"}


@pytest.fixture(scope="module")
def swift_testing(tmp_path_factory):
    """The failures of Swift Testing: what was said, the directory of attachments, that of logs."""
    directory = tmp_path_factory.mktemp("failures")
    attachments = directory / "attachments"
    attachments.mkdir()
    said = run(
        directory,
        *("--testing-library", "swift-testing", "--filter", "FailingOnPurpose"),
        *("--attachments-path", attachments),
    )
    return said, attachments, directory / "logs"


def test_an_expectation_that_fails_names_seed_and_file_and_attaches_the_capture(swift_testing):
    said, attachments, _ = swift_testing
    path = Path(re.search(r"the air: seed 42, .*; what was on it: (\S*expectation\S*\.pcapng)", said)[1])
    assert_is_whole(path, "Strap")
    text = path.with_suffix(".txt").read_text()
    assert "app orders: scan for 180D" in text and "CONNECT_IND" in text
    # The same calls and callbacks in the capture, among the packets.
    messages = tshark(path, "-Y", "syslog", "-T", "fields", "-e", "syslog.msg")
    assert "iPhone: app orders: scan for 180D" in messages and "iPhone: app is told: poweredOn" in messages
    attached = [file for file in attachments.iterdir() if "expectation" in file.name]
    assert {file.read_bytes() for file in attached} == {path.read_bytes(), text.encode()}


def test_an_error_that_ends_a_test_says_what_was_waited_for(swift_testing):
    said, _, _ = swift_testing
    assert "try air.run(until: monitor.isConnected, within: .seconds(5))" in said
    assert "Cell sent" in said
    assert_is_whole(Path(re.search(r"the air: seed 43, .*: (\S+\.pcapng)", said)[1]), "Cell")


def test_an_air_within_a_test_is_the_one_that_is_kept(swift_testing):
    said, _, _ = swift_testing
    assert_is_whole(Path(re.search(r"the air: seed 44, .*: (\S+\.pcapng)", said)[1]), "Inner")


def test_what_passes_leaves_nothing(swift_testing):
    _, attachments, logs = swift_testing
    assert len(list(logs.glob("*.pcapng"))) == 3
    assert not [file for directory in (attachments, logs) for file in directory.iterdir() if "passing" in file.name]


def test_misuse_that_is_forbidden_fails_a_test_of_xctest(tmp_path):
    said = run(tmp_path, "TestingTests.CarelessCase/testOrdersTooEarly")
    assert "the app misused CoreBluetooth: API MISUSE: <CBCentralManager: " in said


def test_a_failing_test_of_xctest_names_seed_and_file(tmp_path):
    said = run(tmp_path, "TestingTests.FailingCase/testFails")
    assert_is_whole(Path(re.search(r"the air: seed 45, .*: (\S+\.pcapng)", said)[1]), "Strap")
