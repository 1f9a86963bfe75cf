"""Fair play for staff: each pair as a question, with how many pairs chance alone would list."""

from bot.history.fair_play import Question, Questions
from bot.panels.pages import page_of
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_name
from bot.words.refusals import decimal
from bot.words.texts import Texts
from league.statistics.fairplay import LISTED, SHARED_DEALS


def questions_panel(found: Questions, texts: Texts) -> Panel:
    """The pairs, the strongest first, and how many would be listed if everybody played honestly."""
    page = page_of([_question(question, texts) for question in found.pairs], 0)
    more = texts("list.and_more", count=page.rest) if page.rest else ""
    return panel(
        text(texts("fairplay.title")),
        text("\n".join(page.lines) + more or texts("fairplay.nobody")),
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
    )


def _question(question: Question, texts: Texts) -> str:
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
