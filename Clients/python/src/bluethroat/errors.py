"""What can go wrong. Each error is one sentence: what was wrong, and what to do."""

from __future__ import annotations


class BluethroatError(Exception):
    """All errors of this package."""


class CommandMissing(BluethroatError):
    """There is no command `bluethroat` to start."""


class PortTaken(BluethroatError):
    """Another program has the port that was asked for."""


class CommandEnded(BluethroatError):
    """The command has ended, or never came up."""


class PanelRefused(BluethroatError):
    """The panel said no: the HTTP status, a word for programs, and the sentence."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
