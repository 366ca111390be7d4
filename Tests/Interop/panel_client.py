"""The control panel as a program sees it: HTTP by hand, so that nothing is added or hidden, and every answer held against
the panel's own description."""

import asyncio
import contextlib
import json
import re
from urllib.parse import urlsplit

import jsonschema
from bluethroat import PATIENCE, ROOT, KeyFob
from referencing import Registry, Resource

OPENAPI = json.loads((ROOT / "Tests/Interop/openapi-3.1.json").read_text())


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)


async def read_head(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {}
    for line in head[1:]:
        if line:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
    return int(head[0].split(" ")[1]), headers


async def chunks(reader):
    while size := int((await reader.readline()).split(b";")[0], 16):
        yield await reader.readexactly(size)
        await reader.readexactly(2)
    # The empty line that ends what has come in chunks.
    await reader.readline()


async def read_answer(reader, method="GET"):
    status, headers = await read_head(reader)
    body = b""
    if headers.get("transfer-encoding") == "chunked":
        body = b"".join([piece async for piece in chunks(reader)])
    elif method != "HEAD" and status not in (204, 304):
        body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Answer(status, headers, body)


class Description:
    """The OpenAPI document, and what of it has been seen to hold."""

    def __init__(self, document):
        self.document = document
        self.seen = set()
        components = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "components": self.resolve(document["components"]),
        }
        self.registry = Registry().with_resource("urn:panel", Resource.from_contents(components))

    def operations(self):
        return {(method.upper(), path) for path, item in self.document["paths"].items() for method in item}

    def path(self, target):
        path = target.partition("?")[0]
        for template in self.document["paths"]:
            if re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template)), path):
                return template
        return None

    def resolve(self, schema):
        """The same with references that lead into the document."""
        if isinstance(schema, list):
            return [self.resolve(part) for part in schema]
        if isinstance(schema, dict):
            return {
                key: "urn:panel" + value if key == "$ref" else self.resolve(value)
                for key, value in schema.items()
            }
        return schema

    def check(self, value, schema, what):
        validator = jsonschema.Draft202012Validator(self.resolve(schema), registry=self.registry)
        errors = [f"{what}: {error.json_path}: {error.message}" for error in validator.iter_errors(value)]
        assert not errors, "\n".join(errors)

    def named(self, value, name, what):
        self.check(value, {"$ref": f"#/components/schemas/{name}"}, what)

    def holds(self, method, target, body, answer):
        """Whether a request and its answer are as described."""
        template = self.path(target)
        if template is None or method.lower() not in self.document["paths"][template]:
            assert answer.status in (404, 405), f"{method} {target} is answered, but not described"
            return self.named(answer.json, "Error", f"{method} {target}")
        operation = self.document["paths"][template][method.lower()]
        responses = operation["responses"]
        response = responses.get(str(answer.status), responses["default"])
        what = f"{method} {target} -> {answer.status}"
        content = response.get("content")
        if content is None:
            assert answer.body == b"", what
        else:
            kind = answer.headers["content-type"]
            assert kind in content, f"{what}: {kind}"
            if kind == "application/json":
                self.check(answer.json, content[kind]["schema"], what)
        if answer.status < 300:
            if body is not None:
                self.check(body, operation["requestBody"]["content"]["application/json"]["schema"], f"body of {what}")
            self.seen.add((method, template))


class Panel:
    """A panel to talk to. Every answer that is read with `ask` is held against the description."""

    def __init__(self, url):
        """The address as the command prints it, with the token in it."""
        parts = urlsplit(url)
        self.url = url
        self.host, self.port = parts.hostname, parts.port
        self.token = parts.query.partition("=")[2] or None
        self.description = None

    async def open(self):
        return await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)

    @property
    def authority(self):
        return f"{self.host}:{self.port}"

    async def raw(self, *pieces):
        """Sends bytes, reads one answer."""
        reader, writer = await self.open()
        try:
            for piece in pieces:
                writer.write(piece.encode() if isinstance(piece, str) else piece)
            return await asyncio.wait_for(read_answer(reader), PATIENCE)
        finally:
            writer.close()

    def request(self, method, target, data=b"", **headers):
        lines = {"host": self.authority, "connection": "close"}
        if data:
            lines |= {"content-type": "application/json", "content-length": str(len(data))}
        if self.token:
            lines["authorization"] = f"Bearer {self.token}"
        lines |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = [f"{method} {target} HTTP/1.1"] + [f"{name}: {value}" for name, value in lines.items() if value is not None]
        return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + data

    async def ask(self, method, target, body=None, /, status=None, patience=PATIENCE, **headers):
        """A request as the page makes it. `status` is what is expected; without it anything but an error is."""
        data = b"" if body is None else json.dumps(body).encode()
        reader, writer = await self.open()
        try:
            writer.write(self.request(method, target, data, **headers))
            answer = await asyncio.wait_for(read_answer(reader, method), patience)
        finally:
            writer.close()
        if self.description is None:
            self.description = Description(json.loads((await self.raw(self.request("GET", "/openapi.json"))).body))
        if target.startswith("/api/"):
            self.description.holds(method, target, body, answer)
        fine = answer.status == status if status else answer.status < 300
        assert fine, f"{method} {target} -> {answer.status}: {answer.body[:300]}"
        return answer.json if answer.headers.get("content-type") == "application/json" else answer

    async def get(self, target, /, **options):
        return await self.ask("GET", target, **options)

    async def put(self, target, body, /, **options):
        return await self.ask("PUT", target, body, **options)

    async def post(self, target, body=None, /, **options):
        return await self.ask("POST", target, {} if body is None else body, **options)

    async def delete(self, target, /, **options):
        return await self.ask("DELETE", target, **options)

    @contextlib.asynccontextmanager
    async def events(self, topics=None):
        reader, writer = await self.open()
        stream = Events(reader, self)
        task = None
        try:
            writer.write(self.request("GET", "/api/events" + (f"?topics={topics}" if topics is not None else "")))
            status, headers = await asyncio.wait_for(read_head(reader), PATIENCE)
            assert status == 200, status
            assert headers["content-type"] == "text/event-stream"
            task = asyncio.create_task(stream.read())
            yield stream
        finally:
            if task:
                task.cancel()
            writer.close()


class Events:
    """An event stream that is read."""

    # What each topic is made of.
    SCHEMAS = {
        "world": "World", "devices": "DeviceList", "fob": "KeyFob", "air": "PacketList", "central": "Central",
        "sightings": "SightingList", "values": "SampleList", "log": "Log", "lost": "Lost",
    }  # fmt: skip

    def __init__(self, reader, panel):
        self.reader = reader
        self.panel = panel
        self.all = []
        self.ended = False
        self._seen = 0
        self._news = asyncio.Event()

    async def read(self):
        text = b""
        try:
            async for piece in chunks(self.reader):
                text += piece
                while b"\n\n" in text:
                    event, _, text = text.partition(b"\n\n")
                    self.take(event.decode())
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            pass
        self.ended = True
        self._news.set()

    def take(self, text):
        if text.startswith(":"):
            return
        topic, _, data = text.partition("\n")
        assert topic.startswith("event: ") and data.startswith("data: "), text
        self.all.append((topic[7:], json.loads(data[6:])))
        self._news.set()

    async def next(self, topic, wanted=lambda value: True, patience=PATIENCE):
        """The next event of a topic that is as wanted."""

        async def look():
            while True:
                while self._seen < len(self.all):
                    name, value = self.all[self._seen]
                    self._seen += 1
                    if self.panel.description:
                        self.panel.description.named(value, self.SCHEMAS[name.partition(":")[0]], f"event {name}")
                    if name == topic and wanted(value):
                        return value
                assert not self.ended, f"the stream ended without {topic}"
                self._news.clear()
                await self._news.wait()

        try:
            return await asyncio.wait_for(look(), patience)
        except TimeoutError:
            last = self.all[-3:]
            raise AssertionError(f"no event {topic} as wanted; the last of {len(self.all)}: {last}") from None

    async def end(self, patience=PATIENCE):
        async def look():
            while not self.ended:
                self._news.clear()
                await self._news.wait()

        await asyncio.wait_for(look(), patience)


@contextlib.asynccontextmanager
async def fob_with_panel(*arguments, **options):
    """A fob and its panel."""
    if "--panel-listen" not in arguments:
        arguments = ("--panel-listen", "127.0.0.1:0", *arguments)
    async with KeyFob(*arguments, **options) as fob:
        event = await fob.event("panel")
        yield fob, Panel(event["url"])

