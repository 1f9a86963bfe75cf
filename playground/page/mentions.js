// Draws the mentions in a text: people, roles, channels, commands, custom emojis; and avatars.

import { h } from "./dom.js";
import { channelTitle, displayName, emit, findRole, findUser, state } from "./state.js";

export function userMention(id) {
  const user = findUser(id);
  const mine = id === state.me?.id ? " mine" : "";
  return h(
    "span",
    { class: `mention${mine}`, title: user ? `@${user.username}` : id },
    `@${user ? displayName(user) : "unknown user"}`,
  );
}

export function roleMention(id) {
  return h("span", { class: "mention" }, `@${findRole(id)?.name ?? "unknown role"}`);
}

export function everyoneMention(text) {
  return h("span", { class: "mention mine" }, text);
}

export function channelMention(id) {
  const channel = state.channels.get(id);
  if (!channel) return h("span", { class: "mention" }, "# unknown");
  return h("a", { class: "mention", href: `#c/${id}` }, channelTitle(channel));
}

/** `</marriage play:123>`; pressing it opens the command in the composer. */
export function commandMention(name, id) {
  return h(
    "button",
    { type: "button", class: "mention", onclick: () => emit("use_command", { id, name }) },
    `/${name}`,
  );
}

/** An emoji object, `{id, name, animated}`: an image with its name, or the character itself. */
export function emojiNode(emoji) {
  if (!emoji) return null;
  if (!emoji.id) return h("span", { class: "emoji-text", "aria-hidden": "true" }, emoji.name ?? "");
  const source = `/emojis/${emoji.id}.${emoji.animated ? "gif" : "png"}`;
  return h("img", {
    class: "emoji",
    src: source,
    alt: `:${emoji.name}:`,
    title: `:${emoji.name}:`,
    draggable: "false",
  });
}

const TINTS = 6;

/** The avatar of a user, or the first letter of their name on a colour. */
export function avatarNode(user, size = "") {
  if (user?.avatar)
    return h("img", { class: `avatar ${size}`, src: `/avatars/${user.id}/${user.avatar}.png`, alt: "" });
  const tint =
    [...(user?.username ?? "")].reduce((sum, letter) => sum * 31 + letter.codePointAt(0), 0) % TINTS;
  const letter = [...displayName(user)][0].toUpperCase();
  return h(
    "span",
    { class: `avatar ${size} tint-${user?.bot ? "bot" : tint}`, "aria-hidden": "true" },
    letter,
  );
}
