/**
 * One connection to the daemon: newline-delimited JSON-RPC, opened by the first call and again after it broke.
 *
 * Replies come in the order of requests, so a call that takes long holds up those behind it.
 */
import net from "node:net";
import os from "node:os";
import path from "node:path";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const CONNECT_MS = 2_000;

/** The daemon cannot be reached, or did not answer in time. */
export class DaemonAway extends Error {
  name = "DaemonAway";
}

/** The daemon answered that it will not do it: `kind` is the class of the error there, `remedy` what to do. */
export class DaemonRefused extends Error {
  name = "DaemonRefused";

  /** @param {{message?: string, code?: number, data?: {kind?: string, remedy?: string}}} told */
  constructor(told) {
    super(told.message ?? "the daemon gave no reason");
    this.code = told.code;
    this.kind = told.data?.kind ?? "";
    this.remedy = told.data?.remedy ?? "";
  }

  /** True when not the request but who asks is refused. */
  get isUnauthenticated() {
    return this.code === -32001;
  }

  /** True when the same request will be refused for ever. */
  get isFinal() {
    return this.code === -32602 || this.code === -32601;
  }

  /** True when it is of no use to offer the same later either: it is no request, or the daemon stumbles over it. */
  get isHopeless() {
    return this.isFinal || this.code === -32600 || this.code === -32603;
  }
}

/**
 * Where an endpoint is, in the words of `net.connect`.
 *
 * @param {string} endpoint `unix:/path` or `tcp:host:port`
 * @returns {net.NetConnectOpts}
 */
export function addressOf(endpoint) {
  const [scheme, rest] = splitOnce(endpoint, ":");
  if (scheme === "unix" && rest) {
    return { path: rest.startsWith("~/") ? path.join(os.homedir(), rest.slice(2)) : rest };
  }
  const colon = rest.lastIndexOf(":");
  const port = Number(rest.slice(colon + 1));
  if (scheme === "tcp" && colon > 0 && Number.isInteger(port) && port > 0 && port < 65_536) {
    return { host: rest.slice(0, colon).replace(/^\[|\]$/g, ""), port };
  }
  throw new Error(`endpoint ${JSON.stringify(endpoint)} is neither unix:/path nor tcp:host:port`);
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Calls over one connection. */
export class Client {
  #endpoint;
  #token;
  #clock;
  /** @type {net.Socket | null} */
  #socket = null;
  /** @type {Promise<net.Socket> | null} */
  #opening = null;
  #pending = new Map();
  #chunks = [];
  #ids = 0;
  #pause = 0;
  #notBefore = 0;

  /** @param {{endpoint: string, token?: string, clock?: () => number}} options */
  constructor({ endpoint, token = "", clock = Date.now }) {
    this.#endpoint = endpoint;
    this.#token = token;
    this.#clock = clock;
  }

  /**
   * Call a method and wait for its result, at most `ms` milliseconds.
   *
   * A connection that breaks under the call is opened again and the call repeated once. What this plugin calls may be
   * repeated, with one exception: a lone message of `ingest` that has neither id nor time is kept twice if the first
   * call was served and only its answer got lost. To lose it would be worse.
   *
   * @param {string} method
   * @param {object} params
   * @param {{ms: number, signal?: AbortSignal}} options
   * @returns {Promise<any>}
   */
  async call(method, params, { ms, signal }) {
    const deadline = this.#clock() + ms;
    try {
      return await this.#exchange(method, params, { deadline, signal });
    } catch (error) {
      if (!(error instanceof ConnectionBroke)) throw error;
      return await this.#exchange(method, params, { deadline, signal });
    }
  }

  /** Try to connect at once at the next call, whatever failed before. */
  forgive() {
    this.#pause = 0;
    this.#notBefore = 0;
  }

  /** Let go of the connection; a later call opens it again. */
  close() {
    this.#socket?.destroy();
    this.#socket = null;
    this.#failAll(new DaemonAway("the connection was closed"));
  }

  async #exchange(method, params, { deadline, signal }) {
    const socket = await this.#connected();
    return await this.#send(socket, method, params, { ms: Math.max(1, deadline - this.#clock()), signal });
  }

  #send(socket, method, params, { ms, signal }) {
    const id = ++this.#ids;
    return new Promise((resolve, reject) => {
      const settle = (act, value) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#pending.delete(id);
        if (this.#pending.size === 0) socket.unref();
        act(value);
      };
      const timer = setTimeout(() => {
        settle(reject, new DaemonAway(`${method} took longer than ${ms} ms`));
        socket.destroy(); // its reply would hold up those behind it
      }, ms);
      const onAbort = () => settle(reject, signal.reason ?? new DaemonAway("the host gave up"));
      this.#pending.set(id, {
        resolve: (value) => settle(resolve, value),
        reject: (error) => settle(reject, error),
      });
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      socket.ref();
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  }

  async #connected() {
    if (this.#socket && !this.#opening) return this.#socket;
    this.#opening ??= this.#open().finally(() => (this.#opening = null));
    return await this.#opening;
  }

  async #open() {
    if (this.#clock() < this.#notBefore) throw new DaemonAway("it was not there a moment ago");
    try {
      const socket = await dial(addressOf(this.#endpoint));
      this.#listen(socket);
      if (this.#token) await this.#send(socket, "authenticate", { token: this.#token }, { ms: CONNECT_MS });
      this.forgive();
      return socket;
    } catch (error) {
      this.close(); // nothing may be asked on a connection that was not let in
      if (error instanceof DaemonRefused) throw error;
      this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause ? this.#pause * 2 : FIRST_PAUSE_MS);
      this.#notBefore = this.#clock() + this.#pause;
      throw new DaemonAway(error.message, { cause: error });
    }
  }

  #listen(socket) {
    this.#socket = socket;
    this.#chunks = [];
    socket.unref(); // a command that is done must be able to end
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", () => {}); // 'close' follows and tells the callers
    socket.on("close", () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#failAll(new ConnectionBroke("the daemon closed the connection"));
    });
  }

  #receive(chunk) {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...this.#chunks, rest.subarray(0, end)]).toString("utf8");
      this.#chunks = [];
      rest = rest.subarray(end + 1);
      this.#settle(line);
    }
    if (rest.length) this.#chunks.push(rest);
  }

  #settle(line) {
    let reply;
    try {
      reply = JSON.parse(line);
    } catch {
      this.#socket?.destroy(new Error("an answer is no JSON"));
      return;
    }
    const waiting = this.#pending.get(reply?.id);
    if (!waiting) return;
    if (reply.error) waiting.reject(new DaemonRefused(reply.error));
    else waiting.resolve(reply.result);
  }

  #failAll(error) {
    for (const waiting of [...this.#pending.values()]) waiting.reject(error);
  }
}

/** The connection broke under a call. */
class ConnectionBroke extends DaemonAway {}

function dial(address) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address);
    const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${CONNECT_MS} ms`)), CONNECT_MS);
    const fail = (error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once("error", fail);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      resolve(socket);
    });
  });
}
