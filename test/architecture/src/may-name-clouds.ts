/** The API's own list of clouds, which names them all. */
export const API_LIST = 'shared/spec/src/schema/enums.ts';

/**
 * The files that may write names or ids of clouds, or what looks like one, each as it is found: `.gce` for a field. An entry
 * that no longer applies is a fault too.
 */
export const MAY_NAME: Readonly<Record<string, readonly string[]>> = {
  // The API's word for it differs in v1alpha3.
  'shared/spec/src/versions/moves.ts': ['digitalocean'],

  // Fields of the API that have a cloud's name and may be set in any: spec.networking.gce, spec.authentication.aws.
  'shared/spec/src/names.ts': ['.gce'],
  'shared/spec/src/validate/pod-network.ts': ['.gce'],
  'shared/spec/src/left-out.ts': ['.aws'],

  // How the API writes a list of ranges, in fields of every cloud. A trait says which cloud has such lists.
  'shared/spec/src/prefix-list.ts': ['pl-'],

  // One of the canned ACLs of S3, which servers elsewhere have too.
  'shared/state-store/src/s3/s3-options.ts': ['aws-exec-read'],

  // Names of the metadata service of EC2: the addresses that are not public.
  'clouds/aws/node/facts.ts': ['local-ipv4', 'local-hostname'],

  // The cluster of a kubeconfig, as kops names it.
  'control/model/src/node/kubeconfigs.ts': ['local'],
  // A value of GOTOOLCHAIN.
  'packaging/assets/src/go-toolchain.ts': ['local'],
  // A program of Rancher.
  'packaging/assets/src/images.ts': ['local-path-provisioner'],
  'packaging/assets/src/programs.ts': ['local-path-provisioner'],
  // A cluster that is made only to fill the code caches of binaries.
  'packaging/binary/src/rehearsals.ts': ['aws'],
  'packaging/binary/src/rehearsal-cloud.ts': ['ami-12345678', 't3.medium'],
};

/** The files of a cloud that may import from another one's folder: which one. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // A test of what AWS adds to a machine, on the only kind of machine that the assets of tests hold.
  'clouds/aws/control/model/vpc-interfaces.test.ts': ['local'],
};
