import assert from "node:assert/strict";
import { test } from "node:test";
import { boundWords, bucketsOf, duration, methodsOf, milliseconds, percentile } from "../../../src/libravdb/inspector/page/views/latencies.js";

const histogram = { "le0.5": 5, le1: 0, le10: 4, le2: 0, more: 1 };

test("buckets come in order of their ends, the open one last", () => {
  assert.deepEqual(bucketsOf(histogram).map((bucket) => bucket.most), [0.5, 1, 2, 10, Infinity]);
});

test("a percentile is the end of the bucket in which it is reached", () => {
  const buckets = bucketsOf(histogram);
  assert.equal(percentile(buckets, 0.5), 0.5);
  assert.equal(percentile(buckets, 0.51), 10);
  assert.equal(percentile(buckets, 0.9), 10);
  assert.equal(percentile(buckets, 0.95), Infinity);
  assert.equal(percentile(bucketsOf({ le1: 0, more: 0 }), 0.5), null);
});

test("bounds are told as bounds", () => {
  const buckets = bucketsOf(histogram);
  assert.equal(boundWords(10, buckets), "≤ 10 ms");
  assert.equal(boundWords(Infinity, buckets), "> 10 ms");
  assert.equal(boundWords(null, buckets), "–");
});

test("times are told as people say them", () => {
  assert.deepEqual([0.5, 9.87, 42.3, 1000, 5000, 1234].map(milliseconds), ["0.5 ms", "9.9 ms", "42 ms", "1 s", "5 s", "1.2 s"]);
  assert.deepEqual([0.4, 61, 3_600, 90_061].map(duration), ["a moment", "1 minute, 1 second", "1 hour", "1 day, 1 hour"]);
});

test("methods come by how often they are called", () => {
  const told = { calls: 1, failures: 0, meanMs: 1, histogramMs: histogram };
  assert.deepEqual(methodsOf({ b: told, a: told, c: { ...told, calls: 9 } }).map((method) => method.name), ["c", "a", "b"]);
});
