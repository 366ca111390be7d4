"""What another user of the machine can do with files, as docs/security.md says it line by line, and with names in a folder for all."""

import asyncio
import os
import re
import subprocess
from contextlib import AsyncExitStack
from pathlib import Path

import keyfob_table as table
import pytest
from bluethroat import PATIENCE, KeyFob, Process, binary, command, until
from other_users import (
    BESIDE,
    BONDS,
    CAPTURES,
    CARRIED,
    FOLDER_OF_BONDS,
    HOLD,
    KEPT,
    LAY,
    LOCKS,
    MAKE,
    NAMES,
    NOBODY,
    OUTPUT,
    READ_ONLY,
    RESULTS,
    SECRETS,
    TRY,
    Theirs,
    another_runs,
    as_another,
    line_of,
    make_users,
    nothing_is_readable,
    nothing_works,
    place,
    program,
    row,
    say,
)
from panel_client import Panel
from test_crowds import on, reset
from test_private_files import STUDY


@row(BONDS, CAPTURES, SECRETS, LOCKS)
async def test_no_file_that_a_command_makes_can_be_read_or_changed(place):
    names = {name: str(place / name) for name in ("air.pcapng", "hci.btsnoop", "bonds", "books", "users", "wallet")}
    vault = place / "vault"
    make_users(names["users"])
    arguments = ("--capture", names["air.pcapng"], "--btsnoop", names["hci.btsnoop"], "--bonds", names["bonds"])
    async with KeyFob(*arguments) as fob:
        login = ("login", "--vault", str(vault), "--bonds", names["bonds"] + "-of-login", "--json", "--no-panel")
        async with Process(*login, "--controller", fob.hci) as phone:
            await phone.event("screen")
        where = ("--bank-listen", "127.0.0.1:0", "--hci-listen", "127.0.0.1:0", "--no-panel", "--json")
        files = ("--wallet", names["wallet"], "--books", names["books"])
        async with Process("moneydrop", "receive", "--name", "Anna", *files, *where) as one:
            await one.event("findable")
            await nothing_is_readable(place, *names, "users.lock", "wallet.lock")


@row(SECRETS, LOCKS)
async def test_the_key_the_log_and_the_head_of_a_desk_are_for_its_user_alone(place):
    make_users(place / "users")
    # A new key is made in a folder for one user only.
    place.chmod(0o700)
    names = {option: str(place / option) for option in ("key", "log", "head")}
    files = ("--users", str(place / "users"), "--key", names["key"], "--log", names["log"], "--log-head", names["head"])
    async with Process("desk", "--id", "4711", *files, "--hci-listen", "127.0.0.1:0", "--no-panel", "--json") as desk:
        await desk.event("listening")
        place.chmod(0o755)
        desk.say("login alice")
        desk.say("a guess")
        await desk.event("rejected", user="alice")
        await nothing_is_readable(place, *names, "key.lock", "users.lock")
        # Nothing was taken away, and the desk goes on writing.
        desk.say("login alice")
        desk.say("correct horse")
        await desk.event("logged-in", user="alice")
        answer = await command("desk", "verify-log", "--id", "4711", *files[2:])
        assert answer.code == 0, answer.story
        await nothing_is_readable(place, *names, "key.lock", "users.lock")


@row(SECRETS, LOCKS)
async def test_photos_and_receipts_are_for_their_user_alone(place):
    (place / "anna.jpg").write_bytes(os.urandom(3_000))
    (place / "anna.jpg").chmod(0o600)
    receive = ("moneydrop", "receive", "--name", "Anna", "--no-panel", "--json", "--photo", str(place / "anna.jpg"))
    places = ("--hci-listen", "127.0.0.1:0", "--bank-listen", "127.0.0.1:0", "--receipt", str(place / "anna.txt"))
    async with Process(*receive, *places) as anna:
        where = ("--controller", (await anna.event("listening"))["hci"], "--bank", (await anna.event("bank"))["url"])
        await anna.event("findable")
        files = ("--wallet", str(place / "ben"), "--receipt", str(place / "ben.svg"))
        paid = await command("moneydrop", "send", "--to", "Anna", "--amount", "1", "--name", "Ben", *files, *where, "--json")
        assert paid.code == 0, paid.story
        photo = Path(paid.one("photo", bytes=3_000)["file"])
        assert photo.parent == place / "ben.photos" and photo.read_bytes() == (place / "anna.jpg").read_bytes()
        await anna.event("receipt")
        await nothing_is_readable(place, "anna.txt", "ben.svg", "ben", "ben.lock", "ben.photos", photo.name)


@row(BONDS, CARRIED)
async def test_bonds_exports_damaged_files_and_out_of_band_data_are_for_their_user_alone(place):
    bonds, keys, own = place / "bonds", place / "keys", place / "own"
    async with KeyFob("--bonds", str(place / "of-the-fob")) as fob:
        paired = await command("pair", table.NAME, "--passkey", "0", "--bond", "--hci", fob.hci, "--bonds", str(bonds))
        assert paired.code == 0, paired.story
        exported = await command("bonds", "export", "--keys", "--output", str(keys), "--bonds", str(bonds))
        assert exported.code == 0 and "longTermKey" in keys.read_text(), exported.story
        # It is written before the device is looked for, which cannot use it.
        await command("pair", table.NAME, "--own-oob", str(own), "--hci", fob.hci, "--bonds", str(bonds))
        assert "random" in own.read_text()
        await nothing_is_readable(place, "bonds", "keys", "own", "of-the-fob")
    bonds.write_bytes(bonds.read_bytes()[:100] + b"\xa7" * 4_000)
    listed = await command("bonds", "list", "--bonds", str(bonds))
    assert "was moved to" in "".join(listed.errors), listed.story
    await nothing_is_readable(place, "bonds.damaged-1")


@row(FOLDER_OF_BONDS)
async def test_who_may_list_the_folder_of_bonds_can_keep_them_from_being_opened(place):
    """By a lock on the folder itself, which commands hold while they open such a file. In a folder for one user nobody can."""
    async with KeyFob("--bonds", str(place / "bonds")):
        pass
    listed = ("bonds", "list", "--bonds", str(place / "bonds"))
    async with another_runs(HOLD, place) as other:
        assert await line_of(other) == "held"
        answer = await command(*listed)
        assert answer.code == 1 and len(answer.errors) == 1 and str(place / "bonds") in answer.errors[0], answer.story
    assert (await command(*listed)).code in (0, 3)
    place.chmod(0o700)
    async with another_runs(HOLD, place) as other:
        assert await line_of(other) == ""
        assert (await command(*listed)).code in (0, 3)
    place.chmod(0o755)


HERE = "--no-panel --hci-listen 127.0.0.1:0"
DESK = f"desk --id 4711 --users {{}}/users --key {{}}/../own/key {HERE}"
# What is begun with a name in a folder for all, and which name another user has by then.
TAKEN = {
    "socket": ("keyfob --no-panel --hci-listen unix:{}/name", "name"),
    "line": ("keyfob --no-panel --hci-listen pty:{}/name", "name"),
    "attached line": (f"attach {HERE} --pty {{}}/name", "name"),
    "capture": (f"keyfob {HERE} --capture {{}}/name", "name"),
    "token": ("keyfob --hci-listen 127.0.0.1:0 --panel-listen 127.0.0.1:0 --panel-token-file {}/name", "name"),
    "bonds": (f"keyfob {HERE} --bonds {{}}/name", "name"),
    "what is beside bonds": (f"keyfob {HERE} --bonds {{}}/name", "name-journal"),
    "bonds that are made": ("pair Keyfobdemo --passkey 0 --bond --bonds {}/name --hci", "name.new"),
    "out-of-band data": ("pair Keyfobdemo --own-oob {}/name --hci", "name"),
    "wallet's lock": (f"moneydrop receive --name Anna {HERE} --bank-listen 127.0.0.1:0 --wallet {{}}/name", "name.lock"),
    "wallet that is made": (f"moneydrop receive --name Anna {HERE} --bank-listen 127.0.0.1:0 --wallet {{}}/name", "name.new"),
    "books": ("moneydrop bank --bank-listen 127.0.0.1:0 --books {}/name", "name"),
    "list of users": ("desk add-user alice --cost 10 --users {}/name", "name"),
    "lock of a list": ("desk add-user alice --cost 10 --users {}/name", "name.lock"),
    "log": (f"{DESK} --log {{}}/name", "name"),
    "head": (f"{DESK} --log {{}}/name", "name.head"),
}


@row(NAMES)
@pytest.mark.parametrize("kind", ["file", "link", "pipe"])
@pytest.mark.parametrize("what", TAKEN)
async def test_who_has_a_name_first_keeps_a_command_from_beginning_and_no_more(place, program, what, kind):
    """In such a folder nobody but root may take away what is another's: so this is done by a third user."""
    shared, own = place / "all", place / "own"
    own.mkdir(mode=0o700)
    shared.chmod(0o1777)
    make_users(shared / "users")
    for path in (own, *shared.iterdir()):
        os.chown(path, NOBODY - 1, NOBODY - 1)
    words, name = TAKEN[what]
    arguments = words.replace("{}", str(shared)).split()
    await as_another(MAKE, kind, shared / name)
    before = os.lstat(shared / name)
    async with AsyncExitStack() as stack:
        if arguments[-1] == "--hci":
            arguments.append((await stack.enter_async_context(KeyFob())).hci)
        answer = await asyncio.to_thread(
            subprocess.run, [program, *arguments],
            user=NOBODY - 1, group=NOBODY - 1, extra_groups=[], cwd="/", env={"HOME": str(own), "PATH": os.environ["PATH"]},
            input="correct horse\n", capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
    assert answer.returncode in (1, 2) and len(answer.stderr.splitlines()) == 1, answer
    assert str(shared / "name") in answer.stderr, answer
    after = os.lstat(shared / name)
    assert (after.st_ino, after.st_uid) == (before.st_ino, NOBODY)
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert not os.path.lexists(shared / f"{name}-elsewhere"), "a link of another user was followed"


@row(BESIDE)
async def test_a_journal_of_another_user_beside_open_books_changes_nothing_and_receives_nothing(place, program):
    shared, own = place / "all", place / "own"
    own.mkdir(mode=0o700)
    shared.chmod(0o1777)
    os.chown(own, NOBODY - 1, NOBODY - 1)
    books, journal = shared / "books", shared / "books-journal"
    words = ("moneydrop", "bank", "--bank-listen", "127.0.0.1:0", "--json", "--books", str(books))
    async with Theirs(program, own, *words, user=NOBODY - 1) as bank:
        url = (await bank.event("bank"))["url"]
        # Books of the other user, as a bank makes them.
        async with Theirs(program, shared, *words[:-1], str(shared / "theirs")) as other:
            await other.event("bank")
        await as_another(LAY, shared / "theirs", journal)
        laid, kept = journal.read_bytes(), books.read_bytes()
        assert len(laid) > 4_096
        receive = ("moneydrop", "receive", "--name", "Anna", "--bank", url, "--no-panel", "--hci-listen", "127.0.0.1:0")
        async with Process(*receive, "--wallet", str(place / "anna"), "--json") as anna:
            await anna.until(lambda: any(f"{journal} belongs to another user" in line for line in anna.errors), "that line")
            assert (journal.read_bytes(), books.read_bytes()) == (laid, kept)
            journal.unlink()
            # The phone has asked again and again.
            await anna.event("findable")
    assert books.read_bytes() != kept


@row(NAMES)
async def test_the_next_link_to_a_serial_line_has_no_name_that_another_user_could_have_first(place, program):
    shared = place / "all"
    shared.chmod(0o1777)
    path = shared / "hci"
    async with Theirs(program, shared, "keyfob", "--no-panel", "--json", "--hci-listen", f"pty:{path}", user=NOBODY - 1) as fob:
        await fob.event("listening")
        await as_another(MAKE, "file", f"{path}.{fob.process.pid}")
        for _ in range(3):
            await on(f"pty:{path}", reset)
            assert os.path.lexists(path)


@row(RESULTS)
async def test_results_are_as_the_umask_allows_and_go_through_nothing_of_others(place):
    study, shared = place / "study.yaml", place / "all"
    study.write_text(STUDY)
    for mask, seen in ((0o022, "read"), (0o077, "")):
        results = place / f"results-{mask:o}"
        umask = ["sh", "-c", f'umask {mask:o}; exec "$@"', "sh"]
        running = await asyncio.to_thread(
            subprocess.run, [*umask, binary(), "study", study, "--csv", results, "--svg", f"{results}.svg"], capture_output=True
        )
        assert running.returncode == 0, running
        for path in (results, f"{results}.svg"):
            assert await as_another(TRY, shared, path) == (f"{seen} {path}\nlock {path}" if seen else "")
    shared.chmod(0o1777)
    for kind, words in (("link", "it is a link of another user"), ("pipe", "it is a pipe of another user")):
        await as_another(MAKE, kind, shared / kind)
        answer = await command("study", str(study), "--csv", str(shared / kind))
        assert answer.code == 1 and len(answer.errors) == 1 and words in answer.errors[0], answer.story
        assert not os.path.lexists(shared / f"{kind}-elsewhere")


@row(KEPT)
async def test_a_kept_result_of_another_user_is_not_believed(place):
    study, kept = place / "study.yaml", place / "all" / "kept"
    study.write_text(STUDY)
    words = ("study", str(study), "--csv", "-", "--resume", str(kept))
    first = await command(*words)
    assert first.code == 0, first.story
    (file,) = kept.iterdir()
    kept.chmod(0o777)
    # Its bytes are sound; whose they are is not.
    again = "import os, sys\nwas = open(sys.argv[1]).read(); os.remove(sys.argv[1]); open(sys.argv[1], 'w').write(was)"
    await as_another(again, file)
    answer = await command(*words)
    assert answer.code == 1 and f"{file} is another user's: remove it, and it is computed again" in answer.errors[0], answer.story


@row(READ_ONLY)
async def test_what_another_user_gives_to_be_read_is_read_as_far_as_such_a_file_goes(place):
    shared = place / "all"
    write = "import sys\nopen(sys.argv[1], 'w').write(sys.argv[2])"
    await as_another(write, shared / "study.yaml", STUDY)
    await as_another(write, shared / "script", "@1 q\n")
    assert (await command("study", str(shared / "study.yaml"), "--csv", "-")).code == 0
    assert (await command("keyfob", "--fast", "--for", "1", "--script", str(shared / "script"))).code == 0
    fill = "import sys\nopen(sys.argv[1], 'w').write('# ' * 600_000)"
    for name in ("study.yaml", "script"):
        await as_another(fill, shared / name)
    await as_another("import sys\nopen(sys.argv[1], 'w').truncate(300 << 20)", shared / "photo")
    for words in (
        ("study", str(shared / "study.yaml")),
        ("keyfob", "--fast", "--for", "1", "--script", str(shared / "script")),
        ("moneydrop", "receive", "--name", "Anna", "--no-panel", "--photo", str(shared / "photo")),
    ):
        answer = await command(*words)
        assert answer.code in (1, 2) and len(answer.errors) == 1 and "longer than" in answer.errors[0], answer.story


@row(OUTPUT)
async def test_output_in_a_file_for_all_has_the_panels_token_for_all(place):
    """Which the page warns of: where output goes is the shell's affair."""
    log = place / "log"
    words = ("keyfob", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    with log.open("w") as file:
        fob = await asyncio.create_subprocess_exec(
            binary(), *words, stdin=asyncio.subprocess.PIPE, stdout=file, stderr=subprocess.STDOUT
        )
    try:
        found = await until(lambda: address_in(log), "the panel's address")
        panel = Panel(found)
        read = "import sys\nprint(open(sys.argv[1]).read())"
        log.chmod(0o644)
        assert panel.token in await as_another(read, log)
        heard = bytes.fromhex(await say(panel.port, panel.request("GET", "/api/world")))
        assert heard.startswith(b"HTTP/1.1 200 ")
        log.chmod(0o600)
        await nothing_works(place, log)
    finally:
        fob.kill()
        await fob.communicate()


async def address_in(log):
    found = re.search(r"http://\S+\?token=\S+", log.read_text())
    return found and found[0]
