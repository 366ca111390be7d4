"""The package as it is in this checkout, and its plugin as an installation would have it."""

import os
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGE / "src"))
pytest_plugins = ["bluethroat.pytest_plugin", "pytester"]

# Processes that tests start find it, too.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(PACKAGE / "src"), os.environ.get("PYTHONPATH")]))


@pytest.fixture(autouse=True)
def own_state(tmp_path_factory, monkeypatch):
    """The bonds of whoever runs the tests are nobody's business."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
