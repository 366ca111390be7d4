"""The built `bluethroat` command, driven the way any program would: arguments, standard input, JSON lines."""

import asyncio
import contextlib
import functools
import json
import os
import random
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Patience, in seconds: how long a promise may take on a busy machine before it counts as broken. What is broken takes
# this long to be noticed, what is not takes none of it.
PATIENCE = 30.0


def effort(everything, usually):
    """How much is tried: a part, or everything with BLUETHROAT_EFFORT=all, as in `make nightly`."""
    return everything if os.environ.get("BLUETHROAT_EFFORT") == "all" else usually


@functools.cache
def binary():
    """The command under test: BLUETHROAT, or what `swift build` has made."""
    named = os.environ.get("BLUETHROAT")
    if named:
        return named
    bin_path = subprocess.run(
        ["swift", "build", "--show-bin-path"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
    return str(Path(bin_path) / "bluethroat")


def beside(name):
    """Another program of the same build."""
    program = Path(binary()).with_name(name)
    if "BLUETHROAT" in os.environ and not program.exists():
        pytest.skip(f"no {name} beside {binary()}")
    return str(program)


def matches(event, name, expected):
    return event.get("event") == name and all(event.get(key) == value for key, value in expected.items())


async def started(program, *arguments, **how):
    """A child with pipes for all that it hears and says."""
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        program,
        *arguments,
        **{"stdin": pipe, "stdout": pipe, "stderr": pipe, "limit": 1 << 20, **how},
        # Whoever is started in the background by a shell ignores interrupts, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


class Process:
    """A running `bluethroat` with its output collected. Use it with `async with`; it never outlives the block."""

    @staticmethod
    def program():
        return binary()

    def environment(self):
        """Its variables; None is ours."""
        return None

    def __init__(self, *arguments):
        # Many fobs run at once, and there is one usual port.
        if arguments[:1] == ("keyfob",) and "--panel-listen" not in arguments and "--help" not in arguments:
            arguments += ("--no-panel",)
        self.arguments = arguments
        self.events = []
        self.lines = []
        self.errors = []
        self._seen = {}
        self._news = asyncio.Event()
        self._readers = []
        self.process = None

    async def __aenter__(self):
        self.process = await started(self.program(), *self.arguments, env=self.environment())
        self._readers = [
            asyncio.create_task(self._collect(self.process.stdout, self._take_output)),
            asyncio.create_task(self._collect(self.process.stderr, self.errors.append)),
        ]
        return self

    async def __aexit__(self, failure, *_):
        if self.process.returncode is None:
            self.send(signal.SIGKILL)
        await self.process.wait()
        await asyncio.gather(*self._readers)
        if failure:
            print(self.story())

    async def _collect(self, stream, take):
        while line := await stream.readline():
            take(line.decode("utf-8", "replace").rstrip("\n"))
            self._news.set()
        self._news.set()

    def _take_output(self, line):
        self.lines.append(line)
        try:
            event = json.loads(line)
        except ValueError:
            return
        if isinstance(event, dict):
            self.events.append(event)

    def story(self):
        """What the process was told and what it said: the first thing to read when a test has failed."""
        return "\n".join(
            [f"$ {Path(self.program()).name} " + " ".join(self.arguments), *self.lines, *("! " + line for line in self.errors)]
        )

    def stray_lines(self):
        """Standard output that is not a JSON object with an event."""
        return [line for line in self.lines if not is_event(line)]

    async def until(self, condition, wanted, patience=PATIENCE):
        """Waits until the condition holds; looks again whenever the process has said something or ended."""
        deadline = time.monotonic() + patience
        while not (result := condition()):
            # Past the end of both streams nothing more can come.
            if all(reader.done() for reader in self._readers):
                raise AssertionError(f"bluethroat ended without {wanted}\n{self.story()}")
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), deadline - time.monotonic())
            except TimeoutError:
                raise AssertionError(f"no {wanted} within {patience:g} s\n{self.story()}") from None
        return result

    async def event(self, name, /, patience=PATIENCE, **expected):
        """The next event of this name with these values. Events of one name are seen in order and each once."""

        def look():
            for index in range(self._seen.get(name, 0), len(self.events)):
                if matches(self.events[index], name, expected):
                    self._seen[name] = index + 1
                    return self.events[index]
            return None

        return await self.until(look, f"event {name} {expected or ''}".rstrip(), patience)

    def forget(self):
        """From here on only what happens next counts for `event`."""
        self._seen = {event["event"]: len(self.events) for event in self.events if "event" in event}

    def mark(self):
        """A place in the stream of events, for `since`."""
        return len(self.events)

    async def obey(self, line):
        """Says a word to a fob and returns when it was taken: words and radio take different ways in."""
        self.say(line)
        self.say("no word at all")
        await self.event("error")

    def since(self, mark, name, /, **expected):
        """Events after a mark. With a later event already seen, an empty list means that it did not happen."""
        return [event for event in self.events[mark:] if matches(event, name, expected)]

    async def error_line(self, patience=PATIENCE):
        await self.until(lambda: self.errors, "line on standard error", patience)
        return self.errors[-1]

    async def exit_code(self, patience=PATIENCE):
        """Waits for the end, with everything it said collected."""
        try:
            code = await asyncio.wait_for(self.process.wait(), patience)
        except TimeoutError:
            raise AssertionError(f"bluethroat does not end\n{self.story()}") from None
        await asyncio.gather(*self._readers)
        return code

    def say(self, line):
        """One line on standard input."""
        self.process.stdin.write(line.encode() + b"\n")

    def say_no_more(self):
        self.process.stdin.close()

    def send(self, number):
        """Not by asyncio: that asks first whether the process has ended, and so takes the answer away from its own waiter."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, number)


async def until(look, what, patience=PATIENCE):
    """Asks again until the answer is true. For what no event tells."""
    end = time.monotonic() + patience
    while not (answer := await look()):
        assert time.monotonic() < end, f"not {what} within {patience:g} s"
        await asyncio.sleep(0.05)
    return answer


@contextlib.contextmanager
def port_without_listener():
    """A TCP port where nobody listens, and nobody else can meanwhile."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


def lasting_port():
    """A free TCP port that stays free while nobody has it: none of those that whoever wants any is given."""
    least = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", random.randrange(10_000, least))) as free:
            return free.getsockname()[1]


def is_event(line):
    try:
        return isinstance(json.loads(line).get("event"), str)
    except (ValueError, AttributeError):
        return False


class Service(Process):
    """A command that runs until it is ended. Leaving the block ends it with SIGTERM, so that its captures are whole, and
    checks how it went."""

    async def __aexit__(self, failure, *rest):
        try:
            if self.process.returncode is None and not failure:
                self.send(signal.SIGTERM)
                assert await self.exit_code() == 0, f"a command told to end did not end cleanly\n{self.story()}"
        finally:
            await super().__aexit__(failure, *rest)
        if not failure:
            assert self.stray_lines() == [], "standard output must be JSON objects only"


class KeyFob(Service):
    """`bluethroat keyfob --json`, up and listening."""

    def __init__(self, *arguments, seed=1, hci_listen="127.0.0.1:0"):
        where = ("--hci-listen", hci_listen) if hci_listen else ()
        super().__init__("keyfob", *where, "--seed", str(seed), "--json", *arguments)
        self.address = None
        self.hci = None

    async def __aenter__(self):
        await super().__aenter__()
        try:
            self.address = (await self.event("fob"))["address"]
            self.hci = (await self.event("listening" if "--hci-listen" in self.arguments else "controller"))["hci"]
        except BaseException as failure:
            await super().__aexit__(failure)
            raise
        return self

    @property
    def port(self):
        return int(re.fullmatch(r"tcp:.*:(\d+)", self.hci)[1])


class Answer:
    """A command that has ended: its exit code, JSON objects and error lines."""

    def __init__(self, process, code):
        self.code = code
        self.events = process.events
        self.lines = process.lines
        self.errors = process.errors
        self.story = process.story()

    def all(self, name, /, **expected):
        return [event for event in self.events if matches(event, name, expected)]

    def one(self, name, /, **expected):
        found = self.all(name, **expected)
        assert len(found) == 1, f"{len(found)} events {name} {expected}\n{self.story}"
        return found[0]


async def command(*arguments, patience=120.0):
    """Runs a command to its end. Its standard input is empty."""
    async with Process(*arguments) as process:
        process.say_no_more()
        code = await process.exit_code(patience)
        if "--json" in arguments:
            assert process.stray_lines() == [], "standard output must be JSON objects only"
        return Answer(process, code)
