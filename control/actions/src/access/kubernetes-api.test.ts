import { expect, test } from 'vitest';
import { connectKubernetesApi } from './kubernetes-api.ts';

const ADDRESS = { server: 'https://api.demo.example.com' };
const SIGNAL = new AbortController().signal;

/** An API server with these objects, which answers with pages as long as is asked for. */
function serving(objects: Readonly<Record<string, readonly unknown[]>>) {
  const asked: string[] = [];
  const get = async (path: string): Promise<unknown> => {
    asked.push(path);
    const url = new URL(path, ADDRESS.server);
    const all = objects[url.pathname] ?? [];
    const from = Number(url.searchParams.get('continue') ?? 0);
    const to = from + Number(url.searchParams.get('limit'));
    return {
      items: all.slice(from, to),
      metadata: { resourceVersion: '7', ...(to < all.length ? { continue: `${to}` } : {}) },
    };
  };
  return { api: connectKubernetesApi(ADDRESS, { get }), asked };
}

test('a thousand Nodes are listed in pages, and each once', async () => {
  const nodes = Array.from({ length: 1001 }, (_, index) => ({ metadata: { name: `n${index}` } }));
  const { api, asked } = serving({ '/api/v1/nodes': nodes });
  const found = await api.nodes(SIGNAL);
  expect(new Set(found.map(({ name }) => name)).size).toBe(1001);
  expect(asked).toHaveLength(3);
});

test('of a Node is read what validation needs, and nothing that moves a cursor', async () => {
  const node = {
    metadata: {
      name: 'n',
      labels: { 'topology.kubernetes.io/zone': 'a' },
      annotations: { 'kopsctl.io/protokube': '{}' },
    },
    status: {
      nodeInfo: { machineID: 'm' },
      addresses: [
        { type: 'InternalIP', address: '10.0.0.1' },
        { type: 'Hostname', address: 'n' },
      ],
      conditions: [{ type: 'Ready', status: 'False', message: '\u001b[2Jwell' }, 'hostile'],
    },
  };
  const { api } = serving({ '/api/v1/nodes': [node, 'hostile'] });
  expect(await api.nodes(SIGNAL)).toEqual([
    {
      name: 'n',
      machineId: 'm',
      zone: 'a',
      hostname: 'n',
      internalAddresses: ['10.0.0.1'],
      state: '{}',
      conditions: [
        { type: 'Ready', status: 'False', message: '\ufffd[2Jwell' },
        { type: '', status: '' },
      ],
    },
    { name: '', machineId: undefined, internalAddresses: [], conditions: [] },
  ]);
});

test('a server that does not answer is given up, and named', async () => {
  let ended: AbortSignal | undefined;
  const get = (_path: string, signal: AbortSignal) => {
    ended = signal;
    return new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
  const asking = connectKubernetesApi(ADDRESS, { get }, 5).nodes(SIGNAL);
  await expect(asking).rejects.toThrow(
    'ask the Kubernetes API at https://api.demo.example.com: no answer within 0.005 s',
  );
  expect(ended?.aborted).toBe(true);
});
