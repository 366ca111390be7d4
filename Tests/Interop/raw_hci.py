"""A host made of bytes: H4 packets over TCP and nothing that is clever about them.

What a controller promises is best asked without a stack in between, which would hide the packets that are wrong and
never send the ones that matter.
"""

import asyncio
import struct
from contextlib import asynccontextmanager

from bluethroat import PATIENCE

# Opcodes, Core Specification Vol 4, Part E, 7.
DISCONNECT = 0x0406
READ_REMOTE_VERSION = 0x041D
SET_EVENT_MASK = 0x0C01
RESET = 0x0C03
READ_TRANSMIT_POWER_LEVEL = 0x0C2D
SET_EVENT_MASK_PAGE_2 = 0x0C63
READ_LOCAL_VERSION = 0x1001
READ_LOCAL_SUPPORTED_COMMANDS = 0x1002
READ_LOCAL_SUPPORTED_FEATURES = 0x1003
READ_BUFFER_SIZE = 0x1005
READ_BD_ADDR = 0x1009
READ_RSSI = 0x1405
READ_AUTHENTICATED_PAYLOAD_TIMEOUT = 0x0C7B
WRITE_AUTHENTICATED_PAYLOAD_TIMEOUT = 0x0C7C
LE_SET_EVENT_MASK = 0x2001
LE_READ_BUFFER_SIZE = 0x2002
LE_READ_LOCAL_FEATURES = 0x2003
LE_SET_RANDOM_ADDRESS = 0x2005
LE_SET_ADVERTISING_PARAMETERS = 0x2006
LE_READ_ADVERTISING_TX_POWER = 0x2007
LE_SET_ADVERTISING_DATA = 0x2008
LE_SET_SCAN_RESPONSE_DATA = 0x2009
LE_SET_ADVERTISING_ENABLE = 0x200A
LE_SET_SCAN_PARAMETERS = 0x200B
LE_SET_SCAN_ENABLE = 0x200C
LE_CREATE_CONNECTION = 0x200D
LE_CREATE_CONNECTION_CANCEL = 0x200E
LE_READ_ACCEPT_LIST_SIZE = 0x200F
LE_CLEAR_ACCEPT_LIST = 0x2010
LE_ADD_TO_ACCEPT_LIST = 0x2011
LE_REMOVE_FROM_ACCEPT_LIST = 0x2012
LE_CONNECTION_UPDATE = 0x2013
LE_SET_HOST_CHANNEL_CLASSIFICATION = 0x2014
LE_READ_CHANNEL_MAP = 0x2015
LE_READ_REMOTE_FEATURES = 0x2016
LE_ENCRYPT = 0x2017
LE_RAND = 0x2018
LE_ENABLE_ENCRYPTION = 0x2019
LE_LONG_TERM_KEY_REPLY = 0x201A
LE_LONG_TERM_KEY_NEGATIVE_REPLY = 0x201B
LE_READ_SUPPORTED_STATES = 0x201C
LE_PARAMETER_REQUEST_REPLY = 0x2020
LE_PARAMETER_REQUEST_NEGATIVE_REPLY = 0x2021
LE_SET_DATA_LENGTH = 0x2022
LE_READ_DEFAULT_DATA_LENGTH = 0x2023
LE_WRITE_DEFAULT_DATA_LENGTH = 0x2024
LE_READ_LOCAL_P256_PUBLIC_KEY = 0x2025
LE_GENERATE_DHKEY = 0x2026
LE_ADD_TO_RESOLVING_LIST = 0x2027
LE_REMOVE_FROM_RESOLVING_LIST = 0x2028
LE_CLEAR_RESOLVING_LIST = 0x2029
LE_READ_RESOLVING_LIST_SIZE = 0x202A
LE_READ_PEER_RESOLVABLE_ADDRESS = 0x202B
LE_READ_LOCAL_RESOLVABLE_ADDRESS = 0x202C
LE_SET_ADDRESS_RESOLUTION_ENABLE = 0x202D
LE_SET_RESOLVABLE_ADDRESS_TIMEOUT = 0x202E
LE_READ_MAXIMUM_DATA_LENGTH = 0x202F
LE_READ_TRANSMIT_POWER = 0x204B
LE_SET_PRIVACY_MODE = 0x204E
LE_GENERATE_DHKEY_V2 = 0x205E

# Events, and subevents of LE Meta.
DISCONNECTION_COMPLETE = 0x05
ENCRYPTION_CHANGE = 0x08
READ_REMOTE_VERSION_COMPLETE = 0x0C
COMMAND_COMPLETE = 0x0E
COMMAND_STATUS = 0x0F
HARDWARE_ERROR = 0x10
COMPLETED_PACKETS = 0x13
DATA_BUFFER_OVERFLOW = 0x1A
ENCRYPTION_KEY_REFRESH_COMPLETE = 0x30
LE_META = 0x3E
AUTHENTICATED_PAYLOAD_TIMEOUT_EXPIRED = 0x57
CONNECTION_COMPLETE = 0x01
ADVERTISING_REPORT = 0x02
CONNECTION_UPDATE_COMPLETE = 0x03
REMOTE_FEATURES_COMPLETE = 0x04
LONG_TERM_KEY_REQUEST = 0x05
PARAMETER_REQUEST = 0x06
DATA_LENGTH_CHANGE = 0x07
P256_PUBLIC_KEY_COMPLETE = 0x08
DHKEY_COMPLETE = 0x09
ENHANCED_CONNECTION_COMPLETE = 0x0A
DIRECTED_ADVERTISING_REPORT = 0x0B
CHANNEL_SELECTION_ALGORITHM = 0x14

# Advertising types as set, and event types as reported.
ADV_IND, ADV_DIRECT_HIGH, ADV_SCAN, ADV_NONCONN, ADV_DIRECT_LOW = range(5)
REPORT_IND, REPORT_DIRECT, REPORT_SCAN, REPORT_NONCONN, REPORT_SCAN_RESPONSE = range(5)

# Fixed L2CAP channels.
ATT, SIGNALLING, SECURITY = 4, 5, 6

# How long to listen for something that must not come, or that comes again and again, in seconds.
A_WHILE = 0.5

ALL_EVENTS = b"\xff" * 8
NO_ADDRESS = bytes(6)


class Report:
    """One device in an LE Advertising Report."""

    def __init__(self, body):
        self.type, self.address_type, self.address = body[2], body[3], bytes(body[4:10])
        self.data = bytes(body[11 : 11 + body[10]])
        (self.rssi,) = struct.unpack_from("b", body, 11 + body[10])

    def __repr__(self):
        return f"Report({self.type}, {self.address_type}, {self.address.hex()}, {self.data.hex()}, {self.rssi})"


def kinds(reports):
    return {report.type for report in reports}


class Link:
    """An LE Connection Complete, plain or enhanced."""

    def __init__(self, body):
        self.body = bytes(body)
        self.subevent, self.status = body[0], body[1]
        self.handle = struct.unpack_from("<H", body, 2)[0]
        self.role, self.peer_type, self.peer = body[4], body[5], bytes(body[6:12])
        enhanced = self.subevent == ENHANCED_CONNECTION_COMPLETE
        at = 24 if enhanced else 12
        # The resolvable private addresses that were in use, or zeros; only the enhanced event has them.
        self.local_private = bytes(body[12:18]) if enhanced else None
        self.peer_private = bytes(body[18:24]) if enhanced else None
        self.interval, self.latency, self.timeout, self.accuracy = struct.unpack_from("<HHHB", body, at)


def handle_bytes(link):
    """The connection handle, as it stands in packets."""
    return struct.pack("<H", link.handle)


class RawHost:
    """One connection to the HCI port. Events are kept in the order of arrival, and each is taken once."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.events = []  # (code, parameters)
        self.data = []  # (handle, boundary flag, bytes)
        self.credits = {}
        self._news = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())
        self.address = None

    async def _listen(self):
        try:
            while True:
                kind = (await self.reader.readexactly(1))[0]
                if kind == 4:
                    code, length = await self.reader.readexactly(2)
                    body = await self.reader.readexactly(length)
                    if code == COMPLETED_PACKETS:
                        for index in range(body[0]):
                            handle, count = struct.unpack_from("<HH", body, 1 + 4 * index)
                            self.credits[handle] = self.credits.get(handle, 0) + count
                    self.events.append((code, body))
                elif kind == 2:
                    handle, length = struct.unpack("<HH", await self.reader.readexactly(4))
                    self.data.append((handle & 0xFFF, handle >> 12, await self.reader.readexactly(length)))
                else:
                    raise AssertionError(f"a controller sent H4 type {kind}")
                self._news.set()
        except (asyncio.IncompleteReadError, ConnectionError):
            self._news.set()

    @property
    def is_closed(self):
        return self._listening.done()

    async def until(self, condition, wanted, patience=PATIENCE):
        deadline = asyncio.get_running_loop().time() + patience
        while (result := condition()) is None:
            left = deadline - asyncio.get_running_loop().time()
            assert left > 0 and not self.is_closed, f"no {wanted}; {self.story()}"
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), left)
            except TimeoutError:
                pass
        return result

    def story(self):
        return "events waiting: " + ", ".join(f"{code:02X}:{body.hex()}" for code, body in self.events[-20:])

    def take(self, matching):
        for index, (code, body) in enumerate(self.events):
            if matching(code, body):
                return self.events.pop(index)[1]
        return None

    async def event(self, code, matching=lambda body: True, patience=PATIENCE):
        return await self.until(
            lambda: self.take(lambda c, b: c == code and matching(b)), f"event 0x{code:02X}", patience
        )

    async def le_event(self, subevent, matching=lambda body: True, patience=PATIENCE):
        return await self.event(LE_META, lambda body: body[0] == subevent and matching(body), patience)

    def waiting(self, code, subevent=None):
        """Events of this kind that have come and were not taken."""
        return [body for c, body in self.events if c == code and subevent in (None, body[0] if body else None)]

    def forget(self):
        self.events.clear()
        self.data.clear()

    def write(self, opcode, parameters=b""):
        self.writer.write(b"\x01" + struct.pack("<HB", opcode, len(parameters)) + parameters)

    async def ask(self, opcode, parameters=b"", patience=PATIENCE):
        """Sends a command; the answer as (event code, return parameters, or the status of a Command Status)."""
        self.write(opcode, parameters)
        number = struct.pack("<H", opcode)

        def answer():
            for index, (code, body) in enumerate(self.events):
                if code == COMMAND_COMPLETE and body[1:3] == number:
                    del self.events[index]
                    return code, body[3:]
                if code == COMMAND_STATUS and body[2:4] == number:
                    del self.events[index]
                    return code, body[:1]
            return None

        return await self.until(answer, f"answer to command 0x{opcode:04X}", patience)

    async def status(self, opcode, parameters=b""):
        return (await self.ask(opcode, parameters))[1][0]

    async def do(self, opcode, parameters=b""):
        """A command that must succeed; its return parameters after the status."""
        code, returned = await self.ask(opcode, parameters)
        assert returned[0] == 0, f"command 0x{opcode:04X} was refused with 0x{returned[0]:02X}"
        return returned[1:]

    async def start(self):
        await self.do(RESET)
        # All of them, LE Meta too.
        await self.do(SET_EVENT_MASK, ALL_EVENTS)
        await self.do(LE_SET_EVENT_MASK, struct.pack("<Q", 0x1F | 0x60))
        self.address = await self.do(READ_BD_ADDR)

    # Frequent things

    async def advertise(
        self, kind=ADV_IND, data=b"", interval=0x20, peer=NO_ADDRESS, peer_type=0, own_type=0, channels=7, policy=0,
        response=b"",
    ):  # fmt: skip
        await self.do(
            LE_SET_ADVERTISING_PARAMETERS,
            advertising_parameters(kind, interval, interval, own_type, peer_type, peer, channels, policy),
        )
        await self.do(LE_SET_ADVERTISING_DATA, bytes([len(data)]) + data.ljust(31, b"\0"))
        await self.do(LE_SET_SCAN_RESPONSE_DATA, bytes([len(response)]) + response.ljust(31, b"\0"))
        await self.do(LE_SET_ADVERTISING_ENABLE, b"\1")

    async def stop_advertising(self):
        await self.do(LE_SET_ADVERTISING_ENABLE, b"\0")

    async def scan(self, active=False, duplicates=False, interval=16, window=16, own_type=0, policy=0):
        await self.do(LE_SET_SCAN_PARAMETERS, struct.pack("<BHHBB", active, interval, window, own_type, policy))
        await self.do(LE_SET_SCAN_ENABLE, bytes([1, not duplicates]))

    async def stop_scanning(self):
        await self.do(LE_SET_SCAN_ENABLE, b"\0\0")

    def reports(self, address=None):
        """Takes all advertising reports that have come."""
        found = [Report(body) for body in self.waiting(LE_META, ADVERTISING_REPORT)]
        self.events = [(c, b) for c, b in self.events if not (c == LE_META and b[0] == ADVERTISING_REPORT)]
        return [report for report in found if address in (None, report.address)]

    async def heard(self, address=None, seconds=A_WHILE, wanted=lambda reports: True, **how):
        """What a scan of this length reports, of one device if that is said. On a busy machine it is longer, until there
        is what is wanted."""
        self.reports()
        await self.scan(**{"duplicates": True, **how})
        await asyncio.sleep(seconds)
        found = []

        def more():
            found.extend(self.reports(address))
            return wanted(found) or None

        await self.until(more, "wanted reports")
        await self.stop_scanning()
        return found + self.reports(address)

    async def report(self, matching=lambda report: True, patience=PATIENCE):
        return Report(await self.le_event(ADVERTISING_REPORT, lambda body: matching(Report(body)), patience))

    async def connection(self, patience=PATIENCE):
        def look():
            return self.take(
                lambda c, b: c == LE_META and b[0] in (CONNECTION_COMPLETE, ENHANCED_CONNECTION_COMPLETE)
            )

        return Link(await self.until(look, "connection complete", patience))

    async def connect(self, address, interval=12, latency=0, timeout=100, **how):
        code, returned = await self.ask(LE_CREATE_CONNECTION, create_connection(address, interval, latency, timeout, **how))
        assert (code, returned) == (COMMAND_STATUS, b"\0"), f"create connection: {returned.hex()}"

    def send(self, handle, payload, flag=0):
        self.writer.write(b"\x02" + struct.pack("<HH", handle | flag << 12, len(payload)) + payload)

    def send_l2cap(self, handle, channel, payload):
        self.send(handle, struct.pack("<HH", len(payload), channel) + payload)

    async def acl(self, patience=PATIENCE):
        return await self.until(lambda: self.data.pop(0) if self.data else None, "ACL data", patience)


class Bearer:
    """L2CAP over a raw link: whole PDUs in and out."""

    def __init__(self, host, link, harmless=b"\x02\x17\x00"):
        self.host, self.link = host, link
        self.harmless = harmless  # a request that can be answered at any time
        self.rest = b""

    async def receive(self, patience=PATIENCE):
        while len(self.rest) < 4 or len(self.rest) < 4 + struct.unpack_from("<H", self.rest)[0]:
            _, flag, data = await self.host.acl(patience)
            self.rest = data if flag == 2 else self.rest + data
        length, channel = struct.unpack_from("<HH", self.rest)
        payload, self.rest = self.rest[4 : 4 + length], self.rest[4 + length :]
        return channel, payload

    def send(self, payload, channel=ATT):
        self.host.send_l2cap(self.link.handle, channel, payload)

    async def ask(self, request):
        self.send(request)
        channel, answer = await self.receive()
        assert channel == ATT
        return answer

    async def refused(self, request, code, handle):
        answer = await self.ask(request)
        assert answer == struct.pack("<BBHB", 1, request[0], handle, code), f"{request.hex()}: {answer.hex()}"

    async def ignored(self, payload, channel=ATT):
        """The next answer is one to the request behind it."""
        self.send(payload, channel)
        assert (await self.ask(self.harmless))[0] == self.harmless[0] + 1, f"{payload.hex()} on {channel} was answered"


def advertising_parameters(
    kind=ADV_IND, least=0x20, most=0x20, own_type=0, peer_type=0, peer=NO_ADDRESS, channels=7, policy=0
):
    return struct.pack("<HHBBB6sBB", least, most, kind, own_type, peer_type, peer, channels, policy)


def create_connection(
    address=NO_ADDRESS, interval=12, latency=0, timeout=100, *, peer_type=0, own_type=0, policy=0, scan=16, window=16,
    most=None,
):  # fmt: skip
    return struct.pack(
        "<HHBB6sBHHHHHH", scan, window, policy, peer_type, address, own_type, interval, most or interval, latency,
        timeout, 0, 0,
    )  # fmt: skip


@asynccontextmanager
async def raw_host(port, started=True):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    host = RawHost(reader, writer)
    try:
        if started:
            await host.start()
        yield host
    finally:
        writer.close()
        host._listening.cancel()


async def listen_to_everything(*hosts):
    for host in hosts:
        await host.do(LE_SET_EVENT_MASK, ALL_EVENTS)
        await host.do(SET_EVENT_MASK_PAGE_2, ALL_EVENTS)


@asynccontextmanager
async def raw_hosts(port, count):
    """Several of them on the same air."""
    from contextlib import AsyncExitStack

    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(raw_host(port)) for _ in range(count)]


async def linked(central, peripheral, **how):
    """Connects two hosts; the link as each of them sees it."""
    await peripheral.advertise()
    await central.connect(peripheral.address, **how)
    ours, theirs = await central.connection(), await peripheral.connection()
    assert ours.status == theirs.status == 0
    return ours, theirs
