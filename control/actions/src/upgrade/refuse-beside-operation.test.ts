import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { openOperationJournal } from './operation-journal.ts';
import { refuseBesideOperation } from './refuse-beside-operation.ts';

const { signal } = new AbortController();

test.each<[string, readonly NodeRole[] | undefined, boolean]>([
  ['all machines', undefined, true],
  ['workers', ['Node'], true],
  ['control planes and workers', ['ControlPlane', 'Node'], true],
  ['API servers on machines of their own', ['APIServer'], true],
  ['no role', [], true],
  ['control planes only', ['ControlPlane'], false],
])(
  'while control planes are still to be replaced, a spec is refused or not for %s',
  async (_what, roles, isRefused) => {
    const store = createMemoryStore();
    const journal = await openOperationJournal(store, 'demo', signal);
    await journal.write({
      apiVersion: 'kopsctl.io/v1',
      kind: 'Upgrade',
      id: 'one',
      startedMs: 0,
      state: 'failed',
      stages: [{ what: 'roll-control-planes', kubernetes: '1.35.0', changes: [], state: 'running' }],
    });
    const applied = refuseBesideOperation(store, 'demo', { what: 'apply demo', roles }, signal);
    const why = await applied.then(() => 'applied', messageOf);
    expect(why.includes('before all control planes were replaced')).toBe(isRefused);
    expect(why === 'applied').toBe(!isRefused);
  },
);
