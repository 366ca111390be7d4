"""Packages of other people, with the manifest lines of our pages: what they resolve, what they compile, and that their own
modules may be called as ours are. Nothing is built here; `make test-examples` builds and runs such packages."""

import functools
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_script():
    loader = importlib.machinery.SourceFileLoader("count_modules", str(ROOT / "Scripts/count-modules"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("count_modules", loader))
    loader.exec_module(module)
    return module


count_modules = load_script()
# Checkouts of other people's packages are kept here from one run to the next.
SCRATCH = ROOT / count_modules.SCRATCH
ADDRESS = 'url: "https://…/bluethroat", branch: "main"'
PAGES = ["README.md", "docs/libraries.md", "docs/moneydrop.md", "docs/testing-apps.md"]


def run(*command, **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BLUETHROAT_")}
    return subprocess.run(command, capture_output=True, text=True, env=kept | environment)


def package(folder, scratch, *arguments, **environment):
    """What `swift package` says of the package in a folder."""
    return run("swift", "package", "--package-path", folder, "--scratch-path", scratch, *arguments, **environment)


@functools.cache
def manifest_of(folder, **environment):
    """What SwiftPM makes of one manifest, without those that it depends on."""
    # Only one at a time has a scratch folder, and this one needs nothing that is in it.
    with tempfile.TemporaryDirectory() as scratch:
        done = package(folder, scratch, "dump-package", **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
def pins(tmp_path_factory):
    """Versions that were resolved in this run, by traits: nobody needs to look for them twice."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "pins"
    folder.mkdir(exist_ok=True)
    return folder


def load(folder, pins, **environment):
    """All packages and their modules are loaded."""
    given = re.search(r"traits: \[(.*?)\]", (folder / "Package.swift").read_text())[1]
    name = re.sub(r"\W+", "-", f"graphs {given}").strip("-")
    kept, own = pins / name, folder / "Package.resolved"
    # The versions with which this tree was built are good enough: nothing is looked for over the network. What a package
    # does not need SwiftPM takes out of the file.
    for versions in (kept, ROOT / "Package.resolved"):
        if versions.exists():
            shutil.copy(versions, own)
            break
    done = package(folder, SCRATCH / name, "show-dependencies", "--format", "json", **environment)
    if done.returncode == 0 and not kept.exists():
        partial = kept.with_suffix(f".{os.getpid()}")
        shutil.copy(own, partial)
        partial.rename(kept)
    return done


def graph(folder, pins, **environment):
    """The packages that there are, by their names."""
    done = load(folder, pins, **environment)
    assert done.returncode == 0, done.stderr
    found, wanted = {}, [json.loads(done.stdout)]
    while wanted:
        one = wanted.pop()
        found[one["identity"]] = one
        wanted += one["dependencies"]
    return found


def manifests(page):
    """The manifests of a page as text: whole ones, and lines that belong into one."""
    for block in re.findall(r"^```swift\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S):
        if ".package(" not in block:
            continue
        if not block.startswith("// swift-tools-version"):
            lines = "".join("    " + line for line in block.splitlines(keepends=True))
            block = f'// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n    name: "Outside",\n{lines})\n'
        yield block


STARTS = [(page, number, text) for page in PAGES for number, text in enumerate(manifests(page))]
ids = [f"{page} {number}" for page, number, _ in STARTS]


def outside(folder, manifest):
    """A package with this manifest, with nothing in its targets. Its dependency is this tree, in place of an address."""
    assert manifest.count(ADDRESS) == 1, "the address is written in another way"
    (folder / "bluethroat").symlink_to(ROOT)
    (folder / "Package.swift").write_text(manifest.replace(ADDRESS, 'path: "bluethroat"'))
    for kind, name in re.findall(r'\.(target|executableTarget|testTarget)\(\s*name: "([^"]+)"', manifest):
        source = folder / ("Tests" if kind == "testTarget" else "Sources") / name / "Empty.swift"
        source.parent.mkdir(parents=True)
        source.write_text("")
    return folder


def traits(folder):
    """The traits with which a package depends on us, and the products of ours that it uses."""
    dumped = manifest_of(folder)
    (dependency,) = (kind[0] for one in dumped["dependencies"] for kind in one.values())
    used = {
        need["product"][0] for target in dumped["targets"] for need in target["dependencies"] if "product" in need
    }
    return {one["name"] for one in dependency["traits"]}, used


def enabled(given):
    """The traits that are on where these are asked for."""
    return given | ({"Ports", "SwiftCrypto"} if "HTTP" in given else set())


def test_there_is_a_start_for_each_reader():
    assert [page for page, _, _ in STARTS].count("README.md") == 3
    assert {page for page, _, _ in STARTS} == set(PAGES)


@pytest.mark.parametrize(("page", "number", "manifest"), STARTS, ids=ids)
def test_the_lines_of_a_page_are_a_package(tmp_path, pins, page, number, manifest):
    packages = graph(outside(tmp_path, manifest), pins)
    wanted, _ = traits(tmp_path)
    assert set(packages["bluethroat"]["traits"]) == enabled(wanted)
    resolved = set(count_modules.resolved(tmp_path))
    assert "swift-argument-parser" not in resolved
    assert ("swift-nio" in resolved) == ("Ports" in enabled(wanted))
    assert ("grdb.swift" in resolved) == ("Database" in wanted)
    assert ("swift-crypto" in resolved) == ("SwiftCrypto" in enabled(wanted))
    assert resolved <= set(packages)


@pytest.mark.parametrize(("page", "number", "manifest"), STARTS, ids=ids)
def test_an_example_that_is_built_and_run_has_the_lines_of_a_page(tmp_path, page, number, manifest):
    wanted, used = traits(outside(tmp_path, manifest))
    examples = [traits(folder.parent) for folder in ROOT.glob("Examples/*/Package.swift")]
    assert any(wanted == theirs and used <= products for theirs, products in examples)


def test_an_example_imports_what_it_depends_on():
    """SwiftPM lets a target import what others have brought; whoever is strict about that finds a product for each."""
    products = {product["name"]: product["targets"] for product in manifest_of(ROOT)["products"]}
    for manifest in ROOT.glob("Examples/*/Package.swift"):
        targets = {one["name"]: one for one in manifest_of(manifest.parent)["targets"]}
        for target in targets.values():
            own = [targets[need["byName"][0]] for need in target["dependencies"] if "byName" in need]
            needs = [need for one in [target, *own] for need in one["dependencies"]]
            given = {module for need in needs if "product" in need for module in products[need["product"][0]]}
            folder = manifest.parent / ("Tests" if target["type"] == "test" else "Sources") / target["name"]
            for file in folder.rglob("*.swift"):
                imports = set(re.findall(r"\bimport (CoreBluetooth|Bluethroat\w+)$", file.read_text(), re.M))
                assert imports <= given, f"{file.relative_to(ROOT)}: {imports - given}"


def test_what_a_public_interface_is_written_with_is_a_product():
    dumped = manifest_of(ROOT)
    targets = {target["name"]: ROOT / target["path"] for target in dumped["targets"] if target.get("path")}
    products = {name for product in dumped["products"] for name in product["targets"]} & set(targets)
    missing = {
        (name, module)
        for name in products
        for file in targets[name].rglob("*.swift")
        for module in re.findall(r"\bpublic import (?:\w+ )?(\w+)", file.read_text())
        if module in targets and module not in products
    }
    assert missing == set()


def test_the_pages_say_how_much_is_pulled_in():
    rows = count_modules.APPS + count_modules.WORLDS
    answers = count_modules.count(ROOT, rows)
    for page, of_page in count_modules.PAGES.items():
        table = count_modules.block(count_modules.table(of_page, answers))
        assert table in (ROOT / page).read_text(), f"{page}: run Scripts/count-modules --write"
    # What has to be there for a module that is compiled, by the trait that brings it.
    brought = {
        "Bluethroat" + target["name"].removeprefix("Bluethroat"): name
        for target in manifest_of(ROOT)["targets"]
        for need in target["dependencies"]
        if "product" in need and need["product"][3]
        for name in need["product"][3].get("traits", [])
        # It does without as well.
        if target["name"] != "BluethroatBluetoothCrypto"
    }
    assert {"Database", "HTTP"} <= set(brought.values())
    for (_, given), (packages, modules) in answers.items():
        assert {brought[name] for name in modules if name in brought} <= enabled(set(given))
        assert ("NIOPosix" in modules) == ("swift-nio" in packages) == ("Ports" in enabled(set(given)))
        assert ("GRDB" in modules) == ("grdb.swift" in packages) == ("Database" in given)
        assert ("NIOHTTP1" in modules) == ("BluethroatHTTPServing" in modules) == ("HTTP" in given)
        # Whoever does without the trait compiles no BoringSSL.
        has_crypto = "SwiftCrypto" in enabled(set(given))
        assert ("swift-crypto" in packages) == ("Crypto" in modules) == has_crypto
        assert any("BoringSSL" in name for name in modules) == has_crypto
        assert "ArgumentParser" not in modules and "swift-argument-parser" not in packages


def test_an_app_without_traits_asks_for_no_cryptography_of_others():
    answers = count_modules.count(ROOT, count_modules.APPS)
    assert {given for _, given in answers} == {()}
    for packages, modules in answers.values():
        assert "BluethroatBluetoothCrypto" in modules
        assert [name for name in (*packages, *modules) if re.search("boring|crypto", name, re.I)] == ["BluethroatBluetoothCrypto"]


def folders():
    """What our targets are called without the prefix, and what they were called before."""
    here = {folder.name for folder in ROOT.glob("Sources/*/*") if folder.is_dir()}
    return sorted(here - {"CoreBluetooth", "CoreBluetoothMock", "CoreBluetoothMockTesting", "bluethroat"})


def with_modules(folder, names):
    """A package with modules of these names beside an app that uses ours."""
    every = sorted({product["name"] for product in manifest_of(ROOT)["products"]} - {"bluethroat"})
    count_modules.write_package(folder, ROOT, ["Database", "HTTP"], {"App": every} | {name: [] for name in names})
    return folder


def test_modules_of_others_may_be_called_as_our_folders_are(tmp_path, pins):
    names = folders()
    assert {"Host", "Stage", "Workbench", "Simulation", "Phones", "KeyFob", "Central", "Live", "Testing", "Events"} <= set(names)
    assert "bluethroat" in graph(with_modules(tmp_path, names), pins)


def test_a_collision_would_be_noticed(tmp_path, pins):
    done = load(with_modules(tmp_path, ["BluethroatHost"]), pins)
    assert done.returncode and "conflicting name" in done.stderr and "BluethroatHost" in done.stderr


OLD = sorted(folder.name for folder in ROOT.glob("Sources/OldNames/*"))


def test_old_names_are_there_for_whoever_asks_for_them(tmp_path, pins):
    def libraries(**environment):
        return {product["name"] for product in manifest_of(ROOT, **environment)["products"]}

    assert libraries() & set(OLD) == set()
    assert libraries(BLUETHROAT_OLD_NAMES="1") - libraries() == set(OLD)
    count_modules.write_package(tmp_path, ROOT, [], {"App": ["Host", "Phones"]})
    assert "bluethroat" in graph(tmp_path, pins, BLUETHROAT_OLD_NAMES="1")
    done = load(tmp_path, pins)
    assert done.returncode and "product 'Host' required by package" in done.stderr
    # And then nobody else can have them.
    count_modules.write_package(tmp_path, ROOT, [], {"App": ["Phones"], "Host": []})
    done = load(tmp_path, pins, BLUETHROAT_OLD_NAMES="1")
    assert done.returncode and "conflicting name: 'Host" in done.stderr


def test_each_old_name_is_used_by_the_package_that_is_built_with_them():
    source = "".join(file.read_text() for file in (ROOT / "Tests/Outside/OldNames/Tests").rglob("*.swift"))
    assert set(OLD) <= set(re.findall(r"^import (\w+)$", source, re.M))
    page = (ROOT / "docs/old-names.md").read_text()
    assert all(f"`{name}`" in page for name in OLD)
    assert "BLUETHROAT_OLD_NAMES=1 $(SWIFT) test --package-path Tests/Outside/OldNames" in (ROOT / "Makefile").read_text()
