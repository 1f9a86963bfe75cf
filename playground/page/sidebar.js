// The list of channels that this person can see, with unread badges; a drawer on narrow screens.

import { $, h } from "./dom.js";
import { guildAddress } from "./links.js";
import { avatarNode } from "./mentions.js";
import { send } from "./socket.js";
import { channelTitle, displayName, isDm, isThread, on, sortedChannels, state } from "./state.js";

const sidebar = $("#sidebar");
const list = $("#channels");
const toggle = $("#sidebar-toggle");
const narrow = matchMedia("(max-width: 760px)");

export function startSidebar() {
  on("hello", draw);
  on("channels", draw);
  on("open", () => {
    draw();
    setDrawer(false);
  });
  toggle.addEventListener("click", () => setDrawer(!document.body.classList.contains("drawer")));
  list.addEventListener("click", (event) => event.target.closest("a") && setDrawer(false)); // for the open channel too
  $("#scrim").addEventListener("click", () => setDrawer(false));
  sidebar.addEventListener("keydown", (event) => event.key === "Escape" && setDrawer(false));
  narrow.addEventListener("change", () => setDrawer(false));
  document.addEventListener("keydown", stepByKey);
  $("#dms-closed").addEventListener("change", (event) => send({ t: "dms", closed: event.target.checked }));
  $("#locale").addEventListener("change", (event) => send({ t: "locale", locale: event.target.value }));
  $("#guilds").addEventListener("change", (event) => location.assign(guildAddress(event.target.value)));
  setDrawer(false);
}

function setDrawer(open) {
  const wasOpen = document.body.classList.contains("drawer");
  document.body.classList.toggle("drawer", open && narrow.matches);
  toggle.setAttribute("aria-expanded", String(open && narrow.matches));
  sidebar.inert = narrow.matches && !open;
  if (open && narrow.matches) (list.querySelector("[aria-current]") ?? list.querySelector("a"))?.focus();
  else if (wasOpen) toggle.focus();
}

function draw() {
  if (!state.me) return;
  drawGuilds();
  $("#me").replaceChildren(
    avatarNode(state.me),
    h("span", null, h("b", null, displayName(state.me)), h("small", null, `@${state.me.username}`)),
  );
  $("#dms-closed").checked = state.dmsClosed;
  $("#locale").value = state.locale;
  const channels = sortedChannels();
  list.replaceChildren(
    section(
      "Channels",
      channels.filter((channel) => !isDm(channel)),
    ),
    section("Direct messages", channels.filter(isDm)),
  );
  drawTitle();
}

/** The name of the only guild, or a menu of all of them. */
function drawGuilds() {
  const several = state.guilds.length > 1;
  $("#guild-name").textContent = state.guild.name;
  $("#guild-name").hidden = several;
  $("#guilds").hidden = !several;
  $("#guilds").replaceChildren(
    ...state.guilds.map(({ id, name }) => h("option", { value: id, selected: id === state.guild.id }, name)),
  );
}

function section(title, channels) {
  return h("section", { "aria-label": title }, h("h2", null, title), h("ul", null, channels.map(entry)));
}

function entry(channel) {
  const unread = state.unread.get(channel.id);
  const current = channel.id === state.current;
  const link = h(
    "a",
    {
      href: `#c/${channel.id}`,
      class: unread ? "channel unread" : "channel",
      "aria-current": current ? "page" : null,
    },
    isDm(channel)
      ? avatarNode((channel.recipients ?? []).find((user) => user.id !== state.me.id) ?? state.bot, "small")
      : null,
    channelTitle(channel),
  );
  return h(
    "li",
    { class: isThread(channel) ? "thread" : null },
    link,
    unread
      ? h("span", { class: "badge" }, String(unread), h("span", { class: "hidden-text" }, " unread"))
      : null,
  );
}

function drawTitle() {
  const channel = state.channels.get(state.current);
  const title = channel ? channelTitle(channel) : "No channel";
  const total = [...state.unread.values()].reduce((sum, count) => sum + count, 0);
  $("#channel-title").textContent = title;
  $("#channel-topic").textContent = channel?.topic ?? "";
  $("#drawer-badge").textContent = total || "";
  document.title = `${total ? `(${total}) ` : ""}${displayName(state.me)} · ${title}`;
}

/** Alt+Up and Alt+Down step through the channels. */
function stepByKey(event) {
  if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key) || event.target.closest("dialog"))
    return;
  event.preventDefault();
  const ids = sortedChannels().map((channel) => channel.id);
  const next = ids.indexOf(state.current) + (event.key === "ArrowUp" ? -1 : 1);
  location.hash = `#c/${ids[(next + ids.length) % ids.length]}`;
}
