"""Linux as a host: Debian's kernel and BlueZ in QEMU, by software emulation, attached in the ways docs/hosts.md shows.

    make test-linux-host

One guest is booted; it runs the files of `recipes` one after the other, and each is a test here. Everything in the guest
but the command under test comes from Debian's packages, which are kept in .tools/linux-host.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from bluethroat import ROOT, binary

HERE = Path(__file__).resolve().parent
CACHE = ROOT / ".tools" / "linux-host"
RECIPES = sorted(path.stem for path in (HERE / "recipes").glob("*.sh"))
PACKAGES = ["linux-image-amd64", "bluez", "dbus", "busybox-static"]
# What packages depend on only to be installed, and documents.
LEFT_OUT = ("perl", "libperl", "initramfs-tools", "debconf", "usrmerge", "dpkg_", "passwd", "adduser", "klibc", "libklibc")
UNREAD = ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/i18n", "usr/lib/x86_64-linux-gnu/gconv", "boot")
# Software emulation takes its time.
PATIENCE = 3600


def run(*command, **how):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **how)


def packages():
    """Debian's packages with all that they need, as files, in a folder of ours: nothing is installed."""
    archives = CACHE / "archives"
    (archives / "partial").mkdir(parents=True, exist_ok=True)
    (CACHE / "status").touch()
    # As if nothing were installed: so all dependencies come, and no privilege is needed.
    run(
        *("apt-get", "install", "--yes", "--no-install-recommends", "--download-only"),
        *("-o", f"Dir::State::status={CACHE}/status", "-o", f"Dir::Cache::archives={archives}", "-o", "Debug::NoLocking=1"),
        *("-o", "APT::Sandbox::User=", *PACKAGES),
    )
    return [file for file in sorted(archives.glob("*.deb")) if not file.name.startswith(LEFT_OUT)]


def linked_libraries(program):
    """The files that the dynamic linker finds for a program, and the linker."""
    words = [line.split() for line in run("ldd", program).stdout.splitlines()]
    return [Path(word) for line in words for word in line if word.startswith("/")]


def build_guest(folder):
    """The guest's kernel, and a file with its whole file system."""
    root = folder / "root"
    for file in packages():
        run("dpkg-deb", "--extract", file, root)
    kernel = next((root / "boot").glob("vmlinuz-*"))
    release = kernel.name.removeprefix("vmlinuz-")
    shutil.copy(kernel, folder / "kernel")
    for path in UNREAD:
        shutil.rmtree(root / path, ignore_errors=True)
    # Of the kernel's drivers only what Bluetooth needs: the rest would fill the guest's memory.
    modules = root / "lib/modules" / release
    for part in ("sound", "fs", "arch"):
        shutil.rmtree(modules / "kernel" / part, ignore_errors=True)
    for part in (modules / "kernel/drivers").iterdir():
        if part.name not in ("bluetooth", "hid", "char", "virtio", "tty"):
            shutil.rmtree(part)
    for part in (modules / "kernel/net").iterdir():
        if part.name not in ("bluetooth", "rfkill"):
            shutil.rmtree(part)
    busybox = root / "bin/busybox"
    run(busybox, "depmod", "-b", root, release)

    # The command with its own libraries and its own linker: the guest's may be others.
    here = root / "opt/bluethroat"
    (here / "lib").mkdir(parents=True)
    shutil.copy(binary(), here / "program")
    if strip := shutil.which("strip"):
        run(strip, "--strip-debug", here / "program")
    for library in linked_libraries(binary()):
        shutil.copy(library, here / "lib" / library.name)
    (here / "bluethroat").write_text(
        "#!/bin/busybox sh\nexec /opt/bluethroat/lib/ld-linux-x86-64.so.2 --library-path /opt/bluethroat/lib "
        '/opt/bluethroat/program "$@"\n'
    )
    (here / "bluethroat").chmod(0o755)

    (root / "opt/busybox").mkdir()
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\nmessagebus:x:100:100::/:/bin/false\n")
    (root / "etc/group").write_text("root:x:0:\ntty:x:5:\nbluetooth:x:101:\nmessagebus:x:100:\n")
    (root / "bin/sh").unlink(missing_ok=True)
    (root / "bin/sh").symlink_to("busybox")
    for name in ("root", "dev", "proc", "sys", "tmp", "run"):
        (root / name).mkdir(exist_ok=True)
    shutil.copytree(HERE / "recipes", root / "recipes")
    shutil.copy(HERE / "helpers.sh", root / "helpers.sh")
    shutil.copy(HERE / "init", root / "init")
    (root / "init").chmod(0o755)
    names = "\n".join(sorted(str(path.relative_to(root)) for path in root.rglob("*")))
    with open(folder / "files.cpio", "wb") as archive:
        pack = subprocess.Popen(
            [busybox, "cpio", "-o", "-H", "newc"], cwd=root, stdin=subprocess.PIPE, stdout=archive, stderr=subprocess.DEVNULL
        )
        pack.communicate(names.encode())
    assert pack.returncode == 0, "the guest's files cannot be packed"
    return folder / "kernel", folder / "files.cpio"


@pytest.fixture(scope="module")
def console(tmp_path_factory):
    """What the guest has written to its console, from boot to power-off."""
    for tool in ("qemu-system-x86_64", "apt-get", "dpkg-deb", "ldd"):
        if not shutil.which(tool):
            pytest.fail(f"no {tool}: this test is for Debian and its kin, with the package qemu-system-x86")
    folder = tmp_path_factory.mktemp("guest")
    kernel, files = build_guest(folder)
    log = folder / "console.log"
    machine = ["-machine", "pc", "-accel", "tcg", "-cpu", "max", "-smp", "2", "-m", "3072", "-nic", "none", "-no-reboot"]
    screen = ["-display", "none", "-monitor", "none", "-serial", f"file:{log}"]
    boot = ["-kernel", kernel, "-initrd", files, "-append", "console=ttyS0 quiet panic=-1 rdinit=/init"]
    try:
        subprocess.run(["qemu-system-x86_64", *machine, *screen, *boot], check=True, timeout=PATIENCE)
    finally:
        text = log.read_text(errors="replace") if log.exists() else ""
        if keep := os.environ.get("BLUETHROAT_GUEST_LOG"):
            Path(keep).write_text(text)
        shutil.rmtree(folder)
    assert "guest: done" in text, text[-20_000:]
    return text


@pytest.mark.parametrize("recipe", RECIPES)
def test_linux(console, recipe):
    part = console.split(f"recipe {recipe}\n" if f"recipe {recipe}\n" in console else f"recipe {recipe}\r\n", 1)[-1]
    part = part.split("recipe ", 1)[0]
    print(part)
    assert f"result {recipe} passed" in part
