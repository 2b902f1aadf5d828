import type { OwnFlags } from '@kopsctl/model/create-cluster/own-flags.ts';

/** What `clouds/create-cluster-flags.ts` lists of this cloud. */
export const TOY_FLAGS = {
  toyProject: { flags: '--toy-project <name>', help: 'whose toys they are', path: 'spec.project' },
} as const satisfies OwnFlags;
