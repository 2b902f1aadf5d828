import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { placedBySpec } from './place-state.ts';

const CONFIG = 'demo.example.com/config';
const CA = 'demo.example.com/pki/private/kubernetes-ca/keyset.yaml';
const BACKUP = 'demo.example.com/backups/etcd/main/_etcd_backup.meta';

const bytes = (text: string) => Buffer.from(text);
const spec = (fields: string) =>
  bytes(`apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nmetadata:\n  name: demo.example.com\nspec:\n${fields}`);

function fixture() {
  const own = createMemoryStore({ url: 'memory://state' });
  const others = new Map<string, StateStore>();
  const reads: string[] = [];
  const watched: StateStore = {
    ...own,
    read(path, signal) {
      reads.push(path);
      return own.read(path, signal);
    },
  };
  const store = placedBySpec(watched, async (url) => {
    const other = others.get(url) ?? createMemoryStore({ url });
    others.set(url, other);
    return other;
  });
  return { own, store, others, reads };
}

test('keysets and backups are where the spec puts them', async () => {
  const { store, others } = fixture();
  const fields =
    '  keyStore: memory://keys\n  etcdClusters:\n  - name: main\n    backups:\n      backupStore: memory://backups/main\n';
  await store.write(CONFIG, spec(fields), { ifAbsent: true });
  await store.write(CA, bytes('ca'), { ifAbsent: true });
  await store.write(BACKUP, bytes('{}'), { ifAbsent: true });

  expect(await others.get('memory://keys')?.read('private/kubernetes-ca/keyset.yaml')).toBeDefined();
  expect(await others.get('memory://backups/main')?.read('_etcd_backup.meta')).toBeDefined();
});

test('the folders of the cluster itself are no other places, with or without configBase', async () => {
  for (const base of ['', '  configBase: s3://bucket/demo.example.com\n']) {
    const { own, store, others } = fixture();
    const at = base === '' ? 'memory://state/demo.example.com' : 's3://bucket/demo.example.com';
    await store.write(CONFIG, spec(`${base}  keyStore: ${at}/pki/\n`), { ifAbsent: true });
    await store.write(CA, bytes('ca'), { ifAbsent: true });
    expect(await own.read(CA)).toBeDefined();
    expect(others.size).toBe(0);
  }
});

test('a spec is read once, and again after it was written', async () => {
  const { store, reads, others } = fixture();
  await store.read(CA);
  const { version } = await store.write(CONFIG, spec('  cloudProvider: aws\n'), { ifAbsent: true });
  reads.length = 0;
  await Promise.all([store.read(CA), store.read(CA), store.read(BACKUP)]);
  expect(reads.filter((path) => path === CONFIG)).toHaveLength(1);

  await store.write(CONFIG, spec('  keyStore: memory://keys\n'), { ifVersion: version });
  expect(await store.read(CA)).toBeUndefined();
  expect([...others.keys()]).toEqual(['memory://keys']);
});
