"""What a person reads when their interaction fails, and what happens when Discord refuses to show it."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from discord import InteractionType
from structlog.testing import capture_logs

from bot.errors import RepeatedInteractionError, StaleRevisionError, UnexpectedInputError, UserError
from bot.interactions.reply import ErrorBoundary, InFlightCounter, QuestionError
from bot.ui.panel import notice_panel
from bot.words.texts import catalogue
from data.errors import (
    EventsDamaged,
    StoreBusyError,
    StoreDamagedError,
    StoreOutcomeUnknown,
    StoreUnavailableError,
)
from data.preferences import LANGUAGES, Language
from data.store import HAS_STORED, aside
from marriage.errors import IllegalActionError, Refusal
from render.words import speaking
from tests.bot.interactions.doubles import Interaction, refused

ERRORS = [
    UserError("sorry.no_table", table=3),
    QuestionError(notice_panel("Which table?")),
    UnexpectedInputError("a forged button"),
    IllegalActionError(Refusal.NOT_YOUR_TURN),
    StaleRevisionError("an old button"),
    RepeatedInteractionError("the same press"),
    EventsDamaged("deal 1", 2),
    StoreBusyError("too many wait"),
    StoreOutcomeUnknown("whether it was done is not known"),
    StoreUnavailableError("the disk is full"),
    StoreDamagedError("the file is corrupt"),
    KeyError("seat"),
]
each_error = pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)


class Speaking:
    """Everyone speaks one language."""

    def __init__(self, language: Language) -> None:
        self._language: Language = language

    @asynccontextmanager
    async def spoken_to(self, _: Any) -> AsyncGenerator[None, None]:
        with speaking(self._language):
            yield

    async def of_person(self, _: Any) -> Language:
        return self._language


class Served:
    """Interactions behind the error boundary, and how often it has given the store up."""

    def __init__(self, language: Language = "en") -> None:
        self.given_up = 0
        languages: Any = Speaking(language)
        self.boundary = ErrorBoundary(languages, InFlightCounter(), self._give_up)

    def _give_up(self) -> None:
        self.given_up += 1

    async def fails(self, interaction: Any, error: Exception, *, has_stored: bool = False) -> list[Any]:
        """Let the handling of this interaction raise the error, maybe after a commit; return what was logged."""
        with capture_logs() as logs:
            async with self.boundary.around(interaction):
                if has_stored:
                    HAS_STORED.set(True)
                raise error
        return logs


def read(interaction: Interaction) -> str:
    """Return what the person has read, in the form in which Discord receives it."""
    return json.dumps([view.to_components() for view in interaction.response.views], ensure_ascii=False)


def unanswered(logs: list[Any]) -> list[Any]:
    return [(line["interaction"], line["code"]) for line in logs if line["event"] == "interaction.unanswered"]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_if_it_is_unknown_whether_it_was_saved_the_person_reads_just_that(language):
    interaction = Interaction()
    logs = await Served(language).fails(interaction, StoreOutcomeUnknown("whether it was done is not known"))
    say = catalogue(language)
    assert interaction.log == ["send ephemeral=True"]
    assert say("error.in_doubt") in read(interaction)
    assert say("error.store") not in read(interaction)
    assert [line["event"] for line in logs] == ["store.outcome_unknown"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_for_an_unknown_outcome_name_buttons_that_there_are(language):
    say = catalogue(language)
    for button in ("button.refresh", "button.hand"):
        assert f"**{say(button)}**" in say("error.in_doubt")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "error",
    [
        StaleRevisionError("a step after the first"),
        StoreBusyError("too many wait"),
        StoreUnavailableError("the disk is full"),
        StoreOutcomeUnknown("whether the second step was done is not known"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_what_cannot_be_shown_after_a_commit_is_said_to_be_saved(error, language):
    interaction, say = Interaction(), catalogue(language)
    await Served(language).fails(interaction, error, has_stored=True)
    assert say("error.not_shown") in read(interaction)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_an_unexpected_error_after_a_commit_does_not_ask_for_another_try(language):
    interaction, say = Interaction(), catalogue(language)
    logs = await Served(language).fails(interaction, KeyError("seat"), has_stored=True)
    (line,) = logs
    assert say("error.not_finished", id=line["error_id"]) in read(interaction)


@pytest.mark.parametrize(
    ("error", "key"),
    [(EventsDamaged("deal 1", 2), "damaged"), (UnexpectedInputError("forged"), "out_of_date")],
)
async def test_other_errors_read_the_same_after_a_commit(error, key):
    interaction = Interaction()
    await Served().fails(interaction, error, has_stored=True)
    assert catalogue("en")(f"error.{key}") in read(interaction)


async def test_an_interaction_that_was_handled_before_is_said_to_be_saved():
    interaction = Interaction()
    await Served().fails(interaction, RepeatedInteractionError("the same press"))
    assert catalogue("en")("error.not_shown") in read(interaction)


async def test_what_others_have_stored_or_nobody_asked_for_counts_for_no_interaction():
    async def store() -> None:
        HAS_STORED.set(True)

    interaction: Any = Interaction()
    HAS_STORED.set(True)  # by the task that receives interactions
    with capture_logs():
        async with Served().boundary.around(interaction):
            await asyncio.create_task(store())
            with aside():
                await store()
            raise StoreUnavailableError("the disk is full")
    assert catalogue("en")("error.store") in read(interaction)


@each_error
async def test_every_error_is_answered_privately(error):
    interaction = Interaction()
    assert unanswered(await Served().fails(interaction, error)) == []
    assert interaction.log == ["send ephemeral=True"]


@each_error
async def test_an_answer_to_an_error_that_discord_refuses_is_logged_and_ends_there(error):
    interaction = Interaction()
    interaction.response.faults = [refused(403, 50083)]
    assert unanswered(await Served().fails(interaction, error)) == [(5, 50083)]
    assert interaction.log == ["send ephemeral=True"]


async def test_a_damaged_store_is_given_up_even_if_its_person_cannot_be_told():
    served = Served()
    interaction = Interaction()
    interaction.response.faults = [refused(403, 50083)]
    await served.fails(interaction, StoreDamagedError("the file is corrupt"))
    assert served.given_up == 1


async def test_who_is_too_fast_and_cannot_be_told_is_logged():
    interaction: Any = Interaction()
    interaction.response.faults = [refused(403, 50083)]
    with capture_logs() as logs:
        await Served().boundary.turn_away(interaction)
    assert unanswered(logs) == [(5, 50083)]


@pytest.mark.parametrize("code", [10062, 40060, 10015])
async def test_an_error_of_an_interaction_that_is_over_is_logged_as_a_lost_answer(code):
    interaction = Interaction()
    interaction.response.faults = [refused(404, code)]
    logs = await Served().fails(interaction, UserError("sorry.no_table", table=3))
    assert [(line["event"], line["code"]) for line in logs] == [("answer.lost", code)]


@each_error
async def test_an_error_while_somebody_types_suggests_nothing(error):
    interaction = Interaction(InteractionType.autocomplete)
    await Served().fails(interaction, error)
    assert interaction.log == ["suggest []"]


@pytest.mark.parametrize(
    "fault", [refused(403, 50013), refused(404, 10062), aiohttp.ServerDisconnectedError()]
)
async def test_suggesting_nothing_may_fail_as_well(fault):
    interaction = Interaction(InteractionType.autocomplete)
    interaction.response.faults = [fault]
    await Served().fails(interaction, UserError("sorry.no_table", table=3))
    assert interaction.log == ["suggest []"]
