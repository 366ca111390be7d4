"""The control panel's API: one request a connection, so that any thread may ask."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlencode, urlsplit

from .errors import BluethroatError, CommandEnded, PanelRefused


class Panel:
    """Where the panel is, and the token that it wants to see."""

    def __init__(self, url: str, token: str) -> None:
        #: The address to open in a browser, with the token in it.
        self.url = url
        self._token = token
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80

    def raw(self, method: str, path: str, body: Any = None, /, **query: Any) -> bytes:
        """The answer to a request as it is. Raises `PanelRefused` where it is an error."""
        given = {name: value for name, value in query.items() if value is not None}
        target = path + ("?" + urlencode(given) if given else "")
        headers = {"Authorization": f"Bearer {self._token}", "Connection": "close"}
        sent = None
        if body is not None:
            sent = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        connection = http.client.HTTPConnection(self._host, self._port)
        try:
            connection.request(method, target, sent, headers)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise CommandEnded(f"the panel at {self._host}:{self._port} does not answer: {error or 'it was closed'}") from None
        finally:
            connection.close()
        if answer.status >= 400:
            raise self._refusal(answer.status, content)
        return content

    def request(self, method: str, path: str, body: Any = None, /, **query: Any) -> Any:
        """The JSON of the answer to a request; None where there is none."""
        content = self.raw(method, path, body, **query)
        return json.loads(content) if content else None

    @staticmethod
    def _refusal(status: int, content: bytes) -> BluethroatError:
        try:
            said = json.loads(content)
            return PanelRefused(status, str(said["error"]), str(said["message"]))
        except (ValueError, KeyError, TypeError):
            return PanelRefused(status, "unknown", f"the panel answered with status {status}")
