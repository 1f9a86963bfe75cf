// Draws timestamps such as <t:1700000000:R> as <time> elements, and keeps relative ones up to date.

import { h } from "./dom.js";

const FORMATS = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};
const STEPS = [
  ["year", 31557600],
  ["month", 2629800],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** "in 2 minutes", "3 hours ago", "now". */
export function relativeText(unixSeconds, now = Date.now()) {
  const distance = Math.round(unixSeconds - now / 1000);
  const [unit, length] = STEPS.find(([, seconds]) => Math.abs(distance) >= seconds) ?? ["second", 1];
  return relative.format(Math.trunc(distance / length), unit);
}

const absolute = (unixSeconds, style) =>
  new Intl.DateTimeFormat(undefined, FORMATS[style] ?? FORMATS.f).format(unixSeconds * 1000);

/** A <time> in one of Discord's styles; style "R" is updated every second. */
export function timeNode(unixSeconds, style = "f") {
  const date = new Date(unixSeconds * 1000);
  if (Number.isNaN(date.getTime())) return `<t:${unixSeconds}:${style}>`;
  const text = style === "R" ? relativeText(unixSeconds) : absolute(unixSeconds, style);
  const attributes = { datetime: date.toISOString(), title: absolute(unixSeconds, "F"), class: "moment" };
  if (style === "R") attributes["data-relative"] = unixSeconds;
  return h("time", attributes, text);
}

/** The time in the heading of a message, with the date if it is not today. */
export function clockNode(isoText) {
  const date = new Date(isoText);
  const today = date.toDateString() === new Date().toDateString();
  const seconds = date.getTime() / 1000;
  return h(
    "time",
    { datetime: date.toISOString(), title: absolute(seconds, "F") },
    absolute(seconds, today ? "t" : "s"),
  );
}

/** Update the relative timestamps once a second. */
export function startTicking() {
  setInterval(() => {
    for (const node of document.querySelectorAll("time[data-relative]")) {
      const text = relativeText(Number(node.dataset.relative));
      if (node.textContent !== text) node.textContent = text;
    }
  }, 1000);
}
