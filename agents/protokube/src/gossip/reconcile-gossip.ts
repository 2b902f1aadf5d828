import { readFile } from 'node:fs/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CloudMachine, CloudVolume } from '@kopsctl/clouds/node-cloud.ts';
import { openGossip } from '@kopsctl/gossip/open-gossip.ts';
import type { Endpoint } from '@kopsctl/gossip/swim/effects.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { Latest } from '../latest.ts';
import type { LatestNames } from '../hosts/name-source.ts';
import { readHosts } from '../hosts/hosts-file.ts';
import { addressesInBlock } from '../hosts/plan-hosts.ts';
import { gossipRecords, ownNames, seedsAmong } from './gossip-names.ts';

/** Keys are changed by hand and seldom. */
const KEYS_POLL_MS = 30_000;
const KEY_LENGTHS = [16, 24, 32];

export interface GossipEnv {
  /** Only a control plane asks the cloud for machines, and joins those that know nobody. */
  readonly machines?: Latest<CloudMachine>;
  /** Control plane only. */
  readonly volumes?: Latest<CloudVolume>;
  readonly names: LatestNames;
  /** Where the names are written that this machine knows: to join by them once more. */
  readonly hostsPath: string;
  /** Told how many machines gossip, this one included. */
  readonly onMembers?: (count: number) => void;
  readonly log: Log;
}

/**
 * Gossips with the cluster's other machines: says what this one is called, and hands on what the others are. Leaves with
 * a good-bye, so that nobody waits for a machine that was told to end.
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
      // Who has met nobody yet knows nothing: the names of before are the best that there are.
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
      env.log.info('gossip has other keys from now on');
    }
  } finally {
    await gossip.leave();
  }
}

/**
 * Whom to join. Control planes list the machines, and go on joining those that are no members; all others wait for that,
 * and so need no right in the cloud. Who knew the control planes before does not wait.
 */
async function seedsOf({ machines, hostsPath }: GossipEnv, own: string, port: number): Promise<readonly Endpoint[]> {
  if (machines !== undefined) return seedsAmong(machines.items ?? [], own, port);
  const known = addressesInBlock(await readHosts(hostsPath));
  return known.filter((address) => address !== own).map((address) => ({ address, port }));
}

/** A key a line, in base64: the first encrypts, all decrypt. */
export function parseKeys(text: string, file: string): readonly Uint8Array[] {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64'));
  if (keys.length > 0 && keys.every(({ byteLength }) => KEY_LENGTHS.includes(byteLength))) return keys;
  throw new ActionableError({
    what: `gossip with the keys of ${file}`,
    why: keys.length === 0 ? 'it holds none' : `a key has ${KEY_LENGTHS.join(', ')} bytes, and one there has not`,
    next: 'run `nodeup`, which writes it from the secret gossip-key of the state store',
  });
}
