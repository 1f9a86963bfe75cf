// One idea: start every part, connect, and follow the address bar to the open channel.

import { startComposer } from "./composer.js";
import { startDeveloper } from "./developer.js";
import { $ } from "./dom.js";
import { readHash } from "./links.js";
import { revealMessage, startMessages } from "./messages.js";
import { startModals } from "./modals.js";
import { startPeople } from "./people.js";
import { startSidebar } from "./sidebar.js";
import { connect } from "./socket.js";
import { apply, markRead, on, openChannel, sortedChannels, state } from "./state.js";
import { startStatus } from "./status.js";
import { startTicking } from "./timestamps.js";

const banner = $("#banner");
let connected = true;

function drawBanner() {
  banner.hidden = connected && state.botConnected;
  banner.textContent = connected
    ? "The bot is away. What you press now will fail; it comes back by itself."
    : "The playground does not answer; trying again…";
}

/** Open what the address bar names, else what is open already, else the first channel. */
function follow() {
  const { channelId, messageId } = readHash();
  openChannel([channelId, state.current, sortedChannels()[0]?.id].find((id) => state.channels.has(id)));
  if (messageId) revealMessage(messageId);
}

startSidebar();
startMessages();
startStatus();
startComposer();
startModals();
startPeople();
startDeveloper();
startTicking();

on("hello", follow);
on("gateway", drawBanner);
addEventListener("hashchange", follow);
document.addEventListener("visibilitychange", () => !document.hidden && markRead());
connect(apply, (isOpen) => {
  connected = isOpen;
  drawBanner();
});
