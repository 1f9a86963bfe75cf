"""Validation of modals and of autocomplete choices."""

from playground.payloads import Json
from playground.refusals import Errors
from playground.validation.components import ComponentRules
from playground.validation.forms import Form
from playground.validation.translations import check_translations


def check_modal(data: Json) -> Json:
    """Return the modal of a callback; raises RefusalError if it is invalid."""
    errors = Errors()
    form = Form(data, errors, ("data",))
    form.text("custom_id", 1, 100, required=True)
    form.text("title", 1, 45, required=True)
    ComponentRules(errors, files=set(), in_modal=True).form(form)
    errors.done()
    return data


def check_choices(data: Json) -> list[Json]:
    """Return autocomplete choices; raises RefusalError if they are invalid."""
    errors = Errors()
    form = Form(data, errors, ("data",))
    choices = form.forms("choices", 0, 25, required=True)
    for choice in choices:
        check_choice(choice)
    errors.done()
    return [choice.data for choice in choices]


def check_choice(choice: Form) -> None:
    """Check one choice, of an option or of an autocomplete answer."""
    choice.text("name", 1, 100, required=True)
    check_translations(choice, "name", 100)
    value = choice.data.get("value")
    if isinstance(value, str):
        choice.text("value", 1, 100)
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        choice.wrong("value", "Must be a string or a number.", "BASE_TYPE_BAD")
