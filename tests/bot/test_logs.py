"""The log reports damage once, in one line with what to do, and other faults in full, each time."""

import json
import subprocess
import sys

COME_UPON = """
import structlog
from bot.logs import set_up_logs
from data.errors import EventsDamaged

set_up_logs("INFO", "json", "a-token")
log = structlog.get_logger("test")
for error in 3 * [EventsDamaged("deal 2 of table 3", 7), EventsDamaged("season 4", 9), ZeroDivisionError()]:
    try:
        raise error
    except Exception:
        log.exception("job.failed", table=3)
"""


def test_a_damaged_deal_is_told_once_with_what_to_do():
    done = subprocess.run([sys.executable, "-c", COME_UPON], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    deal, season, *others = lines
    assert (deal["event"], deal["level"], deal["table"]) == ("events.damaged", "error", 3)
    assert deal["why"] == "event 7 of deal 2 of table 3 is not what was written down"
    assert "restore COPY" in deal["todo"]
    assert "exception" not in deal
    assert season["why"] == "event 9 of season 4 is not what was written down"
    assert ["ZeroDivisionError" in line["exception"] for line in others] == [True] * 3


MEET_LIMITS = """
import logging
from discord.http import Route
from bot.logs import set_up_logs

set_up_logs("INFO", "json", "a-token")
limited = "We are being rate limited. %s %s responded with 429. Retrying in %.2f seconds."
for method, path in [
    ("PUT", "/channels/77/thread-members/675857204661714944"),
    ("POST", "/interactions/88/a-secret/callback"),
    ("PATCH", "/webhooks/99/a-secret/messages/@original"),
]:
    logging.getLogger("discord.http").warning(limited, method, Route(method, path).url, 1.0)
logging.getLogger("discord.http").warning("Refused: '%s'", Route("GET", "/users/675857204661714944").url)
"""


def test_a_rate_limit_names_no_person_and_no_token_of_an_interaction():
    done = subprocess.run([sys.executable, "-c", MEET_LIMITS], capture_output=True, text=True, check=True)
    told = [json.loads(line)["event"].partition("/api/")[2] for line in done.stderr.splitlines()]
    assert [one.split()[0].partition("/")[2] for one in told] == [
        "channels/77/thread-members/[hidden]",
        "interactions/88/[hidden]/callback",
        "webhooks/99/[hidden]/messages/@original",
        "users/[hidden]'",
    ]


STORE_SOMETHING = """
import asyncio, logging, sys
from pathlib import Path
from bot.logs import set_up_logs
from data.store import Store

async def open_and_close():
    await (await Store.open(Path(sys.argv[1]))).close()

set_up_logs("DEBUG", "json", "a-token")
asyncio.run(open_and_close())
logging.getLogger("bot").debug("the end")
"""


def test_even_the_finest_log_tells_nothing_that_is_stored(tmp_path):
    command = [sys.executable, "-c", STORE_SOMETHING, str(tmp_path / "tiplu.sqlite3")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "the end" in done.stderr
    assert "season_events" not in done.stderr  # the mark that is stored at every shutdown
