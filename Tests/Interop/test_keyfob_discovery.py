"""A Bumble host finds the fob and reads it from end to end: nothing tells it from the hardware."""

import keyfob_table as table
import pytest
from bluethroat import KeyFob
from bumble import att
from bumble.core import UUID
from bumble.hci import Address, HCI_LE_Advertising_Report_Event
from bumble_central import SCAN_RESPONSE, RawRequest, attached

ADV_IND = HCI_LE_Advertising_Report_Event.EventType.ADV_IND


def short(uuid):
    return uuid.to_hex_str().upper()


async def test_advertises_and_answers_scan_requests_byte_for_byte():
    async with KeyFob() as fob, attached(fob.hci) as central, central.scanning():

        def from_fob(kind):
            return lambda report: (report.address.to_string(False) == fob.address and report.event_type == kind)

        advertisement = await central.report(from_fob(ADV_IND))
        response = await central.report(from_fob(SCAN_RESPONSE))

        assert bytes(advertisement.data) == table.ADVERTISING_DATA
        assert bytes(response.data) == table.SCAN_RESPONSE
        assert advertisement.address.address_type == Address.PUBLIC_DEVICE_ADDRESS
        # A metre or so away, at 0 dBm: loud, and not impossibly so.
        assert -90 <= advertisement.rssi <= -20


async def test_a_passive_scanner_hears_no_scan_response():
    async with KeyFob() as fob, attached(fob.hci) as central, central.scanning(active=False):
        reports = [await central.report(lambda report: True) for _ in range(5)]
        assert {report.event_type for report in reports} == {ADV_IND}


async def test_is_found_by_name():
    async with KeyFob() as fob, attached(fob.hci) as central:
        assert (await central.find(table.NAME)).to_string(False) == fob.address


async def test_distance_is_heard():
    async def rssi(metres):
        async with KeyFob("--distance", str(metres)) as fob, attached(fob.hci) as central, central.scanning():
            return (await central.report(lambda report: True)).rssi

    near, far = await rssi(1), await rssi(10)
    assert near > far


async def test_the_table_is_identical_handle_by_handle():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)

        attributes = await peer.client.discover_attributes()
        assert [(attribute.handle, short(attribute.type)) for attribute in attributes] == list(table.attributes())

        services = await peer.client.discover_services()
        expected = [(service.handle, service.end, service.uuid) for service in table.SERVICES]
        found = [(service.handle, service.end_group_handle, short(service.uuid)) for service in services]
        # A server may say that its last service goes on to the last handle there is.
        last = table.SERVICES[-1]
        assert found in (expected, [*expected[:-1], (last.handle, 0xFFFF, last.uuid)])

        for entry, service in zip(table.SERVICES, services):
            assert await peer.client.discover_included_services(service) == []
            found = await peer.client.discover_characteristics([], service)
            assert [(c.handle, short(c.uuid), int(c.properties)) for c in found] == [
                (c.value_handle, c.uuid, c.properties) for c in entry.characteristics
            ]
            service.end_group_handle = entry.end
            found[-1].end_group_handle = entry.end
            for expected, characteristic in zip(entry.characteristics, found):
                descriptors = await peer.client.discover_descriptors(characteristic)
                assert [(d.handle, short(d.type)) for d in descriptors] == [
                    (d.handle, d.uuid) for d in expected.descriptors
                ]


async def test_every_readable_value_byte_for_byte():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        found = [(handle, await peer.read(handle)) for handle, _ in table.values(fob.address)]
        assert found == list(table.values(fob.address))


@pytest.mark.parametrize(("arguments", "expected"), [((), 23), (("--mtu", "185"), 185), (("--mtu", "517"), 517)])
async def test_the_mtu_is_that_of_tis_stack_or_what_was_asked_for(arguments, expected):
    async with KeyFob(*arguments) as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        assert await peer.client.request_mtu(517) == expected
        found = [(handle, await peer.read(handle)) for handle, _ in table.values(fob.address)]
        assert found == list(table.values(fob.address))


@pytest.mark.parametrize(
    ("arguments", "more"), [([], []), (["--as-source"], table.UNREADABLE_ON_THE_BOARD), (["--as-article"], [])]
)
async def test_values_without_read_permission_are_refused(arguments, more):
    async with KeyFob(*arguments) as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        handles = [*table.refused(), *more]
        assert {handle: await peer.error_of_read(handle) for handle in handles} == {handle: 0x02 for handle in handles}


async def test_x_y_and_z_are_read_and_any_byte_but_0_enables_them():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        await fob.obey("t 10 -20 56")
        await peer.subscribe(table.Z_CCCD)
        await peer.write(table.ACCELEROMETER_ENABLE, b"\x05")
        await fob.event("accelerometer", enabled=True)
        assert await peer.read(table.ACCELEROMETER_ENABLE) == b"\x01"
        # The last axis of the first sample.
        assert await peer.notification() == (table.Z, b"\x38")
        found = [await peer.read(handle) for handle in (table.X, table.Y, table.Z)]
        assert found == [b"\x0a", b"\xec", b"\x38"]
        await peer.write(table.ACCELEROMETER_ENABLE, b"\x00")
        await fob.event("accelerometer", enabled=False)


async def test_the_reconnection_address_is_zeros_and_not_written_without_security():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        assert await peer.read(table.RECONNECTION_ADDRESS) == bytes(6)
        assert await peer.error_of_write(0x0009, bytes(6)) == 0x05


async def test_beyond_the_table_there_is_nothing():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        assert await peer.error_of_read(0x004A) == 0x01
        assert await peer.error_of_read(0xFFFF) == 0x01
        assert await peer.error_of_write(0x004A, b"\x00") == 0x01
        # Searching past the end finds nothing, and a range the wrong way round is an invalid handle.
        search = att.ATT_Find_Information_Request(starting_handle=0x004A, ending_handle=0xFFFF)
        assert await peer.error_of(search) == 0x0A
        backwards = att.ATT_Find_Information_Request(starting_handle=0x0002, ending_handle=0x0001)
        assert await peer.error_of(backwards) == 0x01


async def test_a_service_is_found_by_its_uuid():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        for entry in table.SERVICES:
            [service] = await peer.client.discover_service(UUID(entry.uuid))
            assert service.handle == entry.handle


async def test_values_are_read_by_type():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        [battery] = await peer.client.read_characteristics_by_uuid(UUID("2A19"), None)
        assert battery == b"\x64"


@pytest.mark.parametrize("offset", [1, 2])
async def test_a_short_value_is_not_long(offset):
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        assert await peer.error_of_read_blob(table.BATTERY, offset) == 0x0B


async def test_a_long_read_goes_on_where_it_is_told():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        rest = await peer.request(att.ATT_Read_Blob_Request(attribute_handle=0x0003, value_offset=7))
        assert rest.part_attribute_value == b"Keyfob"
        assert await peer.error_of_read_blob(0x0003, len(b"TI BLE Keyfob") + 1) == 0x07


async def test_an_unknown_request_is_refused_and_an_unknown_command_ignored():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        # Nobody has defined 0x3E; 0x7E is the same with the command bit, and gets no answer.
        peer.client.send_gatt_pdu(b"\x7e")
        response = await peer.request(RawRequest(b"\x3e"))
        assert (response.request_opcode_in_error, response.error_code) == (0x3E, 0x06)


async def test_truncated_requests_are_refused_and_do_no_harm():
    async with KeyFob() as fob, attached(fob.hci) as central:
        peer = await central.find_and_connect(table.NAME)
        whole = bytes(
            att.ATT_Read_By_Type_Request(starting_handle=1, ending_handle=0xFFFF, attribute_type=UUID("2803"))
        )
        for length in range(1, len(whole)):
            response = await peer.request(RawRequest(whole[:length]))
            assert (response.request_opcode_in_error, response.error_code) == (whole[0], 0x04), f"{length} bytes"
        assert await peer.read(0x0003) == b"TI BLE Keyfob"
