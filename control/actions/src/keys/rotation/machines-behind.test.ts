import type { Machine } from '@kopsctl/model/cloud.ts';
import { bootReport, bootReportPath, printBootReport } from '@kopsctl/node-plan/boot-report.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { planFolderOf } from '@kopsctl/node-plan/node-plan.ts';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planHash, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { machinesBehind } from './machines-behind.ts';

const machine = (name: string, role: NodeRole): Machine => ({
  name,
  nodeName: name,
  role,
  instanceGroup: 'g',
  address: '10.0.0.1',
  state: 'running',
});

/** Machines that booted by plans that were made for these states of keysets. */
async function booted(plans: Readonly<Record<string, { role: NodeRole; keysets: Readonly<Record<string, string>> }>>) {
  const store = createMemoryStore();
  for (const [name, { role, keysets }] of Object.entries(plans)) {
    const bytes = serializePlan({
      apiVersion: 'kopsctl.io/v1',
      kind: 'NodePlan',
      cluster: 'demo',
      instanceGroup: name,
      role,
      kubernetesVersion: '1.36.3',
      keysets,
      tasks: [],
    });
    const hash = planHash(bytes);
    await store.write(planPath('demo', planFolderOf(role), hash), bytes, { ifAbsent: true });
    const events = [{ type: 'run-finished', atMs: 1, failed: 0 }] as unknown as Parameters<
      typeof bootReport
    >[0]['events'];
    const report = printBootReport(bootReport({ node: name, planHash: hash, events }));
    await store.write(bootReportPath('demo', name), Buffer.from(report), { ifAbsent: true });
  }
  return store;
}

test('machines are behind until they have booted by a plan of the newest state of what they use', async () => {
  const store = await booted({
    old: { role: 'ControlPlane', keysets: { 'kubernetes-ca': '1' } },
    new: { role: 'ControlPlane', keysets: { 'kubernetes-ca': '2', 'etcd-peers-ca-main': '1' } },
    worker: { role: 'Node', keysets: { 'kubernetes-ca': '2' } },
  });
  const machines = [machine('old', 'ControlPlane'), machine('new', 'ControlPlane'), machine('worker', 'Node')];
  const states = { 'kubernetes-ca': '2', 'etcd-peers-ca-main': '1' };
  // Workers use no CA of etcd's peers.
  expect(await machinesBehind(store, 'demo', machines, states)).toEqual(['old']);
});

test('a machine that says nothing is behind, and a bastion never is', async () => {
  const machines = [machine('silent', 'Node'), machine('bastion', 'Bastion')];
  expect(await machinesBehind(await booted({}), 'demo', machines, { 'kubernetes-ca': '2' })).toEqual(['silent']);
});
