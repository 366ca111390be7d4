"""What readers find in the pages: a table of tasks first, and links that lead somewhere."""

import re
import unicodedata

import pytest
from bluethroat import ROOT

PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("Clients/*/README.md")), *sorted(ROOT.glob("Examples/*/README.md"))]
# What the first column of a table of tasks is called.
TASKS = ("to", "task", "to do", "you have", "command", "question", "to know", "to read what is said by", "what is seen")
# Pages that begin with something else, and why.
OTHERS = {
    "keyfob": "a system: what it is for, its picture, three commands",
    "overflow": "a system",
    "futures": "a system",
    "moneydrop": "a system",
    "workstation": "a system",
    "architecture": "for those who change the tree",
    "glossary": "a table of words",
    "old-names": "tables of names",
    "futures-migration": "tables of names",
}


def first_table(text):
    """The line of the first table, counted from 1, and the first cell of its head; None if there is none."""
    lines = text.splitlines()
    for number, (head, rule) in enumerate(zip(lines, lines[1:], strict=False), 1):
        if head.startswith("|") and re.match(r"\|[-:| ]+\|$", rule):
            return number, head.split("|")[1].strip()
    return None


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent == ROOT / "docs" and page.stem not in OTHERS], ids=lambda page: page.stem)
def test_a_reference_page_begins_with_a_table_of_tasks(page):
    table = first_table(page.read_text(encoding="utf-8"))
    assert table, "there is no table"
    line, head = table
    # On the first screen.
    assert head in TASKS and line <= 30, table


def test_pages_that_begin_with_something_else_are_there():
    assert set(OTHERS) <= {page.stem for page in PAGES}


def without_code(text):
    """A page without its blocks of code."""
    return re.sub(r"^(`{3,})[^\n]*\n.*?^\1$", "", text, flags=re.M | re.S)


def anchors(text):
    """How a page's headings are called in links."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", without_code(text), re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        kept = "".join(one for one in plain if one in " -_" or unicodedata.category(one)[0] in "LN")
        slug, number = kept.replace(" ", "-"), 0
        while (name := slug if not number else f"{slug}-{number}") in found:
            number += 1
        found.add(name)
    return found


def broken(page, text):
    """The links of a page that lead nowhere in the tree."""
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(text)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            found.append(link)
        elif anchor and target.suffix == ".md" and anchor not in anchors(text if target == page else target.read_text(encoding="utf-8")):
            found.append(link)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_what_is_there(page):
    assert broken(page, page.read_text(encoding="utf-8")) == []


def test_a_link_that_leads_nowhere_is_noticed():
    page = ROOT / "docs/api.md"
    text = "# One\n## `two`, three\n[a](#two-three) [b](#two) [c](cli.md#scan) [d](cli.md#none) [e](none.md) [f](https://a.example/#b)\n"
    assert broken(page, text) == ["#two", "cli.md#none", "none.md"]
    assert first_table("text\n\n| to | do |\n|---|---|\n") == (3, "to") and first_table("| a | b |\n") is None


def test_the_readme_leads_to_each_page():
    """A page that nothing names is not found."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = {(ROOT / link.partition("#")[0]).resolve() for link in re.findall(r"\]\(([^)\s]+)\)", text)}
    there = {*ROOT.glob("docs/*.md"), ROOT / "docs/decisions/README.md", *ROOT.glob("Clients/*/README.md"), *ROOT.glob("*.md")}
    assert there - named == {ROOT / "README.md"}


def test_the_page_about_corebluetooth_says_what_the_shims_are_called():
    products = re.findall(r'\.library\(name: "(\w+)"', (ROOT / "Shims/Package.swift").read_text(encoding="utf-8"))
    page = (ROOT / "docs/corebluetooth.md").read_text(encoding="utf-8")
    assert products and all(f'.product(name: "{name}", package: "Shims")' in page for name in products)
