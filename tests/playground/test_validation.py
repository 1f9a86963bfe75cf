"""For every rule about messages and modals, a payload that breaks this rule alone."""

import copy

import pytest

from playground.model import COMPONENTS_V2, EPHEMERAL, Attachment, Channel, Message, Snowflakes, Upload, User
from playground.refusals import RefusalError
from playground.validation.answers import check_choices, check_modal
from playground.validation.messages import ANSWER_FLAGS, ServerError, check_message

IDS = Snowflakes()
PNG = Upload("h.png", b"\x89PNG\r\n\x1a\n", "image/png")


def button(**fields):
    return {"type": 2, "style": 1, "label": "Join", "custom_id": "join"} | fields


def option(number, **fields):
    return {"label": f"card {number}", "value": str(number)} | fields


def select(count=2, **fields):
    return {"type": 3, "custom_id": "hand", "options": [option(number) for number in range(count)]} | fields


def row(*inner):
    return {"type": 1, "components": list(inner)}


def text(content="text", **fields):
    return {"type": 10, "content": content} | fields


def section(**fields):
    return {"type": 9, "components": [text()], "accessory": button()} | fields


def gallery(*urls):
    return {"type": 12, "items": [{"media": {"url": url}} for url in urls]}


def container(*inner, **fields):
    return {"type": 17, "components": list(inner)} | fields


def v2(*components, **fields):
    return {"flags": COMPONENTS_V2, "components": list(components)} | fields


def refused(payload, *, files=None, before=None, flags=ANSWER_FLAGS):
    """Return the paths of the errors with which a message is refused."""
    with pytest.raises(RefusalError) as caught:
        check_message(payload, files or {}, IDS, before=before, flags=flags)
    if caught.value.errors is None:
        return [caught.value.code]
    assert caught.value.code == 50035
    return list(paths(caught.value.errors))


def paths(tree, prefix=""):
    for key, inner in tree.items():
        if key == "_errors":
            yield prefix
        else:
            yield from paths(inner, f"{prefix}.{key}".lstrip("."))


FULL_V2 = v2(
    container(
        text("Table"),
        section(),
        section(
            accessory={"type": 11, "media": {"url": "attachment://h.png"}, "description": "a hand"}, id=9
        ),
        gallery("attachment://h.png", "https://example.com/x.png"),
        {"type": 14, "divider": True, "spacing": 2},
        {"type": 13, "file": {"url": "attachment://h.png"}},
        row(button(custom_id="b1"), button(custom_id="b2", style=5, url="https://example.com")),
        row(select(22, max_values=22, min_values=0)),
        accent_color=0xFFFFFF,
    ),
    row({"type": 5, "custom_id": "who"}),
)
FULL_V2["components"][0]["components"][6]["components"][1].pop("custom_id")
FULL_V2["components"][0]["components"][2]["accessory"].pop("id", None)


def test_a_message_with_everything_passes():
    draft = check_message(copy.deepcopy(FULL_V2), {0: PNG}, IDS)
    assert draft.flags == COMPONENTS_V2
    assert [file.filename for file in draft.attachments] == ["h.png"]


LEGACY = [
    ("content over 2000", {"content": "x" * 2001}, ["content"]),
    ("content no text", {"content": 7}, ["content"]),
    ("nothing", {}, [50006]),
    ("blank", {"content": "  "}, [50006]),
    ("nonce over 25", {"content": "x", "nonce": "n" * 26}, ["nonce"]),
    ("unknown flag", {"content": "x", "flags": 1}, ["flags"]),
    ("flags no number", {"content": "x", "flags": "64"}, ["flags"]),
    ("tts no boolean", {"content": "x", "tts": 1}, ["tts"]),
    ("11 embeds", {"embeds": [{"title": "x"}] * 11}, ["embeds"]),
    ("embed title", {"embeds": [{"title": "x" * 257}]}, ["embeds.0.title"]),
    ("embed description", {"embeds": [{"description": "x" * 4097}]}, ["embeds.0.description"]),
    ("26 fields", {"embeds": [{"fields": [{"name": "x", "value": "x"}] * 26}]}, ["embeds.0.fields"]),
    ("field name", {"embeds": [{"fields": [{"name": "x" * 257, "value": "x"}]}]}, ["embeds.0.fields.0.name"]),
    (
        "field value",
        {"embeds": [{"fields": [{"name": "x", "value": "x" * 1025}]}]},
        ["embeds.0.fields.0.value"],
    ),
    ("embed of nothing", {"embeds": [{"title": "x"}, {"title": "", "color": 1}]}, ["embeds.1.description"]),
    ("blank embed", {"embeds": [{"title": " ", "description": "\n"}]}, ["embeds.0.description"]),
    ("empty field name", {"embeds": [{"fields": [{"name": "", "value": "x"}]}]}, ["embeds.0.fields.0.name"]),
    ("empty footer", {"embeds": [{"title": "x", "footer": {"text": ""}}]}, ["embeds.0.footer.text"]),
    ("blank author", {"embeds": [{"title": "x", "author": {"name": " "}}]}, ["embeds.0.author.name"]),
    ("blank field", {"embeds": [{"fields": [{"name": "x", "value": " "}]}]}, ["embeds.0.fields.0.value"]),
    ("embed footer", {"embeds": [{"footer": {"text": "x" * 2049}}]}, ["embeds.0.footer.text"]),
    ("embed author", {"embeds": [{"author": {"name": "x" * 257}}]}, ["embeds.0.author.name"]),
    ("embed colour", {"embeds": [{"title": "x", "color": 0x1000000}]}, ["embeds.0.color"]),
    ("embeds over 6000", {"embeds": [{"description": "x" * 3001}] * 2}, ["embeds"]),
    ("embed picture missing", {"embeds": [{"image": {"url": "attachment://h.png"}}]}, ["embeds.0.image.url"]),
    ("6 rows", {"components": [row(button(custom_id=str(number))) for number in range(6)]}, ["components"]),
    ("text without V2", {"components": [text()]}, ["components.0.type"]),
    ("file not uploaded", {"content": "x", "attachments": [{"id": 0}]}, ["attachments.0.id"]),
    (
        "mentions exclude each other",
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        ["allowed_mentions.users"],
    ),
    (
        "mentions of nothing known",
        {"content": "x", "allowed_mentions": {"parse": ["all"]}},
        ["allowed_mentions.parse"],
    ),
]

IN_ROW = [
    ("custom_id over 100", [button(custom_id="x" * 101)], ["0.custom_id"]),
    ("custom_id empty", [button(custom_id="")], ["0.custom_id"]),
    ("custom_id missing", [button(custom_id=None)], ["0.custom_id"]),
    ("custom_id twice", [button(), button()], ["1.custom_id"]),
    ("component id twice", [button(id=5), button(id=5, custom_id="b")], ["1.id"]),
    ("6 buttons", [button(custom_id=str(number)) for number in range(6)], [""]),
    ("no button", [], [""]),
    ("select beside a button", [select(), button()], [""]),
    ("two selects", [select(), select(custom_id="b")], [""]),
    ("label over 80", [button(label="x" * 81)], ["0.label"]),
    ("neither label nor emoji", [button(label=None)], ["0"]),
    ("empty label", [button(label="")], ["0"]),
    ("blank label", [button(label=" ")], ["0"]),
    ("empty emoji", [button(emoji={"name": ""})], ["0.emoji.name"]),
    ("emoji that was deleted", [button(emoji={"id": "77", "name": "card"})], ["0.emoji.id"]),
    (
        "deleted emoji of an option",
        [select(options=[option(1, emoji={"id": "77"})])],
        ["0.options.0.emoji.id"],
    ),
    ("emoji without id and name", [button(emoji={})], ["0.emoji"]),
    ("style unknown", [button(style=7)], ["0.style"]),
    ("url on a normal button", [button(url="https://example.com")], ["0.url"]),
    ("link without url", [{"type": 2, "style": 5, "label": "x"}], ["0.url"]),
    ("link with custom_id", [button(style=5, url="https://example.com")], ["0.custom_id"]),
    ("link to a bad scheme", [{"type": 2, "style": 5, "label": "x", "url": "ftp://x"}], ["0.url"]),
    ("url over 512", [{"type": 2, "style": 5, "label": "x", "url": "https://" + "x" * 512}], ["0.url"]),
    ("premium without sku", [{"type": 2, "style": 6}], ["0.sku_id"]),
    ("unknown type", [{"type": 99}], ["0.type"]),
    ("26 options", [select(26)], ["0.options"]),
    ("no option", [select(0)], ["0.options"]),
    ("option label", [select(options=[option(1, label="x" * 101)])], ["0.options.0.label"]),
    ("empty option label", [select(options=[option(1, label="")])], ["0.options.0.label"]),
    ("blank option label", [select(options=[option(1, label="\t")])], ["0.options.0.label"]),
    ("empty option value", [select(options=[option(1, value="")])], ["0.options.0.value"]),
    ("option value", [select(options=[option(1, value="x" * 101)])], ["0.options.0.value"]),
    ("option description", [select(options=[option(1, description="x" * 101)])], ["0.options.0.description"]),
    ("option twice", [select(options=[option(1), option(1)])], ["0.options.1.value"]),
    (
        "too many defaults",
        [select(options=[option(1, default=True), option(2, default=True)])],
        ["0.options"],
    ),
    ("placeholder", [select(placeholder="x" * 151)], ["0.placeholder"]),
    ("min over max", [select(min_values=2, max_values=1)], ["0.min_values"]),
    ("max over options", [select(2, max_values=3)], ["0.max_values"]),
    ("max over 25", [select(25, max_values=26)], ["0.max_values"]),
    (
        "user select with too many defaults",
        [{"type": 5, "custom_id": "u", "default_values": [{"id": "1", "type": "user"}] * 2}],
        ["0.default_values"],
    ),
    ("text input in a message", [{"type": 4, "custom_id": "t", "style": 1, "label": "x"}], ["0.type"]),
]

V2 = [
    ("content", v2(text(), content="x"), ["content"]),
    ("embeds", v2(text(), embeds=[{"title": "x"}]), ["embeds"]),
    ("poll", v2(text(), poll={"question": {}}), ["poll"]),
    ("nothing", v2(), [50006]),
    ("41 at the top", v2(*[text()] * 41), ["components"]),
    ("41 nested", v2(container(*[text()] * 30), container(*[text()] * 9)), ["components"]),
    ("text over 4000 in sum", v2(text("x" * 2001), text("x" * 2000)), ["components"]),
    ("text over 4000", v2(text("x" * 4001)), ["components.0.content", "components"]),
    ("empty text", v2(text("")), ["components.0.content"]),
    ("blank text", v2(text(" \n ")), ["components.0.content"]),
    (
        "empty text deep inside",
        v2(container(text(), section(components=[text()]), text(""))),
        ["components.0.components.2.content"],
    ),
    ("button at the top", v2(button()), ["components.0.type"]),
    ("container in a container", v2(container(container(text()))), ["components.0.components.0.type"]),
    ("empty container", v2(container()), ["components.0.components"]),
    ("accent colour", v2(container(text(), accent_color=0x1000000)), ["components.0.accent_color"]),
    ("section without text", v2(section(components=[])), ["components.0.components"]),
    ("section with 4 texts", v2(section(components=[text()] * 4)), ["components.0.components"]),
    (
        "section with a button for text",
        v2(section(components=[button(custom_id="b")])),
        ["components.0.components.0.type"],
    ),
    ("section without accessory", v2(section(accessory=None)), ["components.0.accessory"]),
    ("section with a select", v2(section(accessory=select())), ["components.0.accessory.type"]),
    ("empty gallery", v2(gallery()), ["components.0.items"]),
    ("11 pictures", v2(gallery(*["https://example.com/x.png"] * 11)), ["components.0.items"]),
    ("picture missing", v2(gallery("attachment://x.png")), ["components.0.items.0.media.url"]),
    ("picture scheme", v2(gallery("file://x.png")), ["components.0.items.0.media.url"]),
    (
        "alt text",
        v2({"type": 12, "items": [{"media": {"url": "https://x.example"}, "description": "x" * 1025}]}),
        ["components.0.items.0.description"],
    ),
    (
        "empty alt text",
        v2({"type": 12, "items": [{"media": {"url": "https://x.example"}, "description": ""}]}),
        ["components.0.items.0.description"],
    ),
    (
        "empty alt text of a thumbnail",
        v2(section(accessory={"type": 11, "media": {"url": "https://x.example"}, "description": ""})),
        ["components.0.accessory.description"],
    ),
    (
        "file from the web",
        v2({"type": 13, "file": {"url": "https://example.com/x"}}),
        ["components.0.file.url"],
    ),
    ("file missing", v2({"type": 13, "file": {"url": "attachment://x"}}), ["components.0.file.url"]),
    ("separator spacing", v2({"type": 14, "spacing": 3}), ["components.0.spacing"]),
    ("component id too big", v2(text(id=2**31)), ["components.0.id"]),
    ("same custom_id in two places", v2(section(), row(button())), ["components.1.components.0.custom_id"]),
]


@pytest.mark.parametrize(("payload", "where"), [pytest.param(*case[1:], id=case[0]) for case in LEGACY])
def test_a_message_is_refused(payload, where):
    assert refused(payload) == where


@pytest.mark.parametrize(("inner", "where"), [pytest.param(*case[1:], id=case[0]) for case in IN_ROW])
def test_a_row_is_refused(inner, where):
    expected = [f"components.0.components.{path}".rstrip(".") for path in where]
    assert refused({"content": "x", "components": [row(*inner)]}) == expected


@pytest.mark.parametrize(("payload", "where"), [pytest.param(*case[1:], id=case[0]) for case in V2])
def test_a_components_message_is_refused(payload, where):
    assert refused(payload) == where


def test_files_are_counted_and_weighed():
    many = dict.fromkeys(range(11), PNG)
    assert refused({"content": "x"}, files=many) == ["attachments"]
    assert refused({"attachments": [{"id": 0, "description": "x" * 1025}]}, files={0: PNG}) == [
        "attachments.0.description"
    ]
    assert refused({"attachments": [{"id": 0, "filename": ""}]}, files={0: PNG}) == ["attachments.0.filename"]
    assert refused({}, files={0: Upload("x", bytes(10 * 1024 * 1024 + 1), "x/y")}) == [40005]


def test_ten_thousand_bytes_of_text_make_discord_stumble():
    with pytest.raises(ServerError):
        check_message(v2(text("देवनागरी" * 450)), {}, IDS)


# Edits: the message that results --------------------------------------------------------------------


def written(**fields):
    message = Message(IDS.new(), Channel(1, 0), User(2, "tiplu", bot=True))
    for key, value in fields.items():
        setattr(message, key, value)
    return message


FILE = Attachment(77, 1, "h.png", b"", "image/png")


def test_an_edit_is_judged_by_what_results():
    with_picture = written(
        flags=COMPONENTS_V2, components=[gallery("attachment://h.png")], attachments=[FILE]
    )
    assert refused({"attachments": []}, before=with_picture) == ["components.0.items.0.media.url"]
    assert refused({"content": "x"}, before=with_picture) == ["content"]
    assert refused({"flags": 0}, before=with_picture) == ["flags"]
    assert refused({"components": []}, before=with_picture) == [50006]
    assert refused({"flags": COMPONENTS_V2, "components": [text()]}, before=written(content="x")) == [
        "content"
    ]
    assert refused({"components": [text("")]}, before=with_picture) == ["components.0.content"]
    assert check_message({"attachments": [{"id": 77}]}, {}, IDS, before=with_picture).attachments == [FILE]
    kept = check_message({"components": [text()]}, {0: PNG}, IDS, before=with_picture).attachments
    assert [file.filename for file in kept] == ["h.png", "h.png"]


def test_an_edit_keeps_the_ephemeral_flag():
    assert (
        check_message({"content": "y"}, {}, IDS, before=written(content="x", flags=EPHEMERAL)).flags
        == EPHEMERAL
    )


# Modals and choices ----------------------------------------------------------------------------------


def label(inner, **fields):
    return {"type": 18, "label": "Points", "component": inner} | fields


def field(**fields):
    return {"type": 4, "custom_id": "f", "style": 1} | fields


def radio(count=2, **fields):
    return {"type": 21, "custom_id": "r", "options": [option(number) for number in range(count)]} | fields


def form(*components, **fields):
    return {"title": "Rules", "custom_id": "rules", "components": list(components)} | fields


FORMS = [
    ("title", form(label(field()), title="x" * 46), "title"),
    ("empty title", form(label(field()), title=""), "title"),
    ("blank title", form(label(field()), title=" "), "title"),
    ("empty text", form(text(""), label(field())), "components.0.content"),
    ("empty label text", form(label(field(), label="")), "components.0.label"),
    ("empty label description", form(label(field(), description="")), "components.0.description"),
    ("empty radio", form(label(radio(options=[option(1), option(2, label="")]))), "components.0.component.options.1.label"),
    ("custom_id", form(label(field()), custom_id="x" * 101), "custom_id"),
    ("empty", form(), "components"),
    ("6 components", form(*[label(field(custom_id=str(number))) for number in range(6)]), "components"),
    ("ids twice", form(label(field()), label(field())), "components.1.component.custom_id"),
    ("label text", form(label(field(), label="x" * 46)), "components.0.label"),
    ("label description", form(label(field(), description="x" * 101)), "components.0.description"),
    ("label of a button", form(label(button())), "components.0.component.type"),
    ("button at the top", form(button()), "components.0.type"),
    ("lengths crossed", form(label(field(min_length=5, max_length=4))), "components.0.component.min_length"),
    ("value too long", form(label(field(value="xxxxx", max_length=4))), "components.0.component.value"),
    ("placeholder", form(label(field(placeholder="x" * 101))), "components.0.component.placeholder"),
    ("text style", form(label(field(style=3))), "components.0.component.style"),
    ("min 0 but required", form(label(select(min_values=0))), "components.0.component.min_values"),
    ("disabled", form(label(select(disabled=True))), "components.0.component.disabled"),
    ("1 radio", form(label(radio(1))), "components.0.component.options"),
    ("2 radios chosen", form(label(radio(options=[option(1, default=True), option(2, default=True)]))), "components.0.component.options"),
    ("11 checkboxes", form(label(radio(11, type=22))), "components.0.component.options"),
    ("11 files", form(label({"type": 19, "custom_id": "u", "max_values": 11})), "components.0.component.max_values"),
    ("row without label", form(row(field())), "components.0.components.0.label"),
    ("two inputs in a row", form(row(field(label="a"), field(label="b", custom_id="g"))), "components.0.components"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "where"), [pytest.param(*case[1:], id=case[0]) for case in FORMS])
def test_a_form_is_refused(data, where):
    with pytest.raises(RefusalError) as caught:
        check_modal(data)
    assert list(paths(caught.value.errors)) == [f"data.{where}"]


def test_a_form_with_everything_passes():
    parts = [
        text(),
        label(field(value="x")),
        label(radio()),
        label({"type": 23, "custom_id": "c"}),
        row(field(custom_id="g", label="old")),
    ]
    assert check_modal(form(*parts))["title"] == "Rules"


@pytest.mark.parametrize(
    ("choices", "where"),
    [
        ([{"name": "x", "value": "x"}] * 26, "choices"),
        ([{"name": "x" * 101, "value": "x"}], "choices.0.name"),
        ([{"name": "", "value": "x"}], "choices.0.name"),
        ([{"name": " ", "value": "x"}], "choices.0.name"),
        ([{"name": "x", "value": "x" * 101}], "choices.0.value"),
        ([{"name": "x", "value": None}], "choices.0.value"),
    ],
)
def test_choices_are_refused(choices, where):
    with pytest.raises(RefusalError) as caught:
        check_choices({"choices": choices})
    assert list(paths(caught.value.errors)) == [f"data.{where}"]
