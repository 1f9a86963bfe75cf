"""The figures in docs/faults.md are those of the code."""

from pathlib import Path

import pytest

from bot import outages, rest
from bot.daily import deals as daily
from bot.delivery import private_panels
from bot.interactions import receiver, relay
from bot.league import leagues, members, reports
from bot.league import season as changes
from bot.monitoring import supervisor
from bot.scorekeeping import scorekeeper
from bot.settings import Settings
from bot.table import hosting
from data.postgres import engines
from data.preferences import MOST_OPEN_DEALS
from data.sqlite import copies, integrity, transactions

PAGE = (Path(__file__).parents[2] / "docs" / "faults.md").read_text(encoding="utf-8")
IN_WORDS = {3: "three", 10: "ten", 15: "fifteen", 100: "a hundred"}


def in_words(number: int) -> str:
    return IN_WORDS.get(number, f"{number}")


def default(setting: str) -> int:
    return Settings.model_fields[setting].default


PRESSES = default("presses_per_person_s")
SHARES = {
    "presses and commands of any kind": f"{PRESSES} a second, {PRESSES * receiver.BURST_S:.0f} at once",
    "tables": f"{default('tables_per_person_h')} an hour; {default('tables_per_channel')} open in a channel",
    "deals at a table": f"{default('deals_per_table_h')} an hour; a match without a fixed number of deals ends after "
    f"{MOST_OPEN_DEALS},",
    "challenges": f"{default('challenges_per_person_h')} an hour",
    "invitations to a table": f"{hosting.MOST_GUESTS} people at a time; a table notifies {hosting.MOST_GUESTS} people",
    "invitations to a team": f"{members.MOST_INVITED} people at a time",
    "reports of a match": f"{reports.MOST_REPORTS} reports of a match by each player; "
    f"the first {reports.MOST_CALLING} objections",
    "changes of one's entry": f"{changes.MOST_CHANGES} a day",
    "proposed times": f"{changes.MOST_PROPOSALS} a day",
    "commands that wait": f"{receiver.MOST_OF_AUTHOR}; a newer one",
    "deals of a home game": f"{scorekeeper.MOST_DEALS} an evening",
    "boards of the deal": f"the {daily.SHOWN} people it shows",
    "private panels": f"the newest {private_panels.MOST_OF_A_PERSON} of a person",
}


@pytest.mark.parametrize("what", SHARES)
def test_a_share_is_as_large_as_the_page_says(what: str):
    [row] = [
        line for line in PAGE.split("### One person's share")[1].splitlines() if line.startswith(f"| {what}")
    ]
    assert SHARES[what] in row


@pytest.mark.parametrize(
    "words",
    [
        f"at most {in_words(leagues.MOST_OPEN)} in a server",
        f"A player can have {in_words(reports.MOST_WAITING)} reported\ndeals that wait for answers",
        f"with up to {in_words(scorekeeper.MOST_DEALS)} deals",
        f"for more than {outages.OUTAGE_MS // 1_000} seconds",
        f"at least {outages.GRACE_MS // 1_000} seconds are left",
        f"cancelled after {in_words(int(rest.ATTEMPT_S))} seconds",
        f"gateway away for more than {in_words(int(supervisor.PATIENCE_S) // 60)} minutes",
        f"does not reach the store within {transactions.PATIENCE_S} seconds",
        f"a file of more than {integrity.LARGE_BYTES // 1_000_000} MB",
        f"waits for up to {engines.PATIENCE_S:.0f} seconds",
        f"a statement is given up after {engines.STATEMENT_S:.0f} seconds",
        f"closes the connections after {engines.STANDSTILL_S} seconds",
    ],
)
def test_a_limit_is_as_the_page_says(words: str):
    assert words in PAGE


def test_a_press_for_another_process_and_the_copies_are_kept_as_the_page_says():
    assert "answers after a quarter of a second" in PAGE
    assert relay.WAIT_S == 1 / 4
    assert "for each of seven days and of four weeks" in PAGE
    assert (copies.DAYS, copies.WEEKS) == (7, 4)
