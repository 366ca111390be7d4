"""XCTest on Linux runs the tests that a class has itself, and none that it inherits: each class says which it has."""

import re
from pathlib import Path

import pytest
from test_no_placeholders import code_only

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["Tests", "Examples", "Shims", "Clients", "Benchmarks", "Fuzzing"]
CLASS = re.compile(r"\bclass\s+(\w+)(?:<[^>{]*>)?\s*:\s*(?:\w+\.)?(\w+)[^{]*\{")
TEST = re.compile(r"\bfunc\s+(test\w*)\s*\(\s*\)")
# Base classes that are not among the tests.
OF_XCTEST = {"XCTestCase", "AirTestCase"}


def braces(code, start):
    """What stands in the braces that open at `start`."""
    depth = 0
    for index in range(start, len(code)):
        depth += {"{": 1, "}": -1}.get(code[index], 0)
        if depth == 0:
            return code[start : index + 1]
    return code[start:]


def cases(texts):
    """The classes of XCTest: each name with its base and the names of its own tests."""
    found = {}
    for text in texts:
        code = code_only(text)
        for match in CLASS.finditer(code):
            found[match[1]] = (match[2], set(TEST.findall(braces(code, match.end() - 1))))
        for match in re.finditer(r"\bextension\s+(\w+)\s*\{", code):
            if match[1] in found:
                found[match[1]][1].update(TEST.findall(braces(code, match.end() - 1)))

    def is_case(name):
        return name in OF_XCTEST or name in found and is_case(found[name][0])

    return {name: own for name, own in found.items() if is_case(own[0])}


def not_run(texts):
    """The tests that a class inherits and does not have itself."""
    found = cases(texts)
    lost = []
    for name, (base, own) in found.items():
        inherited = set()
        while base in found:
            base, more = found[base]
            inherited |= more
        lost += [f"{name}.{test}" for test in sorted(inherited - own)]
    return lost


def targets():
    """The tests of each target, since two of them may have classes of one name."""
    for folder in FOLDERS:
        for tests in [ROOT / folder, *(ROOT / folder).glob("**/Tests")]:
            if tests.name != "Tests" or any(part.startswith(".") for part in tests.relative_to(ROOT).parts):
                continue
            for target in sorted(path for path in tests.iterdir() if path.is_dir()):
                yield target.relative_to(ROOT), [file.read_text() for file in sorted(target.rglob("*.swift"))]


def test_no_test_is_only_inherited():
    found = {str(target): (cases(texts), not_run(texts)) for target, texts in targets()}
    assert sum(len(classes) for classes, _ in found.values()) >= 8
    assert {target: lost for target, (_, lost) in found.items() if lost} == {}


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("class A: XCTestCase { func testOne() {} }\nfinal class B: A { override func invokeTest() {} }", ["B.testOne"]),
        ("class A: XCTestCase { func testOne() {} }\nclass B: A { override func testOne() { super.testOne() } }", []),
        ("class A: AirTestCase { func testOne() throws {} }\nclass B: A {}\nclass C: B {}", ["B.testOne", "C.testOne"]),
        ("class A: XCTest.XCTestCase, Other { func testOne() {} }\nfinal class B: A { func testTwo() {} }", ["B.testOne"]),
        ("class A: XCTestCase { func help() {} }\nfinal class B: A { func testTwo() {} }", []),
        ("class A: XCTestCase {}\nextension A { func testOne() {} }\nclass B: A { }", ["B.testOne"]),
        ("class A { func testOne() {} }\nclass B: A {}", []),
    ],
)
def test_a_test_that_is_only_inherited_is_noticed(text, lost):
    assert not_run([text]) == lost
