"""Our commands as the central of a fob that Bumble plays: what they read, write and hear does not depend on whose fob it is."""

import contextlib

import keyfob_table as table
import pytest
from bluethroat import PATIENCE, KeyFob, Process, command
from bumble.transport import open_transport
from bumble_keyfob import BumbleKeyFob

ADDRESS = "F0:00:00:00:00:77"


@contextlib.asynccontextmanager
async def foreign_fob(scan_response=table.SCAN_RESPONSE):
    """An air with a silent fob of ours on it, and Bumble's, with what is written to that."""
    async with KeyFob("--wait") as air:
        async with await open_transport(air.hci.replace("tcp:", "tcp-client:")) as transport:
            written = []
            fob = BumbleKeyFob(
                transport.source, transport.sink, ADDRESS, changed=lambda handle, value: written.append((handle, value))
            )
            await fob.start(scan_response=scan_response)
            yield air, fob, written


async def run(air, *arguments):
    return await command(*arguments, "--hci", air.hci, "--json")


async def test_every_value_of_a_foreign_fob_is_read_and_none_is_waited_for():
    async with foreign_fob() as (air, fob, _):
        inspected = await run(air, "inspect", table.NAME)
        assert inspected.code == 0, inspected.story
        fob.values[table.X].bytes = b"\x3f"
        for attribute, value in (("FFA3", "3f"), ("FFE1", "00"), ("2A03", "000000000000"), ("FFA2", "1400"), ("2A19", "64")):
            answer = await run(air, "read", table.NAME, attribute)
            assert answer.code == 0 and answer.one("value")["value"] == value, answer.story


async def test_what_is_enabled_and_what_is_heard_are_in_one_connection_with_a_foreign_fob():
    async with foreign_fob() as (air, fob, written):
        connections = []
        fob.device.on("connection", connections.append)
        words = ("FFA3", "--write", "FFA1=05", "--write", "1803/2A06=02", "--count", "2", "--hci", air.hci, "--json")
        async with Process("subscribe", table.NAME, *words) as central:
            await central.event("subscribed", uuid="FFA3")
            for x in (20, 40):
                await fob.notify(table.X, bytes([x]))
                assert (await central.event("notification"))["value"] == f"{x:02x}"
            assert await central.exit_code() == 0, central.story()
        assert written == [(table.ACCELEROMETER_ENABLE, b"\x05"), (table.LINK_LOSS_ALERT, b"\x02")]
        assert len(connections) == 1


async def test_a_refusal_of_a_foreign_fob_is_said_with_its_error():
    async with foreign_fob() as (air, _, written):
        answer = await run(air, "write", table.NAME, "1803/2A06", "03")
        assert answer.code == 1 and answer.one("error")["attError"] == 0x80 and written == [], answer.story


@pytest.mark.parametrize("shown", [b"Keyfobde", b"Keyfobdemo"])
async def test_a_foreign_fob_is_found_by_its_whole_name_however_much_of_it_is_on_the_air(shown):
    kind = 9 if shown == b"Keyfobdemo" else 8
    async with foreign_fob(scan_response=bytes([len(shown) + 1, kind]) + shown) as (air, _, _):
        answer = await run(air, "read", "Keyfobdemo", "2A19")
        assert answer.code == 0, answer.story


async def test_a_foreign_fob_that_does_not_answer_is_given_up_by_a_hint_that_fits():
    async with foreign_fob() as (air, fob, _):
        await fob.device.stop_advertising()
        answer = await run(air, "read", ADDRESS, "2A19", "--timeout", "2")
        assert answer.code == 3 and len(answer.errors) == 1, answer.story
        assert "right key" not in answer.errors[0] and ADDRESS in answer.errors[0], answer.story


async def test_our_central_and_a_foreign_fob_notice_when_the_other_is_gone():
    async with foreign_fob() as (air, fob, _):
        async with Process("subscribe", table.NAME, "FFE1", "--hci", air.hci, "--json") as central:
            await central.event("subscribed", uuid="FFE1")
            (connection,) = fob.device.connections.values()
            await connection.disconnect()
            assert await central.exit_code(PATIENCE) == 1 and central.errors, central.story()
