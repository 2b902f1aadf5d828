import type { Ref } from '@kopsctl/tasks/task.ts';

/** A reference to a value that another task yields. Handlers get the value. */
export type Output = Required<Ref>;

/** A text, or a reference to one that another task yields. */
export type Text = string | Output;

/**
 * A resource that exists before the cluster and outlives it: it is never created, changed or deleted; other resources
 * refer to its id.
 */
export interface Shared {
  readonly sharedId: string;
}
