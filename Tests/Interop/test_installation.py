"""What `make install` makes of a build: it runs from anywhere, for any user, without the checkout and the toolchain."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.request
from pathlib import Path

import pytest
from bluethroat import PATIENCE, ROOT, binary

NOBODY = 65534
BUILD = Path(binary()).resolve().parent
PAGES = "bluethroat_BluethroatControlPanel.resources"
VERSION = re.search(r'number = "(.*)"', (ROOT / "Sources/Tools/Version/Version.swift").read_text())[1]

is_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user: run these tests as root")


def install(*arguments, **how):
    return subprocess.run([ROOT / "Scripts/install", *arguments], capture_output=True, text=True, **how)


@pytest.fixture(scope="module")
def prefix():
    """An installation that everybody may read. The debug build, since that is there."""
    if not (BUILD / PAGES).is_dir():
        pytest.skip(f"{BUILD} is no folder of a build")
    path = Path(tempfile.mkdtemp(prefix="bluethroat-prefix-"))
    path.chmod(0o755)
    # The mask of a careful user must not keep others out.
    run = install("--from", BUILD, "--prefix", path, umask=0o077)
    assert run.returncode == 0, run.stderr
    yield path
    shutil.rmtree(path)


def hidden():
    """The folders that an installed command must not need: the checkout, the build, and Swift's libraries."""
    swift = re.search(r"libswiftCore\.so => (\S+)/libswiftCore\.so", subprocess.check_output(["ldd", binary()], text=True))
    return [str(ROOT), str(BUILD), *([swift[1]] if swift else [])]


def as_nobody(*command):
    """A command as a user who can write nowhere, with those folders covered by empty ones."""
    cover = (
        'mount --make-rprivate / && while [ "$1" != -- ]; do [ ! -d "$1" ] || mount -t tmpfs none "$1" || exit 9; shift; done; '
        "shift; cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\""
    )
    return ["unshare", "--mount", "sh", "-c", cover, "sh", *hidden(), "--", *map(str, command)]


def environment(prefix):
    return {"PATH": f"{prefix}/bin:/usr/bin:/bin", "HOME": "/nonexistent", "MANPATH": f"{prefix}/share/man", "LC_ALL": "C.UTF-8"}


@is_root
def test_version_says_version_and_commit_to_any_user_without_the_checkout_and_the_toolchain(prefix):
    run = subprocess.run(as_nobody("bluethroat", "--version"), env=environment(prefix), capture_output=True, text=True)
    if run.returncode == 9 or "unshare" in run.stderr:
        pytest.skip(f"this system does not let folders be covered: {run.stderr.strip()}")
    assert (run.returncode, run.stderr) == (0, "")
    assert re.fullmatch(rf"bluethroat {VERSION} \((commit [0-9a-f]{{12}}|not built in a repository)\)\n", run.stdout)


@is_root
def test_the_panel_of_an_installed_command_has_its_pages(prefix):
    command = as_nobody("bluethroat", "keyfob", "--json", "--seed", "1", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    with subprocess.Popen(command, env=environment(prefix), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        try:
            panel = next((event for event in map(json.loads, process.stdout) if event["event"] == "panel"), None)
            assert panel, "the command has ended without a panel"
            installed = {file.name for file in (prefix / "lib/bluethroat" / PAGES / "Pages").rglob("*.js")}
            assert installed
            with urllib.request.urlopen(panel["url"], timeout=PATIENCE) as answer:
                page = answer.read().decode()
            assert "<html" in page and any(name in page for name in installed)
        finally:
            process.terminate()
        assert process.wait(PATIENCE) == 0


def test_the_command_is_found_behind_links_to_it(prefix, tmp_path):
    (tmp_path / "bt").symlink_to(prefix / "bin/bluethroat")
    run = subprocess.run([tmp_path / "bt", "--version"], cwd="/", capture_output=True, text=True)
    assert run.stdout.startswith(f"bluethroat {VERSION} ")


def test_there_is_a_page_for_each_command_and_man_shows_it(prefix):
    pages = {file.stem for file in (prefix / "share/man/man1").iterdir()}
    helped = subprocess.check_output([prefix / "bin/bluethroat", "--help"], text=True)
    commands = re.findall(r"^  ([a-z0-9]+)  ", helped[helped.index("SUBCOMMANDS") :], re.M)
    assert len(commands) > 10 and {f"bluethroat-{name}" for name in commands} <= pages
    assert {"bluethroat", "bluethroat-moneydrop-send", "bluethroat-desk-add-user"} <= pages
    for reader in (["man", "-P", "cat"], ["mandoc", "-Tutf8"], ["groff", "-man", "-Tutf8"]):
        if shutil.which(reader[0]):
            break
    else:
        pytest.skip("there is neither man nor mandoc nor groff")
    for name, words in (("bluethroat", ["bluethroat-keyfob"]), ("bluethroat-keyfob", ["--hci-listen", "host:port", "WHICH FOB"])):
        page = name if reader[0] == "man" else str(prefix / f"share/man/man1/{name}.1")
        as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        shown = subprocess.run(
            [*reader, page], env=environment(prefix) | {"MANWIDTH": "100", "MANROFFOPT": "-c"}, cwd="/", capture_output=True, text=True, **as_user
        )
        assert shown.returncode == 0, shown.stderr
        # Bold by overstriking, and hyphens of their own.
        text = re.sub(r".\x08", "", shown.stdout).replace("\u2010", "-").replace("\u2212", "-")
        assert [word for word in words if word not in text] == []
        # As in the help, where it can be typed.
        example = subprocess.check_output([prefix / "bin/bluethroat", *name.split("-")[1:], "--help"], text=True).splitlines()[-1]
        assert re.fullmatch(r"  bluethroat .+", example) and example.strip() in text


def test_the_pages_are_such_that_groff_warns_of_nothing(prefix):
    if not shutil.which("groff"):
        pytest.skip("there is no groff")
    pages = sorted((prefix / "share/man/man1").iterdir())
    run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", *pages], capture_output=True, text=True)
    # Lines that cannot be filled to the margin are no fault of a page.
    assert [line for line in run.stderr.splitlines() if "cannot adjust" not in line and "can't break" not in line] == []


def completed(prefix, line):
    """What bash offers at the end of a line."""
    script = (
        f"source {prefix}/share/bash-completion/completions/bluethroat; read -ra COMP_WORDS <<<\"$1\"; "
        "[[ $1 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); COMP_LINE=$1; COMP_POINT=${#1}; "
        "function_name=$(complete -p bluethroat | sed 's/.*-F \\([^ ]*\\) .*/\\1/'); "
        '"$function_name" bluethroat "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    run = subprocess.run(["bash", "-c", script, "bash", line], env=environment(prefix), cwd="/", capture_output=True, text=True)
    return set(run.stdout.split())


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes_commands_and_options(prefix):
    assert "keyfob" in completed(prefix, "bluethroat key")
    assert {"receive", "send", "bank", "demo"} <= completed(prefix, "bluethroat moneydrop ")
    assert "--hci-listen" in completed(prefix, "bluethroat keyfob --hci")


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes_the_files_and_folders_that_options_name(prefix, tmp_path):
    (tmp_path / "city.yaml").touch()
    (tmp_path / "cities").mkdir()
    file, folder = str(tmp_path / "city.yaml"), str(tmp_path / "cities")
    for words in ["study", "desk add-user --users", "keyfob --script", "moneydrop receive --receipt", "scan --capture"]:
        assert file in completed(prefix, f"bluethroat {words} {tmp_path}/cit"), words
    assert completed(prefix, f"bluethroat study {file} --resume {tmp_path}/cit") == {folder}


@pytest.mark.parametrize(("shell", "place"), [("zsh", "zsh/site-functions/_bluethroat"), ("fish", "fish/vendor_completions.d/bluethroat.fish")])
def test_completions_of_other_shells_are_where_these_look(prefix, shell, place):
    text = (prefix / "share" / place).read_text()
    assert "keyfob" in text and "hci-listen" in text and (shell != "zsh" or text.startswith("#compdef bluethroat"))
    if shutil.which(shell):
        assert subprocess.run([shell, "-n", prefix / "share" / place], capture_output=True).returncode == 0


def test_everybody_may_read_what_is_installed_and_nobody_else_may_write_it(prefix):
    for path in [prefix, *prefix.rglob("*")]:
        mode = path.lstat().st_mode & 0o777
        if not path.is_symlink():
            assert mode in ((0o755,) if path.is_dir() else (0o644, 0o755)), f"{path}: {mode:o}"


def small_build(folder):
    """A build whose program says what the installation asks it."""
    (folder / PAGES / "Pages").mkdir(parents=True)
    (folder / PAGES / "Pages/index.html").write_text("<html>")
    program = folder / "bluethroat"
    program.write_text(
        "#!/bin/sh\ncase $1 in --version) echo bluethroat 9.9.9;; --generate-completion-script) echo complete $2;; "
        '*) echo \'{"command":{"commandName":"bluethroat","abstract":"A bird.","shouldDisplay":true}}\';; esac\n'
    )
    program.chmod(0o755)
    return folder


def test_swifts_libraries_come_along_from_a_toolchain_that_the_program_does_not_look_into(tmp_path):
    """As the release build of `make install` is linked: its libraries are found beside it, and it runs before they are there."""
    clang = Path(shutil.which("swift")).resolve().parent / "clang"
    toolchain, build, prefix = tmp_path / "swift/linux", small_build(tmp_path / "build"), tmp_path / "prefix"
    toolchain.mkdir(parents=True)
    (tmp_path / "sample.c").write_text("int sample(void) { return 0; }\n")
    (tmp_path / "program.c").write_text(
        "#include <stdio.h>\n#include <string.h>\nint sample(void);\n"
        'int main(int count, char **words) { return puts(count > 1 && strstr(words[1], "help") ? '
        '"{\\"command\\":{\\"commandName\\":\\"bluethroat\\",\\"abstract\\":\\"A bird.\\",\\"shouldDisplay\\":true}}" : '
        '"bluethroat 9.9.9") < 0 || sample(); }\n'
    )
    library, program = toolchain / "libswiftSample.so", build / "bluethroat"
    # Found by its name, as Swift's are.
    subprocess.run([clang, "-shared", "-fPIC", f"-Wl,-soname,{library.name}", tmp_path / "sample.c", "-o", library], check=True)
    subprocess.run([clang, tmp_path / "program.c", library, "-Wl,-rpath,$ORIGIN", "-o", program], check=True)
    run = install("--from", build, "--prefix", prefix)
    assert run.returncode == 1 and "libswiftSample.so, which the system does not have" in run.stderr
    swift = tmp_path / "bin/swift"
    swift.parent.mkdir()
    swift.write_text(f'#!/bin/sh\necho \'{{"paths":{{"runtimeLibraryPaths":["{toolchain}"]}}}}\'\n')
    swift.chmod(0o755)
    run = install("--from", build, "--prefix", prefix, env={**os.environ, "PATH": f"{swift.parent}:{os.environ['PATH']}"})
    assert run.returncode == 0, run.stderr
    assert (prefix / "lib/bluethroat/libswiftSample.so").read_bytes() == library.read_bytes()
    assert subprocess.check_output([prefix / "bin/bluethroat", "--version"], text=True) == "bluethroat 9.9.9\n"


def test_a_new_installation_replaces_the_old_one_and_removes_what_is_not_there_any_more(tmp_path):
    build, prefix = small_build(tmp_path / "build"), tmp_path / "prefix"
    (build / PAGES / "Pages/old.js").write_text("old")
    assert install("--from", build, "--prefix", prefix).returncode == 0
    place = prefix / "lib/bluethroat" / PAGES / "Pages"
    assert (place / "old.js").exists()
    (build / PAGES / "Pages/old.js").unlink()
    (build / PAGES / "Pages/index.html").write_text("<html>new")
    assert install("--from", build, "--prefix", prefix).returncode == 0
    assert [(file.name, file.read_text()) for file in place.iterdir()] == [("index.html", "<html>new")]


def test_uninstall_removes_what_was_installed_and_nothing_else(tmp_path):
    build, prefix = small_build(tmp_path / "build"), tmp_path / "prefix"
    other = prefix / "share/man/man1/other.1"
    other.parent.mkdir(parents=True)
    other.write_text("somebody else's")
    assert install("--from", build, "--prefix", prefix).returncode == 0
    assert (prefix / "bin/bluethroat").is_symlink()
    assert install("--uninstall", "--prefix", prefix).returncode == 0
    assert [path for path in prefix.rglob("*") if not path.is_dir()] == [other]
    assert not list(prefix.rglob("*bluethroat*"))
    run = install("--uninstall", "--prefix", prefix)
    assert run.returncode == 1 and run.stderr == f"install: there is no bluethroat below {prefix}; say where it is by PREFIX=…\n"


def test_a_package_is_put_together_below_another_folder(tmp_path):
    build = small_build(tmp_path / "build")
    assert install("--from", build, "--prefix", "/usr", "--destdir", tmp_path / "package").returncode == 0
    assert (tmp_path / "package/usr/lib/bluethroat/bluethroat").exists()
    assert os.readlink(tmp_path / "package/usr/bin/bluethroat") == "../lib/bluethroat/bluethroat"


def test_a_list_that_names_files_elsewhere_removes_none(tmp_path):
    build, prefix = small_build(tmp_path / "build"), tmp_path / "prefix"
    precious = tmp_path / "precious"
    precious.write_text("mine")
    assert install("--from", build, "--prefix", prefix).returncode == 0
    (prefix / "lib/bluethroat/installed-files").write_text("../precious\n")
    run = install("--uninstall", "--prefix", prefix)
    assert run.returncode == 1 and "is not below" in run.stderr and precious.exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--from", "BUILD", "--prefix", "here"], "PREFIX has to be an absolute path, and here is none"),
        (["--from", "/nonexistent", "--prefix", "/tmp/x"], "there is no build of bluethroat in /nonexistent"),
    ],
)
def test_what_cannot_be_installed_is_one_line(tmp_path, arguments, complaint):
    arguments = [small_build(tmp_path / "build") if word == "BUILD" else word for word in arguments]
    run = install(*arguments)
    assert run.returncode == 1 and complaint in run.stderr and run.stderr.count("\n") == 1


@is_root
def test_where_nothing_may_be_written_one_line_says_so(tmp_path):
    build = small_build(Path(tempfile.mkdtemp(prefix="bluethroat-build-")))
    try:
        for path in [build, *build.rglob("*")]:
            path.chmod(0o755)
        script = build / "install"
        shutil.copy(ROOT / "Scripts/install", script)
        run = subprocess.run(
            ["python3", script, "--from", build, "--prefix", "/usr/local"],
            user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", capture_output=True, text=True,
        )  # fmt: skip
        assert run.returncode == 1
        assert run.stderr == (
            "install: /usr/local/lib/bluethroat: Permission denied; choose another PREFIX, or become a user who may write there\n"
        )
    finally:
        shutil.rmtree(build)


def test_the_container_has_the_libraries_that_the_installed_program_needs(prefix):
    if not shutil.which("readelf"):
        pytest.skip("there is no readelf")
    own = [prefix / "lib/bluethroat/bluethroat", *(prefix / "lib/bluethroat").glob("*.so*")]
    needed = set()
    for file in own:
        needed |= set(re.findall(r"\(NEEDED\).*\[(.*)\]", subprocess.check_output(["readelf", "-d", file], text=True)))
    # What every Debian or Ubuntu has.
    base = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1", "libz.so.1"}
    packages = {"libsqlite3.so.0": "libsqlite3-0", "libstdc++.so.6": "libstdc++6"}
    recipe = (ROOT / "Containerfile").read_text().rpartition("\nFROM ")[2]
    for name in sorted(needed - base - {file.name for file in own}):
        assert name in packages and f" {packages[name]} " in recipe, f"{name} is not in the container"
