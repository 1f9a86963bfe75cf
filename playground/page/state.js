// The state of the page, changed only by the server's frames and by opening a channel.
// Data flows one way: frame -> apply() -> topic -> the listeners that draw it.

export const state = {
  me: null,
  people: [],
  bot: null,
  guild: null, // the one that this tab shows
  guilds: [],
  channels: new Map(), // id -> channel, each with its `messages`, oldest first
  commands: [],
  dmsClosed: false,
  locale: "en-US", // the language of this person's client
  botConnected: true,
  current: null, // id of the open channel
  unread: new Map(), // channel id -> number of messages not yet seen
  wire: [],
};

const seen = new Map(); // users in messages, who may be missing in `people`
const WIRE_KEPT = 400;
const listeners = new Map();

/** Call `listener(detail)` each time `topic` is emitted. */
export function on(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, []);
  listeners.get(topic).push(listener);
}

export function emit(topic, detail) {
  for (const listener of listeners.get(topic) ?? []) listener(detail);
}

/** Apply one frame of the server. */
export function apply(frame) {
  reducers[frame.t]?.(frame);
}

const reducers = {
  hello(frame) {
    state.me = frame.me;
    state.people = frame.people;
    state.bot = frame.bot;
    state.guild = frame.guild;
    state.guilds = frame.guilds;
    state.channels = new Map(
      frame.channels.map((channel) => [channel.id, { ...channel, messages: channel.messages ?? [] }]),
    );
    state.commands = frame.commands;
    state.dmsClosed = frame.dms_closed;
    state.locale = frame.locale;
    if (!state.channels.has(state.current)) state.current = null;
    for (const channel of state.channels.values()) channel.messages.forEach(remember);
    emit("hello");
  },
  message_create({ channel_id, message }) {
    const channel = state.channels.get(channel_id);
    if (!channel) return;
    channel.messages.push(message);
    remember(message);
    if ((channel_id !== state.current || document.hidden) && message.author.id !== state.me.id) {
      state.unread.set(channel_id, (state.unread.get(channel_id) ?? 0) + 1);
      emit("channels");
    }
    emit("message_create", { channelId: channel_id, message });
  },
  message_update({ channel_id, message }) {
    const messages = state.channels.get(channel_id)?.messages ?? [];
    const index = messages.findIndex((known) => known.id === message.id);
    if (index < 0) return;
    messages[index] = { ...messages[index], ...message };
    emit("message_update", { channelId: channel_id, message: messages[index] });
  },
  message_delete({ channel_id, id }) {
    const channel = state.channels.get(channel_id);
    if (!channel) return;
    channel.messages = channel.messages.filter((message) => message.id !== id);
    emit("message_delete", { channelId: channel_id, id });
  },
  channel_create: keepChannel,
  channel_update: keepChannel,
  channel_delete({ channel }) {
    state.channels.delete(channel.id);
    state.unread.delete(channel.id);
    emit("channels");
    if (state.current === channel.id) openChannel(sortedChannels()[0]?.id);
  },
  gateway({ connected }) {
    state.botConnected = connected;
    emit("gateway");
  },
  typing({ channel_id, user }) {
    emit("typing", { channelId: channel_id, user });
  },
  modal({ modal_id, modal }) {
    emit("modal", { modalId: modal_id, modal });
  },
  interaction({ nonce, state: outcome, message }) {
    if (!nonce && outcome === "error") emit("refused", message); // errors with a nonce go to the request
  },
  wire({ entry }) {
    state.wire.push(entry);
    if (state.wire.length > WIRE_KEPT) state.wire.shift();
    emit("wire", entry);
  },
};

function remember({ author, mentions }) {
  for (const user of [author, ...(mentions ?? [])]) seen.set(user.id, user);
}

function keepChannel({ channel }) {
  const known = state.channels.get(channel.id);
  state.channels.set(channel.id, {
    ...known,
    ...channel,
    messages: channel.messages ?? known?.messages ?? [],
  });
  emit("channels");
}

/** Open a channel and mark it as read. */
export function openChannel(id) {
  state.current = state.channels.has(id) ? id : null;
  markRead();
  emit("open", state.current);
}

/** Mark the open channel as read. */
export function markRead() {
  state.unread.delete(state.current);
  emit("channels");
}

export const isDm = (channel) => channel.type === 1 || channel.type === 3;
export const isForum = (channel) => channel.type === 15;
export const isThread = (channel) => [10, 11, 12].includes(channel.type);

/** The text channels, each followed by its threads, and then the direct messages. */
export function sortedChannels() {
  const all = [...state.channels.values()];
  const byPlace = (a, b) =>
    (a.position ?? 0) - (b.position ?? 0) || a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
  const roots = all
    .filter((channel) => !isDm(channel) && !isThread(channel) && channel.type !== 4)
    .sort(byPlace);
  const threads = all
    .filter((channel) => isThread(channel) && !channel.thread_metadata?.archived)
    .sort(byPlace);
  const placed = roots.flatMap((root) => [root, ...threads.filter((thread) => thread.parent_id === root.id)]);
  const orphans = threads.filter((thread) => !placed.includes(thread));
  return [...placed, ...orphans, ...all.filter(isDm).sort(byPlace)];
}

/** "# marriage", "💬 pods" for a forum, the name of a thread, or the name of the other person of a DM. */
export function channelTitle(channel) {
  if (isForum(channel)) return `💬 ${channel.name}`;
  if (!isDm(channel)) return isThread(channel) ? channel.name : `# ${channel.name}`;
  const others = (channel.recipients ?? []).filter((user) => user.id !== state.me.id);
  return others.map(displayName).join(", ") || displayName(state.bot);
}

export const displayName = (user) => user?.global_name || user?.username || "someone";

/** The user with this id, if this page knows them. */
export function findUser(id) {
  return [...state.people, state.bot].find((user) => user?.id === id) ?? seen.get(id);
}

export const findRole = (id) => (state.guild?.roles ?? []).find((role) => role.id === id);
