"""The control panel's door: who is let in, how much is taken in, and that nobody keeps the world waiting."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import statistics
import time

import pytest
from bluethroat import PATIENCE, Process, command
from bumble_central import attached
from panel_client import Panel, fob_with_panel, read_answer

FOB = "/api/devices/0"
KEYS = b'{"left":true,"right":false}'


# Who is let in


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "localhost.evil.example", "", "[::1", "1.2.3.4.5", None])
async def test_a_name_that_is_not_ours_is_refused(host):
    async with fob_with_panel() as (_, panel):
        for target in ("/", "/openapi.json", "/api/devices", "/api/events", "/js/main.js"):
            answer = await panel.raw(panel.request("GET", target, host=host))
            assert (answer.status, answer.json["error"]) == (403, "foreign-host"), target


async def test_the_names_of_this_machine_are_ours():
    async with fob_with_panel() as (_, panel):
        for host in (f"localhost:{panel.port}", f"127.0.0.1:{panel.port}", f"[::1]:{panel.port}"):
            assert (await panel.raw(panel.request("GET", "/api/world", host=host))).status == 200, host


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "https://{authority}"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"},
        {"sec_fetch_site": "same-site", "sec_fetch_mode": "cors"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"},
    ],
)
async def test_a_page_from_elsewhere_can_neither_order_nor_ask(headers):
    async with fob_with_panel() as (fob, panel):
        headers = {name: value.format(authority=panel.authority) for name, value in headers.items()}
        for request in (
            panel.request("PUT", FOB + "/keys", KEYS, **headers),
            panel.request("POST", "/api/centrals", b"{}", **headers),
            panel.request("DELETE", FOB, **headers),
            panel.request("GET", "/api/captures/air.pcapng", **headers),
            panel.request("GET", "/api/events", **headers),
        ):
            answer = await panel.raw(request)
            assert (answer.status, answer.json["error"]) == (403, "foreign-origin"), request
        # Asked beforehand whether it may, the panel does not say yes.
        answer = await panel.raw(panel.request("OPTIONS", FOB + "/keys", **headers))
        assert not [name for name in answer.headers if name.startswith("access-control")]
        own = {"origin": f"http://{panel.authority}", "sec_fetch_site": "same-origin"}
        assert (await panel.raw(panel.request("PUT", FOB + "/keys", KEYS, **own))).status == 200
        assert (await panel.get("/api/devices"))["devices"][0]["device"] == 0


async def test_a_link_to_the_page_may_be_followed():
    async with fob_with_panel() as (_, panel):
        answer = await panel.raw(panel.request("GET", "/", sec_fetch_site="cross-site", sec_fetch_mode="navigate"))
        assert answer.status == 200
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("where", ["127.0.0.1", "0.0.0.0"])
async def test_without_the_token_nothing_is_read_and_nothing_done(where):
    async with fob_with_panel("--panel-listen", f"{where}:0") as (fob, panel):
        assert len(panel.token) >= 20
        token, panel.token = panel.token, None
        cookie = f"bluethroat-token-{panel.port}"
        document = (await panel.raw(panel.request("GET", "/openapi.json", authorization=f"Bearer {token}"))).json
        for path, item in document["paths"].items():
            target = re.sub(r"\{\w+\}", "0", path)
            for method in item:
                answer = await panel.raw(panel.request(method.upper(), target, b"{}"))
                assert (answer.status, answer.json["error"]) == (401, "token-needed"), (method, target)
        for target in ("/", "/openapi.json", "/js/main.js", "/nothing", "/?token=", f"/?token={token}x"):
            answer = await panel.raw(panel.request("GET", target))
            assert (answer.status, answer.json["error"]) == (401, "token-needed"), target
            assert token not in answer.body.decode()
        for headers in ({"authorization": f"Bearer {token}"}, {"cookie": f"a=b; {cookie}={token}"}):
            assert (await panel.raw(panel.request("GET", "/api/world", **headers))).status == 200
        for headers in ({"authorization": f"Basic {token}"}, {"cookie": f"{cookie}={token[:-1]}"}, {"cookie": f"{cookie}1={token}"}):
            assert (await panel.raw(panel.request("GET", "/api/world", **headers))).status == 401
        page = await panel.raw(panel.request("GET", f"/?token={token}"))
        assert page.status == 200
        assert page.headers["set-cookie"] == f"{cookie}={token}; HttpOnly; SameSite=Strict; Path=/"
        assert (await panel.raw(panel.request("GET", "/api/world", authorization=f"Bearer {token}"))).json["time"] >= 0
        told = [event for event in fob.events if token in str(event)]
        assert [event["event"] for event in told] == ["panel"], "the token is told once"
        assert told[0]["token"] == token


async def test_each_launch_has_a_token_of_its_own_unless_a_file_or_the_environment_has_one(tmp_path, monkeypatch):
    async def launched(*arguments):
        async with fob_with_panel(*arguments) as (_, panel):
            assert (await panel.get("/api/world"))["seed"] == "1"
            return panel.token

    assert await launched() != await launched()
    file = tmp_path / "token"
    first = await launched("--panel-token-file", str(file))
    assert file.stat().st_mode & 0o777 == 0o600 and file.read_text().strip() == first
    assert await launched("--panel-token-file", str(file)) == first
    monkeypatch.setenv("BLUETHROAT_PANEL_TOKEN", "a-token-of-the-environment")
    assert await launched() == "a-token-of-the-environment"
    for spoil, says in (
        (lambda: file.chmod(0o644), "other users can read"),
        (lambda: (file.chmod(0o600), file.write_text("short")), "16 to 200"),
        (lambda: (file.rename(tmp_path / "other"), file.symlink_to(tmp_path / "other")), "symbolic link"),
    ):
        spoil()
        answer = await command("keyfob", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0", "--panel-token-file", str(file))
        assert answer.code == 2 and says in answer.errors[-1], answer.story
    monkeypatch.setenv("BLUETHROAT_PANEL_TOKEN", "no token; at all")
    answer = await command("keyfob", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    assert answer.code == 2 and "BLUETHROAT_PANEL_TOKEN" in answer.errors[-1]


# How much is taken in


async def test_a_body_that_is_too_long_is_refused():
    async with fob_with_panel() as (_, panel):
        answer = await panel.raw(panel.request("PUT", FOB + "/keys", b" " * 200_000))
        assert (answer.status, answer.json["error"]) == (413, "too-large")
        assert (await panel.raw(panel.request("PUT", FOB + "/keys", KEYS + b" " * 65_000))).status == 200
        head = panel.request("PUT", FOB + "/keys", content_type="application/json", transfer_encoding="chunked")
        pieces = [b"4000\r\n" + b" " * 0x4000 + b"\r\n"] * 5
        answer = await panel.raw(head, *pieces, b"0\r\n\r\n")
        assert answer.status == 413
        small = [b"%x\r\n%s\r\n" % (len(part), part) for part in (KEYS[:5], KEYS[5:])]
        assert (await panel.raw(head, *small, b"0\r\n\r\n")).status == 200


async def test_what_is_no_request_ends_its_connection_alone():
    async with fob_with_panel() as (_, panel):
        for rubbish in (
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
            b"GET\r\n\r\n",
            b"GET / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
            b"GET / HTTP/1.1\r\ncontent-length: 99999999999999999999\r\n\r\n",
            b"PUT /api/devices/0/keys HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n",
            b"PUT /api/devices/0/keys HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
            b"PUT /api/devices/0/keys HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n7fffffffffffffff\r\n",
            b"GET /%zz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
            b"GET /../../etc/passwd HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
            b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
            b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 2000 + b"\r\n",
            b"GET / HTTP/1.1\r\n" + b"x" * 1500 + b": y\r\nhost: 127.0.0.1\r\n\r\n",
            bytes(range(256)) * 20 + b"\r\n\r\n",
        ):
            reader, writer = await panel.open()
            with contextlib.suppress(OSError):
                writer.write(rubbish)
                writer.write_eof()
                said = await asyncio.wait_for(reader.read(), PATIENCE)
                assert b"root:" not in said
                assert not said.startswith(b"HTTP/1.1 5"), (rubbish[:80], said)
            writer.close()
            assert (await panel.get("/api/world"))["seed"] == "1", rubbish[:80]


async def test_a_head_that_is_too_long_is_refused_and_costs_next_to_nothing():
    async with fob_with_panel() as (fob, panel):
        used = processor_time(fob.process.pid)
        for head in (
            panel.request("GET", "/api/world", x="y" * 1_000_000),
            panel.request("GET", "/api/world?x=" + "y" * 3000),
            panel.request("GET", "/api/world", authorization="Bearer " + "y" * 3000),
            b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 100_000,
        ):
            answer = await panel.raw(head)
            assert (answer.status, answer.json["error"]) == (431, "head-too-large")
            assert "bytes" in answer.json["message"]
        # What other programs on this machine have told the browser is left unread.
        assert (await panel.raw(panel.request("GET", "/api/world", cookie="a=" + "b" * 20_000))).status == 200
        assert processor_time(fob.process.pid) - used < 2


async def test_a_body_without_end_is_cut_off():
    async with fob_with_panel() as (_, panel):
        reader, writer = await panel.open()
        writer.write(panel.request("PUT", FOB + "/keys", content_type="application/json", transfer_encoding="chunked"))
        sent = 0
        with contextlib.suppress(OSError):
            while sent < 64 << 20:
                writer.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
                await asyncio.wait_for(writer.drain(), PATIENCE)
                sent += 0x10000
        assert sent < 64 << 20, "somebody takes it all in"
        writer.close()
        assert (await panel.get("/api/world"))["seed"] == "1"


async def test_seeded_rubbish_leaves_the_panel_as_it_was():
    import random

    draw = random.Random(20240)
    async with fob_with_panel() as (_, panel):
        good = panel.request("PUT", FOB + "/battery", b'{"percent":50}')
        for number in range(150):
            request = bytearray(good)
            for _ in range(draw.randint(1, 6)):
                place = draw.randrange(len(request))
                if draw.random() < 0.5:
                    request[place] = draw.randrange(256)
                else:
                    del request[place : place + draw.randint(1, 20)]
            reader, writer = await panel.open()
            with contextlib.suppress(OSError):
                writer.write(bytes(request))
                writer.write_eof()
                said = await asyncio.wait_for(reader.read(), PATIENCE)
                assert not said.startswith(b"HTTP/1.1 5"), (number, request, said)
            writer.close()
        assert (await panel.get(FOB))["name"] == "key fob"


# Nobody keeps anybody waiting


async def test_requests_that_never_end_stop_nobody():
    async with fob_with_panel() as (_, panel):
        slow = [await panel.open() for _ in range(200)]
        for number, (_, writer) in enumerate(slow):
            writer.write(panel.request("PUT", FOB + "/keys", KEYS)[: 10 + number % 100])
        began = time.monotonic()
        assert (await panel.get("/api/world"))["seed"] == "1"
        # Not after those were given up.
        assert time.monotonic() - began < 10
        for _, writer in slow:
            writer.close()


async def test_a_hundred_pages_see_the_same_while_the_world_goes_on():
    async with fob_with_panel() as (fob, panel), contextlib.AsyncExitStack() as stack:
        await panel.get("/api/world")
        pages = [await stack.enter_async_context(panel.events("world,devices,fob")) for _ in range(100)]
        for page in pages:
            await page.next("fob")
        async with attached(fob.hci) as central:
            await central.find_and_connect("Keyfobdemo")
            times = []
            for number in range(5):
                held = {"left": number % 2 == 0, "right": True}
                began = time.monotonic()
                await panel.put(FOB + "/keys", held)
                for page in pages:
                    await page.next("fob", lambda view: view["keys"] == held)
                times.append(time.monotonic() - began)
            # A key is seen by a Bluetooth host as if nobody looked on.
            await panel.put(FOB + "/keys", {"left": True, "right": False})
            await fob.event("key", state=1)
        print(f"a hundred pages have seen a key after {statistics.median(times) * 1000:.0f} ms (median)")
        assert not any(name == "lost" for page in pages for name, _ in page.all)


async def test_a_page_that_does_not_read_loses_events_and_slows_nobody():
    async with fob_with_panel("--virtual-time") as (_, panel):

        async def median(count):
            times = []
            for number in range(count):
                began = time.monotonic()
                await panel.post("/api/world/advance", {"seconds": 1}) if number % 2 else await panel.put(
                    FOB + "/tilt", {"x": number % 8, "y": 0, "z": 0}
                )
                times.append(time.monotonic() - began)
            return statistics.median(times)

        alone = await median(100)
        with socket.create_connection(("127.0.0.1", panel.port)) as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.sendall(panel.request("GET", "/api/events"))
            assert await median(600) < 5 * alone + 0.2


async def test_a_page_that_is_gone_is_forgotten():
    async with fob_with_panel() as (_, panel):
        central = await panel.post("/api/centrals")
        async with panel.events(f"central:{central['central']}") as events:
            await events.next(f"central:{central['central']}")
        for _ in range(50):
            async with panel.events("world") as events:
                await events.next("world")
        assert (await panel.get("/api/world"))["time"] > 0


async def test_several_requests_on_one_connection():
    async with fob_with_panel() as (_, panel):
        reader, writer = await panel.open()
        request = panel.request("GET", "/api/world", connection="keep-alive")
        times = []
        for _ in range(50):
            began = time.monotonic()
            writer.write(request)
            assert (await read_answer(reader)).status == 200
            times.append(time.monotonic() - began)
        print(f"a request takes {statistics.median(times) * 1000:.1f} ms (median)")
        writer.write(request * 3)
        assert [(await read_answer(reader)).status for _ in range(3)] == [200] * 3
        writer.close()


async def test_the_end_is_prompt_whoever_listens():
    async with Process("keyfob", "--json", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0") as fob:
        panel = Panel((await fob.event("panel"))["url"])
        async with contextlib.AsyncExitStack() as stack:
            pages = [await stack.enter_async_context(panel.events()) for _ in range(10)]
            idle = await panel.open()
            idle[1].write(panel.request("GET", "/api/world")[:40])
            await pages[0].next("world")
            began = time.monotonic()
            fob.send(signal.SIGINT)
            assert await fob.exit_code() == 0
            # Nobody was waited for.
            assert time.monotonic() - began < 10
            for page in pages:
                await page.end()
            idle[1].close()


# Where it listens


async def test_a_port_that_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        async with Process("keyfob", "--hci-listen", "127.0.0.1:0", "--panel-listen", f"127.0.0.1:{port}") as fob:
            assert await fob.exit_code() == 1
            (line,) = [line for line in fob.errors if line]
            assert "the port is in use" in line and "--panel-listen" in line


async def test_the_usual_port_taken_is_a_warning():
    with contextlib.ExitStack() as stack:
        # Somebody else on this machine may have it already.
        with contextlib.suppress(OSError):
            stack.enter_context(socket.create_server(("127.0.0.1", 6480)))
        async with UsualPort("keyfob", "--json", "--hci-listen", "127.0.0.1:0") as fob:
            await fob.until(lambda: any("there is no panel" in line for line in fob.errors), "warning")
            await fob.event("advertising", on=True)
            assert not fob.since(0, "panel")
            fob.send(signal.SIGTERM)
            assert await fob.exit_code() == 0


class UsualPort(Process):
    """As somebody starts it who says nothing about the panel."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.arguments = arguments


@pytest.mark.parametrize(
    "arguments",
    [("--no-panel", "--panel-listen", "127.0.0.1:0"), ("--virtual-time", "--no-panel"), ("--panel-listen", "nowhere:x")],
)
async def test_what_contradicts_itself_is_wrong_usage(arguments):
    async with UsualPort("keyfob", *arguments) as fob:
        assert await fob.exit_code() == 2
        assert fob.errors


# How much it costs


async def test_a_panel_that_nobody_touches_costs_next_to_nothing():
    async with fob_with_panel() as (fob, panel):
        async with panel.events("world,devices,fob") as events:
            await events.next("fob")
            # Past the launch.
            await asyncio.sleep(1)
            # What else the machine does can only add to it: one quiet time is enough.
            for _ in range(6):
                began, used = time.monotonic(), processor_time(fob.process.pid)
                await asyncio.sleep(4)
                share = (processor_time(fob.process.pid) - used) / (time.monotonic() - began)
                print(f"an idle panel with one page uses {share:.1%} of a core")
                if share < 0.03:
                    break
        assert share < 0.03, f"{share:.1%}"


def processor_time(number):
    with open(f"/proc/{number}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
