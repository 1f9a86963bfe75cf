"""Answers with a practice deal."""

from bot.interactions.reply import Reply
from bot.learning.practice import Lesson
from bot.panels.learning.practice import lesson_end, practice_panel
from bot.people import Person
from bot.services import Services
from bot.words.names import clean_name, shown_name
from bot.words.texts import texts


async def show_lesson(
    services: Services, reply: Reply, person: Person, lesson: Lesson, note: str | None = None
) -> None:
    """Show the current step, or the end, to the learner."""
    names = (clean_name(person.name, fallback=texts()("practice.learner")), texts()("practice.teacher"))
    said = tuple(map(shown_name, names))
    if lesson.is_over:
        nets = [line.net for line in lesson.view.sheet.lines] if lesson.view.sheet else [0, 0]
        picture = await services.pictures.sheet(lesson.view, names, nets)
        await reply.show(lesson_end(lesson, picture, said, services.mentions, texts()))
        return
    hand = await services.pictures.hand(lesson.view, lesson.holder)
    hint = await services.pictures.hint(lesson.view)
    await reply.show(practice_panel(lesson, hand, hint, said, texts(), note))
