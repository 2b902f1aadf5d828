import { expect, test } from 'vitest';
import type { InstanceGroupSpec } from '../instance-group.ts';
import type { RollingUpdate } from '../schema/machines.ts';
import { validateRollingUpdate } from './rolling-update.ts';

const faultsOf = (rollingUpdate: RollingUpdate, role: InstanceGroupSpec['role'] = 'Node') => {
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec: { rollingUpdate } } as const;
  const group = {
    apiVersion: '',
    kind: 'InstanceGroup',
    metadata: { name: 'g' },
    spec: { role, rollingUpdate },
  } as const;
  return [...validateRollingUpdate(cluster, [group])].map(
    ({ instanceGroup = 'cluster', path, message }) =>
      `${instanceGroup} ${path.replace('spec.rollingUpdate.', '')}: ${message}`,
  );
};

test.each<RollingUpdate>([
  {},
  { maxSurge: 2 },
  { maxSurge: '25%', maxUnavailable: 0 },
  { maxSurge: 0, maxUnavailable: '12.5%' },
  { maxSurge: 0 },
])('%j is a way to replace machines', (wish) => {
  expect(faultsOf(wish)).toEqual([]);
});

test.each<readonly [RollingUpdate, string]>([
  [{ maxSurge: 'many' }, "maxSurge: 'many' is neither a number nor a percentage"],
  [{ maxUnavailable: '10 %' }, "maxUnavailable: '10 %' is neither a number nor a percentage"],
  [{ maxUnavailable: -1 }, 'maxUnavailable: -1 is negative'],
  [
    { maxSurge: 0, maxUnavailable: '0%' },
    'maxSurge: maxSurge and maxUnavailable are both 0, so no machine could be replaced',
  ],
])('%j is refused in a cluster and in a group', (wish, expected) => {
  expect(faultsOf(wish)).toEqual([`cluster ${expected}`, `g ${expected}`]);
});

test('a control plane has no surge of its own', () => {
  const surge = { maxSurge: 1, maxUnavailable: 1 };
  expect(faultsOf(surge, 'Master')).toEqual([
    'g maxSurge: a control plane gets no additional machine: its volumes are attached to one at a time',
  ]);
  expect(faultsOf({ maxSurge: 0, maxUnavailable: 1 }, 'Master')).toEqual([]);
});
