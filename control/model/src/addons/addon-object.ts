import type { JsonObject } from '@kopsctl/tasks/task.ts';

/** A Kubernetes object of an addon. */
export interface AddonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
  readonly [field: string]: unknown;
}
