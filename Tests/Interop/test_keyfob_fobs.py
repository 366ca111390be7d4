"""`bluethroat keyfob --fobs 3`: several fobs on one air, each with an address, keys and events of its own."""

import keyfob_table as table
import pytest
from bluethroat import KeyFob, Process, command
from bumble_central import attached

FAST = ("--fast", "--for", "35", "--seed", "7")


def fobs(running):
    return [event for event in running.events if event["event"] == "fob"]


async def test_three_fobs_are_three_devices():
    async with KeyFob("--fobs", "3") as running:
        assert [event["fob"] for event in fobs(running)] == [1, 2, 3]
        addresses = [event["address"] for event in fobs(running)]
        assert addresses[0] == "78:C5:E5:9B:76:0D" and len(set(addresses)) == 3
        identifiers = set()
        for number, address in enumerate(addresses, 1):
            await running.event("advertising", on=True, fob=number)
            answer = await command("read", address, "180A/2A23", "--hci", running.hci, "--json")
            assert answer.code == 0, answer.story
            identifiers.add(answer.one("value")["value"])
            await running.event("connected", fob=number)
        assert len(identifiers) == 3, "System IDs follow from the addresses"
        heard = await command("scan", "--timeout", "3", "--hci", running.hci, "--json")
        assert set(addresses) <= {event.get("address") for event in heard.events}, heard.story


async def test_two_foreign_centrals_are_with_two_fobs_and_hear_the_keys_of_theirs_alone():
    async with KeyFob("--fobs", "2") as running, attached(running.hci) as one, attached(running.hci, 2) as other:
        peers = []
        for central, fob in zip((one, other), fobs(running)):
            async with central.scanning():
                report = await central.report(lambda report, fob=fob: report.address.to_string(False) == fob["address"])
            peers.append(await central.connect(report.address))
            await running.event("connected", fob=fob["fob"], peer=central.address)
            await peers[-1].subscribe(table.KEYS_CCCD)
        running.say("2 r down")
        assert await peers[1].notification() == (table.KEYS, b"\x02")
        running.say("1 l down")
        assert await peers[0].notification() == (table.KEYS, b"\x01")
        assert peers[0].values.empty() and peers[1].values.empty()


async def test_words_are_for_the_fob_of_their_number_or_for_the_chosen_one():
    async with KeyFob("--fobs", "3", "--wait") as running:
        running.say("2 l down")
        assert (await running.event("key"))["fob"] == 2
        running.say("l down")
        assert (await running.event("key"))["fob"] == 1
        running.say("3")
        running.say("r down")
        event = await running.event("key")
        assert (event["fob"], event["state"]) == (3, 2)
        for words, complaint in [("4 l", "1 to 3"), ("2 fly", "unknown word")]:
            running.say(words)
            assert complaint in (await running.event("error"))["message"]
        changes = [event for event in running.events if event["event"] in ("key", "led", "advertising")]
        assert changes and all(event["fob"] in (1, 2, 3) for event in changes)


async def test_without_json_each_line_says_of_which_fob_it_is():
    async with Process("keyfob", "--fobs", "2", "--hci-listen", "127.0.0.1:0") as running:
        await running.until(lambda: any("HCI listening" in line for line in running.lines), "HCI port")
        assert [line.split()[:3] for line in running.lines[:2]] == [["Key", "fob", "1"], ["Key", "fob", "2"]]
        running.say("2 l")
        await running.until(lambda: any("fob 2: keys: left" in line for line in running.lines), "left key of fob 2")
        running.say("q")
        assert await running.exit_code() == 0


async def test_phones_that_play_fobs_can_be_several_too():
    async with KeyFob("--fobs", "2", "--personality", "phone") as running:
        assert len({event["address"] for event in fobs(running)}) == 2
        for number in (1, 2):
            await running.event("advertising", on=True, fob=number)
        running.say("2 l")
        assert (await running.event("key", state=1))["fob"] == 2


async def test_the_seed_decides_all_of_them_and_one_fob_is_as_without_the_option():
    three = [await command("keyfob", "--fobs", "3", *FAST, "--json") for _ in range(2)]
    assert three[0].code == 0 and three[0].lines == three[1].lines, three[0].story
    assert {event["fob"] for event in three[0].all("advertising", on=False)} == {1, 2, 3}
    times = [event["time"] for event in three[0].events if "time" in event]
    assert times == sorted(times)
    for json in ((), ("--json",)):
        one, plain = [await command("keyfob", *words, *FAST, *json) for words in (("--fobs", "1"), ())]
        assert one.lines == plain.lines and len(plain.lines) > 4, plain.story
        assert not any('"fob":' in line or "fob 1" in line for line in plain.lines), plain.story


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--fobs", "0"], "1 to 9"),
        (["--fobs", "10"], "1 to 9"),
        (["--fobs", "few"], "1 to 9"),
        (["--fobs", "2", "--controller", "tcp:127.0.0.1:1"], "--fobs"),
    ],
)
async def test_what_cannot_be_is_one_line(arguments, word):
    end = await command("keyfob", *arguments)
    assert end.code == 2 and len(end.errors) == 1 and word in end.errors[0], end.story
