// The WebSocket to the playground, and a promise for every request, which the server answers by its nonce.

let socket = null;
let attempts = 0;
let nonces = 0;
const waiting = new Map(); // nonce -> resolve

/** Connect, and reconnect after each loss. `onFrame(frame)` gets every frame, `onStatus(isOpen)` every change. */
export function connect(onFrame, onStatus) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/page/socket${location.search}`);
  socket.addEventListener("open", () => {
    attempts = 0;
    onStatus(true);
  });
  socket.addEventListener("message", (event) => {
    const frame = JSON.parse(event.data);
    onFrame(frame);
    settle(frame);
  });
  socket.addEventListener("close", () => {
    for (const nonce of [...waiting.keys()]) settle({ t: "interaction", nonce, state: "failed" });
    onStatus(false);
    setTimeout(() => connect(onFrame, onStatus), Math.min(500 * 2 ** attempts++, 8000));
  });
}

function settle(frame) {
  if (!["interaction", "choices", "modal"].includes(frame.t)) return;
  waiting.get(frame.nonce)?.(frame.t === "modal" ? { state: "acknowledged" } : frame);
  waiting.delete(frame.nonce);
}

/** Send a frame that gets no answer. */
export function send(frame) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}

/** Send a request; resolves to `{state, message?}`, or to `{choices}` for autocomplete. */
export function request(frame) {
  const nonce = `${Date.now()}-${++nonces}`;
  return new Promise((resolve) => {
    if (socket?.readyState !== WebSocket.OPEN) return resolve({ state: "failed" });
    waiting.set(nonce, resolve);
    send({ ...frame, nonce });
  });
}
