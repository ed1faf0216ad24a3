// The words behind the ids of a receipt, read when they are looked at, a few at a time.

import { findableId } from "./places.js";

const AT_ONCE = 3;

/** Reads texts of a namespace by id; each is asked for once. An empty text: it is not there any more. */
export function recordTexts(ctx, session) {
  const known = new Map();
  const waiting = [];
  let running = 0;
  let profile = null;

  function next() {
    while (running < AT_ONCE && waiting.length) {
      const { read, resolve } = waiting.shift();
      running += 1;
      read().catch(() => "").then(resolve).finally(() => { running -= 1; next(); });
    }
  }

  async function lineOfProfile(id) {
    profile ??= ctx.call("profile_show").then((told) => new Map(told.lines.map((line) => [line.id, line.text])));
    return (await profile).get(id) ?? "";
  }

  async function found(id, collection) {
    if (collection.startsWith("profile")) return lineOfProfile(id);
    for (const name of new Set([findableId(collection, id, session), id])) {
      const page = await ctx.call("find_memory", { id: name });
      const record = page.records.find((each) => each.collection === collection) ?? page.records[0];
      if (record) return record.text;
    }
    return "";
  }

  return {
    session,
    text(id, collection) {
      const name = `${collection}\n${id}`;
      if (!known.has(name)) known.set(name, new Promise((resolve) => { waiting.push({ read: () => found(id, collection), resolve }); next(); }));
      return known.get(name);
    },
  };
}
