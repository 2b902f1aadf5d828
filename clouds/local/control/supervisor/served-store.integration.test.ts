import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpStore } from '@kopsctl/state-store/http/http-store.ts';
import { serveStore } from '@kopsctl/state-store/http/serve.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { ageKey } from '@kopsctl/state-store/sealed/age-key.ts';
import { openSealed } from '@kopsctl/state-store/sealed/sealed-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { newIdentity } from '@kopsctl/state-store/testing/new-identity.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stateRights } from '../metadata/state-rights.ts';
import { openServedStore } from './served-store.ts';

const CLUSTER = 'demo.local.test';
const CA = `${CLUSTER}/pki/private/kubernetes-ca/keyset.yaml`;
const GOSSIP = `${CLUSTER}/secrets/gossip-key`;

let folder: string;
let storeUrl: string;
let stateIdentity: string;
const servers: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-served-store-'));
  storeUrl = `file://${folder}/state`;
  stateIdentity = join(folder, 'state-identity');
  const { identity, recipient } = await newIdentity();
  await writeFile(stateIdentity, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600 });
  const store = openSealed(await openStore(storeUrl, {}), {
    openKey: async (name) => ageKey(name, async () => [identity]),
    sealingOf: async () => ({ with: recipient }),
  });
  await store.write(CA, Buffer.from('kind: Keyset'), { ifAbsent: true });
  await store.write(GOSSIP, Buffer.from('first'), { ifAbsent: true });
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  await rm(folder, { recursive: true });
});

/** The store as a machine of this role gets it. */
async function asMachine(
  role: 'ControlPlane' | 'Node',
  identity: string | undefined = stateIdentity,
): Promise<StateStore> {
  const served = await openServedStore({ storeUrl, ...(identity !== undefined && { stateIdentity: identity }) });
  const server = createServer(serveStore(served, () => stateRights(CLUSTER, { role }))).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return createHttpStore(`http://127.0.0.1:${address.port}`);
}

const onDisk = (path: string): Promise<string> => readFile(join(folder, 'state', path), 'utf8');

test('a control plane gets a sealed keyset opened, and a worker does not get it', async () => {
  const stored = await (await asMachine('ControlPlane')).read(CA);
  expect(Buffer.from(stored?.bytes ?? []).toString()).toBe('kind: Keyset');
  await expect((await asMachine('Node')).read(CA)).rejects.toThrow('may not do that');
  expect(await onDisk(CA)).not.toContain('Keyset');
});

test('what a control plane replaces stays sealed, under the version that it read', async () => {
  const machine = await asMachine('ControlPlane');
  const { version = '' } = (await machine.read(GOSSIP)) ?? {};
  await machine.write(GOSSIP, Buffer.from('second'), { ifVersion: version });
  await expect(machine.write(GOSSIP, Buffer.from('third'), { ifVersion: version })).rejects.toMatchObject({
    name: 'ConflictError',
  });
  expect(Buffer.from((await machine.read(GOSSIP))?.bytes ?? []).toString()).toBe('second');
  expect(await onDisk(GOSSIP)).toContain('"format":"kopsctl.io/envelope/v1"');
});

test('a file of identities that others may read is refused', async () => {
  await chmod(stateIdentity, 0o640);
  const served = await openServedStore({ storeUrl, stateIdentity });
  await expect(served.read(CA)).rejects.toMatchObject({
    message: expect.stringContaining('users other than its owner have access to it (mode 0640)'),
    next: `\`chmod 600 ${stateIdentity}\``,
  });
});

test('without the file of identities it is said what to do', async () => {
  await rm(stateIdentity);
  const served = await openServedStore({ storeUrl, stateIdentity });
  await expect(served.read(CA)).rejects.toMatchObject({
    message: expect.stringContaining('there is no such file'),
    next: expect.stringContaining('age-keygen -o FILE'),
  });
  await expect((await openServedStore({ storeUrl })).read(CA)).rejects.toThrow('has no identity file');
});
