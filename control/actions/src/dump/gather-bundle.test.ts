import type { KubeClient } from '@kopsctl/kube/client.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { writeKeyset } from '@kopsctl/pki/keyset-store.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { printSecret } from '@kopsctl/state-store/stored-secret.ts';
import { expect, test } from 'vitest';
import { type Bundle, gatherObjects, gatherStore, part } from './gather-bundle.ts';
import { knownSecrets } from './known-secrets.ts';
import { redactor } from '@kopsctl/agent/redact.ts';

const SIGNAL = new AbortController().signal;

test('no secret that was planted anywhere is in a bundle', async () => {
  const store = createMemoryStore();
  const write = (path: string, text: string) => store.write(`demo/${path}`, Buffer.from(text), { ifAbsent: true });
  const planted = 'planted-secret-0123456789';
  const keyset = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: 0 });
  await writeKeyset(store, 'demo', keyset, undefined);
  const key = keyset.items[0]?.privateKeyPem ?? '';
  const keyLine = key.split('\n')[1] ?? '';
  await write('secrets/dockerconfig', printSecret(Buffer.from(planted)));
  await write('secrets/odd', planted);
  await write('config', `a: ${planted}\nb: ${Buffer.from(planted).toString('base64')}\n`);
  await write('nodes/n/boot-report.json', JSON.stringify({ error: `cannot use ${key}` }));
  await write('nodes/n/machine-report.json', JSON.stringify({ errors: [`kubelet: ${planted} is refused`] }));
  await write('manifests/kopsctl/rolling-update.json', JSON.stringify({ state: 'paused', reason: planted }));
  await write('node-plans/abc.json', JSON.stringify({ tasks: [{ props: { content: keyLine } }] }));
  await write('user-data/nodes', planted);
  await write('backups/etcd/main/control/status/a.json', JSON.stringify({ decision: planted }));

  const pod = {
    metadata: { name: 'p', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'other-secret' } },
    spec: { containers: [{ name: 'c', env: [{ name: 'DB', value: 'other-secret' }], args: [planted] }] },
  };
  const asked: string[] = [];
  const get = async (path: string): Promise<unknown> => {
    asked.push(path);
    return { items: [pod], metadata: {} };
  };
  const bundle: Bundle = new Map();
  await gatherStore(bundle, store, 'demo', SIGNAL);
  await gatherObjects(bundle, { get } as unknown as KubeClient, SIGNAL);
  bundle.set('machines/n/journal.txt', `kubelet: ${planted} ${keyLine}`);

  const clean = redactor(await knownSecrets(store, 'demo', SIGNAL));
  const text = [...bundle].map(([path, content]) => `${path}\n${clean(content)}`).join('\n');
  const base64 = (of: string) => Buffer.from(of).toString('base64').replace(/=+$/, '');
  for (const secret of [planted, base64(planted), keyLine, base64(key), 'other-secret']) {
    expect(text).not.toContain(secret);
  }
  // It says where things are, and what they are beside that.
  expect(text).toContain('demo/secrets/dockerconfig');
  expect(text).toContain('cannot use');
  expect(text).toContain('is refused');
  expect(text).toContain('paused');
  expect([...bundle.keys()].filter((path) => path.includes('secrets') || path.includes('pki'))).toEqual([]);
  expect(asked.filter((path) => path.includes('secrets') || path.includes('configmaps'))).toEqual([]);
});

test('a part that cannot be gathered is a file that says why', async () => {
  const bundle: Bundle = new Map();
  await part(bundle, 'cluster', async () => {
    throw new Error('connection refused');
  });
  expect([...bundle]).toEqual([['cluster.failed.txt', 'connection refused\n']]);
});
