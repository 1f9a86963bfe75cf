"""Texts shared by several messages of a season: conditions, points, rulings."""

from bot.league.season_view import SeasonView
from bot.panels.league.events import event_words
from bot.words.names import season_address, shown_name
from bot.words.rules import preset_name
from bot.words.texts import Texts
from data.season_rows import SeasonEventRow
from marriage.rules import nearest_preset


def about_words(view: SeasonView, texts: Texts) -> str:
    """The format, rules, length and pace of a season."""
    settings = view.season.settings
    preset, differing = nearest_preset(view.row.rules)
    drawn = "league.about_sitting" if settings.is_sitting else "league.about"
    return texts(
        drawn if settings.format.has_draw else "league.about_ladder",
        format=texts(f"league.format_{settings.format.name}"),
        preset=preset_name(preset, texts),
        variations=texts("league.variations", count=len(differing)) if differing else "",
        rounds=settings.rounds,
        days=settings.round_days,
        minutes=settings.round_minutes,
        deals=settings.deals(4),
        pace=texts(f"pace.{view.row.pace}"),
    )


def staff_mention(view: SeasonView) -> str:
    """The mention by which the staff are called, with a space after it: of their role, else of who opened the season."""
    if view.staff_role_id is not None:
        return f"<@&{view.staff_role_id}> "
    return "" if view.called_id is None else f"<@{view.called_id}> "


def page_words(view: SeasonView, pages_url: str | None, texts: Texts) -> str | None:
    """The link to the season's public page; None if it has none, or if the address of the pages is unknown."""
    if pages_url is None or not view.season.settings.public_page:
        return None
    return texts("league.page", address=season_address(pages_url, view.row.id))


def ruling_words(view: SeasonView, event_id: int, texts: Texts) -> str:
    """One action of the staff, announced with its reason."""
    act = next(act for act in view.acts if act.id == event_id)
    return texts("league.ruling", league=view.title, what=act_words(view, act, texts))


def act_words(view: SeasonView, act: SeasonEventRow, texts: Texts) -> str:
    """Say who did what, when and why, and which earlier action it reverses.

    An action without a number is still a draft. Automatic rulings of the season have no name.
    """
    if not act.staff:
        return texts("league.act_by_rule", id=act.id, at=act.at, what=event_words(view, act.body, texts))
    key = "league.act_line" if act.id else "league.act_to_be"
    return texts(
        key if act.corrects is None else f"{key}_back",
        id=act.id,
        at=act.at,
        who=view.name(act.actor) if act.actor is not None else "–",
        what=event_words(view, act.body, texts),
        reason=shown_name(act.reason) or "–",
        corrects=act.corrects,
    )
