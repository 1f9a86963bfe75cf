// Decides which addresses of a message become links, and where they lead.

import { state } from "./state.js";

const JUMP =
  /^https?:\/\/(?:[a-z]+\.)?(?:discord(?:app)?\.com|127\.0\.0\.1:\d+|localhost:\d+)\/channels\/(\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/;

/** Attributes of an <a>: jump links stay on the page, web links open a new tab; null if it must not be a link. */
export function linkAttributes(url) {
  const jump = JUMP.exec(url ?? "");
  if (jump) return { href: jumpAddress(jump[1], `#c/${jump[2]}${jump[3] ? `/${jump[3]}` : ""}`) };
  const web = webUrl(url);
  return web && { href: web, target: "_blank", rel: "noopener noreferrer" };
}

/** Where a jump link leads: the page is loaded anew for another guild. */
function jumpAddress(guildId, hash) {
  const elsewhere = guildId !== state.guild.id && state.guilds.some(({ id }) => id === guildId);
  return elsewhere ? guildAddress(guildId) + hash : hash;
}

/** The address of this person's tab in a guild. */
export function guildAddress(guildId) {
  const query = new URLSearchParams(location.search);
  query.set("guild", guildId);
  return `/?${query}`;
}

/** The address if it is http(s) or a path of this server; null otherwise, such as for "javascript:". */
export function webUrl(url) {
  if (typeof url !== "string" || url === "") return null;
  try {
    const parsed = new URL(url, location.origin);
    return ["http:", "https:"].includes(parsed.protocol) ? parsed.href : null;
  } catch {
    return null;
  }
}

/** The address of an uploaded file on our own origin, since the page may be open as localhost or as 127.0.0.1. */
export function mediaUrl(url) {
  const web = webUrl(url);
  if (!web) return null;
  const { pathname, search } = new URL(web);
  return /^\/(attachments|emojis|avatars|embed)\//.test(pathname) ? pathname + search : web;
}

/** Read `#c/<channel>/<message>` from the address bar. */
export function readHash() {
  const match = /^#c\/(\d+)(?:\/(\d+))?$/.exec(location.hash);
  return { channelId: match?.[1] ?? null, messageId: match?.[2] ?? null };
}
