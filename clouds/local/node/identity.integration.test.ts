import { once } from 'node:events';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { afterEach, expect, test } from 'vitest';
import { createMetadataServer, type MetadataEnv } from '../control/metadata/metadata-server.ts';
import type { MachineView } from '../control/records/records.ts';
import { Revisions } from '../control/supervisor/revisions.ts';
import { localIdentity, localVerifier, localVerifierFacts } from './identity.ts';

const CLUSTER = 'demo.local.test';
const CHALLENGE = Buffer.alloc(32, 1);
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const machine: MachineView = {
  name: 'nodes-1',
  nodeName: 'nodes-1',
  instanceGroup: 'nodes',
  role: 'Node',
  zone: 'a',
  tags: {},
  userDataHash: '',
  layers: [],
  address: '127.0.0.1',
  machineId: '',
  wanted: 'running',
  createdMs: 0,
  state: 'running',
  boots: 1,
};

/** The metadata service of a cluster in which this computer is the machine nodes-1. */
async function metadata(cluster: string): Promise<string> {
  const none = async (): Promise<never> => Promise.reject(new Error('nothing of this test attaches volumes'));
  const env: MetadataEnv = {
    cluster,
    revisions: new Revisions('life'),
    assetsDir: () => '/',
    store: createMemoryStore,
    machines: () => [machine],
    volumes: () => [],
    attach: none,
    detach: none,
  };
  const server = createMetadataServer(env).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

/** A verifier of this cluster, which the metadata service tells its key. */
const verifierAt = (url: string, cluster = CLUSTER) => localVerifier({ cluster, facts: localVerifierFacts(url) });

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

test('a document is good for its machine, its challenge and its cluster, if the service signed it', async () => {
  const url = await metadata(CLUSTER);
  const document = await localIdentity(url).evidence(CHALLENGE, signal());
  const verifier = verifierAt(url);
  expect(await verifier.verify(document, CHALLENGE, signal())).toEqual({ instanceId: 'nodes-1' });

  await expect(verifier.verify(document, Buffer.alloc(32, 2), signal())).rejects.toThrow('another challenge');
  const elsewhere = verifierAt(url, 'other.local.test');
  await expect(elsewhere.verify(document, CHALLENGE, signal())).rejects.toThrow('another cluster');
  const other = verifierAt(await metadata(CLUSTER));
  await expect(other.verify(document, CHALLENGE, signal())).rejects.toThrow('not signed by the cloud');
});

test.each([undefined, null, '', {}, [], { statement: 'e30', signature: 1 }])(
  '%j is not a document',
  async (evidence) => {
    const verifier = verifierAt(await metadata(CLUSTER));
    await expect(verifier.verify(evidence, CHALLENGE, signal())).rejects.toThrow('not a document of a local cloud');
  },
);

test.each([Buffer.alloc(0), Buffer.alloc(31), Buffer.alloc(33)])('no document is signed for %o', async (challenge) => {
  await expect(localIdentity(await metadata(CLUSTER)).evidence(challenge, signal())).rejects.toThrow('32 bytes');
});
