/** 0 done, 1 failed, 2 changes pending (--exit-code), invalid (validate) or steps left (etcd doctor, keypair rotate), 3 usage or invalid spec. */
export type ExitCode = 0 | 1 | 2 | 3;
