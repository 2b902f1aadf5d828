import type { JsonObject } from '@kopsctl/tasks/task.ts';

/** Reads a policy or a pattern, which AWS hands out as text. */
export const jsonObject = (text: string | undefined): JsonObject => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- policies and patterns are JSON objects
  return JSON.parse(text ?? '{}') as JsonObject;
};
