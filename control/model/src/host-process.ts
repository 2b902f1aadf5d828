/**
 * `kopsctl host-process NAME …` runs a process that a cloud keeps on this computer (`CloudDriver.hostProcess`). It is not
 * for people, and `kopsctl --help` does not list it.
 */
export const HOST_PROCESS = 'host-process';
