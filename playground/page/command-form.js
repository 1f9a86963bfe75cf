// The form of a slash command, with a field for each option. Enter sends it, Escape cancels it.

import { CommandField } from "./command-field.js";
import { closeButton, fill, h } from "./dom.js";
import { commandFields, said } from "./slash.js";
import { request } from "./socket.js";
import { state } from "./state.js";

/** The form of one command. Calls `onSend(name, fields)` with valid values, or `onCancel()`. */
export class CommandForm {
  constructor(entry, suggestions, { onSend, onCancel }) {
    Object.assign(this, { entry, suggestions, onSend, onCancel });
    this.fields = [];
    this.row = h("div", { class: "command-fields" });
    this.more = h("div", { class: "command-more" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.sendButton = h(
      "button",
      { type: "submit", class: "button primary", "aria-label": `Send /${entry.name}` },
      "Send",
    );
    this.node = h(
      "form",
      { class: "command", "aria-label": `/${entry.name}`, novalidate: true },
      h(
        "div",
        { class: "command-head" },
        h("b", null, `/${entry.name}`),
        h("span", null, entry.description),
        closeButton(() => onCancel(), "Cancel this command"),
      ),
      h("div", { class: "command-row" }, this.row, this.sendButton),
      this.more,
      this.problem,
    );
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.node.addEventListener("keydown", (event) => event.key === "Escape" && onCancel());
    for (const option of entry.options) {
      if (option.required) this.addField(option);
      else this.more.append(this.addButton(option));
    }
  }

  /** Focus the first field, or "Send" if there is none. */
  focus() {
    (this.fields[0]?.input ?? this.sendButton).focus();
  }

  /** The button that adds an optional field. */
  addButton(option) {
    const button = h(
      "button",
      { type: "button", class: "link", title: said(option, "description") },
      `+ ${said(option, "name")}`,
    );
    button.addEventListener("click", () => {
      button.remove();
      this.addField(option).input.focus();
    });
    return button;
  }

  addField(option) {
    const field = new CommandField(option, this);
    this.fields.push(field);
    fill(this.row, field.node);
    return field;
  }

  submit() {
    const broken = this.fields.find((field) => field.problem());
    this.problem.textContent = broken ? `${broken.option.name}: ${broken.problem()}` : "";
    if (broken) {
      broken.input.focus();
      return;
    }
    this.onSend(this.entry.name, commandFields(this.entry, this.values()));
  }

  values() {
    return this.fields.map((field) => field.value()).filter(Boolean);
  }

  /** Request suggestions for `field` from the bot, given the other fields. */
  async choicesFor(field) {
    const focused = {
      type: field.option.type,
      name: field.option.name,
      value: field.input.value,
      focused: true,
    };
    const others = this.fields
      .filter((other) => other !== field && !other.problem())
      .map((other) => other.value())
      .filter(Boolean);
    const answer = await request({
      t: "autocomplete",
      channel_id: state.current,
      ...commandFields(this.entry, [...others, focused]),
    });
    return answer.choices ?? [];
  }
}
