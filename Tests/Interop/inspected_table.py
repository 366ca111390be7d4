"""What `bluethroat inspect --json` must have said about the key fob's table."""

import keyfob_table as table

PROPERTIES = {
    table.READ: "read",
    table.WRITE_WITHOUT_RESPONSE: "writeWithoutResponse",
    table.WRITE: "write",
    table.NOTIFY: "notify",
    table.INDICATE: "indicate",
}


def expect_the_table(answer, address):
    """`inspect` has said the whole table, in handle order."""
    services = [(s["handle"], s["end"], s["uuid"], s["primary"]) for s in answer.all("service")]
    expected = [(s.handle, s.end, s.uuid, True) for s in table.SERVICES]
    last = table.SERVICES[-1]
    assert services in (expected, [*expected[:-1], (last.handle, 0xFFFF, last.uuid, True)])

    values = dict(table.values(address))
    found = answer.all("characteristic")
    assert [(c["handle"], c["valueHandle"], c["uuid"]) for c in found] == [
        (c.handle, c.value_handle, c.uuid) for c in table.CHARACTERISTICS
    ]
    for entry, characteristic in zip(table.CHARACTERISTICS, found):
        assert characteristic["properties"] == [name for bit, name in PROPERTIES.items() if entry.properties & bit]
        if entry.properties & table.READ:
            assert characteristic["value"] == values[entry.value_handle].hex()
        else:
            assert "value" not in characteristic

    assert [(d["handle"], d["uuid"], d["value"]) for d in answer.all("descriptor")] == [
        (d.handle, d.uuid, d.value.hex()) for c in table.CHARACTERISTICS for d in c.descriptors
    ]
    assert answer.all("include") == []

    handles = [
        event["handle"] for event in answer.events if event["event"] in ("service", "characteristic", "descriptor")
    ]
    assert handles == sorted(handles)
    names = {c["uuid"]: c.get("name") for c in found}
    assert (names["2A00"], names["2A19"]) == ("Device Name", "Battery Level")
