"""MoneyDrop: a Bumble central in front of the recipient, two commands on one air, and a bank that is killed."""

import asyncio
import base64
import contextlib
import hashlib
import http.server
import itertools
import json
import os
import pathlib
import re
import signal
import struct
import threading
import urllib.error
import urllib.request
import uuid
from xml.etree import ElementTree

import captures
import pytest
from bumble.att import ATT_Error
from bumble.core import ProtocolError, UUID
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble.pairing import PairingConfig
from bumble_central import attached
from bumble_pairing import pairing_device
from certificates import authority_and_server

from bluethroat import PATIENCE, Process, command, lasting_port

SERVICE, DETAILS, MESSAGE, PSM = (UUID(f"6D0E000{n}-52A1-4D8F-9C3B-7A1F0C5E4D52") for n in (1, 2, 3, 4))
PAIRING_NOT_SUPPORTED = 0x05  # Core 6.0, Vol 3, Part H, 3.5.5


class Bank:
    """What a bank is asked over HTTP."""

    def __init__(self, url):
        self.url = url

    def ask_now(self, name, question, account=None):
        request = urllib.request.Request(
            f"{self.url}/v1/{name}", json.dumps(question).encode(), {"Content-Type": "application/json"}
        )
        if account:
            one = account["credentials"]
            words = base64.b64encode(f"{one['account']}:{one['secret']}".encode()).decode()
            request.add_header("Authorization", f"Basic {words}")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    async def ask(self, *question):
        return await asyncio.to_thread(self.ask_now, *question)

    async def open(self, name):
        return await self.ask("open", {"name": name, "currency": "EUR"})

    async def pay(self, account, token, minor_units, transfer=None):
        return await self.ask(
            "transfer",
            {
                "id": transfer or str(uuid.uuid4()).upper(),
                "token": base64.b64encode(token).decode(),
                "amount": {"minorUnits": minor_units, "currency": "EUR"},
            },
            account,
        )


class Recipient(Process):
    def __init__(self, *arguments):
        super().__init__(
            "moneydrop", "receive", "--hci-listen", "127.0.0.1:0", "--bank-listen", "127.0.0.1:0", "--no-panel",
            "--json", "--name", "Anna", *arguments,
        )

    async def __aenter__(self):
        await super().__aenter__()
        self.hci = (await self.event("listening"))["hci"]
        self.bank = (await self.event("bank"))["url"]
        await self.event("findable")
        return self


async def meet(central):
    """Finds the service among all that advertise, and its characteristics."""
    async with central.scanning():
        report = await central.report(lambda report: bytes(SERVICE) in report.data)
    peer = await central.connect(report.address)
    await peer.connection.gatt_client.request_mtu(247)
    (service,) = await peer.client.discover_service(SERVICE)
    found = {one.uuid: one for one in await service.discover_characteristics()}
    return peer, found


async def write(characteristic, value):
    """The ATT error that a receipt is answered with; 0 for none."""
    try:
        await asyncio.wait_for(characteristic.write_value(value, with_response=True), PATIENCE)
        return 0
    except ATT_Error as error:
        return error.error_code


async def test_a_bumble_central_reads_details_gets_the_photo_and_delivers_a_receipt(tmp_path):
    photo = os.urandom(30_000)
    (tmp_path / "anna.jpg").write_bytes(photo)
    async with Recipient("--photo", str(tmp_path / "anna.jpg"), "--plain") as anna, attached(anna.hci) as central:
        peer, found = await meet(central)
        details = await found[DETAILS].read_value()
        length = details[30]
        assert details[0] == 2 and details[31 : 31 + length] == b"Anna" and details[27:30] == b"EUR"
        size, digest = struct.unpack_from("<Q32s", details, 31 + length)
        assert size == len(photo) and digest == hashlib.sha256(photo).digest()

        # The photo, from its middle on.
        (number,) = struct.unpack("<H", await found[PSM].read_value())
        assert 0x80 <= number <= 0xFF
        channel = await peer.connection.create_l2cap_channel(LeCreditBasedChannelSpec(number, mtu=4_504, mps=1_502))
        got, news = bytearray(), asyncio.Event()
        channel.sink = lambda data: (got.extend(data), news.set())
        channel.write(b"\x01\x01" + struct.pack("<Q", 10_000) + digest)
        async with asyncio.timeout(PATIENCE):
            while len(got) < 50 + 20_000:
                news.clear()
                await news.wait()
        assert got[:50] == b"\x01\x02" + struct.pack("<QQ", len(photo), 10_000) + digest
        assert got[50:] == photo[10_000:]
        channel.write(b"\x01\x04\x00")
        await channel.disconnect()

        # A receipt, once; then what is none.
        bank = Bank(anna.bank)
        ben = await bank.open("Ben")
        receipt = base64.b64decode((await bank.pay(ben, details, 1_250))["done"]["receipt"])
        assert await write(found[MESSAGE], receipt) == 0
        received = await anna.event("received")
        assert (received["amount"], received["from"]) == ("12.50 EUR", "Ben")
        assert await write(found[MESSAGE], receipt) == 0x82
        await anna.event("refused", reason="replayed")
        forged = receipt[:-1] + bytes([receipt[-1] ^ 1])
        assert await write(found[MESSAGE], forged) == 0x81
        changed = receipt[:33] + bytes([receipt[33] ^ 0x40]) + receipt[34:]
        assert await write(found[MESSAGE], changed) == 0x81
        await anna.event("refused", reason="changedAmount")
        assert await write(found[MESSAGE], b"\x01money sent") == 0x80
        assert len([event for event in anna.events if event["event"] == "received"]) == 1


async def test_send_finds_the_recipient_in_another_process_and_pays(tmp_path):
    photo = os.urandom(5_000)
    (tmp_path / "anna.jpg").write_bytes(photo)
    async with Recipient("--photo", str(tmp_path / "anna.jpg")) as anna:
        where = ("--controller", anna.hci, "--bank", anna.bank, "--json")
        done = await command("moneydrop", "send", "--to", "Anna", "--amount", "12.50", "--name", "Ben", *where)
        assert done.code == 0, done.story
        assert [event["state"] for event in done.all("transfer")] == ["ordered", "paid", "told"]
        received = await anna.event("received")
        assert (received["amount"], received["from"]) == ("12.50 EUR", "Ben")

        # In whatever case she is asked for; and it is said where her photo is.
        wallet = ("--wallet", str(tmp_path / "carl.wallet"))
        cased = await command("moneydrop", "send", "--to", "anna", "--amount", "1", "--name", "Carl", *wallet, *where)
        assert cased.code == 0, cased.story
        assert {event["to"] for event in cased.all("transfer")} == {"Anna"}
        with open(cased.one("photo", bytes=5_000)["file"], "rb") as file:
            assert file.read() == photo

        poor = await command("moneydrop", "send", "--to", "Anna", "--amount", "100.01", *where)
        assert poor.code == 1 and "not enough money" in poor.errors[-1]
        nobody = await command("moneydrop", "send", "--to", "Zoe", "--amount", "1", "--timeout", "2", *where)
        assert nobody.code == 3 and "Zoe" in nobody.errors[-1]


async def fetch(peer, number, photo):
    """The photo over a channel of its own."""
    channel = await peer.connection.create_l2cap_channel(LeCreditBasedChannelSpec(number, mtu=4_504, mps=1_502))
    got, news = bytearray(), asyncio.Event()
    channel.sink = lambda data: (got.extend(data), news.set())
    channel.write(b"\x01\x01" + struct.pack("<Q", 0) + hashlib.sha256(photo).digest())
    async with asyncio.timeout(PATIENCE):
        while len(got) < 50 + len(photo):
            news.clear()
            await news.wait()
    channel.write(b"\x01\x04\x00")
    await channel.disconnect()
    return bytes(got[50:])


async def test_a_photo_and_receipts_need_pairing_and_work_for_whoever_pairs_bumble_or_a_phone(tmp_path):
    photo = os.urandom(5_000)
    (tmp_path / "anna.jpg").write_bytes(photo)
    async with Recipient("--photo", str(tmp_path / "anna.jpg")) as anna:
        async with attached(anna.hci) as central:
            # Just Works: nobody is asked anything.
            central.device.pairing_config_factory = lambda _: PairingConfig(sc=True, mitm=False, bonding=True)
            peer, found = await meet(central)
            (number,) = struct.unpack("<H", await found[PSM].read_value())
            with pytest.raises(ProtocolError) as error:
                await peer.connection.create_l2cap_channel(LeCreditBasedChannelSpec(number))
            # Insufficient authentication, or encryption.
            assert error.value.error_code in (0x05, 0x08)
            # A receipt, or what is none, is not even looked at.
            assert await write(found[MESSAGE], b"\x01money sent") == 0x05
            await asyncio.wait_for(peer.connection.pair(), PATIENCE)
            assert await fetch(peer, number, photo) == photo
            assert await write(found[MESSAGE], b"\x01money sent") == 0x80
        where = ("--controller", anna.hci, "--bank", anna.bank, "--json", "--wallet", str(tmp_path / "ben.wallet"))
        done = await command("moneydrop", "send", "--to", "Anna", "--amount", "1", "--name", "Ben", *where)
        assert done.code == 0, done.story
        with open(done.one("photo", bytes=5_000)["file"], "rb") as file:
            assert file.read() == photo


async def test_both_sides_print_a_receipt_in_files_of_their_own_and_a_strangers_name_is_text(tmp_path):
    sender = """<Ben> & "Co" 'x' ]]>"""
    picture, text = tmp_path / "ben.svg", tmp_path / "anna.txt"
    picture.write_text("mine")
    async with Recipient("--receipt", str(text)) as anna:
        where = ("--controller", anna.hci, "--bank", anna.bank, "--json", "--wallet", str(tmp_path / "ben.wallet"))
        send = ("moneydrop", "send", "--to", "Anna", "--amount", "12.50", "--name", sender, *where)
        done = await command(*send, "--receipt", str(picture))
        assert done.code == 0, done.story
        transfer = done.one("transfer", state="told")["id"]
        # Nothing is written over.
        printed = tmp_path / "ben-2.svg"
        assert done.one("receipt") == done.one("receipt", id=transfer, file=str(printed)) and picture.read_text() == "mine"
        root = await asyncio.to_thread(ElementTree.parse, printed)
        texts = {one.get("id"): one.text for one in root.iter("{http://www.w3.org/2000/svg}text") if one.get("id")}
        assert (texts["payer"], texts["recipient"], texts["amount"]) == (sender, "Anna", "12.50 EUR")
        assert texts["transfer"] == transfer and texts["time"].endswith(" UTC")
        assert len(bytes.fromhex(texts["signature-1"] + texts["signature-2"])) == 64

        # The same words on the other side.
        event = await anna.event("receipt", id=transfer)
        assert event["file"] == str(text)
        lines = text.read_text().splitlines()
        for value in texts.values():
            assert any(line.endswith(value) for line in lines), (value, lines)
        assert {path.stat().st_mode & 0o777 for path in (printed, text)} == {0o600}


async def test_one_guest_pays_the_others_in_turn_up_to_the_days_limit_and_the_same_seed_does_the_same():
    words = ("moneydrop", "demo", "--people", "5", "--evening", "12.50", "--daily-limit", "30", "--for", "300", "--fast")
    answers = [await command(*words, "--seed", "4", "--json") for _ in range(2)]
    stories = [[(e["to"], e["state"], e["id"]) for e in one.all("transfer", by="Anna")] for one in answers]
    assert answers[0].code == 0 and stories[0] == stories[1], answers[0].story
    states = [(to, state) for to, state, _ in stories[0]]
    assert states == [
        ("Ben", "ordered"), ("Ben", "paid"), ("Ben", "told"), ("Carol", "ordered"), ("Carol", "paid"), ("Carol", "told"),
        ("David", "ordered"), ("David", "refused"),
    ]
    assert answers[0].one("transfer", state="refused")["reason"] == "dailyLimit"
    closed = answers[0].one("closed")
    assert closed["sent"] == closed["received"] == closed["transfers"] == 2 and closed["faults"] == []


async def test_what_an_account_has_sent_today_is_known_to_a_bank_that_was_killed_and_a_sender_is_told_what_is_left(tmp_path):
    books = ("--books", str(tmp_path / "bank.sqlite"), "--daily-limit", "20", "--bank-listen", "127.0.0.1:0", "--json")
    async with Process("moneydrop", "bank", *books) as process:
        bank = Bank((await process.event("bank"))["url"])
        anna, ben = await bank.open("Anna"), await bank.open("Ben")
        token = base64.b64decode((await bank.ask("token", {"version": 2}, anna))["token"])
        # Seven at once, of which two are within the limit.
        outcomes = await asyncio.gather(*(bank.pay(ben, token, 900) for _ in range(7)))
        assert sum("done" in outcome for outcome in outcomes) == 2
        assert [o["refused"]["because"] for o in outcomes if "refused" in o] == ["dailyLimit"] * 5
        process.send(signal.SIGKILL)
        await process.process.wait()
    async with Process("moneydrop", "bank", *books) as process:
        url = (await process.event("bank"))["url"]
        bank = Bank(url)
        answer = await bank.ask("balance", {}, ben)
        # Unless midnight has come between.
        left = answer["allowance"]["left"]["minorUnits"]
        assert left in (200, 2_000) and answer["balance"]["minorUnits"] == 8_200
        assert "done" in await bank.pay(ben, base64.b64decode((await bank.ask("token", {"version": 2}, anna))["token"]), left)
        places = ("--hci-listen", "127.0.0.1:0", "--no-panel", "--json", "--bank", url)
        async with Process("moneydrop", "receive", "--name", "Carol", "--wallet", str(tmp_path / "carol"), *places) as carol:
            hci = (await carol.event("listening"))["hci"]
            await carol.event("findable")
            where = ("--controller", hci, "--bank", url, "--wallet", str(tmp_path / "dora"), "--name", "Dora", "--json")
            much = await command("moneydrop", "send", "--to", "Carol", "--amount", "20.01", *where)
            assert much.code == 1 and much.one("transfer", state="refused")["reason"] == "dailyLimit", much.story
            assert "more than this account may send in a day" in much.errors[-1]
            assert "20.00 EUR of 20.00 EUR are left today" in much.errors[-1]
            enough = await command("moneydrop", "send", "--to", "Carol", "--amount", "20", *where)
            assert enough.code == 0, enough.story


async def test_of_two_people_with_one_name_none_is_paid_unless_it_is_said_which(tmp_path):
    async with Recipient() as anna:
        where = ("--controller", anna.hci, "--bank", anna.bank, "--json")
        other = Process("moneydrop", "receive", "--name", "Anna", "--no-panel", *where)
        async with other:
            await other.event("findable")
            wallet = ("--wallet", str(tmp_path / "ben.wallet"))
            send = ("moneydrop", "send", "--to", "Anna", "--amount", "5", "--name", "Ben", *wallet, *where)
            none = await command(*send)
            assert none.code == 1 and "2 people called Anna" in none.errors[-1] and not none.all("transfer")
            one = await command(*send, "--nearest")
            assert one.code == 0, one.story()
            received = [event for process in (anna, other) for event in process.events if event["event"] == "received"]
            assert len(received) <= 1

    # The wallet is of a bank that is gone; what answers there now is another one.
    async with Recipient() as carol:
        answer = await command(
            "moneydrop", "send", "--to", "Anna", "--amount", "5", *wallet, "--controller", carol.hci, "--bank", carol.bank,
        )
        assert answer.code == 2 and "is of another bank" in answer.errors[-1], answer.story()


async def test_what_makes_no_sense_is_one_line(tmp_path):
    for arguments in [
        ("send", "--to", "Anna", "--amount", "1,50"),
        ("send", "--to", "Anna", "--amount", "0"),
        ("send", "--to", "Anna", "--amount", "1", "--receipt", str(tmp_path / "ben.pdf")),
        ("receive", "--name", "Anna", "--receipt", str(tmp_path / "none" / "anna.svg")),
        ("send", "--to", "Anna", "--amount=-5"),
        ("send", "--to", "Anna", "--amount", "1.234"),
        ("send", "--to", "Anna", "--amount", "92233720368547758.08"),
        ("send", "--to", "", "--amount", "1"),
        ("receive", "--name", "Anna\x1b[2J"),
        ("send", "--to", "Anna", "--amount", "5", "--bank", "ftp://x"),
        ("receive", "--name", ""),
        ("receive", "--name", "Anna", "--photo", str(tmp_path / "none.jpg")),
        ("receive", "--name", "Anna", "--photo", "/dev/null"),
        ("receive", "--name", "Anna", "--photo", "/dev/zero"),
        ("receive", "--name", "Anna", "--photo", str(tmp_path)),
        ("receive", "--name", "Anna", "--currency", "euro"),
        ("bank", "--audit"),
        ("bank", "--daily-limit", "0"),
        ("receive", "--name", "Anna", "--bank", "http://127.0.0.1:1", "--daily-limit", "5"),
        ("demo", "--evening", "12,50"),
        ("bank", "--bank-listen", "0.0.0.0:1"),
        ("send", "--to", "Anna", "--amount", "5", "--bank", "http://bank.example:6404"),
        ("receive", "--name", "Anna", "--bank", "http://192.0.2.1"),
        ("receive", "--name", "Anna", "--insecure-bank"),
        ("receive", "--name", "Anna", "--plain"),
        ("receive", "--name", "Anna", "--device", "watch"),
        ("send", "--to", "Anna", "--amount", "1", "--device", "fridge"),
        ("demo", "--people", "1"),
        ("demo", "--reenact", "everything"),
    ]:
        answer = await command("moneydrop", *arguments)
        assert answer.code == 2 and len(answer.errors) == 1, answer.story


async def test_each_pitfall_is_shown_in_a_capture(tmp_path):
    message = "btatt.handle == 0x0012"
    for pitfall, words, seen, unseen in [
        ("write-type", "no answer and no delegate call", ["btatt.opcode == 0x12 && " + message], ["btatt.opcode == 0x13 && " + message]),
        # The same, and whoever has written closes the photo's channel.
        ("photo", "a truncated photo", ["btatt.opcode == 0x12 && " + message, "btle && btl2cap.cmd_code == 0x06"],
         ["btatt.opcode == 0x13 && " + message]),
        ("background", "neither has heard of the other", ["btle.advertising_header.pdu_type == 0x00"], ["btatt", "btl2cap"]),
    ]:
        capture, snoop = tmp_path / f"{pitfall}.pcapng", tmp_path / f"{pitfall}.btsnoop"
        answer = await command(
            "moneydrop", "demo", "--reenact", pitfall, "--capture", str(capture), "--btsnoop", str(snoop), "--json"
        )
        assert answer.code == 0, answer.story()
        assert captures.btsnoop_packets(snoop), f"{pitfall}: nothing in {snoop}"
        assert any(words in event["text"] for event in answer.all("reenacted", pitfall=pitfall)), answer.story()
        warned = [event for event in answer.all("reenacted") if "Unknown error: 124" in event["text"]]
        assert len(warned) == (1 if pitfall == "write-type" else 0), answer.story
        for what in seen:
            assert await asyncio.to_thread(captures.count, capture, what) > 0, f"{pitfall}: no {what}"
        for what in unseen:
            assert await asyncio.to_thread(captures.count, capture, what) == 0, f"{pitfall}: {what}"


async def test_a_passer_by_reads_who_can_be_paid_and_without_encryption_what_was_paid_too():
    answer = await command("moneydrop", "demo", "--reenact", "sniffing", "--seed", "3", "--json")
    assert answer.code == 0, answer.story
    rows = {event["field"]: (event.get("plain"), event.get("encrypted")) for event in answer.all("sniffed")}
    assert rows["name"] == ("Anna", "Anna") and rows["amount"] == ("12.50 EUR", None) and rows["payer"] == ("Ben", None)
    assert rows["photo"] == ("all 20000 bytes", None) and rows["transfer"][0] and not rows["transfer"][1]
    assert rows["account"] == rows["secret"] == (None, None)
    spoken = await command("moneydrop", "demo", "--reenact", "sniffing", "--seed", "3")
    assert spoken.code == 0 and len([line for line in spoken.lines if line.endswith(" hidden")]) == 8, spoken.story


async def test_a_bank_that_is_killed_loses_no_confirmed_transfer_and_makes_none_twice(tmp_path):
    books = str(tmp_path / "bank.sqlite")
    port, confirmed, orders = lasting_port(), {}, []
    accounts, token = None, None
    for number in range(8):
        listen = f"127.0.0.1:{port}"
        async with Process("moneydrop", "bank", "--books", books, "--bank-listen", listen, "--json") as process:
            bank = Bank((await process.event("bank"))["url"])
            if accounts is None:
                accounts = await bank.open("Anna"), await bank.open("Ben")
            anna, ben = accounts
            token = base64.b64decode((await bank.ask("token", {"version": 2}, anna))["token"])

            async def pay(transfer):
                try:
                    outcome = await bank.pay(ben, token, 7, transfer)
                except urllib.error.HTTPError:
                    # Ordered before with another token.
                    return
                except OSError:
                    return
                except (ValueError, EOFError):
                    return
                known = confirmed.setdefault(transfer, outcome)
                assert known["done"]["receipt"] == outcome["done"]["receipt"]

            async def customer(seed):
                while True:
                    transfer = str(uuid.uuid4()).upper()
                    orders.append(transfer)
                    for _ in range(3):
                        await pay(transfer)

            customers = [asyncio.create_task(customer(n)) for n in range(4)]
            # The kill comes in the middle of it, somewhere else each time.
            enough = len(confirmed) + 2
            async with asyncio.timeout(PATIENCE):
                while len(confirmed) < enough:
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.03 * number)
            process.send(signal.SIGKILL)
            await process.process.wait()
            for one in customers:
                one.cancel()
            await asyncio.gather(*customers, return_exceptions=True)
    assert len(confirmed) > 10
    audit = await command("moneydrop", "bank", "--books", books, "--audit", "--json")
    assert audit.code == 0, audit.story
    sums = audit.one("audit")
    assert sums["faults"] == [] and sums["sums"] == ["10000000000000.00 EUR"]
    assert sums["held"] == ["200.00 EUR"]
    spoken = await command("moneydrop", "bank", "--books", books, "--audit")
    assert spoken.code == 0 and "the accounts have 200.00 EUR together" in spoken.story, spoken.story
    assert "10000000000000" not in spoken.story, spoken.story
    assert len(confirmed) <= sums["transfers"] <= len(orders)
    async with Process("moneydrop", "bank", "--books", books, "--bank-listen", "127.0.0.1:0", "--json") as process:
        bank = Bank((await process.event("bank"))["url"])
        anna, ben = accounts
        came, last = [], 0
        while some := await bank.ask("incoming", {"after": last}, anna):
            came += some
            last = some[-1]["number"]
        ids = [one["id"] for one in came]
        assert len(ids) == len(set(ids)) == sums["transfers"] and set(confirmed) <= set(ids)
        balance = (await bank.ask("balance", {}, ben))["balance"]["minorUnits"]
        assert balance == 10_000 - 7 * len(ids)


async def test_of_twelve_orders_of_the_whole_balance_at_once_at_two_banks_with_one_set_of_books_one_is_paid(tmp_path):
    books = ("--books", str(tmp_path / "bank.sqlite"), "--bank-listen", "127.0.0.1:0", "--json")
    async with Process("moneydrop", "bank", *books) as first, Process("moneydrop", "bank", *books) as second:
        banks = [Bank((await one.event("bank"))["url"]) for one in (first, second)]
        anna, ben = await banks[0].open("Anna"), await banks[1].open("Ben")
        token = base64.b64decode((await banks[0].ask("token", {"version": 2}, anna))["token"])
        orders = [str(uuid.uuid4()).upper() for _ in range(12)]
        # Each at both banks.
        asked = [(order, bank) for order in orders for bank in banks]
        outcomes = await asyncio.gather(*(bank.pay(ben, token, 10_000, order) for order, bank in asked))
        paid = {order for (order, _), outcome in zip(asked, outcomes) if "done" in outcome}
        assert len(paid) == 1 and sum("done" in outcome for outcome in outcomes) == 2
        assert [o["refused"]["because"] for o in outcomes if "refused" in o] == ["insufficientFunds"] * 22
        for bank in banks:
            assert (await bank.ask("balance", {}, ben))["balance"]["minorUnits"] == 0
            assert (await bank.ask("balance", {}, anna))["balance"]["minorUnits"] == 20_000
    audit = (await command("moneydrop", "bank", *books[:2], "--audit", "--json")).one("audit")
    assert audit["faults"] == [] and (audit["transfers"], audit["refusals"]) == (1, 11)


async def test_strangers_do_not_make_the_books_grow_without_end(tmp_path):
    books = tmp_path / "bank.sqlite"
    async with Process("moneydrop", "bank", "--books", str(books), "--bank-listen", "127.0.0.1:0", "--json") as process:
        bank = Bank((await process.event("bank"))["url"])

        def open_all():
            statuses = []
            for number in range(520):
                try:
                    bank.ask_now("open", {"name": f"Person {number}", "currency": "EUR"})
                    statuses.append(200)
                except urllib.error.HTTPError as error:
                    assert "ask again later" in json.load(error)["error"]
                    statuses.append(error.code)
            return statuses

        anna, ben = await bank.open("Anna"), await bank.open("Ben")
        statuses = await asyncio.to_thread(open_all)
        assert statuses == [200] * 498 + [429] * 22
        # Who has an account goes on.
        token = base64.b64decode((await bank.ask("token", {"version": 2}, anna))["token"])
        assert "done" in await bank.pay(ben, token, 5)
        # Orders of 11 kB that can never be made.
        size = books.stat().st_size
        for _ in range(100):
            assert (await bank.pay(ben, os.urandom(8_000), 5))["refused"]["because"] == "unknownToken"
        assert books.stat().st_size == size


async def test_a_bank_that_sends_its_clients_elsewhere_is_none_and_the_secret_does_not_go_there(tmp_path):
    heard, asked = [], threading.Semaphore(0)

    def serve(answer):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                answer(self)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    def elsewhere(request):
        heard.append(dict(request.headers))
        request.send_response(500)
        request.end_headers()

    thief = serve(elsewhere)

    def redirect(request):
        request.send_response(307)
        request.send_header("Location", f"http://127.0.0.1:{thief.server_port}{request.path}")
        request.send_header("Content-Length", "0")
        request.end_headers()
        asked.release()

    bank = serve(redirect)
    wallet = tmp_path / "ben.wallet"
    credentials = {"account": str(uuid.uuid4()).upper(), "secret": "the secret"}
    account = {"credentials": credentials, "name": "Ben", "currency": "EUR", "bankKey": {"bytes": base64.b64encode(bytes(32)).decode()}}
    wallet.write_text(json.dumps({"account": account, "outgoing": [], "unconfirmed": [], "notices": [], "lastIncoming": 0}))
    wallet.chmod(0o600)
    try:
        arguments = ("--name", "Ben", "--wallet", str(wallet), "--bank", f"http://127.0.0.1:{bank.server_port}")
        async with Process("moneydrop", "receive", *arguments, "--hci-listen", "127.0.0.1:0", "--no-panel", "--json"):
            # Questions are asked again, so that the answers to the first ones have been read by then.
            for _ in range(8):
                assert await asyncio.to_thread(asked.acquire, timeout=PATIENCE)
        assert heard == []
    finally:
        for server in (bank, thief):
            server.shutdown()
            server.server_close()


async def test_a_phone_shows_no_money_that_another_program_at_the_banks_port_has_told_of(tmp_path):
    real, forging, forged = [], threading.Event(), threading.Semaphore(0)
    money = {"number": 1, "id": str(uuid.uuid4()).upper(), "amount": {"minorUnits": 500_000, "currency": "EUR"}, "payer": "Bertha"}

    class Relay(http.server.BaseHTTPRequestHandler):
        """Passes everything on, but for what it answers itself."""

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            name = self.path.removeprefix("/v1/")
            answers = {"incoming": [money], "check": {"transfer": money}, "balance": {"name": "Anna", "balance": money["amount"]}}
            if forging.is_set() and name in answers:
                status, answer = 200, json.dumps(answers[name]).encode()
                forged.release()
            else:
                status, answer = self.passed_on(body)
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def passed_on(self, body):
            request = urllib.request.Request(real[0] + self.path, body, {"Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    return answer.status, answer.read()
            except urllib.error.HTTPError as error:
                return error.code, error.read()

        def log_message(self, *_):
            pass

    relay = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    threading.Thread(target=relay.serve_forever, daemon=True).start()
    phone = ("moneydrop", "receive", "--name", "Anna", "--wallet", str(tmp_path / "anna.wallet"))
    phone += ("--hci-listen", "127.0.0.1:0", "--no-panel", "--json", "--bank")
    try:
        async with Process("moneydrop", "bank", "--bank-listen", "127.0.0.1:0", "--json") as process:
            real.append((await process.event("bank"))["url"])
            async with Process(*phone, real[0]) as anna:
                await anna.event("findable")
            forging.set()
            async with Process(*phone, f"http://127.0.0.1:{relay.server_port}") as anna:
                # Each is asked again, so that some answers have been read by then.
                for _ in range(8):
                    assert await asyncio.to_thread(forged.acquire, timeout=PATIENCE)
                await anna.until(lambda: "does not prove that it is the bank of this account" in json.dumps(anna.events), "what is wrong")
                forging.clear()
                # From here on it is a relay and no more: what the bank itself has to say is shown.
                bank = Bank(real[0])
                ben = await bank.open("Ben")
                account = json.loads((tmp_path / "anna.wallet").read_text())["account"]
                token = base64.b64decode((await bank.ask("token", {"version": 2}, account))["token"])
                assert "done" in await bank.pay(ben, token, 7)
                received = await anna.event("received")
                assert (received["amount"], received["from"]) == ("0.07 EUR", "Ben")
                assert [event["amount"] for event in anna.events if event["event"] == "received"] == ["0.07 EUR"]
                assert not any("5000" in json.dumps(event) or "5,000" in json.dumps(event) for event in anna.events)
    finally:
        relay.shutdown()
        relay.server_close()


async def test_what_is_asked_of_a_bank_on_this_machine_passes_no_proxy(tmp_path):
    """A proxy of the environment is another machine, and would read the secret of an account that is opened."""
    heard = []

    async def proxy(reader, writer):
        heard.append(await reader.readline())
        writer.close()

    server = await asyncio.start_server(proxy, "127.0.0.1", 0)
    place = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    names = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy")
    proxies = dict.fromkeys(names, place)
    async with server, Process("moneydrop", "bank", "--bank-listen", "127.0.0.1:0", "--json") as bank:
        url = (await bank.event("bank"))["url"]
        trusted, context = authority_and_server(tmp_path)
        async with tls_before(url, context) as encrypted:
            for door in (url, encrypted):
                phone = ("--name", "Anna", "--hci-listen", "127.0.0.1:0", "--no-panel", "--json", "--bank", door)
                async with phone_with(proxies | {"SSL_CERT_FILE": str(trusted)}, *phone) as anna:
                    await anna.event("findable")
    assert heard == []


def phone_with(environment, *arguments):
    class Phone(Process):
        def environment(self):
            return {**os.environ, **environment}

    return Phone("moneydrop", "receive", *arguments)


@contextlib.asynccontextmanager
async def tls_before(url, context, at=0):
    """The same bank with TLS, as by a proxy before it."""
    host, port = url.removeprefix("http://").split(":")

    async def pour(reader, writer):
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(4096):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def relay(reader, writer):
        bank_reader, bank_writer = await asyncio.open_connection(host, int(port))
        await asyncio.gather(pour(reader, bank_writer), pour(bank_reader, writer))

    server = await asyncio.start_server(relay, "127.0.0.1", at, ssl=context)
    async with server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_a_bank_with_tls_is_asked_where_somebody_trusted_vouches_for_it_and_nowhere_else(tmp_path):
    trusted, context = authority_and_server(tmp_path)
    phone = ("--name", "Anna", "--hci-listen", "127.0.0.1:0", "--no-panel", "--json")
    async with Process("moneydrop", "bank", "--bank-listen", "127.0.0.1:0", "--json") as bank:
        url = (await bank.event("bank"))["url"]
        async with tls_before(url, context) as encrypted:
            async with phone_with({"SSL_CERT_FILE": str(trusted)}, *phone, "--bank", encrypted) as anna:
                await anna.event("findable")
            # By nobody's word, and under a name that the certificate does not have.
            elsewhere = encrypted.replace("127.0.0.1", "localhost")
            for authority, door in (("", encrypted), (str(trusted), elsewhere)):
                async with phone_with({"SSL_CERT_FILE": authority}, *phone, "--bank", door) as anna:
                    await anna.until(
                        lambda: f"what answers at {door} does not prove with a certificate" in "".join(anna.errors), "why"
                    )
                    assert not any(event["event"] == "findable" for event in anna.events)


async def test_an_answer_without_end_does_not_fill_the_phones_memory():
    asked = asyncio.Semaphore(0)

    def resident_kibibytes(running):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{running.process.pid}/status").read_text())[1])

    async def endless(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            # Two gigabytes, if they are taken.
            for _ in range(2048):
                writer.write(b" " * (1 << 20))
                await writer.drain()
        asked.release()
        writer.close()

    server = await asyncio.start_server(endless, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    phone = ("--name", "Anna", "--hci-listen", "127.0.0.1:0", "--no-panel", "--bank", url)
    async with server, Process("moneydrop", "receive", *phone) as anna:
        for _ in range(3):
            await asyncio.wait_for(asked.acquire(), PATIENCE)
        assert resident_kibibytes(anna) < 200_000


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_rogue_bank_ends_no_phone_which_asks_again_until_its_bank_answers(scheme, tmp_path):
    answers = [
        b"HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n{}",
        b'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
        b'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
    ]
    asked = itertools.count()
    heard = asyncio.Semaphore(0)

    async def rogue(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answers[next(asked) % len(answers)])
        heard.release()
        # The phone ends the connection: it has had its answer.
        with contextlib.suppress(ConnectionError):
            await reader.read(-1)
        writer.close()

    trusted, context = authority_and_server(tmp_path)
    port = lasting_port()
    context = context if scheme == "https" else None
    server = await asyncio.start_server(rogue, "127.0.0.1", port, ssl=context)
    phone = ("--name", "Anna", "--hci-listen", "127.0.0.1:0", "--no-panel", "--json", "--bank", f"{scheme}://127.0.0.1:{port}")
    async with phone_with({"SSL_CERT_FILE": str(trusted)}, *phone) as anna:
        async with server:
            # Each answer, and what is asked after the last of them.
            for _ in range(len(answers) + 1):
                await asyncio.wait_for(heard.acquire(), PATIENCE)
        place = f"127.0.0.1:{port}" if scheme == "http" else "127.0.0.1:0"
        async with Process("moneydrop", "bank", "--bank-listen", place, "--json") as bank:
            url = (await bank.event("bank"))["url"]
            async with tls_before(url, context, port) if context else contextlib.nullcontext():
                await anna.event("findable")


async def test_a_phone_that_waits_for_its_bank_uses_no_processor():
    asked = asyncio.Event()

    def processor_seconds(running):
        fields = pathlib.Path(f"/proc/{running.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def silent(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await reader.read(-1)
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    phone = ("--name", "Anna", "--hci-listen", "127.0.0.1:0", "--no-panel", "--bank", url)
    async with server, Process("moneydrop", "receive", *phone) as anna:
        await asyncio.wait_for(asked.wait(), PATIENCE)
        before = processor_seconds(anna)
        await asyncio.sleep(3)
        assert processor_seconds(anna) - before < 0.5


async def test_a_phone_replaces_no_bond_for_somebody_who_shows_but_the_address():
    """The bonded phone is away; another one has its address, and not its key, and wants to pair."""
    async with Recipient() as anna, pairing_device(anna.hci) as phone:
        peer, _ = await meet(phone)
        await phone.pair(peer)
        await phone.paired()
        await peer.connection.disconnect()
        # As a stranger, who has no key.
        await phone.forget()
        peer, _ = await meet(phone)
        with pytest.raises(ProtocolError):
            await phone.pair(peer)
        assert await phone.failed() == PAIRING_NOT_SUPPORTED
        assert not peer.connection.is_encrypted and await phone.bonds() == {}
