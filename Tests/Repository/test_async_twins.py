"""Each function that returns a future, or a stream, has a twin for tasks, of the same name and with the same arguments."""

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "Sources/Apple/PeripheralFutures"
TWINS = SOURCES / "Bridges/Async"
# Whoever has futures: their combinators are for futures, and what they return is awaited by its value.
OWNERS = ["Peripheral", "Central", "Beacons"]
FUNCTION = re.compile(r"\bpublic func (\w+)(<[^(]*>)?\(((?:[^()]|\([^()]*\))*)\)\s*((?:async )?(?:throws )?)(?:-> ([\w<>?\[\]:. ]+))?")
# A loop has the region's own stream, and no callbacks that would need a context.
NOT_FOR_LOOPS = {"startMonitoring": {"capacity", "context"}, "startRangingBeacons": {"context"}}


def functions(files, is_meant):
    """What is declared: name, labels and the constraint of a generic one."""
    found = set()
    for file in files:
        for name, generic, arguments, effects, result in FUNCTION.findall(file.read_text()):
            labels = re.findall(r"(?:^|,\s)\s*(\w+)(?: \w+)?:", re.sub(r"\s+", " ", arguments))
            if is_meant(effects, result.strip()):
                labels = [label for label in labels if label not in NOT_FOR_LOOPS.get(name, set())]
                found.add((name, tuple(labels), generic))
    return found


def of_futures(kind):
    files = [file for owner in OWNERS for file in sorted((SOURCES / owner).glob("*.swift"))]
    return functions(files, lambda effects, result: result.startswith(kind))


def test_what_returns_a_future_has_a_twin_that_waits():
    twins = functions(TWINS.glob("*.swift"), lambda effects, _: effects == "async throws ")
    assert of_futures("Future<") == twins
    assert {name for name, _, _ in twins} >= {"add", "startAdvertising", "stopAdvertising", "whenStateRestored", "read", "write"}
    assert len([name for name, _, _ in twins if name == "write"]) == 7


def test_what_returns_a_stream_has_a_twin_for_loops():
    twins = functions(TWINS.glob("*.swift"), lambda _, result: result.startswith("AsyncSubscription<"))
    assert of_futures("FutureStream<") == twins
    assert {name for name, _, _ in twins} >= {"whenStateChanges", "startScanning", "connect", "startRespondingToWriteRequests"}


def test_each_twin_is_tested():
    tests = SOURCES.parents[2] / "Tests/PeripheralFuturesTests/Bridges"
    source = "".join(file.read_text() for file in tests.glob("Async*.swift"))
    for name, _, _ in functions(TWINS.glob("*.swift"), lambda *_: True) - {("makeAsyncIterator", (), ""), ("next", (), "")}:
        assert name == "next" or f".async.{name}(" in source, name
