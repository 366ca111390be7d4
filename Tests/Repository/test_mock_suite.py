"""Scripts/mock-suite fails where the hundred tests are other than a hundred, or too slow."""

import importlib.machinery
import importlib.util
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[2] / "Scripts/mock-suite"


@pytest.fixture(scope="module")
def suite():
    loader = importlib.machinery.SourceFileLoader("mock_suite", str(PROGRAM))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mock_suite", loader))
    loader.exec_module(module)
    return module


def test_a_hundred_tests_that_are_fifty_times_faster_than_their_waits_are_enough(suite):
    suite.require_figures(100, 50.0)


@pytest.mark.parametrize("tests", [0, 99, 101])
def test_other_than_a_hundred_tests_fail(suite, tests):
    with pytest.raises(SystemExit, match=f"{tests} tests ran, and not 100"):
        suite.require_figures(tests, 200.0)


def test_less_than_fifty_times_faster_fails(suite):
    with pytest.raises(SystemExit, match="49.2 times faster than the waits, and not 50"):
        suite.require_figures(100, 49.2)


def test_an_outcome_that_differs_is_named(suite):
    with pytest.raises(SystemExit, match="run 2 had another outcome: a 1.0 bb instead of a 1.0 aa"):
        suite.require_equal([["a", "1.0", "aa"]], [["a", "1.0", "bb"]], "run 2")
