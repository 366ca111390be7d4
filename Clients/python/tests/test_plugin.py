"""The fixture as a test suite of somebody else has it."""

import re
from pathlib import Path

import bluethroat

PACKAGE = Path(__file__).resolve().parents[1]
PLUGIN = ["-p", "bluethroat.pytest_plugin", "-p", "no:cacheprovider"]


def page_block():
    """The first Python block of the page."""
    (block, *_) = re.findall(r"^```python\n(.*?)^```$", (PACKAGE / "README.md").read_text(), re.M | re.S)
    return block


def test_the_test_that_the_page_shows_passes_and_has_fifteen_lines(pytester):
    block = page_block()
    assert sum(map(bool, block.splitlines())) <= 15
    pytester.makepyfile(block)
    pytester.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=1)


def test_the_test_that_the_page_shows_fails_where_the_fob_does_something_else(pytester):
    block = page_block()
    assert block.count('press("left")') == 1
    pytester.makepyfile(block.replace('press("left")', 'press("right")'))
    result = pytester.runpytest_subprocess(*PLUGIN)
    result.assert_outcomes(failed=1)
    # The report has what the command has printed.
    result.stdout.fnmatch_lines(["*bluethroat*", "*$ *keyfob --json*", '*"event":"fob"*'])


def test_the_fixture_takes_the_options_of_an_air_and_the_command_line_names_the_command(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.air(virtual=True, seed=42)
        def test_seed(air):
            assert air.world()["seed"] == "42" and air.world()["isVirtual"]

        def test_two(start_air):
            first, second = start_air(), start_air(seed=2)
            assert first.hci != second.hci
        """
    )
    pytester.runpytest_subprocess(*PLUGIN, "--strict-markers").assert_outcomes(passed=2)
    result = pytester.runpytest_subprocess(*PLUGIN, "--bluethroat", "/nowhere/bluethroat")
    result.assert_outcomes(passed=0, errors=1, failed=1)
    result.stdout.fnmatch_lines(["*CommandMissing: command names /nowhere/bluethroat*"])


def test_the_package_is_typed_needs_nothing_and_has_the_version_of_the_command():
    import tomllib

    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == [] and (PACKAGE / "src/bluethroat/py.typed").exists()
    assert project["entry-points"]["pytest11"] == {"bluethroat": "bluethroat.pytest_plugin"}
    assert project["version"] == bluethroat.__version__
    number = re.search(r'number = "([0-9.]+)"', (PACKAGE.parents[1] / "Sources/Tools/Version/Version.swift").read_text())
    assert number and project["version"] == number[1]
