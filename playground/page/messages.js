// The messages of the open channel. Each message is an <article>, redrawn when it changes. The log stays at its
// end unless the person has scrolled up.

import { failureOf, isBusy } from "./actions.js";
import { componentNode } from "./components.js";
import { $, fill, h, icon } from "./dom.js";
import { embedNode } from "./embeds.js";
import { markdown } from "./markdown.js";
import { attachments } from "./media.js";
import { avatarNode, emojiNode } from "./mentions.js";
import { hasMessageCommands, openMessageMenu, openUserMenu } from "./menus.js";
import { greeting } from "./greeting.js";
import { send } from "./socket.js";
import { apply, displayName, findUser, on, state } from "./state.js";
import { clockNode } from "./timestamps.js";

const EPHEMERAL = 64;
const LOADING = 128;
const FOLLOW_UP_MS = 7 * 60 * 1000;
const NEAR_BOTTOM = 80;

const log = $("#log");
const newest = $("#newest");
let pinned = true; // the log is scrolled to its end and stays there
let drawn = null; // id of the channel in the log

/** Draw the log, and redraw what changes. */
export function startMessages() {
  on("open", drawAll);
  on("message_create", ({ channelId, message }) => channelId === state.current && add(message));
  on("message_update", ({ channelId, message }) => channelId === state.current && replace(message));
  on("message_delete", ({ channelId, id }) => channelId === state.current && remove(id));
  on("activity", (messageId) => showActivity(find(messageId)));
  log.parentElement.addEventListener("scroll", () => {
    pinned = distanceToBottom() < NEAR_BOTTOM;
    newest.hidden = pinned;
  });
  newest.addEventListener("click", toBottom);
  new ResizeObserver(() => pinned && toBottom()).observe(log);
}

/** Scroll to a message and highlight it, for jump links. */
export function revealMessage(id) {
  const article = find(id);
  if (!article) return;
  pinned = false;
  article.scrollIntoView({ block: "center" });
  article.focus();
}

const find = (id) => log.querySelector(`[data-message-id="${CSS.escape(id)}"]`);

function distanceToBottom() {
  const view = log.parentElement;
  return view.scrollHeight - view.scrollTop - view.clientHeight;
}

function toBottom() {
  log.parentElement.scrollTop = log.parentElement.scrollHeight;
}

function drawAll() {
  const messages = state.channels.get(state.current)?.messages ?? [];
  const scrolled = log.parentElement.scrollTop;
  const focused = log.contains(document.activeElement) ? document.activeElement.closest("article") : null;
  const place = focused && focusedPlace(focused);
  log.replaceChildren(...(messages.length ? messages.map(messageNode) : [greeting()]));
  regroup();
  const successor = focused && find(focused.dataset.messageId);
  if (successor) restoreFocus(successor, place);
  pinned ||= drawn !== state.current;
  drawn = state.current;
  newest.hidden = pinned;
  if (pinned) toBottom();
  else log.parentElement.scrollTop = scrolled;
}

function add(message) {
  if (message.author.id === state.me.id || answersMe(message)) pinned = true;
  log.querySelector(".greeting")?.remove();
  log.append(messageNode(message));
  regroup();
  if (pinned) toBottom();
}

/** Whether a message answers a command or a press of this person: they want to see it, wherever they have scrolled to. */
const answersMe = ({ flags, interaction_metadata: asked }) =>
  Boolean(flags & EPHEMERAL) || asked?.user?.id === state.me.id;

function replace(message) {
  const old = find(message.id);
  if (!old) return;
  const place = focusedPlace(old);
  const article = messageNode(message);
  old.replaceWith(article);
  regroup();
  if (place) restoreFocus(article, place);
}

function remove(id) {
  const article = find(id);
  if (!article) return;
  const successor = article.contains(document.activeElement)
    ? (article.nextElementSibling ?? article.previousElementSibling)
    : null;
  article.remove();
  if (!log.children.length) log.append(greeting());
  regroup();
  successor?.focus({ preventScroll: true });
}

/** Which control of a message has the focus, so that a redraw does not take it from keyboard users. */
function focusedPlace(article) {
  const focused = document.activeElement;
  return article.contains(focused)
    ? { customId: focused.dataset.customId, component: focused.dataset.component }
    : null;
}

function restoreFocus(article, { customId, component }) {
  const controls = [...article.querySelectorAll("[data-custom-id]:not(:disabled)")];
  const successor =
    controls.find((node) => node.dataset.customId === customId) ??
    controls.find((node) => node.dataset.component === component);
  (successor ?? article).focus({ preventScroll: true });
}

/** Messages of one author within seven minutes share a heading. */
function regroup() {
  let before = null;
  for (const article of log.children) {
    const { author, time, standalone } = article.dataset;
    const follows = before && !standalone && before.author === author && time - before.time < FOLLOW_UP_MS;
    article.classList.toggle("follow-up", Boolean(follows));
    before = article.dataset;
  }
}

function messageNode(message) {
  const ephemeral = Boolean(message.flags & EPHEMERAL);
  const article = h(
    "article",
    {
      tabindex: "-1",
      class: mentionsMe(message) ? "message mentions-me" : "message",
      "aria-label": `${displayName(message.author)}, ${new Date(message.timestamp).toLocaleTimeString()}`,
      "data-message-id": message.id,
      "data-ephemeral": ephemeral ? "true" : null,
      "data-author": message.author.id,
      "data-time": Date.parse(message.timestamp),
      "data-standalone": ephemeral || origin(message) ? "true" : null,
    },
    origin(message),
    heading(message),
    h("div", { class: "message-body" }, body(message)),
    messageMenuButton(message),
  );
  if (ephemeral) fill(article, ephemeralLine(message));
  showActivity(article);
  return article;
}

const mentionsMe = (message) =>
  message.mention_everyone || (message.mentions ?? []).some((user) => user.id === state.me.id);

function heading(message) {
  const { author } = message;
  return [
    avatarNode(author),
    h(
      "header",
      { class: "message-head" },
      h(
        "button",
        { type: "button", class: "author", onclick: (event) => openUserMenu(event.currentTarget, author) },
        displayName(author),
      ),
      author.bot ? h("span", { class: "tag" }, "APP") : null,
      clockNode(message.timestamp),
    ),
  ];
}

/** "Asha used /marriage play", or the message that this one replies to. */
function origin(message) {
  const origin = message.interaction_metadata ?? message.interaction;
  if (origin?.type === 2) {
    const name = message.interaction?.name ?? origin.name;
    const user = findUser(origin.user.id) ?? origin.user;
    return h(
      "p",
      { class: "origin" },
      avatarNode(user, "small"),
      h("b", null, displayName(user)),
      " used ",
      h("span", { class: "mention" }, name ? `/${name}` : "a command"),
    );
  }
  if (message.type !== 19 || !message.message_reference) return null;
  const { channel_id: channel, message_id: id } = message.message_reference;
  const original = message.referenced_message;
  const text = original?.content || "a message";
  return h(
    "p",
    { class: "origin" },
    h(
      "a",
      { href: `#c/${channel ?? state.current}/${id}` },
      `Reply to ${original ? displayName(original.author) : ""}: ${text.slice(0, 80)}`,
    ),
  );
}

function body(message) {
  if (message.flags & LOADING)
    return h("p", { class: "thinking" }, `${displayName(message.author)} is thinking…`);
  return [
    message.content ? markdown(message.content) : null,
    message.edited_timestamp
      ? h("small", { class: "edited", title: message.edited_timestamp }, "(edited)")
      : null,
    isV2(message) ? null : attachments(message.attachments ?? []),
    (message.embeds ?? []).map(embedNode),
    (message.components ?? []).map((component) => componentNode(component, message)),
    message.reactions?.length ? h("p", { class: "row" }, message.reactions.map(reaction)) : null,
  ];
}

const reaction = ({ emoji, count }) =>
  h("span", { class: "chip", title: emoji.name }, emoji.id ? emojiNode(emoji) : emoji.name, ` ${count}`);

const isV2 = (message) => Boolean(message.flags & (1 << 15));

function messageMenuButton(message) {
  if (!hasMessageCommands()) return null;
  return h(
    "button",
    {
      type: "button",
      class: "icon-button message-menu",
      "aria-label": "Apps for this message",
      onclick: (event) => openMessageMenu(event.currentTarget, message),
    },
    icon("more"),
  );
}

function ephemeralLine(message) {
  const dismiss = () => {
    send({ t: "dismiss", channel_id: message.channel_id, message_id: message.id });
    apply({ t: "message_delete", channel_id: message.channel_id, id: message.id });
  };
  return h(
    "p",
    { class: "ephemeral" },
    icon("eye"),
    "Only you can see this · ",
    h("button", { type: "button", class: "link", onclick: dismiss }, "Dismiss"),
  );
}

/** Show spinners on controls that wait for an answer, and the error of the last press. */
function showActivity(article) {
  if (!article) return;
  const id = article.dataset.messageId;
  for (const control of article.querySelectorAll("[data-custom-id]")) {
    control.toggleAttribute("aria-busy", isBusy(id, control.dataset.customId));
    if (control.hasAttribute("aria-busy")) control.setAttribute("aria-busy", "true");
  }
  article.querySelector(".failure")?.remove();
  if (failureOf(id)) article.append(h("p", { class: "failure", role: "alert" }, failureOf(id)));
}
