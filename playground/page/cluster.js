// The page of a cluster: it asks every second how the processes are, and says what is to become of them.

const EVERY_MS = 1000;
const STATES = {
  starting: "is starting", serving: "serves", stopping: "is stopping",
  stopped: "was stopped", killed: "was killed", ended: "has ended by itself",
};
const DEEDS = [["start", "Start", "success"], ["stop", "Stop (TERM)", "secondary"], ["kill", "Kill (-9)", "danger"]];
const found = (id) => document.getElementById(id);
const cards = new Map();
let shown = "";

function made(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function says(problem) {
  found("problem").textContent = problem;
}

async function ask(path, how) {
  let answer;
  try {
    answer = await fetch(path, how);
  } catch {
    return says("The playground does not answer. Was it stopped?");
  }
  if (!answer.ok) return says(answer.status === 404 ? "No cluster runs here: `make cluster` starts one." : await answer.text());
  says("");
  show(await answer.json());
}

async function act(event) {
  const button = event.target.closest("[data-deed]");
  if (!button || button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  await ask(`/cluster/${button.dataset.deed}`, { method: "POST" });
  button.ariaBusy = null;
}

function showShards(state) {
  const holders = Array.from({ length: state.shards }, () => []);
  for (const process of state.processes) for (const shard of process.shards) holders[shard]?.push(process.number);
  found("shards").replaceChildren(...holders.map((numbers, shard) => made(
    "li", { className: numbers.length ? "" : "unserved" },
    made("b", { textContent: `Shard ${shard}` }),
    numbers.length ? `bot ${numbers.join(", ")}` : "nobody",
  )));
}

function newCard(number) {
  const card = {
    state: made("span"), shards: made("small"), log: made("pre", { className: "log" }),
    buttons: DEEDS.map(([deed, label, kind]) => {
      const button = made("button", { type: "button", className: `button ${kind}`, textContent: label });
      button.dataset.deed = `${deed}/${number}`;
      button.ariaLabel = `${label} bot ${number}`;
      return button;
    }),
  };
  const head = made("h3", {}, `Bot ${number}`, card.state, card.shards);
  found("processes").append(made("li", {}, head, made("div", { className: "deeds" }, ...card.buttons), card.log));
  cards.set(number, card);
  return card;
}

function showProcess(process) {
  const card = cards.get(process.number) ?? newCard(process.number);
  const why = process.code === null ? "" : ` with ${process.code}`;
  card.state.textContent = STATES[process.state] + why;
  card.state.className = `state-${process.state}`;
  card.shards.textContent = process.pid === null ? "" : `process ${process.pid} · ${process.shards.length ? `shards ${process.shards.join(", ")}` : "no shard yet"}`;
  const [start, stop, kill] = card.buttons;
  start.disabled = process.pid !== null;
  stop.disabled = process.pid === null || process.state === "stopping";
  kill.disabled = process.pid === null;
  card.log.textContent = process.lines.join("\n").replace(/ {2,}/g, " ");
  card.log.hidden = !process.lines.length;
  card.log.scrollTop = card.log.scrollHeight;
}

function show(state) {
  const now = JSON.stringify(state);
  if (now === shown) return;
  shown = now;
  showShards(state);
  state.processes.forEach(showProcess);
  found("add").hidden = state.processes.length >= state.most;
  found("server-state").textContent = state.restarting ? "It is being restarted. Moves wait meanwhile." : `It runs at ${state.postgres}.`;
  if (found("guilds-list").childElementCount !== state.guilds.length) {
    found("guilds-list").replaceChildren(...state.guilds.map((guild) => made("li", {}, made(
      "a", { href: `/?user=asha&guild=${guild.id}`, target: "_blank", textContent: `${guild.name} (shard ${guild.shard})` },
    ))));
  }
}

async function look() {
  await ask("/cluster/state");
  setTimeout(look, EVERY_MS);
}

found("add").dataset.deed = "add";
document.addEventListener("click", act);
look();
