"""A relay of the login in real time: the desk, the phone, the air of each and the relay are processes of their own,
and every packet takes its time on the line between them."""

import asyncio

import pytest
from bluethroat import Process
from login_relay import relaying
from test_workstation import desk, text_server, users  # noqa: F401 (a fixture)

# From the phone's first message to the session on the desk: hello, offer, reveal, proof, credentials.
CROSSINGS = 5


def login(tmp_path, air):
    files = ("--vault", str(tmp_path / "vault"), "--bonds", str(tmp_path / "phone"))
    return Process("login", "--id", "4711", "--once", "--json", "--no-panel", *files, "--controller", air)


async def meet(users, tmp_path):
    """The first visit, face to face: the phone knows the desk after it."""
    async with desk(users, tmp_path) as running, login(tmp_path, running.hci) as phone:
        await phone.event("screen", page="credentials")
        phone.say("alice")
        phone.say("correct horse")
        await phone.event("screen", page="code")
        phone.say((await running.event("code"))["code"])
        await phone.event("screen", page="connected")
        phone.say("end")
        assert await phone.exit_code() == 0
    # The relay's front has another address, and no bond with the phone.
    (tmp_path / "phone").unlink()


@pytest.mark.parametrize("milliseconds", [0, 100, 500])
async def test_a_relay_opens_a_known_desk_whatever_its_delay(users, tmp_path, milliseconds):  # noqa: F811
    """What docs/workstation.md says of a relay holds on two airs in real time, too: the desk cannot tell how long the way is."""
    await meet(users, tmp_path)
    delay = milliseconds / 1000
    async with (
        desk(users, tmp_path) as running,
        text_server("--wait") as elsewhere,
        relaying(running.hci, elsewhere.hci, delay=delay) as relay,
        login(tmp_path, elsewhere.hci) as phone,
    ):
        await running.event("logged-in", user="alice")
        taken = asyncio.get_running_loop().time() - relay.began
        await phone.event("screen", page="connected", user="alice")
        print(f"with {milliseconds} ms each way the session opened {taken:.2f} s after the phone's first packet")
        assert taken >= CROSSINGS * delay
        # Nothing was asked: the desk was known.
        assert not phone.since(0, "screen", page="code")


@pytest.mark.parametrize("milliseconds", [0, 100])
async def test_a_relay_does_not_open_a_desk_that_draws_digits(users, tmp_path, milliseconds):  # noqa: F811
    await meet(users, tmp_path)
    async with (
        desk(users, tmp_path, "--code", "always") as running,
        text_server("--wait") as elsewhere,
        relaying(running.hci, elsewhere.hci, delay=milliseconds / 1000) as relay,
        login(tmp_path, elsewhere.hci) as phone,
    ):
        # The digits are on the desk's monitor, which the phone's owner does not see.
        drawn = (await running.event("code"))["code"]
        await phone.event("screen", page="code")
        assert len(relay.to_desk.times) > 0 and len(relay.to_phone.times) > 0
        phone.say(f"{(int(drawn) + 1) % 1_000_000:06}")
        await running.event("code")
        assert not any(event["event"] == "logged-in" for event in running.events)
        assert not phone.since(0, "screen", page="connected")
