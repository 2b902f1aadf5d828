/** `kopsctl local-supervisor` runs the supervisor of a local cluster. It is not for people, and `kopsctl --help` does not list it. */
export const SUPERVISOR = 'local-supervisor';
