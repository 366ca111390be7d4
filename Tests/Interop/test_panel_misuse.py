"""Every operation that a panel describes, asked with all that does not fit: each time a sentence, and nothing breaks."""

import asyncio
import json
import signal

import pytest
from bluethroat import PATIENCE, Process
from panel_client import Panel, read_answer

COMMANDS = {
    "keyfob": ("keyfob",),
    "overflow": ("overflow", "demo"),
    "moneydrop": ("moneydrop", "demo", "--bank-listen", "127.0.0.1:0"),
    "text": ("text", "demo"),
    "desk": ("desk", "demo", "--desks", "2", "--people", "2"),
}
# What each of them has is asked of one.
COMMON = ("/api/world", "/api/devices", "/api/centrals", "/api/air", "/api/captures", "/api/events")

# What may stand in a path, or instead of any value in a body.
PLACES = ["-9223372036854775808", "9223372036854775807", "0", "1", "7", "-1", "99999999999999999999", "0x0", "%00", "%2F", "..%2f..", "%FF%FE", "%", "🗝".encode().decode("latin-1"), "a" * 1500]
VALUES = [None, True, -1, 0.5, 1 << 63, 1e300, -1e300, "", "\0\u202e🗝", "x" * 60_000, [], [None] * 1000, {}, {"a": {"b": []}}]
TEXTS = [
    b"", b"null", b"[]", b"{", b"{}{}", b'{"a":1}garbage', b"\xff\xfe{}", b"[" * 60_000, b'{"a":' * 10_000, b'"x"', b"1e999",
    b'{"isOn":true,"isOn":false,"left":1,"left":true}', b"\x00" * 100,
]  # fmt: skip


def sample(schema, document):
    """A value as a schema wants it."""
    if "$ref" in schema:
        return sample(document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], document)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    match kind:
        case "object":
            return {name: sample(part, document) for name, part in schema.get("properties", {}).items()}
        case "array":
            return []
        case "boolean":
            return True
        case "integer" | "number":
            return schema.get("minimum", 1)
        case _:
            return "00"


def bodies(schema, document):
    """Bodies of which most do not fit."""
    fine = sample(schema, document)
    yield from (json.dumps(value).encode() for value in VALUES)
    yield from TEXTS
    if isinstance(fine, dict):
        for name in fine:
            yield json.dumps({other: value for other, value in fine.items() if other != name}).encode()
            for value in VALUES:
                yield json.dumps(fine | {name: value}).encode()
                yield json.dumps({name: value}).encode()


def requests(document, is_whole):
    for path, item in sorted(document["paths"].items()):
        if path.startswith(COMMON) and not is_whole:
            continue
        for method, operation in sorted(item.items()):
            method = method.upper()
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if "{" in path:
                for place in PLACES:
                    target = "/".join(place if part.startswith("{") else part for part in path.split("/"))
                    yield method, target, json.dumps(sample(content["schema"], document)).encode() if content else b""
            target = path.replace("{device}", "0").replace("{", "").replace("}", "")
            for query in ("?", "?a=b&&=&topics=&after=-1", "?limit=1e9", "?within=-1", "?within=nan", "?after=9999999999999999999"):
                if not target.startswith("/api/events"):
                    yield method, target + query, json.dumps(sample(content["schema"], document)).encode() if content else b""
            if content:
                for body in bodies(content["schema"], document):
                    yield method, target, body
        for method in ("GET", "PUT", "POST", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"):
            if method.lower() not in item:
                yield method, path.replace("{", "").replace("}", ""), b""


@pytest.mark.limit(180)
@pytest.mark.parametrize("command", COMMANDS)
async def test_whatever_is_asked_is_answered_with_a_sentence_and_the_panel_lives(command):
    arguments = (*COMMANDS[command], "--json", "--hci-listen", "127.0.0.1:0", "--panel-listen", "127.0.0.1:0")
    async with Process(*arguments) as process:
        panel = Panel((await process.event("panel"))["url"])
        document = (await panel.raw(panel.request("GET", "/openapi.json"))).json
        reader, writer = await panel.open()
        count = 0
        for method, target, body in requests(document, command == "keyfob"):
            # What is given away here would be missed by what comes after it.
            if (method, target) == ("DELETE", "/api/devices/0"):
                continue
            what = f"{method} {target[:80]} {body[:80]}"
            length = str(len(body)) if body or method in ("PUT", "POST", "PATCH") else None
            writer.write(panel.request(method, target, b"", connection="keep-alive", content_type="application/json", content_length=length) + body)
            try:
                answer = await asyncio.wait_for(read_answer(reader, method), PATIENCE)
            except (asyncio.IncompleteReadError, ConnectionError, TimeoutError) as failure:
                raise AssertionError(f"no answer to {what}: {failure!r}\n{process.story()[-2000:]}") from None
            count += 1
            assert answer.status < 500 or answer.status in (502, 504), f"{what} -> {answer.status} {answer.body[:200]}"
            if answer.status >= 400 and method != "HEAD":
                assert answer.headers.get("content-type") == "application/json", f"{what} -> {answer.status} {answer.headers}"
                error = answer.json
                assert set(error) == {"error", "message"} and len(error["message"].split()) >= 3, f"{what} -> {error}"
                assert len(error["message"]) < 4000, f"{what} -> {len(error['message'])} characters"
            if answer.headers.get("connection") == "close":
                writer.close()
                reader, writer = await panel.open()
        writer.close()
        assert count > 100
        assert (await panel.raw(panel.request("GET", "/api/world"))).status == 200
        process.send(signal.SIGTERM)
        assert await process.exit_code() == 0, process.story()[-2000:]
