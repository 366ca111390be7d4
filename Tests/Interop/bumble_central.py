"""A Bumble host as a central: attached to an HCI port, with what it hears kept in queues that tests wait on."""

import asyncio
import struct
from contextlib import asynccontextmanager

from bumble import att
from bumble.core import AdvertisingData
from bumble.device import ConnectionParametersPreferences, Device
from bumble.hci import Address, HCI_LE_Advertising_Report_Event, Phy
from bumble.transport import open_transport

from bluethroat import PATIENCE

# What an iPhone was seen to ask for.
CONNECTION = ConnectionParametersPreferences(
    connection_interval_min=30, connection_interval_max=30, max_latency=0, supervision_timeout=720
)

SCAN_RESPONSE = HCI_LE_Advertising_Report_Event.EventType.SCAN_RSP


@asynccontextmanager
async def attached(hci, number=1):
    """A Bumble host on `tcp:HOST:PORT`, powered on. Each number is another address."""
    transport = await asyncio.wait_for(open_transport(hci.replace("tcp:", "tcp-client:", 1)), PATIENCE)
    async with transport:
        address = Address(f"C0:00:00:00:{number >> 8:02X}:{number & 0xFF:02X}", Address.RANDOM_DEVICE_ADDRESS)
        device = Device.with_hci(f"central {number}", address, transport.source, transport.sink)
        await asyncio.wait_for(device.power_on(), PATIENCE)
        yield Central(device)


class Central:
    def __init__(self, device):
        self.device = device
        self.reports = asyncio.Queue()
        device.host.on("advertising_report", self.reports.put_nowait)

    @property
    def address(self):
        return self.device.random_address.to_string(False)

    @asynccontextmanager
    async def scanning(self, active=True):
        await self.device.start_scanning(legacy=True, active=active, filter_duplicates=False)
        try:
            yield
        finally:
            await self.device.stop_scanning(legacy=True)

    async def report(self, matching, patience=PATIENCE):
        """The next advertising report for which `matching(report)` holds."""
        async with asyncio.timeout(patience):
            while not matching(report := await self.reports.get()):
                pass
            return report

    async def find(self, name, patience=PATIENCE):
        """Scans actively for a name, wherever it stands; returns the address it came from."""
        async with self.scanning():
            return (await self.report(lambda report: local_name(report) == name, patience)).address

    async def connect(self, address, parameters=CONNECTION, patience=PATIENCE):
        connection = await asyncio.wait_for(
            self.device.connect(address, connection_parameters_preferences={Phy.LE_1M: parameters}), patience
        )
        return Peer(connection)

    async def find_and_connect(self, name, **how):
        return await self.connect(await self.find(name), **how)


def local_name(report):
    value = AdvertisingData.from_bytes(report.data).get(AdvertisingData.COMPLETE_LOCAL_NAME, raw=True)
    return value.decode() if value else None


class RawRequest:
    """Bytes to send where Bumble wants a request: what it would never send by itself."""

    name = "RAW_REQUEST"

    def __init__(self, pdu):
        self.pdu = pdu

    def __bytes__(self):
        return self.pdu


class Peer:
    """The other end of a connection, seen through ATT."""

    def __init__(self, connection):
        self.connection = connection
        self.client = connection.gatt_client
        self.disconnected = asyncio.get_running_loop().create_future()
        connection.on(connection.EVENT_DISCONNECTION, self._lost)
        self.values = asyncio.Queue()
        # Every notification in one queue, in the order of arrival: two characteristics may depend on each other.
        self.client.on_att_handle_value_notification = lambda pdu: self.values.put_nowait(
            (pdu.attribute_handle, pdu.attribute_value)
        )

    def _lost(self, reason):
        if not self.disconnected.done():
            self.disconnected.set_result(reason)

    async def request(self, pdu):
        return await asyncio.wait_for(self.client.send_request(pdu), PATIENCE)

    async def error_of(self, pdu):
        """The ATT error code a request is answered with."""
        response = await self.request(pdu)
        assert isinstance(response, att.ATT_Error_Response), f"{pdu} was granted: {response}"
        return response.error_code

    async def read(self, handle):
        return await asyncio.wait_for(self.client.read_value(handle), PATIENCE)

    async def write(self, handle, value):
        await asyncio.wait_for(self.client.write_value(handle, bytes(value), with_response=True), PATIENCE)

    async def write_command(self, handle, value):
        await self.client.write_value(handle, bytes(value), with_response=False)

    async def error_of_read(self, handle):
        return await self.error_of(att.ATT_Read_Request(attribute_handle=handle))

    async def error_of_read_blob(self, handle, offset):
        return await self.error_of(att.ATT_Read_Blob_Request(attribute_handle=handle, value_offset=offset))

    async def error_of_write(self, handle, value):
        return await self.error_of(att.ATT_Write_Request(attribute_handle=handle, attribute_value=bytes(value)))

    async def subscribe(self, cccd):
        await self.write(cccd, struct.pack("<H", 1))

    async def unsubscribe(self, cccd):
        await self.write(cccd, struct.pack("<H", 0))

    async def notification(self, patience=PATIENCE):
        """The next notification, as (handle, value)."""
        return await asyncio.wait_for(self.values.get(), patience)

    async def notifications(self, count, patience=PATIENCE):
        return [await self.notification(patience) for _ in range(count)]

    async def disconnect(self):
        await asyncio.wait_for(self.connection.disconnect(), PATIENCE)

    async def loss(self, patience=PATIENCE):
        """Waits for the link to end; the HCI reason."""
        return await asyncio.wait_for(asyncio.shield(self.disconnected), patience)
