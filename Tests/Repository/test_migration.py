"""The page that leads from BlueCap here: it has every name, and what it says is here is declared."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/futures-migration.md"
SOURCES = ROOT / "Sources/Apple/PeripheralFutures"
TESTS = ROOT / "Tests/PeripheralFuturesTests"
HOW = {"same", "alias", "other name", "missing"}

# The public declarations of BlueCapKit/PeripheralManager and of what it takes and gives, in version 0.8.0, by their labels.
PERIPHERAL_SIDE = """
    PeripheralManager init() init(options:) init(queue:options:) isAdvertising poweredOn state services service(withUUID:)
    characteristics characteristics(withUUID:) reset() invalidate() whenStateChanges() startAdvertising(_:uuids:)
    startAdvertising(_:) stopAdvertising(timeout:) add(_:) remove(_:) removeAllServices() updateValue(_:forCharacteristic:)
    respondToRequest(_:withResult:) whenStateRestored() peripheralManagerDidUpdateState(_:)
    MutableService init(profile:) init(uuid:) uuid name characteristicsFromProfiles()
    MutableCharacteristic init(UUID:properties:permissions:value:) init(UUID:) withProfiles(_:)
    withProfiles(_:cbCharacteristics:) service value isUpdating permissions properties subscribers pendingUpdates stringValue
    stringValues canNotify propertyEnabled(_:) permissionEnabled(_:) data(fromString:)
    startRespondingToWriteRequests(capacity:) stopRespondingToWriteRequests() update(withString:) update(withData:)
    update(_:) ManagerState unauthorized unknown unsupported resetting poweredOff poweredOn PeripheralManagerError
    isAdvertising restoreFailed stopAdvertisingTimeout MutableServiceError unconfigured MutableCharacteristicError
    notSerializable notifyNotSupported CBATTRequestInjectable CBCentralInjectable CBCharacteristicInjectable
    PeripheralAdvertisements localName manufacturerData txPower isConnectable serviceUUIDs serviceData overflowServiceUUIDs
    solicitedServiceUUIDs
""".split()
# The names of its page about the peripheral manager that its code does not have.
OF_THE_PAGE = ["TISensorTag", "Serde", "updateValue", "stopProcessingWriteRequests", "Success", "InvalidAttributeValueLength"]


def rows():
    """Each row of the tables of names: what is there, what is here, how, and a remark."""
    found = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
        if line.startswith("|") and len(cells) == 4 and not set(cells[0]) <= set("-") and cells[0] != "there":
            found.append(cells)
    return [cells for cells in found if any(cells[1:])]


def names(cell):
    """What is in a cell, each as it is written."""
    return re.findall(r"`([^`]+)`", cell)


def base(name):
    """updateValue of characteristic.updateValue(_:)."""
    return re.split(r"[(:]", name)[0].split(".")[-1].strip()


def declared():
    """The names of all public declarations, and the cases of enumerations."""
    text = "\n".join(file.read_text() for file in sorted(SOURCES.rglob("*.swift")))
    kinds = r"\b(?:func|var|let|class|struct|enum|protocol|typealias|case|init)"
    found = set(re.findall(kinds + r"\s+(?!func\b|var\b)`?(\w+|\?\?)", text))
    # Initialisers have no name, and cases may stand in one line.
    return found | {"init"} | {name for line in re.findall(r"\bcase ([\w, ]+)$", text, re.M) for name in line.split(", ")}


def test_each_row_says_how():
    assert len(rows()) > 60
    for there, here, how, remark in rows():
        assert how in HOW, there
        assert names(there) or how != "same", there
        assert (here == "") == (how == "same") or how == "missing", there
        assert how != "missing" or len(remark) > 30, f"{there} is missing without a reason"


def test_what_is_said_to_be_the_same_is_declared():
    known = declared()
    for there, _, how, _ in rows():
        if how == "same":
            missing = {base(name) for name in names(there)} - known - {"Optional", "CBPeripheralManagerDelegate"}
            assert missing == set(), there


def test_what_is_to_be_written_instead_is_declared():
    known = declared()
    for there, here, how, _ in rows():
        if how in ("alias", "other name"):
            for name in names(here):
                if re.fullmatch(r"\w+(\(.*\))?", name):
                    assert base(name) in known, f"{there}: {name}"


def test_the_whole_peripheral_side_is_there():
    listed = {name for there, _, _, _ in rows() for name in names(there)}
    assert set(PERIPHERAL_SIDE) - listed == set()
    # What BlueCap's futures have by the table of signatures.
    table = (TESTS / "Signatures/Resources/futures-api.tsv").read_text().splitlines()[1:]
    used = {line.split("\t")[1] for line in table if line.split("\t")[0].startswith("7.")}
    bases = {base(name) for name in listed}
    missing = {
        expression
        for expression in used
        for last in [re.sub(r"[<({\[].*", "", re.sub(r"<[^>]*>", "", expression)).rstrip(".").split(".")[-1]]
        if last and re.fullmatch(r"\\?\w+", last) and last.strip("\\") not in bases
    }
    assert missing == set()


def test_each_alias_is_used_as_the_page_uses_it():
    source = (TESTS / "UseCases/PageNamesTests.swift").read_text()
    aliases = [there for there, _, how, _ in rows() if how == "alias"]
    text = " ".join(aliases)
    for name in OF_THE_PAGE:
        assert re.search(rf"\b{name}\b", text), name
        assert re.search(rf"\b{name}\b", source), name
    assert len(aliases) == len(OF_THE_PAGE)


def test_a_name_that_is_not_declared_is_noticed():
    assert "whenStateChanges" in declared() and "sharedInstance" not in declared()
    assert (base("characteristic.updateValue(_:)"), base("init(UUID:)"), base("SerDe")) == ("updateValue", "init", "SerDe")
