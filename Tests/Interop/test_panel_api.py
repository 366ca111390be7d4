"""The control panel's API: what its description says is what it does."""

import asyncio
import contextlib
import json
import re
import subprocess

import jsonschema
import pytest
from bluethroat import PATIENCE, ROOT, Service, binary, command, until
from bumble_central import attached
from panel_client import OPENAPI, Panel, fob_with_panel

FOB = "/api/devices/0"


@pytest.fixture(scope="module", name="the_panel")
def shared_panel():
    """One panel for all who leave it as it was."""
    command = [binary(), "keyfob", "--json", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "panel":
                break
        yield Panel(event["url"])
        process.terminate()
        # What it still says must not keep it.
        process.stdout.read()
        assert process.wait(PATIENCE) == 0


class Central:
    """A central of the panel, by its API."""

    def __init__(self, panel, number):
        self.panel = panel
        self.path = f"/api/centrals/{number}"
        self.number = number
        self.services = []
        self.peer = None

    @classmethod
    async def join(cls, panel):
        return cls(panel, (await panel.post("/api/centrals"))["central"])

    @property
    def link(self):
        return f"{self.path}/connections/{self.peer}"

    async def find(self, name="Keyfobdemo", after=None):
        await self.panel.put(self.path + "/scan", {"isOn": True})

        async def look():
            if after:
                await after()
            sightings = (await self.panel.get(self.path + "/sightings"))["sightings"]
            return next((one for one in sightings if one.get("name") == name), None)

        found = await until(look, f"sighting of {name}")
        await self.panel.put(self.path + "/scan", {"isOn": False})
        return found

    async def connect(self, query="", **options):
        self.peer = (await self.find(**options))["address"]
        await self.panel.post(f"{self.path}/connections{query}", {"address": self.peer})
        self.services = (await self.panel.post(f"{self.link}/discover{query}"))["services"]
        return self

    async def pair(self):
        """Pairs with a key fob, whose passkey is 000000."""
        pairing = asyncio.create_task(self.panel.post(self.link + "/pair"))

        async def asked():
            return (await self.panel.get(self.path))["connections"][0].get("question")

        await until(asked, "question for the passkey")
        await self.panel.put(self.link + "/answer", {"passkey": "000000"})
        assert await pairing == {"isOn": True}

    def characteristic(self, uuid):
        return next(one for service in self.services for one in service["characteristics"] if one["uuid"] == uuid)

    def value(self, uuid):
        return f"{self.link}/attributes/{self.characteristic(uuid)['handle']}"


async def test_the_description_is_an_openapi_document():
    async with fob_with_panel() as (_, panel):
        document = await panel.get("/openapi.json")
        jsonschema.Draft202012Validator(OPENAPI).validate(document)
        for name, schema in document["components"]["schemas"].items():
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["additionalProperties"] is False, f"{name} may hold what nobody knows"
        operations = [operation for item in document["paths"].values() for operation in item.values()]
        identifiers = [operation["operationId"] for operation in operations]
        assert len(set(identifiers)) == len(identifiers)
        assert all(operation["summary"] for operation in operations)


async def test_a_whole_session_is_as_described(tmp_path):
    async with fob_with_panel() as (fob, panel):
        world = await panel.get("/api/world")
        assert (world["isVirtual"], world["seed"]) == (False, "1")
        await panel.post("/api/world/advance", {"seconds": 1}, status=409)

        # Devices.
        assert [one["kind"] for one in (await panel.get("/api/devices"))["devices"]] == ["keyfob"]
        other = await panel.post("/api/devices", {"kind": "keyfob", "name": "spare", "x": 3, "y": 4})
        assert (other["name"], other["x"], other["y"]) == ("spare", 3, 4)
        phone = await panel.post("/api/devices", {"kind": "keyfob-phone"})
        assert phone["kind"] == "keyfob-phone"
        for one in (other, phone):
            await panel.delete(f"/api/devices/{one['device']}")
            await panel.get(f"/api/devices/{one['device']}", status=404)
        moved = await panel.ask("PATCH", FOB, {"x": 2, "y": 0.5})
        assert (moved["x"], moved["y"]) == (2, 0.5)
        assert moved["range"] > 10

        # What fingers do.
        for held in ((True, True), (False, True), (False, False)):
            keys = {"left": held[0], "right": held[1]}
            assert (await panel.put(FOB + "/keys", keys))["keys"] == keys
        await panel.put(FOB + "/battery", {"percent": 60})
        tilt = {"x": 0, "y": 0.5, "z": -1}
        assert (await panel.put(FOB + "/tilt", tilt))["tilt"] == tilt

        # A central.
        async with panel.events() as events:
            central = await Central.join(panel)
            assert (await panel.get(central.path))["connections"] == []
            sighting = await central.find()
            assert sighting["isConnectable"] and sighting["signalStrength"] < 0
            assert {field["name"] for field in sighting["fields"]} >= {"Flags", "Name"}
            await central.connect()
            assert (await panel.get(central.link + "/database"))["services"] == central.services
            (described,) = central.characteristic("FFA1")["descriptors"]
            assert (described["name"], described["text"]) == ("Characteristic User Description", "Accel Enable")
            # What notifies has a configuration, which nobody has asked for yet.
            configured = central.characteristic("FFE1")["descriptors"][0]
            assert configured["uuid"] == "2902" and "value" not in configured
            read = await panel.get(f"{central.link}/attributes/{configured['handle']}")
            assert (read["value"], read["text"]) == ("0000", "off")
            assert {one["name"] for one in central.services} >= {"Link Loss", "Immediate Alert", "Tx Power"}

            level = await panel.get(central.value("2A19"))
            assert level["text"] == "60 %" and level["numbers"] == [60]
            await panel.put(central.value("2A06"), {"value": "02"})
            await panel.put(central.value("FFA1"), {"value": "01"})
            await panel.put(central.value("FFA3") + "/subscription", {"isOn": True})
            await panel.put(central.value("FFE1") + "/subscription", {"isOn": True})
            await panel.put(FOB + "/tilt", {"x": 1, "y": 0, "z": 0})
            handle = central.characteristic("FFA3")["handle"]
            topic = f"values:{central.number}"
            pushed = await events.next(
                topic, lambda list: any(one["handle"] == handle and one["isPushed"] for one in list["samples"])
            )
            assert pushed["samples"][-1]["address"] == central.peer
            history = (await panel.get(central.value("FFA3") + "/history"))["samples"]
            assert history and history[-1]["numbers"][0] > 50
            await panel.put(central.value("FFA3") + "/subscription", {"isOn": False})

            view = await panel.get(FOB)
            assert view["accelerometer"]["isEnabled"]
            (peer,) = view["connections"]
            assert peer["subscriptions"] and peer["interval"] > 0 and peer["signalStrength"] < 0
            (link,) = (await panel.get(central.path))["connections"]
            assert link["mtu"] == 23 and link["isDiscovered"]

            # Without response: the alert that Find Me raises.
            alert = next(one for one in central.services if one["uuid"] == "1802")["characteristics"][0]["handle"]
            path = f"{central.link}/attributes/{alert}"
            await panel.put(path, {"value": "02", "withResponse": False})
            await events.next("fob", lambda view: view["alert"] == "high" and view["tones"])
            await panel.put(path, {"value": "00", "withResponse": False})
            await events.next("fob", lambda view: view["alert"] == "none" and not view["tones"])

            await panel.put(central.link + "/answer", {"agrees": True}, status=409)
            pairing = asyncio.create_task(panel.post(central.link + "/pair"))
            await events.next(
                f"central:{central.number}", lambda view: any(one.get("question") for one in view["connections"])
            )
            await panel.put(central.link + "/answer", {"passkey": "000000"})
            assert await pairing == {"isOn": True}
            log = (await panel.get(central.path + "/log"))["entries"]
            assert {one["kind"] for one in log} >= {"scan", "connect", "discover", "read", "write", "subscribe"}
            assert all(one["ended"] >= one["began"] for one in log if "ended" in one)
            assert (await panel.get(f"{central.path}/log?after={log[-1]['number']}"))["entries"] == []

            # The air.
            packets = (await panel.get("/api/air/packets?limit=50"))["packets"]
            assert [one["number"] for one in packets] == list(range(1, 51))
            later = (await panel.get("/api/air/packets?after=50&limit=10"))["packets"]
            assert [one["number"] for one in later] == list(range(51, 61))
            detail = await panel.get("/api/air/packets/1")
            assert detail["fields"][1]["name"] == "ADV_IND" and detail["bytes"].startswith("d6be898e")
            capture = await panel.get("/api/captures/air.pcapng")
            file = tmp_path / "air.pcapng"
            file.write_bytes(capture.body)
            await asyncio.to_thread(look_with_tshark, file)
            for device in (0, central.number):
                log = await panel.get(f"/api/captures/{device}/hci.btsnoop")
                assert log.headers["content-disposition"] == f'attachment; filename="device-{device}.btsnoop"'
                file = tmp_path / f"{device}.btsnoop"
                file.write_bytes(log.body)
                await asyncio.to_thread(look_with_tshark, file)
            await panel.get("/api/captures/999/hci.btsnoop", status=404)

            await panel.delete(central.link)
            await events.next(f"central:{central.number}", lambda view: view["connections"] == [])
            assert (await panel.put(FOB + "/power", {"isOn": False}))["isPowered"] is False
            assert (await panel.put(FOB + "/power", {"isOn": True}))["isPowered"] is True
            await events.next("fob", lambda view: view["advertising"]["isOn"])
            assert (await panel.put(FOB + "/advertising", {"isOn": False}))["label"]
            # Somebody listens to it: it stays.
            await panel.ask("POST", central.path + "/leave")
            await panel.get(central.path)
            await panel.delete(central.path)
            await panel.get(central.path, status=404)
            topics = {name.partition(":")[0] for name, _ in events.all}
            assert topics >= {"world", "devices", "fob", "air", "central", "sightings", "values", "log"}
            # Each of them as described.
            for name, value in events.all:
                panel.description.named(value, events.SCHEMAS[name.partition(":")[0]], name)
        panel.description.seen.add(("GET", "/api/events"))
        # In real time this is refused; in virtual time another test does it.
        panel.description.seen.add(("POST", "/api/world/advance"))
        assert panel.description.operations() == panel.description.seen
    assert fob.since(0, "key")


def look_with_tshark(file):
    seen = subprocess.run(
        ["tshark", "-r", file, "-Y", "btatt", "-T", "fields", "-e", "btatt.opcode"], capture_output=True, text=True
    )
    assert seen.returncode == 0, seen.stderr
    assert len(seen.stdout.split()) > 20


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "word"),
    [
        ("GET", "/api/nothing", None, 404, "no-such-path"),
        ("GET", "/api/devices/9", None, 404, "no-such-device"),
        ("GET", "/api/devices/fob", None, 404, "no-such-device"),
        ("GET", "/api/devices/99999999999999999999", None, 404, "no-such-device"),
        ("GET", "/api/devices/-1", None, 404, "no-such-device"),
        ("GET", "/api/centrals/0", None, 404, "no-such-central"),
        ("GET", "/api/air/packets/999999", None, 404, "no-such-packet"),
        ("GET", "/api/air/packets?limit=0", None, 400, "bad-request"),
        ("GET", "/api/air/packets?after=x", None, 400, "bad-request"),
        ("DELETE", "/api/world", None, 405, "method-not-allowed"),
        ("OPTIONS", "/api/devices/0/keys", None, 405, "method-not-allowed"),
        ("PUT", "/index.html", None, 405, "method-not-allowed"),
        ("PUT", FOB + "/keys", {"left": True}, 400, "bad-request"),
        ("PUT", FOB + "/keys", {"left": 1, "right": 0}, 400, "bad-request"),
        ("PUT", FOB + "/keys", [], 400, "bad-request"),
        ("PUT", FOB + "/battery", {"percent": 101}, 400, "bad-request"),
        ("PUT", FOB + "/battery", {"percent": 1e300}, 400, "bad-request"),
        ("PUT", FOB + "/tilt", {"x": 0, "y": 0, "z": 9}, 400, "bad-request"),
        ("POST", "/api/devices", {"kind": "toaster"}, 400, "bad-request"),
        ("POST", "/api/devices", {"kind": "keyfob", "name": "x" * 65}, 400, "bad-request"),
        ("POST", "/api/world/advance", {"seconds": -1}, 400, "bad-request"),
        ("POST", "/api/world/advance", {"seconds": 1}, 409, "time-is-real"),
    ],
)
async def test_a_mistake_is_told_in_a_sentence(the_panel, method, path, body, status, word):
    error = await the_panel.ask(method, path, body, status=status)
    assert error["error"] == word
    assert len(error["message"].split()) >= 3


async def test_a_body_that_is_no_json_or_does_not_say_so_is_refused(the_panel):
    path = FOB + "/keys"
    request = the_panel.request
    answer = await the_panel.raw(request("PUT", path, b"{left"))
    assert (answer.status, answer.json["error"]) == (400, "bad-request")
    fine = b'{"left":false,"right":false}'
    answer = await the_panel.raw(request("PUT", path, fine, content_type="text/plain"))
    assert (answer.status, answer.json["error"]) == (415, "json-expected")
    answer = await the_panel.raw(request("PUT", path, fine, content_type=None))
    assert answer.status == 415
    answer = await the_panel.raw(request("PUT", path, fine, content_type="application/json; charset=utf-8"))
    assert answer.status == 200


async def test_what_a_central_cannot_do_is_told(the_panel):
    panel = the_panel
    central = await Central.join(panel)
    central.peer = "00:11:22:33:44:55"
    path = central.link + "/attributes/3"
    for method, target, body in [
        ("GET", path, None),
        ("PUT", path, {"value": "00"}),
        ("POST", central.link + "/discover", {}),
        ("POST", central.link + "/pair", {}),
        ("DELETE", central.link, None),
        ("GET", path + "/history", None),
        ("PUT", path + "/subscription", {"isOn": True}),
    ]:
        error = await panel.ask(method, target, body, status=409)
        assert "no connection" in error["message"], (method, target, error)
    assert "hexadecimal" in (await panel.put(path, {"value": "0"}, status=400))["message"]
    await panel.get(central.link + "/attributes/0", status=404)
    await panel.get(central.link + "/attributes/65536", status=404)
    await panel.post(central.path + "/connections", {"address": "somewhere"}, status=400)
    await central.connect()
    error = await panel.get(central.link + "/attributes/999", status=502)
    assert "invalid handle" in error["message"].lower()
    error = await panel.put(central.value("2A19"), {"value": "05"}, status=502)
    assert "not permitted" in error["message"].lower()
    await panel.put(central.value("2A19"), {"value": "00" * 513}, status=400)
    await panel.delete(central.path)


async def test_nobody_answers_far_away(the_panel):
    central = await Central.join(the_panel)
    sighting = await central.find()
    await the_panel.ask("PATCH", FOB, {"x": 100_000})
    error = await the_panel.post(
        central.path + "/connections", {"address": sighting["address"]}, status=504
    )
    assert "did not answer" in error["message"]
    await the_panel.ask("PATCH", FOB, {"x": 1})
    await the_panel.delete(central.path)


async def test_pairing_asks_for_the_passkey():
    async with fob_with_panel("--require-pairing") as (_, panel):
        central = await (await Central.join(panel)).connect()
        refusal = await panel.get(central.value("2A19"), status=502)
        assert "encrypt" in refusal["message"].lower() or "authentic" in refusal["message"].lower()
        async with panel.events(f"central:{central.number}") as events:
            pairing = asyncio.create_task(panel.post(central.link + "/pair"))
            asked = await events.next(
                f"central:{central.number}", lambda view: view["connections"][0].get("question")
            )
            assert asked["connections"][0]["question"] == {"kind": "passkey-wanted"}
            await panel.put(central.link + "/answer", {"passkey": "12345"}, status=400)
            await panel.put(central.link + "/answer", {}, status=400)
            await panel.put(central.link + "/answer", {"passkey": "000000"})
            assert await pairing == {"isOn": True}
        (link,) = (await panel.get(central.path))["connections"]
        assert (link["isEncrypted"], link["isAuthenticated"], link["isBonded"]) == (True, True, True)
        assert (await panel.get(central.value("2A19")))["value"] == "64"
        assert (await panel.get(FOB))["connections"][0]["isEncrypted"]


async def test_a_pairing_with_a_central_of_the_panel_is_nothing_that_the_user_keeps(tmp_path):
    """A central takes its keys along when it goes; a bond with it would be of no use to anybody."""
    file = str(tmp_path / "bonds.sqlite")

    async def kept():
        answer = await command("bonds", "list", "--bonds", file, "--json")
        assert answer.code == 0, answer.story
        return [bond["peer"] for bond in answer.all("bond")]

    async with fob_with_panel("--bonds", file) as (fob, panel):
        central = await (await Central.join(panel)).connect()
        await central.pair()
        paired = await fob.event("paired")
        assert paired["bonded"] is True
        assert await kept() == []
        await panel.delete(central.path)
        assert (await fob.event("bondRemoved"))["peer"] == paired["identity"]
        await fob.event("disconnected")
        await panel.put(FOB + "/advertising", {"isOn": True})
        # That of a host outside, which keeps its own side, is kept.
        done = await command("pair", "Keyfobdemo", "--passkey", "0", "--bond", "--bonds", str(tmp_path / "own.sqlite"), "--hci", fob.hci)
        assert done.code == 0, done.story
        assert len(await kept()) == 1
        await fob.event("disconnected")
        await panel.put(FOB + "/advertising", {"isOn": True})
        # A central that is there when the session ends has left nothing either.
        second = await (await Central.join(panel)).connect()
        await second.pair()
    assert len(await kept()) == 1


def hci_packets(log):
    """The packets of a btsnoop file."""
    place = 16
    while place < len(log):
        length = int.from_bytes(log[place + 4 : place + 8], "big")
        yield log[place + 24 : place + 24 + length]
        place += 24 + length


async def test_what_can_be_downloaded_has_no_keys_in_it(tmp_path):
    file = tmp_path / "own.btsnoop"
    async with fob_with_panel("--require-pairing", "--btsnoop", str(file)) as (_, panel):
        central = await (await Central.join(panel)).connect()
        async with panel.events(f"central:{central.number}") as events:
            pairing = asyncio.create_task(panel.post(central.link + "/pair"))
            await events.next(f"central:{central.number}", lambda view: view["connections"][0].get("question"))
            await panel.put(central.link + "/answer", {"passkey": "000000"})
            assert await pairing == {"isOn": True}
        await panel.get(central.value("2A19"))
        numbers = [device["device"] for device in (await panel.get("/api/devices"))["devices"]]
        downloads = [(await panel.get(f"/api/captures/{number}/hci.btsnoop")).body for number in numbers]
        downloads.append((await panel.get("/api/captures/air.pcapng")).body)
    # The file on disk, which is its owner's alone, has them.
    assert file.stat().st_mode & 0o777 == 0o600
    keys = [packet[6:22] for packet in hci_packets(file.read_bytes()) if packet[:3] == b"\x01\x1a\x20"]
    # Encryption Information, Identity Information, Signing Information: whole in one ACL packet.
    keys += [packet[10:26] for packet in hci_packets(file.read_bytes()) if packet[:1] == b"\x02" and packet[7:9] == b"\x06\0" and packet[9] in (6, 8, 10)]
    assert keys and all(any(key) for key in keys)
    for key in keys:
        assert not any(key in body or key[::-1] in body for body in downloads)
    assert any(packet[:3] == b"\x01\x1a\x20" and not any(packet[6:22]) for packet in hci_packets(downloads[0]))


async def test_a_wrong_passkey_is_told():
    async with fob_with_panel("--require-pairing") as (_, panel):
        central = await (await Central.join(panel)).connect()
        async with panel.events(f"central:{central.number}") as events:
            pairing = asyncio.create_task(panel.post(central.link + "/pair", status=502))
            await events.next(f"central:{central.number}", lambda view: view["connections"][0].get("question"))
            await panel.put(central.link + "/answer", {"passkey": "999999"})
            assert "pairing failed" in (await pairing)["message"]


async def test_what_somebody_else_sees_is_what_the_panel_does():
    async with fob_with_panel() as (fob, panel), attached(fob.hci) as bumble:
        await bumble.find_and_connect("Keyfobdemo")
        async with panel.events("devices,fob") as events:
            (peer,) = (await events.next("fob", lambda view: view["connections"]))["connections"]
            assert peer["peer"]
            await panel.put(FOB + "/keys", {"left": True, "right": False})
            await panel.put(FOB + "/keys", {"left": True, "right": True})
            await fob.event("key", state=3)
            devices = (await panel.get("/api/devices"))["devices"]
            assert [one["kind"] for one in devices] == ["keyfob", "client"]
            assert devices[0]["links"] == [devices[1]["device"]]
            # Its radio is gone: the central hears nothing any more, and nobody says goodbye.
            await panel.put(FOB + "/power", {"isOn": False})
            await fob.event("disconnected")
            await panel.put(FOB + "/keys", {"left": True, "right": False}, status=409)


async def test_a_battery_that_is_taken_out_is_a_link_that_is_lost():
    async with fob_with_panel() as (_, panel):
        central = await (await Central.join(panel)).connect()
        async with panel.events(f"log:{central.number},fob") as events:
            view = await panel.put(FOB + "/power", {"isOn": False})
            assert view["label"]["text"] == "No battery" and view["connections"] == []
            entries = await events.next(
                f"log:{central.number}",
                lambda log: any(one["kind"] == "disconnect" for one in log["entries"]),
                patience=PATIENCE,
            )
            assert "timeout" in entries["entries"][-1]["outcome"].lower()
            await panel.put(FOB + "/power", {"isOn": True})
            await events.next("fob", lambda view: view["advertising"]["isOn"])
        await central.connect()
        assert (await panel.get(central.value("2A19")))["value"] == "64"


async def test_out_of_range_is_link_loss():
    async with fob_with_panel() as (fob, panel):
        central = await (await Central.join(panel)).connect()
        await panel.put(central.value("2A06"), {"value": "02"})
        await panel.ask("PATCH", FOB, {"x": 5000})
        await fob.event("disconnected", reason="connectionTimeout")
        await fob.event("alert", level="high")
        await until(lambda: connections(panel, central, 0), "an end of the connection")


async def connections(panel, central, count):
    return len((await panel.get(central.path))["connections"]) == count


async def test_the_slider_of_a_phone_pushes_at_once():
    async with fob_with_panel("--personality", "phone") as (_, panel):
        central = await (await Central.join(panel)).connect()
        await panel.put(central.value("2A19") + "/subscription", {"isOn": True})
        async with panel.events(f"values:{central.number}") as events:
            view = await panel.put(FOB + "/battery", {"percent": 42})
            assert view["battery"] == 42
            pushed = await events.next(
                f"values:{central.number}", lambda list: any(one["value"] == "2a" for one in list["samples"]), patience=8
            )
            assert pushed["samples"][-1]["isPushed"]
        assert (await panel.put(FOB + "/power", {"isOn": False}))["isPowered"] is False
        await panel.put(FOB + "/advertising", {"isOn": False}, status=409)
        assert (await panel.put(FOB + "/power", {"isOn": True}))["isPowered"] is True


async def test_two_centrals_are_two_and_agree():
    async with fob_with_panel() as (_, panel):
        one, other = await Central.join(panel), await Central.join(panel)
        await one.connect()
        assert (await panel.get(other.path))["connections"] == []
        async with panel.events("fob") as first, panel.events("fob") as second:
            await panel.put(FOB + "/keys", {"left": True, "right": True})
            seen = [await events.next("fob", lambda view: view["keys"]["left"]) for events in (first, second)]
            assert seen[0] == seen[1]


# Virtual time


async def virtual_session(seed):
    """What is on the air in a session of which every step is told."""
    async with fob_with_panel("--virtual-time", seed=seed) as (_, panel):
        assert (await panel.get("/api/world")) == {"time": 0, "isVirtual": True, "seed": str(seed)}
        await asyncio.sleep(0.3)
        assert (await panel.get("/api/world"))["time"] == 0, "time passes by itself"
        assert (await panel.get("/api/air/packets"))["packets"] == []
        assert (await panel.post("/api/world/advance", {"seconds": 2}))["time"] == 2

        async def advance():
            await panel.post("/api/world/advance", {"seconds": 0.5})

        central = await Central.join(panel)
        await central.connect("?within=5", after=advance)
        await panel.put(central.value("FFE1") + "/subscription?within=5", {"isOn": True})
        await panel.put(FOB + "/keys", {"left": True, "right": True})
        await advance()
        (sample,) = (await panel.get(central.value("FFE1") + "/history"))["samples"][-1:]
        assert sample["value"] == "03"
        time = (await panel.get("/api/world"))["time"]
        await asyncio.sleep(0.2)
        assert (await panel.get("/api/world"))["time"] == time
        return await panel.get("/api/air/packets?limit=10000")


async def test_virtual_time_passes_when_told_and_the_same_each_time():
    one, other, third = await virtual_session(7), await virtual_session(7), await virtual_session(8)
    assert len(one["packets"]) > 100
    assert one == other
    assert one != third


async def test_in_virtual_time_an_answer_can_be_waited_for():
    async with fob_with_panel("--virtual-time") as (_, panel):
        await panel.post("/api/world/advance", {"seconds": 2})
        central = await Central.join(panel)
        await panel.post("/api/world/advance", {"seconds": 1})
        address = (await panel.get(FOB))["address"]
        await panel.post(central.path + "/connections?within=x", {"address": address}, status=400)
        waiting = await panel.post(central.path + "/connections?within=0.00001", {"address": address}, status=504)
        assert "still waited for" in waiting["message"]
        await panel.post("/api/world/advance", {"seconds": 1})
        assert len((await panel.get(central.path))["connections"]) == 1
        # Without it, whoever lets time pass brings the answer.
        pending = asyncio.create_task(panel.post(f"{central.path}/connections/{address}/discover"))
        await asyncio.sleep(0.2)
        assert not pending.done()
        await panel.post("/api/world/advance", {"seconds": 5})
        assert (await pending)["services"]


async def test_a_day_passes_quickly():
    async with fob_with_panel("--virtual-time") as (_, panel):
        assert (await panel.post("/api/world/advance", {"seconds": 86_400}))["time"] == 86_400
        await panel.post("/api/world/advance", {"seconds": 86_401}, status=400)



# The page about it


@contextlib.asynccontextmanager
async def overflow_with_panel():
    async with Service("overflow", "demo", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0", "--seed", "1", "--json") as demo:
        yield demo, Panel((await demo.event("panel"))["url"])


@pytest.mark.parametrize("kind", ["sh", "sh virtual", "sh overflow"])
async def test_the_commands_in_the_manual_work_as_they_stand(kind, tmp_path):
    text = (ROOT / "docs/api.md").read_text()
    blocks = re.findall(r"^```(sh.*?)\n(.*?)^```$", text, re.M | re.S)
    commands = "".join(block for name, block in blocks if name == kind)
    assert commands.count("curl --fail-with-body") > (4 if kind != "sh overflow" else 1)
    what = overflow_with_panel() if kind == "sh overflow" else fob_with_panel(*(["--virtual-time"] if "virtual" in kind else []))
    async with what as (_, panel):
        usual = "panel=http://127.0.0.1:6480\ntoken=2gx5k0a7wmv0c1qj93hd8zr4ep\n"
        assert usual in text
        # The address and the token alone are others.
        ask = re.search(r"^curl\(\) .*$", text, re.M)[0]
        script = f"set -eu\n{ask}\npanel=http://{panel.authority}\ntoken={panel.token}\n" + commands.replace(usual, "")
        shell = await asyncio.create_subprocess_exec(
            "bash", "-c", script, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        output, errors = await shell.communicate()
        assert shell.returncode == 0, f"{output.decode()[-500:]}\n{errors.decode()[-500:]}"
        if kind == "sh":
            assert b'"value":"03"' in output and b"event: central:1" in output
            assert (tmp_path / "air.pcapng").stat().st_size > 1000
        elif kind == "sh virtual":
            assert b'"services":' in output
        else:
            assert b'"phones":' in output
