import { readFile } from 'node:fs/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import { openGossip } from '@kopsctl/gossip/open-gossip.ts';
import type { Endpoint } from '@kopsctl/gossip/swim/endpoint.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { Latest } from '../latest.ts';
import type { LatestNames } from '../hosts/name-source.ts';
import { readHosts } from '../hosts/hosts-file.ts';
import { addressesInBlock } from '../hosts/plan-hosts.ts';
import { gossipRecords, ownNames, seedsAmong } from './gossip-names.ts';

/** Keys are changed by hand, and rarely. */
const KEYS_POLL_MS = 30_000;
const KEY_LENGTHS = [16, 24, 32];

export interface GossipEnv {
  /** Only control planes list the cloud's machines; they join those that are not members yet. */
  readonly machines?: Latest<CloudMachine>;
  /** Control plane only. */
  readonly volumes?: Latest<CloudVolume>;
  readonly names: LatestNames;
  /** The hosts file: the machines in it are joined again after a restart. */
  readonly hostsPath: string;
  /** Called with the number of members, including this machine. */
  readonly onMembers?: (count: number) => void;
  readonly log: Log;
}

/**
 * Gossips with the cluster's other machines: publishes this machine's names and receives those of the others. When it
 * is stopped it leaves the gossip, so that the others do not take it for failed.
 */
export async function reconcileGossip(config: ProtokubeConfig, env: GossipEnv, signal: AbortSignal): Promise<void> {
  const { gossip: wish, address } = config;
  if (wish === undefined) return;
  const wake = new Wake();
  env.volumes?.ringOnChange(wake);
  let keysText = await readFile(wish.keysFile, 'utf8');
  const gossip = await openGossip({
    name: config.nodeName,
    bindAddress: address,
    port: wish.port,
    label: config.cluster,
    keys: parseKeys(keysText, wish.keysFile),
    seeds: () => seedsOf(env, address, wish.port),
    log: env.log,
  });
  try {
    const take = () => {
      const records = gossipRecords(config, gossip.records());
      // A machine that has not met any other knows no names: it keeps those of the last boot.
      if (records.length > 0 || gossip.members().length > 1) env.names.set(records);
    };
    gossip.subscribe((event) => {
      if (event.kind === 'records') take();
      else env.onMembers?.(gossip.members().length);
    });
    while (!signal.aborted) {
      gossip.publish(ownNames(config, env.volumes?.items ?? []));
      take();
      await wake.wait(KEYS_POLL_MS, signal);
      const text = await readFile(wish.keysFile, 'utf8');
      if (text === keysText) continue;
      gossip.replaceKeys(parseKeys(text, wish.keysFile));
      keysText = text;
      env.log.info('gossip keys replaced');
    }
  } finally {
    await gossip.leave();
  }
}

/**
 * The machines to join. Control planes list the cloud's machines and join those that are not members yet. All other
 * machines wait to be joined, so they need no permission in the cloud; after a restart they join the machines of their
 * hosts file without waiting.
 */
async function seedsOf({ machines, hostsPath }: GossipEnv, own: string, port: number): Promise<readonly Endpoint[]> {
  if (machines !== undefined) return seedsAmong(machines.items ?? [], own, port);
  const known = addressesInBlock(await readHosts(hostsPath));
  return known.filter((address) => address !== own).map((address) => ({ address, port }));
}

/** One key per line, in base64. The first encrypts, all decrypt. */
function parseKeys(text: string, file: string): readonly Uint8Array[] {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64'));
  if (keys.length > 0 && keys.every(({ byteLength }) => KEY_LENGTHS.includes(byteLength))) return keys;
  throw new ActionableError({
    what: `gossip with the keys of ${file}`,
    why:
      keys.length === 0 ? 'it holds none' : `a key must have ${KEY_LENGTHS.join(', ')} bytes, and one in it does not`,
    next: 'run `nodeup`, which writes it from the secret gossip-key of the state store',
  });
}
