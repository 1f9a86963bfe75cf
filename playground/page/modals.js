// A modal that the bot opened: its fields with their labels, checked and submitted together.

import { closeButton, freshId, h, openDialog } from "./dom.js";
import { CONTROLS } from "./form-controls.js";
import { markdown } from "./markdown.js";
import { request } from "./socket.js";
import { on } from "./state.js";

const LABEL = 18;
const ROW = 1;
const TEXT = 10;

export function startModals() {
  on("modal", ({ modalId, modal }) => openModal(modalId, modal));
}

function openModal(modalId, modal) {
  const parts = modal.components.map(partOf);
  const problem = h("p", { class: "problem", role: "alert" });
  const submit = h("button", { type: "submit", class: "button primary" }, "Submit");
  const form = h(
    "form",
    { class: "modal-form", novalidate: true },
    h(
      "header",
      { class: "popover-head" },
      h("h2", null, modal.title),
      closeButton(() => dialog.close()),
    ),
    h(
      "div",
      { class: "modal-body" },
      parts.map((part) => part.node),
    ),
    problem,
    h(
      "footer",
      { class: "modal-foot" },
      h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel"),
      submit,
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!checkAll(parts)) return;
    submit.setAttribute("aria-busy", "true");
    const components = await Promise.all(parts.map((part) => part.payload()));
    const answer = await request({ t: "modal_submit", modal_id: modalId, components });
    submit.removeAttribute("aria-busy");
    if (answer.state === "acknowledged") dialog.close();
    else problem.textContent = answer.message ?? "Something went wrong. Try again.";
  });
  const dialog = openDialog({ className: "modal", label: modal.title, content: form });
  form.querySelector(".modal-body :is(input, textarea, button)")?.focus();
}

/** Show the problem of each field beside it; true if there is none. */
function checkAll(parts) {
  const broken = parts.flatMap((part) => part.fields).filter((field) => field.check());
  broken[0]?.focus();
  return broken.length === 0;
}

/** A top-level component: a label, a text display, or an older row with a text input. */
function partOf(component) {
  if (component.type === LABEL) {
    const field = new Field(component.component, component.label, component.description);
    return {
      node: field.node,
      fields: [field],
      payload: async () => ({ type: LABEL, id: component.id, component: await field.payload() }),
    };
  }
  if (component.type === ROW) {
    const fields = component.components.map((child) => new Field(child, child.label));
    const payload = async () => ({
      type: ROW,
      id: component.id,
      components: await Promise.all(fields.map((field) => field.payload())),
    });
    return {
      node: h(
        "div",
        null,
        fields.map((field) => field.node),
      ),
      fields,
      payload,
    };
  }
  const node = component.type === TEXT ? h("div", null, markdown(component.content)) : unknown(component);
  return { node, fields: [], payload: async () => ({ type: component.type, id: component.id }) };
}

const unknown = (component) => h("p", { class: "note" }, `Component of unknown type ${component.type}`);

class Field {
  constructor(component, label, description) {
    this.component = component;
    this.required = component.required ?? component.type !== 23;
    this.id = freshId("field");
    this.error = h("p", { class: "problem", id: `${this.id}-error`, role: "alert" });
    const make =
      CONTROLS[component.type] ??
      ((other) => ({ node: unknown(other), problem: () => null, payload: () => ({}) }));
    this.control = make(component, { id: this.id, label, required: this.required });
    const heading = [
      h(
        "span",
        { class: "field-label", id: `${this.id}-label` },
        label,
        this.required ? h("span", { class: "star", "aria-hidden": "true" }, " *") : null,
      ),
      description ? h("small", { id: `${this.id}-note` }, description) : null,
    ];
    const group = this.control.isGroup;
    this.node = h(
      group ? "fieldset" : "div",
      { class: "modal-field", "aria-labelledby": group ? `${this.id}-label` : null },
      heading,
      this.control.node,
      this.error,
    );
    const target = this.control.target ?? this.control.node;
    if (!group && !target.hasAttribute("aria-label"))
      target.setAttribute("aria-labelledby", `${this.id}-label`);
    target.setAttribute("aria-describedby", `${this.id}-note ${this.id}-error`);
  }

  /** Show the problem beside the field and return its text; empty if there is none. */
  check() {
    this.error.textContent = this.control.problem() ?? "";
    return this.error.textContent;
  }

  focus() {
    (this.node.querySelector("input, textarea, button") ?? this.node).focus();
  }

  async payload() {
    const { type, id, custom_id } = this.component;
    return { type, id, custom_id, ...(await this.control.payload()) };
  }
}
