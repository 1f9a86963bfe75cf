// Turns Discord's Markdown into DOM nodes. Lines are grouped into blocks; then an ordered list of inline rules
// is tried at each position, and text that no rule matches is plain.

import { h } from "./dom.js";
import { linkAttributes } from "./links.js";
import {
  channelMention,
  commandMention,
  emojiNode,
  everyoneMention,
  roleMention,
  userMention,
} from "./mentions.js";
import { timeNode } from "./timestamps.js";

const FENCE = /```(?:([\w+#.-]+)\n)?\n*([^]*?)\n*```/g;
const ONLY_EMOJIS = /^(?:\s|<a?:\w+:\d+>|\p{Extended_Pictographic}|[\u{1F1E6}-\u{1F1FF}\uFE0F\u200D])+$/u;

/** The text of a message as an array of nodes. */
export function markdown(text) {
  if (ONLY_EMOJIS.test(text)) return [h("div", { class: "md jumbo" }, inline(text))];
  return [h("div", { class: "md" }, blocks(text))];
}

function blocks(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(FENCE)) {
    nodes.push(...lineBlocks(text.slice(end, match.index).replace(/\n$/, "")), codeBlock(match[2], match[1]));
    end = match.index + match[0].length;
  }
  return [...nodes, ...lineBlocks(end ? text.slice(end).replace(/^\n/, "") : text)];
}

const codeBlock = (code, language) =>
  h("pre", { tabindex: "0", "data-language": language }, h("code", null, code));

const HEADING = /^(#{1,3})\s+(\S.*)$/;
const SMALL = /^-#\s+(\S.*)$/;
const QUOTE = /^>\s(.*)$/;
const ITEM = /^(\s*)([-*]|\d{1,9}\.)\s+(.*)$/;

function lineBlocks(text) {
  if (text === "") return [];
  const nodes = [];
  const lines = text.split("\n");
  let plain = [];
  const flush = () => {
    if (plain.length) nodes.push(h("div", { class: "text" }, inline(plain.join("\n"))));
    plain = [];
  };
  while (lines.length) {
    const block = takeBlock(lines);
    if (!block) {
      plain.push(lines.shift());
      continue;
    }
    flush();
    nodes.push(block);
  }
  flush();
  return nodes;
}

/** Remove a heading, small text, quote or list from the start of `lines`; null if plain text comes first. */
function takeBlock(lines) {
  const heading = HEADING.exec(lines[0]);
  if (heading) {
    lines.shift();
    return h(`h${heading[1].length + 2}`, null, inline(heading[2]));
  }
  const small = SMALL.exec(lines[0]);
  if (small) {
    lines.shift();
    return h("small", null, inline(small[1]));
  }
  if (lines[0].startsWith(">>> ")) {
    const rest = lines.splice(0).join("\n");
    return h("blockquote", null, lineBlocks(rest.slice(4)));
  }
  if (QUOTE.test(lines[0]))
    return h(
      "blockquote",
      null,
      lineBlocks(
        takeWhile(lines, QUOTE)
          .map((match) => match[1])
          .join("\n"),
      ),
    );
  if (ITEM.test(lines[0])) return h("div", null, lists(takeWhile(lines, ITEM)));
  return null;
}

function takeWhile(lines, pattern) {
  const taken = [];
  while (lines.length && pattern.test(lines[0])) taken.push(pattern.exec(lines.shift()));
  return taken;
}

const isOrdered = (item) => /\d/.test(item[2]);

/** Adjacent bulleted and numbered items become separate lists. */
function lists(items) {
  const nodes = [];
  while (items.length) nodes.push(list(items));
  return nodes;
}

/** Take one list from the start of `items`; deeper items form a list inside the item above them. */
function list(items) {
  const depth = items[0][1].length;
  const ordered = isOrdered(items[0]);
  const node = h(ordered ? "ol" : "ul", ordered ? { start: parseInt(items[0][2], 10) } : null);
  while (items.length && isOrdered(items[0]) === ordered) {
    const [, , , text] = items.shift();
    const inner = [];
    while (items.length && items[0][1].length > depth) inner.push(items.shift());
    node.append(h("li", null, inline(text), lists(inner)));
  }
  return node;
}

const wrap = (tag) => (match) => h(tag, null, inline(match[1]));
const SOME = "((?:\\\\[^]|[^\\\\])+?)"; // the shortest run of characters; an escaped character counts as one

/** [pattern, node for its match], in order of precedence; sticky, so that each is tried at one position only. */
const RULES = [
  [/\\([^\p{L}\p{N}\s])/uy, (match) => match[1]],
  [/(`{1,2})(?!`)([^]+?)(?<!`)\1(?!`)/y, (match) => h("code", null, match[2].trim() || match[2])],
  [new RegExp(`\\|\\|${SOME}\\|\\|`, "y"), (match) => spoiler(inline(match[1]))],
  [
    new RegExp(`\\*\\*\\*(?!\\s)${SOME}\\*\\*\\*(?!\\*)`, "y"),
    (match) => h("em", null, h("strong", null, inline(match[1]))),
  ],
  [new RegExp(`\\*\\*${SOME}\\*\\*(?!\\*)`, "y"), wrap("strong")],
  [new RegExp(`__${SOME}__(?!_)`, "y"), wrap("u")],
  [/\*(?!\s)((?:\\[^]|\*\*|[^*\\])+?)(?<!\s)\*(?!\*)/y, wrap("em")],
  [/(?<![\p{L}\p{N}])_((?:\\[^]|__|[^_\\])+?)_(?![\p{L}\p{N}_])/uy, wrap("em")],
  [new RegExp(`~~${SOME}~~`, "y"), wrap("s")],
  [
    /\[((?:\\[^]|[^\]\\])+)\]\(<?((?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+"[^"]*")?\)/y,
    (match) => maskedLink(match),
  ],
  [/<(https?:\/\/[^\s>]+)>/y, (match) => bareLink(match[1])],
  [/https?:\/\/[^\s<]*[^\s<.,:;"')\]*_|~]/y, (match) => bareLink(match[0])],
  [/<@!?(\d+)>/y, (match) => userMention(match[1])],
  [/<@&(\d+)>/y, (match) => roleMention(match[1])],
  [/<#(\d+)>/y, (match) => channelMention(match[1])],
  [/<\/([^:>\n]{1,100}):(\d+)>/y, (match) => commandMention(match[1], match[2])],
  [/<(a?):(\w+):(\d+)>/y, (match) => emojiNode({ animated: match[1] === "a", name: match[2], id: match[3] })],
  [/<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y, (match) => timeNode(Number(match[1]), match[2])],
  [/@(?:everyone|here)\b/y, (match) => everyoneMention(match[0])],
];
const PLAIN = /[^\\`|*_~[<@h]+|[^]/uy;

/** Inline Markdown as an array of nodes and strings. */
export function inline(text) {
  const parts = [];
  let at = 0;
  while (at < text.length) {
    const [part, length] = nextPart(text, at);
    if (typeof part === "string" && typeof parts.at(-1) === "string") parts[parts.length - 1] += part;
    else parts.push(part);
    at += length;
  }
  return parts;
}

function nextPart(text, at) {
  for (const [pattern, build] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return [build(match), match[0].length];
  }
  PLAIN.lastIndex = at;
  const plain = PLAIN.exec(text)[0];
  return [plain, plain.length];
}

function maskedLink([whole, label, url]) {
  const attributes = linkAttributes(/^https?:/.test(url) ? url : "");
  return attributes ? h("a", { ...attributes, title: url }, inline(label)) : whole;
}

function bareLink(url) {
  const attributes = linkAttributes(url);
  return attributes ? h("a", attributes, url) : url;
}

/** Hidden text, shown when it is pressed. */
function spoiler(content) {
  const inner = h("span", { "aria-hidden": "true" }, content);
  const cover = h("button", { type: "button", class: "spoiler", "aria-label": "Spoiler: show it" }, inner);
  inner.inert = true;
  cover.addEventListener("click", () => cover.replaceWith(h("span", { class: "spoiler-shown" }, content)));
  return cover;
}
