import { expect, test } from 'vitest';
import { readNode, readPod } from '../access/kubernetes-objects.ts';
import { isServedByKops } from './served-by-kops.ts';

const LAUNCHED = '2030-01-01T00:00:00Z';
const LATER = '2030-01-01T00:02:00Z';
const EARLIER = '2029-12-01T00:00:00Z';

const pod = (component: string, startTime: string | undefined) =>
  readPod({
    metadata: { namespace: 'kube-system', name: `${component}-cp-a` },
    spec: { nodeName: 'cp-a' },
    status: {
      phase: 'Running',
      ...(startTime !== undefined && { startTime }),
      containerStatuses: [{ name: component, ready: true }],
    },
  });

test.each([
  { what: 'made from an older template', isCurrent: false, managerSince: EARLIER, serves: true },
  { what: 'that is current', isCurrent: true, managerSince: LATER, serves: true },
  {
    what: 'of kopsctl, with the pod of the one before it',
    isCurrent: true,
    managerSince: EARLIER,
    serves: false,
  },
  { what: 'that is current, with a pod that has not started', isCurrent: true, managerSince: undefined, serves: false },
  { what: 'whose age nobody knows', isCurrent: true, isAgeKnown: false, managerSince: LATER, serves: false },
  { what: 'that has not taken the Node yet', isCurrent: true, machineId: 'other', managerSince: LATER, serves: false },
])(
  'a manager of kops serves on a machine $what: $serves',
  ({ isCurrent, isAgeKnown = true, machineId = 'own', managerSince, serves }) => {
    const node = readNode({
      metadata: { name: 'cp-a' },
      status: { nodeInfo: { machineID: 'own' }, conditions: [{ type: 'Ready', status: 'True' }] },
    });
    const machine = {
      nodeName: 'cp-a',
      running: true,
      machineId,
      isCurrent,
      ...(isAgeKnown && { launchedMs: Date.parse(LAUNCHED) }),
    };
    const pods = [pod('etcd-manager-main', managerSince), pod('kube-apiserver', LATER)];
    expect(isServedByKops('main', machine, { nodes: [node], pods })).toBe(serves);
  },
);
