"""`scan`, `inspect`, `read`, `write` and `subscribe` against a live key fob, as docs/cli-json.md promises them."""

import asyncio
import os
import re
import signal
import subprocess

import keyfob_table as table
import pytest
from bluethroat import PATIENCE, KeyFob, Process, binary, command, port_without_listener
from bumble_central import attached
from inspected_table import expect_the_table


async def run(fob, *arguments, **how):
    return await command(*arguments, "--hci", fob.hci, "--json", **how)


# scan


async def test_scan_reports_the_fob_with_all_that_is_known():
    async with KeyFob() as fob:
        answer = await run(fob, "scan", "--timeout", "4")
        assert answer.code == 0, answer.story
        report = answer.all("report", address=fob.address)[-1]
        assert report["addressType"] == "public"
        assert report["connectable"] is True and report["scannable"] is True
        assert report["data"] == table.ADVERTISING_DATA.hex()
        assert report["scanResponse"] == table.SCAN_RESPONSE.hex()
        assert report["name"] == table.NAME
        assert report["flags"] == 5
        assert report["services"] == ["1803", "1802", "1804"]
        assert "txPower" not in report and "manufacturer" not in report
        assert -110 <= report["rssi"] <= 20
        assert report["time"] <= 4.5


async def test_a_passive_scan_learns_no_name():
    async with KeyFob() as fob:
        answer = await run(fob, "scan", "--passive", "--timeout", "1")
        assert answer.code == 0, answer.story
        for report in answer.all("report"):
            assert "name" not in report and "scanResponse" not in report


@pytest.mark.parametrize("by", ["name", "address"])
async def test_scan_for_one_device_ends_when_it_is_found(by):
    async with KeyFob() as fob:
        answer = await run(fob, "scan", table.NAME if by == "name" else fob.address, "--timeout", "30")
        assert answer.code == 0, answer.story
        assert {report["address"]: report["name"] for report in answer.all("report")} == {fob.address: table.NAME}


async def test_addresses_are_taken_in_lower_case_too():
    async with KeyFob() as fob:
        assert (await run(fob, "scan", fob.address.lower())).code == 0


async def test_a_name_that_is_shortened_on_the_air_is_found_by_the_whole_one():
    async with KeyFob("--wait") as fob, attached(fob.hci) as other:
        name = b"TI Acceler"
        await other.device.start_advertising(
            advertising_data=b"\x02\x01\x06" + bytes([len(name) + 1, 8]) + name, auto_restart=True
        )
        answer = await run(fob, "scan", "TI Accelerometer")
        assert answer.code == 0, answer.story
        assert answer.one("report")["name"] == "TI Acceler"
        assert (await run(fob, "read", "TI Accelerometer", "2A00")).code == 0
        answer = await run(fob, "scan", "TI Gyroscope", "--timeout", "1")
        assert answer.code == 3 and "fob" not in answer.errors[0], answer.story


async def test_a_value_is_written_before_others_are_heard_in_one_connection():
    async with KeyFob() as fob:
        await fob.event("advertising", on=True)
        words = ["--write", "FFA1=01", "--write", "1802/2A06=01", "--count", "2", "--timeout", "20"]
        async with Process("subscribe", table.NAME, "FFA3", *words, "--hci", fob.hci, "--json") as central:
            await central.event("subscribed", uuid="FFA3")
            for x in (20, 40):
                fob.say(f"t {x} 0 0")
                assert (await central.event("notification"))["value"] == f"{x:02x}"
            assert await central.exit_code() == 0
        assert [(event["value"], event["response"]) for event in central.events if event["event"] == "written"] == [
            ("01", True),
            ("01", False),
        ]
        assert (await fob.event("accelerometer"))["enabled"] is True
        await fob.event("alert", level="mild")


async def test_what_cannot_be_written_first_is_said_and_nothing_is_subscribed_to():
    async with KeyFob() as fob:
        answer = await run(fob, "subscribe", table.NAME, "FFA3", "--write", "1803/2A06=03", "--count", "1")
        assert answer.code == 1 and answer.one("error")["attError"] == 0x80, answer.story
        assert answer.all("subscribed") == []
        answer = await run(fob, "subscribe", table.NAME, "FFA3", "--write", "FFA1")
        assert answer.code == 2 and "FFA1=01" in answer.errors[-1], answer.story


@pytest.mark.parametrize("verb", [["scan"], ["inspect"], ["read"], ["write"], ["subscribe"]])
async def test_nobody_of_that_name_is_three(verb):
    rest = {"read": ["2A00"], "write": ["2A06", "00"], "subscribe": ["FFE1"]}.get(verb[0], [])
    async with KeyFob() as fob:
        answer = await run(fob, *verb, "Somebody else", *rest, "--timeout", "1")
        assert answer.code == 3, answer.story
        assert len(answer.errors) == 1 and "Somebody else" in answer.errors[0]
        assert answer.events[-1]["event"] == "error"


async def test_a_silent_air_is_three():
    async with KeyFob("--wait") as fob:
        answer = await run(fob, "scan", "--timeout", "1")
        assert answer.code == 3, answer.story
        assert answer.all("report") == []


# inspect


@pytest.mark.parametrize("by", ["name", "address"])
async def test_inspect_says_the_whole_table(by):
    async with KeyFob() as fob:
        answer = await run(fob, "inspect", table.NAME if by == "name" else fob.address)
        assert answer.code == 0, answer.story
        assert [event["event"] for event in answer.events if event["event"] in ("connected", "disconnected")] == [
            "connected",
            "disconnected",
        ]
        expect_the_table(answer, fob.address)
        characteristics = {c["uuid"]: c for c in answer.all("characteristic")}
        assert characteristics["2A00"]["decoded"] == "TI BLE Keyfob"
        assert "100" in characteristics["2A19"]["decoded"]
        services = {s["uuid"]: s.get("name") for s in answer.all("service")}
        assert services["1800"] == "Generic Access" and services["180F"] == "Battery"
        await fob.event("disconnected", code=0x13)


async def test_inspect_reads_well_without_json():
    async with KeyFob() as fob:
        async with Process("inspect", table.NAME, "--hci", fob.hci) as inspect:
            inspect.say_no_more()
            assert await inspect.exit_code(4 * PATIENCE) == 0
        text = "\n".join(inspect.lines)
        for word in ["0x0001", "0x0049", "Generic Access", "Device Name", "TI BLE Keyfob", "Battery Level", "notify"]:
            assert word in text
        assert inspect.errors == []


# read, write


@pytest.mark.parametrize(
    ("attribute", "handle", "value"),
    [
        ("2A00", 0x0003, b"TI BLE Keyfob"),
        ("2a19", table.BATTERY, b"\x64"),
        ("0x0003", 0x0003, b"TI BLE Keyfob"),
        ("0x0031", 0x0031, b"\x04\x01"),
        ("1803/2A06", table.LINK_LOSS_ALERT, b"\x00"),
        ("FFA0/FFA1/2901", 0x0035, b"Accel Enable"),
        ("00002A00-0000-1000-8000-00805F9B34FB", 0x0003, b"TI BLE Keyfob"),
    ],
)
async def test_read(attribute, handle, value):
    async with KeyFob() as fob:
        answer = await run(fob, "read", table.NAME, attribute)
        assert answer.code == 0, answer.story
        found = answer.one("value")
        assert (found["handle"], found["value"]) == (handle, value.hex())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["read", table.NAME, "1802/2A06"], 0x02),
        (["read", table.NAME, "0x0100"], 0x01),
        (["write", table.NAME, "1803/2A06", "03"], 0x80),
        (["write", table.NAME, "1803/2A06", "0000"], 0x0D),
        (["write", table.NAME, "2A19", "00"], 0x03),
    ],
)
async def test_a_refusal_by_the_peer_is_one(arguments, code):
    async with KeyFob() as fob:
        answer = await run(fob, *arguments)
        assert answer.code == 1, answer.story
        assert answer.one("error")["attError"] == code
        assert answer.events[-1] == answer.one("error")
        assert answer.errors == [answer.one("error")["message"]]


async def test_an_attribute_the_peer_does_not_have_is_one():
    async with KeyFob() as fob:
        answer = await run(fob, "read", table.NAME, "2A37")
        assert answer.code == 1, answer.story
        assert "2A37" in answer.errors[0]


async def test_a_uuid_that_names_two_lists_them():
    async with KeyFob() as fob:
        answer = await run(fob, "read", table.NAME, "2A06")
        assert answer.code == 2, answer.story
        assert "0x0025" in answer.errors[0] and "0x0028" in answer.errors[0]


async def test_write_with_and_without_response():
    async with KeyFob() as fob:
        answer = await run(fob, "write", table.NAME, "FFA1", "01")
        assert (answer.code, answer.one("written")["response"]) == (0, True), answer.story
        await fob.event("accelerometer", enabled=True)
        answer = await run(fob, "write", table.NAME, "0x0028", "02", "--without-response")
        assert (answer.code, answer.one("written")["response"]) == (0, False), answer.story
        await fob.event("alert", level="high", source="immediate")


# subscribe


async def test_a_scan_that_is_interrupted_lists_what_it_has_heard_and_is_no_success():
    async with KeyFob() as fob:
        async with Process("scan", "--timeout", "300", "--hci", fob.hci, "--json") as central:
            await central.event("report", name=table.NAME)
            central.send(signal.SIGINT)
            assert await central.exit_code() == 1
            assert central.events[-1]["event"] == "error" and central.events[-1]["message"] == "interrupted"


async def test_subscribe_prints_the_time_of_each_value():
    async with KeyFob() as fob:
        async with Process("subscribe", table.NAME, "FFE1", "--count", "2", "--hci", fob.hci) as central:
            await fob.event("subscribed")
            fob.say("l")
            assert await central.exit_code() == 0
        assert len(central.lines) == 2, central.lines
        for line, value in zip(central.lines, ["left", "none"], strict=True):
            assert re.fullmatch(rf" *\d+\.\d+ s  FFE1 Key Press State  {value}", line)


async def test_subscribe_says_each_value_and_ends_after_its_count():
    async with KeyFob() as fob:
        async with Process("subscribe", table.NAME, "FFE1", "--count", "4", "--hci", fob.hci, "--json") as central:
            await central.event("subscribed", uuid="FFE1", handle=table.KEYS)
            fob.say("l")
            fob.say("r")
            values = [await central.event("notification") for _ in range(4)]
            assert [value["value"] for value in values] == ["01", "00", "02", "00"]
            assert {value["handle"] for value in values} == {table.KEYS}
            assert await central.exit_code() == 0
        await fob.event("disconnected", code=0x13)


async def test_subscribe_to_several():
    async with KeyFob() as fob:
        async with Process("subscribe", table.NAME, "FFE1", "2A07", "--hci", fob.hci, "--json") as central:
            await central.event("subscribed", handle=table.KEYS)
            await central.event("subscribed", handle=table.TX_POWER)
            fob.say("l down")
            assert (await central.event("notification", handle=table.TX_POWER))["value"] == "fa"
            assert (await central.event("notification"))["value"] == "01"
            central.send(signal.SIGINT)
            assert await central.exit_code() == 0
        await fob.event("disconnected", code=0x13)


async def test_subscribe_hears_nothing_in_time():
    async with KeyFob() as fob:
        answer = await run(fob, "subscribe", table.NAME, "FFE1", "--timeout", "2")
        assert answer.code == 3, answer.story


async def test_subscribe_tells_of_a_lost_link():
    async with KeyFob() as fob:
        async with Process("subscribe", table.NAME, "FFE1", "--hci", fob.hci, "--json") as central:
            await central.event("subscribed")
            fob.say("d 100000")
            lost = await central.event("disconnected")
            assert (lost["code"], lost["reason"]) == (0x08, "connectionTimeout")
            assert await central.exit_code() == 1
        assert len(central.errors) == 1


async def test_subscribing_to_what_cannot_be_is_one():
    async with KeyFob() as fob:
        answer = await run(fob, "subscribe", table.NAME, "2A00")
        assert answer.code == 1, answer.story


# Usage


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["scan", "--sideways"],
        ["scan", "--timeout", "soon"],
        ["scan", "--timeout", "-1"],
        ["scan", "--timeout", "0x10"],
        ["scan", "--timeout", "nan"],
        ["scan", "--hci", "pigeon:coo"],
        ["scan", "--hci", "tcp:127.0.0.1"],
        ["scan", "--hci", "tcp:127.0.0.1:123456"],
        ["inspect"],
        ["read", table.NAME],
        ["read", table.NAME, "0x10000"],
        ["read", table.NAME, "XYZ"],
        ["write", table.NAME, "2A06"],
        ["write", table.NAME, "2A06", "0"],
        ["write", table.NAME, "2A06", "zz"],
        ["subscribe", table.NAME],
        ["subscribe", table.NAME, "FFE1", "--count", "0"],
    ],
)
async def test_wrong_usage_is_two(arguments):
    answer = await command(*arguments, "--json")
    assert answer.code == 2, answer.story
    assert answer.errors


@pytest.mark.parametrize(
    "arguments",
    [["{}"], ["scan", "--{}"], ["scan", "--timeout", "{}"], ["study", "{}"], ["keyfob", "--capture", "/{}/a"]],
)
async def test_what_is_quoted_of_wrong_usage_moves_no_cursor(arguments):
    hidden = "\x1b[2J\x9b\u202egnp\u200b"
    answer = await command(*(argument.replace("{}", hidden) for argument in arguments))
    assert answer.code != 0 and len(answer.errors) == 1, answer.story
    assert not set(answer.errors[0]) & set("\x1b\x9b\u202e\u200b") and "[2J" in answer.errors[0]


async def test_help_is_done():
    answer = await command("--help")
    assert answer.code == 0
    for verb in ["keyfob", "scan", "inspect", "read", "write", "subscribe"]:
        assert any(verb in line for line in answer.lines)


@pytest.mark.parametrize("verb", [["scan"], ["inspect", table.NAME], ["read", table.NAME, "2A00"]])
async def test_nobody_at_the_port_is_one_clear_line(verb):
    with port_without_listener() as port:
        answer = await command(*verb, "--hci", f"tcp:127.0.0.1:{port}", "--json")
    assert answer.code == 1, answer.story
    assert len(answer.errors) == 1 and f"127.0.0.1:{port}" in answer.errors[0]
    assert [event["event"] for event in answer.events] == ["error"]


async def test_several_centrals_at_once():
    """Each has a controller of its own on the same air: all scan, and one at a time reads."""
    async with KeyFob() as fob:
        answers = await asyncio.gather(*(run(fob, "scan", table.NAME, "--timeout", "20") for _ in range(5)))
        assert [answer.code for answer in answers] == [0] * 5
        answers = await asyncio.gather(*(run(fob, "read", table.NAME, "2A19", "--timeout", "30") for _ in range(3)))
        assert [answer.code for answer in answers] == [0] * 3, "\n".join(answer.story for answer in answers)


@pytest.mark.parametrize("columns", ["-5", "0", "1", "10", "26", "30", "80"])
def test_help_and_errors_need_no_wide_window(columns):
    """The parser of arguments stops a program whose help has no room for a word."""
    how = {"env": {**os.environ, "COLUMNS": columns}, "stdin": subprocess.DEVNULL, "capture_output": True}
    for arguments, code in (["--help"], 0), (["scan", "--help"], 0), (["study", "--help"], 0), (["scan", "--bogus"], 2):
        answer = subprocess.run([binary(), *arguments], timeout=PATIENCE, **how)
        assert answer.returncode == code and bool(answer.stdout) == (code == 0), (arguments, answer)


async def test_a_word_as_long_as_a_book_is_quoted_in_part():
    for arguments in ["scan", "--timeout"], ["inspect", "--hci"], ["keyfob", "--for"], ["overflow", "study", "--phones"]:
        answer = await command(*arguments, "x" * 100_000)
        assert answer.code == 2 and len(answer.errors) == 1 and len(answer.errors[0]) < 900, answer.code
        assert answer.errors[0].endswith("--help")
