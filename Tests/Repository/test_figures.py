"""What the structure is held to: the figures of this tree are met, and a tree that misses them is noticed."""

import importlib.machinery
import importlib.util
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_script():
    loader = importlib.machinery.SourceFileLoader("figures", str(ROOT / "Scripts/figures"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("figures", loader))
    loader.exec_module(module)
    return module


figures = load_script()
code_only = figures.script("check-layers").code_only
PRODUCTS = [{"name": figures.PREFIX + name, "targets": [figures.PREFIX + name]} for name in figures.LIBRARIES]
PACKAGE = {
    "products": PRODUCTS,
    "targets": [{"name": figures.PREFIX + name, "dependencies": []} for name in figures.LIBRARIES]
    + [{"name": "Host", "dependencies": []}],
}
GOOD = {
    "Sources/Tools/bluethroat/Command.swift": "// One line.\n",
    "Sources/Live/HCIServing/Server.swift": "let a = HCIServer.listen(at: place)\nlet b = ServerBootstrap(group: group)\n",
    "Sources/Live/HTTPServing/Head.swift": "import NIOHTTP1\n",
    "Sources/Live/HTTPAsking/Reader.swift": "import NIOHTTP1\n",
    "Sources/Apple/AppEnvironment/AppClock.swift": "public struct AppClock {}\n",
    "Sources/Apple/Testing/Tasks/AirClock.swift": "public struct AirClock: Clock {}\n",
    "Sources/Live/LiveLoop/MonotonicClock.swift": "enum MonotonicClock {}\n",
    "Sources/Apple/LivePhones/Air/AirMachine.swift": "live = LiveWorld(world)\n",
    "Sources/Live/Live/LiveSession.swift": "live = LiveWorld(world)\n",
    figures.FIRST_BUILD: "tree\tprocessor_seconds\nnow\t80\na49f32c\t100\n",
    "Sources/Core/PhoneService/Machines.swift": "struct CentralRole {}\nstruct PeripheralRole {}\nstruct AppChannels {}\nstruct SessionTable {}\n",
}


def missed(root, files, package=PACKAGE, lines=3):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    rows = figures.figures(figures.Tree(root, code_only), package, [""] * lines)
    return [what for what, _, _, is_good in rows if not is_good]


def test_a_tree_that_meets_all_misses_none(tmp_path):
    assert missed(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("Sources/Tools/bluethroat/Long.swift", "let x = 1\n" * 3_500, "lines of the command"),
        ("Sources/Live/Live/Halves.swift", "#if canImport(BluethroatPhones)\n#endif\n", "whether there are phones"),
        ("Sources/Live/Live/Port.swift", "let a = HCIServer.listen(at: place)\n", "a host outside a controller"),
        ("Sources/Live/Live/Socket.swift", "let b = ServerBootstrap(group: group)\n", "where a port listens"),
        ("Sources/Apps/KeyFob/Clock.swift", "struct PhoneClock {}\n", "clocks for apps"),
        ("Sources/Apps/KeyFob/Clock.swift", "protocol FobClock {}\n", "clocks for apps"),
        ("Sources/Live/Live/LiveSession.swift", "live = LiveWorld(a)\nb = LiveWorld(c)\n", "assemble a live world"),
        ("Sources/Apps/MoneyBank/Head.swift", "internal import NIOHTTP1\n", "parser of HTTP"),
        ("Sources/Core/PhoneService/Machines.swift", "struct CentralRole {}\n", "machines of a phone's service"),
        (figures.FIRST_BUILD, "tree\tprocessor_seconds\nnow\t81\na49f32c\t100\n", "an app's first build"),
        ("Sources/Core/PhoneService/Bare.swift", "func a(linkIndex: Int) {}\n", "bare integers"),
    ],
)
def test_a_file_that_breaks_a_figure_is_noticed(tmp_path, name, text, what):
    (only,) = missed(tmp_path, GOOD | {name: text})
    assert what in only


def test_a_product_that_is_missing_and_a_module_without_the_prefix_are_noticed(tmp_path):
    fewer = PACKAGE | {"products": PRODUCTS[1:]}
    assert ["without a product" in what for what in missed(tmp_path, GOOD, fewer)] == [True]
    more = PACKAGE | {"products": [*PRODUCTS, {"name": "Host", "targets": ["Host"]}]}
    assert ["without the prefix" in what for what in missed(tmp_path, GOOD, more)] == [True]
    assert ["drawing" in what for what in missed(tmp_path, GOOD, lines=figures.SCREEN + 1)] == [True]


def test_a_live_world_that_is_assembled_elsewhere_is_noticed(tmp_path):
    elsewhere = {"Sources/Apps/MoneyDropWorld/World.swift": "live = LiveWorld(world)\n"}
    assert missed(tmp_path, GOOD | elsewhere) == ["places that assemble a live world", "of them without a reason"]


def check_of(folder, minutes, build=0):
    """What `make check` leaves that took so long: when it began, and a line of each step, the build's in seconds."""
    (folder / "begun").touch()
    os.utime(folder / "begun", (1_000, 1_000))
    times = folder / "times.tsv"
    times.write_text(f"format\t5\nbuild without a warning\t{build}\n", encoding="utf-8")
    os.utime(times, (1_000 + 60 * minutes,) * 2)
    return times


@pytest.mark.parametrize(
    ("minutes", "is_whole", "is_good"), [(39.9, True, True), (40.1, True, False), (40.1, False, True), (5.0, True, True)]
)
def test_a_check_that_skips_nothing_is_judged_by_its_time_and_no_other(tmp_path, minutes, is_whole, is_good):
    *steps, (_, limit, now, last) = figures.times(check_of(tmp_path, minutes), is_whole)
    assert [row[3] for row in steps] == [True, True]
    assert (limit, now, last) == ("at most 40 min" if is_whole else "", f"{minutes} min", is_good)


@pytest.mark.parametrize(("minutes", "is_good"), [(53.9, True), (54.1, False)])
def test_where_the_machine_is_slow_the_check_is_judged_by_its_own_build(tmp_path, minutes, is_good):
    *_, (_, limit, _, last) = figures.times(check_of(tmp_path, minutes, build=720), True)
    assert (limit, last) == ("at most 54 min", is_good)
    # A build that was there already says nothing.
    *_, (_, limit, _, _) = figures.times(check_of(tmp_path, minutes, build=30), True)
    assert limit == "at most 40 min"


@pytest.mark.parametrize(("minutes", "code"), [(39.9, 0), (40.1, 1)])
def test_a_check_of_more_than_40_minutes_fails(tmp_path, monkeypatch, minutes, code):
    monkeypatch.setenv("BLUETHROAT_CHECK", "all")
    monkeypatch.setattr("sys.argv", ["figures", "--times", str(check_of(tmp_path, minutes))])
    assert figures.main() == code


def test_the_record_of_the_first_build_says_of_which_commits_it_is_and_the_page_has_its_figures():
    names, *rows = [line.split("\t") for line in (ROOT / figures.FIRST_BUILD).read_text(encoding="utf-8").splitlines()]
    page = " ".join((ROOT / "docs/libraries.md").read_text(encoding="utf-8").split())
    assert [row[0] for row in rows] == ["now", figures.BASE]
    for row in rows:
        found = dict(zip(names, row, strict=True))
        assert re.fullmatch(r"[0-9a-f]{8}\+?", found["commit"])
        assert found["commit"].startswith(found["tree"]) or found["tree"] == "now"
        assert f"{found['seconds']} s, and {found['processor_seconds']} s of processor time" in page
    assert f"`{dict(zip(names, rows[0]))['commit']}`" in page


def test_what_measures_the_first_build_writes_the_commits_down():
    measure = figures.script("measure-build")
    assert re.fullmatch(r"[0-9a-f]{8}\+?", measure.revision(None)) and re.fullmatch(r"[0-9a-f]{8}", measure.revision("HEAD"))
    now = ("now", "01234567+", 321.4, 134.6, 74, 2)
    assert measure.record([now]).splitlines()[1] == "now\t01234567+\t321\t135\t74\t2"
