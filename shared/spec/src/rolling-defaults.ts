/**
 * How machines are replaced where neither their group nor the cluster says it (kops pkg/instancegroups/settings.go).
 * kops's completed spec does not have these values, and two of them depend on what is replaced.
 */
export const DRAINS_AND_TERMINATES = true;

/** One machine more than wanted where the cloud can add one to a group for a while. */
export const defaultMaxSurge = (canSurge: boolean): number => (canSurge ? 1 : 0);

/** One machine less than wanted, unless there are more. */
export const defaultMaxUnavailable = (maxSurge: number): number => (maxSurge === 0 ? 1 : 0);
