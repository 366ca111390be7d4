"""`Scripts/step`: a step of `make check` that has passed is skipped while its inputs are the same, and CI skips nothing."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = "passed with the same inputs before"


@pytest.fixture
def tree(tmp_path):
    """A repository of its own with the script in it."""
    root = tmp_path / "tree"
    (root / "Scripts").mkdir(parents=True)
    (root / "Shims").mkdir()
    shutil.copy(ROOT / "Scripts/step", root / "Scripts/step")
    (root / "Shims/one.swift").write_text("let one = 1\n")
    (root / "other.md").write_text("other\n")
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", "-C", root, *command], check=True)
    return root


def step(tree, *command, inputs="Shims", **environment):
    """Runs a step that puts a line into `ran`; whether it was run, and how it ended."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BLUETHROAT")}
    given = ["--inputs", inputs] if inputs else []
    script = f"echo ran >> {tree.parent}/ran; {' '.join(command) or 'true'}"
    done = subprocess.run(
        [tree / "Scripts/step", tree.parent / "times.tsv", *given, "a step", "sh", "-c", script],
        capture_output=True, text=True, env=kept | environment,
    )
    ran = (tree.parent / "ran").exists()
    (tree.parent / "ran").unlink(missing_ok=True)
    assert ran != (SKIPPED in done.stdout)
    return ran, done.returncode


def test_what_has_passed_is_skipped_says_so_and_is_in_the_times(tree):
    assert step(tree) == (True, 0)
    assert step(tree) == (False, 0)
    assert (tree.parent / "times.tsv").read_text() == "a step\t0\na step (skipped)\t0\n"


CHANGES = {
    "a file": lambda tree: (tree / "Shims/one.swift").write_text("let one = 2\n"),
    "a file that git does not know yet": lambda tree: (tree / "Shims/two.swift").write_text(""),
    "a file that is gone": lambda tree: (tree / "Shims/one.swift").unlink(),
    "the mode of a file": lambda tree: (tree / "Shims/one.swift").chmod(0o755),
    "a resolved version": lambda tree: (tree / "Shims/Package.resolved").write_text("{}"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_has_changed_runs_again(tree, what):
    (tree / ".gitignore").write_text("Package.resolved\n")
    assert step(tree) == (True, 0)
    CHANGES[what](tree)
    assert step(tree) == (True, 0)
    assert step(tree) == (False, 0)


def test_versions_that_a_step_or_a_later_one_resolves_do_not_have_it_run_again(tree):
    (tree / ".gitignore").write_text("Package.resolved\n")
    resolve = f"echo 1 > {tree}/Shims/Package.resolved"
    assert step(tree, resolve) == (True, 0)
    assert step(tree, resolve) == (False, 0)
    # A step of the whole tree is older than the versions of examples that a step after it resolves.
    assert step(tree, "true 2", inputs=".") == (True, 0)
    (tree / "Examples/App").mkdir(parents=True)
    (tree / "Examples/App/Package.resolved").write_text("{}")
    assert step(tree, "true 2", inputs=".") == (False, 0)
    (tree / "Package.resolved").write_text("{}")
    assert step(tree, "true 2", inputs=".") == (True, 0)


def test_another_command_another_variable_and_another_tool_run_again(tree, tmp_path):
    assert step(tree) == (True, 0)
    assert step(tree, "true 2") == (True, 0)
    assert step(tree, "true 2", BLUETHROAT_SEED="7") == (True, 0)
    swift = tmp_path / "bin/swift"
    swift.parent.mkdir()
    swift.write_text("#!/bin/sh\necho Swift version 99\n")
    swift.chmod(0o755)
    path = f"{swift.parent}:{os.environ['PATH']}"
    assert step(tree, "true 2", BLUETHROAT_SEED="7", PATH=path) == (True, 0)
    assert step(tree, "true 2", BLUETHROAT_SEED="7", PATH=path) == (False, 0)


def test_a_change_elsewhere_does_not_matter(tree):
    assert step(tree) == (True, 0)
    (tree / "other.md").write_text("changed\n")
    assert step(tree) == (False, 0)


def test_what_failed_runs_again_and_fails_the_check(tree):
    assert step(tree, "exit 3") == (True, 3)
    assert step(tree, "exit 3") == (True, 3)
    # Nor does what passed before a failure count any more.
    flag = tree.parent / "fails"
    assert step(tree, f"! test -e {flag}") == (True, 0)
    flag.touch()
    assert step(tree, f"! test -e {flag}", BLUETHROAT_CHECK="all") == (True, 1)
    assert step(tree, f"! test -e {flag}", BLUETHROAT_CHECK="all")[0]


def test_what_changed_while_it_ran_was_not_tested(tree):
    assert step(tree, f"date +%N >> {tree}/Shims/one.swift") == (True, 0)
    assert step(tree, f"date +%N >> {tree}/Shims/one.swift") == (True, 0)


def test_without_inputs_without_git_and_when_all_is_asked_for_nothing_is_skipped(tree):
    assert [step(tree, inputs=None) for _ in range(2)] == [(True, 0)] * 2
    assert [step(tree, BLUETHROAT_CHECK="all") for _ in range(2)] == [(True, 0)] * 2
    assert [step(tree, inputs="Nothing") for _ in range(2)] == [(True, 0)] * 2
    shutil.rmtree(tree / ".git")
    assert [step(tree, GIT_CEILING_DIRECTORIES=str(tree.parent)) for _ in range(2)] == [(True, 0)] * 2


def test_what_has_passed_when_all_was_asked_for_is_skipped_afterwards(tree):
    assert step(tree, BLUETHROAT_CHECK="all") == (True, 0)
    assert step(tree) == (False, 0)


def test_continuous_integration_skips_nothing():
    assert re.search(r"\bBLUETHROAT_CHECK=all\b.* make check", (ROOT / ".ci/run").read_text())


def steps():
    """The steps of `make check`: name and inputs, None where it always runs."""
    goals = ["check-steps", "check-computes", "check-waits"]
    said = subprocess.run(["make", "-n", *goals], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = re.findall(r'Scripts/step \S+ (?:--inputs (?:"([^"]*)"|(\S+)) )?(?:"([^"]*)"|(\S+))', said)
    return {name or word: quoted or path or None for quoted, path, name, word in found}


def test_the_steps_that_may_be_skipped_name_files_that_are_there():
    inputs = {name: paths for name, paths in steps().items() if paths}
    assert {"shims", "examples", "tests in virtual time", "tests in real time"} <= set(inputs)
    for name, paths in inputs.items():
        for path in paths.split():
            assert (ROOT / path.removeprefix(":!")).exists(), f"{name}: {path}"
    # The build decides itself what is new, and the cheap ones are not worth it.
    assert {name for name, paths in steps().items() if not paths} == {
        "format", "layers", "drawing of the targets", "list of the decisions",
        "build without a warning",
    }


def test_make_that_only_prints_runs_no_step():
    times = ROOT / ".build-check/times.tsv"
    before = times.read_bytes() if times.exists() else None
    assert len(steps()) > 8
    assert (times.read_bytes() if times.exists() else None) == before


def test_what_computes_leaves_the_processors_to_what_waits():
    said = subprocess.run(["make", "-n", "check-computes", "check-waits"], cwd=ROOT, capture_output=True, text=True, check=True)
    polite = [line.startswith(("chrt --idle 0 ", "nice ")) for line in said.stdout.splitlines() if "Scripts/step" in line]
    assert polite == [True] * 5 + [False] * 4
    # Each lane is a chain: nothing else is begun at once.
    checked = subprocess.run(["make", "-n", "check-steps"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "--jobs=2 --keep-going --output-sync=target check-computes check-waits" in checked


def test_a_step_that_failed_is_told_again_with_the_lines_that_say_why(tree):
    assert step(tree, "echo fine;", "echo 'a.swift:1: error: no such name';", "echo 'FAILED test_one.py';", "exit 3") == (True, 3)
    told = (tree.parent / "failed").read_text()
    assert told == "a step failed, with exit code 3:\n    a.swift:1: error: no such name\n    FAILED test_one.py\n"
    assert step(tree) == (True, 0)
    assert (tree.parent / "failed").read_text() == told


def test_nothing_that_runs_beside_another_lane_takes_the_database_of_the_build():
    said = subprocess.run(["make", "-n", "check-computes", "check-waits"], cwd=ROOT, capture_output=True, text=True, check=True)
    commands = [line for line in said.stdout.splitlines() if ".build-check" in line]
    assert any("Scripts/test-built .build-check/debug" in line for line in commands)
    taken = re.compile(r"\b(swift test|swift build(?!.* --show-bin-path)|swift run)\b.*\.build-check")
    assert [line for line in commands if taken.search(line)] == []


def parts_of_check():
    """What `make check` runs, in the words of its recipes."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return makefile[makefile.index("\ncheck:") : makefile.index("\ndocs:")]


def test_the_page_about_tests_says_rightly_what_is_part_of_check():
    page = (ROOT / "docs/testing.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `make ([\w-]+)` \| (.*?) \|", page, re.M)
    claimed = {name for name, text in rows if re.search(r"(?<!not )part of .*`make check`", text)}
    assert {"test-shims", "test-examples", "test-clients"} <= claimed
    recipes = parts_of_check().replace("$(client_tests)", "test-clients")
    assert {name for name in claimed if not re.search(rf"\b{name}\b", recipes)} == set()
    assert "documentation" not in dict(rows)["check"] and not re.search(r"\bdocs\b", recipes)
