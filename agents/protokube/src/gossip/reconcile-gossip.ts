import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Gossip } from '@kopsctl/gossip/gossip.ts';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import { openGossip } from '@kopsctl/gossip/open-gossip.ts';
import type { Endpoint } from '@kopsctl/gossip/swim/endpoint.ts';
import type { GossipConfig, GossipRing, ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { LatestNames } from '../hosts/name-source.ts';
import { readHosts } from '../hosts/hosts-file.ts';
import { addressesInBlock } from '../hosts/plan-hosts.ts';
import { type GossipFiles, readGossipFiles } from './gossip-files.ts';
import type { GossipKey } from './gossip-keys.ts';
import { gossipRecords, isReserved, ownNames, seedsAmong } from './gossip-names.ts';
import { heldKeysMeta } from './key-holders.ts';
import type { RunningRing } from './running-ring.ts';

/** Changes of keys and certificates are noticed at once by a watch; this is for file systems that send no events. */
const FILES_POLL_MS = 30_000;

export interface GossipEnv {
  /** Only control planes list the cloud's machines; they join the ones that are not members yet. */
  readonly machines?: Latest<CloudMachine>;
  /** Control plane only. */
  readonly volumes?: Latest<CloudVolume>;
  /** Absent for a ring from which no names are taken. */
  readonly names?: LatestNames;
  /** The hosts file: the machines in it are joined again after a restart. */
  readonly hostsPath: string;
  /** Called with the number of members, including this machine. */
  readonly onMembers?: (count: number) => void;
  /** Told of the gossip while it runs. */
  readonly running: RunningRing;
  readonly log: Log;
}

/**
 * Gossips with the other machines of a ring: publishes this machine's names and receives those of the others. When it is
 * stopped it withdraws its names and leaves, so that the others do not consider it failed.
 */
export async function reconcileGossip(
  config: ProtokubeConfig & { readonly gossip: GossipConfig },
  ring: GossipRing,
  env: GossipEnv,
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.volumes?.ringOnChange(wake);
  const watcher = watch(dirname(ring.keysFile), { persistent: false }, () => wake.ring());
  watcher.on('error', () => wake.ring());
  try {
    const read = (): Promise<GossipFiles | undefined> => readGossipFiles(ring, config.gossip.signing);
    for (let files = await read(); !signal.aborted; files = await read()) {
      if (files !== undefined) return await gossipWith(files, { config, ring, env, read, wake }, signal);
      env.log.info('waiting for gossip keys and authorities', { keysFile: ring.keysFile });
      await wake.wait(FILES_POLL_MS, signal);
    }
  } finally {
    watcher.close();
  }
}

interface Member {
  readonly config: ProtokubeConfig;
  readonly ring: GossipRing;
  readonly env: GossipEnv;
  readonly read: () => Promise<GossipFiles | undefined>;
  /** Rung when a file or a volume has changed. */
  readonly wake: Wake;
}

async function gossipWith(
  files: GossipFiles,
  { config, ring, env, read, wake }: Member,
  signal: AbortSignal,
): Promise<void> {
  const { keys, trust } = files;
  const gossip = await openGossip({
    name: config.nodeName,
    bindAddress: config.address,
    port: ring.port,
    label: config.cluster,
    keys: keys.map(({ key }) => key),
    meta: heldKeysMeta(keys),
    signing: { isReserved: isReserved(config), trust },
    seeds: () => seedsOf(env, config.address, ring),
    log: env.log,
  });
  env.running.gossip = gossip;
  try {
    const take = () => {
      const records = gossipRecords(config, gossip.records());
      // A machine that has not met any other knows no names: it keeps those of the last boot.
      if (records.length > 0 || gossip.members().length > 1) env.names?.set(records);
    };
    gossip.subscribe((event) => {
      if (event.kind === 'records') take();
      else env.onMembers?.(gossip.members().length);
    });
    let known = files;
    while (!signal.aborted) {
      gossip.publish(ownNames(config, ring.name, env.volumes?.items ?? []));
      take();
      await wake.wait(FILES_POLL_MS, signal);
      const found = (await readable(read, env.log)) ?? known;
      replaceFiles(gossip, known, found, env.log);
      known = found;
    }
  } finally {
    env.running.gossip = undefined;
    await gossip.leave();
  }
}

/** A file that is damaged, or half written, must not end the gossip: what was read before stays valid. */
async function readable(read: Member['read'], log: Log): Promise<GossipFiles | undefined> {
  try {
    return await read();
  } catch (error) {
    log.warn('gossip files cannot be read, so the earlier ones stay in use', { error });
    return undefined;
  }
}

function replaceFiles(gossip: Gossip, known: GossipFiles, { keys, trust }: GossipFiles, log: Log): void {
  const bytesOf = (all: readonly GossipKey[]): readonly Uint8Array[] => all.map(({ key }) => key);
  // A date that is noted behind a key changes nothing here.
  if (!isDeepStrictEqual(bytesOf(keys), bytesOf(known.keys))) {
    gossip.replaceKeys(bytesOf(keys));
    gossip.setMeta(heldKeysMeta(keys));
    log.info('gossip keys replaced', { keys: keys.length });
  }
  if (!isDeepStrictEqual(trust, known.trust)) {
    gossip.replaceTrust(trust);
    log.info('trust in signed names replaced');
  }
}

/**
 * The machines to join. Control planes list the cloud's machines and join the ones that are not members yet. All other
 * machines wait to be joined, so they need no permission in the cloud; after a restart they join the machines of their
 * hosts file without waiting.
 */
async function seedsOf(
  { machines, hostsPath }: GossipEnv,
  own: string,
  ring: GossipRing,
): Promise<readonly Endpoint[]> {
  if (machines !== undefined) return seedsAmong(machines.items ?? [], own, ring);
  const known = addressesInBlock(await readHosts(hostsPath));
  return known.filter((address) => address !== own).map((address) => ({ address, port: ring.port }));
}
