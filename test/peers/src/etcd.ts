import { join } from 'node:path';
import type { PeerName } from './peers.ts';
import { findPeer } from './provide.ts';

export interface TestEtcd {
  readonly version: string;
  readonly binDir: string;
}

/** The minor versions of etcd that Debian packages, oldest first. */
export const ETCD_MINORS = ['3.3', '3.4', '3.5'] as const;
export type EtcdMinor = (typeof ETCD_MINORS)[number];

/** The etcd of a minor version; undefined on a machine that cannot run it. */
export async function findTestEtcd(minor: EtcdMinor): Promise<TestEtcd | undefined> {
  const peer = await findPeer(`etcd-${minor}`);
  if (peer === undefined) return undefined;
  const version = /^\d+\.\d+\.\d+/.exec(peer.versions['etcd-server'] ?? '')?.[0];
  if (version === undefined) throw new Error(`etcd ${minor} in ${peer.root} has no version`);
  return { version, binDir: join(peer.root, 'usr/bin') };
}

export type TestEtcds = Readonly<Record<EtcdMinor, TestEtcd>>;

/** All minor versions; undefined on a machine that cannot run them. */
export async function findTestEtcds(): Promise<TestEtcds | undefined> {
  const [oldest, usual, newest] = await Promise.all([findTestEtcd('3.3'), findTestEtcd('3.4'), findTestEtcd('3.5')]);
  if (oldest === undefined || usual === undefined || newest === undefined) return undefined;
  return { '3.3': oldest, '3.4': usual, '3.5': newest };
}

/**
 * Those that are compiled from published modules, because no package has them, each with the name under which its peer
 * lists the version.
 */
const COMPILED = {
  'etcd-3.5-newest': 'etcd',
  'etcd-3.6': 'etcd',
  'etcd-3.7': 'go.etcd.io/etcd/server/v3',
} as const satisfies Partial<Record<PeerName, string>>;

/** One of them; undefined as above. */
export async function findCompiledEtcd(name: keyof typeof COMPILED): Promise<TestEtcd | undefined> {
  const peer = await findPeer(name);
  if (peer === undefined) return undefined;
  const version = /\d+\.\d+\.\d+/.exec(peer.versions[COMPILED[name]] ?? '')?.[0];
  if (version === undefined) throw new Error(`${name} in ${peer.root} has no version`);
  return { version, binDir: peer.root };
}

/** One version of each minor version from 3.3 to 3.7, each of which can be upgraded to the next; undefined as above. */
export async function findEtcdLadder(): Promise<readonly [TestEtcd, ...TestEtcd[]] | undefined> {
  const [first, ...others] = await Promise.all([
    findTestEtcd('3.3'),
    findTestEtcd('3.4'),
    findCompiledEtcd('etcd-3.5-newest'),
    findCompiledEtcd('etcd-3.6'),
    findCompiledEtcd('etcd-3.7'),
  ]);
  if (first === undefined) return undefined;
  return [first, ...others.flatMap((etcd) => etcd ?? [])];
}
