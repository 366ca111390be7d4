"""`--for` is the world's time in every live world, and `--fast` lets it pass as fast as it can."""

import asyncio

import pytest
from bluethroat import Process, command

SEED = ("--seed", "7", "--json")
BEACON = ("ibeacon", "--uuid", "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5", "--major", "1", "--minor", "2")
LIVE = [("keyfob",), ("sensortag",), BEACON, ("text", "demo"), ("desk", "demo", "--desks", "2", "--people", "2")]


@pytest.mark.parametrize("words", LIVE, ids=lambda words: words[0])
async def test_two_minutes_pass_at_once_and_are_over(words):
    answer = await command(*words, "--for", "120", "--fast", *SEED)
    assert answer.code == 0, answer.story
    assert answer.all("listening") == [] and answer.all("panel") == []


@pytest.mark.parametrize("words", [*LIVE[:4], ("overflow", "demo"), ("moneydrop", "demo")], ids=lambda words: words[0])
async def test_fast_time_wants_an_end(words):
    answer = await command(*words, "--fast")
    assert answer.code == 2 and answer.lines == [], answer.story
    assert len(answer.errors) == 1 and "--for SECONDS" in answer.errors[0], answer.story


async def test_a_cafe_closes_at_its_time_when_payments_are_over_and_needs_no_port():
    # The bank's port is taken.
    async with Process("moneydrop", "bank", "--bank-listen", "127.0.0.1:0", "--json") as bank:
        port = (await bank.event("bank"))["url"].removeprefix("http://")
        words = ("--people", "3", "--for", "120", "--fast", "--bank-listen", port)
        answer = await command("moneydrop", "demo", *words, *SEED)
    closed = answer.one("closed")
    assert answer.code == 0 and closed["sent"] > 0 and closed["transfers"] >= closed["sent"], answer.story
    assert closed["faults"] == [] and 120 <= closed["time"] <= 162, answer.story


async def test_without_fast_the_same_seconds_are_real_ones():
    places = ("--hci-listen", "127.0.0.1:0", "--no-panel", "--json")
    for words, code in [(("sensortag",), 0), (("overflow", "demo"), 3)]:
        clock = asyncio.get_running_loop().time
        async with Process(*words, "--for", "2", *places) as process:
            await process.event("listening")
            began = clock()
            assert await process.exit_code() == code, process.story()
            assert clock() - began > 1, process.story()


async def test_what_was_to_be_done_and_is_not_at_the_end_is_a_failure():
    places = ("--hci-listen", "127.0.0.1:0", "--bank", "http://127.0.0.1:1")
    answer = await command("moneydrop", "send", "--to", "Ben", "--amount", "1", "--for", "1", *places)
    assert answer.code == 1, answer.story
    assert answer.errors[-1].endswith("the bank has not answered in 1 s, and nothing was sent"), answer.story


async def test_a_bank_elsewhere_does_not_go_as_fast():
    answer = await command("moneydrop", "demo", "--bank", "http://127.0.0.1:1", "--for", "5", "--fast")
    assert answer.code == 2 and "leave out --fast or --bank" in answer.errors[0], answer.story
