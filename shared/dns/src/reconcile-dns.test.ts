import { expect, test } from 'vitest';
import { DnsConflictError } from './dns-conflict.ts';
import { ownerOfCluster } from './owner-mark.ts';
import { reconcileDns } from './reconcile-dns.ts';
import { MemoryZones } from './testdata/memory-zones.ts';
import type { RecordSet } from './zone.ts';

const clusterName = 'demo.example.com';
const a = (name: string, value: string): RecordSet => ({ name, type: 'A', ttlSeconds: 60, values: [value] });
const api = `api.${clusterName}`;
const wishes = { clusterName, owner: ownerOfCluster(clusterName), wanted: [a(api, '10.0.0.2')] };

const signal = new AbortController().signal;
/** Two conflicts are too many, so that the test does not wait. */
const pace = { retries: 1, minTimeout: 1, factor: 1, maxTimeout: 1 };

test('creates what is missing, and changes nothing the second time', async () => {
  const zones = new MemoryZones(['example.com']);
  expect((await reconcileDns(zones, wishes, signal, pace)).done).toEqual([`create A ${api} = 10.0.0.2`]);
  expect(await reconcileDns(zones, wishes, signal, pace)).toEqual({ done: [], blocked: [] });
});

test('lists the zone again when another writer came first', async () => {
  const zones = new MemoryZones(['example.com']);
  zones.beforeChange = () => {
    zones.contents.set('example.com', [a(api, '10.0.0.1')]);
    zones.beforeChange = () => {};
  };
  const { done } = await reconcileDns(zones, wishes, signal, pace);
  expect(done).toEqual([`change A ${api} from 10.0.0.1 to 10.0.0.2`]);
});

test('gives up after too many conflicts', async () => {
  const zones = new MemoryZones(['example.com']);
  let count = 0;
  zones.beforeChange = () => zones.contents.set('example.com', [a(api, `10.0.1.${count++}`)]);
  await expect(reconcileDns(zones, wishes, signal, pace)).rejects.toThrow(DnsConflictError);
  expect(count).toBe(pace.retries + 1);
});

test('changes the other zones when one zone fails', async () => {
  const zones = new MemoryZones(['demo.example.com', 'example.com']);
  let isFirst = true;
  zones.beforeChange = () => {
    if (!isFirst) return;
    isFirst = false;
    throw new Error('refused');
  };
  const both = { ...wishes, wanted: [...wishes.wanted, a('www.example.com', '10.0.0.3')] };
  await expect(reconcileDns(zones, both, signal, pace)).rejects.toThrow('refused');
  expect(zones.contents.get('example.com')).toHaveLength(2);
});
