import { join } from 'node:path';
import { cloudLayer, type Cloud, type HostSettings } from '@kopsctl/model/cloud.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import type { SpecCloud } from '@kopsctl/spec/cloud.ts';
import { toyGroupRules, toyRules } from './completion.ts';
import { toyCreation } from './create-cluster.ts';
import { TOY_LIFECYCLES } from './lifecycles.ts';
import { TOY_TRAITS } from './traits.ts';
import { validateToy } from './validate.ts';

const spec = {
  name: 'metal',
  traits: TOY_TRAITS,
  features: [],
  clusterRules: toyRules,
  instanceGroupRules: toyGroupRules,
  validate: validateToy,
} as const satisfies SpecCloud;

/** A small but whole cloud: machines, volumes and networks that are files in a folder. */
export const toy: Cloud = {
  ...spec,
  creation: zonedCreation(spec, toyCreation, {}),
  driver: {
    lifecycles: TOY_LIFECYCLES,
    model: async () => (await import('./model/toy-cluster.ts')).toyCluster,
    async open({ cluster, settings }) {
      const { toyHandlers } = await import('./handlers/handlers.ts');
      return cloudLayer(toyHandlers, { toy: await openIn(settings), cluster: cluster.metadata.name });
    },
    async running({ completed, settings }) {
      const { runningToy } = await import('./running-toy.ts');
      return runningToy(await openIn(settings), completed.cluster.metadata.name);
    },
    async fleet({ completed, settings, tasks }) {
      const { toyFleet } = await import('./fleet-toy.ts');
      return toyFleet({ toy: await openIn(settings), cluster: completed.cluster.metadata.name }, tasks);
    },
    terraform: async () => (await import('./terraform.ts')).toyTerraform,
  },
};

const openIn = async ({ dir = '/var/lib/kopsctl/toy' }: HostSettings) =>
  (await import('../node/toy-things.ts')).openToyService(join(dir, 'toy-cloud'));
