"""A Bumble peripheral as a MoneyDrop recipient, written from docs/moneydrop.md, and our phones that pay it."""

import asyncio
import base64
import contextlib
import hashlib
import json
import os
import struct

import pytest
from bluethroat import PATIENCE, KeyFob, Process, command
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble_pairing import pairing_device
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from test_moneydrop import DETAILS, MESSAGE, PSM, SERVICE, Bank

WITH_RESPONSE, WITHOUT_RESPONSE = Characteristic.Properties.WRITE, Characteristic.Properties.WRITE_WITHOUT_RESPONSE


class Recipient:
    """What the page says that a recipient shows, at a Bumble device; it keeps what is written to it."""

    def __init__(self, bumble, bank, account, how=WITH_RESPONSE):
        self.bumble, self.bank, self.account, self.how = bumble, bank, account, how
        self.receipts = asyncio.Queue()
        self.photo, self.wishes = b"", []

    async def show(self, name, photo=b""):
        self.photo = photo
        question = {"version": 2}
        if photo:
            digest = base64.b64encode(hashlib.sha256(photo).digest()).decode()
            question["photo"] = {"length": len(photo), "digest": digest}
        self.details = base64.b64decode((await self.bank.ask("token", question, self.account))["token"])
        number = 0
        if photo:
            spec = LeCreditBasedChannelSpec(psm=0x91, mtu=4_504, mps=1_502)
            number = self.bumble.device.create_l2cap_server(spec, self.serve).psm
        readable, writable = Characteristic.READABLE, Characteristic.WRITEABLE
        read, indicate = Characteristic.Properties.READ, Characteristic.Properties.INDICATE
        take = CharacteristicValue(write=lambda _, value: self.receipts.put_nowait(bytes(value)))
        channel = Characteristic(PSM, read | indicate, readable, struct.pack("<H", number))
        shown = [
            Characteristic(DETAILS, read, readable, self.details),
            Characteristic(MESSAGE, self.how, writable, take),
            channel,
        ]
        self.bumble.device.add_service(Service(SERVICE, shown))
        await self.bumble.device.start_advertising(
            advertising_data=b"\x02\x01\x06\x11\x07" + bytes(SERVICE) + bytes([len(name) + 1, 9]) + name.encode(),
            advertising_interval_min=30,
            advertising_interval_max=30,
            auto_restart=False,
        )

    def serve(self, channel):
        """A wish, and the photo from where it says; the result ends it."""

        def heard(data):
            if data[:2] == b"\x01\x01":
                (start,) = struct.unpack_from("<Q", data, 2)
                self.wishes.append((start, bytes(data[10:42])))
                head = struct.pack("<QQ", len(self.photo), start)
                channel.write(b"\x01\x02" + head + hashlib.sha256(self.photo).digest() + self.photo[start:])
            else:
                self.wishes.append(bytes(data))

        channel.sink = heard

    async def receipt(self):
        return await asyncio.wait_for(self.receipts.get(), PATIENCE)


@contextlib.asynccontextmanager
async def recipients(*names, how=WITH_RESPONSE, photo=b""):
    """An air, a bank, and Bumble peripherals of these names with accounts at the bank."""
    async with contextlib.AsyncExitStack() as stack:
        air = await stack.enter_async_context(KeyFob("--wait"))
        process = await stack.enter_async_context(Process("moneydrop", "bank", "--bank-listen", "127.0.0.1:0", "--json"))
        bank = Bank((await process.event("bank"))["url"])
        found = []
        for number, name in enumerate(names, 1):
            bumble = await stack.enter_async_context(pairing_device(air.hci, number))
            found.append(Recipient(bumble, bank, await bank.open(name), how))
            await found[-1].show(name, photo)
        yield air, bank, found


def sending(air, bank, tmp_path, *arguments):
    where = ("--controller", air.hci, "--bank", bank.url, "--wallet", str(tmp_path / "ben.wallet"), "--json")
    return ("moneydrop", "send", "--name", "Ben", "--timeout", "60", *where, *arguments)


@pytest.mark.parametrize(("device", "interval"), [("phone", 30), ("iphone", 15), ("watch", 30), ("tv", 30)])
async def test_each_device_pays_over_a_connection_of_its_own_interval(device, interval, tmp_path):
    async with recipients("Zoe") as (air, bank, (zoe,)):
        async with Process(*sending(air, bank, tmp_path, "--to", "zoe", "--amount", "12.50", "--device", device)) as ben:
            peer = await zoe.bumble.connected()
            assert peer.connection.parameters.connection_interval == interval
            receipt = await zoe.receipt()
            assert await ben.exit_code() == 0, ben.story()
        transfers = [event for event in ben.events if event["event"] == "transfer"]
        assert [event["state"] for event in transfers] == ["ordered", "paid", "told"]

        # As the page's table has it: whose token, how much, who.
        assert receipt[0] == 1 and receipt[1:17].hex() == transfers[0]["id"].replace("-", "").lower()
        assert receipt[17:33] == zoe.details[1:17]
        amount, currency, _, length = struct.unpack_from("<Q3sQB", receipt, 33)
        assert (amount, currency, receipt[53 : 53 + length]) == (1_250, b"EUR", b"Ben") and len(receipt) == 53 + length + 64
        key = base64.b64decode((await bank.ask("bank", {}))["bankKey"]["bytes"])
        Ed25519PublicKey.from_public_bytes(key).verify(receipt[-64:], b"MoneyDrop receipt\n" + receipt[:-64])
        assert (await bank.ask("balance", {}, zoe.account))["balance"]["minorUnits"] == 11_250


async def test_a_recipient_that_takes_no_response_is_told_of_before_any_money_moves(tmp_path):
    """The first MoneyDrop's pitfall: there the sender wrote all the same, and waited."""
    async with recipients("Zoe", how=WITHOUT_RESPONSE) as (air, bank, (zoe,)):
        end = await command(*sending(air, bank, tmp_path, "--to", "Zoe", "--amount", "5"))
        assert end.code == 1 and end.all("transfer") == [] and zoe.receipts.empty(), end.story
        assert len(end.errors) == 1 and "Zoe" in end.errors[0], end.story
        assert (await bank.ask("balance", {}, zoe.account))["balance"]["minorUnits"] == 10_000


async def test_a_photo_comes_over_a_foreign_channel_whole(tmp_path):
    photo = os.urandom(40_000)
    async with recipients("Zoe", photo=photo) as (air, bank, (zoe,)):
        end = await command(*sending(air, bank, tmp_path, "--to", "Zoe", "--amount", "1"))
        assert end.code == 0, end.story
        with open(end.one("photo", bytes=len(photo))["file"], "rb") as file:
            assert file.read() == photo
        assert zoe.wishes == [(0, hashlib.sha256(photo).digest()), b"\x01\x04\x00"]
