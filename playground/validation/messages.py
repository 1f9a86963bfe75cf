"""Validation of messages: the message that results, after an edit too."""

from collections.abc import Container
from dataclasses import dataclass, field, replace

from playground import model
from playground.files import clean_name, size_in_pixels
from playground.model import COMPONENTS_V2, EPHEMERAL, SUPPRESS_EMBEDS, Attachment, Message, Upload
from playground.payloads import Json
from playground.refusals import Errors, RefusalError
from playground.validation.components import ComponentRules
from playground.validation.forms import Form

MAX_CONTENT, MAX_EMBEDS, MAX_EMBED_TEXT = 2000, 10, 6000
EMBED_PARTS = ("title", "description", "fields", "image", "thumbnail", "author", "footer")
MAX_FILES, MAX_FILE_BYTES, MAX_TEXT_BYTES = 10, 10 * 1024 * 1024, 10_170
CREATE_FLAGS = SUPPRESS_EMBEDS | model.SUPPRESS_NOTIFICATIONS | COMPONENTS_V2
ANSWER_FLAGS = CREATE_FLAGS | EPHEMERAL
EDIT_FLAGS = SUPPRESS_EMBEDS | COMPONENTS_V2

Files = dict[int, Upload]


class ServerError(Exception):
    """Discord itself would answer 500 to this payload."""


@dataclass
class Draft:
    """The content of a valid message, ready to be written."""

    content: str = ""
    embeds: list[Json] = field(default_factory=list[Json])
    components: list[Json] = field(default_factory=list[Json])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    flags: int = 0


def check_message(
    payload: Json,
    files: Files,
    ids: model.Snowflakes,
    *,
    before: Message | None = None,
    flags: int = CREATE_FLAGS,
    emojis: Container[int] = (),
) -> Draft:
    """Return the message that results from a payload and from the message that it edits, if any.

    `flags` are those that may be set, `emojis` the ids of the custom emojis that buttons and options may
    have. Raises RefusalError if the message is invalid, ServerError if Discord would fail.
    """
    errors = Errors()
    form = Form(_resulting(payload, before), errors)
    draft = Draft(flags=_flags(payload, before, flags, errors))
    draft.attachments = _attachments(Form(payload, errors), files, before, ids)
    draft.content = form.text("content", 0, MAX_CONTENT) or ""
    names = {attachment.filename for attachment in draft.attachments}
    draft.embeds = _embeds(form, names)
    rules = ComponentRules(errors, files=names, emojis=emojis)
    v2 = bool(draft.flags & COMPONENTS_V2)
    rules.message(form, v2=v2)
    draft.components = form.data.get("components") or []
    _other_fields(Form(payload, errors))
    if v2:
        _only_components(form)
    errors.done()
    if rules.text_bytes > MAX_TEXT_BYTES:
        raise ServerError(
            f"text displays of {rules.text_bytes} bytes; above {MAX_TEXT_BYTES} Discord answers 500"
        )
    if not (draft.content.strip() or draft.embeds or draft.components or (draft.attachments and not v2)):
        raise RefusalError(50006)
    return draft


def _resulting(payload: Json, before: Message | None) -> Json:
    """Return content, embeds and components as they are after the edit."""
    result: Json = {}
    if before is not None:
        result = {"content": before.content, "embeds": before.embeds, "components": before.components}
    return result | {key: payload[key] for key in ("content", "embeds", "components") if key in payload}


def _flags(payload: Json, before: Message | None, allowed: int, errors: Errors) -> int:
    asked = payload.get("flags")
    old = before.flags if before is not None else 0
    if asked is None:
        return old
    if not isinstance(asked, int) or isinstance(asked, bool):
        errors.add(["flags"], "Must be an integer.", "BASE_TYPE_BAD")
        return old
    if before is None:
        if asked & ~allowed:
            errors.add(["flags"], f"Flags {asked & ~allowed} cannot be set here.", "BITFIELD_INVALID")
        return asked & allowed
    if old & COMPONENTS_V2 and not asked & COMPONENTS_V2:
        errors.add(["flags"], "IS_COMPONENTS_V2 cannot be removed.", "MESSAGE_FLAG_CANNOT_BE_REMOVED")
    return old & ~SUPPRESS_EMBEDS | asked & EDIT_FLAGS


def _only_components(form: Form) -> None:
    for key in ("content", "embeds", "poll", "sticker_ids"):
        if form.data.get(key):
            form.wrong(
                key, "A message with IS_COMPONENTS_V2 cannot have this.", "MESSAGE_CANNOT_USE_LEGACY_FIELDS"
            )


def _other_fields(form: Form) -> None:
    nonce = form.data.get("nonce")
    if isinstance(nonce, str):
        form.text("nonce", 0, 25)
    form.boolean("tts")
    for key in ("poll", "sticker_ids"):
        if form.data.get(key):
            form.wrong(key, "The playground does not support this.")
    mentions = form.form("allowed_mentions")
    if mentions is not None:
        _allowed_mentions(mentions)


def _allowed_mentions(form: Form) -> None:
    parse = form.values("parse", 0, 3)
    for kind in parse:
        if kind not in ("users", "roles", "everyone"):
            form.wrong("parse", "Must be among users, roles, everyone.")
    for kind in ("users", "roles"):
        named = form.values(kind, 0, 100)
        if named and kind in parse:
            form.wrong(kind, f"parse:[{kind!r}] and {kind} are mutually exclusive.")
    form.boolean("replied_user")


# Files --------------------------------------------------------------------------------------------


def _attachments(form: Form, files: Files, before: Message | None, ids: model.Snowflakes) -> list[Attachment]:
    """Return the files of the resulting message: kept and new ones, in the order of the payload."""
    old = {attachment.id: attachment for attachment in before.attachments} if before is not None else {}
    result: list[Attachment] = [] if form.has("attachments") else list(old.values())
    unnamed = dict(files)
    for item in form.forms("attachments", 0, MAX_FILES):
        item.text("description", 0, 1024)
        item.text("filename", 1, 1024)
        wanted = item.snowflake("id", required=True)
        if wanted in unnamed:
            result.append(_new_attachment(unnamed.pop(wanted), item.data, ids))
        elif wanted in old:
            renewed = "description" in item.data
            result.append(
                replace(old[wanted], description=item.data["description"]) if renewed else old[wanted]
            )
        elif wanted is not None:
            item.wrong("id", f"No file {wanted} was uploaded.", "ATTACHMENT_NOT_FOUND")
    result += [_new_attachment(upload, {}, ids) for upload in unnamed.values()]
    if len(result) > MAX_FILES:
        form.wrong("attachments", "The maximum is 10 files.", "BASE_TYPE_MAX_LENGTH")
    if any(len(upload.content) > MAX_FILE_BYTES for upload in files.values()):
        raise RefusalError(40005)
    return result


def _new_attachment(upload: Upload, named: Json, ids: model.Snowflakes) -> Attachment:
    name = named.get("filename")
    return Attachment(
        id=ids.new(),
        channel_id=0,
        filename=clean_name(name if isinstance(name, str) and name else upload.filename),
        content=upload.content,
        content_type=upload.content_type,
        description=named.get("description"),
        size_in_pixels=size_in_pixels(upload.content),
    )


# Embeds -------------------------------------------------------------------------------------------


def _embeds(form: Form, names: set[str]) -> list[Json]:
    embeds = form.forms("embeds", 0, MAX_EMBEDS)
    if sum(_embed(embed, names) for embed in embeds) > MAX_EMBED_TEXT:
        form.wrong("embeds", "Embed size exceeds maximum size of 6000", "MAX_EMBED_SIZE_EXCEEDED")
    return [embed.data for embed in embeds]


def _embed(embed: Form, names: set[str]) -> int:
    """Check one embed, which must not be empty, and return how many characters it counts."""
    if not any(map(_is_visible, map(embed.data.get, EMBED_PARTS))):
        embed.wrong("description", "This field is required", "BASE_TYPE_REQUIRED")
    length = len(embed.text("title", 0, 256) or "") + len(embed.text("description", 0, 4096) or "")
    embed.number("color", 0, 0xFFFFFF)
    embed.text("url", 0, 2048)
    embed.text("timestamp", 0, 64)
    for part in embed.forms("fields", 0, 25):
        length += _length(part, "name", 256) + _length(part, "value", 1024)
        part.boolean("inline")
    length += _embed_part(embed, "footer", "text", 2048, names) + _embed_part(
        embed, "author", "name", 256, names
    )
    for key in ("image", "thumbnail"):
        picture = embed.form(key)
        if picture is not None:
            _picture(picture, "url", names)
    return length


def _is_visible(part: object) -> bool:
    return bool(part.strip() if isinstance(part, str) else part)


def _embed_part(embed: Form, key: str, text_key: str, most: int, names: set[str]) -> int:
    part = embed.form(key)
    if part is None:
        return 0
    if part.has("icon_url"):
        _picture(part, "icon_url", names)
    return _length(part, text_key, most)


def _length(part: Form, key: str, most: int) -> int:
    return len(part.text(key, 1, most, required=True) or "")


def _picture(owner: Form, key: str, names: set[str]) -> None:
    url = owner.text(key, 1, 2048, required=True) or ""
    if url.startswith("attachment://"):
        if url.removeprefix("attachment://") not in names:
            owner.wrong(key, "The referenced attachment was not found.", "ATTACHMENT_NOT_FOUND")
    elif url and not url.startswith(("http://", "https://")):
        owner.wrong(key, "Not a well formed URL.", "URL_TYPE_INVALID_URL")
