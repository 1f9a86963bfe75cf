// The text field for messages. "/" lists the commands; the form of a chosen command replaces the field.

import { CommandForm } from "./command-form.js";
import { $ } from "./dom.js";
import { findCommands, slashCommands } from "./slash.js";
import { send } from "./socket.js";
import { channelTitle, isForum, on, state } from "./state.js";
import { runCommand } from "./status.js";
import { Suggestions } from "./suggestions.js";

const form = $("#composer");
const input = $("#message");
const place = $("#command-place");
const suggestions = new Suggestions($("#suggestions"));
let command = null;
let preparedFor = null;

export function startComposer() {
  input.addEventListener("input", () => {
    resize();
    suggest();
  });
  input.addEventListener("keydown", onKey);
  input.addEventListener("blur", () => suggestions.hide());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  document.addEventListener("keydown", typeAnywhere);
  on("open", prepare);
  on("use_command", ({ id, name }) => {
    const entry =
      slashCommands().find((known) => known.plain === name) ??
      slashCommands().find((known) => known.command.id === id);
    if (entry) openCommand(entry);
  });
}

function prepare() {
  const channel = state.channels.get(state.current);
  if (preparedFor !== state.current) leaveCommand({ focus: false });
  preparedFor = state.current;
  input.disabled = !channel;
  const verb = channel && isForum(channel) ? "New post in" : "Message";
  input.placeholder = channel ? `${verb} ${channelTitle(channel)}` : "No channel is open";
  if (document.activeElement === input) suggest(); // the commands or the language may have changed
}

function onKey(event) {
  if (suggestions.onKey(event) || event.isComposing) return;
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    submit();
  }
}

function suggest() {
  if (!input.value.startsWith("/") || input.value.includes("\n")) {
    suggestions.hide();
    return;
  }
  const items = findCommands(input.value.slice(1)).map((entry) => ({
    label: `/${entry.name}`,
    description: entry.description,
    entry,
  }));
  suggestions.show(input, "Commands", items, ({ entry }) => openCommand(entry));
}

function submit() {
  const content = input.value.trim();
  if (content === "") return;
  send({ t: "send", channel_id: state.current, content });
  input.value = "";
  resize();
}

function openCommand(entry) {
  suggestions.hide();
  input.value = "";
  resize();
  command = new CommandForm(entry, suggestions, {
    onSend: (name, fields) => {
      leaveCommand();
      runCommand(name, fields);
    },
    onCancel: () => leaveCommand(),
  });
  place.replaceChildren(command.node);
  form.hidden = true;
  command.focus();
}

function leaveCommand({ focus = true } = {}) {
  if (!command) return;
  command = null;
  suggestions.hide();
  place.replaceChildren();
  form.hidden = false;
  if (focus) input.focus();
}

function resize() {
  input.style.setProperty("height", "auto");
  input.style.setProperty("height", `${input.scrollHeight}px`);
}

/** Move the focus to the composer when a letter is typed outside of any input. */
function typeAnywhere(event) {
  const taken = event.target.closest("input, textarea, select, dialog, [role=listbox]");
  const letter =
    event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!taken && letter && !command) input.focus();
}
