"""Each behaviour that the page about Nordic's mock promises names the test that holds it, and there is that test; the page's
examples are those of Tests/CoreBluetoothMockTests, letter by letter, where they are compiled and run."""

import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/coming-from-a-mock.md"
EXAMPLES = ROOT / "Tests/CoreBluetoothMockTests/MovingOnTests.swift"
FOLDERS = ["Tests/CoreBluetoothMockTests", "Tests/CoreBluetoothMockTestingTests"]


def functions_of(source):
    """`Suite.function` for each test of a file in Swift."""
    suite, found, waits = None, set(), False
    for line in source.splitlines():
        if begun := re.match(r"(?:final |private )*(?:struct|class) (\w+)", line):
            suite = begun[1]
        waits = waits or line.strip().startswith("@Test")
        if waits and (function := re.match(r"    func (\w+)\(", line)):
            found.add(f"{suite}.{function[1]}")
            waits = False
    return found


def all_tests():
    return set().union(*(functions_of(path.read_text()) for name in FOLDERS for path in (ROOT / name).rglob("*.swift")))


def rows(page):
    """The rows of both tables of behaviours, each a list of cells."""
    part = page.split("## What is as there\n", 1)[1].split("## What the original has not\n", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "---" not in line]


def test_each_behaviour_names_a_test_that_there_is():
    known = all_tests()
    table = [row for row in rows(PAGE.read_text()) if row[-1] != "held by"]
    assert len(table) > 30
    for row in table:
        named = re.findall(r"`(\w+\.\w+)`", row[-1])
        assert named, f"no test holds: {row[0]}"
        assert set(named) <= known, f"{row[0]}: {set(named) - known}"


def test_a_test_that_is_not_there_is_noticed():
    source = 'struct ATests {\n    @Test(\n        "b"\n    )\n    func c() {}\n\n    private func d() {}\n}\n'
    assert functions_of(source) == {"ATests.c"}


def test_the_examples_of_the_page_are_compiled_and_run():
    whole = [block for block in re.findall(r"^```swift\n(.*?)^```", PAGE.read_text(), re.M | re.S) if "func losesTheCell" in block]
    compiled = re.findall(r"^        @Test.*?^        \}\n", EXAMPLES.read_text(), re.M | re.S)
    assert len(whole) == 2 and whole == [textwrap.dedent(test) for test in compiled]
