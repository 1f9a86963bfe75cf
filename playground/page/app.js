// Starts every part of the page, connects, and opens the channel named in the address bar.

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
    ? "The bot is offline. What you press now will fail until it is back."
    : "The playground does not answer. Trying again…";
}

/** Open the channel in the address bar, or else the one that is open, or else the first one. */
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
