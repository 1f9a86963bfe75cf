"""What Discord demands of the answers that are no messages: forms and autocomplete choices."""

from playground.forms import Form
from playground.payloads import Json
from playground.refusals import Errors
from playground.rules_components import ComponentRules
from playground.rules_translations import check_translations


def check_modal(data: Json) -> Json:
    """Return the form a callback opens; Refusal if it may not be opened so."""
    errors = Errors()
    form = Form(data, errors, ("data",))
    form.text("custom_id", 1, 100, required=True)
    form.text("title", 1, 45, required=True)
    ComponentRules(errors, files=set(), in_form=True).form(form)
    errors.done()
    return data


def check_choices(data: Json) -> list[Json]:
    """Return autocomplete choices; Refusal if they are not proper."""
    errors = Errors()
    form = Form(data, errors, ("data",))
    choices = form.forms("choices", 0, 25, required=True)
    for choice in choices:
        check_choice(choice)
    errors.done()
    return [choice.data for choice in choices]


def check_choice(choice: Form) -> None:
    """Check one choice of an option, offered beforehand or by autocomplete."""
    choice.text("name", 1, 100, required=True)
    check_translations(choice, "name", 100)
    value = choice.data.get("value")
    if isinstance(value, str):
        choice.text("value", 1, 100)
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        choice.wrong("value", "Must be a string or a number.", "BASE_TYPE_BAD")
