"""How `Scripts/count-instructions` makes figures of two runs, and a table of figures. It builds and runs nothing here."""

import importlib.machinery
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "Scripts/count-instructions"


def load_script():
    loader = importlib.machinery.SourceFileLoader("count_instructions", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("count_instructions", loader))
    loader.exec_module(module)
    return module


count = load_script()


def test_start_up_cancels_out():
    assert count.cost([(1_000_000 + 20 * 500, 20), (1_000_000 + 80 * 500, 80)]) == 500


def test_a_longer_run_that_did_no_more_is_no_figure():
    with pytest.raises(ValueError):
        count.cost([(100, 5), (200, 5)])


def test_a_row_has_the_base_first_and_the_ratio_last():
    assert count.row("read.20", "reads", [1_030.2, 1_000.0]) == "| `read.20` | reads | 1,000 | 1,030 | 1.030 |"
    assert count.row("read.20", "reads", [1_030.2]) == "| `read.20` | reads | 1,030 |"
    assert count.header("abc").splitlines()[0] == "| operation | what is counted | abc | this tree | ratio |"
    for base in [None, "abc"]:
        first, second = count.header(base).splitlines()
        assert first.count("|") == second.count("|")


@pytest.mark.parametrize(
    ("name", "only", "is_wanted"),
    [("read.20", [], True), ("read.20", ["read"], True), ("read.20", ["rea"], False), ("pairing", ["read"], False)],
)
def test_some_operations(name, only, is_wanted):
    assert count.wanted(name, only) == is_wanted


def test_a_program_is_asked_for_its_operations_and_measured_in_two_runs(tmp_path, monkeypatch):
    """A program that is no benchmark, and a callgrind that counts what it is told."""
    program = tmp_path / "bench"
    program.write_text(
        "#!/bin/sh\n"
        'case "$1" in\n'
        '--operations) printf "read.20\\treads\\t2\\t8\\nidle\\tevents\\t1\\t3\\n" ;;\n'
        "--only) echo '| x |'; echo '{\"value\": 4096.4}' ;;\n"
        '*) echo $(($4 * 10)) ;;\n'
        "esac\n"
    )
    valgrind = tmp_path / "valgrind"
    valgrind.write_text(
        "#!/bin/sh\nshift 2\n" 'echo "==1== Collected : $(($5 * 7000 + 123456))" >&2\n' '"$@"\n'
    )
    for file in [program, valgrind]:
        file.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    rows = list(count.measure([program], []))
    assert rows[:2] == [
        ("read.20", "instructions, of reads", [700.0]),
        ("idle", "instructions, of events", [700.0]),
    ]
    assert rows[2] == ("memoryPerPair", "bytes", [4096.4])
    assert [row[0] for row in count.measure([program], ["idle"])] == ["idle"]


def test_an_unknown_commit_is_said_so(tmp_path):
    with pytest.raises(SystemExit, match="no commit no-such-commit"):
        count.unpack("no-such-commit", tmp_path, False)


def test_the_help_has_an_example():
    text = subprocess.run([sys.executable, str(SCRIPT), "--help"], check=True, capture_output=True, text=True).stdout
    assert "--base a49f32c" in text
