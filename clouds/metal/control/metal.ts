import { cloudLayer, type Cloud } from '@kopsctl/model/cloud.ts';
import type { SpecCloud } from '@kopsctl/spec/cloud.ts';
import { metalRules } from './completion.ts';
import { metalCreation } from './create-cluster.ts';
import { leftOutOfMetal } from './left-out.ts';
import { METAL_SETTINGS } from './settings.ts';
import { METAL_TRAITS } from './traits.ts';
import { validateMetal } from './validate.ts';

const spec = {
  name: 'metal',
  traits: METAL_TRAITS,
  features: [],
  clusterRules: metalRules,
  instanceGroupRules: [],
  settings: METAL_SETTINGS,
  validate: validateMetal,
  leftOut: leftOutOfMetal,
} as const satisfies SpecCloud;

/** Machines that no cloud lists: a person enrolls them (`kopsctl toolbox enroll`), and the state store lists them. */
export const metal: Cloud = {
  ...spec,
  creation: metalCreation(spec),
  driver: {
    lifecycles: [],
    model: async () => (await import('./model/metal-cluster.ts')).metalCluster,
    // All that a cluster has is in its state store.
    open: async () => cloudLayer([], {}),
    async running({ completed, storeUrl }) {
      const { runningMetal } = await import('./running-metal.ts');
      return runningMetal(completed.cluster.metadata.name, storeUrl);
    },
  },
};
