// What was asked to go and can still be taken back. It outlives the view in which it was asked. No element is touched here.

export class Pending {
  #waiting = new Map();

  has(key) { return this.#waiting.has(key); }

  get size() { return this.#waiting.size; }

  /** Let something wait. `ask({undo, done})` shows the way back and gives `{end}`; `carryOut` does it, once; `back(error)` is
   * told when it stays after all, with the error where it failed; `gone` when it is done. */
  add(key, { ask, carryOut, back = () => {}, gone = () => {} }) {
    if (this.has(key)) return;
    let isOver = false;
    const over = (next) => () => { if (isOver) return undefined; isOver = true; return next(); };
    this.#waiting.set(key, null);
    const shown = ask({
      undo: over(() => { this.#waiting.delete(key); back(null); }),
      done: over(async () => {
        try { await carryOut(); } catch (error) { this.#waiting.delete(key); back(error); return; }
        this.#waiting.delete(key);
        gone();
      }),
    });
    if (this.has(key)) this.#waiting.set(key, shown);
  }

  /** Do at once all that waits. */
  endAll() { for (const shown of [...this.#waiting.values()]) shown?.end(); }
}
