import { join } from 'node:path';
import { findPeer } from './provide.ts';

export interface TestEtcd {
  readonly version: string;
  readonly binDir: string;
}

/** The minor versions of etcd that tests run against, oldest first. */
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
