/** The plugin's commands without a host's command line: what they do, what they print, what they ask. */
import { registerCommands } from "../cli.js";
import { readSettings } from "../config.js";
import { Identities } from "../identity.js";
import { Link } from "../link.js";
import { Notes } from "../notes.js";
import { Policy } from "../policy.js";

/** As much of a command line as the plugin uses. */
class Program {
  constructor(words = {}) {
    this.words = words;
    this.defaults = {};
  }
  command(name) {
    const made = new Program();
    this.words[name.split(" ")[0]] = made;
    return made;
  }
  description() {
    return this;
  }
  option(flags, _, value) {
    const name = flags.split("--")[1].split(" ")[0];
    this.defaults[name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())] = value;
    return this;
  }
  action(act) {
    this.act = act;
    return this;
  }
  async run(given = [], options = {}) {
    const command = { opts: () => ({ ...this.defaults, ...options }) };
    await this.act(...given, command.opts(), command);
  }
}

/**
 * @param {object} settings the plugin's
 * @param {{workspace?: string, sessions?: Record<string, string>, says?: boolean}} host `says`: what the user answers
 */
export function openCommandLine(settings, { workspace = "", sessions = {}, says = false } = {}) {
  const program = new Program();
  const [printed, failed, questions] = [[], [], []];
  const read = readSettings({ startDaemon: false, ...settings });
  const logger = { info() {}, warn() {}, error() {} };
  const link = new Link(read, { logger, logFile: "" });
  const policy = new Policy(read);
  const notes = new Notes({
    settings: read,
    link,
    policy,
    logger,
    hostConfig: () => ({}),
    resolveWorkspace: () => workspace,
  });
  const identities = new Identities(read);
  const office = { settings: read, link, policy, identities, notes, sessionIdOf: (key) => sessions[key] ?? "" };
  registerCommands(program, () => office, {
    write: (text) => printed.push(text),
    fail: (text) => failed.push(text),
    ask: async (question) => questions.push(question) && says,
  });
  return { commands: program.words.memory.words, printed, failed, questions };
}
