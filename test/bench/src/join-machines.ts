import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processLog } from '@kopsctl/agent/log.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { kubeClient, type KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord } from '@kopsctl/kube/json.ts';
import { rbacObjects } from '@kopsctl/model/addons/rbac.ts';
import { AUTHORITY_USER } from '@kopsctl/node-identity/addresses.ts';
import { BROKER_PATHS } from '@kopsctl/node-identity/broker-messages.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { applyObjects } from '@kopsctl/test-peers/apply-objects.ts';
import { freePort } from '@kopsctl/test-peers/free-port.ts';
import { providePeer } from '@kopsctl/test-peers/provide.ts';
import { startApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { kill, peakMiB, processorSeconds } from './child-process.ts';
import { lastWordsOf, startAuthority } from './joining/authority-process.ts';
import { serveCountedBroker } from './joining/counted-broker.ts';
import { printJoining } from './joining/joining-figures.ts';
import { badMachines, goodMachines } from './joining/machine-list.ts';
import { startSigner } from './joining/signer.ts';
import { SimulatedMachines } from './joining/simulated-machines.ts';
import { until } from './until.ts';

/**
 * A thousand machines join at once while attackers answer in place of two hundred others. The authority, its broker, the
 * API server, etcd and kube-controller-manager are real; the machines run the machine's side at addresses of this computer,
 * without boot reports. Prints Markdown tables; exits with 1 if a mark is missed. `node test/bench/src/join-machines.ts
 * [machines] [bad machines]`
 */
const [count = 1000, badCount = 200] = process.argv.slice(2).map(Number);

const CLUSTER = 'bench.example.com';
/** All programs start in this time. */
const FIRST_WITHIN_MS = 120_000;
/** Long after the mark: how late they are is worth knowing. */
const ALL_WITHIN_MS = 300_000;
const TOLD_WITHIN_MS = 30_000;
const SHOWN_FAILURES = 5;

const folder = await mkdtemp(join(tmpdir(), 'kopsctl-joining-'));
const ended = new AbortController();
const { signal } = ended;
/** What is started, to be stopped in the opposite order. */
const stops: (() => Promise<void>)[] = [];
try {
  const kubernetes = await providePeer('kubernetes-newest');
  const etcd = await providePeer('etcd-3.6');
  const nowMs = Date.now();
  // Before the clock starts one machine joins: then all programs run, and the permissions are there.
  const good = goodMachines(count + 1, nowMs);
  const bad = badMachines(badCount, nowMs);
  const [authorityCa, clusterCa, servingCa] = await Promise.all([
    createCertificateAuthority({ commonName: 'node-authority-ca', nowMs }),
    createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs }),
    createCertificateAuthority({ commonName: 'kubelet-serving-ca', nowMs }),
  ]);
  const machinePort = await freePort();
  const trusted = { cluster: CLUSTER, authorityCa: trustedCertificates(authorityCa) };
  const simulated = await SimulatedMachines.start({
    trusted,
    servingCa: trustedCertificates(servingCa),
    port: machinePort,
    good,
    bad,
  });
  stops.push(() => simulated.stop());

  const enrolled = bad.filter(({ kind }) => kind === 'other-key');
  const broker = await serveCountedBroker(
    { cluster: CLUSTER, folder, clusterCa, cloudKey: simulated.cloudKey, enrolled, log: processLog({}, 'broker') },
    signal,
  );
  broker.machines.set({ revision: '1', items: good.slice(0, 1) });

  const programs = { apiServer: join(kubernetes.root, 'kube-apiserver'), etcd: join(etcd.root, 'etcd') };
  const api = await startApiServer(programs);
  stops.push(() => api.stop());
  const kube = kubeClient(api.kubeconfig);
  await applyObjects(kube, rbacObjects(RECOMMENDED_KUBERNETES), signal);
  const program = join(kubernetes.root, 'kube-controller-manager');
  const signer = await startSigner({ program, kubeconfig: api.kubeconfig, folder, clusterCa, servingCa });
  stops.push(() => kill(signer));
  const authority = await startAuthority({
    cluster: CLUSTER,
    broker: broker.socket,
    machinePort,
    kubeconfig: await api.kubeconfigOf(AUTHORITY_USER, []),
    folder,
    authorityCa,
  });
  stops.push(() => kill(authority));
  const authorityStartMs = performance.now();
  await simulated.joined(1, FIRST_WITHIN_MS).catch(async (error: unknown) => {
    await explain(error);
    throw error;
  });

  const atRest = { mib: await peakMiB(authority), cpuSeconds: await processorSeconds(authority) };
  const startMs = performance.now();
  broker.machines.set({ revision: '2', items: [...good, ...bad] });
  await simulated.joined(good.length, ALL_WITHIN_MS).catch(explain);
  // Those with the evidence of another machine are refused while others join, and reported a moment later.
  await until('the events of refused machines', () => isTold(kube, enrolled.length), TOLD_WITHIN_MS).catch(explain);

  const printed = printJoining({
    machines: count,
    joinedSeconds: [...simulated.joinedMs.values()].slice(1).map((ms) => (ms - startMs) / 1000),
    peakMiB: await peakMiB(authority),
    peakMiBBefore: atRest.mib,
    cpuSeconds: (await processorSeconds(authority)) - atRest.cpuSeconds,
    authoritySeconds: (performance.now() - authorityStartMs) / 1000,
    asked: broker.calls,
    lists: broker.calls.get(BROKER_PATHS.machines) ?? 0,
    failures: simulated.failures.length,
    floodKinds: new Set(bad.map(({ kind }) => kind)).size,
    flood: simulated.calls,
    taken: simulated.taken,
    refusalEvents: await refusalEvents(kube),
    refused: enrolled.length,
  });
  process.stdout.write(printed.text);
  if (printed.missed) process.exitCode = 1;

  async function explain(error: unknown): Promise<void> {
    process.stderr.write(`${messageOf(error)}\n${simulated.failures.slice(-SHOWN_FAILURES).join('\n')}\n`);
    process.stderr.write(`node-authority has said at last:\n${await lastWordsOf(folder)}\n`);
    process.exitCode = 1;
  }
} finally {
  ended.abort();
  for (const stop of stops.toReversed()) await stop();
  await rm(folder, { recursive: true, force: true });
}

async function isTold(kube: KubeClient, refused: number): Promise<boolean> {
  return (await refusalEvents(kube)) >= Math.min(refused, 1);
}

async function refusalEvents(kube: KubeClient): Promise<number> {
  const path = '/api/v1/namespaces/default/events?fieldSelector=reason%3DAttestationRefused';
  return asArray(asRecord(await kube.get(path, signal))['items']).length;
}
