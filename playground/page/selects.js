// A select component: a button (role combobox) that shows the chosen options and opens a list.

import { h, icon } from "./dom.js";
import { choose } from "./listbox.js";
import { avatarNode, emojiNode } from "./mentions.js";
import { channelTitle, displayName, isDm, sortedChannels, state } from "./state.js";

const SEARCH_FROM = 10; // fewer options fit on the screen, and a search field would open the keyboard of a phone

/** The combobox of a select; calls `onChange(values)` after each choice. `node.values` are the chosen values. */
export function selectNode(select, { onChange = () => {}, label } = {}) {
  const options = optionsOf(select);
  const name = label ?? select.placeholder ?? "Make a selection";
  const shown = h("span", { class: "select-value" });
  const node = h(
    "button",
    {
      type: "button",
      role: "combobox",
      class: "select",
      disabled: select.disabled,
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-label": name,
    },
    shown,
    icon("chevron"),
  );
  const show = (values) => {
    node.values = values;
    shown.replaceChildren(...summary(options, values, select.placeholder ?? "Make a selection"));
    node.classList.toggle("empty", values.length === 0);
  };
  show(defaultsOf(select));
  node.addEventListener("click", async () => {
    const settings = {
      min: select.min_values ?? 1,
      max: select.max_values ?? 1,
      searchable: options.length > SEARCH_FROM && select.type !== 3,
    };
    const values = await choose({ anchor: node, label: name, options, selected: node.values, ...settings });
    if (values === null) return;
    show(values);
    onChange(values);
  });
  return node;
}

function defaultsOf(select) {
  if (select.type === 3)
    return select.options.filter((option) => option.default).map((option) => option.value);
  return (select.default_values ?? []).map((value) => value.id);
}

function summary(options, values, placeholder) {
  const chosen = options.filter((option) => values.includes(option.value));
  if (!chosen.length) return [placeholder];
  return chosen.map((option) => h("span", { class: "chip" }, option.mark?.cloneNode(true), option.label));
}

/** The options of a select, as {value, label, description, mark}. */
export function optionsOf(select) {
  const makers = {
    3: stringOptions,
    5: userOptions,
    6: roleOptions,
    7: () => [...userOptions(), ...roleOptions()],
    8: channelOptions,
  };
  return makers[select.type](select);
}

const stringOptions = (select) =>
  select.options.map((option) => ({ ...option, mark: emojiNode(option.emoji) }));

export function userOptions() {
  return [...state.people, state.bot].filter(Boolean).map((user) => ({
    value: user.id,
    label: displayName(user),
    description: `@${user.username}`,
    mark: avatarNode(user, "small"),
  }));
}

export function roleOptions() {
  return (state.guild?.roles ?? []).map((role) => ({
    value: role.id,
    label: role.name,
    description: "role",
    mark: null,
  }));
}

export function channelOptions({ channel_types: types } = {}) {
  return sortedChannels()
    .filter((channel) => !isDm(channel) && (!types?.length || types.includes(channel.type)))
    .map((channel) => ({
      value: channel.id,
      label: channelTitle(channel),
      description: channel.topic,
      mark: null,
    }));
}
