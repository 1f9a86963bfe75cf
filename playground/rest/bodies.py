"""Read the bodies of requests: JSON, or a form of several parts with files."""

import json
import re
from collections.abc import Iterator

from aiohttp import web

from playground.files import content_type
from playground.model import Upload
from playground.refusals import RefusalError, refuse_field

MAX_REQUEST_BYTES = 25 * 1024 * 1024
FORM = "multipart/form-data"
BOUNDARY = re.compile(r'boundary="?([^";]+)')
PARAMETER = re.compile(rb'\b(name|filename)="([^"]*)"')
FILE_FIELD = re.compile(r"files\[(\d{1,3})\]")


async def read_body(request: web.Request, files: dict[int, Upload]) -> object:
    """Return the JSON of a request, None without a body, and put its files into `files`.

    The body is read as a whole and split at its boundaries: most of what a bot sends are pictures, and
    aiohttp's own reader looks at them line by line. Raises RefusalError for what Discord refuses, and
    ConnectionResetError if the sender has disconnected.
    """
    if (request.content_length or 0) > MAX_REQUEST_BYTES:
        raise RefusalError(40005)
    if not request.can_read_body:
        return None
    body, kind = await request.read(), request.headers.get("Content-Type", "")
    if not kind.startswith(FORM):
        return _json(body)
    boundary = BOUNDARY.search(kind)
    if boundary is None:
        raise _not_valid("A form needs a boundary.")
    return _form(body, boundary[1].encode(), files)


def _form(body: bytes, boundary: bytes, files: dict[int, Upload]) -> object:
    payload: object = {}
    for name, filename, content in _parts(body, boundary):
        file = FILE_FIELD.fullmatch(name)
        if name == "payload_json":
            payload = _json(content)
        elif file is None or not filename:
            refuse_field(name or "_", "Only payload_json and files[n] are allowed.")
        else:
            files[int(file[1])] = Upload(filename, content, content_type(filename, content))
    return payload


def _parts(body: bytes, boundary: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yield the name, the file name and the content of each part (RFC 7578)."""
    _, *parts = (b"\r\n" + body).split(b"\r\n--" + boundary)
    for part in parts:
        if part.startswith(b"--"):
            return
        head, found, content = part.partition(b"\r\n\r\n")
        if not found:
            break
        named = {key: value.decode() for key, value in PARAMETER.findall(head)}
        yield named.get(b"name", ""), named.get(b"filename", ""), content
    raise _not_valid("The form does not end.")


def _json(content: bytes) -> object:
    if not content:
        return None
    try:
        return json.loads(content)
    except ValueError:
        raise _not_valid("Not JSON.") from None


def _not_valid(why: str) -> RefusalError:
    return RefusalError(50035, errors={"_errors": [{"code": "JSON", "message": why}]})
