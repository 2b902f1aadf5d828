import type { OwnFlags } from '@kopsctl/model/create-cluster/own-flags.ts';

export const GCE_FLAGS = {
  project: { flags: '--project <project>', help: 'GCE project', path: 'spec.project' },
  gceServiceAccount: {
    flags: '--gce-service-account <account>',
    help: 'the service account that GCE machines act as',
    path: 'spec.cloudConfig.gceServiceAccount',
  },
} as const satisfies OwnFlags;
