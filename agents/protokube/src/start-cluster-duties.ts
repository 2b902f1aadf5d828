import { randomBytes } from 'node:crypto';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { AgentEnv, Start } from './agent-env.ts';
import { type GossipKeysEnv, reconcileGossipKeys } from './gossip/reconcile-gossip-keys.ts';
import type { Rings } from './gossip/running-ring.ts';
import { type AddonsEnv, reconcileAddons } from './addons/reconcile-addons.ts';
import { factsOfFiles } from './addons/machine-files.ts';
import { storeFacts } from './addons/store-facts.ts';
import { reconcileNames } from './dns/reconcile-names.ts';
import { type KubeClient, kubeClient } from '@kopsctl/kube/client.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import { Leadership, reconcileLease } from './leader/reconcile-lease.ts';
import { reconcileNodeLabels } from './node-labels/reconcile-node-labels.ts';
import { reconcilePodNetworks } from './pod-networks/reconcile-pod-networks.ts';
import { reconcilePodRanges } from './pod-networks/reconcile-pod-ranges.ts';
import { reconcileRevocation } from './revocation/reconcile-revocation.ts';
import { revokedMarks } from './revocation/revoked-marks.ts';
import type { StateBoard } from './state/state-board.ts';

interface ClusterDutiesEnv extends AgentEnv {
  readonly machines: Latest<CloudMachine>;
  readonly volumes: Latest<CloudVolume>;
  readonly board: StateBoard;
  readonly rings: Rings;
}

/** Starts the reconcilers that act for the whole cluster, most of them only while this control plane leads. */
export function startClusterDuties(config: ProtokubeConfig, env: ClusterDutiesEnv, start: Start): void {
  const { addons, podNetworks, podRanges, nodeMarks, dns } = config;
  const first = addons ?? podNetworks ?? podRanges ?? nodeMarks ?? dns;
  if (config.role !== 'ControlPlane' || first === undefined) return;
  const kube = kubeClient(first.kubeconfig);
  const leadership = new Leadership((isHeld) => env.board.leads(isHeld));
  start('leader', (log, signal) => reconcileLease(config.nodeName, leadership, { kube, log }, signal));
  const leaderEnv = { ...env, kube, leadership };
  startNodeDuties(config, leaderEnv, start);
  startRevocation(config, leaderEnv, start);
  startNames(config, leaderEnv, start);
  startGossipKeys(config, leaderEnv, start);
  startAddons(config, leaderEnv, start);
}

interface LeaderEnv extends ClusterDutiesEnv {
  readonly kube: KubeClient;
  readonly leadership: Leadership;
}

/** What nodes need from the cluster: pod networks, labels and taints. */
function startNodeDuties(config: ProtokubeConfig, env: LeaderEnv, start: Start): void {
  const { cluster, podNetworks, podRanges, nodeMarks } = config;
  const { kube, leadership, machines, cloud } = env;
  if (podNetworks !== undefined) {
    start('pod-networks', (log, signal) =>
      reconcilePodNetworks(podNetworks.range, { kube, machines, leadership, log }, signal),
    );
  }
  if (podRanges !== undefined) {
    const { podRanges: ranges } = cloud;
    start('pod-ranges', async (log, signal) => {
      if (ranges === undefined) throw new Error(`${config.cloud} gives machines no ranges for their pods`);
      await reconcilePodRanges({ kube, machines, ranges, leadership, log }, signal);
    });
  }
  if (nodeMarks !== undefined) {
    start('node-labels', async (log, signal) => {
      const store = await env.openStore();
      await reconcileNodeLabels({ cluster, store, kube, machines, leadership, log }, signal);
    });
  }
}

/** Keeps out machines that a person has revoked. */
function startRevocation({ cluster }: ProtokubeConfig, env: LeaderEnv, start: Start): void {
  const { kube, leadership } = env;
  start('revocation', async (log, signal) => {
    const store = await env.openStore();
    await reconcileRevocation({ cluster, store, kube, leadership, nowMs: Date.now, log }, signal);
  });
}

/** The cluster's records in its zone. */
function startNames(config: ProtokubeConfig, env: LeaderEnv, start: Start): void {
  const { dns } = config;
  const { kube, leadership, machines, volumes } = env;
  if (dns !== undefined) {
    const openZone = (signal: AbortSignal) => env.openZone(dns, signal);
    start('dns', (log, signal) =>
      reconcileNames(config, dns, { kube, machines, volumes, leadership, openZone, log }, signal),
    );
  }
}

/** The keys of gossip, which are changed before they are used up, and when a machine that has them has been revoked. */
function startGossipKeys({ cluster }: ProtokubeConfig, env: LeaderEnv, start: Start): void {
  for (const [{ name, keysFile, keysSecret: secret }, ring] of env.rings) {
    if (secret === undefined) continue;
    start(`gossip-keys ${name}`, async (log, signal) => {
      const store = await env.openStore();
      const marks = revokedMarks(cluster, store, log);
      const revoked: GossipKeysEnv['revoked'] = (inner) => marks.read(inner);
      const keysEnv = { cluster, store, ring, revoked, leadership: env.leadership, freshKey, nowMs: Date.now, log };
      await reconcileGossipKeys({ keysFile, secret }, keysEnv, signal);
    });
  }
}

/** A key for AES-256. */
const freshKey = (): Uint8Array => randomBytes(32);

function startAddons({ cluster, addons }: ProtokubeConfig, env: LeaderEnv, start: Start): void {
  if (addons === undefined) return;
  const { kube, leadership, openOtherStore: openStore } = env;
  const { account } = env.cloud;
  const facts: AddonsEnv['facts'] = account === undefined ? {} : { account: (signal) => account(signal) };
  const onOutcome: AddonsEnv['onOutcome'] = (isApplied) => env.board.addonsAre(isApplied);
  start('addons', async (log, signal) => {
    const store = await env.openStore();
    const known = { ...facts, ...factsOfFiles(), ...storeFacts(cluster, store) };
    const { channels, yieldsTo } = addons;
    const addonsEnv = { cluster, store, openStore, kube, facts: known, leadership, yieldsTo, onOutcome, log };
    await reconcileAddons(channels, addonsEnv, signal);
  });
}
