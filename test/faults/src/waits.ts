/** On two busy processors, what takes a second on an idle machine may take this long. */
export const SOON_MS = 60_000;
/** Longer than the lease of a dead leader (30 s) plus the grace period of a machine whose etcd is not healthy. */
export const LEASE_MS = 90_000;
/** For what takes several steps, each of which may have to wait for a lease. */
export const LONG_MS = 2 * LEASE_MS;
