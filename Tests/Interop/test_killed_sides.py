"""Each of the five systems as separate processes on one air, and one side of it killed at ten random moments.

A round is ten kills, one after the other, with an end in peace; rounds run side by side. Each prints the seed that its
moments came from. MoneyDrop's own kills, step by step, are in test_moneydrop_kills.py."""

import asyncio
import contextlib
import json
import random
import signal

import pytest
from bluethroat import PATIENCE, KeyFob, Process, command, effort, lasting_port
from test_moneydrop_kills import Scene as Money
from test_workstation import users  # noqa: F401: a fixture

KILLS = 10
ROUNDS = effort(100, 5)
# Side by side, so that a round's waiting is shared.
AT_ONCE = 5


async def rounds(play, folder):
    """As many rounds as are wanted, a few at a time, each with a folder of its own."""
    seats = asyncio.Semaphore(AT_ONCE)

    async def one(number):
        seed = random.SystemRandom().getrandbits(32)
        place = folder / str(number)
        place.mkdir(0o700)
        async with seats:
            try:
                await play(place, random.Random(seed))
            except BaseException as failure:
                failure.add_note(f"round {number}, seed {seed}")
                raise

    async with asyncio.TaskGroup() as group:
        for number in range(ROUNDS):
            group.create_task(one(number))


class Side:
    """A process that is started again whenever it was killed, and the same person's each time."""

    def __init__(self, begin):
        self.begin = begin
        self.process = None

    async def __aenter__(self):
        await self.start()
        return self

    async def start(self):
        self.process = await self.begin().__aenter__()

    async def kill(self):
        """What it was; it may have ended by itself before."""
        dead, self.process = self.process, None
        if dead.process.returncode is None:
            dead.send(signal.SIGKILL)
        await dead.exit_code()
        await dead.__aexit__(None)
        return dead

    async def __aexit__(self, failure, *_):
        if self.process:
            if failure:
                print(self.process.story())
            await self.kill()


# The key fob: a bond is one that both have, or that the next pairing replaces on both sides.


async def bonds(store, output):
    answer = await command("bonds", "export", "--keys", "--bonds", str(store), "--output", str(output))
    found = [json.loads(line) for line in output.read_text().splitlines()] if answer.code == 0 else []
    output.unlink(missing_ok=True)
    return [(bond["peer"], bond.get("longTermKeyAsPeripheral") or bond.get("longTermKeyAsCentral")) for bond in found]


async def key_fob(folder, chance):
    port = lasting_port()
    stores = [folder / "fob.sqlite", folder / "phone.sqlite"]
    fob = Side(lambda: KeyFob("--require-pairing", "--bonds", str(stores[0]), hci_listen=f"127.0.0.1:{port}"))
    phone = ("--hci", f"tcp:127.0.0.1:{port}", "--bonds", str(stores[1]), "--json")
    pairing = ("pair", "Keyfobdemo", "--bond", "--passkey", "000000", *phone)

    def is_free():
        return len(fob.process.since(0, "connected")) == len(fob.process.since(0, "disconnected"))

    async def advertise():
        """For another half minute, which the fob counts from when it began, and a busy machine may need."""
        while True:
            mark = fob.process.mark()
            fob.process.say("a")
            await fob.process.until(lambda: fob.process.since(mark, "advertising"), "advertising")
            if fob.process.since(mark, "advertising")[-1]["on"]:
                return

    async def keys():
        """Those of the fob, and those of the phone."""
        return [[key for _, key in await bonds(store, folder / "exported")] for store in stores]

    async def pair_in_peace():
        """Nobody deletes a bond by hand before it, and the first attempt succeeds."""
        await advertise()
        answer = await command(*pairing, patience=PATIENCE * 2)
        assert answer.code == 0, answer.story + fob.process.story()
        await fob.process.event("advertising", on=True)
        ours, theirs = await keys()
        assert len(ours) == len(theirs) == 1 and ours == theirs, (ours, theirs)

    async with fob:
        await fob.process.event("advertising", on=True)
        await pair_in_peace()
        for _ in range(KILLS):
            fob.process.forget()
            async with Process(*pairing) as central:
                await asyncio.sleep(chance.uniform(0, 0.8))
                is_new = chance.random() < 0.5
                if is_new:
                    await fob.kill()
                    await central.exit_code()
                    await fob.start()
                else:
                    if central.process.returncode is None:
                        central.send(signal.SIGKILL)
                    await central.exit_code()
                    await fob.process.until(is_free, "end of the connection")
            # Who says that it has paired has the keys, whatever happened then.
            if central.process.returncode == 0:
                ours, theirs = await keys()
                assert ours == theirs, central.story()
            # Killed while keys are exchanged, one side may have those that the other has not: the next pairing mends that.
            ours, theirs = await keys()
            if ours != theirs:
                if is_new:
                    # It does what `a` says only when its start is over.
                    await fob.process.event("advertising", on=True)
                await pair_in_peace()
        await fob.kill()
        await fob.start()
        await fob.process.event("advertising", on=True)
        await pair_in_peace()
        await advertise()
        answer = await command("read", "Keyfobdemo", "2A19", *phone)
        assert answer.code == 0, answer.story


# Overflow: who is left reads what the other sends now.


async def overflow(folder, chance):
    async with KeyFob("--wait") as air:

        def phone(payload):
            return Process("overflow", "demo", "--controller", air.hci, "--payload", payload, "--no-panel", "--json")

        async with contextlib.AsyncExitStack() as stack:
            # Whose it is, and which run of it.
            payloads = [f"{number:02x}{chance.getrandbits(16):04x}01" for number in range(2)]
            sides = [await stack.enter_async_context(Side(lambda n=n: phone(payloads[n]))) for n in range(2)]
            for number in range(KILLS):
                await asyncio.sleep(chance.uniform(0, 2))
                dies = chance.randrange(2)
                lives = sides[1 - dies].process
                await sides[dies].kill()
                payloads[dies] = payloads[dies][:6] + f"{number + 2:02x}"
                mark = lives.mark()
                await sides[dies].start()
                if number % 3 == 2:
                    await lives.until(lambda: lives.since(mark, "read", payload=payloads[dies]), payloads[dies], PATIENCE * 2)
            for side, payload in zip(sides, reversed(payloads)):
                await side.process.until(lambda: side.process.since(0, "read", payload=payload), payload, PATIENCE * 2)
            for side, other in zip(sides, reversed(payloads)):
                # Never anything that was not sent.
                assert all(event["payload"][:6] == other[:6] for event in side.process.since(0, "read"))


# Futures: a peripheral that outlives its centrals, and centrals that find the next one.

DATA, SWITCH = "F000AA11-0451-4000-B000-000000000000", "F000AA12-0451-4000-B000-000000000000"


async def futures(folder, chance):
    async with KeyFob("--wait") as air:
        tag = Side(lambda: Process("sensortag", "--controller", air.hci, "--no-panel", "--json"))
        words = ("subscribe", "SensorTag", DATA, "--write", f"{SWITCH}=01", "--hci", air.hci, "--json")
        async with tag:
            await tag.process.event("advertising")
            for _ in range(KILLS):
                async with Process(*words, "--timeout", "3") as central:
                    await asyncio.sleep(chance.uniform(0, 6))
                    if chance.random() < 0.5:
                        await tag.kill()
                        # Whoever heard it says so and ends, and whoever did not gives up.
                        assert await central.exit_code() != 0, central.story()
                        await tag.start()
                        await tag.process.event("advertising")
                    else:
                        if central.process.returncode is None:
                            central.send(signal.SIGKILL)
                        await central.exit_code()
            answer = await command(*words, "--timeout", "10", "--count", "3")
            assert answer.code == 0 and len(answer.all("notification")) >= 3, answer.story + tag.process.story()


# MoneyDrop: no payment is lost, and none is made twice.


async def money_drop(folder, chance):
    async with Money(folder) as scene, Side(lambda: scene.receive("Anna")) as anna:
        shown = []

        def gathered():
            return shown + [event["id"] for event in anna.process.since(0, "received")]

        def is_over(number):
            path = folder / "Ben.wallet"
            outgoing = json.loads(path.read_text())["outgoing"] if path.exists() else []
            return any(one["order"]["amount"]["minorUnits"] == number * 100 + 25 and not one["isAwaited"] for one in outgoing)

        await anna.process.event("findable")
        for number in range(1, KILLS + 1):
            words = ("Ben", f"{number}.25", "--timeout", "60")
            async with scene.send(*words) as ben:
                await asyncio.sleep(chance.uniform(0, 2))
                if chance.random() < 0.5:
                    dead = await anna.kill()
                    shown += [event["id"] for event in dead.since(0, "received")]
                    await anna.start()
                    # Back at once, she is two people for a while.
                    code = await ben.exit_code(PATIENCE * 3)
                    assert code == 0 or "nothing was sent" in ben.errors[-1], ben.story() + anna.process.story()
                elif ben.process.returncode is None:
                    ben.send(signal.SIGKILL)
                    await ben.exit_code()
            if not is_over(number):
                async with scene.send(*words) as again:
                    assert await again.exit_code(PATIENCE * 3) == 0, again.story() + anna.process.story()
        rows = scene.transfers()
        assert sorted(amount for _, amount, _ in rows) == [number * 100 + 25 for number in range(1, KILLS + 1)]
        wanted = sorted(transfer for _, _, transfer in rows)
        await anna.process.until(lambda: set(gathered()) >= set(wanted), "all notices", PATIENCE * 2)
        assert sorted(scene.received("Anna")) == wanted


# Login: no session without its phone.


async def login(folder, chance, users):
    async with KeyFob("--wait") as air:
        place = ("--controller", air.hci, "--no-panel", "--json")
        kept = ("--users", str(users), "--key", str(folder / "key"), "--bonds", str(folder / "desk"))
        desk = Side(lambda: Process("desk", "--id", "4711", *kept, *place))
        phone = Side(lambda: Process("login", "--vault", str(folder / "vault"), "--bonds", str(folder / "phone"), *place))

        def page():
            return [event["page"] for event in phone.process.events if event["event"] == "screen"][-1:]

        def is_open():
            sessions = [event["event"] for event in desk.process.events if event["event"] in ("logged-in", "logged-out")]
            return sessions[-1:] == ["logged-in"]

        async def rests():
            """Without a session; one that an earlier entry has come to all the same is ended."""
            ends = (["start"], ["not-found"], ["connected"])
            await phone.process.until(lambda: page() in ends, "phone at rest", PATIENCE * 2)
            if page() == ["connected"]:
                phone.process.say("end")
                await phone.process.until(lambda: page() == ["start"], "end of the session", PATIENCE)
            await desk.process.until(lambda: not is_open(), "end of the session at the desk", PATIENCE)

        async def enter():
            await rests()
            phone.process.say("4711")

        async def succeed(*answers):
            await enter()
            if answers:
                await phone.process.event("screen", page="credentials")
                for line in answers:
                    phone.process.say(line)
                await phone.process.event("screen", page="code")
                phone.process.say((await desk.process.event("code"))["code"])
            await phone.process.until(lambda: page() == ["connected"] and is_open(), "session", PATIENCE * 2)

        async with desk, phone:
            await desk.process.event("advertising", on=True)
            await succeed("alice", "correct horse")
            for _ in range(KILLS):
                await enter()
                await asyncio.sleep(chance.uniform(0, 2))
                if chance.random() < 0.5:
                    await phone.kill()
                    await desk.process.until(lambda: not is_open(), "end of the session", PATIENCE)
                    await phone.start()
                else:
                    had = page() == ["connected"]
                    mark = phone.process.mark()
                    await desk.kill()
                    if had:
                        await phone.process.until(lambda: phone.process.since(mark, "screen"), "end of the session", PATIENCE)
                    await desk.start()
                    await desk.process.event("advertising", on=True)
            await succeed()
            await rests()


PATIENT = pytest.mark.limit(effort(4 * 3600, 900))


@PATIENT
@pytest.mark.parametrize("play", [key_fob, overflow, futures, money_drop], ids=lambda play: play.__name__)
async def test_one_side_is_killed_at_ten_random_moments(play, tmp_path):
    await rounds(play, tmp_path)


@PATIENT
async def test_a_session_does_not_outlive_its_phone_or_its_desk_killed_at_ten_random_moments(users, tmp_path):  # noqa: F811
    await rounds(lambda folder, chance: login(folder, chance, users), tmp_path)
