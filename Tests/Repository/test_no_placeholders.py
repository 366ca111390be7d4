"""No test target stands empty, and no file of one is only there to make it compile."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
CODE = re.compile(r"^\s*(?!(?:@\w+\s+)?import\b|//)\S", re.MULTILINE)
TEST = re.compile(r"^\s*@Test\b|^\s*func test\w*\(", re.MULTILINE)


def targets():
    return [folder for folder in sorted(TESTS.iterdir()) if folder.name.endswith("Tests") and folder.is_dir()]


def empty_files(folder):
    return [str(file.relative_to(folder)) for file in sorted(folder.rglob("*.swift")) if not CODE.search(file.read_text())]


def test_each_target_has_tests():
    assert targets()
    without = [
        folder.name
        for folder in targets()
        if not any(TEST.search(file.read_text()) for file in folder.rglob("*.swift"))
    ]
    assert without == []


def test_no_file_is_a_placeholder():
    assert {folder.name: empty_files(folder) for folder in targets() if empty_files(folder)} == {}


def test_a_placeholder_is_noticed(tmp_path):
    (tmp_path / "Placeholder.swift").write_text("import Testing\n\n@testable import VirtualTime\n// to be written\n")
    (tmp_path / "RealTests.swift").write_text("import Testing\n\n@Test func one() { #expect(1 + 1 == 2) }\n")
    assert empty_files(tmp_path) == ["Placeholder.swift"]
