"""Tabs for the two kinds of figures: of deals among people, and of deals with computers."""

from collections.abc import Callable
from typing import Any

from discord import ui

from bot.ui.items import BLUE, GREY, Button, Press, row
from bot.words.texts import Texts
from league.statistics.facts import Company


def company_tabs(chosen: Company, press: Callable[[Company], Press], texts: Texts) -> ui.ActionRow[Any]:
    """A button for each company; the chosen one is marked and cannot be pressed. `press` says what a button leads to."""
    return row(
        *(
            Button(
                press(company),
                texts(f"company.{company}"),
                style=BLUE if company is chosen else GREY,
                disabled=company is chosen,
            )
            for company in Company
        )
    )
