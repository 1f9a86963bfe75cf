// The developer drawer: sets faults, and shows the requests of the bot.

import { $, h } from "./dom.js";
import { send } from "./socket.js";
import { on, state } from "./state.js";

const drawer = $("#developer");
const toggle = $("#developer-toggle");
const list = $("#wire");
const onlyProblems = $("#only-problems");

export function startDeveloper() {
  toggle.addEventListener("click", () => setDrawer(drawer.hidden));
  $("#developer-close").addEventListener("click", () => setDrawer(false));
  drawer.addEventListener("keydown", (event) => event.key === "Escape" && setDrawer(false));
  $("#slow").addEventListener("submit", (event) =>
    fault(event, (data) => ({ kind: "slow", seconds: Number(data.get("seconds")) })),
  );
  $("#refuse").addEventListener("submit", (event) =>
    fault(event, (data) => ({
      kind: "status",
      status: Number(data.get("status")),
      times: Number(data.get("times")),
      path: data.get("path"),
    })),
  );
  for (const button of drawer.querySelectorAll("[data-fault]")) {
    button.addEventListener("click", () => sendFault({ kind: button.dataset.fault }));
  }
  $("#wire-clear").addEventListener("click", clearWire);
  onlyProblems.addEventListener("change", drawWire);
  on("wire", (entry) => {
    if (isListed(entry)) list.prepend(entryNode(entry));
  });
  on("hello", () => !drawer.hidden && watch(true));
}

function setDrawer(open) {
  drawer.hidden = !open;
  toggle.setAttribute("aria-expanded", String(open));
  document.body.classList.toggle("developing", open);
  watch(open);
  (open ? $("#developer-close") : toggle).focus();
}

/** Start or stop watching. The list is cleared, because the server sends its latest requests first. */
function watch(on) {
  clearWire();
  send({ t: "watch", on });
}

function clearWire() {
  state.wire.length = 0;
  drawWire();
}

function fault(event, fieldsOf) {
  event.preventDefault();
  sendFault(fieldsOf(new FormData(event.target)));
}

function sendFault(fields) {
  send({ t: "fault", ...fields });
  $("#fault-status").textContent = `Set: ${Object.values(fields).join(" ")}`;
}

const isListed = (entry) => !onlyProblems.checked || entry.problems?.length > 0;

function drawWire() {
  list.replaceChildren(...state.wire.filter(isListed).reverse().map(entryNode));
}

function entryNode(entry) {
  const problems = entry.problems ?? [];
  const level = entry.status >= 500 ? "bad" : entry.status >= 400 ? "warn" : "good";
  return h(
    "details",
    { class: problems.length ? "wire-entry judged" : "wire-entry" },
    h(
      "summary",
      null,
      h("span", { class: `status-code ${level}` }, String(entry.status ?? "…")),
      h("b", null, entry.method),
      " ",
      h("span", { class: "path" }, entry.path + queryText(entry.query)),
      h("span", { class: "ms" }, `${Math.round(entry.ms ?? 0)} ms`),
      problems.length
        ? h("span", { class: "badge" }, `${problems.length} problem${problems.length > 1 ? "s" : ""}`)
        : null,
    ),
    problems.length
      ? h(
          "ul",
          { class: "problems" },
          problems.map((problem) => h("li", null, readable(problem))),
        )
      : null,
    payload("Request", entry.request),
    payload("Answer", entry.response),
  );
}

const queryText = (query) => (Object.keys(query ?? {}).length ? `?${new URLSearchParams(query)}` : "");
const readable = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

function payload(title, value) {
  if (value === null || value === undefined || value === "") return null;
  return [h("h4", null, title), h("pre", { tabindex: "0" }, readable(value))];
}
