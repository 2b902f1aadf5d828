import { cloudLayer, type Cloud } from '@kopsctl/model/cloud.ts';
import { machinesOfChannel } from '@kopsctl/model/create-cluster/machines-of-channel.ts';
import { ownFlags, withOwnFlag } from '@kopsctl/model/create-cluster/own-flags.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import type { SpecCloud } from '@kopsctl/spec/cloud.ts';
import { GCE_ADOPTION_REASONS } from './adoption-reasons.ts';
import { leftOpen } from './alias-ranges.ts';
import { gceRules } from './completion.ts';
import { GCE_FLAGS } from './create-cluster-flags.ts';
import { gceCreation, regionOf } from './create-cluster.ts';
import { GCE_FAILURE_WORDS } from './failure-words.ts';
import { isForbidden, isPassing } from './handlers/google-error.ts';
import { leftOutOfGce } from './left-out.ts';
import { GCE_LIFECYCLES } from './lifecycles.ts';
import { gceGroupRules } from './machine-rules.ts';
import { nonMasqueraded } from './non-masqueraded.ts';
import { regionOfZone } from './region.ts';
import { GCE_SETTINGS } from './settings.ts';
import { GCE_TRAITS } from './traits.ts';
import { refusedByGoogle } from './refused-by-google.ts';
import { validateGce } from './validate.ts';
import { GCE_WORDS } from './words.ts';

const spec = {
  name: 'gce',
  traits: GCE_TRAITS,
  features: ['cluster autoscaler', 'external-dns', 'persistent disk driver', 'pod ranges in the subnet'],
  clusterRules: gceRules,
  instanceGroupRules: [machinesOfChannel(gceCreation), ...gceGroupRules],
  leftOpen,
  corrections: [nonMasqueraded],
  settings: GCE_SETTINGS,
  words: GCE_WORDS,
  validate: validateGce,
  leftOut: leftOutOfGce,
  refusals: refusedByGoogle,
} as const satisfies SpecCloud;

/** GCE. Code that calls Google is loaded on first use. */
export const gce: Cloud = {
  ...spec,
  creation: zonedCreation(spec, gceCreation, {
    storeScheme: 'gs',
    ownsZone: (zone) => regionOfZone(zone) !== undefined,
    async flagsOfHost(flags, env) {
      if (ownFlags(flags, GCE_FLAGS).text('project') !== undefined) return flags;
      const { gcloudProject } = await import('./gcloud-project.ts');
      const project = await gcloudProject(env);
      return project === undefined ? flags : withOwnFlag(flags, GCE_FLAGS, 'project', project);
    },
    async findNetwork(named, flags) {
      const [{ openGce }, { findSharedNetwork }] = await Promise.all([
        import('./handlers/gce-cloud.ts'),
        import('./handlers/shared-network.ts'),
      ]);
      const { name, zones = [] } = flags;
      const subnets = zones.map((zone) => ({ region: regionOf(zone) }));
      const place = { metadata: { name }, spec: { ...gceCreation.settings(flags), subnets } };
      return findSharedNetwork(openGce(place, false), named, new AbortController().signal);
    },
  }),
  openStateKey: async (name, env) => (await import('./state-keys.ts')).personsStateKey(name, env),
  isPassing,
  failureWords: GCE_FAILURE_WORDS,
  driver: {
    lifecycles: GCE_LIFECYCLES,
    model: async () => (await import('./model/gce-cluster.ts')).gceCluster,
    isForbidden,
    adoptionReasons: GCE_ADOPTION_REASONS,
    endInstance: (instanceId) => {
      const [zone, name] = instanceId.split('/');
      return `gcloud compute instances delete ${name} --zone ${zone}`;
    },
    async open({ cluster, everything, storeUrl }) {
      const [{ gceHandlers }, { openGce }, { findVpcInfo }, { checkStore }] = await Promise.all([
        import('./handlers/gce-handlers.ts'),
        import('./handlers/gce-cloud.ts'),
        import('./handlers/vpc-info.ts'),
        import('./handlers/check-store.ts'),
      ]);
      // A stored spec does not have to say where the store is, but the members of its bucket have to be found.
      const configBase = cluster.spec.configBase ?? `${storeUrl.replace(/\/$/, '')}/${cluster.metadata.name}`;
      const gce = openGce({ ...cluster, spec: { ...cluster.spec, configBase } }, everything);
      const { signal } = new AbortController();
      return cloudLayer(
        gceHandlers,
        { gce },
        { findVpcInfo: (id) => findVpcInfo(gce, id, signal), checkStore: (until) => checkStore(gce, until) },
      );
    },
    running: async ({ completed, storeUrl }) =>
      (await import('./running/running-gce.ts')).runningGce(completed, storeUrl),
    fleet: async ({ completed }) => (await import('./fleet/fleet-gce.ts')).gceFleet(completed),
    terraform: async () => (await import('./terraform/terraform-target.ts')).gceTerraform,
  },
};
