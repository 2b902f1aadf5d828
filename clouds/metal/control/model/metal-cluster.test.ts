import { inferCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import { AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { metal } from '../metal.ts';
import { metalCluster } from './metal-cluster.ts';

const STORE = 's3://bucket';

const inferred = (name: string) =>
  inferCluster({ name, cloud: 'metal', zones: ['room-1'] }, { stateStoreUrl: STORE }, [metal]);

function tasksOf(name: string, assets?: ClusterSpec['assets']): readonly Task[] {
  const { cluster, instanceGroups } = inferred(name);
  const wanted = { cluster: { ...cluster, spec: { ...cluster.spec, ...(assets && { assets }) } }, instanceGroups };
  const completed = completeCluster(wanted, { stateStoreUrl: STORE }, metal);
  expect(validateCluster(completed.cluster, completed.instanceGroups, metal)).toEqual([]);
  return metalCluster({
    ...completed,
    assets: { assets: [] },
    storeUrl: STORE,
    assetsDir: '/nowhere',
    sshPublicKeys: [],
    agents: { version: '0.1.0', baseUrl: 'https://agents.example.com' },
    sha256Of: () => 'a'.repeat(64),
  });
}

const textOf = (tasks: readonly Task[], path: RegExp): string => {
  for (const { props } of tasks) {
    const { path: own, content } = props;
    if (typeof own === 'string' && typeof content === 'string' && path.test(own)) return content;
  }
  throw new Error(`no file is at ${String(path)}`);
};

test('a cluster is all in its state store, and nothing of it is made elsewhere', () => {
  const kinds = new Set(tasksOf('demo.k8s.local').map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(['Keyset', 'ManagedFile', 'Secret']);
});

test('machines of workers get their plan from an authority, and have nothing secret in what they boot with', () => {
  const tasks = tasksOf('demo.k8s.local');
  const worker = textOf(tasks, /^user-data\/nodes/);
  expect(worker).toContain('"planThroughAuthority"');
  expect(worker).toContain(AUTHORITY_CA);
  expect(worker).toContain('"cloud": "metal"');
  expect(worker).not.toMatch(/PRIVATE KEY|secret/i);
  const controlPlane = textOf(tasks, /^user-data\/control-plane/);
  expect(controlPlane).not.toContain('"planThroughAuthority"');
  expect(controlPlane).toContain(STORE);
});

test('machines ask the file repository of the spec before the publishers', () => {
  const mirror = 'https://mirror.example.com/kops/';
  const tasks = tasksOf('demo.k8s.local', { fileRepository: mirror });
  expect(textOf(tasks, /^user-data\/nodes/)).toContain(`${mirror}v0.1.0/kops-agents-linux-amd64`);
  expect(textOf(tasks, /^worker-plans\//)).toContain(`"${mirror}release/v`);
});

test('a cluster whose machines cannot find each other is refused', () => {
  const { cluster, instanceGroups } = inferred('demo.k8s.local');
  const spec: ClusterSpec = { ...cluster.spec, topology: { ...cluster.spec.topology, dns: { type: 'None' } } };
  const faults = validateCluster({ ...cluster, spec }, instanceGroups, metal);
  expect(faults).toMatchObject([{ path: 'spec.topology.dns.type' }]);
});

test('an instance group of API servers is refused', () => {
  const { cluster, instanceGroups } = inferred('demo.k8s.local');
  const groups = instanceGroups.map((group) => ({ ...group, spec: { ...group.spec, role: 'APIServer' as const } }));
  const faults = validateCluster(cluster, [...instanceGroups, ...groups.slice(0, 1)], metal);
  expect(JSON.stringify(faults)).toContain('enrolled machines are control planes or nodes');
});
