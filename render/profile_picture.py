"""The picture of a profile: a player's average result, how often they win and see, and plots of their points."""

from collections.abc import Iterator
from typing import Final

from PIL import Image, ImageDraw

from league.statistics.profile import Profile
from league.statistics.stats import Company
from render import words
from render.alt import sentences, short
from render.drawing import charts
from render.drawing.charts import EDGE, WIDTH, named
from render.drawing.cloth import Box, plain, plate
from render.drawing.deck import to_palette
from render.drawing.text import draw_text, fit, width
from render.picture import Picture, finish
from render.style import DEFAULT, Colour, Style

_HEAD: Final = 132
_GAP: Final = 12
_TILE: Final = 122
_WIDE: Final = 248
_PLOT: Final = 240
_BEST: Final = 70
_PAD: Final = 22
_NAME: Final = 54
_RATING: Final = 60
_FIGURE: Final = 48
_TEXT: Final = 38
_LABEL: Final = 31
_AXIS: Final = 124
"""The room at the right of a plot for its labels."""
_ROW: Final = 2
"""The fewest deals for a plot: one deal is no series."""


def draw_profile(profile: Profile, style: Style = DEFAULT) -> Picture:
    """Draw the profile page, without the plots that need more deals than the player has."""
    plots_shown = (len(profile.form) >= _ROW) + (len(profile.course) > _ROW)
    height = _HEAD + (_TILE + _GAP) + plots_shown * (_PLOT + _GAP) + (_BEST + _GAP) * bool(profile.best)
    page = _ProfilePage(plain(WIDTH, height + EDGE - _GAP, style), profile, style)
    page.head()
    if profile.tally.deals:
        page.tiles()
    else:
        page.nothing()
    if len(profile.form) >= _ROW:
        page.form()
    if len(profile.course) > _ROW:
        page.course()
    if profile.best:
        page.best()
    return finish(to_palette(page.canvas, style), profile_alt(profile))


class _ProfilePage:
    """A page in progress, from the top down."""

    def __init__(self, canvas: Image.Image, profile: Profile, style: Style) -> None:
        self.canvas, self.profile, self.style = canvas, profile, style
        self.draw = ImageDraw.Draw(canvas)
        self.top = _HEAD

    def head(self) -> None:
        """Draw the name and the number of deals, and the rating at the right."""
        colours, profile = self.style.colours, self.profile
        left, right = EDGE + 12, WIDTH - EDGE - 12
        if profile.rating is not None:
            figure = f"{profile.rating.figure}{'?' * profile.rating.provisional}"
            band = f"± {profile.rating.band}"
            x = right - width(band, _TEXT) - 16
            self._text(right, 50, band, _TEXT, colours.muted, "rm")
            self._text(x, 48, figure, _RATING, colours.gold, "rm")
            self._text(right, 102, words.say("board.order_rating"), _LABEL, colours.muted, "rm")
            right = round(x - width(figure, _RATING)) - 30
        name = fit(named(profile.person, profile.name), right - left, _NAME)
        self._text(left, 48, name, _NAME, colours.text, "lm")
        counted = _counted(profile)
        self._text(left, 102, counted, _LABEL, colours.muted, "lm")

    def tiles(self) -> None:
        """Draw the points per deal with their uncertainty on a wider tile, and four figures next to it."""
        tally, colours = self.profile.tally, self.style.colours
        fill = colours.gain if tally.mean > 0 else colours.loss if tally.mean < 0 else colours.text
        mean = words.decimal(tally.mean, sign=True)
        error = "" if tally.error is None else f"± {words.decimal(tally.error)}"
        shares = [(name, figure, "", colours.text) for name, figure in _shares(self.profile)]
        left, narrow = EDGE, (WIDTH - 2 * EDGE - _WIDE - len(shares) * _GAP) // len(shares)
        for name, figure, aside, ink in ((words.say("profile.mean"), mean, error, fill), *shares):
            right = left + (narrow if left > EDGE else _WIDE)
            self._tile(left, right, name, figure, aside, ink)
            left = right + _GAP
        self.top += _TILE + _GAP

    def _tile(self, left: int, right: int, name: str, figure: str, aside: str, fill: Colour) -> None:
        """Draw a figure in the middle of a plate, its addition in small type, and its label below."""
        muted = self.style.colours.muted
        plate(self.canvas, (left, self.top, right, self.top + _TILE), self.style)
        middle = (left + right) / 2
        whole = width(figure, _FIGURE) + (width(aside, _LABEL) + 14) * bool(aside)
        self._text(middle - whole / 2, self.top + 44, figure, _FIGURE, fill, "lm")
        self._text(middle + whole / 2, self.top + 46, aside, _LABEL, muted, "rm")
        self._text(middle, self.top + 94, fit(name, right - left - 12, _LABEL), _LABEL, muted, "mm")

    def nothing(self) -> None:
        """Draw the notice that there are no figures."""
        box = self._plate(_TILE)
        text = fit(words.say("profile.empty"), WIDTH - 2 * (EDGE + _PAD), _TEXT)
        self._text(WIDTH / 2, (box[1] + box[3]) / 2, text, _TEXT, self.style.colours.text, "mm")

    def form(self) -> None:
        """Draw the latest deals as columns, with the greatest gain and loss."""
        form = self.profile.form
        box = self._plot(words.say("profile.form", count=len(form)), max(0, *form), min(0, *form))
        charts.columns(self.canvas, box, form, self.style)

    def course(self) -> None:
        """Draw the running total deal by deal, with its highest and its lowest value."""
        course = self.profile.course
        title = words.say("profile.course", points=words.signed(course[-1]))
        box = self._plot(title, max(course), min(course))
        charts.course(self.canvas, box, course, self.style)

    def best(self) -> None:
        """Draw the best deal."""
        colours, best = self.style.colours, self.profile.best[0]
        box = self._plate(_BEST)
        middle = (box[1] + box[3]) / 2
        right = WIDTH - EDGE - _PAD
        x = right - self._text(right, middle, words.signed(best.net), _FIGURE, colours.gain, "rm")
        text = words.say("profile.best", maal=best.points, seats=best.seats)
        text = fit(text, round(x) - 20 - EDGE - _PAD, _LABEL)
        self._text(EDGE + _PAD, middle, text, _LABEL, colours.muted, "lm")

    def _plate(self, height: int) -> tuple[int, int, int, int]:
        box = (EDGE, self.top, WIDTH - EDGE, self.top + height)
        plate(self.canvas, box, self.style)
        self.top += height + _GAP
        return box

    def _plot(self, title: str, high: int, low: int) -> Box:
        """Draw a plate with a title and the limits of the plot at the right; returns the box of the plot."""
        colours = self.style.colours
        left, top, right, bottom = self._plate(_PLOT)
        self._text(left + _PAD, top + 34, title, _LABEL, colours.muted, "lm")
        room = (left + _PAD, top + 70, right - _AXIS, bottom - 24)
        nought = room[1] + (room[3] - room[1]) * high / (high - low or 1)
        for y, figure in ((room[1] + 4, high), (room[3] - 4, low)):
            if figure:
                self._text(right - _PAD, y, words.signed(figure), _LABEL, colours.text, "rm")
        if not (high and low) or min(nought - room[1], room[3] - nought) > _LABEL:
            self._text(right - _PAD, nought, "0", _LABEL, colours.muted, "rm")
        return room

    def _text(self, x: float, y: float, text: str, size: int, fill: Colour, anchor: str) -> float:
        return draw_text(self.draw, (x, y), text, size, fill, anchor=anchor)


def _counted(profile: Profile) -> str:
    """Say how many deals the figures are based on."""
    key = "profile.counted" if profile.company is Company.PEOPLE else "profile.counted_computers"
    return words.say(key, deals=profile.tally.deals, matches=profile.matches)


def _shares(profile: Profile) -> Iterator[tuple[str, str]]:
    """Yield percentages if there are enough deals for them, otherwise numbers of deals; and the maal."""
    tally = profile.tally
    for key, rate, count in (
        ("profile.won", profile.win_rate, tally.wins),
        ("profile.seen", profile.see_rate, tally.seen),
        ("profile.dublees", profile.dublee_rate, tally.dublees),
    ):
        yield words.say(key), str(count) if rate is None else f"{rate:.0%}"
    mean = profile.mean_maal
    yield words.say("profile.maal"), "–" if mean is None else words.decimal(mean)


def profile_alt(profile: Profile) -> str:
    """Describe the figures in words."""
    counted = _counted(profile)
    parts = [f"{short(named(profile.person, profile.name))}: {counted}"]
    if profile.rating is not None:
        shown = profile.rating
        figure = f"{shown.figure}{'?' * shown.provisional}"
        parts.append(words.say("profile.alt_rating", figure=figure, band=shown.band))
    if not profile.tally.deals:
        return sentences([*parts, words.say("profile.empty")])
    mean, error = words.decimal(profile.tally.mean, sign=True), profile.tally.error
    key = "profile.alt_mean" if error is None else "profile.alt_mean_error"
    parts.append(words.say(key, mean=mean, error=words.decimal(error or 0)))
    parts.append(", ".join(f"{name} {figure}" for name, figure in _shares(profile)))
    if len(profile.form) >= _ROW:
        head = words.say("profile.form", count=len(profile.form))
        parts.append(f"{head}: {', '.join(map(words.signed, profile.form))}")
    if len(profile.course) > _ROW:
        last, high, low = (
            words.signed(sum_) for sum_ in (profile.course[-1], max(profile.course), min(profile.course))
        )
        parts.append(words.say("profile.alt_course", points=last, high=high, low=low))
    if profile.best:
        best = profile.best[0]
        text = words.say("profile.best", maal=best.points, seats=best.seats)
        parts.append(f"{text}: {words.signed(best.net)}")
    return sentences(parts)
