"""Fair play for staff: findings that raise questions, and how many of them chance alone would produce."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.history.fair_play import TIMED, FairPlayQuestion, Questions
from bot.panels.pages import PAGE, page_of
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_name
from bot.words.texts import Texts
from league.statistics.fairplay import LISTED, SHARED_DEALS
from render.words import decimal

_HALF: Final = PAGE // 2
"""The room for pairs, and the same again for everything else."""


def questions_panel(found: Questions, texts: Texts) -> Panel:
    """Show each figure's findings, the strongest first, and how many there would be if all were honest."""
    return panel(
        text(texts("fairplay.title")),
        text(
            _list([_question(question, texts) for question in found.pairs], texts) or texts("fairplay.nobody")
        ),
        text(
            texts(
                "fairplay.expected",
                deals=found.deals,
                compared=found.compared,
                expected=f"{found.expected:.2f}",
                z=LISTED,
                shared=SHARED_DEALS,
            )
        ),
        text(_list(list(_signs(found, texts)), texts) or texts("fairplay.no_sign")),
        text(_by_chance(found, texts)),
    )


def _list(lines: Sequence[str], texts: Texts) -> str:
    page = page_of(lines, 0, _HALF)
    return "\n".join(page.lines) + (texts("list.and_more", count=page.rest) if page.rest else "")


def _signs(found: Questions, texts: Texts) -> Iterator[str]:
    names = {player: shown_name(name) for player, name in found.names.items()}
    for late in found.late.found:
        yield texts(
            "fairplay.late",
            player=names[late.player],
            percent=round(100 * late.gain),
            boards=late.boards,
            others=late.others,
            z=decimal(late.z),
        )
    for pair in found.together.found:
        yield texts(
            "fairplay.together" if pair.z > 0 else "fairplay.apart",
            one=names[pair.players[0]],
            other=names[pair.players[1]],
            found=pair.found,
            expected=decimal(pair.expected),
            z=decimal(abs(pair.z)),
        )
    for quick in found.quick.found:
        yield texts(
            "fairplay.quick",
            player=names[quick.player],
            before=names[quick.before],
            percent=round(100 * quick.share),
            tables=quick.tables,
            others=quick.others,
            z=decimal(quick.z),
        )


def _by_chance(found: Questions, texts: Texts) -> str:
    signs = {"late": found.late, "together": found.together, "quick": found.quick}
    figures = {f"{name}_compared": sign.compared for name, sign in signs.items()}
    expected = {f"{name}_expected": _few(sign.expected) for name, sign in signs.items()}
    return texts("fairplay.signs_expected", deals=TIMED, z=LISTED, **figures, **expected)


def _few(expected: float) -> str:
    """Format with two decimals, or four where two would read as zero."""
    return f"{expected:.{4 if 0 < expected < 0.01 else 2}f}"


def _question(question: FairPlayQuestion, texts: Texts) -> str:
    giver, receiver = shown_name(question.giver), shown_name(question.receiver)
    lines = [
        texts(
            "fairplay.transfer",
            giver=giver,
            receiver=receiver,
            z=decimal(question.transfer.z),
            deals=question.transfer.deals,
        ),
        texts("fairplay.company", giver=giver, receiver=receiver, percent=round(100 * question.company)),
    ]
    if question.fed is not None:
        lines.append(
            texts(
                "fairplay.fed",
                giver=giver,
                receiver=receiver,
                percent=round(100 * question.fed.to_receiver),
                others=round(100 * question.fed.to_others),
                z=decimal(question.fed.z),
            )
        )
    return "\n".join(lines)
