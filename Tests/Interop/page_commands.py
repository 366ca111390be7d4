"""The commands that a page shows with what they print, and how they are run for a test.

A block of a page that begins with ```` ```console ```` is a session at a shell: lines that begin with `$ ` are commands, and
what follows each is what it prints, on either output. `…` stands for any text in a line, and a line that is `…` alone for any
number of lines. What a comment behind a command says counts:

    $ bluethroat keyfob --seed 1                  # in one terminal
    Key fob 78:C5:E5:9B:76:0D
    …
    $ bluethroat read Keyfobdemo 2A19             # in another
    100 %
    $ bluethroat read Keyfobdemo 2A37             # exit code 1
    …

A command `in one terminal` goes on until the block ends; when it has printed what is shown of it, the next command is run.
All others run to their end, with exit code 0 if none is named. Where a comment says that `both end`, the last command in a
terminal is waited for, too, before the next one is run.

A block that is not run like that says so behind ```` ```console ````:

    not-run: needs WHAT     hardware, or a system, that is not there
    run-by: WHO             a test or a target of the Makefile runs the same; several with a comma between
    dry-run: WHY            it builds or measures for long: `make -n` takes it, or its program and its options are there

Each block has a folder of its own, in which `Examples` is that of the tree, and bonds of its own. The ports are those of the
test, too: `bluethroat` is told where to listen and to attach, unless the page says so, and what it prints has the usual port
again.
"""

import asyncio
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

USUAL_PORT = 6402
USUAL_BANK = 6404
# How long a command in one terminal may take until it has printed what is shown.
PATIENCE = 60.0


@dataclass
class Command:
    """A command of a page, and the lines that it prints there."""

    text: str
    shown: list = field(default_factory=list)

    @property
    def comment(self):
        return (re.search(r"\s# (.*)$", self.text) or [None, ""])[1].strip()

    @property
    def goes_on(self):
        return self.comment.startswith("in one terminal")

    @property
    def ends_another(self):
        return re.search(r"\bboth end\b", self.comment) is not None

    @property
    def exit_code(self):
        named = re.search(r"exit code (\d+)", self.comment)
        return int(named[1]) if named else 0


@dataclass
class Block:
    """A session at a shell, in a page."""

    page: str
    line: int
    # Why it is not run; None if it is.
    reason: str | None = None
    commands: list = field(default_factory=list)
    # Who runs it instead, each a file or a target of the Makefile.
    runners: list = field(default_factory=list)
    # Whether it is only looked at.
    is_dry: bool = False

    @property
    def name(self):
        return f"{self.page}:{self.line}"


class PageError(ValueError):
    """A block that cannot be understood."""


def opened(page, number, words):
    """The block that begins with these words behind ```console."""
    block = Block(page, number)
    match words.partition(": "):
        case ("", _, _):
            pass
        case ("not-run", _, why) if why.startswith("needs "):
            block.reason = why
        case ("run-by", _, who) if who:
            block.reason, block.runners = f"{who} runs it", who.split(", ")
        case ("dry-run", _, why) if why:
            block.reason, block.is_dry = why, True
        case _:
            raise PageError(
                f"{page}:{number}: {words!r} is not understood; say `not-run: needs WHAT`, `run-by: WHO`, `dry-run: WHY` or nothing"
            )
    return block


def blocks(page, text):
    """The blocks of a page in its order. Throws where one cannot be understood."""
    found, block = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if block is None:
            if re.match(r"```console(\s|$)", line):
                block = opened(page, number, line.removeprefix("```console").strip())
        elif line.startswith("```"):
            if not block.commands:
                raise PageError(f"{block.name}: a block without a command")
            going_on = 0
            for command in block.commands:
                if command.ends_another and going_on == 0:
                    raise PageError(f"{block.name}: no command goes on that could end with this: {command.text}")
                going_on += command.goes_on - command.ends_another
                if command.goes_on and not command.shown and not block.reason:
                    raise PageError(f"{block.name}: no line shows that this is ready: {command.text}")
            found.append(block)
            block = None
        elif line.startswith("$ "):
            block.commands.append(Command(line.removeprefix("$ ")))
        elif not block.commands:
            raise PageError(f"{page}:{number}: a block begins with a command, and this is none: {line}")
        elif (last := block.commands[-1]).text.endswith("\\") and not last.shown:
            last.text += "\n" + line
        else:
            last.shown.append(line)
    if block is not None:
        raise PageError(f"{block.name}: a block that does not end")
    return found


def has_printed(shown, printed, whole=True):
    """Whether the lines printed are those that are shown; with `whole` false, whether they begin with those."""
    pattern = ""
    for line in shown:
        if line.strip() == "…":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += "[^\n]*?".join(re.escape(piece) for piece in line.rstrip().split("…")) + r"\n"
    text = "".join(line.rstrip() + "\n" for line in printed)
    return bool((re.fullmatch if whole else re.match)(pattern, text))


# The ports of a test

CENTRALS = [("scan",), ("inspect",), ("read",), ("write",), ("subscribe",), ("pair",), ("l2cap", "listen"), ("l2cap", "connect"), ("overflow", "analyse")]
# They join the air of another command.
JOINING = [("attach",), ("login",), ("text", "connect"), ("moneydrop", "send")]
# They have an air of their own.
WORLDS = [("keyfob",), ("sensortag",), ("ibeacon",), ("text", "serve"), ("text", "demo"), ("desk",), ("moneydrop", "receive"), ("moneydrop", "demo"), ("overflow", "demo")]
NO_WORLD = [("desk", "add-user"), ("desk", "remove-user"), ("desk", "list-users")]


def placed(arguments, port, bank=None):
    """The arguments of `bluethroat` with the ports of the test, where the command has ports and none is given."""

    def is_one_of(verbs):
        return any(tuple(arguments[: len(verb)]) == verb for verb in verbs)

    def has(*options):
        return any(argument.split("=")[0] in options for argument in arguments)

    if has("--help", "-h") or is_one_of(NO_WORLD):
        return arguments
    air = f"tcp:127.0.0.1:{port}"
    if bank and not has("--bank", "--bank-listen", "--fast"):
        if is_one_of([("moneydrop", "receive"), ("moneydrop", "demo"), ("moneydrop", "bank")]):
            arguments = [*arguments, "--bank-listen", f"127.0.0.1:{bank}"]
        elif is_one_of([("moneydrop", "send")]):
            arguments = [*arguments, "--bank", f"http://127.0.0.1:{bank}"]
    if is_one_of(CENTRALS):
        return arguments if has("--hci") else [*arguments, "--hci", air]
    if not is_one_of(WORLDS + JOINING) or has("--fast"):
        return arguments
    added = []
    if not has("--hci-listen", "--controller"):
        joins = is_one_of(JOINING) and not has("--virtual-time")
        added += ["--controller", air] if joins else ["--hci-listen", f"127.0.0.1:{port}"]
        if joins:
            return arguments + added
    if not has("--panel-listen", "--no-panel"):
        added += ["--panel-listen", "127.0.0.1:0"]
    return arguments + added


def write_command(folder, binary, port, bank):
    """A `bluethroat` in a folder that is told the ports of the test."""
    folder.mkdir()
    script = folder / "bluethroat"
    here = str(Path(__file__).parent)
    script.write_text(
        f"#!{sys.executable}\n"
        "import os, sys\n"
        f"sys.path.insert(0, {here!r})\n"
        "from page_commands import placed\n"
        f"os.execv({binary!r}, ['bluethroat', *placed(sys.argv[1:], {port}, {bank})])\n"
    )
    script.chmod(0o755)


# Running


class Running:
    """A command of a page as a process group of its own, with all that it prints."""

    def __init__(self, command, process, ports):
        self.command, self.process = command, process
        # The test's ports, and those that the page shows in their place.
        self.ports = ports
        self.lines = []
        self.news = asyncio.Event()
        self.reader = asyncio.create_task(self.read())

    @classmethod
    async def start(cls, command, folder, environment, ports):
        process = await asyncio.create_subprocess_exec(
            "bash",
            "-c",
            # A shell ends with its command, whatever the command makes of the signal, and begins no further one.
            f"trap 'exit $?' TERM\n{command.text}",
            cwd=folder,
            env=environment,
            # A terminal at which nothing is typed; what runs to its end has no input.
            stdin=asyncio.subprocess.PIPE if command.goes_on else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=1 << 20,
            start_new_session=True,
        )
        return cls(command, process, ports)

    async def read(self):
        while line := await self.process.stdout.readline():
            text = line.decode("utf-8", "replace").rstrip("\n")
            for port, usual in self.ports.items():
                text = re.sub(rf":{port}\b", f":{usual}", text)
            self.lines.append(text)
            self.news.set()
        self.news.set()

    async def until_shown(self):
        """Waits until it has printed what is shown of it."""
        async with asyncio.timeout(PATIENCE):
            while not has_printed(self.command.shown, self.lines, whole=False):
                if self.reader.done():
                    return
                self.news.clear()
                await self.news.wait()

    async def end(self):
        """Waits for its end; the exit code."""
        await self.reader
        return await self.process.wait()

    def kill(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass


def story(running):
    """What a command was to print and what it has printed."""
    command = running.command
    return "\n".join([f"$ {command.text}", "-- the page shows", *command.shown, "-- it prints", *running.lines])


def rewrite(page, command, printed):
    """Has the page show what a command has printed. What differs from run to run is `…` again when somebody has put it there."""
    text = page.read_text(encoding="utf-8")
    before = "\n".join(["$ " + command.text, *command.shown]) + "\n"
    assert text.count(before) == 1, f"{page} has this more than once\n{before}"
    page.write_text(text.replace(before, "\n".join(["$ " + command.text, *printed]) + "\n"), encoding="utf-8")


def expect(running, differs, whole):
    """Compares what is shown with what is printed."""
    if has_printed(running.command.shown, running.lines, whole):
        return
    if differs is None:
        raise AssertionError(story(running))
    differs(running.command, running.lines)


async def ended(running, how):
    """Waits for the end of a command in a terminal, which has its exit code."""
    code = await running.end()
    assert code == running.command.exit_code, f"exit code {code} {how}\n{story(running)}"


async def run(block, folder, binary, port, differs=None, bank=None):
    """Runs the commands of a block, one after the other; an assertion fails where the page shows something else, unless
    `differs` is called then, with the command and the lines that it has printed."""
    write_command(folder / "bin", str(Path(binary).resolve()), port, bank)
    place = folder / "here"
    place.mkdir()
    (place / "Examples").symlink_to(Path(__file__).resolve().parents[2] / "Examples")
    environment = {
        **os.environ,
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "XDG_STATE_HOME": str(folder / "state"),
        "LC_ALL": "C.UTF-8",
    }
    ports = {port: USUAL_PORT} | ({bank: USUAL_BANK} if bank else {})
    goes_on = []
    try:
        for command in block.commands:
            running = await Running.start(command, place, environment, ports)
            goes_on.append(running)
            if command.goes_on:
                try:
                    await running.until_shown()
                except TimeoutError:
                    pass
                expect(running, differs, whole=False)
            else:
                code = await running.end()
                goes_on.remove(running)
                expect(running, differs, whole=True)
                assert code == command.exit_code, f"exit code {code}\n{story(running)}"
                if command.ends_another:
                    await ended(goes_on[-1], "by itself")
                    goes_on.pop()
        for running in reversed(goes_on):
            running.kill(signal.SIGTERM)
            await ended(running, "when told to end")
    finally:
        for running in goes_on:
            running.kill(signal.SIGKILL)
            await running.end()


# Looking only


def dry(command, root):
    """What is wrong with a command that is not run: a target, a program or an option that is not there; None if nothing."""
    words = shlex.split(command.text.replace("\\\n", " "), comments=True)
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words.pop(0)
    match words:
        case ["make", *rest]:
            run = subprocess.run(["make", "-n", *rest], cwd=root, capture_output=True, text=True)
            return run.stderr.strip() or f"exit code {run.returncode}" if run.returncode else None
        case ["swift", "run", *rest]:
            package = rest[rest.index("--package-path") + 1] if "--package-path" in rest else "."
            manifest = (root / package / "Package.swift").read_text(encoding="utf-8")
            known = {"-c", "--package-path", "--scratch-path"}
            while rest and rest[0] in known:
                rest = rest[2:]
            if not rest or f'"{rest[0]}"' not in manifest:
                return f"{package} has no program {rest[:1]}"
            sources = "Tests/Programs" if package == "." else f"{package}/Sources"
            return missing_options(rest[1:], (root / sources).glob("**/*.swift"))
        case [program, *rest] if program.startswith("Scripts/"):
            return missing_options(rest, [root / program])
        case [program, *_] if match := re.fullmatch(r"\.build-fuzz/\w+/release/(\w+)", program):
            return None if (root / "Fuzzing/Sources" / match[1]).is_dir() else f"there is no {match[1]}"
    return "it is none that can be looked at without being run"


def missing_options(words, files):
    """The options among the words that none of the files names."""
    files = list(files)
    texts = [file.read_text(encoding="utf-8") for file in files if file.is_file()]
    if not texts:
        return f"there is no program: {[str(file) for file in files]}"
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    # An option is written out, or is a property's name.
    absent = [option for option in options if not any(option in text or f'"{option[2:]}"' in text for text in texts)]
    return f"{absent} is not there" if absent else None


# Whatever else pages show

SHELL = r"(?:\$ )?(?:sudo )?(?:[A-Z_]+=\S+ )*"
PROGRAMS = (
    r"(?:bluethroat|make|swift|cp|sed|curl|podman|docker|pip|python3?|apt-get|man|echo|printf|export|mpirun|tshark|btattach|git|"
    r"socat|west|modprobe|hciconfig|bluetoothctl|pytest|\.tools/\S+|Scripts/\S+)"
)


def stray_commands(text):
    """The lines of a page, with their numbers, that are commands and stand in no block for commands."""
    found, fences = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if mark := re.match(r"(`{3,})(.*)$", line):
            words = mark[2].strip()
            # A longer fence may have shorter ones in it.
            if not words and fences and fences[-1][0] == mark[1]:
                fences.pop()
            else:
                fences.append((mark[1], words or "none"))
            continue
        fence = fences[-1][1] if fences else None
        is_code = fence.split()[0] in ("none", "text", "sh", "bash") if fence else line.startswith("    ")
        if is_code and re.match(rf"{SHELL}{PROGRAMS}(?:\s|$)", line.strip()):
            found.append((number, fence, line.strip()))
    return found


def synopses(text):
    """The lines of a page's blocks ```usage, each with those that go on with it."""
    for block in re.findall(r"^```usage\n(.*?)^```$", text, re.M | re.S):
        yield from (line.strip() for line in re.sub(r"\n +", " ", block).splitlines())
