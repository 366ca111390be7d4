"""docs/architecture.md says what the sources say."""

import importlib.machinery
import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_script():
    loader = importlib.machinery.SourceFileLoader("draw_targets", str(ROOT / "Scripts/draw-targets"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("draw_targets", loader))
    loader.exec_module(module)
    return module


draw_targets = load_script()


def target(name, *needs, kind="regular", path=None):
    return {"name": name, "type": kind, "path": path, "dependencies": [{"byName": [one, None]} for one in needs]}


PACKAGE = {
    "targets": [
        target("tool", "Top", "Ground", kind="executable"),
        target("Top", "Middle", "Ground", "Elsewhere"),
        target("Middle", "Ground"),
        target("Ground"),
        target("TopTests", "Top", kind="test"),
        target("Helpers", "Ground", path="Tests/Helpers"),
    ]
}


def test_the_drawing_of_the_targets_is_that_of_the_manifest():
    run = subprocess.run([ROOT / "Scripts/draw-targets", "--check"], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


def test_what_follows_is_left_out_and_so_are_tests_and_packages_of_others():
    assert draw_targets.drawing(draw_targets.targets(PACKAGE)) == ["Ground", "Middle  Ground", "Top     Middle", "tool*   Top"]


def test_the_drawing_fits_a_screen():
    lines = draw_targets.drawing(draw_targets.targets(draw_targets.manifest(ROOT)))
    assert len(lines) <= 60 and max(map(len, lines)) <= 120


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda text: text.replace("Middle  Ground", "Middle  Top"), "is not that of Package.swift"),
        (lambda text: text.replace("Top is the top. ", ""), "nothing says what Top is"),
        (lambda text: text.replace(draw_targets.END, ""), "has not exactly one place"),
    ],
)
def test_a_page_that_says_otherwise_is_noticed(tmp_path, monkeypatch, capsys, change, complaint):
    monkeypatch.setattr(draw_targets, "manifest", lambda root: PACKAGE)
    page = tmp_path / draw_targets.PAGE
    page.parent.mkdir()
    words = "Top is the top. Middle, Ground and tool are the rest.\n\n"
    drawn = draw_targets.block(draw_targets.drawing(draw_targets.targets(PACKAGE)))
    monkeypatch.setattr("sys.argv", ["draw-targets", "--check", "--root", str(tmp_path)])
    page.write_text(words + drawn)
    assert draw_targets.main() == 0
    page.write_text(change(words + drawn))
    try:
        assert draw_targets.main() == 1
        said = capsys.readouterr().err
    except SystemExit as end:
        said = str(end)
    assert complaint in said


def way_of_a_notification():
    """The rows of the table: a file, and the functions that are named with it."""
    text = (ROOT / draw_targets.PAGE).read_text().split("## The way of one notification")[1].split("\n## ")[0]
    for row in re.findall(r"^\| `([^`]+)` \| (.+) \|$", text, re.M):
        yield row[0], re.findall(r"`(\w+)`", row[1].split(":")[0])


def test_the_way_of_a_notification_is_in_the_sources():
    for file, functions in way_of_a_notification():
        source = (ROOT / file).read_text()
        assert functions, f"{file}: no function is named"
        for name in functions:
            assert re.search(rf"\bfunc {name}\b", source), f"{file} has no {name}"


def test_a_notification_crosses_six_targets_and_fifteen_files_at_most():
    files = {file for file, _ in way_of_a_notification()}
    assert len(files) <= 15 and len({file.split("/")[1] for file in files}) <= 6
