import { readFile } from 'node:fs/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CloudMachine, CloudVolume } from '@kopsctl/clouds/node-cloud.ts';
import { openGossip } from '@kopsctl/gossip/open-gossip.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { Latest } from '../latest.ts';
import type { LatestNames } from '../hosts/name-source.ts';
import { gossipRecords, ownNames, seedsAmong } from './gossip-names.ts';

/** Keys are changed by hand and seldom. */
const KEYS_POLL_MS = 30_000;
const KEY_LENGTHS = [16, 24, 32];

export interface GossipEnv {
  readonly machines: Latest<CloudMachine>;
  /** Control plane only. */
  readonly volumes?: Latest<CloudVolume>;
  readonly names: LatestNames;
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
  env.machines.ringOnChange(wake);
  env.volumes?.ringOnChange(wake);
  let keysText = await readFile(wish.keysFile, 'utf8');
  const gossip = await openGossip({
    name: config.nodeName,
    bindAddress: address,
    port: wish.port,
    label: config.cluster,
    keys: parseKeys(keysText, wish.keysFile),
    seeds: async () => seedsAmong(env.machines.items ?? [], address, wish.port),
    log: env.log,
  });
  try {
    const take = () => env.names.set(gossipRecords(config, gossip.records()));
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
