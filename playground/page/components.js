// Draws the components of a message. An unknown type shows its number.

import { act } from "./actions.js";
import { edgeColour, h, icon } from "./dom.js";
import { linkAttributes } from "./links.js";
import { markdown } from "./markdown.js";
import { download, gallery, picture, veil } from "./media.js";
import { emojiNode } from "./mentions.js";
import { selectNode } from "./selects.js";

const RENDERERS = {
  1: (row, message) =>
    h(
      "div",
      { class: "row" },
      row.components.map((child) => componentNode(child, message)),
    ),
  2: buttonNode,
  3: messageSelect,
  5: messageSelect,
  6: messageSelect,
  7: messageSelect,
  8: messageSelect,
  9: sectionNode,
  10: (text) => h("div", { class: "text-display" }, markdown(text.content)),
  11: (thumbnail) => picture({ ...media(thumbnail), className: "thumbnail" }),
  12: (component) => gallery(component.items.map(media)),
  13: (file) =>
    download({
      url: file.file.url,
      name: file.name ?? file.file.url.split("/").at(-1),
      size: file.size,
      spoiler: file.spoiler,
    }),
  14: (line) =>
    h("hr", { class: `${line.divider === false ? "blank" : ""} ${line.spacing === 2 ? "wide" : ""}` }),
  17: containerNode,
};

/** The node of one component of `message`. */
export function componentNode(component, message) {
  const render = RENDERERS[component.type];
  return render
    ? render(component, message)
    : h("p", { class: "note" }, `Component of unknown type ${component.type}`);
}

const media = (item) => ({ ...item.media, description: item.description, spoiler: item.spoiler });

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "primary" };

function buttonNode(button, message) {
  const content = [emojiNode(button.emoji), button.label ? h("span", null, button.label) : null];
  const className = `button ${STYLES[button.style] ?? "secondary"}`;
  if (button.style === 5 && !button.disabled) {
    return h("a", { class: className, ...linkAttributes(button.url) }, content, icon("link"));
  }
  return h(
    "button",
    {
      type: "button",
      class: className,
      disabled: button.disabled,
      "aria-label": button.label ? null : button.emoji?.name,
      "data-custom-id": button.custom_id,
      "data-component": button.id,
      onclick: () => act(message, button.custom_id),
    },
    content,
  );
}

function messageSelect(select, message) {
  const node = selectNode(select, { onChange: (values) => act(message, select.custom_id, values) });
  node.dataset.customId = select.custom_id;
  node.dataset.component = select.id;
  return node;
}

function sectionNode(section, message) {
  return h(
    "div",
    { class: "section" },
    h(
      "div",
      { class: "section-text" },
      section.components.map((child) => componentNode(child, message)),
    ),
    section.accessory ? componentNode(section.accessory, message) : null,
  );
}

function containerNode(container, message) {
  const node = h(
    "div",
    { class: "container" },
    container.components.map((child) => componentNode(child, message)),
  );
  edgeColour(node, container.accent_color);
  return container.spoiler ? veil(node) : node;
}
