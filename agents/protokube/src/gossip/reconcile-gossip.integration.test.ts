import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import { encodeRecord, encodeSignedRecord } from '@kopsctl/gossip/records/record-codec.ts';
import { RecordSigner } from '@kopsctl/gossip/records/signed/record-signer.ts';
import { encodeMessage } from '@kopsctl/gossip/wire/encode-message.ts';
import type { Message } from '@kopsctl/gossip/wire/message.ts';
import { sealPacket } from '@kopsctl/gossip/wire/packet.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { GossipSigning } from '@kopsctl/node-plan/agent-config.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { type Keyset, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { GUARD_BEGIN, GUARD_END, type HostRecord } from '../hosts/plan-hosts.ts';
import { LatestNames } from '../hosts/name-source.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { parseKeys, printKeys } from './gossip-keys.ts';
import { fingerprintOf } from './key-holders.ts';
import { RunningRing } from './running-ring.ts';
import { reconcileGossip } from './reconcile-gossip.ts';

const API = 'api.internal.demo.k8s.local';
const PORTS = { 'control-plane': 3999, workers: 3998 };
const WAIT = { timeout: 30_000, interval: 50 };
/** Members exchange all that they know every 30 s: one that is taken for gone hears of it then at the latest. */
const WAIT_FOR_EXCHANGE = { timeout: 90_000, interval: 50 };
/** All of 127.0.0.0/8 is this machine; no other process uses this part of it. */
const subnet = `127.${150 + (Math.floor(process.pid / 256) % 50)}.${process.pid % 256}`;
const [CONTROL_PLANE, WORKER] = [`${subnet}.1`, `${subnet}.2`];

let authority: Keyset;
beforeAll(async () => {
  authority = await createCertificateAuthority({ commonName: 'gossip-records-ca', nowMs: Date.now() });
});

let folder: string;
const running: { readonly ended: AbortController; readonly done: Promise<unknown> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-gossip-'));
  for (const ring of ['control-plane', 'workers'])
    await writeFile(join(folder, `keys-${ring}`), `${randomBytes(32).toString('base64')}\n`);
  await writeFile(join(folder, 'authorities'), trustedCertificates(authority));
});
afterEach(async () => {
  for (const { ended } of running) ended.abort();
  await Promise.allSettled(running.splice(0).map(({ done }) => done));
  await rm(folder, { recursive: true });
});

/** Also remembers all earlier names. */
class AllNames extends LatestNames {
  readonly all: (readonly HostRecord[])[] = [];

  override set(records: readonly HostRecord[]): void {
    this.all.push(records);
    super.set(records);
  }
}

/** What a machine with an API server signs with. */
async function certify(role: NodeRole, address: string): Promise<NonNullable<GossipSigning['identity']>> {
  const leaf = await issueLeaf({
    authority,
    commonName: `at-${address}`,
    organizations: [role],
    ipAddresses: [address],
    usages: ['client'],
    validityDays: 1,
    nowMs: Date.now(),
  });
  const [certificateFile, keyFile] = [join(folder, `crt-${address}`), join(folder, `key-${address}`)];
  await writeFile(certificateFile, leaf.certificatePem);
  await writeFile(keyFile, leaf.privateKeyPem);
  return { certificateFile, keyFile };
}

/** The names a machine learns; `machines` is the cloud's list, for a machine that may ask for it. */
async function start(
  role: NodeRole,
  address: string,
  { hosts = '', machines }: { readonly hosts?: string; readonly machines?: Latest<CloudMachine> },
): Promise<{ readonly names: AllNames; readonly count: () => number; readonly ring: RunningRing }> {
  const hostsPath = join(folder, `hosts-${address}`);
  await writeFile(hostsPath, hosts);
  const config = {
    cluster: 'demo.k8s.local',
    cloud: 'local',
    stateStore: '',
    role,
    nodeName: `at-${address}`,
    address,
    volumes: [],
    hosts: [{ name: API, role: 'ControlPlane' as const }],
    state: { kubeconfig: '' },
    gossip: {
      rings: (role === 'Node' ? (['workers'] as const) : (['control-plane', 'workers'] as const)).map((name) => ({
        name,
        port: PORTS[name],
        keysFile: join(folder, `keys-${name}`),
      })),
      signing: {
        authoritiesFile: join(folder, 'authorities'),
        ...(role !== 'Node' && { identity: await certify(role, address) }),
      },
    },
  };
  const names = new AllNames();
  const ring = new RunningRing();
  const ended = new AbortController();
  let members = 1;
  const onMembers = (count: number): void => void (members = count);
  const env = {
    ...(machines && { machines }),
    names,
    hostsPath,
    onMembers,
    running: ring,
    log: makeLog(() => undefined, true, 'test'),
  };
  for (const one of config.gossip.rings) {
    const { names: _none, onMembers: _nobody, ...silent } = env;
    const own = one.name === 'workers' ? env : { ...silent, running: new RunningRing() };
    running.push({ ended, done: reconcileGossip(config, one, own, ended.signal) });
  }
  return { names, count: () => members, ring };
}

function listed(...addresses: readonly (readonly [string, NodeRole])[]): Latest<CloudMachine> {
  const machines = new Latest<CloudMachine>();
  const items = addresses.map(([address, role]) => ({
    instanceId: address,
    nodeName: address,
    address,
    externalAddresses: [],
    role,
    instanceGroup: 'g',
    running: true,
  }));
  machines.set({ items, revision: '1' });
  return machines;
}

const API_IS_THERE = [{ name: API, addresses: [CONTROL_PLANE] }];

test('a worker that cannot list machines keeps the names it knew until a control plane joins it', async () => {
  const worker = await start('Node', WORKER, {});
  await vi.waitFor(async () => {
    const socket = connect(PORTS.workers, WORKER);
    await once(socket, 'connect').finally(() => socket.destroy());
  }, WAIT);
  expect(worker.names.records()).toBeUndefined();
  await start('ControlPlane', CONTROL_PLANE, { machines: listed([CONTROL_PLANE, 'ControlPlane'], [WORKER, 'Node']) });
  await vi.waitFor(() => expect(worker.names.records()).toEqual(API_IS_THERE), WAIT);
});

test('a worker joins the control planes in its own hosts file', async () => {
  const controlPlane = await start('ControlPlane', CONTROL_PLANE, { machines: listed() });
  const hosts = `127.0.0.1\tlocalhost\n${GUARD_BEGIN}\n${CONTROL_PLANE}\t${API}\n${GUARD_END}\n`;
  const worker = await start('Node', WORKER, { hosts });
  await vi.waitFor(() => expect(worker.names.records()).toEqual(API_IS_THERE), WAIT);
  await vi.waitFor(() => expect(controlPlane.count()).toBe(2), WAIT);
});

test('members tell which keys they hold, so that the leader knows when the next one may encrypt', async () => {
  const controlPlane = await start('ControlPlane', CONTROL_PLANE, {
    machines: listed([CONTROL_PLANE, 'ControlPlane'], [WORKER, 'Node']),
  });
  await start('Node', WORKER, {});
  const [key] = parseKeys(await readFile(join(folder, 'keys-workers'), 'utf8'), 'keys');
  if (key === undefined) throw new Error('a key was written');
  const held = [CONTROL_PLANE, WORKER].map((address) => ({ name: `at-${address}`, keys: [fingerprintOf(key)] }));
  await vi.waitFor(() => expect(controlPlane.ring.use()?.members).toEqual(held), WAIT);
  expect(controlPlane.ring.use()?.messages).toBeGreaterThan(0);
});

test("whoever holds the workers' key moves, deletes and removes no name", async () => {
  await start('ControlPlane', CONTROL_PLANE, {
    machines: listed([CONTROL_PLANE, 'ControlPlane'], [WORKER, 'Node']),
  });
  const { names, count } = await start('Node', WORKER, {});
  await vi.waitFor(() => expect(names.records()).toEqual(API_IS_THERE), WAIT);
  names.all.length = 0;

  const secrecy = {
    keys: parseKeys(await readFile(join(folder, 'keys-workers'), 'utf8'), 'keys').map(({ key }) => key),
    label: 'demo.k8s.local',
  };
  const [owner, count32] = [`at-${CONTROL_PLANE}`, 2 ** 32 - 1];
  const record = { name: API, type: 'A', owner, addresses: ['6.6.6.6'], isDeleted: false };
  const soon = { ms: Date.now() + 60_000, count: count32 };
  const forged = await certify('Node', '127.0.0.66').then(async (paths) => ({
    certificatePem: await readFile(paths.certificateFile, 'utf8'),
    privateKeyPem: await readFile(paths.keyFile, 'utf8'),
  }));
  const versions = { protocolMin: 1, protocolMax: 5, protocol: 2, delegateMin: 0, delegateMax: 0, delegate: 0 };
  const said: readonly Message[] = [
    ...[
      encodeRecord({ ...record, stamp: soon }),
      encodeRecord({ ...record, stamp: { ms: 2 ** 47, count: count32 } }),
      encodeRecord({ ...record, addresses: [], isDeleted: true, stamp: soon }),
      encodeRecord({ ...record, owner: 'stolen', stamp: soon }),
      // Certified, for another name and role.
      encodeSignedRecord(new RecordSigner(forged, secrecy.label).sign({ ...record, stamp: soon })),
      encodeSignedRecord(
        new RecordSigner(forged, secrecy.label).sign({
          ...record,
          owner: 'at-127.0.0.66',
          addresses: ['127.0.0.66'],
          stamp: soon,
        }),
      ),
    ].map((payload) => ({ kind: 'user', payload }) as const),
    { kind: 'dead', node: owner, incarnation: count32, from: owner },
    { kind: 'dead', node: owner, incarnation: 1000, from: owner },
    { kind: 'dead', node: owner, incarnation: 2000, from: 'stolen' },
  ];
  const newcomer = {
    kind: 'alive',
    node: 'stolen',
    address: `${subnet}.66`,
    port: PORTS.workers,
    meta: new Uint8Array(),
    versions,
  } as const;
  const socket = createSocket('udp4');
  let incarnation = 0;
  const say = (): void => {
    incarnation += 1;
    // The newcomer comes last: once it is a member, all others have been heard.
    for (const message of [...said, { ...newcomer, incarnation }]) {
      const form = { compress: false, checksum: false, nonce: randomBytes(12) };
      socket.send(sealPacket([encodeMessage(message)], secrecy, form), PORTS.workers, WORKER);
    }
  };
  say();
  // On a busy machine a packet may be lost, or the newcomer, who does not answer, be declared dead before anybody looks.
  await vi.waitFor(() => {
    if (count() !== 3) say();
    expect(count()).toBe(3);
  }, WAIT_FOR_EXCHANGE);
  socket.close();
  await vi.waitFor(() => expect(names.records()).toEqual(API_IS_THERE), WAIT);
  // At worst the control plane seemed to be away for a moment.
  for (const records of names.all) expect(records.map(({ addresses }) => addresses)).toEqual([[CONTROL_PLANE]]);
});

test('a machine waits for its files, and takes other keys while it runs', async () => {
  const [keysFile, authoritiesFile] = [join(folder, 'keys-workers'), join(folder, 'authorities')];
  const keysText = await readFile(keysFile, 'utf8');
  await Promise.all([rm(keysFile), rm(authoritiesFile)]);
  const worker = await start('Node', WORKER, {});
  await replaceFile(keysFile, keysText, { mode: 0o600 });
  await replaceFile(authoritiesFile, trustedCertificates(authority), { mode: 0o644 });
  const controlPlane = await start('ControlPlane', CONTROL_PLANE, {
    machines: listed([CONTROL_PLANE, 'ControlPlane'], [WORKER, 'Node']),
  });
  await vi.waitFor(() => expect(worker.names.records()).toEqual(API_IS_THERE), WAIT);
  const next = { key: randomBytes(32) };
  const keys = [...parseKeys(keysText, keysFile), next];
  // A damaged file changes nothing.
  await replaceFile(keysFile, 'no key\n', { mode: 0o600 });
  await replaceFile(keysFile, printKeys(keys), { mode: 0o600 });
  const held = keys.map(fingerprintOf);
  await vi.waitFor(
    () => expect(controlPlane.ring.use()?.members.map((member) => member.keys)).toEqual([held, held]),
    WAIT,
  );
});
