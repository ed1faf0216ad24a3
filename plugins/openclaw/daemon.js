/** Starts `libravdbd` when nobody answers, if the user wants that. It serves every host and outlives this one. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import { DaemonAway } from "./client.js";

const READY_MS = 10_000;

/**
 * Start a daemon and wait until it listens. Two who start at once are no harm: the second finds the store taken and
 * ends, and both talk to the first.
 *
 * @param {{command: string, environment: Record<string, string>, logFile: string}} options
 * @returns {Promise<void>}
 */
export async function startDaemon({ command, environment, logFile }) {
  fs.mkdirSync(path.dirname(logFile), { recursive: true, mode: 0o700 });
  const log = fs.openSync(logFile, "a", 0o600);
  const { LIBRAVDB_RPC_ENDPOINT: _, ...inherited } = process.env; // the same setting under its older name
  const child = spawn(command, ["serve"], {
    env: { ...inherited, ...environment },
    stdio: ["ignore", "pipe", log],
    detached: true,
    shell: false,
  });
  fs.closeSync(log);
  child.unref();
  await ready(child, command, logFile);
}

/** The first line on its standard output says that it listens. */
function ready(child, command, logFile) {
  return new Promise((resolve, reject) => {
    const done = (act, value) => {
      clearTimeout(timer);
      child.stdout?.removeAllListeners("data");
      child.stdout?.destroy();
      act(value);
    };
    const fail = (problem) => done(reject, new DaemonAway(`${command}: ${problem}`));
    const timer = setTimeout(() => fail(`was not ready within ${READY_MS} ms, see ${logFile}`), READY_MS);
    child.once("error", (error) =>
      fail(
        error.code === "ENOENT" ? "not found; install libravdb-memory or set daemonCommand to its path" : error.message,
      ),
    );
    child.once("exit", (code) => fail(`ended with exit code ${code}, see ${logFile}`));
    child.stdout?.once("data", () => done(resolve));
  });
}
