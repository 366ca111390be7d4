"""Pages show what commands print: each block with commands is run and compared, or says why not and who runs it instead."""

import functools
import itertools
import json
import os
import re
import subprocess

import bluethroat
import page_commands
import pytest
from bluethroat import ROOT
from page_commands import Block, Command, PageError, has_printed, placed

# Those of the five systems begin with what the system is for, its picture, and three commands with what they print.
OPENINGS = ["keyfob", "overflow", "futures", "moneydrop", "workstation"]
PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("Clients/*/README.md"), *ROOT.glob("Examples/*/README.md"))
)
# Blocks for a shell that a test of their own runs, as they stand.
RUN_WHOLE = {
    ("docs/api.md", "sh"): "Tests/Interop/test_panel_api.py",
    ("docs/api.md", "sh virtual"): "Tests/Interop/test_panel_api.py",
    ("docs/api.md", "sh overflow"): "Tests/Interop/test_panel_api.py",
    ("docs/workstation.md", "sh remote"): "Tests/Interop/test_workstation_keeping.py",
}


def page_text(page):
    return (ROOT / page).read_text(encoding="utf-8")


def page_blocks():
    return [block for page in PAGES for block in page_commands.blocks(page, page_text(page))]


@pytest.mark.limit(900)
@pytest.mark.parametrize("block", page_blocks(), ids=lambda block: block.name)
async def test_a_page_shows_what_its_commands_print(block, tmp_path):
    if block.is_dry:
        wrong = {command.text: fault for command in block.commands if (fault := page_commands.dry(command, ROOT))}
        assert not wrong, wrong
        return
    if block.runners:
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        for who in block.runners:
            target = who.removeprefix("make ")
            assert re.search(rf"^{target}:", makefile, re.M) if target != who else (ROOT / who).is_file(), who
        return
    if block.reason:
        pytest.skip(f"{block.name} is not run: {block.reason}")
    differs = None
    if os.environ.get("BLUETHROAT_PAGES") == "write":
        differs = functools.partial(page_commands.rewrite, ROOT / block.page)
    ports = [bluethroat.lasting_port(), bluethroat.lasting_port()]
    await page_commands.run(block, tmp_path, bluethroat.binary(), ports[0], differs, bank=ports[1])


@pytest.mark.parametrize("page", PAGES)
def test_no_command_of_a_page_stands_where_nothing_runs_it(page):
    stray = [one for one in page_commands.stray_commands(page_text(page)) if (page, one[1]) not in RUN_WHOLE]
    # What a script is for that wants a system which is not here says so.
    assert [one for one in stray if not (one[1] or "").startswith("bash not-run: needs ")] == []


def test_those_who_run_blocks_whole_name_their_page_and_their_kind():
    for (page, kind), test in RUN_WHOLE.items():
        text = (ROOT / test).read_text(encoding="utf-8")
        assert page in text and kind in text, (page, kind)
        assert f"```{kind}\n" in page_text(page)


@functools.cache
def help_of(words):
    """The help of a command; of one below it where that is what it does by itself."""
    run = subprocess.run([bluethroat.binary(), *words, "--help"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    usual = re.search(r"^  (\S+) \(default\)", run.stdout, re.M)
    return run.stdout + (help_of((*words, usual[1])) if usual else "")


@pytest.mark.parametrize("page", [page for page in PAGES if "```usage\n" in page_text(page)])
def test_what_a_synopsis_shows_a_command_has(page):
    for synopsis in page_commands.synopses(page_text(page)):
        program, *words = synopsis.split()
        assert program == "bluethroat", synopsis
        verbs = tuple(itertools.takewhile(lambda word: re.fullmatch(r"[a-z0-9-]+", word) and word[0] != "-", words))
        named = set(re.findall(r"--[a-z0-9-]+", help_of(verbs)))
        shown = set(re.findall(r"--[a-z0-9-]+", synopsis))
        assert verbs and shown <= named, f"{synopsis}: {sorted(shown - named)}"


def commands_below(command, words=()):
    """A command with the words that call it, and those below it, as the program describes itself; what help hides is left out."""
    yield words, command
    for one in command.get("subcommands", []):
        if one.get("shouldDisplay", True):
            yield from commands_below(one, (*words, one["commandName"]))


def test_each_command_and_each_option_of_the_help_is_on_a_page():
    described = json.loads(subprocess.check_output([bluethroat.binary(), "--experimental-dump-help"]))
    pages = "\n".join(map(page_text, PAGES))
    options, missing = 0, []
    for words, command in commands_below(described["command"]):
        # `desk` is `desk run`.
        named = f"bluethroat {' '.join(words)}".removesuffix(" run").strip()
        missing += [] if named in pages else [named]
        for name in (name for one in command.get("arguments", []) if one.get("shouldDisplay", True) for name in one.get("names", [])):
            if name["kind"] == "long":
                options += 1
                option = f"--{name['name']}"
                missing += [] if re.search(rf"{option}(?![a-z0-9-])", pages) else [f"{named} {option}"]
    assert options > 500 and missing == []


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
        + ["```console run-by: make test, Tests/conftest.py", "$ a", "```", "```console dry-run: is long", "$ make test", "```"]
    )
    found = page_commands.blocks("page", text)
    assert found == [
        Block("page", 2, None, [Command("bluethroat scan", ["one", ""]), Command("printf a \\\n  | cat # exit code 1", ["a"])]),
        Block("page", 13, "needs a radio", [Command("bluethroat pair")]),
        Block("page", 16, "make test, Tests/conftest.py runs it", [Command("a")], ["make test", "Tests/conftest.py"]),
        Block("page", 19, "is long", [Command("make test")], is_dry=True),
    ]
    assert [command.exit_code for command in found[0].commands] == [0, 1]


@pytest.mark.parametrize(
    "lines",
    [
        ["```console skip", "$ a", "```"],
        ["```console not-run: no time", "$ a", "```"],
        ["```console run-by: ", "$ a", "```"],
        ["```console", "a", "```"],
        ["```console", "```"],
        ["```console", "$ a"],
        ["```console", "$ a # in one terminal", "$ b", "```"],
        ["```console", "$ a # both end", "```"],
        ["```console", "$ a", "$ b # both end", "```"],
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
        ("moneydrop demo --fast", ""),
        ("overflow encode --payload 01", ""),
        ("bonds list", ""),
    ],
)
def test_commands_are_told_the_ports_of_the_test(arguments, added):
    assert placed(arguments.split(), 7000) == [*arguments.split(), *added.split()]


def test_those_that_pay_are_told_the_bank_of_the_test():
    send = ["moneydrop", "send", "--to", "Anna", "--amount", "1"]
    assert placed(send, 7000, 7001) == [*send, "--bank", "http://127.0.0.1:7001", "--controller", "tcp:127.0.0.1:7000"]
    assert placed([*send, "--bank", "http://a"], 7000, 7001)[6:] == ["--bank", "http://a", "--controller", "tcp:127.0.0.1:7000"]
    receive = ["moneydrop", "receive", "--name", "Anna", "--no-panel"]
    assert placed(receive, 7000, 7001)[5:] == ["--bank-listen", "127.0.0.1:7001", "--hci-listen", "127.0.0.1:7000"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("make bench ARGS=--check   # some", None),
        ("A=1 make test-browser PYTEST_ARGS=-n2", None),
        ("make no-such-target", "no-such-target"),
        ("Scripts/count-instructions --base HEAD~1", None),
        ("Scripts/count-instructions --sideways", "--sideways"),
        ("swift run trace-digest --list", None),
        ("swift run no-such-program", "no-such-program"),
        ("rm -rf /", "none that can be looked at"),
    ],
)
def test_a_command_that_is_only_looked_at_is_held_to_what_is_there(text, fault):
    found = page_commands.dry(Command(text), ROOT)
    assert (found is None) if fault is None else fault in found, found


def test_a_command_outside_of_the_blocks_for_commands_is_found():
    lines = ["    bluethroat scan", "```text", "$ make test", "```", "```console", "$ make test", "```", "```sh", "curl a", "```"]
    text = "\n".join([*lines, "    HCI listening on tcp:127.0.0.1:6402", "bluethroat is a bird", "```swift", "make()", "```"])
    assert [(number, fence) for number, fence, _ in page_commands.stray_commands(text)] == [(1, None), (3, "text"), (9, "sh")]
    assert list(page_commands.synopses("```usage\nbluethroat a [--b]\n     [--c]\nbluethroat d\n```\n")) == [
        "bluethroat a [--b] [--c]",
        "bluethroat d",
    ]


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


async def test_a_shell_ends_when_its_command_has(tmp_path):
    """A command with its output elsewhere is a child of its shell, which is told to end with it."""
    slow = "sh -c 'trap \"sleep 0.2; touch ended; exit 3\" TERM; echo up >&2; while :; do sleep 0.01; done'"
    block = Block("page", 1, None, [Command(f"{slow} > out # in one terminal, exit code 3", ["up"]), Command("echo a", ["a"])])
    await page_commands.run(block, tmp_path, bluethroat.binary(), 7000)
    assert (tmp_path / "here" / "ended").exists()


async def test_a_command_that_ends_with_another_is_waited_for(tmp_path):
    waits = "sh -c 'echo up >&2; until test -e go; do sleep 0.01; done; sleep 0.2; echo all' > out # in one terminal"
    commands = [Command(waits, ["up"]), Command("touch go # both end"), Command("cat out", ["all"])]
    await page_commands.run(Block("page", 1, None, commands), tmp_path, bluethroat.binary(), 7000)
