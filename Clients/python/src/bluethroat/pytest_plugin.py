"""Fixtures for pytest: `air`, one air for a test, and `start_air`, which starts as many as a test wants.

    @pytest.mark.air(virtual=True)
    def test_of_firmware(air): ...

The marker has the arguments of `bluethroat.Air`. When a test fails, its report has what the command has printed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest

from . import Air

_AIRS = pytest.StashKey[list[Air]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The command can be named here, too."""
    parser.getgroup("bluethroat").addoption(
        "--bluethroat", metavar="COMMAND", help="the command bluethroat that the fixture `air` starts"
    )


def pytest_configure(config: pytest.Config) -> None:
    """The marker is known."""
    config.addinivalue_line("markers", "air(**options): how the fixture `air` is started; the arguments of bluethroat.Air")


@pytest.fixture
def start_air(request: pytest.FixtureRequest) -> Iterator[Callable[..., Air]]:
    """Starts an air, with the arguments of `bluethroat.Air`; all of them end with the test."""
    airs: list[Air] = []
    request.node.stash[_AIRS] = airs

    def start(*arguments: Any, **options: Any) -> Air:
        if not arguments:
            options.setdefault("command", request.config.getoption("--bluethroat"))
        air = Air(*arguments, **options)
        airs.append(air)
        return air.start()

    yield start
    for air in airs:
        air.close()


@pytest.fixture
def air(request: pytest.FixtureRequest, start_air: Callable[..., Air]) -> Air:
    """An air with a key fob, for this test alone."""
    marker = request.node.get_closest_marker("air")
    return start_air(**(marker.kwargs if marker else {}))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure shows what the command has printed."""
    report = yield
    if report.failed:
        for air in item.stash.get(_AIRS, []):
            if air.has_started:
                report.sections.append(("bluethroat", air.story()))
    return report
