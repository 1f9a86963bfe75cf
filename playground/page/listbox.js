// A list of options in a dialog: beside its button on a wide screen, at the bottom edge on a phone.
// Arrows move, Space ticks, Enter chooses. Several choices need "Confirm"; Escape changes nothing.

import { closeButton, freshId, h, icon, openDialog } from "./dom.js";

const TYPING_PAUSE_MS = 700;
const SHORT = { label: 16, description: 26 }; // if all options are this short, the list has two columns

/**
 * Let the person choose among `options` ({value, label, description, mark}).
 * Resolves to the chosen values, or to null if they cancel.
 */
export function choose({ anchor, label, options, selected = [], min = 1, max = 1, searchable = false }) {
  return new Promise((resolve) => {
    new Listbox({ anchor, label, options, selected, min, max, searchable, resolve }).open();
  });
}

class Listbox {
  constructor(settings) {
    Object.assign(this, settings);
    this.chosen = new Set(this.selected);
    this.single = this.max === 1;
    this.active = 0;
    this.typed = "";
    this.typedAt = 0;
    this.answer = null;
  }

  open() {
    this.list = h("div", {
      role: "listbox",
      id: freshId("listbox"),
      tabindex: "0",
      class: this.fitsTwoColumns() ? "options two" : "options",
      "aria-label": this.label,
      "aria-multiselectable": this.single ? null : "true",
    });
    this.items = this.options.map((option, index) => this.optionNode(option, index));
    this.list.append(...this.items);
    this.dialog = openDialog({
      className: "popover",
      label: this.label,
      content: [
        h(
          "div",
          { class: "popover-head" },
          h("p", null, this.label),
          closeButton(() => this.dialog.close()),
        ),
        this.searchable ? this.searchField() : null,
        this.list,
        this.single && this.min > 0 ? null : this.footer(),
      ],
      onClose: () => {
        this.anchor.setAttribute("aria-expanded", "false");
        if (this.anchor.isConnected) this.anchor.focus();
        this.resolve(this.answer);
      },
    });
    this.anchor.setAttribute("aria-expanded", "true");
    this.dialog.addEventListener("keydown", (event) => this.onKey(event));
    this.place();
    (this.search ?? this.list).focus();
    this.moveTo(
      Math.max(
        0,
        this.options.findIndex((option) => this.chosen.has(option.value)),
      ),
    );
    this.update();
  }

  fitsTwoColumns() {
    return (
      this.options.length > 6 &&
      this.options.every(
        ({ label, description }) =>
          label.length <= SHORT.label && (description ?? "").length <= SHORT.description,
      )
    );
  }

  optionNode(option, index) {
    const note = option.description ? h("small", { id: freshId("note") }, option.description) : null;
    return h(
      "div",
      {
        role: "option",
        id: freshId("option"),
        class: "option",
        "aria-label": option.label,
        "aria-describedby": note?.id,
        "data-value": option.value,
        onclick: () => {
          this.moveTo(index);
          this.take(index);
        },
        onpointermove: () => this.moveTo(index, { scroll: false }),
      },
      option.mark,
      h("span", { class: "option-text" }, h("span", null, option.label), note),
      icon("check"),
    );
  }

  searchField() {
    this.search = h("input", {
      type: "search",
      class: "field",
      placeholder: "Search",
      "aria-label": `Search: ${this.label}`,
      "aria-controls": this.list.id,
    });
    this.search.addEventListener("input", () => {
      const wanted = this.search.value.toLowerCase();
      this.options.forEach((option, index) => {
        this.items[index].hidden = !option.label.toLowerCase().includes(wanted);
      });
      this.moveTo(this.items.findIndex((item) => !item.hidden));
    });
    return this.search;
  }

  footer() {
    this.count = h("p", { role: "status" });
    this.confirm = h(
      "button",
      { type: "button", class: "button primary", onclick: () => this.finish() },
      "Confirm",
    );
    return h("div", { class: "popover-foot" }, this.count, this.confirm);
  }

  place() {
    const box = this.anchor.getBoundingClientRect();
    const below = innerHeight - box.bottom;
    const upward = below < 320 && box.top > below;
    this.dialog.classList.toggle("upward", upward);
    this.dialog.style.setProperty("--left", `${box.left}px`);
    this.dialog.style.setProperty("--width", `${box.width}px`);
    this.dialog.style.setProperty("--edge", `${upward ? innerHeight - box.top + 4 : box.bottom + 4}px`);
    this.dialog.style.setProperty("--room", `${(upward ? box.top : below) - 16}px`);
  }

  moveTo(index, { scroll = true } = {}) {
    if (!this.items[index]) return;
    this.items[this.active]?.classList.remove("active");
    this.active = index;
    this.items[index].classList.add("active");
    (this.search ?? this.list).setAttribute("aria-activedescendant", this.items[index].id);
    if (scroll) this.items[index].scrollIntoView({ block: "nearest" });
  }

  /** Choose an option, or tick or untick it if there may be several. */
  take(index) {
    const { value } = this.options[index];
    if (this.single && this.min > 0) {
      this.chosen = new Set([value]);
      this.finish();
      return;
    }
    if (this.chosen.has(value)) this.chosen.delete(value);
    else if (this.single) this.chosen = new Set([value]);
    else if (this.chosen.size < this.max) this.chosen.add(value);
    else this.count.classList.add("full");
    this.update();
  }

  update() {
    this.items.forEach((item, index) =>
      item.setAttribute("aria-selected", String(this.chosen.has(this.options[index].value))),
    );
    if (!this.confirm) return;
    const range = this.min === this.max ? `${this.max}` : `${this.min} to ${this.max}`;
    this.count.textContent = `${this.chosen.size} chosen; choose ${range}`;
    if (this.chosen.size < this.max) this.count.classList.remove("full");
    this.confirm.disabled = this.chosen.size < this.min;
  }

  finish() {
    if (this.chosen.size < this.min || this.chosen.size > this.max) return;
    this.answer = this.options.map((option) => option.value).filter((value) => this.chosen.has(value));
    this.dialog.close();
  }

  onKey(event) {
    if (event.target.closest("button")) return;
    const rows = this.columns();
    const steps = {
      ArrowDown: rows,
      ArrowUp: -rows,
      ArrowRight: 1,
      ArrowLeft: -1,
      PageDown: 8 * rows,
      PageUp: -8 * rows,
    };
    if (event.key in steps && !(this.search && /Left|Right/.test(event.key))) this.step(steps[event.key]);
    else if (event.key === "Home" && !this.search) this.moveTo(0);
    else if (event.key === "End" && !this.search) this.moveTo(this.items.length - 1);
    else if (event.key === "Enter") this.onEnter();
    else if (event.key === " " && !(this.search && this.single)) this.take(this.active);
    else if (!this.search && event.key.length === 1 && !event.ctrlKey && !event.metaKey)
      this.jumpTo(event.key);
    else return;
    event.preventDefault();
  }

  /** Enter confirms if enough options are ticked, and otherwise chooses the active one. */
  onEnter() {
    const enough = this.confirm && !this.single && this.chosen.size >= this.min;
    if (enough) this.finish();
    else this.take(this.active);
  }

  columns() {
    return this.list.classList.contains("two") && this.items[1]?.offsetTop === this.items[0].offsetTop
      ? 2
      : 1;
  }

  /** Move among the options that match the search. */
  step(distance) {
    const visible = this.items.map((item, index) => (item.hidden ? -1 : index)).filter((index) => index >= 0);
    const place = visible.indexOf(this.active) + distance;
    this.moveTo(visible[Math.min(Math.max(place, 0), visible.length - 1)]);
  }

  /** Jump to the next option that starts with the letters typed just now. */
  jumpTo(letter) {
    const goesOn = Date.now() - this.typedAt < TYPING_PAUSE_MS;
    this.typed = goesOn ? this.typed + letter : letter;
    this.typedAt = Date.now();
    const found =
      this.findFrom(this.active + (goesOn ? 0 : 1), this.typed) ?? this.findFrom(this.active + 1, letter);
    if (found !== undefined) this.moveTo(found);
  }

  findFrom(start, typed) {
    const order = this.items.map((_, offset) => (start + offset) % this.items.length);
    return order.find((index) => this.options[index].label.toLowerCase().startsWith(typed.toLowerCase()));
  }
}
