// The "Apps" menus: message commands on a message, user commands on a person.

import { choose } from "./listbox.js";
import { commandsHere, said } from "./slash.js";
import { displayName } from "./state.js";
import { runCommand } from "./status.js";

export const hasUserCommands = () => commandsHere(2).length > 0;
export const hasMessageCommands = () => commandsHere(3).length > 0;

export function openMessageMenu(anchor, message) {
  return openMenu(anchor, "Apps for this message", commandsHere(3), message.id);
}

export function openUserMenu(anchor, user) {
  return openMenu(anchor, `Apps for ${displayName(user)}`, commandsHere(2), user.id);
}

async function openMenu(anchor, label, commands, targetId) {
  if (!commands.length) return;
  const options = commands.map((command) => ({ value: command.id, label: said(command, "name") }));
  const chosen = await choose({ anchor, label, options });
  const command = commands.find(({ id }) => id === chosen?.[0]);
  if (command) runCommand(said(command, "name"), { command_id: command.id, options: [], target_id: targetId });
}
