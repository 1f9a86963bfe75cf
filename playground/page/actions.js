// One idea: what this person has pressed and not yet got an answer to, and what was refused, per message.

import { emit, state } from "./state.js";
import { request } from "./socket.js";

const busy = new Set(); // "<message id>/<custom_id>"
const failures = new Map(); // message id -> sentence

export const isBusy = (messageId, customId) => busy.has(`${messageId}/${customId}`);
export const failureOf = (messageId) => failures.get(messageId);

/** Press a button or choose values of a select; the message shows that it waits, and says so if it failed. */
export async function act(message, customId, values) {
  const key = `${message.id}/${customId}`;
  if (busy.has(key)) return;
  busy.add(key);
  failures.delete(message.id);
  emit("activity", message.id);
  const frame = {
    t: "component",
    channel_id: message.channel_id ?? state.current,
    message_id: message.id,
    custom_id: customId,
  };
  const answer = await request(values ? { ...frame, values } : frame);
  busy.delete(key);
  if (answer.state !== "acknowledged") failures.set(message.id, answer.message ?? "This interaction failed");
  emit("activity", message.id);
}
