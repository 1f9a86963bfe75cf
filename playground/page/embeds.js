// Draws embeds: cards with a coloured edge.

import { edgeColour, h } from "./dom.js";
import { linkAttributes } from "./links.js";
import { inline, markdown } from "./markdown.js";
import { picture } from "./media.js";
import { clockNode } from "./timestamps.js";

export function embedNode(embed) {
  const card = h(
    "div",
    { class: "embed" },
    h(
      "div",
      { class: "embed-text" },
      embed.author ? h("p", { class: "embed-author" }, linked(embed.author.name, embed.author.url)) : null,
      embed.title ? h("p", { class: "embed-title" }, linked(inline(embed.title), embed.url)) : null,
      embed.description ? markdown(embed.description) : null,
      embed.fields?.length ? h("dl", { class: "embed-fields" }, embed.fields.map(field)) : null,
    ),
    embed.thumbnail ? picture({ ...embed.thumbnail, className: "thumbnail" }) : null,
    embed.image ? picture({ ...embed.image, className: "embed-image" }) : null,
    footer(embed),
  );
  edgeColour(card, embed.color);
  return card;
}

const linked = (content, url) => (linkAttributes(url) ? h("a", linkAttributes(url), content) : content);

function field({ name, value, inline: beside }) {
  return h(
    "div",
    { class: beside ? "beside" : null },
    h("dt", null, inline(name)),
    h("dd", null, markdown(value)),
  );
}

function footer({ footer: foot, timestamp }) {
  if (!foot && !timestamp) return null;
  return h(
    "p",
    { class: "embed-footer" },
    foot?.text,
    foot && timestamp ? " · " : null,
    timestamp ? clockNode(timestamp) : null,
  );
}
