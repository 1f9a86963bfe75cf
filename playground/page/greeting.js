// What an empty channel says: where this is, and what to type first.

import { h } from "./dom.js";
import { commandMention } from "./mentions.js";
import { slashCommands } from "./slash.js";
import { displayName, state } from "./state.js";

const FIRST = ["marriage play", "learn", "help"];

/** A welcome with the commands to begin with, those of them that the bot has; pressing one opens it. */
export function greeting() {
  const commands = FIRST.map((name) => slashCommands().find((known) => known.plain === name)).filter(Boolean);
  return h(
    "section",
    { class: "greeting", "aria-label": "Welcome" },
    h("h2", null, `Welcome, ${displayName(state.me)}!`),
    h("p", null, "This is a small Discord on your own machine. Nobody else sees what happens here."),
    commands.length
      ? h(
          "ul",
          null,
          commands.map(({ name, command, description }) =>
            h("li", null, commandMention(name, command.id), ` ${description}`),
          ),
        )
      : null,
    h("p", null, "Type / in the line below to see all commands. ", h("b", null, "People"), ", at the top, adds players."),
  );
}
