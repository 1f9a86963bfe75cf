"""Checks everything that went over the wire against Discord's own OpenAPI description.

`judge(recorder)` returns the errors as text; tests expect an empty list. The description is not part of this
project: DISCORD_OPENAPI holds its path, and tests that need it are skipped without it.
"""

import functools
import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs
import pytest

from playground.recorder import RecordedRequest, Recorder
from playground.rest.handler import PREFIX
from playground.server import Playground
from tests.missing import OPENAPI

SCHEMAS = "#/components/schemas/"
# discord.py sends these parameters and fields and Discord accepts them, but the description lacks them.
QUERIES = {"use_nested_fields"}
EXTRAS = {
    "ApplicationCommand": "nsfw",
    "Update": "tts",
    "Edit": "tts",
    "RichEmbed": "flags",
    "BaseCreateMessage": "tts",
    "CreateForumThread": "type",
}
# Answers to requests that the playground has refused, or has not read at all.
REFUSED_UNSEEN = (50035, 40005)
CHANNEL_EVENTS = ("CHANNEL_CREATE", "CHANNEL_UPDATE", "CHANNEL_DELETE")


def judge(recorder: Recorder) -> list[str]:
    """Return every way in which the recorded requests, answers and events differ from the description."""
    book = description()
    whole = [entry for entry in recorder.entries if not entry.cut]
    problems = [problem for entry in whole for problem in book.entry(entry)]
    return problems + [problem for name, data in recorder.events for problem in book.event(name, data)]


async def judge_all(playground: Playground) -> list[str]:
    """Check the record of a bot that has stopped, including the answers to its last requests."""
    playground.faults.clear()  # held requests continue
    await playground.recorder.quiet()
    return judge(playground.recorder)


def description() -> "Description":
    """Return the description, or skip the test if there is none."""
    if not OPENAPI:
        pytest.skip("DISCORD_OPENAPI is not set")
    return _load(OPENAPI)


@functools.cache
def _load(path: str) -> "Description":
    return Description(json.loads(Path(path).read_text()))


FORMATS: dict[str, Callable[[str], bool]] = {
    "snowflake": str.isdecimal,
    "nonce": lambda text: len(text) <= 25,
    "date-time": lambda text: datetime.fromisoformat(text).tzinfo is not None,
    "uri": lambda text: re.match(r"[a-z][a-z0-9+.\-]*://\S+", text) is not None,
}
BITS = {"int32": 32, "int64": 64}


class Description:
    """The description in two versions: for requests (closed objects, integers as ids) and for answers."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec
        self.operations = sorted(_operations(spec), key=lambda found: found[0].count("{"))
        self.registry = jsonschema_rs.Registry(
            [(f"urn:{kind}", Rewriter(spec, kind == "request").whole()) for kind in ("request", "answer")],
            draft=jsonschema_rs.Draft202012,
        )
        self._validators: dict[str, jsonschema_rs.Draft202012Validator] = {}

    def entry(self, entry: RecordedRequest) -> Iterator[str]:
        """Yield the errors of a request and of its answer."""
        where = f"{entry.n} {entry.method} {entry.path}"
        if not entry.path.startswith(PREFIX):
            return
        found = self._operation(entry.method, entry.path.removeprefix(PREFIX))
        if found is None:
            yield f"{where}: Discord describes no such endpoint"
            return
        pointer, operation, shared = found
        known = {
            parameter["name"]
            for parameter in (*operation.get("parameters", ()), *shared)
            if parameter.get("in") == "query"
        }
        for name in entry.query.keys() - known - QUERIES:
            yield f"{where}: unknown query {name!r}"
        if not (isinstance(entry.response, dict) and entry.response.get("code") in REFUSED_UNSEEN):
            yield from self._request(where, pointer, operation, entry)
        yield from self._answer(where, pointer, operation, entry)

    def _operation(self, method: str, path: str) -> tuple[str, dict[str, Any], list[dict[str, Any]]] | None:
        for template, pattern, verb, operation, shared in self.operations:
            if verb == method.lower() and pattern.fullmatch(path):
                return f"/paths/{template.replace('~', '~0').replace('/', '~1')}/{verb}", operation, shared
        return None

    def _request(
        self, where: str, pointer: str, operation: dict[str, Any], entry: RecordedRequest
    ) -> Iterator[str]:
        body = operation.get("requestBody")
        if entry.request is None and not (body or {}).get("required"):
            return
        if body is None:
            yield f"{where}: takes no body, got {entry.request!r}"
            return
        if "application/json" in body.get("content", {}):
            schema = f"urn:request#{pointer}/requestBody/content/application~1json/schema"
            yield from self.errors(f"{where}: request", schema, entry.request)
        yield from _files(where, entry)

    def _answer(
        self, where: str, pointer: str, operation: dict[str, Any], entry: RecordedRequest
    ) -> Iterator[str]:
        responses = operation["responses"]
        status = next(
            (status for status in (str(entry.status), f"{entry.status // 100}XX") if status in responses),
            None,
        )
        if status is None:
            if entry.status < 500 and entry.status != 429:
                yield f"{where}: Discord never answers {entry.status} here, but {sorted(responses)}"
            return
        response = responses[status]
        at = f"urn:answer#{pointer}/responses/{status}"
        if "$ref" in response:
            at = f"urn:answer{response['$ref']}"
            response = _at(self.spec, response["$ref"])
        if "application/json" not in response.get("content", {}):
            if entry.response is not None and entry.status == 204:
                yield f"{where}: an answer of {entry.status} has no body"
            return
        yield from self.errors(f"{where}: answer", f"{at}/content/application~1json/schema", entry.response)

    def event(self, name: str, data: Any) -> Iterator[str]:
        """Yield the errors of the objects in a gateway event."""
        for schema, value in _event_objects(name, data):
            yield from self.errors(f"event {name}", f"urn:answer{SCHEMAS}{schema}", value)

    def errors(self, where: str, schema: str, value: Any) -> Iterator[str]:
        """Yield the errors of one value."""
        if schema not in self._validators:
            self._validators[schema] = jsonschema_rs.Draft202012Validator(
                {"$ref": quote(schema, safe=":#/~")},
                registry=self.registry,
                formats=FORMATS,
                validate_formats=True,
            )
        validator = self._validators[schema]
        if validator.is_valid(value):  # a valid value is found faster than an error
            return
        for error in map(_deepest, validator.iter_errors(value)):
            at = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)
            yield f"{where}{at}: {error.message[:300]}"


def _deepest(error: jsonschema_rs.ValidationError) -> jsonschema_rs.ValidationError:
    """Return the error in the nearest branch of a union if the value fits none of them."""
    branches = getattr(error.kind, "context", None)
    if not branches:
        return error
    return max(
        (_deepest(inner) for branch in branches for inner in branch),
        key=lambda inner: len(inner.instance_path),
    )


def _operations(
    spec: dict[str, Any],
) -> Iterator[tuple[str, re.Pattern[str], str, dict[str, Any], list[dict[str, Any]]]]:
    for template, item in spec["paths"].items():
        pattern = re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template).replace(r"\_", "_")))
        for verb in ("get", "put", "post", "patch", "delete"):
            if verb in item:
                yield template, pattern, verb, item[verb], item.get("parameters", [])


def _at(spec: dict[str, Any], reference: str) -> dict[str, Any]:
    node = spec
    for step in reference.removeprefix("#/").split("/"):
        node = node[step]
    return node


def _files(where: str, entry: RecordedRequest) -> Iterator[str]:
    """Yield the files without an attachment, and the attachments without a file."""
    if not entry.files or not isinstance(entry.request, dict):
        return
    payload = entry.request.get("data", entry.request) if "/callback" in entry.path else entry.request
    named = {int(attachment["id"]) for attachment in payload.get("attachments") or []}
    for index in entry.files.keys() - named:
        yield f"{where}: files[{index}] is not in attachments"


def _event_objects(name: str, data: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts of an event that the description covers, each with its schema."""
    if name in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
        yield "MessageResponse", data
    elif name in CHANNEL_EVENTS:
        yield "GuildChannelResponse", data
    elif name in ("THREAD_CREATE", "THREAD_UPDATE"):
        yield "ThreadResponse", data
    elif name == "GUILD_CREATE":
        lists = {
            "channels": "GuildChannelResponse",
            "threads": "ThreadResponse",
            "roles": "GuildRoleResponse",
        }
        lists |= {"members": "GuildMemberResponse"}
        for key, schema in lists.items():
            for item in data[key]:
                yield schema, item
    elif name == "INTERACTION_CREATE":
        yield from _interaction_objects(data)


def _interaction_objects(data: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, schema in (
        ("user", "UserResponse"),
        ("member", "GuildMemberResponse"),
        ("message", "MessageResponse"),
    ):
        if key in data:
            yield schema, data[key]
    resolved = data["data"].get("resolved", {})
    kinds = {"users": "UserResponse", "roles": "GuildRoleResponse", "messages": "MessageResponse"}
    kinds |= {"attachments": "MessageAttachmentResponse"}
    for key, schema in kinds.items():
        for item in resolved.get(key, {}).values():
            yield schema, item


class Rewriter:
    """Rewrites the description for checking: unions are distinguished by `type`, requests reject unknown keys."""

    def __init__(self, spec: dict[str, Any], for_requests: bool) -> None:
        self.spec = spec
        self.for_requests = for_requests

    def whole(self) -> dict[str, Any]:
        """Return the rewritten description."""
        rewritten = {"paths": self._any(self.spec["paths"])}
        components = dict(self.spec["components"])
        schemas = {name: self._schema(name, schema) for name, schema in components.pop("schemas").items()}
        rewritten["components"] = {**self._any(components), "schemas": schemas}
        return rewritten

    def _schema(self, name: str, schema: dict[str, Any]) -> dict[str, Any]:
        schema = self._any(schema)
        if name == "InnerErrors":
            # The description is outdated here: the code in the error of a field is a string.
            schema["properties"]["_errors"]["items"] = {"required": ["code", "message"], "type": "object"}
        if not self.for_requests:
            return schema
        if name == "SnowflakeType":
            return {"type": ["string", "integer"], "format": "snowflake", "minimum": 0}
        for part, extra in EXTRAS.items():
            if part in name and "properties" in schema:
                schema["properties"].setdefault(extra, {})
        return schema

    def _any(self, node: Any, *, in_all_of: bool = False) -> Any:
        if isinstance(node, list):
            return [self._any(item, in_all_of=in_all_of) for item in node]
        if not isinstance(node, dict):
            return node
        made = {key: self._any(value, in_all_of=key == "allOf") for key, value in node.items()}
        if bits := BITS.get(made.get("format", "")):
            made = {"minimum": -(2 ** (bits - 1)), "maximum": 2 ** (bits - 1) - 1} | made
        for key in ("oneOf", "anyOf"):
            rules = self._by_type(node[key], made[key]) if isinstance(node.get(key), list) else None
            if rules is not None:
                del made[key]
                made["allOf"] = [*made.get("allOf", []), *rules]
        closed = (
            isinstance(node.get("properties"), dict) and "additionalProperties" not in node and not in_all_of
        )
        if self.for_requests and closed and node.get("type") == "object":
            made["additionalProperties"] = False
        return made

    def _by_type(self, branches: list[Any], made: list[Any]) -> list[dict[str, Any]] | None:
        """Return a union as one rule for each branch, chosen by `type`; None if types do not distinguish them."""
        kinds = [self._types(branch) for branch in branches]
        objects = [(kind, branch) for kind, branch in zip(kinds, made, strict=True) if kind is not None]
        others = [branch for kind, branch in zip(kinds, made, strict=True) if kind is None]
        every = [number for numbers, _ in objects for number in numbers]
        if (
            len(objects) < 2
            or len(set(every)) < len(every)
            or any(other.get("type") != "null" for other in others)
        ):
            return None
        rules = [{"if": _of_type(kind), "then": branch} for kind, branch in objects]
        return [*rules, {"anyOf": [_of_type(every), *others]}]

    def _types(self, branch: dict[str, Any]) -> list[int] | None:
        while "$ref" in branch:
            branch = _at(self.spec, branch["$ref"])
        kind = branch.get("properties", {}).get("type", {})
        return kind.get("enum")


def _of_type(kinds: list[int]) -> dict[str, Any]:
    return {"type": "object", "required": ["type"], "properties": {"type": {"enum": kinds}}}
