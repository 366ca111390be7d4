"""The playgrounds of the page about futures are those of Examples/Playgrounds, letter by letter, with what they print.

That they print this is tested by the package itself, in `make test-examples`."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Examples/Playgrounds"
PAGE = ROOT / "docs/futures.md"
# A program, and right after it the command with what it prints.
BLOCKS = re.compile(
    r"^```swift\n((?:(?!^```).)*)^```\n\n```console(?: run-by: [^\n]+)?\n\$ swift run (\S+)\n((?:(?!^```).)*)^```$",
    re.M | re.S,
)


def shown(page):
    """What a page shows: for each program its text and what it prints."""
    return {name: (text, printed) for text, name, printed in BLOCKS.findall(page)}


def programs():
    return sorted(folder.name for folder in (PACKAGE / "Sources").iterdir() if folder.is_dir())


def test_the_page_has_each_program_and_no_other():
    assert len(programs()) >= 6
    assert sorted(shown(PAGE.read_text())) == programs()


@pytest.mark.parametrize("name", programs())
def test_the_page_has_the_text_and_what_it_prints(name):
    text, printed = shown(PAGE.read_text())[name]
    assert text == (PACKAGE / f"Sources/{name}/main.swift").read_text()
    assert printed == (PACKAGE / f"Prints/{name}.txt").read_text()


@pytest.mark.parametrize("name", programs())
def test_a_program_is_one_short_file(name):
    files = sorted(file.name for file in (PACKAGE / f"Sources/{name}").iterdir())
    assert files == ["main.swift"]
    assert len((PACKAGE / f"Sources/{name}/main.swift").read_text().splitlines()) <= 70


def test_a_page_that_differs_is_noticed():
    page = "```swift\nprint(1)\n```\n\n```console\n$ swift run one\n1\n```\n"
    assert shown(page) == {"one": ("print(1)\n", "1\n")}
    assert shown(page.replace("```console", "```console run-by: elsewhere")) == shown(page)
    assert shown(page.replace("```swift", "```c")) == {}
    assert shown("```swift\nother\n```\n\nprose\n\n" + page) == {"one": ("print(1)\n", "1\n")}
