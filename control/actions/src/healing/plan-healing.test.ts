import type { FleetMachine } from '@kopsctl/model/fleet.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { expect, test } from 'vitest';
import type { Seen } from '../rolling/seen.ts';
import { planHealing } from './plan-healing.ts';

const NOW_MS = Date.UTC(2030, 0, 1);
const machine = (name: string, instanceGroup: string, role: NodeRole): FleetMachine => ({
  id: `id of ${name}`,
  name,
  nodeName: name,
  instanceGroup,
  role,
  address: '10.0.0.1',
  running: true,
  isCurrent: true,
  standing: 'counted',
});
const CONTROL_PLANES = ['cp-1', 'cp-2', 'cp-3'].map((name) => machine(name, 'cp', 'ControlPlane'));
const WORKERS = ['nodes-1', 'nodes-2', 'nodes-3'].map((name) => machine(name, 'nodes', 'Node'));

/** One machine has been not Ready for an hour. */
const seenWithout = (unready: string): Seen => ({
  // The clock of the computer that asks is a year ahead.
  nowMs: NOW_MS + 365 * 24 * 60 * 60_000,
  apiNowMs: NOW_MS,
  groups: [
    { name: 'cp', role: 'ControlPlane', wanted: 3, machines: CONTROL_PLANES },
    { name: 'nodes', role: 'Node', wanted: 3, machines: WORKERS },
  ],
  nodes: [...CONTROL_PLANES, ...WORKERS].map(({ name }) => ({
    name,
    machineId: undefined,
    isMarked: false,
    isReady: name !== unready,
    ...(name === unready && { unreadySinceMs: NOW_MS - 60 * 60_000 }),
  })),
  faults: [],
  etcds: [],
});
const afterMs = new Map([
  ['cp', 600_000],
  ['nodes', 600_000],
]);
const running = (...versions: readonly string[]) =>
  CONTROL_PLANES.flatMap((one, index) => {
    const kubernetes = versions[index];
    return kubernetes === undefined ? [] : [{ machine: one, kubernetes }];
  });

test('a worker is not replaced while its new kubelet would be newer than an API server', () => {
  const versions = { applied: '1.36.3', controlPlanes: running('1.36.3', '1.35.7', '1.36.3') };
  const { replace, held } = planHealing({ seen: seenWithout('nodes-2'), afterMs, versions });
  expect(replace).toBeUndefined();
  expect(held).toMatchObject([
    {
      machine: { name: 'nodes-2' },
      because:
        'its new kubelet would run Kubernetes 1.36.3, and cp-2 still runs an API server of 1.35.7: a kubelet must not be newer. Roll the control planes first',
    },
  ]);
});

test.each([
  ['all control planes have the version', running('1.36.3', '1.36.3', '1.36.3')],
  ['only the patch differs', running('1.36.0', '1.36.3', '1.36.3')],
  ['API servers are newer', running('1.37.0', '1.37.0', '1.37.0')],
  ['no control plane has said what it runs', running()],
])('a worker is replaced where %s', (_where, controlPlanes) => {
  const versions = { applied: '1.36.3', controlPlanes };
  expect(planHealing({ seen: seenWithout('nodes-2'), afterMs, versions }).replace?.machine.name).toBe('nodes-2');
});

test('a control plane brings its own API server, whatever the others run', () => {
  const versions = { applied: '1.36.3', controlPlanes: running('1.35.7', '1.35.7', '1.35.7') };
  expect(planHealing({ seen: seenWithout('cp-2'), afterMs, versions }).replace?.machine.name).toBe('cp-2');
});
