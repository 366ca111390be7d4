"""The rules of the house are kept, and the script that says so would notice if they were not."""

import importlib.machinery
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_script():
    loader = importlib.machinery.SourceFileLoader("check_layers", str(ROOT / "Scripts/check-layers"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_layers", loader))
    loader.exec_module(module)
    return module


check_layers = load_script()


def test_the_sources_keep_the_rules():
    assert list(check_layers.violations(ROOT)) == []


@pytest.mark.parametrize(
    ("target", "line"),
    [
        ("Host", "import BluethroatLinkLayer"),
        ("LinkLayer", "public import BluethroatHost"),
        ("RadioMedium", "internal import BluethroatAirPackets"),
        ("KeyFob", "@testable import BluethroatSimulation"),
        ("HCI", "import Foundation"),
        ("Host", "import struct Foundation.Data"),
        ("ByteCoding", "import BluethroatVirtualTime"),
        ("Simulation", "#if canImport(Dispatch)\n    import Dispatch\n#endif"),
        ("LiveLoop", "import NIOCore"),
        ("Simulation", "let now = Date()"),
        ("LinkLayer", "let value = Int.random(in: 0..<5)"),
        ("LinkLayer", "let value = items\n    .shuffled()"),
        ("Simulation", "try await Task.sleep(for: .seconds(1))"),
        ("Host", "Task { begin() }"),
        ("KeyFob", 'print("beep")'),
        ("LivePhones", "FileHandle.standardError.write(line)"),
        ("ControlPanel", 'print("served")'),
        ("Testing", 'fputs(line, stderr)'),
        ("LivePhones", "fputs(line, stream)"),
        ("Live", 'NSLog("connected")'),
        ("Phones", "debugPrint(state)"),
        ("HCITransports", 'perror("open")'),
        ("MoneyBank", "    dump(ledger)"),
        ("Phones", "func companion(of app: AppID) {}"),
        ("Host", "var phyWish = 1"),
        ("Simulation", "func keepAppointment() {}"),
        ("MoneyDrop", "let news = News()"),
        ("WorkstationLogin", "desk.turnAway(visitor)"),
        ("Testing", "var pace: SimulatedPace?"),
        ("Live", "let clock = WallClock()"),
        ("Host", "let peer = links[slot].peerIdentity ?? peer"),
        ("bluethroat", "#if canImport(Phones)"),
        ("Live", "    #if os(Linux) && canImport(OverflowStudy)"),
        ("Central", "import ArgumentParser"),
        ("Live", "import BluethroatTerminal"),
        ("MoneyDropWorld", "import BluethroatOverflowWorld"),
    ],
)
def test_a_breach_is_found(target, line):
    assert list(check_layers.violations_in(target, line + "\n"))


@pytest.mark.parametrize(
    ("folder", "line", "is_breach"),
    [
        ("GATT", "links[slot].smp.state = .idle", True),
        ("Security", "if link.l2cap.channels.requests.isEmpty { return }", True),
        ("SMP", "link.smp.state = .idle", False),
        ("Security", "guard links[slot].smp.isPairing else { return }", False),
        ("GATT", "// links[slot].smp.state is not for this folder", False),
    ],
)
def test_a_layer_does_not_see_the_state_of_another_on_a_link(folder, line, is_breach):
    assert bool(list(check_layers.foreign_parts(folder, line + "\n"))) == is_breach


@pytest.mark.parametrize(
    ("target", "line"),
    [
        ("Host", "public import BluethroatHCI"),
        ("LinkLayer", "import BluethroatRadioMedium"),
        ("Live", "private func perror(_ text: String) {}"),
        ("Live", "let text = render.print"),
        ("Host", "// news of the peer's wish"),
        ("Live", "let renews = isRenewed"),
        ("CoreBluetoothMock", "let wish = simulation.wish"),
        ("LiveLoop", "import Foundation"),
        ("LinkLayer", "let value = Int.random(\n    in: 0..<(5),\n    using: &stream)"),
        ("Host", "/// Never calls `Task.sleep`, and import Foundation is for others."),
        ("Host", 'let text = "import Foundation; Date()"'),
        ("Host", "struct Task {}"),
        ("bluethroat", "let now = Date()"),
    ],
)
def test_what_is_allowed_passes(target, line):
    assert list(check_layers.violations_in(target, line + "\n")) == []


def test_a_target_without_a_rule_is_named(tmp_path):
    (tmp_path / "Sources/Core/Novelty").mkdir(parents=True)
    assert ["Novelty" in line for line in check_layers.violations(tmp_path)] == [True]


def test_the_command_stays_thin():
    assert check_layers.command_length(check_layers.LONGEST_COMMAND) is None
    assert "3501 lines" in check_layers.command_length(check_layers.LONGEST_COMMAND + 1)


def test_a_word_that_was_replaced_may_stay_in_a_file_of_deprecated_names_only():
    line = "public typealias SimulatedPace = SimulatedConnectionParameters\n"
    assert list(check_layers.violations_in("Testing", line, "SimulatedPeripheral+Deprecated.swift")) == []
    assert len(list(check_layers.violations_in("Testing", line, "SimulatedPeripheral.swift"))) == 1
