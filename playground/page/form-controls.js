// The inputs of a modal, by component type. Each has a node, a check of its value and the payload that it sends;
// `isGroup` marks several inputs under one label, `target` is the input inside a wrapper.

import { h } from "./dom.js";
import { emojiNode } from "./mentions.js";
import { selectNode } from "./selects.js";
import { encodeFile } from "./uploads.js";

/** Makes a control: `(component, {id, label, required}) -> {node, problem(), payload()}`. */
export const CONTROLS = {
  4: textControl,
  3: selectControl,
  5: selectControl,
  6: selectControl,
  7: selectControl,
  8: selectControl,
  19: fileControl,
  21: radioControl,
  22: checkboxesControl,
  23: checkboxControl,
};

function textControl(component, { required }) {
  const paragraph = component.style === 2;
  const attributes = {
    class: "field",
    placeholder: component.placeholder,
    maxlength: component.max_length ?? 4000,
  };
  const node = h(
    paragraph ? "textarea" : "input",
    paragraph ? { ...attributes, rows: "4" } : { ...attributes, type: "text" },
  );
  node.value = component.value ?? "";
  const problem = () => {
    const { length } = node.value;
    if (required && length === 0) return "This field is required.";
    return length > 0 && length < (component.min_length ?? 0)
      ? `At least ${component.min_length} characters.`
      : null;
  };
  return { node, problem, payload: () => ({ value: node.value }) };
}

function selectControl(component, { label, required }) {
  const node = selectNode({ ...component, min_values: required ? component.min_values : 0 }, { label });
  const problem = () => {
    const { length } = node.values;
    if (length === 0) return required && (component.min_values ?? 1) > 0 ? "Choose an option." : null;
    return length < (component.min_values ?? 1) ? `Choose at least ${component.min_values}.` : null;
  };
  return { node, problem, payload: () => ({ values: node.values }) };
}

function choices(component, { id }, type) {
  return component.options.map((option) => {
    const input = h("input", {
      type,
      name: id,
      value: option.value,
      checked: option.default,
      "aria-label": option.label,
    });
    return h(
      "label",
      { class: "choice" },
      input,
      emojiNode(option.emoji),
      h(
        "span",
        { class: "option-text" },
        h("span", null, option.label),
        option.description ? h("small", null, option.description) : null,
      ),
    );
  });
}

const checkedValues = (node) => [...node.querySelectorAll("input:checked")].map((input) => input.value);

function radioControl(component, context) {
  const node = h("div", { role: "radiogroup" }, choices(component, context, "radio"));
  const problem = () => (context.required && !checkedValues(node).length ? "Choose one." : null);
  return { node, isGroup: true, problem, payload: () => ({ value: checkedValues(node)[0] ?? null }) };
}

function checkboxesControl(component, context) {
  const node = h("div", null, choices(component, context, "checkbox"));
  const least = component.min_values ?? (context.required ? 1 : 0);
  const most = component.max_values ?? component.options.length;
  const problem = () => {
    const { length } = checkedValues(node);
    if (length === 0 && !context.required) return null;
    if (length < least) return `Choose at least ${least}.`;
    return length > most ? `Choose at most ${most}.` : null;
  };
  return { node, isGroup: true, problem, payload: () => ({ values: checkedValues(node) }) };
}

function checkboxControl(component) {
  const target = h("input", { type: "checkbox", checked: component.default });
  const node = h("div", { class: "choice" }, target);
  return { node, target, problem: () => null, payload: () => ({ value: target.checked }) };
}

function fileControl(component, { required }) {
  const node = h("input", { type: "file", class: "field", multiple: (component.max_values ?? 1) > 1 });
  const problem = () => {
    const { length } = node.files;
    if (length === 0) return required ? "A file is required." : null;
    if (length < (component.min_values ?? 1)) return `At least ${component.min_values} files.`;
    return length > (component.max_values ?? 1) ? `At most ${component.max_values ?? 1} files.` : null;
  };
  return {
    node,
    problem,
    payload: async () => ({ files: await Promise.all([...node.files].map(encodeFile)) }),
  };
}
