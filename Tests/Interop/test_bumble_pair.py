"""Bumble against Bumble, none of our code in between: when this fails the fault is in this folder or in Bumble."""

import asyncio
import json
import sys

import captures
import keyfob_table as table
from bluethroat import ROOT
from bumble.snoop import BtSnooper
from bumble_controllers import Air, central, key_fob

FOB = "F0:F1:F2:F3:F4:F5"


async def test_the_table_can_be_told_from_another():
    air = Air()
    await key_fob(air, FOB)
    peer = await (await central(air)).find_and_connect(table.NAME)
    attributes = await peer.client.discover_attributes()
    assert [(a.handle, a.type.to_hex_str()) for a in attributes] == list(table.attributes())
    assert [(handle, await peer.read(handle)) for handle, _ in table.values(FOB)] == list(table.values(FOB))
    assert {await peer.error_of_read(handle) for handle in table.refused()} == {0x02}


async def test_writes_are_checked():
    air = Air()
    changes = []
    await key_fob(air, FOB, lambda handle, value: changes.append((handle, value)))
    peer = await (await central(air)).find_and_connect(table.NAME)
    assert await peer.error_of_write(table.LINK_LOSS_ALERT, b"\x03") == 0x80
    assert await peer.error_of_write(table.LINK_LOSS_ALERT, b"") == 0x0D
    await peer.write(table.LINK_LOSS_ALERT, b"\x02")
    await peer.write_command(table.IMMEDIATE_ALERT, b"\x01")
    assert await peer.read(table.LINK_LOSS_ALERT) == b"\x02"
    assert changes == [(table.LINK_LOSS_ALERT, b"\x02"), (table.IMMEDIATE_ALERT, b"\x01")]


async def test_notifications_arrive_in_order_and_only_when_asked_for():
    air = Air()
    fob = await key_fob(air, FOB)
    peer = await (await central(air)).find_and_connect(table.NAME)
    await fob.notify(table.KEYS, b"\x02")
    await peer.subscribe(table.KEYS_CCCD)
    await fob.notify(table.KEYS, b"\x01")
    await fob.notify(table.KEYS, b"\x00")
    assert await peer.notifications(2) == [(table.KEYS, b"\x01"), (table.KEYS, b"\x00")]
    await peer.disconnect()
    assert peer.values.empty()


async def test_tshark_has_nothing_against_a_session_of_bumbles(tmp_path):
    log = tmp_path / "bumble.btsnoop"
    air = Air()
    await key_fob(air, FOB)
    with log.open("wb") as file:
        bumble = await central(air)
        bumble.device.host.snooper = BtSnooper(file)
        peer = await bumble.find_and_connect(table.NAME)
        await peer.client.discover_attributes()
        await peer.disconnect()
    assert captures.complaints(log) == []
    assert captures.btsnoop_packets(log) == captures.count(log, "frame") > 10


async def test_the_yardstick_of_the_benchmarks_still_measures():
    script = ROOT / "Benchmarks" / "bumble_pair.py"
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), "--seconds", "0.05", "--pairs", "2", stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    measured = [json.loads(line) for line in output.splitlines()]
    assert [each["bench"] for each in measured] == [
        "memoryPerPair",
        "read.20",
        "notification.20",
        "writeCommand.20",
        "read.244",
        "notification.244",
        "writeCommand.244",
        "encryptedNotification.20",
        "encryptedNotification.244",
        "discovery",
        "connectDiscoverDisconnect",
        "pairing",
    ]
    assert all(each["value"] > 0 and each["unit"] for each in measured if each["bench"] != "memoryPerPair")
