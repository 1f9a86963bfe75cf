// The input for one option of a slash command, with its suggestions and its value.

import { freshId, h } from "./dom.js";
import { channelOptions, roleOptions, userOptions } from "./selects.js";
import { said } from "./slash.js";
import { encodeFile } from "./uploads.js";

const TYPES = {
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  attachment: 11,
};
const AUTOCOMPLETE_PAUSE_MS = 150;
const SHOWN = 25;

/** A field of `form`, a CommandForm. The form shows its suggestions and asks the bot for them. */
export class CommandField {
  constructor(option, form) {
    Object.assign(this, { option, form });
    this.picked = null; // the accepted suggestion, until the text changes
    this.numeric = option.type === TYPES.integer || option.type === TYPES.number;
    const note = freshId("option-note");
    const suggests = this.hasSuggestions();
    this.input = h("input", {
      class: "field",
      type: option.type === TYPES.attachment ? "file" : "text",
      role: suggests ? "combobox" : null,
      inputmode: this.numeric ? "decimal" : null,
      "aria-label": said(option, "name"),
      "aria-describedby": note,
      "aria-required": String(Boolean(option.required)),
      "aria-autocomplete": suggests ? "list" : null,
      "aria-expanded": suggests ? "false" : null,
      autocomplete: "off",
      maxlength: option.max_length,
    });
    this.node = h(
      "label",
      { class: "command-field" },
      h(
        "span",
        { class: "command-option" },
        said(option, "name"),
        option.required ? h("span", { "aria-hidden": "true" }, " *") : null,
      ),
      this.input,
      h("small", { id: note }, said(option, "description")),
    );
    if (suggests) this.listen();
    if (option.type === TYPES.attachment) this.input.addEventListener("change", () => this.takeFile());
  }

  async takeFile() {
    const [file] = this.input.files;
    this.picked = file ? { value: await encodeFile(file) } : null;
  }

  hasSuggestions() {
    const { type, choices, autocomplete } = this.option;
    return Boolean(
      choices?.length ||
      autocomplete ||
      [TYPES.boolean, TYPES.user, TYPES.channel, TYPES.role, TYPES.mentionable].includes(type),
    );
  }

  listen() {
    const { suggestions } = this.form;
    let timer = null;
    const suggest = () => this.suggest();
    this.input.addEventListener("focus", suggest);
    this.input.addEventListener("input", () => {
      this.picked = null;
      clearTimeout(timer);
      timer = setTimeout(suggest, this.option.autocomplete ? AUTOCOMPLETE_PAUSE_MS : 0);
    });
    this.input.addEventListener("blur", () => suggestions.hide());
    this.input.addEventListener("keydown", (event) => suggestions.onKey(event));
  }

  async suggest() {
    const typed = this.input.value;
    const items = this.option.autocomplete
      ? await this.askBot()
      : this.knownChoices().filter(({ label }) => matches(label, this.picked ? "" : typed));
    if (this.input.value !== typed || document.activeElement !== this.input) return;
    this.form.suggestions.show(this.input, said(this.option, "name"), items.slice(0, SHOWN), (item) =>
      this.pick(item),
    );
  }

  async askBot() {
    return (await this.form.choicesFor(this)).map((choice) => ({ label: said(choice, "name"), value: choice.value }));
  }

  knownChoices() {
    const { type, choices } = this.option;
    if (choices?.length) return choices.map((choice) => ({ label: said(choice, "name"), value: choice.value }));
    if (type === TYPES.boolean)
      return [
        { label: "True", value: true },
        { label: "False", value: false },
      ];
    if (type === TYPES.channel) return channelOptions(this.option);
    if (type === TYPES.role) return roleOptions();
    return type === TYPES.user ? userOptions() : [...userOptions(), ...roleOptions()];
  }

  pick(item) {
    this.picked = item;
    this.input.value = item.label;
    const next = this.form.fields[this.form.fields.indexOf(this) + 1];
    (next?.input ?? this.form.sendButton).focus();
  }

  /** The value of the text: the accepted suggestion, the choice with that name, or the text itself. */
  resolved() {
    const text = this.input.value.trim();
    if (this.picked) return this.picked.value;
    if (text === "" || this.option.autocomplete || !this.hasSuggestions()) return text;
    return this.knownChoices().find(({ label }) => label.toLowerCase() === text.toLowerCase())?.value;
  }

  /** The reason why this field cannot be sent, or null. */
  problem() {
    const { option } = this;
    const value = this.resolved();
    if (value === "") return option.required ? "this option is required" : null;
    if (value === undefined) return "choose an option of the list";
    if (!this.numeric)
      return String(value).length < (option.min_length ?? 0)
        ? `at least ${option.min_length} characters`
        : null;
    const number = Number(value);
    if (Number.isNaN(number) || (option.type === TYPES.integer && !Number.isInteger(number)))
      return "a number is required";
    if (number < (option.min_value ?? -Infinity)) return `at least ${option.min_value}`;
    return number > (option.max_value ?? Infinity) ? `at most ${option.max_value}` : null;
  }

  /** The option in the format of the frame; null if it is empty. */
  value() {
    const value = this.resolved();
    if (value === "") return null;
    return { type: this.option.type, name: this.option.name, value: this.numeric ? Number(value) : value };
  }
}

const matches = (label, typed) => label.toLowerCase().includes(typed.trim().toLowerCase());
