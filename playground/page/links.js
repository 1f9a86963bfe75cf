// One idea: which addresses of a message may become links, and where they lead on this page.

const JUMP =
  /^https?:\/\/(?:[a-z]+\.)?(?:discord(?:app)?\.com|127\.0\.0\.1:\d+|localhost:\d+)\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/;

/** Attributes for an <a>: jump links stay on the page, web links open apart, all else is no link (null). */
export function linkAttributes(url) {
  const jump = JUMP.exec(url ?? "");
  if (jump) return { href: `#c/${jump[1]}${jump[2] ? `/${jump[2]}` : ""}` };
  const web = webUrl(url);
  return web && { href: web, target: "_blank", rel: "noopener noreferrer" };
}

/** The address itself when it is http(s) or a path of this server, else null ("javascript:" and the like). */
export function webUrl(url) {
  if (typeof url !== "string" || url === "") return null;
  try {
    const parsed = new URL(url, location.origin);
    return ["http:", "https:"].includes(parsed.protocol) ? parsed.href : null;
  } catch {
    return null;
  }
}

/** An uploaded file's address on our own origin (the page may be open as localhost or as 127.0.0.1). */
export function mediaUrl(url) {
  const web = webUrl(url);
  if (!web) return null;
  const { pathname, search } = new URL(web);
  return /^\/(attachments|emojis|avatars|embed)\//.test(pathname) ? pathname + search : web;
}

/** `#c/<channel>/<message>` of the address bar. */
export function readHash() {
  const match = /^#c\/(\d+)(?:\/(\d+))?$/.exec(location.hash);
  return { channelId: match?.[1] ?? null, messageId: match?.[2] ?? null };
}
