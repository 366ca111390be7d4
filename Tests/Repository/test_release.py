"""What a release stands on: one version everywhere, a manifest that can be depended on by a tag, a commit that is written
down or not, pages that say what is printed."""

import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from bluethroat import ROOT

VERSION = re.search(r'number = "(\d+\.\d+\.\d+)"', (ROOT / "Sources/Tools/Version/Version.swift").read_text())[1]


@functools.cache
def manifest(**environment):
    """What SwiftPM makes of Package.swift."""
    run = subprocess.run(
        ["swift", "package", "--package-path", ROOT, "--scratch-path", ROOT / ".build-outside/manifest", "dump-package"],
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("BLUETHROAT")} | environment,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_the_version_is_the_same_everywhere():
    newest = re.search(r"^## (\d+\.\d+\.\d+)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert newest and newest[1] == VERSION
    assert f'version = "{VERSION}"' in (ROOT / "Clients/python/pyproject.toml").read_text()
    assert f"Version {VERSION.rpartition('.')[0]} " in (ROOT / "docs/old-names.md").read_text()


def test_a_package_may_depend_on_a_tag():
    """SwiftPM refuses unsafe flags, branches and folders in what is depended on by a version."""
    package = manifest()
    settings = [setting for target in package["targets"] for setting in target["settings"]]
    assert not any("unsafeFlags" in setting["kind"] or "treatAllWarnings" in setting["kind"] for setting in settings)
    for (dependency,) in (one["sourceControl"] for one in package["dependencies"]):
        assert "range" in dependency["requirement"], dependency["identity"]


def names(package):
    return {one["sourceControl"][0]["identity"] for one in package["dependencies"]}


def test_the_plugin_for_docc_is_resolved_for_nobody_but_make_docs():
    assert names(manifest(BLUETHROAT_DOCS="1")) - names(manifest()) == {"swift-docc-plugin"}


def test_only_the_command_needs_the_plugin_that_asks_for_the_commit():
    """So a package that depends on a library compiles none."""
    targets = {target["name"]: target for target in manifest()["targets"]}
    users = {name for name, target in targets.items() if target.get("pluginUsages")}
    assert users == {"BluethroatVersion"}
    needing = {
        name
        for name, target in targets.items()
        if any("byName" in one and one["byName"][0] in users for one in target["dependencies"])
    }
    assert needing == {"bluethroat"}


# Apple's systems

# What the code uses of Swift's library that is not everywhere: `Mutex` and `Atomic` of the module Synchronization.
SINCE = {"macos": 15, "maccatalyst": 18, "ios": 18, "tvos": 18, "watchos": 11, "visionos": 2}
# What a target may import that is offered on Apple's systems: Swift, and packages that are there, too.
ON_BOTH = {"Crypto", "CryptoExtras", "DequeModule"}


@functools.cache
def manifest_of_apple():
    """What SwiftPM makes of Package.swift on a system of Apple's: the other branch of each condition."""
    text = (ROOT / "Package.swift").read_text()
    assert text.count("#if os(Linux)") == 2 and "canImport" not in text
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "Package.swift").write_text(text.replace("#if os(Linux)", "#if !os(Linux)"))
        run = subprocess.run(["swift", "package", "--package-path", folder, "dump-package"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def needed(targets, names):
    """These targets, and all of the package that they are made of."""
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [one["byName"][0] for one in targets[name]["dependencies"] if "byName" in one]
    return found


def test_the_versions_of_apples_systems_are_those_that_the_code_needs():
    for package in (manifest(), manifest_of_apple()):
        assert {one["platformName"]: int(one["version"].split(".")[0]) for one in package["platforms"]} == SINCE
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "Sources").rglob("*.swift")]
    assert any("import Synchronization" in text for text in sources), "then older versions would do"
    # These want macOS 26.
    assert not [text for text in sources if "InlineArray<" in text]


def test_on_apples_systems_nothing_is_offered_but_swift_without_a_system():
    """What is offered there was never compiled there: it is what has nothing to do with a system."""
    package = manifest_of_apple()
    targets = {target["name"]: target for target in package["targets"]}
    for target in targets.values():
        assert {one["byName"][0] for one in target["dependencies"] if "byName" in one} <= set(targets), target["name"]
    offered = {product["name"]: product["targets"] for product in package["products"]}
    on_linux = {product["name"] for product in manifest()["products"]}
    assert set(offered) < on_linux and {"CoreBluetooth", "BluethroatTesting", "BluethroatSimulation"} <= set(offered)
    assert "bluethroat" not in offered
    # A module of that name would hide Apple's framework.
    assert "CoreBluetooth" not in targets
    for name in sorted(needed(targets, [name for product in offered.values() for name in product])):
        folder = ROOT / targets[name]["path"]
        for file in folder.rglob("*.swift"):
            text = file.read_text(encoding="utf-8")
            # On Apple's systems swift-crypto is always there.
            text = re.sub(r"^#if !SwiftCrypto$.*?^#(?:else|endif)$", "", text, flags=re.M | re.S)
            text = re.sub(r"^#if SwiftCrypto$(.*?)^#else$.*?^#endif$", r"\1", text, flags=re.M | re.S)
            foreign = set(re.findall(r"^\s*(?:@\w+ |public |package )*import (?:\w+ )?(\w+)", text, re.M)) - set(targets) - ON_BOTH
            assert not foreign, f"{file.relative_to(ROOT)} imports {sorted(foreign)}"


def test_the_page_lists_what_is_offered_on_apples_systems():
    rows = re.findall(r"^\| (.*?) \| yes \| (.*?) \|$", (ROOT / "docs/ci.md").read_text(), re.M)
    listed = {name for row, _ in rows for name in re.findall(r"`(\w+)`", row)}
    assert listed == {product["name"] for product in manifest_of_apple()["products"]}


@pytest.mark.parametrize("page", ["README.md", "docs/ci.md", "docs/corebluetooth.md", "docs/libraries.md"])
def test_pages_that_speak_of_apples_systems_say_that_only_linux_is_tested(page):
    assert "Only Linux is tested" in " ".join((ROOT / page).read_text(encoding="utf-8").split())


# The commit


def git(*words, at):
    run = subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", *words],
        cwd=at,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def written(tree, script=ROOT / "Scripts/write-commit", **environment):
    file = tree.parent / "BuiltCommit.swift"
    subprocess.run(["/bin/sh", script, tree, file], check=True, env={**os.environ, **environment})
    return re.search(r"let builtCommit: String\? = (.*)\n$", file.read_text())[1]


@pytest.fixture
def tree(tmp_path):
    folder = tmp_path / "tree"
    (folder / "Scripts").mkdir(parents=True)
    shutil.copy(ROOT / "Scripts/write-commit", folder / "Scripts")
    shutil.copy(ROOT / ".gitattributes", folder)
    return folder


def test_in_a_repository_the_commit_is_written_down(tree):
    git("init", "--quiet", at=tree)
    git("add", ".", at=tree)
    git("commit", "--quiet", "-m", "one", at=tree)
    first = git("rev-parse", "HEAD", at=tree)
    assert written(tree) == f'"{first[:12]}"'
    git("commit", "--quiet", "--allow-empty", "-m", "two", at=tree)
    assert written(tree) == f'"{git("rev-parse", "HEAD", at=tree)[:12]}"' != f'"{first[:12]}"'


def test_without_a_repository_or_without_git_there_is_none_and_that_is_no_failure(tree, tmp_path):
    assert written(tree) == "nil"
    empty = tmp_path / "bin"
    empty.mkdir()
    (empty / "printf").symlink_to(shutil.which("printf"))
    git("init", "--quiet", at=tree)
    assert written(tree) == "nil"
    assert written(tree, PATH=str(empty)) == "nil"


def test_a_tree_within_another_repository_does_not_take_that_ones_commit(tree, tmp_path):
    git("init", "--quiet", at=tmp_path)
    git("commit", "--quiet", "--allow-empty", "-m", "somebody else's", at=tmp_path)
    assert written(tree) == "nil"


def test_an_archive_knows_its_commit(tree, tmp_path):
    git("init", "--quiet", at=tree)
    git("add", ".", at=tree)
    git("commit", "--quiet", "-m", "one", at=tree)
    git("archive", "--prefix=unpacked/", "--output", tmp_path / "tree.tar", "HEAD", at=tree)
    shutil.unpack_archive(tmp_path / "tree.tar", tmp_path)
    unpacked = tmp_path / "unpacked"
    commit = git("rev-parse", "HEAD", at=tree)[:12]
    assert written(unpacked, unpacked / "Scripts/write-commit") == f'"{commit}"'


# The list of decisions


def decisions(*arguments):
    script = ROOT / "Scripts/index-decisions"
    return subprocess.run([script, *arguments], capture_output=True, text=True)


def test_the_list_of_decisions_is_up_to_date():
    run = decisions("--check")
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("12-short.md", "# A\n", "is called NNN-its-name.md"),
        ("012-long.md", "No title\n", "is no title"),
        ("012-other.md", "# 13. Another number\n", "has the number 13"),
        ("001-twice.md", "# Twice\n", "has this number, too"),
        ("012-new.md", "# New\n", "not up to date"),
    ],
)
def test_a_decision_that_cannot_be_listed_or_is_not_is_a_failure(tmp_path, name, text, complaint):
    folder = tmp_path / "docs/decisions"
    folder.mkdir(parents=True)
    (folder / "001-first.md").write_text("# 1. The first\n")
    (folder / "README.md").write_text(
        "# Decisions\n\n<!-- Scripts/index-decisions: begin -->\n<!-- Scripts/index-decisions: end -->\n"
    )
    assert decisions("--write", "--root", tmp_path).returncode == 0
    assert "| 001 | [The first](001-first.md) |\n" in (folder / "README.md").read_text()
    assert decisions("--check", "--root", tmp_path).returncode == 0
    (folder / name).write_text(text)
    run = decisions("--check", "--root", tmp_path)
    assert run.returncode == 1 and complaint in run.stderr


# Pages


def program_texts():
    """The texts of the program and of the scripts, as they are printed: literals that are put together are one."""
    files = [*ROOT.glob("Sources/**/*.swift"), *ROOT.glob("Sources/**/*.h"), *(file for file in (ROOT / "Scripts").iterdir() if file.is_file())]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return re.sub(r'"\s*\+ f?"|"\s+f"|\\\n\s*', "", text)


def test_troubleshooting_shows_what_is_printed():
    rows = re.findall(r"^\| (.*?) \| .* \|$", (ROOT / "docs/troubleshooting.md").read_text(), re.M)
    shown = [text for row in rows for text in re.findall(r"^`([^`]* [^`]*)`$", row)]
    assert len(shown) >= 8
    printed = program_texts()
    assert [text for text in shown if text not in printed] == []


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)


def test_the_workflow_for_an_app_has_ten_lines_and_runs_what_an_example_runs():
    workflow, _ = blocks("docs/ci.md", "yaml")
    assert len(workflow.splitlines()) <= 10
    (line,) = re.findall(r"- run: (.*)", workflow)
    *_, install, command = line.split(" && ")
    # What `make test-examples` sees to itself.
    assert "libssl-dev" in install and "libssl-dev" in (ROOT / "Scripts/setup-build-tools").read_text()
    assert command in (ROOT / "Makefile").read_text()


def test_what_the_ci_page_shows_and_could_not_run_is_marked():
    page = (ROOT / "docs/ci.md").read_text()
    for section in re.split(r"^## ", page, flags=re.M)[1:]:
        if re.search(r"^```(?:yaml$|console not-run)", section, re.M):
            assert re.search(r"\*\*(?:Not run|Run by hand)\*\*", section), section.splitlines()[0]
