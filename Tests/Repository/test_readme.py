"""The README's first lines for an app, up to the build: that of the package is tried by `make test-examples`."""

import json
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_first_lines_for_apps_are_a_package_that_finds_the_tree(tmp_path):
    block = re.search(r"### For apps\n.*?\n```console run-by: [^\n]*\n(.*?)```\n", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)[1]
    *prepare, last = [line.removeprefix("$ ") for line in block.splitlines()]
    assert last == "swift test"
    script = "\n".join(["set -e", *prepare, "swift package dump-package"])
    environment = {**os.environ, "HOME": str(tmp_path)}
    said = subprocess.run(["bash", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    (dependency,) = json.loads(said.stdout)["dependencies"]
    assert Path(dependency["fileSystem"][0]["path"]) == ROOT
    assert not (tmp_path / "MyApp" / ".build").exists()
