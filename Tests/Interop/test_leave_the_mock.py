"""Scripts/leave-the-mock takes an app from the mock's names to CoreBluetooth itself."""

import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "Scripts" / "leave-the-mock"


def test_an_app_with_type_aliases_says_what_it_says_on_a_phone(tmp_path):
    sources = tmp_path / "app"
    shutil.copytree(ROOT / "Examples" / "DoorbellApp" / "Sources", sources)
    subprocess.run([SCRIPT, sources], check=True)
    text = "\n".join(path.read_text() for path in sorted(sources.rglob("*.swift")))
    assert "CBM" not in text and "Mock" not in text and "typealias" not in text
    assert "import CoreBluetooth\n" in text
    assert "manager = CBCentralManager(delegate: nil, queue: nil)" in text


def test_names_without_aliases_are_rewritten_and_no_others(tmp_path):
    file = tmp_path / "App.swift"
    file.write_text(
        "@preconcurrency import CoreBluetoothMock\n"
        "let manager = CBMCentralManagerFactory.instance(forceMock: isTest)\n"
        "let code = (error as? CBMError)?.code, own = MyCBMThing(), key = CBMAdvertisementDataLocalNameKey\n"
    )
    subprocess.run([SCRIPT, file], check=True)
    assert file.read_text() == (
        "@preconcurrency import CoreBluetooth\n"
        "let manager = CBCentralManager()\n"
        "let code = (error as? CBError)?.code, own = MyCBMThing(), key = CBAdvertisementDataLocalNameKey\n"
    )


def test_a_folder_that_is_not_there_is_one_clear_line(tmp_path):
    result = subprocess.run([SCRIPT, tmp_path / "nowhere"], capture_output=True, text=True)
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1 and "nowhere" in result.stderr
