// The daemon, asked by JSON-RPC; the token lives in this tab alone and travels in one header.

const KEY = "libravdb.token";

export class Refused extends Error {
  constructor(message, remedy = "", kind = "") {
    super(message);
    this.remedy = remedy;
    this.kind = kind;
  }
}

let token = "";

/** Take the token out of the address, where it was given, and forget that it stood there. */
export function takeToken() {
  const given = new URLSearchParams(location.hash.startsWith("#/") ? "" : location.hash.slice(1));
  token = given.get("token") ?? sessionStorage.getItem(KEY) ?? "";
  if (given.has("token")) {
    history.replaceState(null, "", `${location.pathname}#/timeline?${new URLSearchParams({ namespace: given.get("namespace") ?? "" })}`);
  }
  keepToken(token);
  return token;
}

export function keepToken(value) {
  token = value.trim();
  if (token) sessionStorage.setItem(KEY, token);
  else sessionStorage.removeItem(KEY);
}

const headers = () => ({ authorization: `Bearer ${token}` });

async function fetched(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, { ...options, headers: { ...options.headers, ...headers() }, cache: "no-store", credentials: "omit", redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The daemon does not answer.", "Look whether 'libravdb inspect' or the daemon still runs.", "Unreachable");
  }
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({}));
    throw new Refused(told.error?.message ?? `The daemon answered with ${answer.status}.`, told.error?.remedy ?? "", told.error?.kind ?? String(answer.status));
  }
  return answer;
}

/** Who we are to the daemon: name, role, namespaces. */
export const caller = async () => (await fetched("/caller")).json();

let ids = 0;

/** Call a method of the daemon. */
export async function call(method, params = {}, { signal } = {}) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: (ids += 1), method, params });
  const answer = await fetched("/rpc", { method: "POST", body, signal, headers: { "content-type": "application/json" } });
  const told = await answer.json();
  if (told.error) throw new Refused(told.error.data?.message ?? told.error.message, told.error.data?.remedy ?? "", told.error.data?.kind ?? "");
  return told.result;
}

/** Be told of every change of a namespace until `signal` ends it; `onState` hears whether the line is open. */
export async function listen(namespace, { onChange, onState, signal }) {
  let pause = 1000;
  while (!signal.aborted) {
    try {
      const answer = await fetched(`/v1/${encodeURIComponent(namespace)}/events`, { signal });
      onState(true);
      pause = 1000;
      if (await readEvents(answer, onChange)) return onState(false);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof Refused && error.kind !== "Unreachable") return onState(false);
    }
    onState(false);
    await new Promise((go) => setTimeout(go, pause));
    pause = Math.min(pause * 2, 30_000);
  }
  return undefined;
}

/** Reads a stream of events; true when the daemon ended it for good. */
async function readEvents(answer, onChange) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return false;
    rest += value;
    const events = rest.split("\n\n");
    rest = events.pop();
    for (const event of events) {
      if (event.startsWith("event: change")) onChange();
      if (event.startsWith("event: end")) return true;
    }
  }
}
