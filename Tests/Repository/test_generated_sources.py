"""What scripts write and the repository keeps is what they would write now."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_uses_of_corebluetooth_are_current():
    run = subprocess.run([ROOT / "Scripts/corebluetooth-uses", "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
