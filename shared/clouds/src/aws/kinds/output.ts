import type { Ref } from '@kopsctl/tasks/task.ts';

/** A value that another task yields. A handler finds what it yielded in its place. */
export type Output = Required<Ref>;

/** Text that is known, or that another task yields. */
export type Text = string | Output;

/** Tags of a resource: every key of it is ours to keep. */
export type Tags = { readonly [key: string]: string };

/**
 * A resource that exists before the cluster and outlives it: nothing of it is created, changed or deleted, and its
 * id is what others refer to.
 */
export interface Shared {
  readonly sharedId: string;
}
