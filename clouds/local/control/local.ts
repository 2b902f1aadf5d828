import { cloudLayer, type Cloud } from '@kopsctl/model/cloud.ts';
import type { SpecCloud } from '@kopsctl/spec/cloud.ts';
import { localGroupRules, localRules } from './completion.ts';
import { localCreation } from './create-cluster.ts';
import { SUPERVISOR } from './supervisor/process-name.ts';
import { LOCAL_TRAITS } from './traits.ts';
import { validateLocal } from './validate.ts';

const spec = {
  name: 'local',
  traits: LOCAL_TRAITS,
  features: [],
  clusterRules: localRules,
  instanceGroupRules: localGroupRules,
  validate: validateLocal,
} as const satisfies SpecCloud;

/** Machines on this computer. */
export const local: Cloud = {
  ...spec,
  creation: localCreation(spec),
  driver: {
    lifecycles: [],
    model: async () => (await import('./model/local-cluster.ts')).localCluster,
    addons: async () => (await import('./model/local-cluster.ts')).localAddons,
    async open({ cluster, storeUrl, settings, say }) {
      const [{ localHandlers }, { openLocal }] = await Promise.all([
        import('./handlers/handlers.ts'),
        import('./local-cluster.ts'),
      ]);
      const cloud = openLocal({ cluster: cluster.metadata.name, storeUrl }, settings, say);
      return cloudLayer(localHandlers, { local: cloud }, { afterDelete: () => cloud.shutdownOwn() });
    },
    async running({ completed, storeUrl, settings }) {
      const [{ runningLocal }, { openLocal }] = await Promise.all([
        import('./running-local.ts'),
        import('./local-cluster.ts'),
      ]);
      return runningLocal(openLocal({ cluster: completed.cluster.metadata.name, storeUrl }, settings));
    },
    async fleet({ completed, storeUrl, settings, tasks }) {
      const [{ localFleet }, { openLocal }] = await Promise.all([
        import('./fleet-local.ts'),
        import('./local-cluster.ts'),
      ]);
      return localFleet(openLocal({ cluster: completed.cluster.metadata.name, storeUrl }, settings), tasks);
    },
    async hostMachines(cluster, settings) {
      const [{ hostMachines }, { openLocal }] = await Promise.all([
        import('./host-machines.ts'),
        import('./local-cluster.ts'),
      ]);
      return hostMachines(openLocal(cluster, settings));
    },
    endInstance: (instanceId) => `kopsctl toolbox terminate ${instanceId}`,
    collectGarbage: async ({ dir }) => (await import('./supervisor/collect-garbage.ts')).collectGarbage(dir),
    hostProcess: {
      name: SUPERVISOR,
      run: async (argv) => (await import('./supervisor/supervisor.ts')).runSupervisor(argv),
    },
  },
};
