import type { JsonObject } from '@kopsctl/tasks/task.ts';

/** IAM gives policies out as they stand in a URL. */
export const documentOf = (text: string | undefined): JsonObject => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a policy document is a JSON object
  return JSON.parse(decodeURIComponent(text ?? '%7B%7D')) as JsonObject;
};
