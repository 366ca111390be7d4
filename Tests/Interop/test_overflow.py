"""`bluethroat overflow`: what iPhones put into the overflow area, on the air, at the command line, and learnt by strangers."""

import asyncio
import time
import uuid

import pytest
from bluethroat import KeyFob, Process, binary, command
from bumble_central import attached
from bumble_controllers import Air, served_over_tcp
from bumble_overflow import HEADER, Sender

MASKS = ["558040C0200000000000000000000000", "0000000000000000558040C020000000"]


def checksum(service):
    """The bit of a service, by a rule of our own making: CRC-8 by table, polynomial x^8 + x^3 + 1."""
    crc = 0
    for byte in service.to_bytes(16, "big"):
        crc ^= byte
        for _ in range(8):
            crc = ((crc << 1) ^ 0x109) & 0x1FF if crc & 0x80 else crc << 1
    return crc & 0x7F


def mask(service):
    bit = checksum(service)
    return bytes(1 << bit % 8 if byte == bit // 8 else 0 for byte in range(16))


def test_the_rule_of_this_file_agrees_with_what_was_captured():
    assert checksum(uuid.UUID("2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6").int) == 83
    assert checksum(uuid.UUID("0000C007-0000-1000-8000-00805F9B34FB").int) == 36
    assert checksum(0x39) == 120


class Demo(Process):
    """`bluethroat overflow demo`, listening."""

    def __init__(self, *arguments):
        super().__init__("overflow", "demo", "--hci-listen", "127.0.0.1:0", "--no-panel", "--seed", "1", "--json", *arguments)

    async def __aenter__(self):
        await super().__aenter__()
        self.hci = (await self.event("listening"))["hci"]
        return self


async def test_bumble_sees_the_frame_in_both_positions():
    async with Demo("--phones", "1") as demo, attached(demo.hci) as central:
        async with central.scanning(active=False):
            for expected in MASKS:
                await central.report(lambda report: bytes(report.data) == HEADER + bytes.fromhex(expected))


async def test_the_analyser_learns_all_bits_of_two_phones_that_know_nothing_of_it():
    """Two Bumble hosts that advertise every service by the clock, so that a busy machine misses some; where it is so late
    that a change is counted as two the table says that it doesn't fit."""
    step = 0.15

    async def count(central, start):
        sender = Sender(central)
        while True:
            service = int((time.monotonic() - start) / step)
            await sender.send(mask(service))
            await asyncio.sleep(max(0, start + (service + 1) * step - time.monotonic()))

    async with KeyFob("--wait") as world, attached(world.hci, 1) as one, attached(world.hci, 2) as two:
        arguments = ("overflow", "analyse", "--hci", world.hci, "--devices", "2", "--step", str(step))
        async with Process(*arguments, "--rssi", "-128", "--timeout", "240", "--json") as analyser:
            await asyncio.sleep(1)
            start = time.monotonic()
            phones = [asyncio.create_task(count(phone, start)) for phone in (one, two)]
            try:
                assert await analyser.exit_code(250) == 0, analyser.story()
            finally:
                for phone in phones:
                    phone.cancel()
            tables = [event for event in analyser.events if event["event"] == "table"]
            assert [table["count"] for table in tables] == [128, 128]
            for table in tables:
                assert [entry["index"] for entry in table["entries"]] == list(range(128))
                if table["fits"]:
                    for entry in table["entries"]:
                        assert checksum(uuid.UUID(entry["uuid"]).int) ^ 7 == entry["index"]


def phone_on(hci, payload, *more):
    return Process("overflow", "demo", "--controller", hci, "--payload", payload, "--no-panel", "--json", *more)


async def test_on_controllers_elsewhere_the_same_payloads_go_out_and_are_read():
    """Two commands, each a phone on a controller that it finds at an HCI port, with one air behind both."""
    async with (
        KeyFob("--wait") as world,
        phone_on(world.hci, "0a0b0c0d") as one,
        phone_on(world.hci, "01020304") as two,
    ):
        assert (await one.event("read"))["payload"] == "01020304"
        assert (await two.event("read"))["payload"] == "0a0b0c0d"


async def test_two_processes_hold_a_conversation_on_one_air():
    """Each a phone in the background on a controller of its own; a third one beside them is a beacon."""

    def talker(hci, number, message):
        words = ("--mode", "conversation", "--number", number, "--payload", message.hex(), "--controller", hci, "--no-panel")
        return Process("overflow", "demo", *words, "--json")

    async with (
        KeyFob("--wait") as world,
        talker(world.hci, "0", b"Is it raining?") as one,
        talker(world.hci, "1", b"Not yet.") as two,
        Process("overflow", "demo", "--controller", world.hci, "--payload", "0a0b0c0d", "--no-panel", "--json"),
    ):
        assert bytes.fromhex((await one.event("read", patience=90))["payload"]) == b"Not yet."
        assert bytes.fromhex((await two.event("read", patience=90))["payload"]) == b"Is it raining?"


@pytest.mark.parametrize("legacy", [False, True], ids=["as it comes", "of old"])
async def test_on_bumbles_controllers_they_go_out_and_are_read_as_well(legacy):
    air = Air()
    async with (
        served_over_tcp(air, public_address="00:1B:DC:00:00:01", legacy=legacy) as first,
        served_over_tcp(air, public_address="00:1B:DC:00:00:02", legacy=legacy) as second,
        phone_on(first, "0a0b0c0d") as one,
        phone_on(second, "01020304") as two,
    ):
        assert (await one.event("read"))["payload"] == "01020304"
        assert (await two.event("read"))["payload"] == "0a0b0c0d"


async def test_phones_that_are_too_weak_are_told_of_and_the_controller_is_free_again():
    """Bumble's controllers receive everything at -50 dBm, and go on scanning after a reset."""
    air = Air()
    async with (
        served_over_tcp(air, public_address="00:1B:DC:00:00:01", legacy=True) as first,
        served_over_tcp(air, public_address="00:1B:DC:00:00:02", legacy=True) as second,
        Process("overflow", "demo", "--controller", first, "--mode", "sequential", "--no-panel", "--json") as phone,
    ):
        await phone.event("log")
        for _ in range(2):
            answer = await command("overflow", "analyse", "--hci", second, "--timeout", "3")
            assert (answer.code, answer.lines) == (3, []), answer.story
            assert "advertisements were too weak: go nearer, or try --rssi -100" in answer.errors[0]
        answer = await command("overflow", "analyse", "--hci", second, "--timeout", "3", "--rssi", "-100")
        assert answer.code == 3 and " sets bit " in answer.lines[0], answer.story


async def test_a_demonstration_in_virtual_time_reads_with_lit_screens_and_never_with_dark_ones():
    both = ("--payload", "01020304", "--payload", "CAFE007F", "--for", "120", "--seed", "3", "--fast", "--json")
    lit = await command("overflow", "demo", *both)
    assert lit.code == 0, lit.story
    assert {(read["phone"], read["payload"]) for read in lit.all("read")} == {
        ("phone 1", "cafe007f"),
        ("phone 2", "01020304"),
    }
    assert lit.all("log", phone="phone 2", message="I just read beacon bytes: [1, 2, 3, 4]")
    assert lit.all("log", message="emitting overflow area advertisement AA010203040000000000000000000000")

    dark = await command("overflow", "demo", *both, "--screen", "off")
    assert (dark.code, dark.all("read")) == (3, []), dark.story
    assert len(dark.errors) == 1

    notified = await command("overflow", "demo", *both, "--screen", "notified", "--cycle", "31")
    assert notified.code == 0 and notified.all("read"), notified.story
    again = await command("overflow", "demo", *both, "--screen", "notified", "--cycle", "31")
    assert again.lines == notified.lines, "the same seed is the same run"


async def test_versions_and_pollution_decide_which_scheme_works():
    long = ("--for", "200", "--seed", "4", "--fast", "--json")
    assert (await command("overflow", "demo", "--ios", "14", *long)).code == 3
    encoded = (await command("overflow", "encode", "--mode", "bch", "--payload", "00010203", "--json")).one("mask")
    hamming = await command("overflow", "demo", "--ios", "14", "--mode", "hamming", "--payload", "00010203", "--pollute", "66", *long)
    assert hamming.code == 0 and {read["payload"] for read in hamming.all("read")} == {"00010203"}, hamming.story
    # Fourteen zeros of the code word of 00010203; one more than a Hamming code word survives, and thirteen more.
    zeros = [bit for bit in range(128) if int(encoded["binary"][bit]) == 0][:14]
    foreign = [word for bit in zeros for word in ("--pollute", str(bit))]
    bch = await command("overflow", "demo", "--ios", "14", "--mode", "bch", "--payload", "00010203", *foreign, *long)
    assert bch.code == 0 and {read["payload"] for read in bch.all("read")} == {"00010203"}, bch.story
    polluted = await command("overflow", "demo", "--pollute", "79", *long)
    assert {read["payload"] for read in polluted.all("read")} == {"01020304"}, polluted.story
    assert polluted.all("neighbour", phone="phone 2", statuses=["unpolluted", "polluted"])
    assert polluted.one("neighbour", phone="phone 1")["confidence"] == [1, 1, 1, 1]
    # The bit is in the first byte in every other turn.
    first, *rest = polluted.one("neighbour", phone="phone 2")["confidence"]
    assert 0.3 < first < 0.7 and rest == [1, 1, 1], polluted.story


@pytest.mark.parametrize("bit, bank", [(10, 0), (50, 0), (60, 0), (100, 1), (120, 1)])
async def test_a_foreign_bit_pollutes_its_bank_where_the_rule_looks(bit, bank):
    polluted = ["unpolluted", "unpolluted"]
    polluted[bank] = "polluted"
    for rule in ("frame", "whole"):
        answer = await command(
            "overflow", "demo", "--pollute", str(bit), "--bank", rule, "--for", "120", "--seed", "4", "--fast", "--json"
        )
        is_seen = rule == "whole" or bit in (10, 100)
        statuses = answer.one("neighbour", phone="phone 2")["statuses"]
        assert statuses == (polluted if is_seen else ["unpolluted", "unpolluted"]), answer.story


async def test_without_a_payload_a_code_word_carries_what_help_says():
    answer = await command("overflow", "demo", "--mode", "hamming", "--for", "120", "--seed", "4", "--fast", "--json")
    assert answer.code == 0 and {read["payload"] for read in answer.all("read")} == {"01020304"}, answer.story
    drawn = await command(
        "overflow", "demo", "--mode", "hamming", "--payload", "random", "--for", "120", "--seed", "4", "--fast", "--json"
    )
    payloads = {read["payload"] for read in drawn.all("read")}
    assert len(payloads) == 2 and all(payload.startswith("0001") for payload in payloads), drawn.story


async def test_two_phones_in_the_background_converse_and_a_third_one_gets_nothing():
    question, answer = b"Where are you?".hex(), b"Behind you, by the door.".hex()
    talk = ("overflow", "demo", "--mode", "conversation", "--for", "120", "--seed", "4", "--fast", "--json")
    two = await command(*talk)
    assert two.code == 0, two.story
    assert {(read["phone"], read["payload"]) for read in two.all("read")} == {("phone 1", answer), ("phone 2", question)}
    costs = two.all("conversation")
    assert [(cost["phone"], cost["partner"], cost["delivered"], cost["received"], cost["waiting"]) for cost in costs] == [
        ("phone 1", "phone 2", 14, 24, 0),
        ("phone 2", "phone 1", 24, 14, 0),
    ], two.story
    # A piece of two bytes is a change, and takes a second at least.
    assert all(0.5 <= cost["changesPerByte"] < 3 and 0.4 < cost["timePerByte"] < 5 for cost in costs), two.story
    assert (await command(*talk)).lines == two.lines, "the same seed is the same run"

    three = await command(*talk, "--phones", "3", "--payload", "00" * 40, "--payload", "01", "--payload", "FF")
    assert three.code == 0, three.story
    assert {(read["phone"], read["payload"]) for read in three.all("read")} == {("phone 1", "01"), ("phone 2", "00" * 40)}
    third = three.one("conversation", phone="phone 3")
    assert (third["partner"], third["delivered"], third["received"], third["waiting"]) == ("phone 1", 0, 0, 1), three.story

    frozen = await command(*talk, "--ios", "14")
    assert (frozen.code, frozen.all("read")) == (3, []), frozen.story
    people = await command(*talk[:-1])
    assert people.lines[-2].startswith("phone 1: 14 bytes to phone 2, 24 from it; "), people.story


async def test_sequential_phones_are_analysed_in_virtual_time():
    answer = await command(
        "overflow", "demo", "--mode", "sequential", "--analyse", "--for", "140", "--seed", "5", "--fast", "--json"
    )
    assert answer.code == 0, answer.story
    assert answer.one("log", phone="phone 1", message="Advertising 00000000-0000-0000-0000-00000000000A")
    tables = answer.all("table")
    assert [table["count"] for table in tables] == [128, 128]
    for table in tables:
        assert all(checksum(uuid.UUID(entry["uuid"]).int) ^ 7 == entry["index"] for entry in table["entries"])
        assert table["confidence"] == [1] * 16, "every bit was seen alone, and only alone"
    people = await command(
        "overflow", "demo", "--mode", "sequential", "--analyse", "--for", "140", "--seed", "5", "--fast"
    )
    assert sum(line.endswith(": Found 128 of 128") for line in people.lines) >= 2


async def test_bytes_and_services_are_shown_in_both_orders():
    frames = (await command("overflow", "encode", "--payload", "01020304", "--json")).all("mask")
    assert [frame["air"] for frame in frames] == [text.lower() for text in MASKS]
    assert [frame["app"][:10] for frame in frames] == ["aa01020304", "0000000000"]
    assert [frame["disturbsWatches"] for frame in frames] == [False, True]
    decoded = (await command("overflow", "decode", HEADER.hex() + MASKS[1], "--json")).one("mask")
    # One advertisement: each 1 may be a foreign bit.
    sure = [0.875, 0.875, 0.75, 0.875]
    assert decoded["payloads"] == [{"mode": "demo", "position": 1, "payload": "01020304", "confidence": sure}]
    assert [bit["uuid"][-2:] for bit in decoded["bits"]] == "75 67 50 42 74 65 64 2F 0D".split()
    services = (await command("overflow", "encode", "--service", "C007", "--service", "180F", "--json")).one("mask")
    assert [bit["checksum"] for bit in services["bits"]] == [36, 115]
    for order, other in (("air", "app"), ("app", "air")):
        one = (await command("overflow", "decode", "0123456789abcdef" * 2, "--order", order, "--json")).one("mask")
        assert one[order] == "0123456789abcdef" * 2
        assert one[other] == "80c4a2e691d5b3f7" * 2
    letters = "".join(f"{letter:08b}" for letter in b"OverflowAreaWoot")
    assert (await command("overflow", "encode", "--binary", letters, "--json")).one("mask")["air"] == b"OverflowAreaWoot".hex()


async def test_more_advertisements_of_a_phone_make_the_confidence_in_each_byte_greater():
    async def confidence(*masks):
        return (await command("overflow", "decode", *masks, "--json")).one("mask")["payloads"][0]["confidence"]

    assert await confidence(MASKS[0]) == [0.875, 0.875, 0.75, 0.875]
    # The other turn shows that nobody else sets those bits.
    assert await confidence(MASKS[0], MASKS[1]) == [1, 1, 1, 1]
    # Bit 8 is the 1 of the first byte in the first position, 72 in the second. One that is there all the time may be
    # somebody else's; as long as the other is not, it does no harm.
    one = [MASKS[0], f"0080{MASKS[1][4:]}"]
    assert await confidence(*one) == [1, 1, 1, 1]
    both = [f"{MASKS[0][:18]}80{MASKS[0][20:]}", f"0080{MASKS[1][4:]}"]
    assert await confidence(*both) == [0.875, 1, 1, 1]
    people = await command("overflow", "decode", *MASKS)
    assert people.lines[-2:] == [
        "demo payload 01020304 in position 1",
        "confidence in each byte: 100 % 100 % 100 % 100 %, from 2 masks",
    ], people.story
    assert (await command("overflow", "decode", MASKS[0] + "00")).code == 2


async def test_a_bch_code_word_says_what_was_put_right():
    whole = "BC3571CAD5DD81AE52C0206010012CA6"
    encoded = (await command("overflow", "encode", "--mode", "bch", "--payload", "01020304", "--json")).one("mask")
    assert encoded["air"] == whole.lower() and not encoded["disturbsWatches"]
    foreign = (int(whole, 16) | (0xE << 16)).to_bytes(16, "big").hex()
    answer = await command("overflow", "decode", foreign)
    assert answer.lines[-2:] == [
        "bch payload 01020304 with bits 108, 109 and 110 put right",
        "confidence in each byte: 100 % 100 % 100 % 100 %, from 1 mask",
    ], answer.story


BAD = [
    ("encode",),
    ("encode", "xyz"),
    ("encode", "AB" * 17),
    ("encode", "A"),
    ("encode", "é" * 32),
    ("encode", "--service", "C0075"),
    ("encode", "--binary", "012"),
    ("encode", "--binary", "1" * 129),
    ("encode", "--payload", "00" * 8),
    ("encode", "--payload", "010203", "--mode", "hamming"),
    ("encode", "--payload", "0102030405", "--mode", "bch"),
    ("encode", "AA", "--payload", "01"),
    ("encode", "AA", "--order", "sideways"),
    ("decode", "00" * 15),
    ("decode", "02011a14ff4c0001" + "00" * 15),
    ("decode", "00000000-0000-0000-0000-00000000000"),
    ("decode", "\n\n"),
    ("decode", "00" * 16, "--payload-size", "9"),
    ("decode", "00" * 16, "--matching-byte", "00"),
    ("demo", "--phones", "0"),
    ("demo", "--pollute", "128"),
    ("demo", "--payload", "0102030405060708"),
    ("demo", "--ios", "x"),
    ("demo", "--for", "-1"),
    ("demo", "--for", "10", "--fast", "--hci-listen", "127.0.0.1:0"),
    ("demo", "--bank", "half"),
    ("demo", "--mode", "conversation", "--phones", "17"),
    ("demo", "--mode", "conversation", "--number", "15"),
    ("demo", "--number", "-1"),
    ("demo", "--mode", "conversation", "--payload", "00" * 1025),
    ("encode", "--payload", "010203", "--mode", "conversation"),
    ("demo", "--payload", "random"),
    ("demo", "--mode", "sequential", "--payload", "01"),
    ("demo", "--controller", "tcp:127.0.0.1:1", "--phones", "2"),
    ("analyse", "--devices", "0"),
    ("analyse", "--step", "0"),
]


@pytest.mark.parametrize("arguments", BAD, ids=lambda arguments: " ".join(arguments)[:40].strip())
async def test_what_cannot_be_is_one_line_and_wrong_usage(arguments):
    answer = await command("overflow", *arguments)
    assert answer.code == 2 and answer.lines == [], answer.story
    assert len(answer.errors) == 1 and len(answer.errors[0]) < 400, answer.story
    assert answer.errors[0].endswith(f"; see bluethroat overflow {arguments[0]} --help")


async def test_what_finds_no_room_on_a_disk_is_no_success():
    with open("/dev/full", "wb") as full:
        process = await asyncio.create_subprocess_exec(
            binary(), "overflow", "encode", "01", stdout=full, stderr=asyncio.subprocess.PIPE
        )
        _, errors = await process.communicate()
    assert process.returncode == 1 and errors.decode().count("\n") == 1
    assert errors.startswith(b"cannot write the output: ")
