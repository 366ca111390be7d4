"""What was fuzzed so far is added up in one table, and the page about security quotes it."""

import hashlib
import importlib.machinery
import importlib.util
import multiprocessing
import re
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_script():
    loader = importlib.machinery.SourceFileLoader("fuzz_coverage", str(ROOT / "Scripts/fuzz-coverage"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzz_coverage", loader))
    loader.exec_module(module)
    return module


fuzz_coverage = load_script()
RUN = {
    "inputs": 1_000_000, "processor_seconds": 60, "edges": 10, "features": 20, "kept": 5, "megabytes": 40, "findings": 0,
}


def test_the_page_says_what_the_table_comes_to():
    figures = fuzz_coverage.Figures(fuzz_coverage.FIGURES)
    page = fuzz_coverage.PAGE.read_text()
    assert fuzz_coverage.with_summary(page, figures.summary()) == page, "run Scripts/fuzz-coverage --write"


def test_layers_with_targets_see_as_much_in_their_tests_as_in_their_programs():
    folders = {folder.parent.name.removesuffix("Tests") for folder in ROOT.glob("Tests/*/FuzzTargets")}
    manifest = (ROOT / "Package.swift").read_text()
    fuzzed = manifest.split("let fuzzed: Set = [", 1)[1].split("]", 1)[0]
    assert set(re.findall(r'"(\w+)"', fuzzed)) == folders
    assert "packageAccess: !fuzzed.contains(name)" in manifest
    programs = (ROOT / "Fuzzing/Package.swift").read_text()
    assert set(re.findall(r'program\(\s*"(\w+)"', programs)) == folders


def test_each_target_is_in_one_of_the_eight_groups():
    assert len(fuzz_coverage.GROUPS) == 8
    names = {folder.name for folder in (ROOT / "Fuzzing/Corpora").iterdir()}
    names |= {name for name, _ in fuzz_coverage.Figures(fuzz_coverage.FIGURES).rows}
    groups = {name: fuzz_coverage.group(name) for name in names}
    assert set(groups.values()) == set(fuzz_coverage.GROUPS)
    assert groups["smp"] == "pairing" and groups["login-vault-files"] == "files" and groups["login-desk"] == "messages of the apps"
    with pytest.raises(SystemExit):
        fuzz_coverage.group("something-new")


def test_a_run_is_added_to_those_before_and_another_commit_has_a_row_of_its_own(tmp_path):
    path = tmp_path / "progress.tsv"
    figures = fuzz_coverage.Figures(path)
    figures.add("hci-data", "decoder", "aaa", RUN)
    figures.add("hci-data", "decoder", "aaa", RUN | {"edges": 12, "kept": 4, "findings": 1})
    figures.add("hci-data", "decoder", "bbb", RUN)
    again = fuzz_coverage.Figures(path)
    assert len(again.rows) == 2
    both = again.rows["hci-data", "aaa"]
    assert (both["inputs"], both["edges"], both["kept"], both["findings"]) == (2_000_000, 12, 4, 1)
    assert again.total("hci-data")["inputs"] == 3_000_000
    assert "| HCI | 1 | 3.0, 3.0 | – | – | 0 of 1 | 12 | 1 |" in again.summary()


@pytest.mark.parametrize(
    ("kind", "run", "is_done"),
    [
        ("decoder", {"inputs": 100_000_000}, True),
        ("decoder", {"inputs": 99_999_999, "processor_seconds": 7200}, False),
        ("machine", {"processor_seconds": 7200}, True),
        ("machine", {"processor_seconds": 7199, "inputs": 100_000_000}, False),
    ],
)
def test_decoders_count_inputs_and_machines_hours(tmp_path, kind, run, is_done):
    figures = fuzz_coverage.Figures(tmp_path / "progress.tsv")
    figures.add("smp", kind, "aaa", RUN | run)
    assert figures.is_done("smp", kind) == is_done
    assert not figures.is_done("att-pdus", "decoder")
    figures.add("smp", kind, "bbb", RUN)
    left = figures.inputs_left("smp", kind)
    assert left == (None if kind == "machine" else 99_000_000 - run["inputs"])


def test_a_target_of_which_nothing_was_run_counts_as_nothing(tmp_path):
    figures = fuzz_coverage.Figures(tmp_path / "progress.tsv")
    figures.add("hci-data", "decoder", "aaa", RUN)
    figures.enter([("hci-data", "decoder"), ("hci-events", "decoder")], "bbb")
    assert set(figures.rows) == {("hci-data", "aaa"), ("hci-events", "bbb")}
    assert "| HCI | 2 | 0.0, 1.0 |" in figures.summary()


def add_many(path, target):
    figures = fuzz_coverage.Figures(path)
    for _ in range(50):
        figures.add(target, "machine", "aaa", RUN)


def test_two_scripts_at_once_lose_nothing(tmp_path):
    path = tmp_path / "progress.tsv"
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.starmap(add_many, [(path, "smp"), (path, "att-server")])
    figures = fuzz_coverage.Figures(path)
    assert [figures.total(target)["inputs"] for target in ("smp", "att-server")] == [50_000_000] * 2


def test_no_link_that_another_user_has_made_is_followed(tmp_path, monkeypatch):
    """Each name in the folder of temporary files, where everybody may make links, is left alone."""
    path, precious = tmp_path / "progress.tsv", tmp_path / "precious"
    precious.write_text("all that I have\n")
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    for folder in (tmp_path / "all", tmp_path):
        folder.mkdir(exist_ok=True)
        (folder / f"fuzz-figures-{name}.lock").symlink_to(precious)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "all"))
    fuzz_coverage.Figures(path).add("hci-data", "decoder", "aaa", RUN)
    assert precious.read_text() == "all that I have\n"
    assert [entry.name for entry in (tmp_path / "all").iterdir()] == [f"fuzz-figures-{name}.lock"]


def test_a_table_of_another_kind_is_refused(tmp_path):
    path = tmp_path / "progress.tsv"
    path.write_text("| target | kind |\n")
    with pytest.raises(SystemExit, match="other columns"):
        fuzz_coverage.Figures(path)


class OneProgram:
    """A program of one target, in place of those that are built: it finds what `finds` says, and inputs that are given to
    it alone end with `code`."""

    address = False

    def __init__(self, folder, finds, code, says=""):
        self.scratch = folder
        self.program = folder / "program"
        self.program.write_text(
            "#!/bin/sh\n"
            'for word; do case "$word" in\n'
            f"    -artifact_prefix=*) touch \"${{word#*=}}{finds}\"; echo '{says} stat::number_of_executed_units: 7' >&2; exit 77;;\n"
            f"esac; done\nexit {code}\n"
        )
        self.program.chmod(0o755)

    def targets(self):
        return {"smp": (self.program, "machine", 60)}

    def environment(self, target):
        return {"FUZZ_TARGET": target}


@pytest.mark.parametrize(
    ("finds", "says", "code", "count"),
    [
        ("timeout-1", "", 0, 0),
        ("timeout-1", "", 70, 1),
        ("slow-unit-1", "", 0, 0),
        ("slow-unit-1", "", 70, 1),
        ("crash-1", "158 bytes took 51 ms; 50 ms are allowed", 0, 0),
        ("crash-1", "158 bytes took 51 ms; 50 ms are allowed", 77, 1),
        ("crash-1", "a promise is broken", 0, 1),
        ("crash-1", "a promise is broken", 77, 1),
    ],
)
def test_an_input_that_is_slow_on_a_busy_machine_only_is_no_finding(tmp_path, finds, says, code, count):
    got, new, _ = fuzz_coverage.run(OneProgram(tmp_path, finds, code, says), "smp", 1)
    assert (got["inputs"], got["findings"], len(new)) == (7, count, count)
    assert len(list((tmp_path / "findings/smp").iterdir())) == count
