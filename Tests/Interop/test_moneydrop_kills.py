"""MoneyDrop as processes that are killed with signal 9: senders, recipients and the fetching of photos, and the books."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import urllib.request

from bluethroat import PATIENCE, Process


class Scene:
    """A bank with books in a file, and an air that outlives everybody on it."""

    def __init__(self, folder):
        self.folder = folder
        self.books = str(folder / "bank.sqlite")

    async def __aenter__(self):
        self.bank = Process("moneydrop", "bank", "--books", self.books, "--bank-listen", "127.0.0.1:0", "--json")
        await self.bank.__aenter__()
        self.url = (await self.bank.event("bank"))["url"]
        self.air = Process("keyfob", "--hci-listen", "127.0.0.1:0", "--json")
        await self.air.__aenter__()
        self.where = ("--bank", self.url, "--controller", (await self.air.event("listening"))["hci"], "--json")
        return self

    async def __aexit__(self, *failure):
        await self.air.__aexit__(*failure)
        await self.bank.__aexit__(*failure)

    def receive(self, name, *arguments):
        wallet = str(self.folder / f"{name}.wallet")
        panel = () if "--panel-listen" in arguments else ("--no-panel",)
        return Process("moneydrop", "receive", "--name", name, "--wallet", wallet, *self.where, *panel, *arguments)

    def send(self, name, amount, *arguments):
        wallet = str(self.folder / f"{name}.wallet")
        return Process(
            "moneydrop", "send", "--to", "Anna", "--amount", amount, "--name", name, "--wallet", wallet, *self.where,
            *arguments,
        )

    def wallet(self, name):
        return json.loads((self.folder / f"{name}.wallet").read_text())

    def received(self, name):
        """The transfers that were shown. A receipt comes again when somebody was killed before its answer was kept: it is
        refused as one that was here before, and no other refusal is right among honest people."""
        notices = self.wallet(name)["notices"]
        refusals = [notice["refused"]["because"] for notice in notices if "refused" in notice]
        assert set(refusals) <= {"replayed"}, notices
        return [notice["received"]["transfer"] for notice in notices if "received" in notice]

    def transfers(self):
        """Payer, amount and ID of each transfer in the books, without first deposits."""
        with sqlite3.connect(self.books) as books:
            rows = books.execute(
                "SELECT account.name, amount, transfer.id FROM transfer JOIN account ON account.id = payer"
                " WHERE refusal IS NULL AND digest != x'' ORDER BY number"
            ).fetchall()
            # Double entry: what each account has is what its entries say, and nothing came from nowhere.
            wrong = books.execute(
                "SELECT COUNT(*) FROM account WHERE balance < 0 OR balance !="
                " opening + (SELECT COALESCE(SUM(amount), 0) FROM entry WHERE account = account.id)"
            ).fetchone()[0]
            assert wrong == 0 and books.execute("SELECT SUM(amount) FROM entry").fetchone()[0] in (0, None)
        return rows


async def kill(process):
    """False if it had ended by itself before."""
    if process.process.returncode is None:
        process.send(signal.SIGKILL)
    return await process.process.wait() == -signal.SIGKILL


def state(of):
    return lambda process: process.event("transfer", PATIENCE * 6, state=of)


async def test_a_killed_send_goes_on_with_its_transfer_when_it_is_called_again(tmp_path):
    # Where the kill comes: before anything, at each step, and somewhere behind it.
    points = [
        ("Ben", None, 0.3), ("David", state("ordered"), 0.0), ("Emma", state("ordered"), 0.01),
        ("Frank", state("paid"), 0.0), ("Hugo", state("told"), 0.0),
    ]
    seed = int.from_bytes(os.urandom(4), "big")
    chance = random.Random(seed)
    print("seed", seed)
    async with Scene(tmp_path) as scene, scene.receive("Anna") as anna:
        await anna.event("findable")

        def is_over(name):
            outgoing = scene.wallet(name)["outgoing"] if (tmp_path / f"{name}.wallet").exists() else []
            return bool(outgoing) and not outgoing[0]["isAwaited"]

        # Not more of them at a time than a busy machine can start.
        seats = asyncio.Semaphore(2)

        async def pay(name, point, delay, number):
            amount = f"{number}.25"
            async with seats:
                await pay_once(name, point, delay, amount)

        async def pay_once(name, point, delay, amount):
            async with scene.send(name, amount, "--timeout", "60") as first:
                if point:
                    await point(first)
                await asyncio.sleep(delay + chance.random() * 0.01)
                is_killed = await kill(first)
            assert is_killed or first.process.returncode == 0, first.story()
            if is_over(name):
                # Its end was written, and the next one would be another one.
                assert [event["state"] for event in first.events if event["event"] == "transfer"][-1] == "told"
            else:
                await pay_again(name, amount, first)
            outgoing = scene.wallet(name)["outgoing"]
            assert len(outgoing) == 1 and not outgoing[0]["isAwaited"] and "told" in outgoing[0]["state"]

        async def pay_again(name, amount, first):
            async with scene.send(name, amount, "--timeout", "60") as second:
                assert await second.exit_code(PATIENCE * 7) == 0, second.story() + first.story()
            begun = [event for event in first.events if event["event"] == "transfer"]
            if begun:
                # It was the same one.
                assert [event["id"] for event in second.events if event["event"] == "resumed"] == [begun[0]["id"]]

        await asyncio.gather(*(pay(*point, number) for number, point in enumerate(points, 1)))
        rows = scene.transfers()
        assert sorted((name, amount) for name, amount, _ in rows) == sorted(
            (name, number * 100 + 25) for number, (name, _, _) in enumerate(points, 1)
        )
        await anna.until(lambda: len([e for e in anna.events if e["event"] == "received"]) >= len(rows), "all notices", 40)
        got = [event["id"] for event in anna.events if event["event"] == "received"]
        assert sorted(got) == sorted(transfer for _, _, transfer in rows)


async def test_a_killed_send_goes_on_in_its_own_wallet_whichever_other_one_is_free(tmp_path):
    class AtHome(Process):
        """Wallets are where they usually are."""

        def environment(self):
            return os.environ | {"XDG_STATE_HOME": str(tmp_path / "state")}

    async with Scene(tmp_path) as scene, scene.receive("Anna") as anna:
        await anna.event("findable")

        def send(to, amount, *arguments):
            return AtHome("moneydrop", "send", "--name", "Ben", "--to", to, "--amount", amount, "--timeout", "60", *scene.where, *arguments)

        async def killed(amount):
            async with send("Anna", amount) as process:
                begun = await process.event("transfer", PATIENCE, state="ordered")
                assert await kill(process), process.story()
                return begun["id"]

        async def again(amount, transfer):
            async with send("Anna", amount) as process:
                assert await process.exit_code(PATIENCE * 2) == 0, process.story()
                assert [event["id"] for event in process.events if event["event"] == "resumed"] == [transfer]

        # Another command has the first wallet while the transfer is sent, and none has it afterwards.
        async with send("Nobody", "1") as other:
            await other.event("balance", PATIENCE)
            first = await killed("3.50")
        await again("3.50", first)
        # Another one has the wallet in which the transfer is.
        second = await killed("4.50")
        folder = next((tmp_path / "state/bluethroat/moneydrop").iterdir())
        names = [path.name for path in folder.glob("*.wallet") if second in path.read_text()]
        assert len(names) == 1
        async with AtHome("moneydrop", "receive", "--name", "Ben", "--wallet", str(folder / names[0]), *scene.where, "--no-panel") as other:
            await other.event("balance", PATIENCE)
            async with send("Anna", "4.50") as process:
                assert await process.exit_code() == 2, process.story()
                assert len(process.errors) == 1 and f"another MoneyDrop has its wallet, {folder / names[0]}" in process.errors[0]
        await again("4.50", second)
        assert [(name, amount) for name, amount, _ in scene.transfers()] == [("Ben", 350), ("Ben", 450)]


async def test_a_killed_recipient_gets_each_transfer_once_and_shows_it(tmp_path):
    shown = []
    async with Scene(tmp_path) as scene:
        for number, wait in enumerate([0.0, 0.01, 0.05], 1):
            async with scene.receive("Anna") as anna:
                await anna.event("findable")
                async with scene.send("Ben", f"{number}.50", "--timeout", "60") as ben:
                    await ben.event("transfer", PATIENCE * 6, state="ordered")
                    await asyncio.sleep(wait)
                    await kill(anna)
                    # Anna comes back while Ben still tries.
                    async with scene.receive("Anna") as again:
                        assert await ben.exit_code(PATIENCE * 7) == 0, ben.story()
                        rows = scene.transfers()
                        assert len(rows) == number
                        for _, _, transfer in rows:
                            await again.until(
                                lambda: [e for e in again.events if e["event"] == "received" and e["id"] == transfer],
                                f"notice of {transfer}", PATIENCE * 4,
                            )
                        shown = [event["id"] for event in again.events if event["event"] == "received"]
        assert sorted(shown) == sorted(transfer for _, _, transfer in scene.transfers())
        received = scene.received("Anna")
        assert sorted(received) == sorted(shown)


async def test_half_a_photo_survives_a_kill_and_the_rest_comes(tmp_path):
    photo = os.urandom(200_000)
    (tmp_path / "anna.jpg").write_bytes(photo)

    async def call(page, token, path, body=None):
        def ask():
            data = json.dumps(body).encode() if body else None
            request = urllib.request.Request(
                page + path,
                data,
                {"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
                method="PUT" if body else "GET",
            )
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.read()

        return await asyncio.to_thread(ask)

    async with Scene(tmp_path) as scene, scene.receive("Anna", "--photo", str(tmp_path / "anna.jpg")) as anna:
        await anna.event("findable")
        was = 0
        for run in range(3):
            async with scene.receive("Ben", "--panel-listen", "127.0.0.1:0") as ben:
                panel = await ben.event("panel")
                page, token = panel["url"].partition("?")[0].rstrip("/"), panel["token"]
                await ben.event("findable")
                (guest,) = json.loads(await call(page, token, "/api/moneydrop"))["guests"]
                await call(page, token, f"/api/moneydrop/guests/{guest['device']}/looking", {"isLooking": True})
                assert (await ben.event("photo", PATIENCE * 2))["bytes"] >= was
                if run < 2:
                    await ben.until(
                        lambda: [e for e in ben.events if e["event"] == "photo" and e["bytes"] > was + 20_000],
                        "more of the photo", PATIENCE * 2,
                    )
                    await kill(ben)
                    (kept,) = (tmp_path / "Ben.wallet.photos").iterdir()
                    assert kept.stat().st_mode & 0o777 == 0o600
                    was = kept.stat().st_size
                    assert 20_000 < was < len(photo) and kept.read_bytes() == photo[:was]
                    continue
                await ben.until(lambda: [e for e in ben.events if e.get("bytes") == len(photo)], "the photo", PATIENCE * 2)
                (guest,) = json.loads(await call(page, token, "/api/moneydrop"))["guests"]
                (person,) = [one for one in guest["people"] if one.get("name") == "Anna"]
                path = f"/api/moneydrop/guests/{guest['device']}/people/{person['id']}/photo"
                assert await call(page, token, path) == photo
