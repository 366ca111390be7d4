"""The whole package with a Bumble host under test, in virtual time and in real time."""

import asyncio

import pytest
from bumble_host import BATTERY, KEYS, characteristic, connected, host_on, lamp

import bluethroat

both_times = pytest.mark.parametrize("virtual", [True, False], ids=["virtual", "real"])


@both_times
def test_a_host_under_test_connects_reads_and_hears_the_keys(start_air, virtual):
    air = start_air(virtual=virtual)

    async def scenario():
        async with host_on(air) as host:
            peer = await connected(air, host)
            air.fob.set_battery(60)
            assert await air.run(peer.read_value(characteristic(peer, BATTERY))) in (b"\x3c", b"\x64")
            heard = []
            await air.run(peer.subscribe(characteristic(peer, KEYS), heard.append))
            assert air.fob.press("left")["keys"] == {"left": True, "right": False}
            await air.until_async(lambda: heard == [b"\x01"])
            air.fob.press("left", "right")
            await air.until_async(lambda: heard == [b"\x01", b"\x03"])
            air.fob.release()
            await air.until_async(lambda: heard[-1] == b"\x00")
            assert air.fob.state()["connections"][0]["subscriptions"]

    asyncio.run(scenario())


@both_times
def test_a_fob_that_is_carried_away_loses_the_link(start_air, virtual):
    air = start_air(virtual=virtual)

    async def scenario():
        async with host_on(air) as host:
            connection = await air.run(host.connect(air.fob.bumble))
            reasons = []
            connection.on("disconnection", reasons.append)
            air.fob.move(x=5_000)
            # 0x08: connection timeout.
            await air.until_async(lambda: reasons == [0x08], within=30)
            air.fob.move(x=1)
            (client,) = [device for device in air.devices() if device["kind"] == "client"]
            air.move(client["device"], y=5_000)
            assert air.fob.state()["x"] == 1

    asyncio.run(scenario())


@pytest.mark.air(virtual=True)
def test_a_host_outside_keeps_up_with_virtual_time(air):
    """Ten minutes at once, and no link is lost: the host answers each time before time goes on."""

    async def scenario():
        async with host_on(air) as host:
            peer = await connected(air, host)
            lost = []
            peer.connection.on("disconnection", lost.append)
            begin = air.now
            await air.advance_async(600)
            assert air.now == pytest.approx(begin + 600)
            assert lost == []
            assert await air.run(peer.read_value(characteristic(peer, BATTERY))) == b"\x64"

    asyncio.run(scenario())


def test_what_a_host_answers_is_on_the_air_at_the_instant_of_the_question(start_air):
    """A ping-pong that takes a connection event a turn: with time that waits for nobody, the host is late."""

    def reads(host_seconds):
        air = start_air(virtual=True)

        async def scenario():
            async with host_on(air) as host:
                peer = await connected(air, host)
                level = characteristic(peer, BATTERY)
                count = 0

                async def read_for_ever():
                    nonlocal count
                    while True:
                        await peer.read_value(level)
                        count += 1

                reading = asyncio.create_task(read_for_ever())
                await air.advance_async(3, host_seconds=host_seconds)
                reading.cancel()
                return count

        return asyncio.run(scenario())

    patient, hasty = reads(0.02), reads(0)
    # One request and its answer take two connection events of at most 50 ms.
    assert patient >= 3 / 0.1
    assert hasty <= 1


@both_times
def test_a_peripheral_under_test_is_found_read_and_written(start_air, virtual):
    air = start_air(virtual=virtual)

    async def scenario():
        async with host_on(air) as host:
            values = [b"off"]
            service, level = lamp(values)
            host.add_service(service)
            await host.start_advertising(advertising_data=bytes([5, 9]) + b"Lamp", auto_restart=True)
            central = air.add_central()
            assert await asyncio.to_thread(central.find, "Lamp") == "F0:F1:F2:F3:F4:F5"
            link = await asyncio.to_thread(central.connect, "F0:F1:F2:F3:F4:F5")
            assert await asyncio.to_thread(link.read, "A5E1") == b"off"
            await asyncio.to_thread(link.write, "A5E1", b"on")
            assert values == [b"off", b"on"]
            await asyncio.to_thread(link.subscribe, "2A19")
            await host.notify_subscribers(level, b"\x32")
            await air.until_async(lambda: link.received("2A19") == [b"\x32"])
            link.disconnect()
            await air.until_async(lambda: not host.connections)
            with pytest.raises(bluethroat.BluethroatError, match="0 characteristics"):
                link.read("2A99")

    asyncio.run(scenario())


@pytest.mark.air(virtual=True)
def test_packets_are_read_field_by_field_and_saved_for_wireshark(air, tmp_path):
    air.advance(1)
    packets = air.packets()
    assert packets and {packet["kind"] for packet in packets} == {"advertising"}
    first = packets[0]
    assert 0 <= first["time"] < 1 and first["channel"] in (37, 38, 39) and first["device"] == air.fob.device
    detail = air.packet(first["number"])
    assert detail["time"] == first["time"]
    assert bytes.fromhex(detail["bytes"])[:4] == bytes.fromhex("d6be898e")
    assert air.packets(after=packets[-1]["number"]) == []
    air.advance(1)
    assert all(packet["time"] >= 0.9 for packet in air.packets(after=packets[-1]["number"]))
    # A section header of pcapng.
    assert air.save_capture(tmp_path / "air.pcapng").read_bytes()[:4] == bytes.fromhex("0a0d0d0a")


def test_the_same_seed_and_the_same_orders_give_the_same_packets(start_air):
    def bytes_of(seed):
        air = start_air(virtual=True, seed=seed)
        air.advance(2, host_seconds=0)
        return [(packet["time"], packet["channel"], packet["text"]) for packet in air.packets()]

    assert bytes_of(7) == bytes_of(7) != bytes_of(8)


@pytest.mark.air(virtual=True)
def test_fobs_come_and_go_and_lose_their_power(air):
    second = air.add_fob(name="second", x=3)
    assert second.state()["x"] == 3 and second.state()["name"] == "second"
    assert not second.set_power(False)["isPowered"]
    assert second.set_power(True)["isPowered"]
    assert not air.fob.advertise(False)["advertising"]["isOn"]
    assert air.fob.tilt(0, 0.5, -0.8)["device"] == 0
    second.remove()
    with pytest.raises(bluethroat.PanelRefused, match="no device") as refusal:
        second.state()
    assert (refusal.value.status, refusal.value.code) == (404, "no-such-device")


@pytest.mark.air(virtual=True)
def test_time_passes_until_a_condition_holds_or_not(air):
    air.until(lambda: air.now >= 0.5)
    assert air.now == pytest.approx(0.5)
    with pytest.raises(TimeoutError, match="after 0.2 s"):
        air.until(lambda: False, within=0.2)
    assert air.now == pytest.approx(0.7)


@pytest.mark.air(virtual=True)
def test_work_that_is_not_done_in_time_is_cancelled(air):
    cancelled = []

    async def never():
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    with pytest.raises(TimeoutError, match="not done after 0.2 s"):
        asyncio.run(air.run(never(), within=0.2))
    assert cancelled == [True]


@pytest.mark.air(virtual=True)
def test_time_that_waits_for_a_host_does_not_block_the_loop_that_the_host_is_in(air):
    async def scenario():
        with pytest.raises(bluethroat.BluethroatError, match="advance_async"):
            air.advance(1)
        with pytest.raises(bluethroat.BluethroatError, match="until_async"):
            air.until(lambda: True)
        air.advance(1, host_seconds=0)

    asyncio.run(scenario())
    assert air.now == 1


def test_where_time_is_real_it_cannot_be_let_pass(air):
    with pytest.raises(bluethroat.PanelRefused, match="--virtual-time"):
        air.advance(1)


def test_other_devices_have_their_air(start_air):
    air = start_air(device="sensortag", virtual=True)
    air.advance(1)
    assert air.packets()
    assert air.request("GET", "/api/devices")["devices"]
