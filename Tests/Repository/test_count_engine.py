"""What `Scripts/count-engine` counts, on a small tree that was made up for it, and that it can read all of ours."""

import importlib.machinery
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "Scripts/count-engine"


def load_script():
    loader = importlib.machinery.SourceFileLoader("count_engine", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("count_engine", loader))
    # A dataclass looks for its module there.
    sys.modules["count_engine"] = module
    loader.exec_module(module)
    return module


count_engine = load_script()

HOST = '''
import Radio

/// A class { with braces in a comment, and var nothing: Int.
public final class Host {
    /// A nested type counts for itself.
    enum Phase { case off, on }
    public let name = "a \\(true ? "{" : "}") name", number = 2
    static let shared = 1
    @exclusivity(unchecked)
    private(set) var phase = Phase.off
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var buffers: Buffers {
        didSet { deadline = nil }
    }
    var deadline: Instant?
    /// Between two properties without a type that ends a line.
    var rest = [
        1, 2,
    ]
    lazy var table: [String: (Int, Int)] = {
        var made: [String: (Int, Int)] = [:]
        made["a"] = (1, 2)
        return made
    }()
    var isUp: Bool { phase == .on }
    var count: Int {
        get { 1 }
        set {}
    }

    init<Value: Equatable>(_ value: Value) where Value: Sendable {
        let inner = 1
        func local() {}
        buffers = Buffers(length: 1, window: Window(first: 1, last: 2))
    }
    convenience init?(text: String) { return nil }
    deinit {}
    subscript(index: Int) -> Int { index }
    static func make() -> Host? { nil }
    func begin(then: () -> Void = { print("}") }) { then() }
}
'''

EXTENSIONS = '''
extension Host {
    var more: Int { 1 }
    func end() async throws(Failure) -> [Int] { [] }

    struct Nested {
        var one = 1
        func notTheHosts() {}
    }
}

/// Fields and nothing else, one of them the same again.
struct Buffers: Equatable {
    var length: Int, count = 0
    var window: Window
    static func == (left: Self, right: Self) -> Bool { true }
}

struct Window { let first: Int, last: Int }

struct Instant {
    var value: Int
    var isPast: Bool { false }
}
'''


@pytest.fixture
def tree(tmp_path):
    for name, text in {
        "Sources/Engine/Host.swift": HOST,
        "Sources/Engine/Deep/Host+More.swift": EXTENSIONS,
        "Sources/Engine/Link.swift": "struct Link { var one: Int }\n",
        "Sources/Radio/Link.swift": "final class Link { @exclusivity(unchecked) var two = 1, three: Int? }\n",
        "Sources/App/Host+App.swift": "extension Host {\n\n    // Nothing.\n    func fromApart() {}\n}\nextension Link { func x() {} }\n",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def test_a_class_is_counted_with_its_extensions_wherever_they_are(tree):
    figures = count_engine.count(tree, ["Host"])
    assert figures["Host (Engine): stored properties"] == 7
    # `buffers` are four: length, count, and the two of the window; an instant has a computed property.
    assert figures["Host (Engine): stored properties with fields"] == 10
    assert figures["Host (Engine): methods"] == 7
    assert figures["Host (Engine): computed properties"] == 3
    assert figures["Host (Engine): files"] == 3


def test_the_attribute_is_counted_for_each_type(tree):
    figures = count_engine.count(tree, [])
    assert figures["@exclusivity in Host (Engine)"] == 2
    assert figures["@exclusivity in Link (Radio)"] == 1
    assert figures["@exclusivity in all"] == 3


def test_types_of_one_name_are_two_and_nobody_knows_whose_a_foreign_extension_is(tree):
    figures = count_engine.count(tree, ["Link"])
    assert figures["Link (Engine): stored properties"] == 1
    assert figures["Link (Radio): stored properties"] == 2
    assert figures["Link (Engine): methods"] == figures["Link (Radio): methods"] == 0


def test_lines_of_targets(tree):
    figures = count_engine.count(tree, [])
    assert (figures["lines of App"], figures["lines of App, code"]) == (6, 4)
    assert figures["files of Sources"] == 5


def test_two_commits_side_by_side(tree):
    def git(*arguments):
        identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", "-C", str(tree), *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")
    (tree / "Sources/Engine/Link.swift").write_text("struct Link { var one, four: Int }\nstruct New {}\n")
    command = [sys.executable, str(SCRIPT), "--root", str(tree), "--base", "HEAD", "--types", "Link", "--markdown"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert lines[:2] == ["| what | HEAD | this tree |", "| --- | ---: | ---: |"]
    assert "| Link (Engine): stored properties | 1 | 2 |" in lines
    assert "| lines of Engine | 69 | 70 |" in lines
    broken = subprocess.run([*command, "--base", "no-such-commit"], capture_output=True, text=True)
    assert broken.returncode == 1 and "no-such-commit" in broken.stderr


def test_our_own_sources_are_read():
    figures = count_engine.count(ROOT, count_engine.TYPES)
    for label in ["HostCore (Host)", "ControllerCore (LinkLayer)", "World (Simulation)"]:
        assert figures[f"{label}: stored properties"] > 2
        assert figures[f"{label}: methods"] > 5
        # What is there in the class is told apart from what its neighbours have.
        assert figures[f"{label}: stored properties with fields"] >= figures[f"{label}: stored properties"]
