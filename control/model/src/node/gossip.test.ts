import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import { expect, test } from 'vitest';
import type { Task } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { ASSETS } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';
import { buildNodePlan } from './node-plan.ts';

/** The tasks of the control plane, and of a machine of the other role. */
function plansWith(role: 'Node' | 'APIServer'): readonly (readonly Task[])[] {
  const { cluster, instanceGroups } = completedCluster({ name: 'demo.k8s.local', nodes: { role } });
  return instanceGroups.map(
    (instanceGroup) =>
      buildNodePlan({ cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl: 'http://state' }, ASSETS, [
        'http://assets',
      ]).tasks,
  );
}

const configOf = (tasks: readonly Task[] = []) => {
  const file = tasks.find(({ props }) => props['path'] === '/etc/kops/protokube.json');
  const content = file?.props['content'];
  const text = isRecord(content) ? content['text'] : undefined;
  if (typeof text !== 'string') throw new Error('the plan has no configuration of protokube');
  return JSON.parse(text);
};
const contentsOf = (tasks: readonly Task[] = []): string => JSON.stringify(tasks.map(({ props }) => props['content']));

const CONTROL_PLANE = { name: 'control-plane', port: 3999, keysFile: '/etc/kops/gossip-keys-control-plane' };
const WORKERS = { name: 'workers', port: 3998, keysFile: '/etc/kops/gossip-keys' };
const authoritiesFile = '/etc/kops/gossip-records-ca.crt';
const identity = { certificateFile: '/etc/kops/gossip-records.crt', keyFile: '/etc/kops/gossip-records.key' };

test('a worker is in one ring, and holds neither the key of the other nor anything to sign with', () => {
  const [, worker] = plansWith('Node');
  expect(configOf(worker).gossip).toEqual({ rings: [WORKERS], signing: { authoritiesFile } });
  expect(configOf(worker).identity).toMatchObject({
    secrets: [{ name: 'gossip-key', path: WORKERS.keysFile }],
    authorities: [{ name: 'gossip-records-ca', path: authoritiesFile }],
  });
  expect(JSON.stringify(worker)).not.toContain('gossip-key-control-plane');
  expect(contentsOf(worker)).not.toContain('gossip-records-ca","part"');
  expect(worker?.filter(({ props }) => props['signer'] === 'gossip-records-ca')).toEqual([]);
});

test('machines with an API server are in both rings, and are certified for their own name, role and address', () => {
  const [controlPlane, apiServer] = plansWith('APIServer');
  expect(configOf(apiServer).gossip).toEqual({
    rings: [CONTROL_PLANE, WORKERS],
    signing: { authoritiesFile, identity },
  });
  expect(configOf(controlPlane).gossip).toMatchObject({
    rings: [{ keysSecret: 'gossip-key-control-plane' }, { keysSecret: 'gossip-key' }],
  });
  for (const [tasks, role] of [
    [controlPlane, 'ControlPlane'],
    [apiServer, 'APIServer'],
  ] as const) {
    expect(tasks?.find(({ name }) => name === 'gossip-records')).toMatchObject({
      kind: 'Certificate',
      props: {
        signer: 'gossip-records-ca',
        commonName: '@{nodeName}',
        organizations: [role],
        ipAddresses: ['@{address}'],
      },
    });
  }
});
