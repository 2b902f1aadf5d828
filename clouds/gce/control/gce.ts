import type { Cloud } from '@kopsctl/model/cloud.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import { CLOUD_TRAITS } from '@kopsctl/spec/cloud-traits.ts';
import type { SpecCloud } from '@kopsctl/spec/cloud.ts';
import { gceRules } from './completion.ts';
import { gceCreation } from './create-cluster.ts';

const spec = {
  name: 'gce',
  traits: CLOUD_TRAITS,
  features: ['persistent disk driver'],
  clusterRules: gceRules,
  instanceGroupRules: [],
  validate: () => [],
} as const satisfies SpecCloud;

/**
 * GCE: clusters are inferred, read and checked, and agents run on its machines; kopsctl does not create machines there
 * yet.
 */
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
};
