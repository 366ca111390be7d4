"""Our host as a device that pairs in any way there is: `pairing-peer`, told what to do line by line."""

from bluethroat import Process, beside


class PairingPeer(Process):
    """On `tcp:HOST:PORT`, powered on. Settings are words as `io="display-only"`; an underscore stands for a hyphen."""

    def __init__(self, hci, **settings):
        super().__init__(hci, *words(settings))
        self.address = None

    @staticmethod
    def program():
        return beside("pairing-peer")

    async def __aenter__(self):
        await super().__aenter__()
        try:
            up = await self.event("up")
            self.address, self.address_type = up["address"], up["addressType"]
        except BaseException as failure:
            await super().__aexit__(failure)
            raise
        return self

    def do(self, word, *rest, **settings):
        self.say(" ".join([word, *map(str, rest), *words(settings)]))

    async def set(self, **settings):
        """Its settings of pairing from now on; they hold when this returns, whoever pairs next."""
        self.do("settings", **settings)
        await self.event("settings")

    async def advertise(self):
        self.do("advertise")
        await self.event("advertising")

    async def connect(self, address, kind="random"):
        self.do("connect", address, kind)
        return await self.event("connected")

    async def read(self, handle):
        """A value, or the error code that stands in its place."""
        mark = self.mark()
        self.do("read", handle)
        await self.until(lambda: self.since(mark, "value") or self.since(mark, "refused"), "answer to a read")
        for event in self.since(mark, "value"):
            return bytes.fromhex(event["value"])
        return self.since(mark, "refused")[0]["code"]

    async def oob(self):
        """Confirm value and random number of ours, least significant byte first."""
        self.do("oob")
        event = await self.event("oob")
        return bytes.fromhex(event["confirm"]), bytes.fromhex(event["random"])

    async def count_bonds(self):
        self.do("bonds")
        return (await self.event("bonds"))["count"]


def words(settings):
    def text(value):
        return int(value) if isinstance(value, bool) else value

    return [f"{name.replace('_', '-')}={text(value)}" for name, value in settings.items()]


# The values of the peer's table: the handle of each, by what guards it.
OPEN, ENCRYPTED, AUTHENTICATED, SECURE, AUTHORIZED, LONG_KEY, SIGNED = range(3, 17, 2)
