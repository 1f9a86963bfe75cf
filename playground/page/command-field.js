// One idea: one option of a slash command: its input, what may be suggested for it, and the value it stands for.

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

/** A field of `form`, a CommandForm, whose suggestions it shows and whose other fields it asks the bot with. */
export class CommandField {
  constructor(option, form) {
    Object.assign(this, { option, form });
    this.picked = null; // the suggestion that was taken, as long as its text is not changed
    this.numeric = option.type === TYPES.integer || option.type === TYPES.number;
    const note = freshId("option-note");
    const offers = this.hasOffers();
    this.input = h("input", {
      class: "field",
      type: option.type === TYPES.attachment ? "file" : "text",
      role: offers ? "combobox" : null,
      inputmode: this.numeric ? "decimal" : null,
      "aria-label": said(option, "name"),
      "aria-describedby": note,
      "aria-required": String(Boolean(option.required)),
      "aria-autocomplete": offers ? "list" : null,
      "aria-expanded": offers ? "false" : null,
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
    if (offers) this.listen();
    if (option.type === TYPES.attachment) this.input.addEventListener("change", () => this.takeFile());
  }

  async takeFile() {
    const [file] = this.input.files;
    this.picked = file ? { value: await encodeFile(file) } : null;
  }

  hasOffers() {
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
    const offer = () => this.offer();
    this.input.addEventListener("focus", offer);
    this.input.addEventListener("input", () => {
      this.picked = null;
      clearTimeout(timer);
      timer = setTimeout(offer, this.option.autocomplete ? AUTOCOMPLETE_PAUSE_MS : 0);
    });
    this.input.addEventListener("blur", () => suggestions.hide());
    this.input.addEventListener("keydown", (event) => suggestions.onKey(event));
  }

  async offer() {
    const asked = this.input.value;
    const items = this.option.autocomplete
      ? await this.askBot()
      : this.known().filter(({ label }) => matches(label, this.picked ? "" : asked));
    if (this.input.value !== asked || document.activeElement !== this.input) return;
    this.form.suggestions.show(this.input, said(this.option, "name"), items.slice(0, SHOWN), (item) =>
      this.pick(item),
    );
  }

  async askBot() {
    return (await this.form.choicesFor(this)).map((choice) => ({ label: said(choice, "name"), value: choice.value }));
  }

  known() {
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

  /** What the text stands for: the taken suggestion, an exact name, or itself. */
  resolved() {
    const text = this.input.value.trim();
    if (this.picked) return this.picked.value;
    if (text === "" || this.option.autocomplete || !this.hasOffers()) return text;
    return this.known().find(({ label }) => label.toLowerCase() === text.toLowerCase())?.value;
  }

  /** Why this field cannot be sent as it is, or null. */
  problem() {
    const { option } = this;
    const value = this.resolved();
    if (value === "") return option.required ? "this is needed" : null;
    if (value === undefined) return "choose one of the list";
    if (!this.numeric)
      return String(value).length < (option.min_length ?? 0)
        ? `at least ${option.min_length} characters`
        : null;
    const number = Number(value);
    if (Number.isNaN(number) || (option.type === TYPES.integer && !Number.isInteger(number)))
      return "a number is needed";
    if (number < (option.min_value ?? -Infinity)) return `at least ${option.min_value}`;
    return number > (option.max_value ?? Infinity) ? `at most ${option.max_value}` : null;
  }

  /** This option as the frame has it; null when it is left empty. */
  value() {
    const value = this.resolved();
    if (value === "") return null;
    return { type: this.option.type, name: this.option.name, value: this.numeric ? Number(value) : value };
  }
}

const matches = (label, typed) => label.toLowerCase().includes(typed.trim().toLowerCase());
