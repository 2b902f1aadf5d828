import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { jsonObject } from './json-object.ts';

/** Parses a policy of IAM, which returns policies URL-encoded. */
export const documentOf = (text: string | undefined): JsonObject =>
  jsonObject(text === undefined ? undefined : decodeURIComponent(text));
