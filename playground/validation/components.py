"""Validation of the components of a message or a modal."""

from collections.abc import Callable, Container

from playground.refusals import Errors
from playground.validation.forms import INT32, Form

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 9, 10, 11, 12, 13, 14, 17
LABEL, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 18, 19, 21, 22, 23

ENTITY_SELECTS = {USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT}
SELECTS = {STRING_SELECT} | ENTITY_SELECTS
IN_CONTAINER = {ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR}
TOP = IN_CONTAINER | {CONTAINER}
IN_LABEL = SELECTS | {TEXT_INPUT, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX}
IN_MODAL = {ROW, TEXT, LABEL}

MAX_COMPONENTS = 40
MAX_TEXT = 4000
MAX_ROWS = 5


class ComponentRules:
    """Checks the components of one message or modal, nested ones too, and records their errors.

    `files` are the names that `attachment://` may use; `used_files` are those that the components use.
    `emojis` are the ids of the existing custom emojis.
    """

    def __init__(
        self, errors: Errors, *, files: set[str], emojis: Container[int] = (), in_modal: bool = False
    ) -> None:
        self.errors = errors
        self.files = files
        self.emojis = emojis
        self.in_modal = in_modal
        self.count = 0
        self.text_length = 0
        self.text_bytes = 0
        self.used_files: set[str] = set()
        self._ids: set[int] = set()
        self._custom_ids: set[str] = set()
        self._checks: dict[int, Callable[[Form], None]] = {
            ROW: self._row,
            BUTTON: self._button,
            STRING_SELECT: self._string_select,
            TEXT_INPUT: self._text_input,
            SECTION: self._section,
            TEXT: self._text,
            THUMBNAIL: self._thumbnail,
            GALLERY: self._gallery,
            FILE: self._file,
            SEPARATOR: self._separator,
            CONTAINER: self._container,
            LABEL: self._label,
            FILE_UPLOAD: self._file_upload,
            RADIO: self._radio,
            CHECKBOXES: self._checkboxes,
            CHECKBOX: self._checkbox,
            **dict.fromkeys(ENTITY_SELECTS, self._entity_select),
        }

    def message(self, whole: Form, *, v2: bool) -> None:
        """Check the `components` of a message."""
        if not v2:
            self._all(whole.forms("components", 0, MAX_ROWS), {ROW})
            return
        self._all(whole.forms("components", 0, MAX_COMPONENTS), TOP)
        if self.count > MAX_COMPONENTS:
            whole.wrong("components", f"{self.count} components, nested ones included; the maximum is 40.")
        if self.text_length > MAX_TEXT:
            whole.wrong("components", f"{self.text_length} characters of text in total; the maximum is 4000.")

    def form(self, whole: Form) -> None:
        """Check the `components` of a modal."""
        self._all(whole.forms("components", 1, MAX_ROWS, required=True), IN_MODAL)

    def _all(self, components: list[Form], allowed: set[int]) -> None:
        for component in components:
            self._check(component, allowed)

    def _check(self, component: Form, allowed: set[int]) -> None:
        self.count += 1
        kind = component.one_of("type", allowed, required=True)
        component_id = component.number("id", 0, INT32)
        if component_id:
            if component_id in self._ids:
                component.wrong("id", "Component id is used twice.", "COMPONENT_ID_DUPLICATED")
            self._ids.add(component_id)
        if kind is not None:
            self._checks[kind](component)

    def _custom_id(self, component: Form, *, required: bool = True) -> None:
        custom_id = component.text("custom_id", 1, 100, required=required)
        if custom_id is None:
            return
        if custom_id in self._custom_ids:
            component.wrong(
                "custom_id", "Component custom id cannot be duplicated.", "COMPONENT_CUSTOM_ID_DUPLICATED"
            )
        self._custom_ids.add(custom_id)

    # Buttons and selects --------------------------------------------------------------------------

    def _row(self, row: Form) -> None:
        children = row.forms("components", 1, 5, required=True)
        kinds = [child.data.get("type") for child in children]
        if self.in_modal:
            self._all(children, {TEXT_INPUT})
            if len(children) > 1:
                row.wrong("components", "A row of a modal holds one text input.")
            return
        self._all(children, SELECTS | {BUTTON})
        if len(kinds) > 1 and any(kind in SELECTS for kind in kinds):
            row.wrong("components", "A select takes up the whole row.", "COMPONENT_LAYOUT_WIDTH_EXCEEDED")

    def _button(self, button: Form) -> None:
        style = button.one_of("style", {1, 2, 3, 4, 5, 6}, required=True)
        label = button.text("label", 0, 80)
        emoji = button.form("emoji")
        self._emoji(emoji)
        button.boolean("disabled")
        if style == 6:
            button.snowflake("sku_id", required=True)
        elif not (label or "").strip() and emoji is None:
            button.wrong("", "A button needs a label or an emoji.", "BUTTON_COMPONENT_INVALID")
        if style == 5:
            _url(button, "url", button.text("url", 1, 512, required=True), ("http", "https", "discord"))
        self._custom_id(button, required=style in (1, 2, 3, 4))
        if style in (5, 6) and button.has("custom_id"):
            button.wrong("custom_id", "This style takes no custom id.")
        if style != 5 and button.has("url"):
            button.wrong("url", "Only a link button takes a url.")

    def _string_select(self, select: Form) -> None:
        options = select.forms("options", 1, 25, required=True)
        self._options(options)
        for option in options:
            self._emoji(option.form("emoji"))
        self._select(select, most=min(25, max(1, len(options))))
        self._defaults(select, options, select.data.get("max_values") or 1)

    def _emoji(self, emoji: Form | None) -> None:
        if emoji is None:
            return
        if not emoji.has("id") and not emoji.has("name"):
            emoji.wrong("", "An emoji needs an id or a name.")
        number = emoji.snowflake("id")
        if number is not None and number not in self.emojis:
            emoji.wrong("id", "Invalid emoji", "BUTTON_COMPONENT_INVALID_EMOJI")
        emoji.text("name", 1, 32)

    def _entity_select(self, select: Form) -> None:
        self._select(select, most=25)
        defaults = select.forms("default_values", 0, 25)
        for default in defaults:
            default.snowflake("id", required=True)
            if default.data.get("type") not in ("user", "role", "channel"):
                default.wrong("type", "Must be user, role or channel.")
        if len(defaults) > (select.data.get("max_values") or 1):
            select.wrong("default_values", "More defaults than max_values.")
        for kind in select.values("channel_types", 0, 25):
            if not isinstance(kind, int):
                select.wrong("channel_types", "Must be integers.")

    def _select(self, select: Form, *, most: int) -> None:
        self._custom_id(select)
        select.text("placeholder", 0, 150)
        low = select.number("min_values", 0, 25)
        high = select.number("max_values", 1, 25)
        self._range(select, 1 if low is None else low, 1 if high is None else high, most)
        if self.in_modal and select.boolean("disabled"):
            select.wrong("disabled", "Components of a modal cannot be disabled.")
        select.boolean("disabled")

    def _range(self, select: Form, low: int, high: int, most: int) -> None:
        if low > high:
            select.wrong("min_values", "min_values is more than max_values.")
        if high > most:
            select.wrong("max_values", f"max_values is more than {most}.")
        required = select.boolean("required", default=True)
        if self.in_modal and low == 0 and required:
            select.wrong("min_values", "min_values 0 needs required: false.")

    def _options(self, options: list[Form]) -> None:
        seen: set[str] = set()
        for option in options:
            option.text("label", 1, 100, required=True)
            value = option.text("value", 1, 100, required=True)
            option.text("description", 0, 100)
            option.boolean("default")
            if value is not None and value in seen:
                option.wrong("value", "The value is used twice.", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED")
            seen.add(value or "")

    def _defaults(self, owner: Form, options: list[Form], most: object) -> None:
        chosen = sum(option.data.get("default") is True for option in options)
        if isinstance(most, int) and chosen > most:
            owner.wrong("options", f"{chosen} defaults; the maximum is {most}.")

    # Layout and content ---------------------------------------------------------------------------

    def _section(self, section: Form) -> None:
        self._all(section.forms("components", 1, 3, required=True), {TEXT})
        accessory = section.form("accessory", required=True)
        if accessory is not None:
            self._check(accessory, {BUTTON, THUMBNAIL})

    def _text(self, display: Form) -> None:
        content = display.text("content", 1, MAX_TEXT, required=True) or ""
        self.text_length += len(content)
        self.text_bytes += len(content.encode()) + 12

    def _thumbnail(self, thumbnail: Form) -> None:
        self._media(thumbnail, "media")
        thumbnail.text("description", 1, 1024)
        thumbnail.boolean("spoiler")

    def _gallery(self, gallery: Form) -> None:
        for item in gallery.forms("items", 1, 10, required=True):
            self._media(item, "media")
            item.text("description", 1, 1024)
            item.boolean("spoiler")

    def _file(self, file: Form) -> None:
        self._media(file, "file", schemes=("attachment",))
        file.boolean("spoiler")

    def _separator(self, separator: Form) -> None:
        separator.boolean("divider")
        separator.one_of("spacing", {1, 2})

    def _container(self, container: Form) -> None:
        container.number("accent_color", 0, 0xFFFFFF)
        container.boolean("spoiler")
        self._all(container.forms("components", 1, MAX_COMPONENTS, required=True), IN_CONTAINER)

    def _media(
        self, owner: Form, key: str, schemes: tuple[str, ...] = ("http", "https", "attachment")
    ) -> None:
        media = owner.form(key, required=True)
        if media is None:
            return
        url = media.text("url", 1, 2048, required=True)
        if url is None or not _url(media, "url", url, schemes):
            return
        if url.startswith("attachment://"):
            name = url.removeprefix("attachment://")
            self.used_files.add(name)
            if name not in self.files:
                media.wrong("url", "The referenced attachment was not found.", "ATTACHMENT_NOT_FOUND")

    # Only in modals -------------------------------------------------------------------------------

    def _label(self, label: Form) -> None:
        label.text("label", 1, 45, required=True)
        label.text("description", 1, 100)
        component = label.form("component", required=True)
        if component is not None:
            self._check(component, IN_LABEL)

    def _text_input(self, field: Form) -> None:
        self._custom_id(field)
        field.one_of("style", {1, 2}, required=True)
        field.text("label", 1, 45, required=len(field.path) > 2 and field.path[-1] != "component")
        field.text("placeholder", 0, 100)
        low = field.number("min_length", 0, 4000) or 0
        high = field.number("max_length", 1, 4000) or 4000
        value = field.text("value", 0, 4000)
        if low > high:
            field.wrong("min_length", "min_length is more than max_length.")
        elif value and not low <= len(value) <= high:
            field.wrong("value", f"The prefilled value must have {low} to {high} characters.")
        field.boolean("required")

    def _file_upload(self, upload: Form) -> None:
        self._custom_id(upload)
        low = upload.number("min_values", 0, 10)
        high = upload.number("max_values", 1, 10)
        self._range(upload, 1 if low is None else low, 1 if high is None else high, 10)

    def _radio(self, group: Form) -> None:
        self._custom_id(group)
        options = group.forms("options", 2, 10, required=True)
        self._options(options)
        self._defaults(group, options, 1)
        group.boolean("required")

    def _checkboxes(self, group: Form) -> None:
        self._custom_id(group)
        options = group.forms("options", 1, 10, required=True)
        self._options(options)
        low = group.number("min_values", 0, 10)
        high = group.number("max_values", 1, 10)
        most = len(options) if high is None else high
        self._range(group, 1 if low is None else low, most, len(options))
        self._defaults(group, options, most)

    def _checkbox(self, box: Form) -> None:
        self._custom_id(box)
        box.boolean("default")


def _url(owner: Form, key: str, url: str | None, schemes: tuple[str, ...]) -> bool:
    if url is None:
        return False
    scheme, mark, rest = url.partition("://")
    if mark and rest and scheme in schemes:
        return True
    owner.wrong(key, f"Scheme must be one of {schemes}.", "URL_TYPE_INVALID_SCHEME")
    return False
