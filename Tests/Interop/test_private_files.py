"""Files that hold secrets: of whatever mode but 0600, links, of another user, cut off, on full disks, without descriptors."""

import asyncio
import json
import os
import pty
import resource
import shutil
import socket
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest
from bluethroat import PATIENCE, KeyFob, beside, binary, command, port_without_listener, until

ROOT = os.geteuid() == 0
as_root = pytest.mark.skipif(not ROOT, reason="only root can be two users")


def run(*arguments, limits=(), user=None, program=None, **how):
    """Runs a command to its end, under limits of the kernel's, and as another user if that is wanted."""

    def prepare():
        for kind, number in limits:
            resource.setrlimit(kind, (number, number))
        if user is not None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)

    how = {"input": b"", "capture_output": True, "timeout": 4 * PATIENCE} | how
    return subprocess.run([program or binary(), *map(str, arguments)], preexec_fn=prepare, **how)


def one_line(answer, *words, code=(1, 2)):
    """The only line on standard error, which has these words; the command has ended by itself, with an error."""
    lines = answer.stderr.decode().splitlines()
    assert answer.returncode in code and len(lines) == 1, (answer.returncode, answer.stdout, answer.stderr)
    for word in words:
        assert word in lines[0], lines
    return lines[0]


@pytest.fixture
def bonds(tmp_path):
    path = tmp_path / "bonds.sqlite"
    subprocess.run([beside("bond-writer"), str(path), "1", "0", "3"], check=True, capture_output=True, timeout=4 * PATIENCE)
    return path


@pytest.fixture
def users(tmp_path):
    path = tmp_path / "users"
    assert run("desk", "add-user", "alice", "--users", path, "--cost", "10", input=b"correct horse\n").returncode == 0
    return path


AIR = ("--hci-listen", "127.0.0.1:0", "--no-panel")
MONEY = ("--bank-listen", "127.0.0.1:0", *AIR)


def file_of(tmp_path, kind):
    """A file of this kind with something in it, and a command that uses it."""
    path = tmp_path / kind
    commands = {
        "users": ("desk", "--id", "4711", "--users", path, "--key", tmp_path / "k", *AIR),
        "listed-users": ("desk", "list-users", "--users", path),
        "more-users": ("desk", "add-user", "bob", "--users", path, "--cost", "10"),
        "password": ("login", "--user", "alice", "--password-file", path, "--vault", tmp_path / "v", *AIR),
        "key": ("desk", "--id", "4711", "--users", tmp_path / "u", "--key", path, *AIR),
        "wallet": ("moneydrop", "receive", "--name", "Anna", "--wallet", path, *MONEY),
        "books": ("moneydrop", "bank", "--books", path, "--bank-listen", "127.0.0.1:0"),
        "audited-books": ("moneydrop", "bank", "--books", path, "--audit"),
        "bonds": ("bonds", "list", "--bonds", path),
        "kept-bonds": ("keyfob", "--require-pairing", "--bonds", path, *AIR),
        "oob": ("pair", "fob", "--oob", path, "--hci", "tcp:127.0.0.1:1"),
        "capture": ("keyfob", "--capture", path, *AIR),
        "vault": ("login", "--vault", path, *AIR),
    }
    if kind == "vault":
        path.mkdir(mode=0o700)
    else:
        path.write_bytes(b"something that is secret\n")
        path.chmod(0o600)
    (tmp_path / "u").write_bytes(b"")
    (tmp_path / "u").chmod(0o600)
    if kind == "key":
        run("desk", "add-user", "alice", "--users", tmp_path / "u", "--cost", "10", input=b"correct horse\n")
    return path, commands[kind]


KINDS = [
    "users", "listed-users", "more-users", "password", "key", "wallet", "books", "audited-books", "bonds", "kept-bonds",
    "oob", "capture", "vault",
]


@pytest.mark.parametrize("kind", KINDS)
def test_what_others_may_read_or_write_is_refused_in_one_line_and_left_alone(tmp_path, kind):
    path, command = file_of(tmp_path, kind)
    before = path.read_bytes() if path.is_file() else None
    for mode in (0o666, 0o644, 0o620):
        path.chmod(mode)
        one_line(run(*command), f"{path} is open to others (mode {mode:o})", f"chmod {'700' if kind == 'vault' else '600'} {path}")
        assert stat.S_IMODE(path.stat().st_mode) == mode
        assert before is None or path.read_bytes() == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_is_refused_in_one_line_and_what_it_leads_to_is_left_alone(tmp_path, kind):
    path, command = file_of(tmp_path, kind)
    real = path.rename(tmp_path / "real")
    path.symlink_to(real)
    before = real.read_bytes() if real.is_file() else None
    one_line(run(*command), str(path))
    assert path.is_symlink() and (before is None or real.read_bytes() == before)
    assert not real.is_dir() or list(real.iterdir()) == []


@as_root
@pytest.mark.parametrize("kind", KINDS)
def test_what_belongs_to_another_user_is_refused_in_one_line(tmp_path, kind):
    path, command = file_of(tmp_path, kind)
    os.chown(path, 65534, 65534)
    one_line(run(*command), f"{path} belongs to another user")


# Bonds that are exported


def export(bonds, *arguments, **how):
    return run("bonds", "export", "--bonds", bonds, *arguments, **how)


def test_keys_go_to_a_new_file_that_nobody_else_may_read_and_to_nothing_else(bonds, tmp_path):
    output = tmp_path / "keys"
    before = os.umask(0)
    try:
        answer = export(bonds, "--keys", "--output", output)
    finally:
        os.umask(before)
    assert answer.returncode == 0 and answer.stdout == b"", answer
    assert stat.S_IMODE(output.stat().st_mode) == 0o600
    exported = [json.loads(line) for line in output.read_text().splitlines()]
    keys = [value for bond in exported for name, value in bond.items() if name.startswith("longTermKey") and len(value) == 32]
    assert len(exported) == 3 and len(keys) >= 3
    # Without a file they are not written at all, at a terminal or elsewhere.
    one_line(export(bonds, "--keys"), "--output", code=(2,))
    terminal, end = pty.openpty()
    child = subprocess.Popen([binary(), "bonds", "export", "--keys", "--bonds", str(bonds)], stdin=end, stdout=end, stderr=end)
    os.close(end)
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    assert child.wait(timeout=PATIENCE) == 2
    public = export(bonds)
    assert public.returncode == 0 and len(public.stdout.splitlines()) == 3
    for key in keys:
        assert key.encode() not in shown and key.encode() not in public.stdout


def test_an_export_takes_the_place_of_nothing(bonds, tmp_path):
    precious, link, pipe = tmp_path / "precious", tmp_path / "link", tmp_path / "pipe"
    precious.write_text("precious")
    precious.chmod(0o666)
    link.symlink_to(precious)
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "nothing")
    os.mkfifo(pipe, 0o600)
    for output in (precious, link, dangling, pipe, tmp_path, "/dev/stdout", "/dev/full", "/dev/null"):
        one_line(export(bonds, "--keys", "--output", output), str(output), "there already", code=(2,))
    for output in ("", f"{tmp_path}/", f"{tmp_path}/nowhere/keys", "/proc/keys-of-mine"):
        one_line(export(bonds, "--keys", "--output", output))
    assert precious.read_text() == "precious" and not (tmp_path / "nothing").exists()
    assert stat.S_IMODE(precious.stat().st_mode) == 0o666


def test_an_export_that_does_not_fit_on_the_disk_leaves_no_file(bonds, tmp_path):
    output = tmp_path / "keys"
    for size in (0, 1, 100, 600):
        answer = export(bonds, "--keys", "--output", output, limits=[(resource.RLIMIT_FSIZE, size)])
        one_line(answer, str(output), "disk is full", code=(1,))
        assert not output.exists()
    with open("/dev/full", "wb") as full:
        answer = run("bonds", "export", "--bonds", bonds, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert answer.returncode != 0 and answer.stderr.startswith(b"cannot write the output: ")


@pytest.fixture
def program(tmp_path):
    """The command where another user can start it: the checkout may be in a folder that is closed to others."""
    for folder in [tmp_path, *tmp_path.parents]:
        if folder.stat().st_mode & 0o001 == 0:
            folder.chmod(folder.stat().st_mode | 0o011)
    return shutil.copy(binary(), tmp_path)


SHIELDED = {
    "login": ("login", "--vault", "vault", "--bonds", "phone", "--hci-listen", "127.0.0.1:0", "--no-panel"),
    "desk": ("desk", "--id", "4711", "--users", "users", "--key", "key", "--hci-listen", "127.0.0.1:0", "--no-panel"),
    "add-user": ("desk", "add-user", "--users", "users", "bob"),
}


@as_root
@pytest.mark.parametrize("name", SHIELDED)
async def test_the_memory_of_who_holds_passwords_cannot_be_read_by_its_own_user(name, users, program):
    nobody = {"user": 65534, "group": 65534, "extra_groups": []}
    folder = Path(tempfile.mkdtemp(prefix="bluethroat-shielded-"))
    shutil.copy(users, folder / "users")
    for path in (folder, folder / "users"):
        os.chown(path, 65534, 65534)
    holding = subprocess.Popen(
        [program, *SHIELDED[name]], **nobody, cwd=folder, env={"HOME": str(folder), "PATH": os.environ["PATH"]},
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        memory = Path(f"/proc/{holding.pid}/mem")

        async def belongs_to_root():
            return memory.stat().st_uid == 0

        # As what is not dumpable does.
        await until(belongs_to_root, "out of its user's reach")
        look = "import sys\ntry: open(sys.argv[1], 'rb')\nexcept PermissionError: print('refused')"
        looking = subprocess.run(["/usr/bin/python3", "-c", look, memory], **nobody, cwd="/", capture_output=True)
        assert looking.stdout == b"refused\n" and holding.poll() is None, looking
    finally:
        holding.kill()
        holding.communicate()
        shutil.rmtree(folder)


@as_root
def test_another_user_exports_nothing(bonds, tmp_path, program):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    for mode in (0o600, 0o666):
        bonds.chmod(mode)
        answer = export(bonds, "--keys", "--output", shared / "keys", user=65534, program=program)
        one_line(answer, "belongs to another user", code=(1,))
        assert list(shared.iterdir()) == []


def test_files_that_are_no_bonds_are_exported_as_nothing(bonds, tmp_path):
    output, sound = tmp_path / "keys", bonds.read_bytes()
    for damage in (b"", b"SQLite", sound[:5_000], sound[:100] + b"\xa7" * 4_000 + sound[4_100:]):
        bonds.write_bytes(damage)
        bonds.chmod(0o600)
        answer = export(bonds, "--keys", "--output", output)
        assert answer.returncode in (1, 3), answer
        assert all(line for line in answer.stderr.decode().splitlines()) and not output.exists()
        # Moved aside, byte for byte.
        aside = sorted(tmp_path.glob("bonds.sqlite.damaged-*"))
        assert [path.read_bytes() for path in aside] == [damage]
        aside[0].unlink()
        bonds.unlink()


# Full disks and empty descriptor tables


def test_a_list_of_users_that_does_not_fit_stays_what_it_was(users, tmp_path):
    before = users.read_bytes()
    for size in (0, 1, len(before) + 1):
        adding = ("desk", "add-user", "bob", "--users", users, "--cost", "10")
        one_line(run(*adding, input=b"tr0ub4dor\n", limits=[(resource.RLIMIT_FSIZE, size)]), "disk is full")
        assert users.read_bytes() == before and sorted(path.name for path in tmp_path.iterdir()) == ["users", "users.lock"]


@pytest.mark.parametrize("kind", ["wallet", "key", "kept-bonds"])
def test_what_is_new_and_does_not_fit_on_the_disk_is_one_line_and_leaves_nothing_half_made(tmp_path, kind):
    path, command = file_of(tmp_path, kind)
    path.unlink()
    words = {"wallet": "cannot be written", "kept-bonds": str(path)}.get(kind, "disk is full")
    one_line(run(*command, limits=[(resource.RLIMIT_FSIZE, 0)]), words)
    left = [file for file in tmp_path.rglob("*") if file.is_file() and file.name != "u" and not file.name.endswith(".lock")]
    assert left == []


def test_a_vault_that_does_not_fit_on_the_disk_is_told_of_and_nothing_half_made_is_left(tmp_path):
    path, command = file_of(tmp_path, "vault")
    answer = run(*command, limits=[(resource.RLIMIT_FSIZE, 0)], input=b"quit\n")
    assert answer.returncode == 0 and b"cannot be written: the disk is full; make room" in answer.stdout, answer
    assert list(path.iterdir()) == []


def begin_books(path):
    """A bank begins its books, or opens those that are there."""
    opening = [binary(), "moneydrop", "bank", "--books", str(path), "--bank-listen", "127.0.0.1:0", "--json"]
    with subprocess.Popen(opening, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bank:
        try:
            line = bank.stdout.readline()
            assert line and json.loads(line)["event"] == "bank", bank.stderr.read()
        finally:
            bank.kill()


def test_a_payers_receipt_on_a_full_disk_ends_with_one_line_that_says_what_was_paid_all_the_same(tmp_path):
    words = ("--people", "2", "--evening", "5", "--for", "120", "--fast", "--seed", "1", "--receipt", tmp_path / "anna.svg")
    answer = run("moneydrop", "demo", *words, limits=[(resource.RLIMIT_FSIZE, 300)])
    *before, last = answer.stderr.decode().splitlines()
    assert answer.returncode == 1 and "the money was sent" in last, answer.stderr
    assert "anna.svg cannot be written: the disk is full" in last, answer.stderr
    # The recipient is warned only, and may have heard first.
    assert len(before) <= 1 and all("a receipt is not printed" in line for line in before), answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_books_on_a_full_disk_are_one_line(tmp_path):
    books = tmp_path / "bank.sqlite"
    for size in (0, 1, 5_000):
        opening = ("moneydrop", "bank", "--books", books, "--bank-listen", "127.0.0.1:0")
        one_line(run(*opening, limits=[(resource.RLIMIT_FSIZE, size)]), str(books))
    # What is there is begun anew, once there is room.
    begin_books(books)
    assert run("moneydrop", "bank", "--books", books, "--audit").returncode == 0


def test_an_audit_of_books_that_are_not_there_is_one_line_and_makes_none(tmp_path):
    books = tmp_path / "typo.sqlite"
    one_line(run("moneydrop", "bank", "--audit", "--books", books), f"no such file: {books}", code=(1,))
    assert list(tmp_path.iterdir()) == []
    # Nor does it begin any in a file that is empty.
    books.touch(mode=0o600)
    one_line(run("moneydrop", "bank", "--audit", "--books", books), "it is empty", code=(1,))
    assert books.read_bytes() == b""


def test_without_descriptors_there_is_one_line_and_nothing_is_lost(bonds, users, tmp_path):
    books, output = tmp_path / "bank.sqlite", tmp_path / "keys"
    begin_books(books)
    before = {path: path.read_bytes() for path in (bonds, users, books)}
    for command in (
        ("bonds", "export", "--keys", "--bonds", bonds, "--output", output),
        ("moneydrop", "bank", "--books", books, "--audit"),
        ("desk", "add-user", "alice", "--users", users, "--cost", "10"),
        ("desk", "list-users", "--users", users),
        ("moneydrop", "receive", "--name", "Anna", "--wallet", tmp_path / "wallet", *MONEY),
    ):
        statuses = []
        for number in (5, 6, 7, 8, 9, 10, 11, 13, 64):
            if number > 10 and command[1] == "receive":
                break
            answer = run(*command, limits=[(resource.RLIMIT_NOFILE, number)], input=b"correct horse\n")
            statuses.append(answer.returncode)
            if answer.returncode != 0:
                one_line(answer, "ulimit -n")
                assert not output.exists() and not (tmp_path / "wallet").exists()
                assert {path: path.read_bytes() for path in before} == before
            elif command[1] == "add-user":
                before[users] = users.read_bytes()
            elif output.exists():
                output.unlink()
        assert statuses[:6] == [1] * 6 and statuses[8:] in ([], [0]), (command, statuses)


def test_a_socket_in_the_place_of_a_file_is_none(tmp_path):
    path = tmp_path / "books"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        one_line(run("moneydrop", "bank", "--books", path, "--audit"), f"{path} is no file")
        one_line(run("desk", "list-users", "--users", path), f"{path} is no file")


@pytest.mark.parametrize("option", ["--capture", "--btsnoop"])
def test_a_capture_takes_the_place_of_no_other_file(option, bonds, users, tmp_path):
    """Of none that the same command uses, and of no private file that is no capture."""
    note, key = tmp_path / "note", tmp_path / "key"
    note.write_text("precious")
    note.chmod(0o600)
    desk = ("desk", "run", "--id", "4711", "--users", users, "--key", key, "--bonds", bonds, "--for", "0.1", *AIR)
    assert run(*desk).returncode == 0
    before = {path: path.read_bytes() for path in (bonds, users, key, note)}
    for path in before:
        one_line(run(*desk, option, path), f"{path} is no capture, and would be lost; name another file")
    assert {path: path.read_bytes() for path in before} == before
    # One that is a capture is made anew.
    capture = tmp_path / "capture"
    for _ in range(2):
        assert run("keyfob", "--fast", "--seed", "1", "--for", "1", "--no-panel", option, capture).returncode == 0


def test_a_recording_is_not_lost_because_a_command_is_refused(tmp_path):
    capture, new = tmp_path / "capture", tmp_path / "new"
    assert run("keyfob", "--fast", "--seed", "1", "--for", "1", "--no-panel", "--capture", capture).returncode == 0
    before = capture.read_bytes()
    with socket.create_server(("127.0.0.1", 0)) as other, port_without_listener() as port:
        taken, nobody = f"127.0.0.1:{other.getsockname()[1]}", f"tcp:127.0.0.1:{port}"
        for refused in (
            ("--fast", "--for", "1", "--no-panel", "--btsnoop", "/nowhere/log"),
            ("--fast", "--for", "1", "--no-panel", "--btsnoop", capture),
            ("--no-panel", "--hci-listen", taken, "--btsnoop", new),
            ("--panel-listen", taken, "--btsnoop", new),
            ("--no-panel", "--controller", nobody, "--btsnoop", new),
        ):
            one_line(run("keyfob", "--capture", capture, *refused))
            assert capture.read_bytes() == before and not new.exists()
        one_line(run("scan", "--hci", nobody, "--capture", capture, "--btsnoop", new))
        assert capture.read_bytes() == before and not new.exists()


@pytest.mark.parametrize("words", [("bonds", "list"), ("keyfob", "--fast", "--for", "1", "--no-panel")], ids=" ".join)
def test_a_name_that_was_mistyped_moves_no_file_of_another_kind(words, users):
    before, beside_it = users.read_bytes(), sorted(users.parent.iterdir())
    one_line(run(*words, "--bonds", users), f"{users} is no bond file, and was left as it is; name another file for the bonds")
    assert users.read_bytes() == before and sorted(users.parent.iterdir()) == beside_it


def test_a_capture_and_a_btsnoop_are_two_files(tmp_path):
    path, other = tmp_path / "capture", tmp_path / "other"
    fob = ("keyfob", "--fast", "--seed", "1", "--for", "1", "--no-panel", "--capture", path, "--btsnoop")
    one_line(run(*fob, path), f"the capture and the btsnoop are the same file, {path}; give two files")
    assert run(*fob, other).returncode == 0
    assert path.read_bytes()[:4] == b"\x0a\x0d\x0d\x0a" and other.read_bytes()[:8] == b"btsnoop\0"
    other.unlink()
    os.link(path, other)
    one_line(run(*fob, other), "are the same file")


def test_a_password_in_another_encoding_is_refused_and_not_taken_for_any_other(users, tmp_path):
    """Each byte that is no UTF-8 is read as one and the same character."""
    before = users.read_bytes()
    for wrong in (b"\xff\xfe\n", "äöü\n".encode("latin-1")):
        answer = run("desk", "add-user", "eve", "--users", users, "--cost", "10", input=wrong)
        one_line(answer, "the user name or the password is no text in UTF-8")
    assert users.read_bytes() == before
    assert run("desk", "add-user", "eve", "--users", users, "--cost", "10", input="äöü\n".encode()).returncode == 0
    desk = ("desk", "run", "--id", "4711", "--users", users, "--key", users.with_name("key"), *AIR)
    desk += ("--bonds", users.with_name("bonds"))
    answer = run(*desk, input=b"login eve\n\xe4\xf6\xfc\nquit\n")
    assert one_line(answer, "is no text in UTF-8", code=(0,)) and b"logged in" not in answer.stdout, answer


def test_a_name_that_shows_as_another_is_no_user(users):
    for name in ("\u202eecila", "ali\u200bce", " ", "ali\ufffdce", "ali\x1bce"):
        one_line(run("desk", "add-user", name, "--users", users, "--cost", "10", input=b"secret\n"), "user name")


NOT_WHOLE = b"the capture is not whole: cannot write /dev/full: no space left on device"


@pytest.mark.parametrize("option", ["--capture", "--btsnoop"])
@pytest.mark.parametrize("manner", ["--fast", "--hci-listen=127.0.0.1:0"])
def test_a_capture_that_is_not_whole_is_a_failure_at_the_end(option, manner):
    """What was asked for goes on, and how it ends says that something of it is missing."""
    answer = run("keyfob", manner, "--seed", "1", "--for", "2", "--no-panel", option, "/dev/full")
    assert answer.returncode == 1 and NOT_WHOLE in answer.stderr.splitlines(), answer
    assert b"LED1 off" in answer.stdout


@pytest.mark.parametrize("option", ["--capture", "--btsnoop"])
async def test_a_central_says_that_its_capture_is_not_whole(option):
    async with KeyFob() as fob:
        answer = await command("scan", "Keyfobdemo", "--hci", fob.hci, option, "/dev/full")
        assert answer.code == 1 and NOT_WHOLE.decode() in answer.errors, answer.story
        assert any("Keyfobdemo" in line for line in answer.lines)


async def test_a_capture_that_is_not_whole_is_a_failure_without_a_reader_of_the_results_too():
    """That nobody reads the results is a quiet end, which does not hide that the capture is missing."""
    async with KeyFob() as fob:
        for option, code in ([], 0), (["--capture", "/dev/full"], 1):
            reader, writer = os.pipe()
            os.close(reader)
            scan = ("scan", "--hci", fob.hci, *option)
            answer = await asyncio.to_thread(run, *scan, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
            os.close(writer)
            assert answer.returncode == code, answer
            assert any(NOT_WHOLE in line for line in answer.stderr.splitlines()) == bool(option), answer


def test_a_bank_whose_first_line_cannot_be_written_ends():
    with open("/dev/full", "wb") as full:
        bank = ("moneydrop", "bank", "--bank-listen", "127.0.0.1:0")
        answer = run(*bank, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert answer.returncode == 1
    assert answer.stderr == b"cannot write the output: No space left on device\n"


STUDY = """
length: 1 s
worlds: 1
devices:
  beacon: {kind: advertiser}
  phone: {kind: scanner}
measure: received
"""


@pytest.mark.parametrize("option", ["--csv", "--svg"])
def test_results_that_do_not_fit_on_the_disk_leave_what_was_there(option, tmp_path):
    study, results = tmp_path / "a.yaml", tmp_path / "results"
    study.write_text(STUDY)
    for before in (None, "of before"):
        if before:
            results.write_text(before)
        answer = run("study", study, option, results, limits=[(resource.RLIMIT_FSIZE, 20)])
        one_line(answer, str(results), "the disk is full; make room", code=(1,))
        assert sorted(path.name for path in tmp_path.iterdir()) == (["a.yaml", "results"] if before else ["a.yaml"])
        if before:
            assert results.read_text() == before
    assert run("study", study, option, results).returncode == 0
    assert results.read_text() != before


def test_results_that_fit_nowhere_are_one_line_and_not_the_end_by_a_signal(tmp_path):
    (tmp_path / "a.yaml").write_text(STUDY)
    output = tmp_path / "output"
    with output.open("wb") as file:
        limits = {"limits": [(resource.RLIMIT_FSIZE, 20)]}
        answer = run("study", tmp_path / "a.yaml", capture_output=False, stdout=file, stderr=subprocess.PIPE, **limits)
    one_line(answer, "cannot write the output: File too large", code=(1,))
    assert len(output.read_bytes()) == 20


@as_root
@pytest.mark.parametrize("mode", [0o555, 0o1777])
def test_results_go_into_a_file_that_no_other_may_replace(tmp_path, program, mode):
    """In a folder that may not be changed, or in one for all in which only owners may rename, a file can be written to itself."""
    folder = tmp_path / "folder"
    folder.mkdir()
    study, results = folder / "a.yaml", folder / "results"
    study.write_text(STUDY)
    results.write_text("of before" * 1_000)
    results.chmod(0o666)
    folder.chmod(mode)
    before = results.stat()
    answer = run("study", study, "--csv", results, user=65534, program=program)
    assert answer.returncode == 0, answer
    assert results.read_text().startswith("worlds,seed,") and "of before" not in results.read_text()
    assert (results.stat().st_ino, results.stat().st_uid) == (before.st_ino, before.st_uid)
    assert sorted(path.name for path in folder.iterdir()) == ["a.yaml", "results"]


@as_root
def test_who_was_written_a_file_by_root_keeps_it(tmp_path):
    study, results = tmp_path / "a.yaml", tmp_path / "results"
    study.write_text(STUDY)
    results.write_text("of before")
    results.chmod(0o640)
    os.chown(results, 65534, 65533)
    assert run("study", study, "--csv", results).returncode == 0
    status = results.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (65534, 65533, 0o640)
    assert results.read_text() != "of before"
