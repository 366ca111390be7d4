"""A relay of the workstation login: two Bumble devices on two airs, joined by a line that takes its time.

One stands in front of a phone and shows what a desk shows; the other stands in front of the desk, in the phone's place.
They pair with their neighbours, and pass on what is written and notified as it is."""

import asyncio
from contextlib import asynccontextmanager

from bluethroat import PATIENCE
from bumble.att import Attribute, AttributeValue
from bumble.core import UUID
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR, Characteristic, Descriptor, Service
from bumble_pairing import YES_NO, Person, pairing_device

DESK_SERVICE = UUID("A2CB8C37-6F51-4315-8DF3-0924E0F0B9DB")
IDENTITY = UUID("0377DABF-28F2-4F8E-BB1A-66E21F934249")
EXCHANGE = UUID("F936A893-7135-43F0-B03E-85B678682C59")
# Both links have to take packets of the same length.
MTU = 517
CONFIGURATION = GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR


async def advertise_as_desk(device, digits):
    """Advertises what a phone looks for: the desk's service and its digits."""
    name = f"GM {digits}".encode()
    await device.start_advertising(
        advertising_data=b"\x02\x01\x06\x11\x07" + bytes(DESK_SERVICE) + bytes([len(name) + 1, 9]) + name,
        advertising_interval_min=30,
        advertising_interval_max=30,
        auto_restart=False,
    )


class Line:
    """Takes packets from one end to the other, in order, each after the same delay in seconds."""

    def __init__(self, delay, arrive):
        self.delay, self.arrive = delay, arrive
        self.packets = asyncio.Queue()
        self.times = []  # when each packet was taken, by the loop's clock

    def take(self, packet):
        self.times.append(asyncio.get_running_loop().time())
        self.packets.put_nowait((self.times[-1] + self.delay, bytes(packet)))

    async def run(self):
        while True:
            due, packet = await self.packets.get()
            await asyncio.sleep(due - asyncio.get_running_loop().time())
            await self.arrive(packet)


class Relay:
    def __init__(self, front, back, digits, delay):
        self.front, self.back, self.digits = front, back, digits
        self.to_desk = Line(delay, self._write)
        self.to_phone = Line(delay, self._notify)

    @property
    def began(self):
        """When the phone's first packet came, by the loop's clock."""
        return self.to_desk.times[0]

    async def _write(self, packet):
        await self.desk.write_command(self.handle, packet)

    async def _notify(self, packet):
        await self.front.device.notify_subscribers(self.exchange, packet)

    async def meet_desk(self):
        """Takes the phone's place in front of the true desk: connects, pairs, subscribes."""
        self.back.pairs_as(Person(YES_NO))
        self.desk = await self.back.find_and_connect(f"GM {self.digits}")
        await asyncio.wait_for(self.desk.client.request_mtu(MTU), PATIENCE)
        await self.back.pair(self.desk)
        (service,) = await self.desk.client.discover_service(DESK_SERVICE)
        await service.discover_characteristics()
        exchange = next(one for one in service.characteristics if one.uuid == EXCHANGE)
        await exchange.discover_descriptors()
        self.handle = exchange.handle
        await self.desk.subscribe(next(one.handle for one in exchange.descriptors if one.type == CONFIGURATION))

    async def show_desk(self):
        """Advertises and shows what the desk does."""
        self.front.pairs_as(Person(YES_NO))
        encrypted = Attribute.WRITEABLE | Attribute.WRITE_REQUIRES_ENCRYPTION
        properties = Characteristic.Properties.NOTIFY | Characteristic.Properties.WRITE_WITHOUT_RESPONSE
        write = AttributeValue(write=lambda _, value: self.to_desk.take(value))
        # As with a desk, nothing can be subscribed to over a link in the clear: so the phone pairs.
        configuration = Descriptor(CONFIGURATION, Attribute.READABLE | encrypted)
        self.exchange = Characteristic(EXCHANGE, properties, encrypted, write, [configuration])
        configuration.value = self.front.device.gatt_server.make_descriptor_value(self.exchange)
        identity = Characteristic(
            IDENTITY, Characteristic.Properties.READ, Attribute.READABLE, b"\x02" + self.digits.encode()
        )
        self.front.device.add_service(Service(DESK_SERVICE, [identity, self.exchange]))
        await advertise_as_desk(self.front.device, self.digits)

    async def listen(self):
        while True:
            _, packet = await self.desk.values.get()
            self.to_phone.take(packet)


@asynccontextmanager
async def relaying(desk, air, digits="4711", delay=0.0):
    """A relay between the desk on the HCI port `desk` and whatever phone comes to the air behind the port `air`."""
    async with pairing_device(air, 1) as front, pairing_device(desk, 2) as back:
        relay = Relay(front, back, digits, delay)
        await relay.meet_desk()
        await relay.show_desk()
        tasks = [asyncio.create_task(one()) for one in (relay.to_desk.run, relay.to_phone.run, relay.listen)]
        try:
            yield relay
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
