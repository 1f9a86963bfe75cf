// The presses that wait for an answer, and the failures to show under each message.

import { emit, state } from "./state.js";
import { request } from "./socket.js";

const busy = new Set(); // "<message id>/<custom_id>"
const failures = new Map(); // message id -> error text

export const isBusy = (messageId, customId) => busy.has(`${messageId}/${customId}`);
export const failureOf = (messageId) => failures.get(messageId);

/** Press a button or choose values of a select; the message shows a spinner, and the error if it fails. */
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
