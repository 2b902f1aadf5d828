import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { expect, test } from 'vitest';
import { newCluster } from './new-cluster.ts';
import { setObjectFields } from './set-object-fields.ts';
import { planNewCluster, storeNewCluster } from '../store/store-new-cluster.ts';
import { readStoredObject } from '../store/stored-object.ts';

const WRITERS = 20;

test('none of twenty people who change one object at once overwrites another, and each who lost is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-writers-'));
  try {
    const store = await openStore(`file://${folder}`, {});
    const name = 'demo.example.com';
    const created = newCluster({ name, cloud: 'aws', zones: ['eu-west-1a'] }, {});
    await storeNewCluster(store, created, await planNewCluster(store, created, undefined));
    const target = { cluster: name, kind: 'Cluster', name } as const;
    const outcomes = await Promise.allSettled(
      Array.from({ length: WRITERS }, (_, index) =>
        setObjectFields(store, target, { set: [`spec.cloudLabels.writer-${index}=was-here`], unset: [] }),
      ),
    );
    const { value } = await readStoredObject(store, name, 'Cluster', name);
    const written = Object.keys('cloudLabels' in value.spec ? (value.spec.cloudLabels ?? {}) : {});
    const won = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [`writer-${index}`] : []));
    expect(written.toSorted()).toEqual(won.toSorted());
    expect(won.length).toBeGreaterThan(0);
    const refusals = outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refusals.filter((error) => !(error instanceof ActionableError))).toEqual([]);
    expect(refusals.map(messageOf).filter((message) => !message.includes('somebody else changed it'))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
