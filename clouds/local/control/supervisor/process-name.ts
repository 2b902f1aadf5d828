/** `kopsctl host-process local-supervisor` runs the supervisor of a local cluster. */
export const SUPERVISOR = 'local-supervisor';
