// The slash commands as a flat, searchable list: "/marriage play" is one entry, and its path has the subcommands.

import { isDm, state } from "./state.js";

const SUBCOMMAND = 1;
const GROUP = 2;
const IN_GUILD = 0;
const IN_DM = 1;

/** The name or description of a command, option or choice in the person's language; `key` says which. */
export function said(node, key) {
  return node[`${key}_localizations`]?.[state.locale] ?? node[key] ?? "";
}

/** The commands of one type (1 slash, 2 user, 3 message) offered in the open channel. */
export function commandsHere(type) {
  const channel = state.channels.get(state.current);
  const direct = Boolean(channel && isDm(channel));
  return state.commands.filter(
    (command) =>
      (command.type ?? 1) === type &&
      (command.contexts ?? [IN_GUILD, IN_DM]).includes(direct ? IN_DM : IN_GUILD) &&
      !(direct && command.guild_id),
  );
}

/** Every slash command, as {command, path, plain, name, description, options}; `plain` is its untranslated name. */
export function slashCommands() {
  return commandsHere(1)
    .flatMap((command) => leaves(command, command, []))
    .sort((a, b) => a.name.localeCompare(b.name));
}

function leaves(command, node, above) {
  const path = [...above, node];
  const inner = (node.options ?? []).filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
  if (inner.length) return inner.flatMap((option) => leaves(command, option, path));
  return [
    {
      command,
      path,
      plain: path.map((part) => part.name).join(" "),
      name: path.map((part) => said(part, "name")).join(" "),
      description: said(node, "description"),
      options: node.options ?? [],
    },
  ];
}

/** The commands whose name contains the typed text, best matches first. */
export function findCommands(typed) {
  const wanted = typed.toLowerCase().trim().replace(/\s+/g, " ");
  const ranked = slashCommands().map((entry) => ({ entry, rank: bestRank(entry, wanted) }));
  return ranked
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

/** The better rank of the shown and the untranslated name, since Discord finds both. */
const bestRank = ({ name, plain }, wanted) => Math.min(rankOf(name, wanted), rankOf(plain, wanted));

function rankOf(name, wanted) {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.split(" ").some((part) => part.startsWith(wanted))) return 2;
  return name.includes(wanted) ? 3 : Infinity;
}

/** The fields of the frame: the values nested under the subcommands, as in an interaction's `data.options`. */
export function commandFields(entry, values) {
  const options = entry.path
    .slice(1)
    .reduceRight((inner, part) => [{ type: part.type, name: part.name, options: inner }], values);
  return { command_id: entry.command.id, options };
}
