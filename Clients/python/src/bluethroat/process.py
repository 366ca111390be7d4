"""The command as a process: found, started, read, and ended for sure."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from .errors import BluethroatError, CommandEnded, CommandMissing, PortTaken

#: The environment variable that names the command.
VARIABLE = "BLUETHROAT"


def find_command(named: str | os.PathLike[str] | None = None, start: Path = Path(__file__).resolve()) -> str:
    """The command to start: the one that is named here or by the variable BLUETHROAT, what `swift build` has made in the
    checkout that this package lies in, or what is on PATH."""
    for name, place in ((named, "command"), (os.environ.get(VARIABLE) or None, VARIABLE)):
        if name is None:
            continue
        found = shutil.which(os.fspath(name))
        if found is None:
            raise CommandMissing(f"{place} names {os.fspath(name)}, and there is no program that can be run")
        return found
    # Only the checkout that has this very file: in a folder above an installed package, /tmp for one, others may put a build.
    checkout = next((folder for folder in start.parents if start.parent == folder / "Clients/python/src/bluethroat"), None)
    if checkout is not None and (checkout / "Sources/Tools/bluethroat").is_dir():
        built = [checkout / f".build/{kind}/bluethroat" for kind in ("release", "debug")]
        there = [file for file in built if os.access(file, os.X_OK)]
        if there:
            return str(max(there, key=lambda file: file.stat().st_mtime))
    found = shutil.which("bluethroat")
    if found is None:
        raise CommandMissing(
            f"there is no command bluethroat: build it (make build), install it (make install), or name it by {VARIABLE}"
        )
    return found


class Process:
    """A running command that prints one JSON object a line."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self.command = list(command)
        self.events: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._news = threading.Condition()
        keeper = str(Path(__file__).with_name("_keeper.py"))
        self._process = subprocess.Popen(
            [sys.executable, "-I", keeper, *self.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=None if environment is None else dict(environment),
            # Of what a terminal sends to all its processes nothing comes here.
            start_new_session=True,
        )
        self._readers = [
            threading.Thread(target=self._read, args=(self._process.stdout, self._take), daemon=True),
            threading.Thread(target=self._read, args=(self._process.stderr, self.errors.append), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: IO[bytes], take: Callable[[str], None]) -> None:
        for line in stream:
            with self._news:
                take(line.decode("utf-8", "replace").rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self._news.notify_all()

    def _take(self, line: str) -> None:
        self.lines.append(line)
        try:
            event = json.loads(line)
        except ValueError:
            return
        if isinstance(event, dict):
            self.events.append(event)

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def wait_for(
        self, look: Callable[[list[dict[str, Any]]], dict[str, Any] | None], what: str, patience: float
    ) -> dict[str, Any]:
        """The event that `look` finds among those so far, when it is there."""
        end = time.monotonic() + patience
        with self._news:
            while True:
                if (found := look(self.events)) is not None:
                    return found
                if not any(reader.is_alive() for reader in self._readers):
                    raise self.failure(f"bluethroat has ended without {what}")
                left = end - time.monotonic()
                if left <= 0:
                    raise CommandEnded(f"bluethroat has said nothing of {what} for {patience:g} s")
                # Readers notify when they read, not when their threads end.
                self._news.wait(min(left, 0.1))

    def failure(self, otherwise: str) -> BluethroatError:
        """Why it has ended, in its own words."""
        said = self.errors[-1] if self.errors else ""
        taken = re.search(r"port (\d+) on (\S+) is taken|panel on (\S+?): the port is in use", said)
        if taken:
            place = taken[3] or f"{taken[2]}:{taken[1]}"
            return PortTaken(f"{place} is taken by another program; end that, or let a free port be picked with port 0")
        return CommandEnded(f"{otherwise}: {said}" if said else otherwise)

    def end(self, patience: float = 15.0) -> None:
        """Asks it to end, and kills it if it does not. Afterwards all that it has printed is there."""
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            # The keeper kills the command after ten seconds; it is itself what does not end.
            self._process.kill()
            self._process.wait()
        for reader in self._readers:
            reader.join(1.0)
        for stream in (self._process.stdout, self._process.stderr):
            if stream and not any(reader.is_alive() for reader in self._readers):
                stream.close()

    def story(self) -> str:
        """How it was started, and all that it has printed: the first thing to read when a test has failed."""
        return "\n".join(["$ " + " ".join(self.command), *self.lines, *("! " + line for line in self.errors)])
