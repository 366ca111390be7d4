"""The recipes for containers, as far as they can be followed without an engine: what they copy is there, what they run is
what other tests run, and what the image would start starts."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import urllib.request
from pathlib import Path

import pytest
from bluethroat import PATIENCE, ROOT, binary

RECIPES = ["Containerfile", "Examples/HeartRateApp/Containerfile"]
# The image with Swift, whose version is that of the workflows on docs/ci.md.
SWIFT = "docker.io/library/swift:6.3-noble"
BUILD = Path(binary()).resolve().parent


def instructions(text):
    """The instructions of a recipe, each a word and what follows; those that go on in a next line are one."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for line in re.sub(r"\\\n\s*", "", lines).splitlines():
        if line.strip():
            word, _, rest = line.partition(" ")
            yield word, rest.strip()


def stages(recipe):
    """The stages of a recipe: the image that each begins with, its name, and its instructions."""
    found = []
    for word, rest in instructions((ROOT / recipe).read_text(encoding="utf-8")):
        if word == "FROM":
            image, _, name = rest.partition(" AS ")
            found.append((image, name, []))
        else:
            found[-1][2].append((word, rest))
    return found


def one(steps, word):
    (rest,) = [rest for name, rest in steps if name == word]
    return rest


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_has_instructions_that_there_are_and_begins_with_swifts_image(recipe):
    known = {"RUN", "COPY", "WORKDIR", "USER", "EXPOSE", "ENTRYPOINT", "CMD"}
    for _, _, steps in stages(recipe):
        assert {word for word, _ in steps} <= known
    assert stages(recipe)[0][0] == SWIFT
    assert SWIFT.rpartition("/")[2] in (ROOT / "docs/ci.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_a_recipe_installs_in_swifts_image_is_what_the_build_asks_for(recipe):
    """Swift's image has neither header; make would install it itself, and a package of an app cannot."""
    runs = " ".join(rest for word, rest in stages(recipe)[0][2] if word == "RUN")
    needed = "libssl-dev" if "HeartRateApp" in recipe else "libsqlite3-dev"
    assert f" {needed}" in runs
    assert needed in (ROOT / "Scripts/setup-build-tools").read_text(encoding="utf-8")
    # `apt-get install` without the lists of packages finds none in an image.
    assert all("apt-get update && apt-get install --yes" in rest for rest in runs.split("RUN") if "apt-get install" in rest)


def test_the_tree_goes_into_the_container_without_what_was_built_here():
    ignored = (ROOT / ".containerignore").read_text().split()
    assert {".build*", ".tools", "**/.build"} <= set(ignored)
    # The commit is written into the program.
    assert ".git" not in ignored


def test_the_tests_of_an_app_are_built_and_run_where_its_package_is():
    ((_, _, steps),) = stages("Examples/HeartRateApp/Containerfile")
    top = one(steps, "COPY").split()[1]
    folder = ROOT / Path(one(steps, "WORKDIR")).relative_to(top)
    assert (folder / "Package.swift").is_file()
    # The package finds this one from there.
    assert (folder / re.search(r'path: "([^"]+)"', (folder / "Package.swift").read_text())[1]).resolve() == ROOT
    assert "swift build --build-tests" in [rest for word, rest in steps if word == "RUN"]
    assert json.loads(one(steps, "CMD")) == ["swift", "test", "--skip-build"]


def test_the_command_of_the_first_stage_is_one_that_make_takes():
    _, _, steps = stages("Containerfile")[0]
    (line,) = [rest for word, rest in steps if word == "RUN" and rest.startswith("make ")]
    words = shlex.split(line.replace("-C /source", f"-C {shlex.quote(str(ROOT))}"))
    run = subprocess.run([words[0], "-n", *words[1:]], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert '--prefix "/usr/local" --destdir "/installed"' in run.stdout


def test_the_image_knows_whom_to_trust_where_a_bank_is_on_another_machine():
    """`moneydrop --bank https://…` asks for a certificate that somebody vouches for; Ubuntu's image has none of these."""
    assert "import NIOSSL" in (ROOT / "Sources/Live/HTTPAsking/ServerTrust.swift").read_text(encoding="utf-8")
    assert " ca-certificates " in one(stages("Containerfile")[1][2], "RUN")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user: run these tests as root")
def test_what_the_image_would_start_starts_as_its_user():
    if not (BUILD / "bluethroat_BluethroatControlPanel.resources").is_dir():
        pytest.skip(f"{BUILD} is no folder of a build")
    (_, name, _), (_, _, steps) = stages("Containerfile")
    installed = Path(tempfile.mkdtemp(prefix="bluethroat-installed-"))
    image = Path(tempfile.mkdtemp(prefix="bluethroat-image-"))
    try:
        for folder in (installed, image):
            folder.chmod(0o755)
        # The first stage, with the build that is here.
        done = subprocess.run(
            [ROOT / "Scripts/install", "--from", BUILD, "--prefix", "/usr/local", "--destdir", installed], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        # The second.
        _, source, target = re.fullmatch(rf"(--from={name}) /installed(\S+) (\S+)", one(steps, "COPY")).groups()
        shutil.copytree(installed / source[1:], image / target[1:], symlinks=True)
        (entry,) = json.loads(one(steps, "ENTRYPOINT"))
        arguments = json.loads(one(steps, "CMD"))
        user, group = map(int, one(steps, "USER").split(":"))
        ports = [argument.rpartition(":")[2] for argument in arguments if argument.startswith("0.0.0.0:")]
        assert sorted(ports) == sorted(one(steps, "EXPOSE").split())
        # The ports of this machine may be taken.
        arguments = [re.sub(r"^0\.0\.0\.0:\d+$", "0.0.0.0:0", argument) for argument in arguments]
        with subprocess.Popen(
            [str(image) + entry, *arguments, "--json"],
            env={"PATH": "/usr/bin:/bin"}, cwd="/", user=user, group=group, extra_groups=[],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            try:
                events = {}
                for line in process.stdout:
                    event = json.loads(line)
                    events[event["event"]] = event
                    if {"listening", "panel"} <= set(events):
                        break
                assert events["listening"]["hci"].startswith("tcp:0.0.0.0:"), events
                # An address that can be opened.
                with urllib.request.urlopen(events["panel"]["url"], timeout=PATIENCE) as answer:
                    assert "<html" in answer.read().decode()
            finally:
                process.terminate()
            process.stdout.read()
            assert process.wait(PATIENCE) == 0
    finally:
        shutil.rmtree(installed)
        shutil.rmtree(image)
