import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';

/** Parses a policy or an event pattern, which AWS returns as text. @throws if it is not a JSON object */
export function jsonObject(text: string | undefined): JsonObject {
  const parsed: Json = JSON.parse(text ?? '{}');
  if (!isObject(parsed)) throw new Error(`AWS returned ${JSON.stringify(parsed)} instead of a JSON object`);
  return parsed;
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
