// Draws the pictures and files of messages. A picture can be enlarged, and its alt text can be read.

import { closeButton, freshId, h, icon, openDialog } from "./dom.js";
import { mediaUrl } from "./links.js";

const isImage = (file) => (file.content_type ?? "").startsWith("image/");

/** One picture: `{url, width, height, description, spoiler}`. */
export function picture({ url, width, height, description, spoiler, className = "" }) {
  const source = mediaUrl(url);
  if (!source) return h("p", { class: "note" }, "A picture without a valid address.");
  if (!source.startsWith("/"))
    return h(
      "a",
      { href: source, target: "_blank", rel: "noopener noreferrer" },
      `External picture: ${description || source}`,
    );
  const image = h("img", { src: source, alt: description ?? "", width, height, draggable: "false" });
  const enlarge = h(
    "button",
    {
      type: "button",
      class: "enlarge",
      "aria-label": `Enlarge: ${description || "picture"}`,
      onclick: () => lightbox(source, description),
    },
    image,
  );
  const node = h(
    "figure",
    { class: `picture ${className}` },
    enlarge,
    description ? altText(description) : null,
  );
  return spoiler ? veil(node) : node;
}

/** The "ALT" toggle and the text that it shows. */
function altText(description) {
  const id = freshId("alt");
  const text = h("figcaption", { id, hidden: true }, description);
  const toggle = h(
    "button",
    { type: "button", class: "alt", "aria-label": "Alt text", "aria-expanded": "false", "aria-controls": id },
    "ALT",
  );
  toggle.addEventListener("click", () => {
    text.hidden = !text.hidden;
    toggle.setAttribute("aria-expanded", String(!text.hidden));
  });
  return [toggle, text];
}

function lightbox(source, description) {
  const dialog = openDialog({
    className: "lightbox",
    label: description || "Picture",
    content: [
      h("img", { src: source, alt: description ?? "" }),
      h(
        "div",
        { class: "lightbox-bar" },
        h("p", null, description || "No alt text"),
        h("a", { href: source, target: "_blank", rel: "noopener" }, "Open original"),
        closeButton(() => dialog.close()),
      ),
    ],
  });
}

/** Hide a node behind a "Spoiler" button. */
export function veil(node) {
  node.inert = true;
  const cover = h("button", { type: "button", class: "veil" }, "Spoiler: show it");
  const wrapper = h("div", { class: "veiled" }, node, cover);
  cover.addEventListener("click", () => {
    node.inert = false;
    cover.remove();
    wrapper.classList.replace("veiled", "unveiled");
  });
  return wrapper;
}

/** The attachments of a message without Components V2: pictures in a gallery, other files as downloads. */
export function attachments(files) {
  const pictures = files.filter(isImage);
  return [
    pictures.length ? gallery(pictures) : null,
    files.filter((file) => !isImage(file)).map((file) => download({ ...file, name: file.filename })),
  ];
}

/** Up to ten pictures side by side. */
export function gallery(items) {
  return h(
    "div",
    { class: `gallery count-${Math.min(items.length, 3)}` },
    items.map((item) => picture(item)),
  );
}

/** A file as a download with its name and size. */
export function download({ url, name, size, spoiler }) {
  const link = h(
    "a",
    { class: "file", href: mediaUrl(url), download: name, "aria-label": `Download ${name}, ${bytes(size)}` },
    icon("file"),
    h("span", { class: "file-name" }, name),
    h("small", null, bytes(size)),
  );
  return spoiler ? veil(link) : link;
}

/** 1536 -> "1.5 KB". */
function bytes(size = 0) {
  const units = ["bytes", "KB", "MB"];
  const step = size < 1024 ? 0 : size < 1024 ** 2 ? 1 : 2;
  return `${Number((size / 1024 ** step).toFixed(1))} ${units[step]}`;
}
