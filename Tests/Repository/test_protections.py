"""The protections of docs/security.md are those that can be taken out, and each names a test that is there."""

import importlib.machinery
import importlib.util
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def load(name):
    """A script as a module; it has no ending that Python knows."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "Scripts" / name.replace("_", "-")))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


check = load("check_protections")
ROWS = check.protections()


def test_there_are_two_dozen_at_least():
    assert len(ROWS) >= 24
    assert len({row.promise for row in ROWS}) == len(ROWS)


def test_each_can_be_taken_out_of_the_source_as_it_is():
    assert [fault for row in ROWS for fault in check.faults(row)] == []


def test_the_page_has_the_table():
    text = check.PAGE.read_text()
    assert check.page(text, ROWS) == text, "run Scripts/check-protections --page"


def test_each_test_is_there():
    missing = []
    for row in ROWS:
        if row.pytest:
            path, _, words = row.pytest.partition(" -k ")
            source = (ROOT / path).read_text()
            for word in re.findall(r"\w+", words):
                if word != "or" and not re.search(rf"def test_\w*{word}|\[.*{word}|\"{word}", source):
                    missing.append(f"{path} -k {word}")
            continue
        for suite in row.swift:
            target, _, name = suite.partition("/")
            sources = "".join(file.read_text() for file in (ROOT / "Tests" / target).rglob("*.swift"))
            if not re.search(rf"(struct|class|extension) {name or target}\b", sources):
                missing.append(suite)
    assert missing == []


def test_what_is_gone_is_noticed(tmp_path):
    (tmp_path / "Source.swift").write_text("let limit = 10\n")
    taken = check.Protection("", "a limit", (("Source.swift", "limit = 10", "limit = 99"),), ("HostTests/LimitTests",), "")
    gone = check.Protection("", "a limit", (("Source.swift", "limit = 11", "limit = 99"),), ("HostTests/LimitTests",), "")
    assert list(check.faults(taken, tmp_path)) == []
    assert len(list(check.faults(gone, tmp_path))) == 1


def test_those_that_are_taken_out_together_have_tests_in_other_targets():
    for group in check.batches(ROWS, True):
        targets = [target for row in group for target in row.targets]
        assert len(set(targets)) == len(targets)
    assert [len(group) for group in check.batches(ROWS, False)] == [1] * len(ROWS)
