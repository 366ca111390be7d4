"""A virtual air with key fobs on it, in a process of its own."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar, cast
from urllib.parse import quote

from .errors import BluethroatError, PanelRefused
from .models import Attribute, Device, FobState, Packet, PacketDetail, Sighting, World
from .panel import Panel
from .process import Process, find_command

Key = Literal["left", "right"]
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class HCIAddress:
    """Where a Bluetooth host finds a controller: a TCP port that speaks H4. Each connection has a controller of its own."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def bumble(self) -> str:
        """As Bumble's `open_transport` wants it."""
        return f"tcp-client:{self}"


class Air:
    """Starts `bluethroat`, and ends it when the block or the process ends, whatever happens.

        with Air(virtual=True) as air:
            air.fob.press("left")
            air.advance(0.5)

    Args:
        command: the program; without it the one named by the variable BLUETHROAT, a build of this checkout, or PATH.
        device: what is on the air besides hosts: `keyfob`, `sensortag`, or any command of bluethroat with a panel.
        virtual: whether time passes only by `advance`, rather than by itself.
        seed: what the world's randomness begins with. With a seed no bonds are kept from one run to the next.
        hci_port: the port at which hosts find controllers; 0 picks a free one.
        panel_port: the port of the control panel; 0 picks a free one.
        arguments: more arguments, such as `["--personality", "phone"]`.
        patience: real seconds in which the command has to be up.
        host_seconds: how long hosts are given to answer whenever they were sent a packet, where time is virtual. Real
            seconds: long enough for the slowest computation of the host under test.

    Raises:
        CommandMissing, PortTaken, CommandEnded: in one sentence, why there is no air.
    """

    def __init__(
        self,
        command: str | os.PathLike[str] | None = None,
        *,
        device: str | Sequence[str] = "keyfob",
        virtual: bool = False,
        seed: int | None = 1,
        hci_port: int = 0,
        panel_port: int = 0,
        arguments: Iterable[str] = (),
        patience: float = 30.0,
        host_seconds: float = 0.02,
    ) -> None:
        self.is_virtual = virtual
        self.host_seconds = host_seconds
        words = [device] if isinstance(device, str) else list(device)
        self._line = [find_command(command), *words, "--json"]
        self._line += ["--hci-listen", f"127.0.0.1:{hci_port}", "--panel-listen", f"127.0.0.1:{panel_port}"]
        self._line += ["--seed", str(seed)] if seed is not None else []
        self._line += ["--virtual-time"] if virtual else []
        self._line += arguments
        self._patience = patience
        self._process: Process | None = None
        self._panel: Panel | None = None
        self._hci: HCIAddress | None = None

    # The process

    def start(self) -> Air:
        """Starts the command, and returns when hosts and requests can come."""
        # A token in the environment would be that of every air.
        environment = {name: value for name, value in os.environ.items() if name != "BLUETHROAT_PANEL_TOKEN"}
        self._process = Process(self._line, environment)
        try:
            listening = self._event("listening")
            panel = self._event("panel")
        except BaseException:
            self.close()
            raise
        host, _, port = str(listening["hci"]).removeprefix("tcp:").rpartition(":")
        self._hci = HCIAddress(host, int(port))
        self._panel = Panel(str(panel["url"]), str(panel["token"]))
        return self

    def close(self) -> None:
        """Ends the command. What it has printed stays in `story`."""
        if self._process is not None:
            self._process.end()

    def __enter__(self) -> Air:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_running(self) -> bool:
        """Whether the command is there."""
        return self._process is not None and self._process.is_running

    @property
    def has_started(self) -> bool:
        """Whether the command was started, be it there or not."""
        return self._process is not None

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the command has printed so far: the objects of docs/cli-json.md."""
        return list(self._running.events)

    def story(self) -> str:
        """How the command was started, and all that it has printed."""
        return self._running.story()

    def _event(self, name: str) -> dict[str, Any]:
        return self._running.wait_for(
            lambda events: next((event for event in events if event.get("event") == name), None),
            f"the event {name}",
            self._patience,
        )

    @property
    def _running(self) -> Process:
        if self._process is None:
            raise BluethroatError("this air was not started; call start(), or use it with `with`")
        return self._process

    # Where to reach it

    @property
    def hci(self) -> HCIAddress:
        """Where a host under test finds its controller."""
        self._running
        assert self._hci is not None
        return self._hci

    @property
    def panel(self) -> Panel:
        """The control panel; `panel.url` can be opened in a browser while a test stands still."""
        self._running
        assert self._panel is not None
        return self._panel

    def request(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Anything else of the API (docs/api.md): the JSON of the answer. Raises `PanelRefused` where it is an error."""
        return self.panel.request(method, path, body, **query)

    # Time

    def world(self) -> World:
        """The world as a whole."""
        return cast(World, self.request("GET", "/api/world"))

    @property
    def now(self) -> float:
        """Seconds since the world began."""
        return self.world()["time"]

    def advance(self, seconds: float, *, host_seconds: float | None = None) -> float:
        """Lets virtual time pass, and returns the new `now`.

        Whenever a host is sent a packet, time stands still until no packet has come or gone for `host_seconds`: the host
        answers at that instant. With 0 time does not wait for hosts.
        """
        pause = self.host_seconds if host_seconds is None else host_seconds
        if pause > 0 and _is_in_event_loop():
            raise BluethroatError(
                "advance() would keep this event loop, and a host that runs in it, from answering; "
                "use `await air.advance_async(…)`"
            )
        return self._advance(seconds, pause)

    async def advance_async(self, seconds: float, *, host_seconds: float | None = None) -> float:
        """The same for a host that runs in this event loop, as Bumble does."""
        return await asyncio.to_thread(self._advance, seconds, self.host_seconds if host_seconds is None else host_seconds)

    def until(self, condition: Callable[[], bool], within: float = 5.0, step: float = 0.05) -> None:
        """Lets time pass until a condition holds, which is looked at after each step: virtual time, or real time.

        Raises:
            TimeoutError: it does not hold after `within` seconds.
        """
        if self.is_virtual and self.host_seconds > 0 and _is_in_event_loop():
            raise BluethroatError("until() would keep this event loop from running; use `await air.until_async(…)`")
        end = self._clock() + within
        while not condition():
            if self._clock() >= end:
                raise TimeoutError(f"the condition does not hold after {within:g} s")
            self._pass(min(step, within))

    async def until_async(self, condition: Callable[[], bool], within: float = 5.0, step: float = 0.05) -> None:
        """The same for a host that runs in this event loop. The condition is looked at in the loop's thread."""
        end = await asyncio.to_thread(self._clock) + within
        while not condition():
            if await asyncio.to_thread(self._clock) >= end:
                raise TimeoutError(f"the condition does not hold after {within:g} s")
            await asyncio.to_thread(self._pass, min(step, within))

    async def run(self, work: Awaitable[Answer], within: float = 5.0) -> Answer:
        """Lets time pass until work of this event loop is done, such as `host.connect(address)`; what it returns or raises.

        Raises:
            TimeoutError: it is not done after `within` seconds; it is cancelled then.
        """
        task = asyncio.ensure_future(work)
        try:
            if self.is_virtual:
                await self.until_async(task.done, within)
            return await asyncio.wait_for(task, within)
        except TimeoutError:
            raise TimeoutError(f"not done after {within:g} s") from None
        finally:
            task.cancel()

    def _clock(self) -> float:
        return self.now if self.is_virtual else time.monotonic()

    def _pass(self, seconds: float) -> None:
        if self.is_virtual:
            self._advance(seconds, self.host_seconds)
        else:
            time.sleep(seconds)

    def _advance(self, seconds: float, pause: float) -> float:
        body = {"seconds": seconds, "hostSeconds": pause}
        return float(self.request("POST", "/api/world/advance", body)["time"])

    def _answer(self, method: str, path: str, body: Any, within: float) -> Any:
        """The answer to what takes time of the world."""
        if not self.is_virtual:
            return self.request(method, path, body)
        if all(device["kind"] != "client" for device in self.devices()):
            return self.request(method, path, body, within=within)
        # A host outside has to have its say meanwhile, so time passes by another request.
        outcome: list[Callable[[], Any]] = []

        def ask() -> None:
            try:
                answer = self.request(method, path, body)
                outcome.append(lambda: answer)
            except Exception as error:
                failure = error
                outcome.append(lambda: _raise(failure))

        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        end = self.now + within
        while not outcome and self.now < end:
            self._advance(0.05, self.host_seconds)
        asking.join(1.0)
        if not outcome:
            raise TimeoutError(f"no answer to {method} {path} within {within:g} s of the world's time")
        return outcome[0]()

    # Devices

    @property
    def fob(self) -> Fob:
        """The first key fob: device 0."""
        return Fob(self, 0)

    def devices(self) -> list[Device]:
        """All devices, hosts under test among them (`client`)."""
        return cast("list[Device]", self.request("GET", "/api/devices")["devices"])

    def add_fob(self, kind: Literal["keyfob", "keyfob-phone"] = "keyfob", *, name: str | None = None, x: float = 1.0, y: float = 0.0) -> Fob:
        """Puts one more key fob there; the place is in metres."""
        body: dict[str, Any] = {"kind": kind, "x": x, "y": y}
        if name is not None:
            body["name"] = name
        return Fob(self, self.request("POST", "/api/devices", body)["device"])

    def add_central(self) -> Central:
        """Puts a central there, to be the other side of a peripheral under test."""
        return Central(self, self.request("POST", "/api/centrals", {})["central"])

    def move(self, device: int, *, x: float | None = None, y: float | None = None) -> None:
        """Carries any device elsewhere, in metres: also a host under test. What is too far away loses its link."""
        place = {name: value for name, value in (("x", x), ("y", y)) if value is not None}
        self.request("PATCH", f"/api/devices/{device}", place)

    # The air

    def packets(self, after: int | None = None, limit: int = 1000) -> list[Packet]:
        """Packets that were on the air, the oldest first: the latest ones, or those behind the packet number `after`."""
        return cast("list[Packet]", self.request("GET", "/api/air/packets", after=after, limit=limit)["packets"])

    def packet(self, number: int) -> PacketDetail:
        """One packet, field by field."""
        return cast(PacketDetail, self.request("GET", f"/api/air/packets/{number}"))

    def save_capture(self, file: str | os.PathLike[str]) -> Path:
        """Writes the air so far into a file for Wireshark (pcapng)."""
        path = Path(file)
        path.write_bytes(self.panel.raw("GET", "/api/captures/air.pcapng"))
        return path


class Fob:
    """A key fob, as a person holds it."""

    def __init__(self, air: Air, device: int) -> None:
        self.air = air
        #: Its number among the devices.
        self.device = device

    def _order(self, name: str, body: dict[str, Any]) -> FobState:
        return cast(FobState, self.air.request("PUT", f"/api/devices/{self.device}/{name}", body))

    def state(self) -> FobState:
        """What is seen and heard of it."""
        return cast(FobState, self.air.request("GET", f"/api/devices/{self.device}"))

    @property
    def address(self) -> str:
        """Its Bluetooth address, which is a public one."""
        return self.state()["address"]

    @property
    def bumble(self) -> str:
        """Its address as Bumble wants it: one that does not say that it is public is a random one there."""
        return f"{self.address}/P"

    def press(self, *keys: Key) -> FobState:
        """Holds exactly these keys from now on."""
        return self._order("keys", {"left": "left" in keys, "right": "right" in keys})

    def release(self) -> FobState:
        """Holds no key any more."""
        return self.press()

    def move(self, *, x: float | None = None, y: float | None = None) -> None:
        """Carries it elsewhere, in metres. The host under test is at (0, 0)."""
        self.air.move(self.device, x=x, y=y)

    def set_power(self, is_on: bool) -> FobState:
        """Takes the battery out, without a farewell, or puts it in."""
        return self._order("power", {"isOn": is_on})

    def set_battery(self, percent: int) -> FobState:
        """Sets the battery's level."""
        return self._order("battery", {"percent": percent})

    def tilt(self, x: float, y: float, z: float) -> FobState:
        """Holds it so that its accelerometer measures this, in g."""
        return self._order("tilt", {"x": x, "y": y, "z": z})

    def advertise(self, is_on: bool = True) -> FobState:
        """Switches advertising on or off."""
        return self._order("advertising", {"isOn": is_on})

    def remove(self) -> None:
        """Takes it out of the world."""
        self.air.request("DELETE", f"/api/devices/{self.device}")


class Central:
    """A central on the same air, for a peripheral under test.

    What takes time of the world is answered when it is done. Where time is virtual up to `within` seconds of it pass by
    themselves. With a peripheral in this event loop, call these from another thread: `await asyncio.to_thread(…)`.
    """

    def __init__(self, air: Air, number: int) -> None:
        self.air = air
        #: Its number among the devices.
        self.device = number
        self._path = f"/api/centrals/{number}"

    def scan(self, is_on: bool = True) -> None:
        """Starts or stops scanning."""
        self.air.request("PUT", f"{self._path}/scan", {"isOn": is_on})

    def sightings(self) -> list[Sighting]:
        """Who was heard."""
        return cast("list[Sighting]", self.air.request("GET", f"{self._path}/sightings")["sightings"])

    def find(self, name: str, within: float = 5.0) -> str:
        """Scans until somebody with this name is heard: the address."""
        found: list[str] = []

        def look() -> bool:
            found.extend(one["address"] for one in self.sightings() if one.get("name") == name)
            return bool(found)

        self.scan()
        self.air.until(look, within)
        self.scan(False)
        return found[0]

    def connect(self, address: str, within: float = 5.0) -> Link:
        """Connects, and discovers the services."""
        self.air._answer("POST", f"{self._path}/connections", {"address": address}, within)
        link = Link(self, address)
        link.attributes = link._discover(within)
        return link

    def remove(self) -> None:
        """Takes it out of the world."""
        self.air.request("DELETE", self._path)


class Link:
    """A connection of a central."""

    def __init__(self, central: Central, address: str) -> None:
        self.central = central
        self.address = address
        #: The characteristics of the peer, by the handles of their values.
        self.attributes: list[Attribute] = []
        self._path = f"{central._path}/connections/{quote(address, safe=':')}"

    def _discover(self, within: float) -> list[Attribute]:
        database = self.central.air._answer("POST", f"{self._path}/discover", {}, within)
        return [one for service in database["services"] for one in service["characteristics"]]

    def handle(self, attribute: int | str) -> int:
        """The handle of a value, given that or the UUID of its characteristic, such as `2A19`."""
        if isinstance(attribute, int):
            return attribute
        found = [one["handle"] for one in self.attributes if one["uuid"].upper() == attribute.upper()]
        if len(found) != 1:
            raise BluethroatError(f"{self.address} has {len(found)} characteristics {attribute}; give a handle")
        return found[0]

    def read(self, attribute: int | str, within: float = 5.0) -> bytes:
        """A value, however long."""
        path = f"{self._path}/attributes/{self.handle(attribute)}"
        return bytes.fromhex(self.central.air._answer("GET", path, None, within)["value"])

    def write(self, attribute: int | str, value: bytes, *, response: bool = True, within: float = 5.0) -> None:
        """Writes a value."""
        body = {"value": value.hex(), "withResponse": response}
        self.central.air._answer("PUT", f"{self._path}/attributes/{self.handle(attribute)}", body, within)

    def subscribe(self, attribute: int | str, is_on: bool = True, within: float = 5.0) -> None:
        """Asks for notifications or indications, or for none any more."""
        path = f"{self._path}/attributes/{self.handle(attribute)}/subscription"
        self.central.air._answer("PUT", path, {"isOn": is_on}, within)

    def received(self, attribute: int | str) -> list[bytes]:
        """What the peer has sent by itself, the oldest first."""
        path = f"{self._path}/attributes/{self.handle(attribute)}/history"
        samples = self.central.air.request("GET", path)["samples"]
        return [bytes.fromhex(one["value"]) for one in samples if one["isPushed"]]

    def disconnect(self) -> None:
        """Ends the connection."""
        try:
            self.central.air.request("DELETE", self._path)
        except PanelRefused as error:
            # It has ended meanwhile.
            if error.status != 409:
                raise


def _is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _raise(error: Exception) -> None:
    raise error
