// The list of suggestions above the composer. A text field controls it and keeps the focus.

import { freshId, h } from "./dom.js";

export class Suggestions {
  /** `box` is the element of the listbox. */
  constructor(box) {
    this.box = box;
    this.input = null;
    this.entries = [];
    this.active = -1;
  }

  /** Show `items` ({label, description, mark, value}) for `input`; calls `onTake(item)` for the chosen item. */
  show(input, label, items, onTake) {
    this.hide();
    if (!items.length) return;
    this.input = input;
    this.onTake = onTake;
    this.entries = items.map((item, index) => ({ item, node: this.optionNode(item, index) }));
    this.box.replaceChildren(...this.entries.map(({ node }) => node));
    this.box.setAttribute("aria-label", label);
    this.box.hidden = false;
    input.setAttribute("aria-controls", this.box.id);
    this.markExpanded("true");
    this.moveTo(0);
  }

  optionNode({ label, description, mark }, index) {
    const note = description ? h("small", { id: freshId("note") }, description) : null;
    return h(
      "div",
      {
        role: "option",
        id: freshId("suggestion"),
        class: "option",
        "aria-label": label,
        "aria-describedby": note?.id,
        onpointerdown: (event) => event.preventDefault(), // keeps the focus in the field
        onclick: () => this.take(index),
      },
      mark,
      h("span", { class: "option-text" }, h("span", null, label), note),
    );
  }

  get isOpen() {
    return !this.box.hidden;
  }

  hide() {
    this.box.hidden = true;
    this.box.replaceChildren();
    this.entries = [];
    this.input?.removeAttribute("aria-activedescendant");
    this.markExpanded("false");
    this.input = null;
  }

  /** Only a combobox has aria-expanded; the composer is a plain textbox. */
  markExpanded(value) {
    if (this.input?.getAttribute("role") === "combobox") this.input.setAttribute("aria-expanded", value);
  }

  moveTo(index) {
    this.active = (index + this.entries.length) % this.entries.length;
    this.entries.forEach(({ node }, place) => {
      node.classList.toggle("active", place === this.active);
      node.setAttribute("aria-selected", String(place === this.active));
    });
    const { node } = this.entries[this.active];
    this.input.setAttribute("aria-activedescendant", node.id);
    node.scrollIntoView({ block: "nearest" });
  }

  take(index = this.active) {
    const { item } = this.entries[index];
    const { onTake } = this;
    this.hide();
    onTake(item);
  }

  /** Handle a key while the list is open; true if it was handled. */
  onKey(event) {
    if (!this.isOpen || event.isComposing) return false;
    if (event.key === "ArrowDown") this.moveTo(this.active + 1);
    else if (event.key === "ArrowUp") this.moveTo(this.active - 1);
    else if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) this.take();
    else if (event.key === "Escape") this.hide();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
}
