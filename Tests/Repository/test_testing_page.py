"""The examples of the page about testing apps that are whole tests are those of Tests/TestingTests, letter by letter, where
they are compiled and run; and the page has every kind of misuse there is."""

import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/testing-apps.md"
SOURCE = ROOT / "Tests/TestingTests/TestingPageTests.swift"
KINDS = ROOT / "Sources/Core/PhoneService/Sessions/MisuseKind.swift"
# Whole tests with an air of the usual kind, from the attribute to the brace at the beginning of a line.
EXAMPLES = re.compile(r"^@Test\(\.air\) func (\w+)\(\) throws \{\n.*?^\}\n", re.M | re.S)


def examples(text):
    """The tests that stand at the left edge of a text, by their names."""
    return {found[1]: found[0] for found in EXAMPLES.finditer(text)}


def blocks(page):
    return "\n".join(re.findall(r"^```swift\n(.*?)^```", page, re.M | re.S))


def of_suite(source):
    """The same of a suite, whose tests are indented by four."""
    body = source.split("struct TestingPageTests {\n", 1)[1].split("\n}\n", 1)[0] + "\n"
    return examples(textwrap.dedent(body))


def test_the_examples_of_the_page_are_compiled_and_run():
    shown = examples(blocks(PAGE.read_text()))
    # The first one of the page is that of Examples/HeartRateApp.
    shown.pop("findsTheStrap", None)
    assert len(shown) >= 3
    assert shown == of_suite(SOURCE.read_text())


def test_the_page_has_each_kind_of_misuse():
    table = PAGE.read_text().split("<!-- kinds of misuse: begin -->")[1].split("<!-- kinds of misuse: end -->")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M)[1:] == re.findall(r"^    case (\w+)$", KINDS.read_text(), re.M)


def test_an_example_that_differs_is_noticed():
    one = "@Test(.air) func a() throws {\n    b()\n}\n"
    assert examples(one) == {"a": one}
    assert examples(one) != examples(one.replace("b()", "c()"))
