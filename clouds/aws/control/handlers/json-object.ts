import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';

/** Parses a policy or an event pattern, which AWS returns as text. @throws if it is not a JSON object */
export function jsonObject(text: string | undefined): JsonObject {
  const parsed: Json = JSON.parse(text ?? '{}');
  if (!isRecord(parsed)) throw new Error(`AWS returned ${JSON.stringify(parsed)} instead of a JSON object`);
  return parsed;
}
