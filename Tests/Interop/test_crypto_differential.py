"""Our cryptography and Bumble's on the same random input, another each time.

`BLUETHROAT_SEED=...` repeats a run; a failure prints the seed.
"""

import os
import secrets
import subprocess
import sys

from bluethroat import ROOT, beside

SCRIPT = ROOT / "Tests" / "BluetoothCryptoTests" / "Vectors" / "write_bumble_vectors.py"
FUNCTIONS = {"e", "ah", "cmac", "c1", "s1", "f4", "f5", "f6", "g2", "h6", "h7", "dh", "ccm"}


def bumble(seed):
    """Questions and Bumble's answers."""
    run = subprocess.run([sys.executable, str(SCRIPT), seed], capture_output=True, text=True, check=True)
    lines = [line for line in run.stdout.splitlines() if not line.startswith("#")]
    return [tuple(part.strip() for part in line.split("=")) for line in lines]


def ours(questions):
    """What the command beside `bluethroat` answers."""
    run = subprocess.run([beside("crypto-answers")], input="\n".join(questions) + "\n", capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def test_the_same_answers_to_the_same_questions():
    seed = os.environ.get("BLUETHROAT_SEED") or secrets.token_hex(8)
    asked = bumble(seed)
    assert {question.split()[0] for question, _ in asked} == FUNCTIONS
    answers = ours([question for question, _ in asked])
    assert len(answers) == len(asked) > 300
    wrong = [(question, answer, theirs) for (question, theirs), answer in zip(asked, answers) if answer != theirs]
    assert wrong == [], f"BLUETHROAT_SEED={seed} repeats this"


def test_what_is_no_question_has_no_answer():
    assert ours(["e 00 11", "h8 00", "e zz", ""]) == ["?"] * 4
