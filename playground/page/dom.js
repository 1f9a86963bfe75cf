// Builds DOM nodes. Strings always become text nodes and no HTML is ever parsed, so the content of a message
// cannot become markup.

const SVG = "http://www.w3.org/2000/svg";

/** h("button", {class: "big", onclick: fn}, "text", node, [more]) -> HTMLElement; null and false are left out. */
export function h(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  return fill(node, ...children);
}

/** Append children to a node; null, undefined and false are left out. */
export function fill(node, ...children) {
  node.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

/** An icon drawn from path data on a 24 by 24 grid; hidden from screen readers. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

const ICONS = {
  close: "M6 6l12 12M18 6L6 18",
  chevron: "M6 9l6 6 6-6",
  check: "M5 12.5l4.5 4.5L19 7.5",
  send: "M4 12l16-8-6 16-3-6z",
  link: "M14 4h6v6M20 4l-9 9M18 14v5H5V6h5",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 100 6 3 3 0 000-6z",
  thread: "M6 4v8a4 4 0 004 4h9M15 12l4 4-4 4",
};

export const $ = (selector, root = document) => root.querySelector(selector);

let counter = 0;
/** A unique id, for attributes such as aria-labelledby. */
export const freshId = (prefix) => `${prefix}-${++counter}`;

/** Open a modal <dialog>. Escape, its × and a press outside close it; then it is removed from the page. */
export function openDialog({ className, label, content, onClose = () => {} }) {
  const dialog = h("dialog", { class: className, "aria-label": label }, content);
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose();
  });
  dialog.addEventListener("mousedown", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** The × button of a dialog or drawer. */
export function closeButton(onclick, label = "Close") {
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, onclick },
    icon("close"),
  );
}

/** Set the colour of a card's edge, an integer 0xRRGGBB; null leaves it plain. */
export function edgeColour(node, number) {
  if (number === null || number === undefined) return;
  node.classList.add("accented");
  node.style.setProperty("--edge", `#${number.toString(16).padStart(6, "0")}`);
}
