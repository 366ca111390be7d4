"""Runs `async def` tests, each on a loop of its own and never longer than its limit."""

import asyncio
import inspect
import logging
import os
import signal
import sys
import tempfile
from pathlib import Path

import pytest

# What drives the command and its peers serves the tests in a browser too.
sys.path.insert(0, str(Path(__file__).parent / "Interop"))

# Their assertions are as worth explaining as those of the tests.
pytest.register_assert_rewrite("bluethroat", "bumble_central", "captures", "inspected_table", "panel_client")

import bluethroat  # noqa: E402

# Whoever is started in the background by a shell ignores this one, and so would all that tests start.
signal.signal(signal.SIGQUIT, signal.SIG_DFL)

# Generous, for a busy machine: only what hangs gets there. A test that needs longer says so with
# @pytest.mark.limit(seconds).
LIMIT = 300.0


def pytest_configure(config):
    config.addinivalue_line("markers", "limit(seconds): how long this test may take")
    # Bumble's warnings belong to the tests that provoke them on purpose; pytest shows them when a test fails.
    logging.getLogger("bumble").setLevel(logging.WARNING)
    # The bonds of whoever runs the tests are nobody's business. Each worker has its own.
    config.state = tempfile.TemporaryDirectory(prefix="bluethroat-state-")
    os.environ["XDG_STATE_HOME"] = config.state.name


def pytest_unconfigure(config):
    config.state.cleanup()


def pytest_sessionstart(session):
    if session.config.option.collectonly:
        return
    # `make test-mpi` has built a program of its own, and no command.
    if "RANK_TOWN" not in os.environ and not os.access(bluethroat.binary(), os.X_OK):
        pytest.exit(
            f"no bluethroat command at {bluethroat.binary()}: run `swift build` or set BLUETHROAT", returncode=4
        )


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    mark = pyfuncitem.get_closest_marker("limit")
    limit = mark.args[0] if mark else LIMIT
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}

    async def run():
        async with asyncio.timeout(limit):
            await pyfuncitem.obj(**arguments)

    asyncio.run(run())
    return True
