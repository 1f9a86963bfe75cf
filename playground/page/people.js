// Shows which person this tab is, and switches to another person, here or in a new tab.

import { $, closeButton, h, openDialog } from "./dom.js";
import { avatarNode } from "./mentions.js";
import { hasUserCommands, openUserMenu } from "./menus.js";
import { displayName, on, state } from "./state.js";

export function startPeople() {
  $("#people").addEventListener("click", openPeople);
  on("hello", () => $("#people-label").replaceChildren(displayName(state.me)));
}

const addressOf = (name) => `/?user=${encodeURIComponent(name)}&guild=${state.guild.id}`;

function openPeople() {
  const dialog = openDialog({
    className: "modal people",
    label: "People",
    content: [
      h(
        "header",
        { class: "popover-head" },
        h("h2", null, "People"),
        closeButton(() => dialog.close()),
      ),
      h("p", { class: "note" }, "Each tab is one person. Open several tabs to take every seat yourself."),
      h("ul", null, [...state.people, state.bot].filter(Boolean).map(person)),
      newcomer(),
    ],
  });
}

function person(user) {
  const mine = user.id === state.me.id;
  return h(
    "li",
    null,
    avatarNode(user),
    h(
      "span",
      { class: "person-name" },
      h("b", null, displayName(user)),
      h("small", null, mine ? "this tab" : `@${user.username}`),
    ),
    hasUserCommands()
      ? h(
          "button",
          {
            type: "button",
            class: "button secondary",
            "aria-haspopup": "listbox",
            onclick: (event) => openUserMenu(event.currentTarget, user),
            "aria-label": `Apps for ${displayName(user)}`,
          },
          "Apps",
        )
      : null,
    mine || user.bot
      ? null
      : [
          h(
            "a",
            {
              class: "button secondary",
              href: addressOf(user.username),
              "aria-label": `Be ${displayName(user)} here`,
            },
            "Be here",
          ),
          h(
            "a",
            {
              class: "button primary",
              href: addressOf(user.username),
              target: "_blank",
              "aria-label": `Open a tab as ${displayName(user)}`,
            },
            "New tab",
          ),
        ],
  );
}

/** A form for another name, which joins the guild as a new person. */
function newcomer() {
  const name = h("input", {
    class: "field",
    name: "user",
    pattern: "[a-z][a-z0-9]{0,31}",
    required: true,
    "aria-label": "Another name",
    placeholder: "another name: a-z, 0-9",
  });
  return h(
    "form",
    { class: "newcomer", action: "/", method: "get", target: "_blank" },
    name,
    h("button", { type: "submit", class: "button secondary" }, "New tab"),
  );
}
