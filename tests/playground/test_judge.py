"""The check against the description reports what is wrong, and nothing else."""

import pytest

from playground.recorder import Recorder
from tests.playground.openapi import description, judge

MESSAGES = "/api/v10/channels/1/messages"
GOOD = {
    "id": "1",
    "username": "asha",
    "discriminator": "0",
    "global_name": None,
    "avatar": None,
    "public_flags": 0,
    "flags": 0,
    "primary_guild": None,
}


@pytest.fixture(autouse=True)
def book():
    return description()


def recorded(method, path, *, request=None, status=200, response=None, query=None, files=None):
    recorder = Recorder()
    entry = recorder.begin(method, path, query or {})
    entry.request, entry.files = request, files or {}
    recorder.end(entry, status, response)
    return judge(recorder)


def test_a_good_answer_passes():
    assert recorded("GET", "/api/v10/users/1", response=GOOD) == []


@pytest.mark.parametrize(
    "found",
    [
        pytest.param({"method": "GET", "path": "/api/v10/nowhere"}, id="endpoint"),
        pytest.param(
            {"method": "GET", "path": "/api/v10/users/1", "response": GOOD | {"id": 1}}, id="integer id"
        ),
        pytest.param(
            {"method": "GET", "path": "/api/v10/users/1", "response": GOOD, "query": {"x": "1"}}, id="query"
        ),
        pytest.param({"method": "GET", "path": "/api/v10/users/1", "response": {}}, id="missing fields"),
        pytest.param(
            {"method": "GET", "path": "/api/v10/users/1", "status": 404, "response": {}}, id="refusal"
        ),
    ],
)
def test_a_bad_answer_is_found(found):
    assert recorded(**found)


def refusal(request, **fields):
    return recorded(
        "POST", MESSAGES, request=request, status=403, response={"code": 1, "message": "x"}, **fields
    )


@pytest.mark.parametrize(
    ("request_body", "word"),
    [
        ({"contnt": "x"}, "contnt"),
        (
            {"components": [{"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "x" * 101}]}]},
            "custom_id",
        ),
        ({"components": [{"type": 99}]}, "99"),
        ({"components": [{"type": 10, "content": "x", "extra": 1}]}, "extra"),
        ({"embeds": [{"title": "x" * 257}]}, "title"),
        ({"nonce": "x" * 26}, "nonce"),
    ],
)
def test_a_bad_request_is_found(request_body, word):
    problems = refusal(request_body)
    assert problems
    assert word in problems[0]


def test_a_file_that_is_named_nowhere_is_found():
    assert refusal({"content": "x"}, files={0: "x.png"})
    assert not refusal({"content": "x", "attachments": [{"id": 0}]}, files={0: "x.png"})
