import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { GUARD_BEGIN, GUARD_END } from '../hosts/plan-hosts.ts';
import { LatestNames } from '../hosts/name-source.ts';
import { Latest } from '../latest.ts';
import { reconcileGossip } from './reconcile-gossip.ts';

const API = 'api.internal.demo.k8s.local';
const PORT = 3998;
const WAIT = { timeout: 30_000, interval: 50 };
/** All of 127.0.0.0/8 is this machine; no other process uses this part of it. */
const subnet = `127.${150 + (Math.floor(process.pid / 256) % 50)}.${process.pid % 256}`;
const [CONTROL_PLANE, WORKER] = [`${subnet}.1`, `${subnet}.2`];

let folder: string;
const running: { readonly ended: AbortController; readonly done: Promise<unknown> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-gossip-'));
  await writeFile(join(folder, 'keys'), `${randomBytes(32).toString('base64')}\n`);
});
afterEach(async () => {
  for (const { ended } of running) ended.abort();
  await Promise.allSettled(running.splice(0).map(({ done }) => done));
  await rm(folder, { recursive: true });
});

/** The names a machine learns; `machines` is the cloud's list, for a machine that may ask for it. */
async function start(
  role: NodeRole,
  address: string,
  { hosts = '', machines }: { readonly hosts?: string; readonly machines?: Latest<CloudMachine> },
): Promise<{ readonly names: LatestNames; readonly count: () => number }> {
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
    gossip: { port: PORT, keysFile: join(folder, 'keys') },
  };
  const names = new LatestNames();
  const ended = new AbortController();
  let members = 1;
  const onMembers = (count: number): void => void (members = count);
  const env = {
    ...(machines && { machines }),
    names,
    hostsPath,
    onMembers,
    log: makeLog(() => undefined, true, 'test'),
  };
  running.push({ ended, done: reconcileGossip(config, env, ended.signal) });
  return { names, count: () => members };
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
    const socket = connect(PORT, WORKER);
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
