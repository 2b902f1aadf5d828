import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cloud } from '@kopsctl/model/cloud.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import type { SpecCloud } from '@kopsctl/spec/cloud.ts';
import { gceRules } from './completion.ts';
import { gceCreation } from './create-cluster.ts';
import { GCE_LIFECYCLES } from './lifecycles.ts';
import { gceGroupRules } from './machine-rules.ts';
import { nonMasqueraded } from './non-masqueraded.ts';
import { GCE_TRAITS } from './traits.ts';
import { validateGce } from './validate.ts';

const spec = {
  name: 'gce',
  traits: GCE_TRAITS,
  features: ['persistent disk driver'],
  clusterRules: gceRules,
  instanceGroupRules: gceGroupRules,
  correction: nonMasqueraded,
  validate: validateGce,
} as const satisfies SpecCloud;

/** GCE. Clusters are written for Terraform; agents run on the machines. */
export const gce: Cloud = {
  ...spec,
  creation: zonedCreation(spec, gceCreation, {
    storeScheme: 'gs',
    async flagsOfHost(flags, env) {
      if (flags.project !== undefined) return flags;
      const { gcloudProject } = await import('./gcloud-project.ts');
      const project = await gcloudProject(env);
      return project === undefined ? flags : { ...flags, project };
    },
  }),
  driver: {
    lifecycles: GCE_LIFECYCLES,
    model: async () => (await import('./model/gce-cluster.ts')).gceCluster,
    open: async () => refuseDirect(),
    running: async () => refuseDirect(),
    terraform: async () => (await import('./terraform/terraform-target.ts')).gceTerraform,
  },
};

function refuseDirect(): never {
  throw new ActionableError({
    what: 'reach the cluster in GCE',
    why: 'kopsctl does not call GCE itself yet',
    next: 'write the cluster for Terraform: kopsctl update cluster NAME --target terraform',
  });
}
