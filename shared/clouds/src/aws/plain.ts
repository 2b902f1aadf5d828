import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';

/** A request or an answer as plain data, without what is undefined. */
export function plain(fields: object): JsonObject {
  const copy: Readonly<Record<string, Json>> = JSON.parse(JSON.stringify(fields));
  return copy;
}
