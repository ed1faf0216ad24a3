// How long answers took, from counts in buckets. Nothing here draws.

/** Buckets in order: each with the upper end in milliseconds (Infinity for the open one) and how many calls fell in. */
export function bucketsOf(histogram) {
  const buckets = Object.entries(histogram).map(([name, calls]) => ({ most: name.startsWith("le") ? Number(name.slice(2)) : Infinity, calls }));
  return buckets.sort((one, other) => one.most - other.most);
}

/** The upper end of the bucket in which a share of all calls is reached; null when there were none. */
export function percentile(buckets, share) {
  const total = buckets.reduce((sum, bucket) => sum + bucket.calls, 0);
  if (!total) return null;
  let seen = 0;
  for (const bucket of buckets) {
    seen += bucket.calls;
    if (seen >= share * total) return bucket.most;
  }
  return Infinity;
}

/** Milliseconds as a person says them. */
export const milliseconds = (value) => (value >= 1000 ? `${Number((value / 1000).toFixed(1))} s` : `${Number(value.toFixed(value < 10 ? 1 : 0))} ms`);

/** A percentile in words; what it tells is a bound, not a time. */
export function boundWords(most, buckets) {
  if (most === null) return "–";
  if (most !== Infinity) return `≤ ${milliseconds(most)}`;
  const last = buckets.filter((bucket) => bucket.most !== Infinity).at(-1);
  return last ? `> ${milliseconds(last.most)}` : "unknown";
}

/** Methods, the most called first, with what is told of each. */
export function methodsOf(calls) {
  return Object.entries(calls)
    .map(([name, told]) => {
      const buckets = bucketsOf(told.histogramMs);
      return { name, calls: told.calls, failures: told.failures, mean: told.meanMs, buckets, half: percentile(buckets, 0.5), most: percentile(buckets, 0.95) };
    })
    .sort((one, other) => other.calls - one.calls || one.name.localeCompare(other.name));
}

/** Seconds as a person says them: the two largest units. */
export function duration(seconds) {
  const units = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];
  let left = Math.floor(seconds);
  const words = [];
  for (const [name, length] of units) {
    const whole = Math.floor(left / length);
    left -= whole * length;
    if (whole) words.push(`${whole} ${name}${whole === 1 ? "" : "s"}`);
  }
  return words.slice(0, 2).join(", ") || "a moment";
}
