import { join } from 'node:path';
import { execa } from 'execa';
import type { ClientFiles } from './gateway.ts';

/** etcd reads every entry of its database for it: some seconds for a gigabyte. */
const TIMEOUT_MS = 60_000;

/** etcd's hash of a member's keys up to a revision. Hashes can be compared if both members have compacted equally far. */
export interface DataHash {
  readonly hash: number;
  /** The last revision that was compacted; -1 if none was. */
  readonly compactRevision: number;
}

/**
 * Asks one member for the hash of its keys (HashKV). It asks through etcdctl, because the JSON gateway of etcd 3.3 and 3.4
 * has one path for this question and another one (etcdserverpb/rpc.proto). The CORRUPT alarm does not prevent the answer.
 *
 * @throws when the member does not answer, or does not have that revision
 */
export async function dataHash(
  { binDir, endpoint, files }: { readonly binDir: string; readonly endpoint: string; readonly files: ClientFiles },
  revision: number,
  signal: AbortSignal,
): Promise<DataHash> {
  const credentials = [`--cacert=${files.ca}`, `--cert=${files.cert}`, `--key=${files.key}`];
  const asked = ['endpoint', 'hashkv', `--rev=${revision}`, '-w', 'json', `--command-timeout=${TIMEOUT_MS / 1000}s`];
  const args = [`--endpoints=${endpoint}`, ...credentials, ...asked];
  const { stdout } = await execa(join(binDir, 'etcdctl'), args, {
    // Up to 3.3 etcdctl uses version 2 of the API by default.
    env: { ETCDCTL_API: '3' },
    cancelSignal: signal,
    forceKillAfterDelay: 2000,
    timeout: 2 * TIMEOUT_MS,
  });
  return parseDataHash(stdout);
}

/** Reads what `etcdctl endpoint hashkv -w json` prints for one member. @throws when it is something else */
export function parseDataHash(text: string): DataHash {
  const [hash, compactRevision] = ['hash', 'compact_revision'].map((field) => {
    // Member ids are printed as numbers that JSON.parse would round, so only the two fields are read.
    const found = new RegExp(`"${field}":(-?\\d+)`).exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  });
  if (!text.includes('"HashKV"')) throw new Error(`\`endpoint hashkv\` printed no hash: ${text.trim().slice(0, 300)}`);
  // Go leaves out what is zero.
  return { hash: hash ?? 0, compactRevision: compactRevision ?? 0 };
}
