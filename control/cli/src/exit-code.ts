/** 0 done, 1 failed, 2 changes pending (only with --exit-code), 3 usage or invalid spec. */
export type ExitCode = 0 | 1 | 2 | 3;
