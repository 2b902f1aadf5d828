import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';

/** A request or response as plain data, without undefined fields. */
export function plain(fields: object): JsonObject {
  const copy: Readonly<Record<string, Json>> = JSON.parse(JSON.stringify(fields));
  return copy;
}
