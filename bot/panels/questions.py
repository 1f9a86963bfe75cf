"""Fair play for staff: each pair as a question, with what chance alone would bring."""

from bot.panels.panel import Panel, panel, text
from bot.record.questions import Question, Questions
from bot.words.names import shown_name
from bot.words.texts import Texts
from bot.words.wording import decimal
from league.fairplay import LISTED, SHARED_DEALS

_SHOWN = 10


def questions_panel(found: Questions, texts: Texts) -> Panel:
    """The pairs, the strongest first; how many would be listed if everybody were honest."""
    lines = [_question(one, texts) for one in found.pairs[:_SHOWN]]
    return panel(
        text(texts("fairplay.title")),
        text("\n".join(lines) or texts("fairplay.nobody")),
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


def _question(one: Question, texts: Texts) -> str:
    giver, receiver = shown_name(one.giver), shown_name(one.receiver)
    lines = [
        texts(
            "fairplay.transfer",
            giver=giver,
            receiver=receiver,
            z=decimal(one.transfer.z),
            deals=one.transfer.deals,
        ),
        texts("fairplay.company", giver=giver, receiver=receiver, percent=round(100 * one.company)),
    ]
    if one.fed is not None:
        lines.append(
            texts(
                "fairplay.fed",
                giver=giver,
                receiver=receiver,
                percent=round(100 * one.fed.to_receiver),
                others=round(100 * one.fed.to_others),
                z=decimal(one.fed.z),
            )
        )
    return "\n".join(lines)
