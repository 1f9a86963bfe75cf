"""A player's profile in words, below its picture if there is one."""

from collections.abc import Sequence

from bot.panels.history.company import company_tabs
from bot.panels.history.leaderboard import BoardChoice
from bot.ui.items import Button, Press, row
from bot.ui.panel import Panel, gallery, panel, picture_file, text
from bot.words.names import shown_name
from bot.words.numbers import base36
from bot.words.texts import Texts
from league.statistics.facts import Company
from league.statistics.profile import ENOUGH, BestDeal, Profile, Streaks
from render.picture import Picture
from render.words import decimal, signed

_BARS = "▁▂▃▄▅▆▇█"


def profile_panel(
    profile: Profile, texts: Texts, *, listed: bool = True, picture: Picture | None = None
) -> Panel:
    """The profile's figures; those with too few deals are left out.

    If there is a picture, it shows the bars of the latest deals.
    """
    file = picture_file(picture) if picture else None
    parts = [
        texts("profile.title", name=shown_name(profile.name)),
        _figures(profile, texts),
        _streaks(profile.streaks, texts),
        _rating(profile, texts),
        None if file else _form(profile, texts),
        _best("best", profile.best, texts),
        _best("richest", profile.richest, texts),
        _with_viewer(profile, texts),
        _rivals(profile, texts),
        _earned(profile, texts),
        _puzzles(profile, texts),
        _decisions(profile, texts),
        texts("profile.others", count=profile.others) if profile.others else None,
        None if listed else texts("profile.unlisted"),
    ]
    head, *rest = [part for part in parts if part is not None]
    return panel(
        text(head),
        gallery(file) if file else None,
        text("\n".join(rest)),
        company_tabs(profile.company, lambda company: _tab(profile, company), texts),
        row(
            Button(Press("history", 0, 0, f"all-{base36(profile.person)}-0-0"), texts("profile.to_history")),
            Button(_board_of(profile.company), texts("profile.to_board")),
        ),
        files=[file] if file else [],
    )


def _tab(profile: Profile, company: Company) -> Press:
    return Press("profile", 0, 0, f"{profile.person}-{company}")


def _board_of(company: Company) -> Press:
    return Press("board", 0, 0, BoardChoice().among(company).argument)


def _figures(profile: Profile, texts: Texts) -> str:
    tally = profile.tally
    if not tally.deals:
        return texts(f"profile.empty_{profile.company}")
    error = tally.error
    lines = [
        texts("profile.figures_computers", deals=tally.deals)
        if profile.since is None
        else texts("profile.figures", deals=tally.deals, matches=profile.matches, since=profile.since),
        texts(
            "profile.points_few" if error is None else "profile.points",
            mean=decimal(tally.mean, sign=True),
            error=decimal(error or 0),
            net=signed(tally.net),
        ),
        _rates(profile, texts),
    ]
    return "\n".join(lines)


def _rates(profile: Profile, texts: Texts) -> str:
    """Format percentages if there are enough deals for them, otherwise numbers of deals."""
    maal = "–" if profile.mean_maal is None else decimal(profile.mean_maal)
    won, seen, dublees = profile.win_rate, profile.see_rate, profile.dublee_rate
    if won is None or seen is None or dublees is None:
        tally = profile.tally
        return texts(
            "profile.rates_few",
            wins=tally.wins,
            seen=tally.seen,
            dublees=tally.dublees,
            maal=maal,
            enough=ENOUGH,
        )
    return texts("profile.rates", won=f"{won:.0%}", seen=f"{seen:.0%}", dublees=f"{dublees:.0%}", maal=maal)


def _streaks(streaks: Streaks, texts: Texts) -> str | None:
    """Format the player's days of activity and streaks; None before their first day."""
    said = [
        texts("profile.days", days=streaks.days) if streaks.days else None,
        texts("profile.running", days=streaks.running) if streaks.running > 1 else None,
        texts("profile.longest", days=streaks.longest) if streaks.longest > max(1, streaks.running) else None,
        texts("profile.daily_streak", days=streaks.daily) if streaks.daily else None,
        texts("profile.puzzle_streak", days=streaks.puzzle) if streaks.puzzle else None,
    ]
    return " · ".join(part for part in said if part) or None


def _rating(profile: Profile, texts: Texts) -> str | None:
    rating = profile.rating
    if rating is None:
        return None
    return texts(
        "profile.rating_unsure" if rating.provisional else "profile.rating",
        figure=rating.figure,
        band=rating.band,
        deals=rating.deals,
        deals_asked=rating.deals_asked,
        opponents=rating.opponents,
        opponents_asked=rating.opponents_asked,
    )


def _puzzles(profile: Profile, texts: Texts) -> str | None:
    figures = profile.puzzles
    if figures is None:
        return None
    strength = figures.strength
    rating = f"{strength.shown}?" if strength.provisional else str(strength.shown)
    return texts("profile.puzzles", rating=rating, correct=figures.correct, answers=strength.answers)


def _decisions(profile: Profile, texts: Texts) -> str | None:
    found = profile.decisions
    if found is None:
        return None
    return texts(
        "profile.decisions",
        accuracy=round(found.accuracy),
        band=round(found.accuracy_error),
        lost=decimal(found.lost),
        error=decimal(found.lost_error),
        deals=found.deals,
    )


def _form(profile: Profile, texts: Texts) -> str | None:
    if len(profile.form) < 2:  # one deal is no row
        return None
    return texts(
        "profile.form",
        count=len(profile.form),
        chart=chart(profile.form),
        lowest=signed(min(profile.form)),
        highest=signed(max(profile.form)),
    )


def chart(figures: tuple[int, ...]) -> str:
    """Figures as a row of bars, the lowest and the highest of them as the shortest and the longest.

    >>> chart((-10, 0, 10))
    '▁▄█'
    """
    low, high = min(figures), max(figures)
    steps = len(_BARS) - 1
    return "".join(_BARS[(figure - low) * steps // (high - low or 1)] for figure in figures)


def _best(title: str, deals: Sequence[BestDeal], texts: Texts) -> str | None:
    lines = [
        texts(
            "profile.best_deal",
            net=signed(deal.net),
            table=deal.table,
            deal=deal.deal_no,
            points=deal.points,
            seats=deal.seats,
            at=deal.at,
        )
        for deal in deals
    ]
    return "\n".join([texts(f"profile.{title}"), *lines]) if lines else None


def _with_viewer(profile: Profile, texts: Texts) -> str | None:
    met = profile.with_viewer
    if met is None:
        return None
    return texts(
        "profile.with_you",
        name=shown_name(met.name),
        deals=met.deals,
        ahead=met.ahead,
        behind=met.behind,
        net=signed(met.net),
    )


def _rivals(profile: Profile, texts: Texts) -> str | None:
    lines = [
        texts(
            "profile.rival",
            name=shown_name(rival.name),
            deals=rival.deals,
            ahead=rival.ahead,
            behind=rival.behind,
            net=signed(rival.net),
        )
        for rival in profile.rivals
    ]
    return "\n".join([texts("profile.rivals"), *lines]) if lines else None


def _earned(profile: Profile, texts: Texts) -> str | None:
    lines = [
        texts(
            "profile.feat",
            title=texts(f"achievement.{earned.achievement}_title"),
            what=texts(f"achievement.{earned.achievement}"),
            at=earned.at,
        )
        for earned in profile.earned
    ]
    return "\n".join([texts("profile.earned"), *lines]) if lines else None
