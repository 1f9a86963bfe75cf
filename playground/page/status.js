// The line above the composer: who is typing, and which command is being sent or has failed.

import { $, closeButton, h } from "./dom.js";
import { request } from "./socket.js";
import { displayName, on, state } from "./state.js";

const TYPING_MS = 10_000;
const line = $("#status");
const typists = new Map(); // user id -> {name, channelId, until}
let notice = null;

export function startStatus() {
  on("typing", ({ channelId, user }) => {
    const person = user ?? {};
    if (person.id === state.me.id) return;
    typists.set(person.id, { name: displayName(person), channelId, until: Date.now() + TYPING_MS });
    setTimeout(draw, TYPING_MS + 50);
    draw();
  });
  on("message_create", ({ message }) => typists.delete(message.author.id) && draw());
  on("refused", (message) => say(message, "alert"));
  on("open", () => say(null));
}

/** Send a command to the bot and show its status. `name` is shown, `fields` go into the frame. */
export async function runCommand(name, fields) {
  const channelId = state.current;
  say(`Sending /${name}…`);
  const answer = await request({ t: "command", channel_id: channelId, ...fields });
  if (answer.state === "acknowledged") say(null);
  else say(answer.message ?? `/${name}: the application did not respond`, "alert");
  return answer;
}

/** Show a text, as "status" or as "alert" with a button to dismiss it; null removes it. */
export function say(text, role = "status") {
  notice = text && { text, role };
  draw();
}

function draw() {
  if (notice) {
    const close = notice.role === "alert" ? closeButton(() => say(null), "Dismiss") : null;
    line.replaceChildren(
      h("span", { class: notice.role, role: notice.role }, notice.text),
      ...(close ? [close] : []),
    );
    return;
  }
  const names = [...typists.values()]
    .filter(({ channelId, until }) => channelId === state.current && until > Date.now())
    .map(({ name }) => name);
  line.textContent = names.length ? `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} typing…` : "";
}
