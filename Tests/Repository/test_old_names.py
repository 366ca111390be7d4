"""The table of old names and what gives them: each module that it promises under its old name has a shim, and each shim, each
deprecated alias of a type, has its place there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/old-names.md"
SHIMS = ROOT / "Sources/OldNames"
RENAMED = {"AppTime": "AppEnvironment", "Stage": "Workbench"}


def names(text):
    return re.findall(r"`(\w+)`", text)


def rows(page, heading):
    """The rows of the table under a heading: what was, and what is."""
    section = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    return [(row[0], row[1]) for row in found]


def promised(page):
    """The modules that the page says are there by their old names."""
    listed = []
    for old, new in rows(page, "Modules and products"):
        if "as they were" not in new:
            listed += names(old)
    return listed


def shims():
    return sorted(folder.name for folder in SHIMS.iterdir())


def test_the_table_has_the_modules_that_have_shims_and_no_others():
    assert sorted(promised(PAGE.read_text())) == shims()


def test_a_module_without_a_shim_would_be_noticed():
    page = PAGE.read_text().replace("| `AppTime` |", "| `AppTime`, `HTTPServing` |")
    assert set(promised(page)) - set(shims()) == {"HTTPServing"}


def test_each_shim_gives_the_module_that_the_page_says():
    for name in shims():
        (file,) = (SHIMS / name).glob("*.swift")
        new = RENAMED.get(name, name)
        assert f"@_exported public import Bluethroat{new}\n" in file.read_text(), name


def test_modules_that_have_no_shim_are_named_as_such():
    section = PAGE.read_text().split("\n## Modules and products\n")[1].split("\n## ")[0]
    paragraph = " ".join(re.search(r"^`AirPackets`.*?\n\n", section, re.M | re.S)[0].split())
    assert "were no products" in paragraph and not set(names(paragraph)) & set(shims())


def test_the_line_for_sed_changes_all_imports_of_modules_that_have_shims():
    command = re.search(r"^\$ sed -i -E '(.*)' ", PAGE.read_text(), re.M)[1]
    changes = [re.fullmatch(r"s/(.*)/(.*)/", one).groups() for one in command.split("; ")]
    for name in shims():
        line = f"import {name}"
        for old, new in changes:
            line = re.sub(old, new, line)
        assert line == f"import Bluethroat{RENAMED.get(name, name)}"


def test_the_table_has_all_types_that_are_deprecated_aliases():
    listed = {name for old, _ in rows(PAGE.read_text(), "Types and members") for name in re.findall(r"\w+", old)}
    pattern = re.compile(r"@available\(\*, deprecated, renamed[^\n]*\n\s*(?:public|package) typealias (\w+)")
    found = {name for file in (ROOT / "Sources").rglob("*.swift") for name in pattern.findall(file.read_text())}
    assert len(found) > 15 and found - listed == set()
