/** Checking what a model gave to a tool, in the words of the tool's own schema. */

/**
 * What is wrong with some arguments, and what to do; null when nothing is.
 *
 * @param {unknown} given
 * @param {{properties: Record<string, any>, required: string[]}} schema
 * @returns {{problem: string, remedy: string} | null}
 */
export function wrongIn(given, { properties, required }) {
  const names = Object.keys(properties);
  const takes = names.length ? `It takes ${names.join(", ")}.` : "It takes no arguments.";
  if (given === null || typeof given !== "object" || Array.isArray(given))
    return { problem: "the arguments are no object", remedy: takes };
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) return { problem: `unknown argument ${JSON.stringify(unknown)}`, remedy: takes };
  const missing = required.find((name) => given[name] === undefined);
  if (missing) return { problem: `${missing} is missing`, remedy: properties[missing].description };
  for (const name of names) {
    const problem = given[name] === undefined ? "" : misfit(given[name], properties[name]);
    if (problem) return { problem: `${name} ${problem}`, remedy: properties[name].description ?? takes };
  }
  return null;
}

/** What keeps a value from being what a schema describes, in words; empty when nothing does. */
function misfit(value, schema) {
  switch (schema.type) {
    case "string":
      return typeof value !== "string" ? "is no text" : sized(value.trim().length, schema, "characters");
    case "integer":
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return "is no number";
      if (schema.type === "integer" && !Number.isInteger(value)) return "is no whole number";
      return ranged(value, schema.minimum, schema.maximum, "");
    case "array": {
      if (!Array.isArray(value)) return "is no list";
      const wrong = value.map((one) => misfit(one, schema.items)).find(Boolean);
      return wrong ? `holds something that ${wrong}` : ranged(value.length, schema.minItems, schema.maxItems, " items");
    }
    default:
      return "";
  }
}

function sized(length, { minLength, maxLength }, unit) {
  if (length === 0 && minLength) return "is empty";
  return ranged(length, minLength, maxLength, ` ${unit}`);
}

function ranged(value, least, most, unit) {
  if (least !== undefined && value < least) return `is less than ${least}${unit}`;
  if (most !== undefined && value > most) return `is more than ${most}${unit}`;
  return "";
}
