"""No test target stands empty, no file of one is only there to make it compile, and no test only runs: each asserts."""

import importlib.machinery
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "Tests"
CODE = re.compile(r"^\s*(?!(?:@\w+\s+)?import\b|//)\S", re.MULTILINE)
TEST = re.compile(r"^\s*@Test\b|^\s*func test\w*\(", re.MULTILINE)
FUNCTION = re.compile(r"\bfunc\s+(?:`[^`]+`|\w+)\s*(?=[(<])")
# What fails if it is not so: the two frameworks' own, an air that runs until something is so, waiting for a callback, and
# the corpus of a fuzzer, whose targets check laws.
ASSERTS = re.compile(
    r"#expect\b|#require\b|\bXCTAssert\w*\(|\bXCTUnwrap\(|\bXCTFail\(|\bIssue\.record\(|\bconfirmation\(|\bfulfillment\("
    r"|\brun\(\s*until:|\bwithChecked(?:Throwing)?Continuation\b|\bFuzzCorpus\.play\("
)
# Tests that may do without, and why.
MAY_DO_WITHOUT = {
    "CoreBluetoothMockTestingTests/FailingWaits.swift": "run by another test, which looks at how they fail",
    "TestingTests/FailingOnPurpose.swift": "run by another test, which looks at how they fail and at what passes",
}


def load_script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "Scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


code_only = load_script("check-layers").code_only


def targets():
    return [folder for folder in sorted(TESTS.iterdir()) if folder.name.endswith("Tests") and folder.is_dir()]


def empty_files(folder):
    return [str(file.relative_to(folder)) for file in sorted(folder.rglob("*.swift")) if not CODE.search(file.read_text())]


def body(code, start):
    """What stands in the braces of the function whose parameters begin at `start`."""
    depth = 0
    while start < len(code) and (depth or code[start] != "{"):
        depth += {"(": 1, ")": -1}.get(code[start], 0)
        start += 1
    for index in range(start, len(code)):
        depth += {"{": 1, "}": -1}.get(code[index], 0)
        if depth == 0:
            return code[start : index + 1]
    return code[start:]


def functions(code):
    """Names and bodies of all functions of a file, and whether each is a test."""
    for found in FUNCTION.finditer(code):
        name = found.group().split(maxsplit=1)[1].strip(" `")
        before = code[: found.start()].rstrip()
        # The attributes of a declaration end where the one before it does.
        attributes = before[max(before.rfind(mark) for mark in "{};") + 1 :]
        # In arguments of an attribute, too, there may be braces: those of its own line count.
        line = code[code.rfind("@Test", 0, found.start()) : found.start()]
        is_test = "@Test" in attributes or (line.startswith("@Test") and FUNCTION.search(line) is None)
        yield name, body(code, found.end()), is_test or bool(re.fullmatch(r"test\w*", name) and "XCTestCase" in code)


def without_assertion(files):
    """The tests of one target, from names of files to their texts, that neither assert nor call what does."""
    known = {name: list(functions(code_only(text))) for name, text in files.items()}
    asserting = set()
    while True:
        called = re.compile("|".join([ASSERTS.pattern] + [rf"\b{re.escape(name)}\(" for name in sorted(asserting)]))
        more = {
            name for each in known.values() for name, text, is_test in each if not is_test and called.search(text)
        } - asserting
        if not more:
            break
        asserting |= more
    return [
        f"{file}: {name}"
        for file, each in known.items()
        for name, text, is_test in each
        if is_test and not called.search(text)
    ]


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


def test_each_test_asserts():
    found, count = [], 0
    for folder in targets():
        files = {str(file.relative_to(TESTS)): file.read_text() for file in sorted(folder.rglob("*.swift"))}
        count += sum(is_test for text in files.values() for _, _, is_test in functions(code_only(text)))
        found += without_assertion(files)
    assert count > 3_000
    assert {line.split(":")[0] for line in found} - set(MAY_DO_WITHOUT) == set(), "\n".join(found)
    assert set(MAY_DO_WITHOUT) <= {line.split(":")[0] for line in found}, "somebody may do without who need not"


def test_a_placeholder_is_noticed(tmp_path):
    (tmp_path / "Placeholder.swift").write_text("import Testing\n\n@testable import VirtualTime\n// to be written\n")
    (tmp_path / "RealTests.swift").write_text("import Testing\n\n@Test func one() { #expect(1 + 1 == 2) }\n")
    assert empty_files(tmp_path) == ["Placeholder.swift"]


@pytest.mark.parametrize(
    ("text", "asserts"),
    [
        ("@Test func one() { #expect(1 + 1 == 2) }", True),
        ("@Test(arguments: [1, 2])\nfunc one(size: Int) { _ = take(size) }", False),
        ('@Test("Random bytes never trap { }")\nfunc one() {\n    // #expect\n    _ = take("#expect")\n}', False),
        ("@Test(arguments: [1].map { $0 + 1 })\nfunc one(size: Int) { take(size) }", False),
        ("@Test func one() { proved() }\nfunc proved() { deeper() }\nfunc deeper() { #expect(a) }", True),
        ("@Test func one() { helper() }\nfunc helper() {}\n@Test func two() { #expect(a) }", False),
        ("@Test func one() throws { try air.run(until: a) }", True),
        ("final class A: XCTestCase {\n    func testOne() { run() }\n}", False),
        ("final class A: XCTestCase {\n    func testOne() { XCTAssertEqual(a, b) }\n}", True),
    ],
)
def test_a_test_that_only_runs_is_noticed(text, asserts):
    assert (without_assertion({"A.swift": text}) == []) == asserts
