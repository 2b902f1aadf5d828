import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { clientFiles, ensureCertificates } from './etcd/certificates.ts';
import { openEtcd } from './etcd/client.ts';
import { etcdSettings, memberName, peerUrl, volumeLayout, type StartRequest } from './etcd/settings.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { observeCluster, otherUrl, readMember, type Remembered } from './observe-cluster.ts';
import { planCluster, type ClusterStep } from './plan-cluster.ts';
import { CREATED, printMarker, startedPath } from './store/layout.ts';
import { identityOf, type EtcdUnit, type UnitRunner } from './units/unit-runner.ts';
import { Wake } from '@kopsctl/agent/wake.ts';

/** Neither a mount nor another machine's etcd rings a bell; while something is missing, looking is cheap. */
const MISSING_POLL_MS = 300;
/** systemd restarts an etcd that ends; this loop only has to see what changes slowly. */
const SERVING_POLL_MS = 10_000;
/** Certificates are looked at this often; they are renewed months before they expire. */
const CERTIFICATES_MS = 12 * 60 * 60_000;

export interface ClusterEnv {
  readonly cluster: string;
  readonly address: string;
  readonly store: StateStore;
  readonly units: UnitRunner;
  readonly log: Log;
}

/** Runs this machine's member of one etcd cluster: observe, plan, act, again and again. */
export async function reconcileCluster(config: EtcdClusterConfig, env: ClusterEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  const remembered: Remembered = {};
  const wanted = { name: config.name, ownName: memberName, peerUrl: (member: string) => peerUrl(config, member) };
  const wantedIdentity = (volume: MemberFile, token: string): string =>
    identityOf(
      unitOf({ config, address: env.address, member: volume.member, token, initialState: 'new', initialCluster: '' }),
    );
  let certificatesMs = Number.NEGATIVE_INFINITY;
  let said = '';
  while (!signal.aborted) {
    const volume = await readMember(config.mountPoint);
    if (volume !== undefined && performance.now() - certificatesMs > CERTIFICATES_MS) {
      await ensureCertificates(config, { address: env.address, member: volume.member }, env, signal);
      certificatesMs = performance.now();
    }
    const observed = await observeCluster(config, wantedIdentity, remembered, env, signal);
    const step = planCluster(wanted, observed);
    if (step.summary !== said) {
      if (step.action === 'refuse') env.log.error(`${step.summary}; next: ${step.next}`);
      else env.log.info(`${step.action}: ${step.summary}`);
      said = step.summary;
    }
    await act(config, step, observed.volume, env, signal);
    const pollMs = pollAfter(step);
    if (pollMs !== undefined) await wake.wait(pollMs, signal);
  }
}

function pollAfter(step: ClusterStep): number | undefined {
  switch (step.action) {
    case 'wait':
    case 'start':
      return MISSING_POLL_MS;
    case 'nothing':
    case 'refuse':
      return SERVING_POLL_MS;
    case 'create-marker':
    case 'record-served':
    case 'remove-member':
    case 'add-member':
  }
  return undefined;
}

async function act(
  config: EtcdClusterConfig,
  step: ClusterStep,
  volume: { readonly member: string; readonly members: readonly string[] } | undefined,
  env: ClusterEnv,
  signal: AbortSignal,
): Promise<void> {
  if (volume === undefined) return;
  switch (step.action) {
    case 'create-marker': {
      const token = step.token ?? randomBytes(16).toString('hex');
      const marker = printMarker({ token, members: step.members }, Date.now());
      return writeOnce(`${config.backupPath}/${CREATED}`, marker, env, signal);
    }
    case 'start': {
      const { data } = volumeLayout(config.mountPoint);
      const folder = join(data, step.token);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // etcd 3.4 and newer insist on it, also where it was made by something else.
      await chmod(folder, 0o700);
      return env.units.start(unitOf({ ...step, config, address: env.address, member: volume.member }));
    }
    case 'record-served': {
      const path = `${config.backupPath}/${startedPath(step.token, volume.member)}`;
      return writeOnce(path, `${JSON.stringify({ address: env.address })}\n`, env, signal);
    }
    case 'remove-member':
      return askOther(config, volume, (etcd) => etcd.removeMember(step.id, signal));
    case 'add-member':
      return askOther(config, volume, (etcd) => etcd.addMember(step.peerUrl, signal));
    case 'wait':
    case 'nothing':
    case 'refuse':
  }
}

function unitOf(request: StartRequest): EtcdUnit {
  const { config } = request;
  return {
    name: `etcd-${config.name}`,
    binary: join(config.binDir, 'etcd'),
    mountPoint: config.mountPoint,
    ...etcdSettings(request),
  };
}

/** Writes what only one may write. Somebody else's earlier write is as good: it is read at the next look. */
async function writeOnce(path: string, text: string, env: ClusterEnv, signal: AbortSignal): Promise<void> {
  try {
    await env.store.write(path, Buffer.from(text), { ifAbsent: true }, signal);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    env.log.info(`${path} was written by another machine first`);
  }
}

/** Asks the first of the other members that takes the request. */
async function askOther(
  config: EtcdClusterConfig,
  volume: { readonly member: string; readonly members: readonly string[] },
  request: (etcd: Awaited<ReturnType<typeof openEtcd>>) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const member of volume.members) {
    if (member === volume.member) continue;
    const etcd = await openEtcd(otherUrl(config, member), config.etcdVersion, clientFiles(config.mountPoint));
    try {
      await request(etcd);
      return;
    } catch (error) {
      failures.push(error);
    } finally {
      etcd.close();
    }
  }
  throw new AggregateError(
    failures,
    `no other member of ${config.name} took the request: ${failures.map(String).join('; ')}`,
  );
}
