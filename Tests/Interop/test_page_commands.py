"""The pages of the five systems and of studies show what the command prints: each block with commands is run, and compared."""

import functools
import os
import re

import bluethroat
import page_commands
import pytest
from bluethroat import ROOT
from page_commands import Block, Command, PageError, has_printed, placed

# Those of the five systems begin with what the system is for, its picture, and three commands with what they print.
OPENINGS = ["keyfob", "overflow", "futures", "moneydrop", "workstation"]
PAGES = ["README.md", "docs/hosts.md", *(f"docs/{name}.md" for name in OPENINGS), "docs/studies.md"]


def page_text(page):
    return (ROOT / page).read_text(encoding="utf-8")


def page_blocks():
    return [block for page in PAGES for block in page_commands.blocks(page, page_text(page))]


@pytest.mark.limit(900)
@pytest.mark.parametrize("block", page_blocks(), ids=lambda block: block.name)
async def test_a_page_shows_what_its_commands_print(block, tmp_path):
    if block.reason:
        pytest.skip(f"{block.name} is not run: {block.reason}")
    differs = None
    if os.environ.get("BLUETHROAT_PAGES") == "write":
        differs = functools.partial(page_commands.rewrite, ROOT / block.page)
    await page_commands.run(block, tmp_path, bluethroat.binary(), bluethroat.lasting_port(), differs)


@pytest.mark.parametrize("name", OPENINGS)
def test_a_page_begins_with_what_it_is_for_a_picture_and_three_commands(name):
    # Up to the second heading: the first is the title, and the commands may have one.
    text = page_text(f"docs/{name}.md")
    picture = re.search(r"!\[[^\]]+\]\((images/[^)]+)\)", text)
    assert picture and (ROOT / "docs" / picture[1]).exists()
    found = page_commands.blocks(name, text)
    first_table = text.index("\n|---")
    before = [block for block in found if block.line < text[:first_table].count("\n") and not block.reason]
    assert sum(command.text.startswith("bluethroat ") for block in before for command in block.commands) == 3
    assert text.index(picture[0]) < text.index("```console") < first_table
    # The first table is that of the rows: what is there by default, and what else.
    head = text[:first_table].rpartition("\n")[2]
    assert re.search(r"\b(row|default)\b", head), head
    # What it is for stands first.
    title, first, *_ = [part for part in text.split("\n\n") if part]
    assert title.startswith("# ") and not first.startswith(("!", "```", "|", "#", "    "))
    opening = " ".join(text[: text.index("![")].split())
    assert re.search(r"\b(?:is|are) for (?:those|two kinds of people)\b", opening), opening


def test_what_a_seed_decides_is_shown_whole():
    """The fob's alarm is the same in each run, so that each of its lines is held."""
    commands = [command for block in page_blocks() if block.page == "docs/keyfob.md" for command in block.commands]
    alarm, *_ = [command for command in commands if "--fast --seed 1 --script" in command.text]
    assert len(alarm.shown) > 12 and not any("…" in line for line in alarm.shown)


# That the comparison can fail


def test_blocks_are_read_with_their_commands_and_what_these_print():
    text = "\n".join(
        ["# A page", "```console", "$ bluethroat scan", "one", "", "$ printf a \\", "  | cat # exit code 1", "a", "```"]
        + ["```swift", "$ no command", "```", "```console not-run: needs a radio", "$ bluethroat pair", "```"]
    )
    found = page_commands.blocks("page", text)
    assert found == [
        Block("page", 2, None, [Command("bluethroat scan", ["one", ""]), Command("printf a \\\n  | cat # exit code 1", ["a"])]),
        Block("page", 13, "needs a radio", [Command("bluethroat pair")]),
    ]
    assert [command.exit_code for command in found[0].commands] == [0, 1]


@pytest.mark.parametrize(
    "lines",
    [
        ["```console skip", "$ a", "```"],
        ["```console", "a", "```"],
        ["```console", "```"],
        ["```console", "$ a"],
        ["```console", "$ a # in one terminal", "$ b", "```"],
    ],
)
def test_a_block_that_cannot_be_understood_is_an_error(lines):
    with pytest.raises(PageError):
        page_commands.blocks("page", "\n".join(lines))


@pytest.mark.parametrize(
    ("shown", "printed", "is_same"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a", "b"], ["a"], False),
        (["a"], ["a", "b"], False),
        (["a  "], ["a"], True),
        (["in … s."], ["in 3.25 s."], True),
        (["in … s."], ["in 3.25 s, or so"], False),
        (["in … s."], ["in 3.25", " s."], False),
        (["a", "…"], ["a", "b", "c"], True),
        (["a", "…"], ["a"], True),
        (["a", "…", "d"], ["a", "b", "c"], False),
        (["a (b)"], ["a (b)"], True),
        ([], ["a"], False),
    ],
)
def test_what_is_shown_is_compared_line_by_line(shown, printed, is_same):
    assert has_printed(shown, printed) == is_same


def test_of_a_command_that_goes_on_the_first_lines_count():
    assert has_printed(["a", "…", "c"], ["a", "b", "c", "d"], whole=False)
    assert not has_printed(["a", "c"], ["a", "b", "c"], whole=False)


@pytest.mark.parametrize(
    ("arguments", "added"),
    [
        ("keyfob --seed 1", "--hci-listen 127.0.0.1:7000 --panel-listen 127.0.0.1:0"),
        ("keyfob --fast --for 3", ""),
        ("keyfob --no-panel", "--hci-listen 127.0.0.1:7000"),
        ("keyfob --controller=pty:/dev/x", "--panel-listen 127.0.0.1:0"),
        ("read Keyfobdemo 2A19", "--hci tcp:127.0.0.1:7000"),
        ("scan --hci tcp:127.0.0.1:1", ""),
        ("moneydrop send --to Anna", "--controller tcp:127.0.0.1:7000"),
        ("desk add-user alice", ""),
        ("desk --id 4711", "--hci-listen 127.0.0.1:7000 --panel-listen 127.0.0.1:0"),
        ("overflow encode --payload 01", ""),
        ("bonds list", ""),
    ],
)
def test_commands_are_told_the_ports_of_the_test(arguments, added):
    assert placed(arguments.split(), 7000) == [*arguments.split(), *added.split()]


@pytest.mark.parametrize(
    ("commands", "complaint"),
    [
        ([Command("echo a", ["a"]), Command("cat Examples/none # exit code 1", ["cat: …"])], None),
        ([Command("echo a", ["b"])], "it prints"),
        ([Command("sh -c 'echo a; exit 3'", ["a"])], "exit code 3"),
        ([Command("echo a; exec sleep 1000 # in one terminal", ["b"])], "it prints"),
    ],
)
async def test_a_block_that_prints_something_else_is_a_failure(commands, complaint, tmp_path, monkeypatch):
    monkeypatch.setattr(page_commands, "PATIENCE", 0.5)
    block = Block("page", 1, None, commands)
    if complaint is None:
        await page_commands.run(block, tmp_path, bluethroat.binary(), 7000)
    else:
        with pytest.raises(AssertionError, match=complaint):
            await page_commands.run(block, tmp_path, bluethroat.binary(), 7000)


async def test_a_page_can_be_made_to_show_what_is_printed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A page\n\n```console\n$ echo a\nb\n$ echo c\nc\n```\n\nThe end.\n")
    for place in ("first", "second"):
        (block,) = page_commands.blocks("page", page.read_text())
        (tmp_path / place).mkdir()
        differs = functools.partial(page_commands.rewrite, page) if place == "first" else None
        await page_commands.run(block, tmp_path / place, bluethroat.binary(), 7000, differs)
    assert page.read_text() == "# A page\n\n```console\n$ echo a\na\n$ echo c\nc\n```\n\nThe end.\n"


async def test_a_command_in_one_terminal_goes_on_while_the_next_ones_run(tmp_path):
    goes_on = "trap 'exit 0' TERM; touch begun; echo up; while :; do sleep 0.01; done # in one terminal"
    block = Block("page", 1, None, [Command(goes_on, ["up"]), Command("ls begun", ["begun"])])
    await page_commands.run(block, tmp_path, bluethroat.binary(), 7000)
