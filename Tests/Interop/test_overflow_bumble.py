"""The overflow area with a Bumble host as the other phone: what it sends is read or refused by our rule, and it holds a
conversation that was written from docs/overflow.md."""

import asyncio
import contextlib
import random

import pytest
from bluethroat import KeyFob, Process, command
from bumble_central import attached
from bumble_overflow import HEADER, Sender
from test_overflow import MASKS, phone_on

PLACE = ("--no-panel", "--json")


def with_bit(mask, index):
    """One bit more, counted from the left."""
    number = int.from_bytes(mask, "big") | 1 << (127 - index)
    return number.to_bytes(16, "big")


@contextlib.asynccontextmanager
async def turns(sender, masks, seconds=1):
    """The masks one after the other, until the block ends."""

    async def run():
        while True:
            for mask in masks:
                await sender.send(mask)
                await asyncio.sleep(seconds)

    task = asyncio.create_task(run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize(
    ("bit", "rule", "statuses"),
    [
        (50, "frame", ["unpolluted", "unpolluted"]),
        (50, "whole", ["polluted", "unpolluted"]),
        (10, "frame", ["polluted", "unpolluted"]),
        (120, "frame", ["unpolluted", "unpolluted"]),
        (120, "whole", ["unpolluted", "polluted"]),
    ],
)
async def test_a_foreign_bit_of_a_foreign_phone_pollutes_its_bank_where_the_rule_looks(bit, rule, statuses):
    masks = [with_bit(bytes.fromhex(mask), bit) for mask in MASKS]
    async with KeyFob("--wait") as air, attached(air.hci) as bumble, turns(Sender(bumble), masks):
        words = ("overflow", "demo", "--controller", air.hci, "--payload", "0a0b0c0d", "--bank", rule, "--for", "8")
        answer = await command(*words, *PLACE)
        assert answer.code == 0, answer.story
        # One of two positions is enough for the payload.
        assert {read["payload"] for read in answer.all("read")} == {"01020304"}
        assert answer.one("neighbour")["statuses"] == statuses, answer.story


async def test_the_confidence_in_a_foreign_phones_bytes_follows_from_what_was_seen():
    """Bit 16 is in the second byte of the payload in the first position, every other turn."""
    masks = [with_bit(bytes.fromhex(MASKS[0]), 16), bytes.fromhex(MASKS[1])]
    async with KeyFob("--wait") as air, attached(air.hci) as bumble, turns(Sender(bumble), masks):
        answer = await command("overflow", "demo", "--controller", air.hci, "--for", "9", *PLACE)
        assert answer.code == 0, answer.story
        first, second, *rest = answer.one("neighbour")["confidence"]
        assert first == 1 and rest == [1, 1] and 0.2 < second < 0.8, answer.story


async def test_bumble_sees_the_code_word_of_what_help_says():
    encoded = (await command("overflow", "encode", "--mode", "hamming", "--payload", "01020304", "--json")).one("mask")
    async with KeyFob("--wait") as air, attached(air.hci) as bumble:
        words = ("overflow", "demo", "--mode", "hamming", "--controller", air.hci, *PLACE)
        async with Process(*words), bumble.scanning(active=False):
            await bumble.report(lambda report: bytes(report.data).hex() == encoded["advertisement"])


@pytest.mark.parametrize("mode", ["hamming", "bch"])
async def test_a_code_word_of_a_foreign_phone_is_put_right(mode):
    encoded = (await command("overflow", "encode", "--mode", mode, "--payload", "00c0ffee", "--json")).one("mask")
    zeros = [bit for bit in range(64, 128) if encoded["binary"][bit] == "0"]
    mask = bytes.fromhex(encoded["air"])
    # In a code word of Hamming's one is put right, where it is in the word at all.
    for bit in random.Random(7).sample(zeros, 14) if mode == "bch" else zeros[:1]:
        mask = with_bit(mask, bit)
    async with KeyFob("--wait") as air, attached(air.hci) as bumble, phone_on(air.hci, "01020304", "--mode", mode) as phone:
        await Sender(bumble).send(mask)
        assert (await phone.event("read"))["payload"] == "00c0ffee"


# A conversation


class Talker:
    """One side of a conversation, by the page's two tables. Code words are made and read by `encode` and `decode`."""

    OPENING, ANSWERED, OPEN = range(3)

    def __init__(self, central, number, partner, message, session):
        self.central, self.sender = central, Sender(central)
        self.number, self.partner, self.session = number, partner, session
        self.pieces = [message[start : start + 2] for start in range(0, len(message), 2)]
        self.sent = self.wanted = self.other = 0
        self.state, self.received, self.is_whole = self.OPENING, b"", False

    def frame(self):
        head, wanted = self.number << 4 | self.partner, self.wanted << 2
        if self.state == self.OPENING:
            return bytes([head, 7 << 5, self.session, self.other])
        if self.state == self.ANSWERED or self.sent == len(self.pieces):
            return bytes([head, wanted, self.session, self.other])
        piece = self.pieces[self.sent]
        kind = len(piece) if self.sent + 1 == len(self.pieces) else 3
        return bytes([head, self.sent % 8 << 5 | wanted | kind, *piece.ljust(2, b"\x00")])

    def hear(self, frame):
        if frame[0] != self.partner << 4 | self.number:
            return
        number, wanted, kind = frame[1] >> 5, frame[1] >> 2 & 7, frame[1] & 3
        if kind == 0:
            self.other = frame[2]
        if kind == 0 and number == 7:
            if self.state == self.OPENING and frame[3] == self.session:
                self.state = self.ANSWERED
        elif kind == 0 or self.state != self.OPENING:
            self.state = self.OPEN
            if self.sent < len(self.pieces) and wanted == (self.sent + 1) % 8:
                self.sent += 1
            if kind and number == self.wanted:
                self.received += frame[2 : 4 if kind == 3 else 2 + kind]
                self.is_whole, self.wanted = kind != 3, (self.wanted + 1) % 8

    async def show(self):
        words = ("--mode", "bch", "--matching-byte", "55", "--payload", self.frame().hex(), "--json")
        await self.sender.send(bytes.fromhex((await command("overflow", "encode", *words)).one("mask")["air"]))

    async def talk(self):
        """Until both messages were delivered."""
        await self.show()
        last = None
        async with self.central.scanning(active=False):
            while not (self.is_whole and self.sent == len(self.pieces)):
                report = await self.central.report(lambda report: bytes(report.data[:8]) == HEADER)
                mask = bytes(report.data[8:]).hex()
                if mask == last:
                    continue
                last, shown = mask, self.frame()
                decoded = (await command("overflow", "decode", mask, "--matching-byte", "55", "--json")).one("mask")
                for payload in decoded.get("payloads", []):
                    if payload["mode"] == "bch":
                        self.hear(bytes.fromhex(payload["payload"]))
                if self.frame() != shown:
                    await self.show()


async def test_bumble_holds_a_conversation_that_was_written_from_the_page():
    question, answer = b"Is it raining?", b"Not yet."
    async with KeyFob("--wait") as air, attached(air.hci) as bumble:
        words = ("overflow", "demo", "--mode", "conversation", "--payload", question.hex(), "--controller", air.hci)
        async with Process(*words, *PLACE) as phone:
            talker = Talker(bumble, 1, 0, answer, session=77)
            await asyncio.wait_for(talker.talk(), 120)
            assert talker.received == question
            assert bytes.fromhex((await phone.event("read"))["payload"]) == answer
